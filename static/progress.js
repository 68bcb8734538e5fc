// progress.js - what the reader sees while an answer is awaited: nothing for a second, then how long
// it has been, and a way to stop.
import { h, replace } from './dom.js'
import { t } from './text.js'

const PATIENCE_MS = 1000

/**
 * Says in PLACE that an answer is awaited, until the function that is answered is called. CANCEL is
 * called when the reader has enough.
 */
export function awaiting(place, cancel) {
	const began = performance.now()
	const seconds = h('span', { 'class': 'figure', 'aria-hidden': 'true' })
	const said = h('span', { role: 'status' })
	const stop = h('button', { type: 'button', onclick: cancel }, t('progress.stop'))
	const bar = h('progress', { 'aria-label': t('progress.label') })
	const box = h('div', { class: 'progress panel' }, bar, said, ' ', seconds, stop)
	const count = () =>
		replace(seconds, t('progress.seconds', { seconds: Math.floor((performance.now() - began) / 1000) }))
	let each = 0
	const first = setTimeout(() => {
		place.append(box)
		// Put in after the region stands there, so that it is read out; the seconds are not.
		replace(said, t('progress.asking'))
		count()
		each = setInterval(count, 1000)
	}, PATIENCE_MS)
	return () => {
		clearTimeout(first)
		clearInterval(each)
		box.remove()
	}
}
