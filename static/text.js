// text.js - the words of the page. text/zh.js and text/en.js hold the same keys (the tests see to
// it); a sentence is one message with {holes}, never glued from pieces.

const TAGS = { zh: 'zh-CN', en: 'en' }
const catalogues = { zh: () => import('./text/zh.js'), en: () => import('./text/en.js') }
/** What only the form of a plan says: it comes with the form. */
const formWords = { zh: () => import('./text/form-zh.js'), en: () => import('./text/form-en.js') }
let words = {}
export let lang = 'zh'

/** Loads the catalogue of WANTED ('zh' or 'en') and marks the document with it. */
export async function useLanguage(wanted) {
	words = (await catalogues[wanted]()).default
	lang = wanted
	document.documentElement.lang = TAGS[wanted]
}

/** Adds the words of the form of a plan. */
export async function useFormWords() {
	const more = (await formWords[lang]()).default
	words = { ...words, ...more }
}

/** What the reader's browser prefers, of the two that there are. */
export function preferredLanguage() {
	const first = (navigator.languages ?? [navigator.language]).find((tag) => /^(zh|en)/i.test(tag))
	return first === undefined || /^zh/i.test(first) ? 'zh' : 'en'
}

const HOLE = /(\{\w+(?:\|[^|}]*\|[^}]*)?\})/

/** What goes into HOLE of the message KEY, '{city}' or, for a number with its noun, '{servers|server|servers}'. */
function filled(hole, values, key) {
	const [name, one, more] = hole.slice(1, -1).split('|')
	if (values[name] === undefined) console.error(`${key} lacks ${name}`)
	const value = values[name] ?? '–'
	return one === undefined ? value : `${value} ${String(value) === '1' ? one : more}`
}

/** The message KEY as a list of strings and nodes, its holes filled from VALUES. */
export function parts(key, values = {}) {
	return (words[key] ?? key).split(HOLE).map((piece, index) => (index % 2 === 0 ? piece : filled(piece, values, key)))
}

/** The message KEY as text. */
export const t = (key, values = {}) => parts(key, values).join('')

/** The word for NAME of a closed list such as account or term; NAME itself when there is none. */
export const word = (list, name) => (name == null ? '' : (words[`${list}.${name}`] ?? name))

/** ITEMS (texts) as one list in the language of the page. */
export const listed = (items) => items.join(t('list.comma'))

/** The same of nodes. */
export const listedNodes = (nodes) => nodes.flatMap((node, index) => (index === 0 ? [node] : [t('list.comma'), node]))
