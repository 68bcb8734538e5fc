// compare-report.js - the answer of GET /compare as a report: the difference in one sentence, where it
// comes from, the offer of each city, every line, renting, tariff hours, basis.
import { accountsChart, accountsIn, assumedTable, linesTable, printedBasis, sellersOf } from './bill.js'
import { cardName } from './cards.js'
import { bar } from './chart.js'
import { cityPanel, nameOf, rentSection, runningTable, tariffPanel } from './compare-city.js'
import { ownSection } from './compare-own.js'
import { h, replace } from './dom.js'
import { absolute, grouped, isNegative, isZero, micro, order, share, signed, subtract, yuan } from './number.js'
import { money, table } from './table.js'
import { machineSection, takeBar } from './take.js'
import { listed, listedNodes, parts, t, word } from './text.js'

// ---- which offer stands for a city ----

/** {shenzhen: {offer, term}} of 'shenzhen:112:monthly,…'. */
function readPicks(text) {
	const picks = {}
	for (const pick of (text ?? '').split(',')) {
		const [city, offer, term] = pick.split(':')
		picks[city] = { offer, term }
	}
	return picks
}

const usableTerms = (priced) => priced.terms.filter((term) => term.status === 'ok')

/** {city, priced, bill} with the offer picked, else the cheapest; bill is null where none can serve. */
function choose(city, pick) {
	const usable = city.offers.filter((priced) => priced.usable)
	if (usable.length === 0) return { city, priced: null, bill: null }
	const priced = usable.find((one) => String(one.offer.offer) === pick?.offer) ?? usable[0]
	const bill = usableTerms(priced).find((term) => term.term === pick?.term) ?? priced.terms[priced.cheapest]
	return { city, priced, bill }
}

// ---- the answer in one sentence ----

/** The accounts in which BILL differs from BASE, the greatest difference first. */
function differences(base, bill) {
	return accountsIn([base, bill])
		.map((account) => ({ account, amount: subtract(bill.accounts[account], base.accounts[account]) }))
		.filter((one) => !isZero(one.amount))
		.sort((a, b) => order(absolute(b.amount), absolute(a.amount)))
}

function sentence(base, other) {
	const amount = subtract(other.bill.per_month, base.bill.per_month)
	const values = {
		city: nameOf(other.city),
		base: nameOf(base.city),
		amount: yuan(absolute(amount)),
		percent: isZero(base.bill.per_month) ? '–' : share(amount, base.bill.per_month),
	}
	return t(isZero(amount) ? 'compare.same' : isNegative(amount) ? 'compare.cheaper' : 'compare.dearer', values)
}

/** TEXT that no line end tears apart. */
const unbroken = (text) => h('span', { class: 'unbroken' }, text)

/** Why OTHER differs from BASE: account by account, adding up to the difference. */
function reason(base, other, months) {
	const found = differences(base.bill, other.bill)
	if (found.length === 0) return null
	const pieces = found.map((one) =>
		unbroken(t('compare.piece', { account: word('account', one.account), amount: signed(one.amount) })),
	)
	return h(
		'p',
		{ class: 'reason' },
		parts('compare.reason', {
			months,
			amount: unbroken(signed(subtract(other.bill.total, base.bill.total))),
			pieces: listedNodes(pieces),
		}),
	)
}

function headline(chosen, months) {
	const priced = chosen.filter((one) => one.bill !== null)
	if (priced.length === 0) return [h('h2', {}, t('compare.none'))]
	if (priced.length === 1)
		return [
			h('h2', {}, t('compare.only', { city: nameOf(priced[0].city), amount: yuan(priced[0].bill.per_month) })),
		]
	const [base, first, ...rest] = priced
	return [
		h('h2', {}, sentence(base, first)),
		reason(base, first, months),
		rest.map((other) => [h('h3', {}, sentence(base, other)), reason(base, other, months)]),
	]
}

/** What a reader must know before believing the sentence. */
function cautions(chosen, values) {
	const priced = chosen.filter((one) => one.bill !== null)
	const holes = priced.filter((one) => one.bill.unknown.length > 0)
	const sampled = priced.some((one) => one.priced.offer.origin === 'sample' || one.priced.side?.origin === 'sample')
	return [
		holes.length > 0 &&
			h('p', { class: 'caution' }, t('compare.holes', { cities: listed(holes.map((one) => nameOf(one.city))) })),
		sampled && h('p', { class: 'caution' }, t('compare.sampled')),
		priced.length === 0 && values.samples === 'no' && h('p', { class: 'caution' }, t('compare.unsampled')),
	]
}

// ---- where it goes ----

function barSentence(chosen, shown, months) {
	const pieces = shown.map((account) =>
		t('compare.piece', { account: word('account', account), amount: yuan(chosen.bill.accounts[account]) }),
	)
	return t('compare.bar', {
		city: nameOf(chosen.city),
		months,
		total: yuan(chosen.bill.total),
		pieces: listed(pieces),
	})
}

function chart(priced, months) {
	const shown = accountsIn(priced.map((one) => one.bill))
	const most = priced.map((one) => one.bill.total).reduce((a, b) => (micro(a) > micro(b) ? a : b))
	const rows = priced.map((one) =>
		h(
			'div',
			{ class: 'bar-row' },
			h(
				'p',
				{},
				h('strong', {}, nameOf(one.city)),
				' ',
				yuan(one.bill.per_month),
				' ',
				h('span', { class: 'quiet' }, t('per_month')),
			),
			bar(
				shown.map((account) => ({
					name: account,
					label: word('account', account),
					value: one.bill.accounts[account],
				})),
				most,
				barSentence(one, shown, months),
			),
		),
	)
	return accountsChart(shown, rows)
}

function accountsTable(priced, months) {
	const [base, ...others] = priced
	const shown = accountsIn(priced.map((one) => one.bill))
	const row = (name, of, attributes) => [
		name,
		...priced.map((one) => money(of(one.bill), attributes?.(one))),
		...others.map((one) => {
			const more = subtract(of(one.bill), of(base.bill))
			return money(more, { shown: signed(more) })
		}),
	]
	const heads = [
		t('compare.account'),
		...priced.map((one) => nameOf(one.city)),
		...others.map((one) => t('compare.minus', { city: nameOf(one.city), base: nameOf(base.city) })),
	]
	return table(
		t('compare.accounts', { months }),
		heads,
		shown.map((account) =>
			row(
				word('account', account),
				(bill) => bill.accounts[account],
				(one) => ({ 'data-account': `${one.city.city}:${account}` }),
			),
		),
		{
			name: 'accounts',
			stack: true,
			foot: [
				row(
					t('compare.all', { months }),
					(bill) => bill.total,
					(one) => ({ 'data-total': one.city.city }),
				),
				row(t('compare.each_month'), (bill) => bill.per_month),
			],
		},
	)
}

// ---- all of it ----

function linesSection(priced) {
	return h(
		'section',
		{ class: 'lines-section' },
		h('h2', {}, t('lines.title')),
		priced.map((one) => {
			const offers = [one.priced.offer, one.priced.side].filter(Boolean)
			return h(
				'details',
				{ 'class': 'lines-of', 'data-print': 'as-is' },
				h('summary', {}, t('lines.of', { city: nameOf(one.city), count: one.bill.lines.length })),
				linesTable(one.bill, sellersOf(offers), t('lines.caption', { city: nameOf(one.city) })),
			)
		}),
	)
}

const loadWords = (question) =>
	question.servers
		? t('basis.servers', {
				servers: question.servers,
				cards: question.cards_per_server,
				card: cardName(question.card),
				kw: grouped(question.kw),
			})
		: t('basis.kw', { kw: grouped(question.kw) })

const scheduleWords = (question, values) =>
	question.schedule === 'hours'
		? t('basis.schedule_hours', { hours: values.hours })
		: t(`schedule.${question.schedule}`)

/** The leased line that is asked for, in a list; an empty one where none is. */
const leasedWords = ({ dedicated_mbps: mbps }) => (Number(mbps) > 0 ? [`${grouped(mbps)} Mbps`] : [])

/** On paper, in place of the form: what was asked. */
const printedQuestion = (question, values) =>
	h(
		'p',
		{ 'class': 'on-paper', 'data-basis': true },
		t('compare.printed', {
			load: loadWords(question),
			schedule: scheduleWords(question, values),
			mbps: grouped(question.mbps),
		}),
		leasedWords(question).map((words) => ` · ${t('basis.dedicated_mbps')} ${words}`),
	)

function basisSection(answer, priced, values) {
	const { basis, question } = answer
	const facts = [
		['asked', loadWords(question)],
		['schedule', scheduleWords(question, values)],
		['mbps', `${grouped(question.mbps)} Mbps`],
		...leasedWords(question).map((words) => ['dedicated_mbps', words]),
		['tax', word('tax', basis.tax)],
		['hours', t('basis.hours_value', { hours: basis.hours_per_month })],
		['period', t('basis.period_value', { start: basis.start, months: basis.months })],
		['revision', t('basis.revision_value', { revision: basis.catalogue_revision, today: basis.today })],
	]
	return h(
		'section',
		{},
		h('h2', {}, t('basis.title')),
		h(
			'dl',
			{ class: 'facts printed-above' },
			facts.map(([name, value]) => h('div', {}, h('dt', {}, t(`basis.${name}`)), h('dd', {}, value))),
		),
		assumedTable(priced.map((one) => one.bill.assumed)),
	)
}

/** Shows ANSWER to the VALUES of the address in PLACE {headline, results}; LINE asks for it in a terminal. */
export function drawAnswer(place, answer, values, line) {
	const picks = readPicks(values.pick)
	const chosen = answer.cities.map((city) => choose(city, picks[city.city]))
	const priced = chosen.filter((one) => one.bill !== null)
	const { months } = answer.basis
	replace(
		place.headline,
		printedQuestion(answer.question, values),
		printedBasis(answer.basis),
		headline(chosen, months),
		takeBar({ title: t('compare.title'), line, answer, place: place.results }),
	)
	replace(
		place.results,
		cautions(chosen, values),
		priced.length > 0 && [
			chart(priced, months),
			accountsTable(priced, months),
			h('p', { class: 'quiet' }, t('compare.not_machines')),
			ownSection(chosen, answer),
		],
		h(
			'section',
			{},
			h('h2', {}, t('compare.offers')),
			h(
				'div',
				{ class: 'cities' },
				chosen.map((one) => cityPanel(one, months, picks, values)),
			),
		),
		priced.length > 0 && linesSection(priced),
		rentSection(chosen, answer),
		h(
			'section',
			{},
			h('h2', {}, t('tariff.title')),
			h('div', { class: 'cities' }, chosen.map(tariffPanel)),
			runningTable(chosen),
			h('p', { class: 'quiet' }, t('running.why')),
		),
		basisSection(answer, priced, values),
		machineSection(line, null),
	)
}
