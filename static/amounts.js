// amounts.js - large amounts in 万 (in English in thousands), for those who ask for it. It is a matter
// of looks: what stands in tables, on paper and in files keeps its fen, and so does the title of each
// amount that is shown short.
import { h } from './dom.js'
import { absolute, grouped, micro, scaled } from './number.js'
import { lang, t } from './text.js'

const AMOUNT = /([+\u2212]?)\u00a5(\d[\d,]*(?:\.\d+)?)/g
const LEAST = micro('10000')
/** By language: the power of ten of the unit, and the decimals that are left. */
const UNITS = { zh: [4, 2], en: [3, 1] }
const EXACT = 'table, pre, textarea, select, svg, script, [data-basis], .on-paper, .short'

/** AMOUNT (digits, without separators) as it is shown, SIGN in front. */
const shortOf = (sign, amount) => `${sign}${t('amounts.short', { amount: grouped(scaled(amount, ...UNITS[lang])) })}`

/** The pieces of TEXT, its large amounts as elements; null when it has none. */
function piecesOf(text) {
	const pieces = []
	let end = 0
	for (const found of text.matchAll(AMOUNT)) {
		const [exact, sign, digits] = found
		const amount = digits.replaceAll(',', '')
		if (micro(absolute(amount)) < LEAST) continue
		pieces.push(
			text.slice(end, found.index),
			h('data', { class: 'short', title: exact, value: amount }, shortOf(sign, amount)),
		)
		end = found.index + exact.length
	}
	return end === 0 ? null : [...pieces, text.slice(end)]
}

/** Shows the large amounts in ROOT short. */
function shorten(root) {
	const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
	const texts = []
	while (walker.nextNode()) texts.push(walker.currentNode)
	if (root.nodeType === Node.TEXT_NODE) texts.push(root)
	for (const node of texts) {
		const pieces = node.parentElement?.closest(EXACT) ? null : piecesOf(node.data)
		if (pieces !== null) node.replaceWith(...pieces.filter((piece) => piece !== ''))
	}
}

const shorts = () => [...document.querySelectorAll('data.short')]

const watcher = new MutationObserver((changes) => {
	for (const { addedNodes } of changes)
		for (const node of addedNodes) if (node.isConnected) shorten(node)
})

/** On paper the amounts are exact. */
function unfoldForPaper() {
	const shown = shorts().map((node) => [node, node.textContent])
	for (const [node] of shown) node.textContent = node.title
	const back = () => {
		for (const [node, text] of shown) node.textContent = text
	}
	addEventListener('afterprint', back, { once: true })
}

/** Shows large amounts in PLACE short from now on, or exact again. */
export function useShort(place, wanted) {
	watcher.disconnect()
	removeEventListener('beforeprint', unfoldForPaper)
	if (!wanted) {
		for (const node of shorts()) {
			const { parentNode } = node
			node.replaceWith(node.title)
			parentNode.normalize()
		}
		return
	}
	shorten(place)
	watcher.observe(place, { childList: true, subtree: true })
	addEventListener('beforeprint', unfoldForPaper)
}
