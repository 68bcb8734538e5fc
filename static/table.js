// table.js - tables of figures. A figure carries its digits as the interface sent them, so that a
// table can be taken along as a file (table-file.js) with nothing lost.
import { h } from './dom.js'
import { grouped, yuan } from './number.js'
import { t } from './text.js'

const FORMATS = ['csv', 'xlsx']

/** A cell set to the right. */
export const figure = (...content) => h('td', { class: 'figure' }, content)

/**
 * A cell with the figure VALUE (a decimal string or a number), SHOWN as text. UNIT stands behind it
 * and NOTE below.
 */
export const amount = (value, { shown = grouped(String(value)), unit, note, ...attributes } = {}) =>
	h(
		'td',
		{ 'class': 'figure', 'data-value': value, 'data-unit': unit || null, 'data-note': note || null, ...attributes },
		shown,
		unit && [' ', h('span', { class: 'quiet' }, unit)],
		note && [' ', h('br', {}), h('span', { class: 'quiet' }, note)],
	)

/** A cell with an amount of money. */
export const money = (value, more = {}) => amount(value, { shown: yuan(value), ...more })

const isFigure = (cell) => cell instanceof HTMLTableCellElement && cell.classList.contains('figure')

/** The head of column INDEX, to the right where ROWS have figures there. */
const columnHead = (content, index, rows) =>
	h(
		'th',
		{ scope: 'col', role: 'columnheader', class: rows.some((row) => isFigure(row[index])) ? 'figure-head' : null },
		content,
	)

/** A row of cells, the first of which names it; HEADS go with cells that may come to stand alone. */
function bodyRow(row, heads) {
	return h(
		'tr',
		{ role: 'row' },
		row.map((content, index) => {
			const made = content instanceof HTMLTableCellElement
			const cell = made ? content : h(index === 0 ? 'th' : 'td', index === 0 ? { scope: 'row' } : {}, content)
			cell.setAttribute('role', cell.tagName === 'TH' ? 'rowheader' : 'cell')
			if (heads !== null && cell.colSpan === 1 && cell.hasChildNodes()) cell.dataset.label = heads[index]
			return cell
		}),
	)
}

/** What makes the whole of a table that is shown in part. */
const wholes = new WeakMap()

/** TABLE with all of its rows. */
export const wholeOf = (made) => (wholes.get(made) ?? (() => made))()

/** Buttons that give MADE as a file. */
function fileButtons(caption, made) {
	const give = async (format) => (await import('./table-file.js')).saveTable(made, format)
	return h(
		'p',
		{ class: 'take' },
		FORMATS.map((format) =>
			h(
				'button',
				{
					'type': 'button',
					'class': 'plain',
					'data-take': format,
					'aria-label': t('take.table', { format: format.toUpperCase(), table: caption }),
					'onclick': () => give(format),
				},
				format.toUpperCase(),
			),
		),
	)
}

/**
 * A table that scrolls on its own when the screen is narrower, with the buttons that give it as a
 * file. TITLE: the caption as nodes. UNSEEN: a heading says the same as the caption. STACK: on a narrow screen its cells stand
 * below each other, each with its head; the roles keep it a table for those who listen. WHOLE: makes
 * the table for the file where only a part of it is shown.
 */
export function table(
	caption,
	heads,
	rows,
	{ foot = [], name = 'figures', title = caption, unseen = false, stack = false, whole = null } = {},
) {
	const labels = stack ? heads : null
	const made = h(
		'table',
		{ class: stack ? `${name} stack` : name, role: 'table' },
		h('caption', { class: unseen ? 'unseen' : null }, title),
		h('thead', { role: 'rowgroup' }, h(
				'tr',
				{ role: 'row' },
				heads.map((head, index) => columnHead(head, index, rows)),
			)),
		h(
			'tbody',
			{ role: 'rowgroup' },
			rows.map((row) => bodyRow(row, labels)),
		),
		foot.length > 0 &&
			h(
				'tfoot',
				{ role: 'rowgroup' },
				foot.map((row) => bodyRow(row, row.length === heads.length ? labels : null)),
			),
	)
	if (whole !== null) wholes.set(made, whole)
	return h(
		'div',
		{ class: 'taken' },
		h('div', { 'class': 'scroll', 'tabindex': 0, 'role': 'region', 'aria-label': caption }, made),
		fileButtons(caption, made),
	)
}
