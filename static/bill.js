// bill.js - what all answers with costs have in common: cost lines with their formulas and sources,
// what has no price, warnings, assumptions.
import { swatch } from './chart.js'
import { cityId } from './cities.js'
import { h } from './dom.js'
import { grouped, isZero, percentOf, yuan } from './number.js'
import { amount, money, table } from './table.js'
import { lang, listed, parts, t, word } from './text.js'

export const accounts = ['compute', 'purchase', 'cabinet', 'power', 'network_storage', 'service', 'tax', 'one_off']

/** Whose words a price is: uploaded, published, sample. */
export const originMark = (origin) => h('span', { class: `mark origin-${origin}` }, word('origin', origin))

/** Words that come in another language than the page's, marked as such. */
export const foreign = (text) =>
	/[㐀-鿿]/.test(text) ? h('span', { lang: 'zh-CN' }, text) : h('span', { lang: 'en' }, text)

/** DATE as it is sent, never torn at the end of a line; the words for none. */
const day = (date) => h('span', { class: 'unbroken' }, dateOr(date))

/** Where the price of SOURCE stands in its sheet, and from when it is. */
function place(source) {
	const values = { sheet: source.sheet, page: source.sheet_name ?? '', row: source.row, column: source.column ?? '' }
	const kind = `${source.sheet_name ? 'page-' : ''}${source.column ? 'cell' : 'row'}`
	const stands = t(`source.${kind}`, values)
	return source.price_date ? parts('source.dated', { place: stands, date: day(source.price_date) }) : stands
}

/** The name of who asks the price of OFFER, in the language of the page where it is known. */
export const sellerName = (offer) =>
	(lang === 'en' && offer.supplier_name_en) || (offer.supplier_name ?? offer.supplier ?? '')

/** The same, marked with its language. */
export const seller = (offer) => foreign(sellerName(offer))

/** {supplier id: name} of OFFERS, for their lines. */
export const sellersOf = (offers) => Object.fromEntries(offers.map((offer) => [offer.supplier, sellerName(offer)]))

/** The name of a city as a sheet has it, in the language of the page where it is one of ours. */
export const cityName = (name) => foreign(word('city', cityId(name)))

/** A new line on the screen; on paper, where it is left out, a space. */
export const newLine = () => [' ', h('br', {})]

/** The id of what the question itself gives: a price of electricity, a rate of exchange. */
const isAsked = (id) => id === 'request'

/** The name of the tariff ID, called NAME. */
export const tariffName = (id, name) => (isAsked(id) ? t('tariff.asked') : foreign(name))

/** Who says so: the REFERENCE, or the question itself. */
export const saidBy = (reference) => (isAsked(reference) ? t('basis.asked_for') : foreign(reference))

/** Where the price of a line stands. NAMES: supplier id -> name. */
export function sourceOf(source, names = {}) {
	if (source.kind === 'offer') {
		return [
			h('span', {}, foreign(names[source.supplier] ?? source.supplier ?? ''), ' ', originMark(source.origin)),
			newLine(),
			place(source),
			source.as_quoted !== null && [
				newLine(),
				parts('source.quoted', {
					words: h('q', {}, foreign(`${source.as_quoted} ${source.quoted_unit ?? ''}`.trim())),
					tax: word('tax', source.tax),
				}),
			],
		]
	}
	if (source.kind === 'tariff' && isAsked(source.tariff)) return t('tariff.asked')
	if (source.kind === 'tariff')
		return [
			parts('source.tariff', {
				name: foreign(source.tariff_name),
				band: word('band', source.band),
				date: dateOr(source.valid_from),
			}),
			source.reference && [newLine(), foreign(source.reference)],
		]
	if (source.kind === 'assumption')
		return [
			t('source.assumption', { name: word('assume', source.name) }),
			newLine(),
			source.date ? parts('source.reference', { reference: source.reference, date: source.date }) : source.reference,
		]
	return t('source.bill')
}

/** How much of its unit LINE pays for: '12 × 100M·month' where the unit is itself a number of something. */
const quantity = ({ quantity: value, unit }) =>
	/^\d/.test(unit)
		? amount(value, { shown: t('lines.lots', { quantity: grouped(value) }), unit })
		: amount(value, { unit })

/** All lines of a bill, down to the cell of the sheet that each price comes from. */
export function linesTable(bill, names, caption) {
	const rows = bill.lines.map((line) => [
		h('th', { scope: 'row' }, line.text, newLine(), h('span', { class: 'quiet' }, word('account', line.account))),
		quantity(line),
		amount(line.unit_price),
		money(line.amount, { note: !line.is_cost && t('lines.not_cost') }),
		h('td', { class: 'formula' }, line.formula),
		h('td', { class: 'source' }, sourceOf(line.source, names)),
	])
	for (const unknown of bill.unknown) {
		rows.push([
			h('th', { scope: 'row' }, unknown.text, unknown.band ? ` (${word('band', unknown.band)})` : ''),
			amount(unknown.quantity, { unit: unknown.unit }),
			h('td', { class: 'figure unknown', colspan: 2 }, t('no_data')),
			h('td', {}),
			h('td', { class: 'source' }, t('lines.not_counted')),
		])
	}
	const heads = ['what', 'quantity', 'unit_price', 'amount', 'formula', 'source'].map((name) => t(`lines.${name}`))
	const foot = [
		[
			h('th', { scope: 'row', colspan: 3 }, t('lines.total')),
			money(bill.total),
			h('td', { colspan: 2 }),
		],
	]
	return table(caption, heads, rows, { foot, name: 'lines', stack: true })
}

/** The names of what has no price in any of BILLS. */
const holesOf = (...bills) => listed([...new Set(bills.flatMap((bill) => bill.unknown.map((unknown) => unknown.text)))])

/** VALUE of BILL as money; 'at least' that where a part of it has no price. */
export const atLeast = (bill, value) =>
	bill.unknown.length === 0 ? yuan(value) : t('bill.at_least', { amount: yuan(value) })

/** The same, with the names of the parts. */
export const atLeastWhy = (bill, value) =>
	bill.unknown.length === 0
		? yuan(value)
		: t('bill.at_least_why', { amount: yuan(value), names: holesOf(bill) })

/** SENTENCE about BILLS; with what it leaves out where a part of one of them has no price. */
export const compared = (sentence, ...bills) =>
	bills.every((bill) => bill.unknown.length === 0)
		? sentence
		: t('bill.compared', { sentence, names: holesOf(...bills) })

/** What is missing from a total, in one sentence; null when nothing is. */
export function missing(bill) {
	if (bill.unknown.length === 0) return null
	return h('p', { class: 'unknown' }, h('strong', {}, t('no_data')), ' ', t('bill.missing', { names: holesOf(bill) }))
}

/** Warnings; folded away when there are many. */
export function warningList(warnings) {
	if (warnings.length === 0) return null
	const list = h(
		'ul',
		{ class: 'warnings' },
		warnings.map((warning) => h('li', {}, warning.text)),
	)
	return warnings.length <= 5
		? list
		: h('details', {}, h('summary', { class: 'unknown' }, t('warnings', { count: warnings.length })), list)
}

/** On paper, right below the title: what the figures rest on. */
export const printedBasis = (basis) =>
	h(
		'p',
		{ 'class': 'on-paper', 'data-basis': true },
		t('basis.printed', {
			today: basis.today,
			tax: word('tax', basis.tax),
			start: basis.start,
			months: basis.months,
			hours: basis.hours_per_month,
			revision: basis.catalogue_revision,
		}),
	)

/** A figure that nobody gave: shares in percent, yes and no as words. */
function assumedValue({ value, unit }) {
	if (unit === 'yes/no') return amount(value, { shown: t(isZero(value) ? 'assumed.no' : 'assumed.yes') })
	if (unit === 'share') return amount(value, { shown: t('assumed.percent', { percent: percentOf(value) }) })
	if (unit === 'share/year') return amount(value, { shown: t('assumed.percent_year', { percent: percentOf(value) }) })
	return amount(value, { unit: word('unit', unit) })
}

/** The figures that nobody gave, each once. */
export function assumedTable(lists) {
	const all = new Map(lists.flat().map((assumed) => [assumed.name, assumed]))
	if (all.size === 0) return null
	const rows = [...all.values()].map((assumed) => [
		word('assume', assumed.name),
		assumedValue(assumed),
		assumed.date || '–',
		assumed.source,
	])
	return table(
		t('assumed.title'),
		['name', 'value', 'date', 'source'].map((name) => t(`assumed.${name}`)),
		rows,
		{ name: 'assumed', stack: true },
	)
}

/** The accounts that are not zero in any of BILLS, in the order of the page. */
export const accountsIn = (bills) => accounts.filter((account) => bills.some((bill) => !isZero(bill.accounts[account])))

/** Bars of accounts, one of ROWS each, under a legend of the accounts SHOWN. */
export const accountsChart = (shown, rows) =>
	h(
		'figure',
		{ class: 'chart' },
		h(
			'ul',
			{ class: 'legend' },
			shown.map((account) => h('li', {}, swatch(account), ' ', word('account', account))),
		),
		rows,
	)

/** A date as it is sent, or the words for none. */
export const dateOr = (date) => date ?? t('no_date')

/** Where the price of OFFER stands, from when it is, and after BEFORE what it refers to. */
export const placeOf = (offer, before) => [
	t(offer.sheet_name ? 'source.page-row' : 'source.row', {
		sheet: offer.sheet,
		page: offer.sheet_name ?? '',
		row: offer.row,
	}),
	' · ',
	parts('compare.dates', { date: day(offer.price_date), until: day(offer.valid_to) }),
	offer.reference && [before, h('span', { class: 'reference' }, foreign(offer.reference))],
]
