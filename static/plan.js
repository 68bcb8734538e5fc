// plan.js - the buyer's view: what must run -> ranked ways to run it. The request lives in the
// address, as the JSON that POST /plan takes.
import { h, replace } from './dom.js'
import { showFailure } from './failure.js'
import { showProblems } from './form.js'
import { ask, Refused } from './http.js'
import { addWorkload, changeKind, drawForm, examples, readSpec, removeWorkload } from './plan-form.js'
import { report } from './plan-report.js'
import { may, signInForm } from './session.js'
import { address, go } from './state.js'
import { curlLine, machineSection, takeBar } from './take.js'
import { t } from './text.js'

/** The request of the address; null when there is none or it is no JSON. */
function specOf(values) {
	try {
		const spec = JSON.parse(values.spec ?? 'null')
		return Array.isArray(spec?.workloads) && spec.workloads.length > 0 ? spec : null
	} catch {
		return null
	}
}

export function open(main, first) {
	const lead = [h('h1', {}, t('plan.title')), h('p', { class: 'lead' }, t('plan.lead'))]
	if (!may('buyer', 'admin')) {
		replace(main, lead, signInForm(['buyer', 'admin']))
		return { update() {}, close() {} }
	}
	let spec = null
	let asking = null
	const place = { headline: h('div', { class: 'headline', role: 'status' }), results: h('div', { class: 'results' }) }
	const inputs = h('div', {})
	const button = h('button', { class: 'primary' }, t('plan.go'))
	const form = h(
		'form',
		{ 'aria-label': t('plan.form'), 'novalidate': true, 'onsubmit': submit },
		inputs,
		h('div', { class: 'buttons' }, button),
	)
	const fold = h(
		'details',
		{ 'class': 'question panel', 'open': true, 'data-print': 'as-is' },
		h('summary', {}, t('plan.form')),
		form,
	)
	const tries = h(
		'div',
		{ 'class': 'buttons', 'role': 'group', 'aria-label': t('plan.examples') },
		h('span', { class: 'quiet' }, t('plan.examples')),
		examples().map(([name, example]) =>
			h('button', { type: 'button', onclick: () => go('plan', { spec: JSON.stringify(example) }) }, name),
		),
	)

	/** The form in another shape, with what was typed. */
	function reshape(change) {
		draw(change(readSpec(form)))
	}
	function draw(wanted) {
		drawForm(inputs, wanted, {
			kind: (index, kind) => reshape((typed) => changeKind(typed, index, kind)),
			remove: (index) => reshape((typed) => removeWorkload(typed, index)),
			add: () => reshape(addWorkload),
		})
	}
	async function refresh() {
		asking?.abort()
		asking = new AbortController()
		place.results.setAttribute('aria-busy', 'true')
		try {
			const asked = { ...spec, sensitivity: 'full' }
			const answer = await ask('POST', '/plan', { body: JSON.stringify(asked), signal: asking.signal })
			const { headline, body } = report(answer)
			showProblems(form, [])
			fold.open = false
			const line = curlLine('POST', '/plan', { spec: asked, key: true })
			const title = spec.title || t('plan.title')
			replace(place.headline, headline, takeBar({ title, line, answer, place: place.results }))
			replace(place.results, body, machineSection(line, asked))
		} catch (error) {
			if (error.name === 'AbortError') return
			if (!(error instanceof Refused)) throw error
			fold.open = true
			replace(place.headline)
			showFailure(place.results, error, refresh, form)
		}
		place.results.removeAttribute('aria-busy')
	}
	function submit(event) {
		event.preventDefault()
		const wanted = { spec: JSON.stringify(readSpec(form)) }
		if (address('plan', wanted) === location.hash) refresh()
		else go('plan', wanted)
	}
	function update(values) {
		spec = specOf(values)
		if (spec === null) {
			fold.open = true
			draw(examples()[0][1])
			replace(place.headline)
			replace(place.results, h('p', { class: 'quiet' }, t('plan.start')))
			return
		}
		if (JSON.stringify(readSpec(form)) !== JSON.stringify(spec)) draw(spec)
		refresh()
	}
	replace(main, lead, tries, fold, place.headline, place.results)
	update(first)
	return { update, close: () => asking?.abort() }
}
