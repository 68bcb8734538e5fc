// plan-report.js - the answer of POST /plan as a report: what to do, what it costs and why, what
// else there was, what would change it, what to check on delivery.
import {
	accountsChart,
	accountsIn,
	assumedTable,
	atLeast,
	atLeastWhy,
	cityName,
	compared,
	dateOr,
	foreign,
	linesTable,
	missing,
	newLine,
	originMark,
	placeOf,
	printedBasis,
	saidBy,
	seller,
	sellerName,
	sellersOf,
	warningList,
} from './bill.js'
import { cardShort } from './cards.js'
import { bar } from './chart.js'
import { cityId } from './cities.js'
import { h, replace } from './dom.js'
import { demandSection } from './plan-demand.js'
import { absolute, decimal, grouped, isNegative, micro, order, share, subtract, tenths, yuan } from './number.js'
import { amount, figure, money, table } from './table.js'
import { listed, parts, t, word } from './text.js'

const OPTIONS_AT_FIRST = 20
const routeNames = ['rent', 'buy_and_host', 'hybrid']

/** What an option is, by what it holds: a mix may buy nothing, and own servers are not bought. */
function routeOf({ route, items }) {
	const buys = items.some((item) => item.offer_kind === 'purchase')
	return buys || route === 'rent' ? word('route', route) : word('route', `${route}_without_purchase`)
}
const count = (value) => grouped(String(value))

// ---- first of all ----

/** When what was bought has paid for itself. */
function breakEvenMonth(at, months) {
	const late = order(at.month, String(months)) > 0
	return t(late ? 'plan.break_even_month_after' : 'plan.break_even_month', { month: tenths(at.month) })
}

/** Above which utilisation buying pays, when the equipment is worth nothing afterwards. */
function writtenOffWords(at) {
	const percent = at.utilisation_if_written_off
	if (percent === at.utilisation) return null
	if (percent === null) return h('p', {}, t('plan.never_pays_written_off'))
	return h('p', {}, t('plan.break_even_written_off', { percent: share(percent, '1') }))
}

/** Whether and when buying pays, with the rule of thumb that many go by. */
function breakEvenWords(answer) {
	const at = answer.routes.break_even
	if (at === null) return null
	const { months } = answer.basis
	/* Different cards have no utilisation in common: only the money tells. */
	if (new Set(answer.demand.map((one) => one.workload)).size > 1)
		return at.month !== null && h('p', {}, breakEvenMonth(at, months))
	const rule = h('p', { class: 'quiet' }, t('plan.rule', { rule: share(at.seed_rule, '1') }))
	if (at.utilisation === null || order(at.utilisation, '1') > 0) return [h('p', {}, t('plan.never_pays')), rule]
	const pays = t('plan.break_even', { percent: share(at.utilisation, '1'), rank: answer.routes.rent })
	return [
		h('p', {}, pays, at.month !== null && ` ${breakEvenMonth(at, months)}`),
		writtenOffWords(at),
		rule,
	]
}

function headline(answer) {
	const [first] = answer.options
	if (first === undefined) return [h('h2', {}, t('plan.none')), h('p', {}, t('plan.none_why'))]
	const values = {
		route: routeOf(first),
		month: atLeastWhy(first, first.per_month),
		total: atLeast(first, first.total),
		months: answer.basis.months,
		upfront: yuan(first.upfront),
	}
	const others = routeNames
		.filter((route) => route !== first.route && answer.routes[route] !== null)
		.map((route) => {
			const best = answer.options.find((option) => option.rank === answer.routes[route])
			const more = subtract(best.per_month, first.per_month)
			const sentence = t(isNegative(more) ? 'plan.less_than' : 'plan.more_than', {
				route: routeOf(best),
				amount: yuan(absolute(more)),
			})
			return compared(sentence, best, first)
		})
	return [
		h('h2', {}, t('plan.best', values)),
		h('p', { class: 'places' }, t('plan.best_places', { places: placesOf(first) })),
		h('p', { class: 'reason' }, t('plan.best_total', values)),
		others.length > 0 && h('p', {}, t('plan.others', { others: listed(others) })),
		breakEvenWords(answer),
	]
}

function routesChart(answer) {
	const best = routeNames
		.filter((route) => answer.routes[route] !== null)
		.map((route) => answer.options.find((option) => option.rank === answer.routes[route]))
	if (best.length === 0) return null
	const shown = accountsIn(best)
	const most = best.map((option) => option.total).reduce((a, b) => (micro(a) > micro(b) ? a : b))
	const rows = best.map((option) => {
		const pieces = shown.map((account) =>
			t('compare.piece', { account: word('account', account), amount: yuan(option.accounts[account]) }),
		)
		const sentence = t('compare.bar', {
			city: routeOf(option),
			months: answer.basis.months,
			total: atLeast(option, option.total),
			pieces: listed(pieces),
		})
		return h(
			'div',
			{ class: 'bar-row' },
			h(
				'p',
				{},
				h('strong', {}, routeOf(option)),
				' ',
				atLeastWhy(option, option.per_month),
				' ',
				h(
					'span',
					{ class: 'quiet' },
					t('per_month'),
					' · ',
					t('compare.upfront', { amount: yuan(option.upfront) }),
				),
			),
			bar(
				shown.map((account) => ({
					name: account,
					label: word('account', account),
					value: option.accounts[account],
				})),
				most,
				sentence,
			),
		)
	})
	return accountsChart(shown, rows)
}

function accountsTable(answer) {
	const best = routeNames
		.filter((route) => answer.routes[route] !== null)
		.map((route) => answer.options.find((option) => option.rank === answer.routes[route]))
	if (best.length === 0) return null
	const row = (name, of, note = () => null) => [
		name,
		...best.map((option) => money(of(option), { note: note(option) })),
	]
	const hole = (option) => option.unknown.length > 0 && t('bill.lower_bound')
	return table(
		t('plan.routes_caption', { months: answer.basis.months }),
		[
			t('compare.account'),
			...best.map((option) => t('plan.route_rank', { route: routeOf(option), rank: option.rank })),
		],
		accountsIn(best).map((account) => row(word('account', account), (option) => option.accounts[account])),
		{
			name: 'accounts',
			stack: true,
			foot: [
				row(t('compare.all', { months: answer.basis.months }), (option) => option.total, hole),
				row(t('compare.each_month'), (option) => option.per_month, hole),
				row(t('plan.paid'), (option) => option.paid_per_month),
				row(t('plan.upfront'), (option) => option.upfront),
			],
		},
	)
}

// ---- options ----

function itemWords(item) {
	const size =
		item.offer_kind === 'colocation'
			? t('plan.cabinets', { cabinets: item.cabinets, servers: item.servers_per_cabinet })
			: item.cards > 0
				? t('plan.size', { servers: item.servers, cards: item.cards, card: item.card ? cardShort(item.card) : '' })
				: ''
	const mix = item.mix && mixWords(item.mix)
	return [size, word('offer_kind', item.offer_kind), mix || word('term', item.term)].filter(Boolean).join(' · ')
}

/** What is signed for, where it is more than one thing: '1 year, 3 months by the hour'. */
function mixWords(mix) {
	const periods = ['years', 'quarters', 'months', 'hourly_months']
		.filter((name) => mix[name] > 0)
		.map((name) => t(`mix.${name}`, { count: mix[name] }))
	return [
		periods.length > 0 && listed(periods),
		mix.lots > 1 && t('mix.lots', { lots: mix.lots, cards: mix.lot_cards }),
		mix.spot && t('mix.spot'),
	]
		.filter(Boolean)
		.join(' · ')
}

/** What is behind the words: the sheet's own title, and what outages would cost. */
const itemNotes = (item) => [
	item.title && [newLine(), h('span', { class: 'quiet' }, foreign(item.title))],
	item.sla_loss && [newLine(), h('span', { class: 'quiet' }, t('plan.sla_loss', { amount: yuan(item.sla_loss) }))],
]

function itemsTable(option) {
	return table(
		t('plan.items_caption', { rank: option.rank }),
		['workload', 'supplier', 'city', 'what', 'source'].map((name) => t(`item.${name}`)),
		option.items.map((item) => [
			foreign(item.workload),
			h('td', {}, seller(item), ' ', originMark(item.origin)),
			h(
				'td',
				{},
				item.city ? cityName(item.city) : t('plan.no_city'),
				item.site && [newLine(), h('span', { class: 'quiet' }, foreign(item.site))],
			),
			h('td', {}, itemWords(item), itemNotes(item)),
			h('td', { class: 'source' }, placeOf(item, newLine())),
		]),
		{ name: 'items', stack: true },
	)
}

/** The flags of OPTION; where it has several offers, each with those that it is about. */
function flagsOf(option) {
	const offers = new Map(option.items.map((item) => [item.offer, sellerName(item)]))
	return option.warnings.map((warning) => {
		if (offers.size < 2 || warning.offers.length === 0) return warning
		const named = warning.offers.map((id) => t('flag.offer', { supplier: offers.get(id), id }))
		return { ...warning, text: t('flag.about', { text: warning.text, offers: listed(named) }) }
	})
}

/** '8 × rtx-4090, 32 × a100-80-sxm': what tells options apart at a glance. */
function cardsOf(option) {
	const cards = new Map()
	for (const item of option.items) if (item.card) cards.set(item.card, (cards.get(item.card) ?? 0) + item.cards)
	return listed([...cards].filter(([, number]) => number > 0).map(([card, number]) => `${count(number)} × ${cardShort(card)}`))
}

/** 'Huizhou · A Data Centre': where the machines of OPTION stand and whose place it is; a network stands nowhere. */
function placesOf(option) {
	const standing = option.items.filter((item) => item.offer_kind === 'rental' || item.offer_kind === 'colocation')
	const places = standing.map((item) => `${item.city ? word('city', cityId(item.city)) : t('plan.no_city')} · ${sellerName(item)}`)
	return listed([...new Set(places)])
}

/** Where the panel of the option RANK is; opens it. */
function openOption(rank) {
	const panel = document.querySelector(`.option[data-rank="${rank}"]`)
	panel.open = true
	panel.querySelector('summary').focus()
	panel.scrollIntoView({ block: 'start' })
}

const cardsAndPlaces = (option) => {
	const places = h('span', { class: 'quiet' }, placesOf(option))
	return h('td', {}, cardsOf(option) ? [cardsOf(option), newLine(), places] : placesOf(option))
}

/** The first NUMBER options side by side; WHOLE as of table(). */
function optionsTable(answer, number, whole) {
	const hole = (option) => option.unknown.length > 0 && t('bill.lower_bound')
	const [first] = answer.options
	return table(
		t('plan.options_caption', { months: answer.basis.months }),
		['rank', 'route', 'cards', 'per_month', 'total', 'more', 'upfront', 'paid'].map((name) => t(`options.${name}`)),
		answer.options.slice(0, number).map((option) => [
			h(
				'th',
				{ 'scope': 'row', 'data-value': option.rank },
				h(
					'button',
					{ type: 'button', class: 'plain', onclick: () => openOption(option.rank) },
					t('options.open', { rank: option.rank }),
				),
			),
			routeOf(option),
			cardsAndPlaces(option),
			money(option.per_month, { note: hole(option) }),
			money(option.total),
			option === first ? figure('–') : money(subtract(option.per_month, first.per_month)),
			money(option.upfront),
			money(option.paid_per_month),
		]),
		{ name: 'ranked', stack: true, whole },
	)
}

/** The options, the first few at first. */
function optionsSection(answer) {
	const all = answer.options.length
	const place = h('section', {})
	const draw = (number) =>
		replace(
			place,
			h('h2', {}, t('plan.options')),
			optionsTable(answer, number, () => optionsTable(answer, all).querySelector('table')),
			answer.options.slice(0, number).map((option, index) => optionPanel(option, answer, index === 0)),
			number < all && h('button', { type: 'button', onclick: () => draw(all) }, t('plan.all_options', { count: all })),
		)
	draw(OPTIONS_AT_FIRST)
	return place
}

// ---- what a reader must know of one option ----

/** The last day of MONTHS months from START, 'YYYY-MM-DD'. */
function lastDay(start, months) {
	const [year, month, day] = start.split('-').map(Number)
	const clamped = Math.min(day, new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate())
	return new Date(Date.UTC(year, month - 1 + months, clamped - 1)).toISOString().slice(0, 10)
}

/** Whether ITEM is signed for once and then holds to the end: bought, or one period for the whole term. */
function isSettled(item, months) {
	if (item.offer_kind === 'purchase') return true
	if (item.mix) {
		const { years, quarters, months: single, hourly_months: hourly } = item.mix
		return hourly === 0 && years + quarters + single === 1
	}
	return months <= ({ yearly: 12, quarterly: 3, monthly: 1 }[item.term] ?? 0)
}

/** The items of OPTION whose price ends before the project does, and must then be asked for anew. */
function expiring(option, basis) {
	const end = lastDay(basis.start, basis.months)
	const early = option.items.filter((item) => item.valid_to && item.valid_to < end && !isSettled(item, basis.months))
	const dates = new Map()
	for (const item of early) dates.set(sellerName(item), item.valid_to)
	return { end, dates: [...dates] }
}

function expiryWords(option, basis) {
	const { end, dates } = expiring(option, basis)
	if (dates.length === 0) return null
	const names = listed(dates.map(([name, date]) => t('plan.expires_one', { name, date })))
	return h('p', { class: 'unknown' }, t('plan.expires', { end, names }))
}

/**
 * The months after which the cash that OPTION needs more than renting at the start is saved, as a
 * decimal; Infinity where a month is no cheaper, null where it buys nothing or nothing can be rented.
 */
function payBack(option, rent) {
	const buys = option.items.some((item) => item.offer_kind === 'purchase')
	if (!buys || !rent || rent.unknown.length > 0 || option.unknown.length > 0) return null
	const more = micro(option.upfront) - micro(rent.upfront)
	const saved = micro(rent.paid_per_month) - micro(option.paid_per_month)
	if (more <= 0n) return null
	return saved <= 0n ? Infinity : decimal((more * 1000000n) / saved)
}

const isLate = (months, basis) => months === Infinity || order(months, String(basis.months)) > 0

function payBackWords(option, answer) {
	const rent = rentOf(answer)
	const months = payBack(option, rent)
	if (months === null) return null
	const values = { rank: rent.rank, months: months === Infinity ? '' : tenths(months), term: answer.basis.months }
	if (months === Infinity) return h('p', { class: 'unknown' }, t('plan.pay_back_never', values))
	return isLate(months, answer.basis)
		? h('p', { class: 'unknown' }, t('plan.pay_back_late', values))
		: h('p', {}, t('plan.pay_back', values))
}

const rentOf = (answer) => answer.options.find((option) => option.rank === answer.routes.rent)

/** Said in full at the option, never folded away. */
const LOUD = ['equipment_outlives_project']

/** What the line of a folded OPTION says of it. */
function marks(option, answer) {
	const months = payBack(option, rentOf(answer))
	return months !== null && isLate(months, answer.basis) && [' ', h('span', { class: 'mark warn' }, t('mark.pay_back'))]
}

function optionPanel(option, answer, open) {
	const facts = [
		t('compare.upfront', { amount: yuan(option.upfront) }),
		t('plan.paid_each', { amount: yuan(option.paid_per_month) }),
		t('compare.vat', { amount: yuan(option.vat) }),
		option.per_card_hour && t('compare.card_hour', { amount: yuan(option.per_card_hour) }),
		option.per_million_tokens && t('plan.million', { amount: yuan(option.per_million_tokens) }),
		option.per_million_input_tokens &&
			t('plan.million_each', {
				input: yuan(option.per_million_input_tokens),
				output: yuan(option.per_million_output_tokens),
			}),
		micro(option.deposit) > 0n && t('plan.deposit', { amount: yuan(option.deposit) }),
		option.cabinets > 0 && t('compare.cabinets_only', { cabinets: option.cabinets }),
		micro(option.energy_kwh) > 0n && t('plan.energy', { kwh: grouped(option.energy_kwh) }),
	].filter(Boolean)
	const warnings = flagsOf(option)
	return h(
		'details',
		{ 'class': 'option panel', open, 'data-rank': option.rank, 'data-print': 'as-is' },
		h(
			'summary',
			{},
			h('strong', {}, t('plan.option', { rank: option.rank, route: routeOf(option) })),
			' ',
			h('span', { class: 'option-amount' }, atLeastWhy(option, option.per_month)),
			` ${t('per_month')} `,
			h(
				'span',
				{ class: 'quiet' },
				t('plan.option_total', { total: atLeast(option, option.total) }),
				cardsOf(option) && ` · ${cardsOf(option)}`,
			),
			marks(option, answer),
		),
		h('p', {}, listed(facts)),
		option.ties && h('p', { class: 'quiet' }, t('plan.ties')),
		missing(option),
		payBackWords(option, answer),
		expiryWords(option, answer.basis),
		warningList(warnings.filter((warning) => LOUD.includes(warning.code))),
		warningList(warnings.filter((warning) => !LOUD.includes(warning.code))),
		itemsTable(option),
		linesTable(option, sellersOf(option.items), t('plan.lines_caption', { rank: option.rank })),
	)
}

// ---- what was left, what would change it, what to check ----

function notChosen(answer) {
	const rows = answer.not_chosen.map((group) => [
		group.text,
		amount(group.offers),
		amount(group.alone),
		h(
			'td',
			{},
			group.nearest
				? [
						seller(group.nearest),
						' ',
						originMark(group.nearest.origin),
						' ',
						[group.nearest.card && cardShort(group.nearest.card), word('offer_kind', group.nearest.offer_kind)].filter(Boolean).join(' · '),
						group.nearest.city && [' · ', cityName(group.nearest.city)],
						newLine(),
						placeOf(group.nearest, newLine()),
					]
				: '–',
		),
		group.gap === null ? figure('–') : amount(group.gap, { unit: word('gap', group.gap_unit) }),
	])
	const left = answer.not_chosen.reduce((sum, group) => sum + group.offers, 0)
	return h(
		'section',
		{},
		h('h2', {}, t('plan.not_chosen')),
		table(
			t('plan.not_chosen_caption', {
				all: count(answer.offers.in_catalogue),
				used: count(answer.offers.used),
				left: count(left),
			}),
			['reason', 'offers', 'alone', 'nearest', 'gap'].map((name) => t(`left.${name}`)),
			rows,
			{
				name: 'left',
				stack: true,
				foot: [
					[
						t('left.all'),
						amount(left),
						h(
							'td',
							{ colspan: 3 },
							t('left.sum', {
								used: count(answer.offers.used),
								left: count(left),
								all: count(answer.offers.in_catalogue),
							}),
						),
					],
				],
			},
		),
	)
}

/** Where another option wins on one side of today, and which. */
const turn = (at) => (at === null ? '–' : t('turn.wins', { at: count(at.at), rank: at.winner }))

/** Where the conclusion turns: in words, with the figures beside them. */
const sensitivity = (answer) =>
	answer.sensitivity.length > 0 &&
	h(
		'section',
		{},
		h('h2', {}, t('plan.sensitivity')),
		table(
			t('plan.sensitivity'),
			['change', 'from', 'lower', 'higher'].map((name) => t(`turn.${name}`)),
			answer.sensitivity.map((one) => [one.text, amount(one.from), turn(one.lower), turn(one.higher)]),
			{ name: 'turns', stack: true, unseen: true },
		),
	)

/** What to check on the delivered machine. */
const acceptance = (answer) =>
	answer.acceptance.length > 0 &&
	h(
		'section',
		{},
		h('h2', {}, t('plan.acceptance')),
		table(
			t('plan.acceptance'),
			['check', 'command'].map((name) => t(`accept.${name}`)),
			answer.acceptance.map((one) => [one.text, one.command ? h('td', {}, h('code', {}, one.command)) : '–']),
			{ name: 'acceptance', stack: true, unseen: true },
		),
	)

function basisSection(answer) {
	const { basis } = answer
	const facts = [
		['tax', word('tax', basis.tax)],
		['hours', t('basis.hours_value', { hours: basis.hours_per_month })],
		['period', t('basis.period_value', { start: basis.start, months: basis.months })],
		['revision', t('basis.revision_value', { revision: basis.catalogue_revision, today: basis.today })],
		['engine', h('code', {}, basis.engine_version)],
		...basis.fx.map((rate) => [
			'fx',
			parts('basis.fx_value', { ...rate, date: dateOr(rate.date), source: saidBy(rate.source) }),
		]),
	]
	return h(
		'section',
		{},
		h('h2', {}, t('basis.title')),
		h(
			'dl',
			{ class: 'facts' },
			facts.map(([name, value]) => h('div', {}, h('dt', {}, t(`basis.${name}`)), h('dd', {}, value))),
		),
		answer.assumed.length > 0 &&
			h(
				'ul',
				{},
				answer.assumed.map((note) => h('li', {}, note.text)),
			),
		assumedTable(answer.options.map((option) => option.assumed)),
	)
}

/** On paper: until when the prices of the first option hold. */
function printedValidity(answer) {
	const items = answer.options[0]?.items ?? []
	if (items.length === 0) return null
	const days = items.map((item) => item.valid_to).filter(Boolean)
	const open = items.length - days.length
	const words =
		days.length === 0
			? t('plan.validity_none')
			: t(open > 0 ? 'plan.validity_some' : 'plan.validity', { date: days.sort()[0], open })
	return h('p', { 'class': 'on-paper', 'data-basis': true }, words)
}

/** The report on ANSWER: {headline, body} for the two places of the view. */
export function report(answer) {
	const sampled = answer.options[0]?.items.some((item) => item.origin === 'sample')
	return {
		headline: [
			answer.title && h('p', { class: 'answer-title' }, foreign(answer.title)),
			printedBasis(answer.basis),
			printedValidity(answer),
			...headline(answer),
		],
		body: [
			sampled && h('p', { class: 'caution' }, t('compare.sampled')),
			warningList(answer.warnings),
			routesChart(answer),
			accountsTable(answer),
			h('p', {}, h('strong', {}, t('plan.scenario')), ' ', answer.scenario.text),
			answer.options.length > 0 && optionsSection(answer),
			sensitivity(answer),
			demandSection(answer),
			notChosen(answer),
			acceptance(answer),
			basisSection(answer),
		],
	}
}
