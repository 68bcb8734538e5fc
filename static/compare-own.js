// compare-own.js - buying the servers beside renting the same cards: side by side by city, and where
// the two meet, over utilisation and over months.
import { linesTable, missing, sellersOf, warningList } from './bill.js'
import { lineChart, swatch } from './chart.js'
import { nameOf, offerCard } from './compare-city.js'
import { h } from './dom.js'
import { decimal, micro, rounded, share, signed, subtract, sum, tenths, yuan } from './number.js'
import { amount, money, table } from './table.js'
import { t } from './text.js'

const STEPS = 10n
const MONTHS_EACH = 6

/** Amounts that are calculated here are shown to fen. */
const fen = (value) => rounded(decimal(value), 2)

/** Half away from zero, for amounts above it. */
const divided = (value, by) => (value * 2n + by) / (by * 2n)

// ---- side by side ----

const rentOf = (city, answer) => city.rent ?? answer.national_rent

/** Hosting, buying on top of it, renting: a month of each, city by city. */
function sideBySide(chosen, answer) {
	const { buy } = answer
	const priced = chosen.filter((one) => one.bill !== null)
	const row = (name, of) => [
		t(`own.${name}`),
		...priced.map((one) => {
			const value = of(one)
			return value === null ? h('td', { class: 'figure unknown' }, t('no_data')) : value
		}),
	]
	const cash = (bill) => money(bill.per_month, { note: bill.unknown.length > 0 && t('bill.lower_bound') })
	const own = (one) => (buy === null ? null : sum([one.bill.per_month, buy.per_month]))
	return table(
		t('own.caption'),
		[t('compare.account'), ...priced.map((one) => nameOf(one.city))],
		[
			row('hosting', (one) => cash(one.bill)),
			row('servers', () => (buy === null ? null : cash(buy))),
			row('owning', (one) => (own(one) === null ? null : money(own(one)))),
			row('renting', (one) => {
				const rent = rentOf(one.city, answer)
				return rent === null ? null : cash(rent)
			}),
		],
		{
			name: 'accounts',
			stack: true,
			foot: [
				row('difference', (one) => {
					const rent = rentOf(one.city, answer)
					if (rent === null || own(one) === null) return null
					const more = subtract(rent.per_month, own(one))
					const holes = [one.bill, answer.buy, rent].some((bill) => bill.unknown.length > 0)
					return money(more, { shown: signed(more), note: holes && t('own.incomplete') })
				}),
			],
		},
	)
}

// ---- where they meet ----

/** The costs of AT (break_even of a city) as whole numbers of 10^-6 yuan a month at full use. */
function figuresOf(at, hours) {
	const each = BigInt(hours)
	return {
		fixed: micro(at.own_fixed_month),
		cash: micro(at.own_cash_month),
		energy: micro(at.own_card_hour) * each,
		rent: micro(at.rent_month),
		hourly: at.rent_card_hour === null ? null : micro(at.rent_card_hour) * each,
	}
}

/** Renting a month in use for STEP of STEPS of it: by the hour, until a full month is cheaper. */
function rentAt(figures, step) {
	if (figures.hourly === null) return figures.rent
	const used = divided(figures.hourly * step, STEPS)
	return used < figures.rent ? used : figures.rent
}

const ownAt = (figures, step) => figures.fixed + divided(figures.energy * step, STEPS)

/** Own and rent at each tenth of utilisation: [[label, own, rent]]. */
const byUtilisation = (figures) =>
	Array.from({ length: Number(STEPS) + 1 }, (_, step) => [
		`${step * 10}`,
		fen(ownAt(figures, BigInt(step))),
		fen(rentAt(figures, BigInt(step))),
	])

/** Cash paid until the end of each half year, around the clock: [[month, own, rent]]. */
const byMonth = (figures, at) =>
	Array.from({ length: Math.floor(Number(at.life_months) / MONTHS_EACH) + 1 }, (_, step) => {
		const month = BigInt(step * MONTHS_EACH)
		const own = micro(at.purchase) + (figures.cash + figures.energy) * month
		return [`${month}`, fen(own), fen(figures.rent * month)]
	})

const legend = () =>
	h(
		'ul',
		{ class: 'legend' },
		['own', 'rent'].map((name) => h('li', {}, swatch(name), ' ', t(`own.line_${name}`))),
	)

/**
 * ROWS of [x, own, rent] as a drawing under TITLE with its table behind it. MARKS: what stands out
 * on the axis; CORNER: where the line of renting bends, between two rows.
 */
function meetingChart({ title, caption, head, rows, axis, marks, corner }) {
	const last = Number(rows.at(-1)[0])
	const line = (column) => rows.map((row) => ({ x: Number(row[0]) / last, value: row[column] }))
	const kink = corner === null ? [] : [{ x: corner.x, value: corner.value }]
	const rent = [...line(2), ...kink].sort((a, b) => a.x - b.x)
	return h(
		'figure',
		{ class: 'chart' },
		h('figcaption', {}, title),
		legend(),
		lineChart({
			lines: [
				{ name: 'own', points: line(1) },
				{ name: 'rent', points: rent },
			],
			marks,
			labels: axis,
			sentence: title,
		}),
		h(
			'details',
			{ 'data-print': 'as-is' },
			h('summary', {}, t('own.table')),
			table(
				caption,
				[head, t('own.line_own'), t('own.line_rent')],
				rows.map(([x, own, rented]) => [amount(x), money(own), money(rented)]),
			),
		),
	)
}

function utilisationChart(city, at, figures) {
	const pays = at.utilisation !== null
	const rule = share(at.seed_rule, '1')
	const marks = [{ x: Number(at.seed_rule), label: t('own.rule_mark', { rule }), quiet: true }]
	if (pays) marks.push({ x: Number(at.utilisation), label: `${share(at.utilisation, '1')}%` })
	const bends = figures.hourly !== null && figures.hourly > figures.rent
	return meetingChart({
		title: pays
			? t('own.utilisation', { city: nameOf(city), percent: share(at.utilisation, '1'), rule })
			: t(at.rent_card_hour === null ? 'own.no_hourly' : 'own.utilisation_never', { city: nameOf(city), rule }),
		caption: t('own.utilisation_caption', { city: nameOf(city) }),
		head: t('own.percent'),
		rows: byUtilisation(figures),
		axis: [0, 25, 50, 75, 100].map((percent) => ({ x: percent / 100, label: `${percent}%` })),
		marks,
		corner: bends ? { x: Number(figures.rent) / Number(figures.hourly), value: decimal(figures.rent) } : null,
	})
}

function monthsChart(city, at, figures) {
	const life = Number(at.life_months)
	return meetingChart({
		title:
			at.month === null
				? t('own.months_never', { city: nameOf(city), life: at.life_months })
				: t('own.months', { city: nameOf(city), month: tenths(at.month) }),
		caption: t('own.months_caption', { city: nameOf(city) }),
		head: t('own.month'),
		rows: byMonth(figures, at),
		axis: Array.from({ length: Math.floor(life / 12) + 1 }, (_, year) => ({
			x: (year * 12) / life,
			label: `${year * 12}`,
		})),
		marks: at.month === null ? [] : [{ x: Number(at.month) / life, label: tenths(at.month) }],
		corner: null,
	})
}

function meeting(city, answer) {
	const at = city.break_even
	if (at === null)
		return h(
			'section',
			{ class: 'panel' },
			h('h3', {}, nameOf(city)),
			h('p', { class: 'unknown' }, h('strong', {}, t('no_data')), ' ', t('own.no_meeting')),
		)
	const figures = figuresOf(at, answer.question.cards * answer.basis.hours_per_month)
	return [utilisationChart(city, at, figures), monthsChart(city, at, figures)]
}

function buyPanel(buy) {
	return h(
		'section',
		{ class: 'panel' },
		h('h3', {}, t('own.buy')),
		h('p', { class: 'amount small' }, yuan(buy.per_month), h('span', { class: 'quiet' }, ` ${t('per_month')}`)),
		h('p', {}, t('own.upfront', { amount: yuan(buy.upfront) })),
		missing(buy),
		warningList(buy.warnings),
		offerCard(buy.offer),
		h(
			'details',
			{ 'class': 'lines-of', 'data-print': 'as-is' },
			h('summary', {}, t('lines.open')),
			linesTable(buy, sellersOf([buy.offer]), t('own.lines')),
		),
	)
}

/** Buying beside renting for ANSWER with the offers CHOSEN; null where no servers are asked for. */
export function ownSection(chosen, answer) {
	if (!answer.question.servers || chosen.every((one) => one.bill === null)) return null
	return h(
		'section',
		{ class: 'own' },
		h('h2', {}, t('own.title')),
		h('p', {}, t('own.why')),
		sideBySide(chosen, answer),
		answer.buy === null
			? h('p', { class: 'unknown' }, h('strong', {}, t('no_data')), ' ', t('own.no_buy'))
			: buyPanel(answer.buy),
		h('h3', { class: 'meet' }, t('own.meet')),
		h('p', { class: 'quiet' }, t('own.meet_why')),
		h(
			'div',
			{ class: 'pairs' },
			answer.cities.map((city) => meeting(city, answer)),
		),
	)
}
