// failure.js - an error as the reader should meet it: what happened, what to put right, try again.
import { h } from './dom.js'
import { sessionLost } from './session.js'
import { t } from './text.js'

/** A panel for ERROR (Refused) with the PROBLEMS that no field shows, and RETRY where that may help. */
export function failure(error, problems, retry) {
	if (error.status === 401) queueMicrotask(sessionLost)
	return h(
		'div',
		{ class: 'failure panel', role: 'alert' },
		h('p', {}, h('strong', {}, error.message)),
		problems.length > 0 &&
			h(
				'ul',
				{},
				problems.map((problem) =>
					h(
						'li',
						{},
						problem.pointer ? h('code', {}, problem.pointer) : '',
						' ',
						problem.message,
						problem.hint ? ` ${problem.hint}` : '',
					),
				),
			),
		error.retryable && h('button', { class: 'primary', type: 'button', onclick: retry }, t('error.retry')),
		error.requestId && h('p', { class: 'quiet' }, t('error.id', { id: error.requestId })),
	)
}
