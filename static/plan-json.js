// plan-json.js - the request as JSON, to be read, changed, or pasted from elsewhere into the form.
import { h, newId, replace } from './dom.js'
import { ask } from './http.js'
import { isSpec } from './plan-spec.js'
import { t } from './text.js'

/** What is wrong with TEXT, which is no JSON: the interface says where. */
async function faultOf(text) {
	const error = await ask('POST', '/plan', { body: text }).catch((one) => one)
	return error?.problems?.[0]?.message ?? t('plan.json_bad')
}

/** The fold: READ() answers the request of the form, TAKE(request) puts another one in. */
export function jsonFold(read, take) {
	const text = h('textarea', { id: newId('json'), rows: 12, spellcheck: 'false', autocomplete: 'off' })
	const problem = h('p', { class: 'problem', role: 'alert', id: `${text.id}-problem` })
	text.setAttribute('aria-describedby', problem.id)

	/** What the form said when it was written here: what somebody changed since stays. */
	let written = ''

	function write() {
		if (text.value === written) text.value = written = JSON.stringify(read(), null, 2)
	}
	function fail(message) {
		replace(problem, message)
		text.setAttribute('aria-invalid', 'true')
		text.focus()
	}
	async function put() {
		replace(problem)
		text.removeAttribute('aria-invalid')
		let spec
		try {
			spec = JSON.parse(text.value)
		} catch {
			return fail(await faultOf(text.value))
		}
		if (!isSpec(spec)) return fail(t('plan.json_shape'))
		take(spec)
		written = text.value
		fold.open = false
		fold.querySelector('summary').focus()
	}
	const fold = h(
		'details',
		{
			'class': 'more json',
			'data-print': 'as-is',
			'ontoggle': (event) => event.target.open && write(),
		},
		h('summary', {}, t('plan.json')),
		h('label', { for: text.id, class: 'quiet' }, t('plan.json_hint')),
		text,
		problem,
		h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: put }, t('plan.json_put'))),
	)
	return fold
}
