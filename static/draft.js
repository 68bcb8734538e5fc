// draft.js - what was typed and not asked yet is kept for this tab: under the name of its view and the
// address it was typed at, so that leaving, reloading or signing in again loses nothing.
const MOST = 8
const keyOf = (view) => `suanjia.draft.${view}`

/** A browser that keeps nothing (private windows, a full store) still works. */
function stored(view) {
	try {
		return JSON.parse(sessionStorage.getItem(keyOf(view)) ?? '[]')
	} catch {
		return []
	}
}
function store(view, entries) {
	try {
		sessionStorage.setItem(keyOf(view), JSON.stringify(entries))
	} catch {
		// nothing to be done, and nothing broken
	}
}

/** What was typed in VIEW at ADDRESS; null when there is nothing. */
export const draftOf = (view, address) => stored(view).find(([at]) => at === address)?.[1] ?? null

/** Keeps VALUE as what is typed in VIEW at ADDRESS; null forgets it. */
export function keepDraft(view, address, value) {
	const others = stored(view).filter(([at]) => at !== address)
	store(view, value === null ? others : [[address, value], ...others].slice(0, MOST))
}
