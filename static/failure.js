// failure.js - an error as the reader should meet it: what happened, what to put right, try again.
import { h, replace } from './dom.js'
import { showProblems } from './form.js'
import { sessionLost } from './session.js'
import { t } from './text.js'

/** Leads to CONTROL, also where it is folded away. */
function fieldLink(control, label) {
	const lead = () => {
		for (let fold = control.closest('details'); fold !== null; fold = fold.parentElement.closest('details'))
			fold.open = true
		control.focus()
	}
	return h('button', { type: 'button', class: 'plain', onclick: lead }, label)
}

/** One problem in words, behind the field it is about: by name where FOUND in the form, else by its pointer. */
const problemLine = ({ problem, control, label }) =>
	h(
		'li',
		{},
		control !== null ? fieldLink(control, label) : problem.pointer && h('code', {}, problem.pointer),
		' ',
		problem.message,
		problem.hint && ` ${problem.hint}`,
	)

/**
 * Shows ERROR (Refused) in PLACE, with every problem and RETRY where that may help; marks the fields
 * of FORM that the problems are about. The focus goes there, but for somebody who is typing.
 */
export function showFailure(place, error, retry, form = null) {
	if (error.status === 401) queueMicrotask(sessionLost)
	const box = h(
		'div',
		{ class: 'failure panel', role: 'alert', tabindex: -1 },
		h('p', {}, h('strong', {}, error.message)),
		error.problems.length > 0 && h('ul', {}, showProblems(form, error.problems).map(problemLine)),
		error.retryable && h('button', { class: 'primary', type: 'button', onclick: retry }, t('error.retry')),
		error.requestId && h('p', { class: 'quiet' }, t('error.id', { id: error.requestId })),
	)
	replace(place, box)
	if (!document.activeElement?.matches('input, select, textarea')) box.focus()
}
