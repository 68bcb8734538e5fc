// compare.js - the view that anybody may open: own servers in the data centres of Shenzhen, Dongguan
// and Huizhou side by side, where the difference comes from, and what renting the same would cost.
import { fitForm, formValues, mainFields, moreFields, writeValues } from './compare-form.js'
import { drawAnswer } from './compare-report.js'
import { h, replace } from './dom.js'
import { showFailure } from './failure.js'
import { showProblems } from './form.js'
import { ask, Refused } from './http.js'
import { address, go } from './state.js'
import { curlLine } from './take.js'
import { t } from './text.js'

const usual = { card: 'h100-sxm', servers: '4', mbps: '100', months: '12' }

/** The query of GET /compare for the VALUES of the address. */
function queryOf({ pick, ...values }) {
	return new URLSearchParams(values).toString().replaceAll('%2C', ',')
}

export function open(main, first) {
	let values = {}
	let asking = null
	const place = { headline: h('div', { class: 'headline', role: 'status' }), results: h('div', { class: 'results' }) }
	const button = h('button', { class: 'primary' }, t('compare.go'))
	const form = h(
		'form',
		{ 'class': 'question panel', 'aria-label': t('compare.form'), 'novalidate': true },
		mainFields(button),
		moreFields(),
	)

	async function refresh() {
		asking?.abort()
		asking = new AbortController()
		place.results.setAttribute('aria-busy', 'true')
		try {
			const answer = await ask('GET', `/compare?${queryOf(values)}`, { signal: asking.signal })
			showProblems(form, [])
			drawAnswer(place, answer, values, curlLine('GET', `/compare?${queryOf(values)}`, {}))
		} catch (error) {
			if (error.name === 'AbortError') return
			if (!(error instanceof Refused)) throw error
			replace(place.headline)
			showFailure(place.results, error, refresh, form)
		}
		place.results.removeAttribute('aria-busy')
	}
	function submit(event) {
		event.preventDefault()
		fitForm(form)
		if (event.target === form.elements.by && form.elements[form.elements.by.value].value === '') return
		const wanted = { ...formValues(form), pick: values.pick }
		if (address('compare', wanted) === location.hash) refresh()
		else go('compare', wanted)
	}
	function update(next) {
		values = Object.keys(next).length === 0 ? usual : next
		writeValues(form, values)
		refresh()
	}
	form.addEventListener('submit', submit)
	form.addEventListener('change', submit)
	replace(
		main,
		h('h1', {}, t('compare.title')),
		h('p', { class: 'lead' }, t('compare.lead')),
		form,
		place.headline,
		place.results,
	)
	update(first)
	return { update, close: () => asking?.abort() }
}
