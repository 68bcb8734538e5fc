// compare.js - the view that anybody may open: own servers in the data centres of Shenzhen, Dongguan
// and Huizhou side by side, where the difference comes from, and what renting the same would cost.
import { fitForm, formValues, mainFields, moreFields, typedValues, writeTyped, writeValues } from './compare-form.js'
import { drawAnswer } from './compare-report.js'
import { h, replace } from './dom.js'
import { draftOf, keepDraft } from './draft.js'
import { showFailure } from './failure.js'
import { showProblems } from './form.js'
import { ask } from './http.js'
import { awaiting } from './progress.js'
import { address, go } from './state.js'
import { curlLine } from './take.js'
import { t } from './text.js'

const usual = { card: 'h100-sxm', servers: '4', mbps: '100', months: '12' }

/** The query of GET /compare for the VALUES of the address. */
function queryOf({ pick, ...values }) {
	return new URLSearchParams(values).toString().replaceAll('%2C', ',')
}

/** Under what the typed words of VALUES are kept. */
const draftAt = ({ pick, ...values }) =>
	JSON.stringify(Object.entries(values).filter(([, value]) => value !== '').sort())

export function open(main, first) {
	let values = {}
	let asking = null
	const place = { headline: h('div', { class: 'headline', role: 'status' }), results: h('div', { class: 'results' }) }
	const waiting = h('div', {})
	const button = h('button', { class: 'primary' }, t('compare.go'))
	const form = h(
		'form',
		{ 'class': 'question panel', 'aria-label': t('compare.form'), 'novalidate': true },
		mainFields(button),
		moreFields(),
	)

	function stop() {
		asking?.abort()
		replace(place.headline)
		replace(place.results, h('p', { class: 'caution', role: 'status' }, t('progress.stopped')))
	}
	async function refresh() {
		asking?.abort()
		const mine = new AbortController()
		asking = mine
		const done = awaiting(waiting, stop)
		place.results.setAttribute('aria-busy', 'true')
		try {
			const answer = await ask('GET', `/compare?${queryOf(values)}`, { signal: mine.signal })
			showProblems(form, [])
			drawAnswer(place, answer, values, curlLine('GET', `/compare?${queryOf(values)}`, {}))
		} catch (error) {
			if (error.name === 'AbortError') return
			replace(place.headline)
			showFailure(place.results, error, refresh, form)
		} finally {
			done()
			if (asking === mine) place.results.removeAttribute('aria-busy')
		}
	}
	/** What is typed and not asked for yet belongs to the address that is shown. */
	const typed = () => keepDraft('compare', draftAt(values), typedValues(form))

	function submit(event) {
		event.preventDefault()
		fitForm(form)
		if (event.target === form.elements.by && form.elements[form.elements.by.value].value === '') return typed()
		const wanted = { ...formValues(form), pick: values.pick }
		keepDraft('compare', draftAt(values), null)
		// What is not asked for now is not in the address: cards while kW count.
		keepDraft('compare', draftAt(wanted), typedValues(form))
		if (address('compare', wanted) === location.hash) refresh()
		else go('compare', wanted)
	}
	function update(next) {
		values = Object.keys(next).length === 0 ? usual : next
		writeValues(form, values)
		writeTyped(form, draftOf('compare', draftAt(values)))
		refresh()
	}
	form.addEventListener('input', typed)
	form.addEventListener('submit', submit)
	form.addEventListener('change', submit)
	replace(
		main,
		h('h1', {}, t('compare.title')),
		h('p', { class: 'lead' }, t('compare.lead')),
		form,
		waiting,
		place.headline,
		place.results,
	)
	update(first)
	return { update, close: () => asking?.abort() }
}
