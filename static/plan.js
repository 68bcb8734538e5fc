// plan.js - the buyer's view: what must run -> ranked ways to run it. The request lives in the
// address, as the JSON that POST /plan takes; what is typed and not planned yet, in the draft.
import { h, replace } from './dom.js'
import { draftOf, keepDraft } from './draft.js'
import { showFailure } from './failure.js'
import { showProblems } from './form.js'
import { ask } from './http.js'
import { planForm } from './plan-form.js'
import { jsonFold } from './plan-json.js'
import { report } from './plan-report.js'
import { examples, isSpec } from './plan-spec.js'
import { awaiting } from './progress.js'
import { may, signInForm } from './session.js'
import { address, go } from './state.js'
import { curlLine, machineSection, takeBar } from './take.js'
import { t } from './text.js'

/** The request of the address; null when there is none or it is no JSON. */
function specOf(values) {
	try {
		const spec = JSON.parse(values.spec ?? 'null')
		return isSpec(spec) ? spec : null
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
	/** The request of the address (null: none), and as the text it stands there. */
	let spec = null
	let at = ''
	let asking = null
	const place = { headline: h('div', { class: 'headline', role: 'status' }), results: h('div', { class: 'results' }) }
	const waiting = h('div', {})
	const inputs = h('div', {})
	const unplanned = h('p', { class: 'quiet', role: 'status' })
	const form = h(
		'form',
		{ 'aria-label': t('plan.form'), 'novalidate': true, 'onsubmit': submit },
		inputs,
		h(
			'div',
			{ class: 'buttons' },
			h('button', { class: 'primary' }, t('plan.go')),
			h('button', { type: 'button', name: 'reset', onclick: startOver }, t('plan.start_over')),
			unplanned,
		),
	)
	const request = planForm(inputs, typed)
	const json = jsonFold(request.read, (pasted) => {
		request.draw(pasted)
		typed()
	})
	const fold = h(
		'details',
		{ 'class': 'question panel', 'open': true, 'data-print': 'as-is' },
		h('summary', {}, t('plan.form')),
		form,
		json,
	)
	const tries = h(
		'div',
		{ 'class': 'buttons', 'role': 'group', 'aria-label': t('plan.examples') },
		h('span', { class: 'quiet' }, t('plan.examples')),
		examples().map(([name, example]) => h('button', { type: 'button', onclick: () => visit(example) }, name)),
	)

	/** Whether the form says something else than SHOWN. */
	const differs = (shown) => JSON.stringify(request.read()) !== JSON.stringify(shown)
	const start = () => examples()[0][1]

	function typed() {
		const changed = differs(spec ?? start())
		keepDraft('plan', at, changed ? request.read() : null)
		replace(unplanned, changed && spec !== null && t('plan.unplanned'))
	}
	/** Draws WANTED, or what was typed instead of it. */
	function draw(wanted) {
		const draft = draftOf('plan', at)
		const shown = isSpec(draft) ? draft : wanted
		if (differs(shown) || inputs.querySelector('.strangers') !== null) request.draw(shown)
		replace(unplanned, shown === draft && spec !== null && t('plan.unplanned'))
		return shown === draft
	}
	function stop() {
		asking?.abort()
		replace(place.headline)
		replace(place.results, h('p', { class: 'caution', role: 'status' }, t('progress.stopped')))
		fold.open = true
	}
	async function refresh() {
		asking?.abort()
		const mine = new AbortController()
		asking = mine
		const done = awaiting(waiting, stop)
		place.results.setAttribute('aria-busy', 'true')
		try {
			// Who says nothing of it gets the whole of what would change the answer.
			const asked = { sensitivity: 'full', ...spec }
			const answer = await ask('POST', '/plan', { body: JSON.stringify(asked), signal: mine.signal })
			const { headline, body } = report(answer)
			showProblems(form, [])
			fold.open = draftOf('plan', at) !== null
			const line = curlLine('POST', '/plan', { spec: asked, key: true })
			const title = spec.title || t('plan.title')
			replace(place.headline, headline, takeBar({ title, line, answer, place: place.results }))
			replace(place.results, body, machineSection(line, asked))
		} catch (error) {
			if (error.name === 'AbortError') return
			fold.open = true
			replace(place.headline)
			showFailure(place.results, error, refresh, form)
		} finally {
			done()
			if (asking === mine) place.results.removeAttribute('aria-busy')
		}
	}
	/** Plans WANTED: it goes into the address, so nothing of it is a draft any more. */
	function visit(wanted) {
		const values = { spec: JSON.stringify(wanted) }
		if (address('plan', values) === location.hash) {
			keepDraft('plan', at, null)
			draw(spec)
			refresh()
		} else go('plan', values)
	}
	function submit(event) {
		event.preventDefault()
		keepDraft('plan', at, null)
		visit(request.read())
	}
	function startOver() {
		for (const one of [at, '']) keepDraft('plan', one, null)
		if (at === '') update({})
		else go('plan', {})
	}
	function update(values) {
		asking?.abort()
		spec = specOf(values)
		at = values.spec ?? ''
		const drafted = draw(spec ?? start())
		if (spec !== null) return refresh()
		fold.open = true
		showProblems(form, [])
		replace(place.headline)
		place.results.removeAttribute('aria-busy')
		const said = at !== '' ? 'plan.no_request' : drafted ? 'plan.restored' : 'plan.start'
		replace(place.results, h('p', { class: at === '' ? 'quiet' : 'caution' }, t(said)))
	}
	form.addEventListener('input', typed)
	form.addEventListener('change', typed)
	replace(main, lead, tries, fold, waiting, place.headline, place.results)
	update(first)
	return { update, close: () => asking?.abort() }
}
