// workbook.js - a workbook (ECMA-376, Office Open XML) of plain worksheets, in a ZIP without
// compression. Words are inline strings, which no program takes for a formula.

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml.'
const WIDEST = 60

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text) =>
	text.replace(/[&<>"]/g, (mark) => ENTITIES[mark]).replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')

/** 1 -> 'A', 28 -> 'AB'. */
function letters(column) {
	const rest = (column - 1) % 26
	const last = String.fromCharCode(65 + rest)
	return column <= 26 ? last : letters((column - 1 - rest) / 26) + last
}

/** Styles of the cells, as in STYLES below: heads are bold, amounts of money have two decimals. */
const styleOf = (cell, row) => (row === 0 ? 1 : /\.\d\d$/.test(cell.number ?? '') ? 2 : 0)

function cellXml(cell, row, column) {
	const at = `<c r="${letters(column + 1)}${row + 1}" s="${styleOf(cell, row)}"`
	if (cell.number !== undefined) return `${at}><v>${cell.number}</v></c>`
	if (cell.text === '') return `${at}/>`
	return `${at} t="inlineStr"><is><t xml:space="preserve">${escaped(cell.text.slice(0, 32767))}</t></is></c>`
}

/** Columns that TEXT takes: East Asian characters take two. */
const widthOf = (text) => [...text].reduce((sum, mark) => sum + (mark >= '\u1100' ? 2 : 1), 0)

function columnsXml(rows) {
	const widths = []
	for (const row of rows)
		row.forEach((cell, column) => {
			widths[column] = Math.min(WIDEST, Math.max(widths[column] ?? 8, widthOf(cell.number ?? cell.text) + 2))
		})
	return widths
		.map((width, column) => `<col min="${column + 1}" max="${column + 1}" width="${width}" customWidth="1"/>`)
		.join('')
}

const sheetXml = (rows) =>
	`${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${columnsXml(rows)}</cols><sheetData>${rows
		.map((row, at) => `<row r="${at + 1}">${row.map((cell, column) => cellXml(cell, at, column)).join('')}</row>`)
		.join('')}</sheetData></worksheet>`

/** Names of worksheets: at most 31 characters without []:*?/\ or quotes, each once. */
function sheetNames(sheets) {
	const used = new Set()
	return sheets.map(({ name }, index) => {
		const clean = name.replace(/[[\]:*?/\\'\s]+/g, ' ').trim()
		let short = clean.slice(0, 31)
		if (used.has(short.toLowerCase())) short = `${index + 1} ${clean}`.slice(0, 31)
		used.add(short.toLowerCase())
		return short
	})
}

const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`

/** The parts of a workbook of SHEETS: [path, XML]. */
function partsOf(sheets) {
	const each = (of) => sheets.map((sheet, index) => of(index + 1)).join('')
	const names = sheetNames(sheets)
	const relation = (id, type, target) =>
		`<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`
	return [
		[
			'[Content_Types].xml',
			`${XML}<Types xmlns="${PACKAGE}content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}styles+xml"/>${each((id) => `<Override PartName="/xl/worksheets/sheet${id}.xml" ContentType="${TYPES}worksheet+xml"/>`)}</Types>`,
		],
		[
			'_rels/.rels',
			`${XML}<Relationships xmlns="${PACKAGE}relationships">${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
		],
		[
			'xl/workbook.xml',
			`${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${each((id) => `<sheet name="${escaped(names[id - 1])}" sheetId="${id}" r:id="rId${id}"/>`)}</sheets></workbook>`,
		],
		[
			'xl/_rels/workbook.xml.rels',
			`${XML}<Relationships xmlns="${PACKAGE}relationships">${each((id) => relation(`rId${id}`, 'worksheet', `worksheets/sheet${id}.xml`))}${relation('rIdStyles', 'styles', 'styles.xml')}</Relationships>`,
		],
		['xl/styles.xml', STYLES],
		...sheets.map(({ rows }, index) => [`xl/worksheets/sheet${index + 1}.xml`, sheetXml(rows)]),
	]
}

// ---- ZIP ----

/** CRC-32 as ZIP has it (ISO 3309). */
function crc32(bytes) {
	let crc = 0xffffffff
	for (const byte of bytes) {
		crc ^= byte
		for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
	}
	return (crc ^ 0xffffffff) >>> 0
}

/** FIELDS [[bytes, value]] as little-endian bytes. */
function packed(fields) {
	const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 0))
	let at = 0
	for (const [size, value] of fields)
		for (let byte = 0; byte < size; byte++) bytes[at++] = Math.floor(value / 256 ** byte) % 256
	return bytes
}

/** What the header of a file says in both of its places: UTF-8 name, stored, 1980-01-01. */
const described = (file) => [
	[2, 20],
	[2, 0x800],
	[2, 0],
	[2, 0],
	[2, 0x21],
	[4, file.crc],
	[4, file.bytes.length],
	[4, file.bytes.length],
	[2, file.name.length],
	[2, 0],
]

/** A ZIP archive of PARTS [[path, text]]. */
function zip(parts) {
	const encoder = new TextEncoder()
	const pieces = []
	const directory = []
	let at = 0
	for (const [path, text] of parts) {
		const bytes = encoder.encode(text)
		const file = { name: encoder.encode(path), bytes, crc: crc32(bytes) }
		const local = packed([[4, 0x04034b50], ...described(file)])
		directory.push(
			packed([[4, 0x02014b50], [2, 20], ...described(file), [2, 0], [2, 0], [2, 0], [4, 0], [4, at]]),
			file.name,
		)
		pieces.push(local, file.name, bytes)
		at += local.length + file.name.length + bytes.length
	}
	const size = directory.reduce((sum, piece) => sum + piece.length, 0)
	const end = packed([[4, 0x06054b50], [2, 0], [2, 0], [2, parts.length], [2, parts.length], [4, size], [4, at], [2, 0]])
	return new Blob([...pieces, ...directory, end])
}

/** The workbook of SHEETS [{name, rows}], rows of {text} or {number: '12.50'}, as a Blob. */
export const workbook = (sheets) => zip(partsOf(sheets))
