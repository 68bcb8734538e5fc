// table-file.js - tables of the page as files: CSV that a spreadsheet program opens as it is, or a
// workbook. A figure goes in with the digits that the interface sent, words as they stand there.
import { h } from './dom.js'
import { wholeOf } from './table.js'
import { t } from './text.js'
import { workbook } from './workbook.js'

const BLOCKS = new Set(['BR', 'LI', 'P', 'UL', 'DIV'])

/** The words of NODE without its buttons, links as their addresses; lines are lines. */
function wordsOf(node) {
	let text = ''
	for (const child of node.childNodes) {
		const end = BLOCKS.has(child.tagName) ? '\n' : ''
		if (child.nodeType === Node.TEXT_NODE) text += child.data
		else if (child.tagName === 'A') text += `\n${child.href}\n`
		else if (child.tagName !== 'BUTTON') text += `${end}${wordsOf(child)}${end}`
	}
	return text
}

/** The same in one line. */
const lineOf = (node) =>
	wordsOf(node)
		.split('\n')
		.map((line) => line.replace(/\s+/g, ' ').trim())
		.filter(Boolean)
		.join(' · ')

/** What CELL says: {number} or {text}, with its unit and note. */
function read(cell) {
	const { value, unit, note } = cell.dataset
	return value === undefined ? { text: lineOf(cell) } : { number: value, unit, note }
}

/** The cells of ROW, one for each column. */
const readRow = (row) =>
	[...row.cells].flatMap((cell) => [read(cell), ...Array.from({ length: cell.colSpan - 1 }, () => ({ text: '' }))])

/**
 * TABLE as rows of cells, {text} or {number: '12.50'}, the heads first. A column with units has
 * another behind it for them; so has one with notes.
 */
export function rowsOf(table) {
	const [heads, ...rows] = [...wholeOf(table).rows].map(readRow)
	const beside = heads.map((head, column) =>
		['unit', 'note'].filter((extra) => rows.some((row) => row[column]?.[extra])),
	)
	const spread = (row, textOf) =>
		row.flatMap((cell, column) => [
			cell.number === undefined ? { text: cell.text } : { number: cell.number },
			...(beside[column] ?? []).map((extra) => ({ text: textOf(cell, extra) })),
		])
	return [
		spread(heads, (head, extra) => t(`take.${extra}`, { head: head.text })),
		...rows.map((row) => spread(row, (cell, extra) => cell[extra] ?? '')),
	]
}

/** TEXT that a spreadsheet would run as a formula gets an apostrophe in front; numbers never do. */
const guarded = (text) => (/^ *[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text)

function csvCell({ number, text }) {
	if (number !== undefined) return number
	const safe = guarded(text)
	return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** ROWS as CSV: UTF-8 with a byte order mark, RFC 4180. */
export const csv = (rows) => `\uFEFF${rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')}`

/** What the figures rest on, for the last worksheet: the page, its address, and its basis. */
function basisRows() {
	const said = [...document.querySelectorAll('[data-basis]')].map(lineOf)
	return [document.title, ...said, location.href].map((text) => [{ text }])
}

const captionOf = (table) => table.caption.textContent

/** Gives the bytes PIECES to the reader as the file NAME. */
export function saveFile(pieces, type, name) {
	const link = h('a', { href: URL.createObjectURL(new Blob(pieces, { type })), download: name })
	link.click()
	setTimeout(() => URL.revokeObjectURL(link.href), 10000)
}

const fileName = (title, format) => `${title.replace(/[\\/:*?"<>|\s]+/g, ' ').trim().slice(0, 80)}.${format}`

function saveBook(tables, title) {
	const sheets = tables.map((table) => ({ name: captionOf(table), rows: rowsOf(table) }))
	const book = workbook([...sheets, { name: t('basis.title'), rows: basisRows() }])
	saveFile([book], 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', fileName(title, 'xlsx'))
}

/** Gives TABLE as a file of FORMAT, 'csv' or 'xlsx'. */
export function saveTable(table, format) {
	const title = captionOf(table)
	if (format === 'xlsx') saveBook([table], title)
	else saveFile([csv(rowsOf(table))], 'text/csv;charset=utf-8', fileName(title, 'csv'))
}

/** Gives all tables of PLACE as one workbook TITLE, a worksheet each. */
export const saveTables = (place, title) => saveBook([...place.querySelectorAll('table')], title)
