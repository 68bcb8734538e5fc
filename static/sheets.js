// sheets.js - the supplier's view: give the price sheet you have, see what was read of it and what
// it means, put right what is wrong, then submit. Nothing is stored before that.
import { foreign } from './bill.js'
import { h, newId, replace } from './dom.js'
import { showFailure } from './failure.js'
import { choice, field } from './form.js'
import { ask, askAll, Refused } from './http.js'
import { grouped, rounded } from './number.js'
import { may, session, signInForm } from './session.js'
import { table } from './table.js'
import { lang, t, word } from './text.js'

const ROWS_AT_FIRST = 200

// ---- what was read ----

/** The rows that something is known about: {sheet, row, offers, problems}, in order. */
function rowsOf(reading) {
	const rows = new Map()
	const at = (sheet, row) => {
		const key = `${sheet ?? ''} ${row}`
		if (!rows.has(key)) rows.set(key, { sheet, row, offers: [], problems: [] })
		return rows.get(key)
	}
	for (const offer of reading.offers) at(offer.sheet, offer.row).offers.push(offer)
	for (const problem of reading.problems) if (problem.row) at(problem.sheet, problem.row).problems.push(problem)
	return [...rows.values()].sort((a, b) => (a.sheet ?? '').localeCompare(b.sheet ?? '') || a.row - b.row)
}

function problemWords(problem) {
	return h(
		'li',
		{ class: `severity-${problem.severity}` },
		h('strong', {}, word('severity', problem.severity)),
		' ',
		problem.cell && [h('code', {}, problem.cell), ' '],
		problem.value && [h('q', {}, foreign(problem.value)), ' '],
		foreign(problem.message),
		problem.hint && h('span', { class: 'quiet' }, ' ', foreign(problem.hint)),
	)
}

const priceWords = (price) =>
	h(
		'li',
		{},
		h('span', { class: 'quiet' }, `${word('item', price.item)} · ${word('term', price.term)} `),
		h('q', {}, foreign(`${price.as_quoted ?? ''} ${price.unit ?? ''}`.trim())),
	)

function rowCells({ sheet, row, offers, problems }) {
	return [
		h('th', { scope: 'row' }, sheet ? [foreign(sheet), ' '] : '', t('sheets.row', { row })),
		h(
			'td',
			{},
			offers.map((offer) => h('ul', { class: 'bare' }, offer.prices.map(priceWords))),
		),
		h(
			'td',
			{},
			offers.map((offer) => h('p', {}, foreign(offer.understood))),
			problems.length > 0 && h('ul', { class: 'bare' }, problems.map(problemWords)),
		),
	]
}

function rowsTable(reading) {
	const rows = rowsOf(reading)
	const place = h('div', {})
	const heads = ['where', 'as_read', 'meaning'].map((name) => t(`sheets.${name}`))
	const tableOf = (count, whole = null) =>
		table(t('sheets.rows_caption'), heads, rows.slice(0, count).map(rowCells), {
			name: 'reading',
			stack: true,
			whole,
		})
	const draw = (count) =>
		replace(
			place,
			tableOf(count, () => tableOf(rows.length).querySelector('table')),
			count < rows.length &&
				h(
					'button',
					{ type: 'button', onclick: () => draw(rows.length) },
					t('sheets.all_rows', { count: rows.length }),
				),
		)
	draw(ROWS_AT_FIRST)
	return rows.length > 0 && place
}

function columnsTable({ sheet, header_row: row, columns }) {
	const letters = Object.entries(columns)
	return table(
		t(sheet ? 'sheets.columns_of' : 'sheets.columns', { sheet: sheet ?? '', row }),
		letters.map(([letter]) => letter),
		[letters.map(([, meaning]) => h('td', {}, foreign(meaning)))],
		{ name: 'columns' },
	)
}

const countOf = (reading, severity) => reading.problems.filter((problem) => problem.severity === severity).length

// ---- what it changes ----

/** One side of a change of price, with its unit. */
const side = (amount, unit, tax) =>
	amount === null
		? t('sheets.no_price')
		: [grouped(rounded(amount, 4)), ' ', h('span', { class: 'quiet' }, `${word('per', unit)} · ${word('tax', tax)}`)]

const priceChange = (price) =>
	h(
		'li',
		{},
		h('span', { class: 'quiet' }, `${word('item', price.item)} · ${word('term', price.term)} `),
		price.min_quantity && t('sheets.from_quantity', { quantity: price.min_quantity }),
		price.before !== null && h('del', {}, side(price.before, price.unit_before, price.tax_before)),
		price.before !== null && price.now !== null && ' → ',
		price.now !== null && h('ins', {}, side(price.now, price.unit_now, price.tax_now)),
	)

const conditionChange = ({ label, before, now }) =>
	h(
		'li',
		{},
		h('span', { class: 'quiet' }, foreign(label), ' '),
		h('del', {}, before === null ? t('sheets.not_stated') : foreign(before)),
		' → ',
		h('ins', {}, now === null ? t('sheets.not_stated') : foreign(now)),
	)

const changeCells = (offer) => [
	h('th', { scope: 'row' }, word('change', offer.change)),
	h('td', {}, foreign(offer.name), ' ', h('span', { class: 'quiet' }, t('sheets.row', { row: offer.row }))),
	h('td', {}, h('ul', { class: 'bare' }, offer.prices.map(priceChange), offer.conditions.map(conditionChange))),
]

/** The difference from the supplier's current offers: in numbers, and offer by offer. */
function differenceSection(difference, refused) {
	const counts = t('sheets.difference', {
		added: difference.new,
		changed: difference.changed,
		gone: difference.gone,
		unchanged: difference.unchanged,
	})
	if (difference.offers.length === 0) return h('p', {}, counts)
	const left = difference.new + difference.changed + difference.gone - difference.offers.length
	// A first sheet has nothing to be compared with; what must be put right comes before what would change.
	const first = difference.changed + difference.gone + difference.unchanged === 0
	return h(
		'details',
		{ class: 'difference', open: !first && !refused },
		h('summary', {}, counts),
		table(
			t('sheets.changes'),
			['change', 'offer', 'before_and_now'].map((name) => t(`sheets.${name}`)),
			difference.offers.map(changeCells),
			{ name: 'changes', stack: true },
		),
		left > 0 && h('p', { class: 'quiet' }, t('sheets.changes_left', { count: left })),
	)
}

function summary(reading) {
	const { difference } = reading
	return [
		h('h2', {}, t('sheets.read', { offers: reading.offers.length, errors: countOf(reading, 'error') })),
		h(
			'p',
			{},
			t('sheets.counts', {
				warnings: countOf(reading, 'warning'),
				skipped: countOf(reading, 'skipped'),
				format: reading.format,
				encoding: reading.encoding ?? '–',
				bytes: grouped(String(reading.bytes)),
			}),
		),
		difference && differenceSection(difference, !reading.accepted),
	]
}

/** READING as a whole; BUTTONS go below the summary. */
function readingSection(reading, buttons) {
	const loose = reading.problems.filter((problem) => !problem.row)
	return h(
		'section',
		{},
		h('div', { role: 'status' }, summary(reading)),
		buttons,
		loose.length > 0 && h('ul', { class: 'bare' }, loose.map(problemWords)),
		rowsTable(reading),
		reading.tables.map(columnsTable),
	)
}

// ---- what was submitted before ----

/** The day in China of a moment in UTC. */
const dayOf = (moment) => new Date(moment).toLocaleDateString('sv-SE', { timeZone: 'Asia/Shanghai' })

function keptTable(sheets, withdraw) {
	const rows = sheets.map((sheet) => [
		t('sheets.revision', { revision: sheet.revision }),
		word('sheet_status', sheet.status),
		h('td', {}, sheet.filename ? foreign(sheet.filename) : '–'),
		dayOf(sheet.uploaded),
		h(
			'td',
			{},
			t('sheets.kept_counts', {
				offers: sheet.offer_count,
				errors: sheet.errors,
				warnings: sheet.warnings,
				skipped: sheet.skipped,
			}),
		),
		h(
			'td',
			{},
			h('a', { href: `/sheets/${sheet.id}/original`, download: true }, t('sheets.original')),
			' ',
			h('a', { href: `/sheets/${sheet.id}/problems.csv`, download: true }, t('sheets.problems_csv')),
			' ',
			sheet.status === 'current' && withdrawButton(() => withdraw(sheet.id)),
		),
	])
	return table(
		t('sheets.kept'),
		['revision_head', 'status', 'file', 'uploaded', 'counts_head', 'links'].map((name) => t(`sheets.${name}`)),
		rows,
		{ name: 'kept', unseen: true, stack: true },
	)
}

/** Asks once more before it does what cannot be undone. */
function withdrawButton(withdraw) {
	const button = h(
		'button',
		{
			type: 'button',
			class: 'plain',
			onclick: () => {
				if (button.dataset.sure) withdraw()
				button.dataset.sure = 'yes'
				replace(button, t('sheets.withdraw_sure'))
			},
		},
		t('sheets.withdraw'),
	)
	return button
}

// ---- the view ----

class Upload {
	constructor() {
		this.supplier = session().supplier
		this.results = h('div', { class: 'results' })
		this.kept = h('section', {})
		this.input = h('input', {
			type: 'file',
			id: newId('file'),
			accept: '.xlsx,.csv,.tsv,.txt,.json',
			onchange: () => this.take(this.input.files[0]),
		})
		this.drop = h(
			'div',
			{
				class: 'drop panel',
				ondragover: (event) => this.over(event, true),
				ondragleave: (event) => this.over(event, false),
				ondrop: (event) => this.dropped(event),
			},
			h('label', { for: this.input.id }, t('sheets.drop')),
			this.input,
			h('p', { class: 'quiet' }, t('sheets.kinds')),
			h(
				'p',
				{},
				['xlsx', 'csv'].map((format) => [
					h(
						'a',
						{ href: `/sheets/template.${format}?lang=${lang}`, download: true },
						t('sheets.template', { format }),
					),
					' ',
				]),
			),
		)
	}

	over(event, inside) {
		event.preventDefault()
		this.drop.classList.toggle('over', inside)
	}

	dropped(event) {
		this.over(event, false)
		this.take(event.dataTransfer.files[0])
	}

	/** Sends FILE with QUERY. KEY makes a repeated submission count once. */
	send(file, query, key) {
		const parameters = new URLSearchParams({ filename: file.name, ...query })
		return ask('POST', `/suppliers/${encodeURIComponent(this.supplier)}/sheets?${parameters}`, {
			body: file,
			type: file.type || 'application/octet-stream',
			headers: key ? { 'Idempotency-Key': key } : {},
		})
	}

	/** Runs WORK with the results marked busy; a refusal is shown, with the way to try again. */
	async trying(work, again) {
		this.results.setAttribute('aria-busy', 'true')
		try {
			await work()
		} catch (error) {
			if (!(error instanceof Refused)) throw error
			showFailure(this.results, error, again)
		}
		this.results.removeAttribute('aria-busy')
	}

	/** Reads FILE without storing it, and shows what was read. */
	take(file) {
		if (file === undefined) return
		this.trying(
			async () => {
				const reading = await this.send(file, { dry_run: '1' })
				replace(this.results, readingSection(reading, this.buttons(file, reading)))
			},
			() => this.take(file),
		)
	}

	buttons(file, reading) {
		const key = crypto.randomUUID()
		const button = (name, query) =>
			h(
				'button',
				{ type: 'button', class: 'primary', onclick: () => this.submit(file, query, key) },
				t(name, { offers: reading.offers.length }),
			)
		if (reading.accepted) return h('div', { class: 'buttons' }, button('sheets.submit', {}))
		if (reading.offers.length === 0) return h('p', { class: 'caution' }, t('sheets.nothing'))
		return [
			h('p', { class: 'caution' }, t('sheets.refused')),
			h('div', { class: 'buttons' }, button('sheets.submit_partial', { accept: 'partial' })),
		]
	}

	submit(file, query, key) {
		this.trying(
			async () => {
				const stored = await this.send(file, query, key)
				this.input.value = ''
				replace(
					this.results,
					h(
						'p',
						{ class: 'done panel', role: 'status' },
						t('sheets.stored', {
							id: stored.id,
							offers: stored.offers.length,
							sha: stored.sha256.slice(0, 16),
						}),
						!stored.current && [' ', t('sheets.overtaken')],
					),
				)
				await this.list()
			},
			() => this.submit(file, query, key),
		)
	}

	async list() {
		const sheets = await askAll(`/suppliers/${encodeURIComponent(this.supplier)}/sheets`)
		replace(
			this.kept,
			h('h2', {}, t('sheets.kept')),
			sheets.length === 0
				? h('p', { class: 'quiet' }, t('sheets.none'))
				: keptTable(sheets, (id) => this.withdraw(id)),
		)
	}

	withdraw(id) {
		this.trying(
			async () => {
				await ask('DELETE', `/sheets/${id}`)
				await this.list()
			},
			() => this.withdraw(id),
		)
	}

	show() {
		return this.trying(
			() => this.list(),
			() => this.show(),
		)
	}
}

/** An administrator says for whom; a supplier is one. */
async function supplierField(upload) {
	if (upload.supplier) return null
	const suppliers = await askAll('/suppliers')
	const control = choice(
		'supplier',
		suppliers.map((supplier) => [supplier.id, supplier.name]),
		{
			onchange: () => {
				upload.supplier = control.value
				upload.show()
			},
		},
	)
	upload.supplier = control.value
	return field(t('sheets.supplier'), control)
}

export function open(main) {
	const lead = [h('h1', {}, t('sheets.title')), h('p', { class: 'lead' }, t('sheets.lead'))]
	if (!may('supplier', 'admin')) {
		replace(main, lead, signInForm(['supplier', 'admin']))
		return { update() {} }
	}
	const upload = new Upload()
	const whom = h('div', {})
	replace(main, lead, whom, upload.drop, upload.results, upload.kept)
	upload.trying(
		async () => {
			replace(whom, await supplierField(upload))
			await upload.list()
		},
		() => open(main),
	)
	return { update() {} }
}
