// prices.js - what a card has cost, month by month: low, median and high of what suppliers ask.
import { rangeChart } from './chart.js'
import { h, replace } from './dom.js'
import { showFailure } from './failure.js'
import { choice, field, readForm, showProblems, writeForm } from './form.js'
import { ask, Refused } from './http.js'
import { searchField } from './lists.js'
import { grouped, micro, rounded } from './number.js'
import { may, signInForm } from './session.js'
import { address, go } from './state.js'
import { amount, table } from './table.js'
import { curlLine, takeBar } from './take.js'
import { t, word } from './text.js'

const usual = { card: 'h100-sxm', months: '24' }

/** What is charged and for how long one commits: each has a history of its own. */
function groupsOf(items) {
	const groups = new Map()
	for (const item of items) {
		const key = [item.item, item.term, item.unit].join(' ')
		groups.set(key, [...(groups.get(key) ?? []), item])
	}
	return [...groups.values()]
}

/** Prices of these units are small enough to need four decimals; two are enough for the others. */
const fine = ['CNY/card-hour', 'CNY/kWh', 'CNY/GB']
const short = (text, unit) => grouped(rounded(text, fine.includes(unit) ? 4 : 2))

/** A cell with a price as short as can be read, and the whole of it for who asks. */
const priceCell = (text, unit) => amount(text, { shown: short(text, unit), title: grouped(text) })

/** '2026-12' as a count of months. */
function monthNumber(text) {
	const [year, month] = text.split('-')
	return Number(year) * 12 + Number(month)
}

const titleOf = (item) =>
	t('prices.group', { item: word('item', item.item), term: word('term', item.term), unit: word('per', item.unit) })

function groupSection(card, items) {
	const inOrder = [...items].reverse()
	const most = items.map((item) => item.high).reduce((a, b) => (micro(a) > micro(b) ? a : b))
	const latest = items[0]
	const title = titleOf(latest)
	const rows = items.map((item) => [
		item.month,
		priceCell(item.low, item.unit),
		priceCell(item.median, item.unit),
		priceCell(item.high, item.unit),
		amount(item.prices),
		amount(item.suppliers),
		amount(item.tax_not_stated),
	])
	return h(
		'section',
		{ class: 'panel price-history' },
		h('h2', {}, title),
		h(
			'p',
			{ class: 'amount small' },
			h('span', { title: grouped(latest.median) }, short(latest.median, latest.unit)),
			h(
				'span',
				{ class: 'quiet' },
				` ${t('prices.latest', { unit: word('per', latest.unit), month: latest.month, low: short(latest.low, latest.unit), high: short(latest.high, latest.unit) })}`,
			),
		),
		inOrder.length > 1 &&
			rangeChart(
				inOrder.map((item) => ({ ...item, label: item.month, at: monthNumber(item.month) })),
				rounded(most, fine.includes(latest.unit) ? 4 : 2),
				t('prices.chart', {
					title,
					from: inOrder[0].month,
					first: short(inOrder[0].median, latest.unit),
					to: latest.month,
					last: short(latest.median, latest.unit),
				}),
			),
		table(
			t('prices.caption', { card, title }),
			['month', 'low', 'median', 'high', 'prices', 'suppliers', 'tax_not_stated'].map((name) =>
				t(`prices.${name}`),
			),
			rows,
			{ name: 'history', stack: true },
		),
	)
}

function drawAnswer(place, answer, line) {
	replace(
		place,
		answer.items.length === 0
			? h('p', { class: 'unknown' }, h('strong', {}, t('no_data')), ' ', t('prices.none'))
			: [
					takeBar({ title: t('prices.file', { card: answer.card }), line, answer, place }),
					groupsOf(answer.items).map((items) => groupSection(answer.card, items)),
				],
		h(
			'p',
			{ 'class': 'quiet', 'data-basis': true },
			t('prices.basis'),
			answer.left_out > 0 && ` ${t('prices.left_out', { count: answer.left_out })}`,
		),
	)
}

export function open(main, first) {
	const lead = [h('h1', {}, t('prices.title')), h('p', { class: 'lead' }, t('prices.lead'))]
	if (!may('buyer', 'viewer', 'admin')) {
		replace(main, lead, signInForm(['buyer', 'viewer', 'admin']))
		return { update() {} }
	}
	let values = {}
	const results = h('div', { class: 'results' })
	const form = h(
		'form',
		{ 'class': 'question panel', 'aria-label': t('prices.form'), 'novalidate': true, 'onsubmit': submit },
		h(
			'div',
			{ class: 'fields' },
			searchField(t('compare.card'), 'card', 'card', { size: 18 }),
			field(
				t('prices.months'),
				choice(
					'months',
					['12', '24', '60', '120'].map((months) => [months, months]),
				),
			),
			h('button', { class: 'primary' }, t('prices.go')),
		),
	)

	async function refresh() {
		results.setAttribute('aria-busy', 'true')
		try {
			const path = `/prices/${encodeURIComponent(values.card)}?months=${values.months}`
			const answer = await ask('GET', path)
			showProblems(form, [])
			drawAnswer(results, answer, curlLine('GET', path, { key: true }))
		} catch (error) {
			if (!(error instanceof Refused)) throw error
			showFailure(results, error, refresh, form)
		}
		results.removeAttribute('aria-busy')
	}
	function submit(event) {
		event.preventDefault()
		const wanted = readForm(form)
		if (address('prices', wanted) === location.hash) refresh()
		else go('prices', wanted)
	}
	function update(next) {
		values = { ...usual, ...next }
		writeForm(form, values)
		refresh()
	}
	replace(main, lead, form, results)
	update(first)
	return { update }
}
