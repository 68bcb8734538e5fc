// failure.js - an error as the reader should meet it: what happened, what to put right, try again.
import { h, replace } from './dom.js'
import { showProblems, unfold } from './form.js'
import { Refused } from './http.js'
import { sessionLost } from './session.js'
import { t } from './text.js'

/** Leads to CONTROL, also where it is folded away. */
function fieldLink(control, label) {
	const lead = () => {
		unfold(control)
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
 * Shows ERROR in PLACE, with every problem and RETRY where that may help; marks the fields of FORM
 * that the problems are about. The focus goes there, but for somebody who is typing. What is not a
 * Refused (an answer that could not be shown) is told too, and thrown on.
 */
export function showFailure(place, error, retry, form = null) {
	const told = error instanceof Refused ? error : new Refused(200, null, { unreadable: true })
	if (told.status === 401) queueMicrotask(sessionLost)
	const box = h(
		'div',
		{ class: 'failure panel', role: 'alert', tabindex: -1 },
		h('p', {}, h('strong', {}, told.message)),
		told.wait !== null && h('p', {}, t('error.wait', { seconds: told.wait })),
		told.problems.length > 0 && h('ul', {}, showProblems(form, told.problems).map(problemLine)),
		told.retryable && h('button', { class: 'primary', type: 'button', onclick: retry }, t('error.retry')),
		told.requestId && h('p', { class: 'quiet' }, t('error.id', { id: told.requestId })),
	)
	replace(place, box)
	if (!document.activeElement?.matches('input, select, textarea')) box.focus()
	if (told !== error) throw error
}
