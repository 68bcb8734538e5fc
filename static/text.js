// text.js - the words of the page. text/zh.js and text/en.js hold the same keys (the tests see to
// it); a sentence is one message with {holes}, never glued from pieces.

const TAGS = { zh: 'zh-CN', en: 'en' }
const catalogues = { zh: () => import('./text/zh.js'), en: () => import('./text/en.js') }
let words = {}
export let lang = 'zh'

/** Loads the catalogue of WANTED ('zh' or 'en') and marks the document with it. */
export async function useLanguage(wanted) {
	words = (await catalogues[wanted]()).default
	lang = wanted
	document.documentElement.lang = TAGS[wanted]
}

/** What the reader's browser prefers, of the two that there are. */
export function preferredLanguage() {
	const first = (navigator.languages ?? [navigator.language]).find((tag) => /^(zh|en)/i.test(tag))
	return first === undefined || /^zh/i.test(first) ? 'zh' : 'en'
}

/**
 * The message KEY with its holes filled from VALUES: {city}, or {servers|server|servers} for a number
 * with its noun, in languages that count that way.
 */
export function t(key, values = {}) {
	return (words[key] ?? key).replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (hole, name, one, more) => {
		if (values[name] === undefined) return hole
		return one === undefined ? values[name] : `${values[name]} ${String(values[name]) === '1' ? one : more}`
	})
}

/** The same as a list of strings and nodes, for holes that take a node. */
export function parts(key, values) {
	return (words[key] ?? key).split(/(\{\w+\})/).map((piece) => {
		const name = /^\{(\w+)\}$/.exec(piece)?.[1]
		return name === undefined ? piece : values[name] ?? ''
	})
}

/** The word for NAME of a closed list such as account or term; NAME itself when there is none. */
export const word = (list, name) => (name == null ? '' : words[`${list}.${name}`] ?? name)

/** ITEMS (texts) as one list in the language of the page. */
export const listed = (items) => items.join(t('list.comma'))

/** The same of nodes. */
export const listedNodes = (nodes) => nodes.flatMap((node, index) => (index === 0 ? [node] : [t('list.comma'), node]))
