// plan-report.js - the answer of POST /plan as a report: what to do, what it costs and why, what
// else there was, what would change it, what to check on delivery.
import { accountsIn, assumedTable, dateOr, figure, foreign, linesTable, missing, originMark, printedBasis, table, warningList } from './bill.js'
import { bar, swatch } from './chart.js'
import { h } from './dom.js'
import { absolute, grouped, isNegative, micro, share, subtract, sum, tenths, yuan } from './number.js'
import { listed, t, word } from './text.js'

const memoryParts = ['weights', 'gradients', 'optimizer', 'activations', 'logits', 'kv_cache', 'overhead']
const routeNames = ['rent', 'buy_and_host', 'hybrid']
const count = (value) => grouped(String(value))

// ---- first of all ----

function breakEvenWords(at) {
	if (at === null || at.utilisation === null) return null
	const values = { percent: share(at.utilisation, '1'), rule: share(at.seed_rule, '1'), month: at.month === null ? '' : tenths(at.month) }
	return h('p', {}, t('plan.break_even', values), at.month !== null && ` ${t('plan.break_even_month', values)}`)
}

function headline(answer) {
	const [first] = answer.options
	if (first === undefined) return [h('h2', {}, t('plan.none')), h('p', {}, t('plan.none_why'))]
	const values = { route: word('route', first.route), month: yuan(first.per_month), total: yuan(first.total), months: answer.basis.months, upfront: yuan(first.upfront) }
	const others = routeNames.filter((route) => route !== first.route && answer.routes[route] !== null).map((route) => {
		const best = answer.options.find((option) => option.rank === answer.routes[route])
		const more = subtract(best.per_month, first.per_month)
		return t(isNegative(more) ? 'plan.less_than' : 'plan.more_than', { route: word('route', route), amount: yuan(absolute(more)) })
	})
	return [
		h('h2', {}, t('plan.best', values)), h('p', { class: 'reason' }, t('plan.best_total', values)),
		others.length > 0 && h('p', {}, t('plan.others', { others: listed(others) })), breakEvenWords(answer.routes.break_even),
	]
}

function routesChart(answer) {
	const best = routeNames.filter((route) => answer.routes[route] !== null).map((route) => answer.options.find((option) => option.rank === answer.routes[route]))
	if (best.length === 0) return null
	const shown = accountsIn(best)
	const most = best.map((option) => option.total).reduce((a, b) => (micro(a) > micro(b) ? a : b))
	const rows = best.map((option) => {
		const pieces = shown.map((account) => t('compare.piece', { account: word('account', account), amount: yuan(option.accounts[account]) }))
		const sentence = t('compare.bar', { city: word('route', option.route), months: answer.basis.months, total: yuan(option.total), pieces: listed(pieces) })
		return h('div', { class: 'bar-row' },
			h('p', {}, h('strong', {}, word('route', option.route)), ' ', yuan(option.per_month), ' ', h('span', { class: 'quiet' }, t('per_month'), ' · ', t('compare.upfront', { amount: yuan(option.upfront) }))),
			bar(shown.map((account) => ({ name: account, label: word('account', account), value: option.accounts[account] })), most, sentence))
	})
	return h('figure', { class: 'chart' }, h('ul', { class: 'legend' }, shown.map((account) => h('li', {}, swatch(account), ' ', word('account', account)))), rows)
}

function accountsTable(answer) {
	const best = routeNames.filter((route) => answer.routes[route] !== null).map((route) => answer.options.find((option) => option.rank === answer.routes[route]))
	if (best.length === 0) return null
	const row = (name, of) => [name, ...best.map((option) => figure(yuan(of(option))))]
	return table(t('plan.routes_caption', { months: answer.basis.months }), [t('compare.account'), ...best.map((option) => t('plan.route_rank', { route: word('route', option.route), rank: option.rank }))],
		accountsIn(best).map((account) => row(word('account', account), (option) => option.accounts[account])),
		{
			name: 'accounts', foot: [
				row(t('compare.all', { months: answer.basis.months }), (option) => option.total), row(t('compare.each_month'), (option) => option.per_month),
				row(t('plan.paid'), (option) => option.paid_per_month), row(t('plan.upfront'), (option) => option.upfront),
			],
		})
}

// ---- options ----

function itemWords(item) {
	const size = item.offer_kind === 'colocation' ? t('plan.cabinets', { cabinets: item.cabinets, servers: item.servers_per_cabinet })
		: item.cards > 0 ? t('plan.size', { servers: item.servers, cards: item.cards, card: item.card ?? '' }) : ''
	return [size, word('offer_kind', item.offer_kind), word('term', item.term)].filter(Boolean).join(' · ')
}

function itemsTable(option) {
	return table(t('plan.items_caption', { rank: option.rank }), ['workload', 'supplier', 'city', 'what', 'source'].map((name) => t(`item.${name}`)),
		option.items.map((item) => [
			foreign(item.workload), h('td', {}, foreign(item.supplier_name ?? item.supplier), ' ', originMark(item.origin)),
			h('td', {}, item.city ? foreign(item.city) : t('plan.no_city')), itemWords(item),
			h('td', { class: 'source' }, t('source.row', { sheet: item.sheet, row: item.row }), h('br', {}), t('plan.price_date', { date: dateOr(item.price_date) })),
		]), { stack: true })
}

/** '8 × rtx-4090, 32 × a100-80-sxm': what tells options apart at a glance. */
function cardsOf(option) {
	const cards = new Map()
	for (const item of option.items) if (item.card) cards.set(item.card, (cards.get(item.card) ?? 0) + item.cards)
	return listed([...cards].filter(([, number]) => number > 0).map(([card, number]) => `${count(number)} × ${card}`))
}

function optionPanel(option, open) {
	const names = Object.fromEntries(option.items.map((item) => [item.supplier, item.supplier_name]))
	const facts = [
		t('compare.upfront', { amount: yuan(option.upfront) }), t('plan.paid_each', { amount: yuan(option.paid_per_month) }), t('compare.vat', { amount: yuan(option.vat) }),
		option.per_card_hour && t('compare.card_hour', { amount: yuan(option.per_card_hour) }), option.per_million_tokens && t('plan.million', { amount: yuan(option.per_million_tokens) }),
		micro(option.deposit) > 0n && t('plan.deposit', { amount: yuan(option.deposit) }), option.cabinets > 0 && t('compare.cabinets_only', { cabinets: option.cabinets }),
		micro(option.energy_kwh) > 0n && t('plan.energy', { kwh: grouped(option.energy_kwh) }),
	].filter(Boolean)
	return h('details', { class: 'option panel', open, 'data-rank': option.rank, 'data-print': 'as-is' },
		h('summary', {}, h('strong', {}, t('plan.option', { rank: option.rank, route: word('route', option.route) })), ' ',
			h('span', { class: 'option-amount' }, yuan(option.per_month)), ` ${t('per_month')} `,
			h('span', { class: 'quiet' }, t('plan.option_total', { total: yuan(option.total) }), cardsOf(option) && ` · ${cardsOf(option)}`)),
		h('p', {}, listed(facts)), option.ties && h('p', { class: 'quiet' }, t('plan.ties')),
		missing(option), warningList(option.warnings), itemsTable(option), linesTable(option, names, t('plan.lines_caption', { rank: option.rank })))
}

// ---- what is needed ----

/** Whether OPTION meets its workload in the way that DEMAND sizes it. */
const used = (option, demand) => (demand.kind === 'hosting' ? demand.verdict === 'ok'
	: option?.items.some((item) => item.workload === demand.workload && item.card === demand.card && item.cards === item.servers * demand.cards_per_server))

/** The parts of the memory of a card, with what drivers and allocator hold beside them. */
function partsOf(memory) {
	const named = memoryParts.filter((part) => memory.parts[part] > 0).map((part) => [part, String(memory.parts[part])])
	const rest = subtract(String(memory.per_card_gib), sum(named.map(([, gib]) => gib)))
	return isNegative(rest) || micro(rest) === 0n ? named : [...named, ['rest', rest]]
}

function memoryBar(demand) {
	const { memory } = demand
	const filled = partsOf(memory)
	const whole = Math.max(memory.usable_gib, memory.per_card_gib)
	const pieces = filled.map(([part, gib]) => t('plan.part', { part: word('part', part), gib: grouped(gib) }))
	return [
		h('p', {}, t('plan.memory', { need: count(memory.per_card_gib), usable: count(memory.usable_gib) })),
		bar(filled.map(([part, gib]) => ({ name: `m-${part}`, label: word('part', part), value: gib })), String(whole), t('plan.memory_bar', { card: demand.card, pieces: listed(pieces), usable: count(memory.usable_gib) })),
		h('ul', { class: 'legend' }, filled.map(([part], index) => h('li', {}, swatch(`m-${part}`), ' ', pieces[index]))),
	]
}

function speedWords(demand) {
	const { speed } = demand
	if (speed === undefined) return ''
	return speed.ttft_ms === undefined
		? t('plan.speed_training', { tokens: count(speed.tokens_per_s_per_card), low: count(speed.low), high: count(speed.high) })
		: t('plan.speed_serving', { ttft: count(speed.ttft_ms), tpot: count(speed.tpot_ms), tokens: count(speed.output_tokens_per_s) })
}

function demandPanel(demand) {
	return h('section', { class: 'panel' },
		h('h3', {}, foreign(demand.workload), ' · ', demand.card ?? word('kind', demand.kind)),
		h('p', {}, t('plan.needs', { servers: count(demand.servers), per: demand.cards_per_server, cards: count(demand.cards), hours: count(demand.hours_per_month) })),
		demand.run_hours !== null && h('p', {}, t('plan.run_hours', { hours: count(demand.run_hours) })),
		demand.replicas !== undefined && h('p', {}, t('plan.replicas', { replicas: demand.replicas, spares: demand.spare_replicas, cards: demand.cards_per_replica })),
		demand.memory && memoryBar(demand), demand.speed && h('p', {}, speedWords(demand)),
		demand.limit && demand.limit !== 'none' && h('p', {}, t('plan.limit', { limit: word('limit', demand.limit) })),
		demand.status && h('p', { class: 'quiet' }, word('status', demand.status)),
		warningList(demand.warnings),
		demand.assumed.length > 0 && h('details', {}, h('summary', {}, t('plan.assumed')), h('ul', {}, demand.assumed.map((note) => h('li', {}, note.text)))))
}

function demandTable(answer) {
	const rows = answer.demand.map((demand) => [
		foreign(demand.workload), `${demand.card ?? '–'} × ${demand.cards_per_server}`,
		h('td', { class: demand.verdict === 'ok' ? null : 'unknown' }, word('verdict', demand.verdict), demand.gap !== null && ` (${count(demand.gap)} ${demand.gap_unit})`),
		figure(count(demand.servers)), figure(count(demand.cards)), figure(count(demand.hours_per_month)),
		figure(demand.memory ? `${count(demand.memory.per_card_gib)} / ${count(demand.memory.usable_gib)}` : '–'), word('limit', demand.limit ?? 'none'),
	])
	return h('details', { 'data-print': 'as-is' }, h('summary', {}, t('plan.demand_all', { count: rows.length })),
		table(t('plan.demand_caption'), ['workload', 'card', 'verdict', 'servers', 'cards', 'hours', 'memory', 'limit'].map((name) => t(`demand.${name}`)), rows, { name: 'demand', stack: true }))
}

function demandSection(answer) {
	const [first] = answer.options
	const key = (demand) => [demand.workload, demand.card, demand.cards_per_server].join()
	const chosen = new Map(answer.demand.filter((demand) => used(first, demand)).map((demand) => [key(demand), demand]))
	return h('section', {}, h('h2', {}, t('plan.demand')), h('div', { class: 'cities uneven' }, [...chosen.values()].map(demandPanel)), demandTable(answer))
}

// ---- what was left, what would change it, what to check ----

function notChosen(answer) {
	const rows = answer.not_chosen.map((group) => [
		group.text, figure(count(group.offers)),
		h('td', {}, group.nearest ? [foreign(group.nearest.supplier_name ?? group.nearest.supplier ?? ''), ' ', originMark(group.nearest.origin), ' ', t('source.row', { sheet: group.nearest.sheet, row: group.nearest.row })] : '–'),
		h('td', {}, group.gap === null ? '–' : `${count(group.gap)} ${group.gap_unit ?? ''}`),
	])
	const left = answer.not_chosen.reduce((sum, group) => sum + group.offers, 0)
	return h('section', {}, h('h2', {}, t('plan.not_chosen')),
		table(t('plan.not_chosen_caption', { all: count(answer.offers.in_catalogue), used: count(answer.offers.used), left: count(left) }), ['reason', 'offers', 'nearest', 'gap'].map((name) => t(`left.${name}`)), rows, {
			name: 'left', stack: true, foot: [[t('left.all'), figure(count(left)), h('td', { colspan: 2 }, t('left.sum', { used: count(answer.offers.used), left: count(left), all: count(answer.offers.in_catalogue) }))]],
		}))
}

const list = (title, items) => (items.length === 0 ? null : h('section', {}, h('h2', {}, title), h('ul', {}, items)))

function basisSection(answer) {
	const { basis } = answer
	const facts = [
		['tax', word('tax', basis.tax)], ['hours', t('basis.hours_value', { hours: basis.hours_per_month })], ['period', t('basis.period_value', { start: basis.start, months: basis.months })],
		['revision', t('basis.revision_value', { revision: basis.catalogue_revision, today: basis.today })], ['engine', basis.engine_version],
		...basis.fx.map((rate) => ['fx', t('basis.fx_value', { currency: rate.currency, rate: rate.rate, date: rate.date, source: rate.source })]),
	]
	return h('section', {}, h('h2', {}, t('basis.title')),
		h('dl', { class: 'facts' }, facts.map(([name, value]) => h('div', {}, h('dt', {}, t(`basis.${name}`)), h('dd', {}, value)))),
		answer.assumed.length > 0 && h('ul', {}, answer.assumed.map((note) => h('li', {}, note.text))),
		assumedTable(answer.options.map((option) => option.assumed)))
}

/** The report on ANSWER: {headline, body} for the two places of the view. */
export function report(answer) {
	const sampled = answer.options[0]?.items.some((item) => item.origin === 'sample')
	return {
		headline: [printedBasis(answer.basis), ...headline(answer)],
		body: [
			sampled && h('p', { class: 'caution' }, t('compare.sampled')), warningList(answer.warnings),
			routesChart(answer), accountsTable(answer),
			h('p', {}, h('strong', {}, t('plan.scenario')), ' ', answer.scenario.text),
			answer.options.length > 0 && h('section', {}, h('h2', {}, t('plan.options')), answer.options.map((option, index) => optionPanel(option, index === 0))),
			demandSection(answer),
			list(t('plan.sensitivity'), answer.sensitivity.map((one) => h('li', {}, one.text))),
			notChosen(answer),
			list(t('plan.acceptance'), answer.acceptance.map((one) => h('li', {}, one.text, one.command && [t('plan.by_command'), h('code', {}, one.command)]))),
			basisSection(answer),
		],
	}
}
