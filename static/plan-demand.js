// plan-demand.js - how many cards each workload needs and why: memory by part, speed, what limits;
// what each class of card would cost and why it lost.
import { foreign, warningList } from './bill.js'
import { cardName } from './cards.js'
import { bar, swatch } from './chart.js'
import { h, replace } from './dom.js'
import { grouped, isNegative, micro, order, share, signed, subtract, sum, yuan } from './number.js'
import { amount, figure, money, table } from './table.js'
import { listed, parts, t, word } from './text.js'

const memoryParts = ['weights', 'gradients', 'optimizer', 'activations', 'logits', 'kv_cache', 'overhead']
const CLASSES_AT_FIRST = 5
const count = (value) => grouped(String(value))

/**
 * The classes of one workload, SORTED by cost, that OPTION uses: of those with the card and the size
 * of its orders the cheapest, since an offer of the same card may have other links.
 */
function usedBy(option, sorted) {
	const items = option?.items.filter((item) => item.workload === sorted[0].workload) ?? []
	const suits = (demand) =>
		demand.verdict === 'ok' &&
		items.some((item) =>
			demand.kind === 'hosting'
				? item.offer_kind === 'colocation'
				: item.card === demand.card && item.cards === item.servers * demand.cards_per_server,
		)
	const found = sorted.filter(suits)
	if (sorted[0].kind === 'hosting') return found.slice(0, 1)
	return found.filter((demand, index) => found.findIndex((one) => sameMachine(one, demand)) === index)
}

const sameMachine = (a, b) => a.card === b.card && a.cards_per_server === b.cards_per_server

/** '6.70' -> '6.7': GiB without zeros at the end. */
const gib = (text) => grouped(text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''))

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
	const pieces = filled.map(([part, size]) => t('plan.part', { part: word('part', part), gib: gib(size) }))
	const free = subtract(String(memory.usable_gib), String(memory.per_card_gib))
	return [
		h('p', {}, t('plan.memory', { need: count(memory.per_card_gib), usable: count(memory.usable_gib) })),
		bar(
			filled.map(([part, gib]) => ({ name: `m-${part}`, label: word('part', part), value: gib })),
			String(whole),
			t('plan.memory_bar', { card: demand.card, pieces: listed(pieces), usable: count(memory.usable_gib) }),
		),
		h(
			'ul',
			{ class: 'legend' },
			filled.map(([part], index) => h('li', {}, swatch(`m-${part}`), ' ', pieces[index])),
			!isNegative(free) && h('li', {}, swatch('m-free'), ' ', t('plan.part', { part: t('plan.free'), gib: gib(free) })),
		),
	]
}

function speedWords(demand) {
	const { speed } = demand
	if (speed === undefined) return ''
	return speed.ttft_ms === undefined
		? t('plan.speed_training', {
				mfu: share(String(speed.mfu), '1'),
				tokens: count(speed.tokens_per_s_per_card),
				low: count(speed.low),
				high: count(speed.high),
			})
		: t('plan.speed_serving', {
				ttft: count(speed.ttft_ms),
				tpot: count(speed.tpot_ms),
				tokens: count(speed.output_tokens_per_s),
				low: count(speed.low),
				high: count(speed.high),
			})
}

/** What one replica can carry: by memory, and by speed where that is known. */
function capacityWords({ speed }) {
	if (!speed || speed.kv_tokens === undefined || speed.kv_tokens === null) return null
	return [
		h(
			'p',
			{},
			t('plan.capacity', {
				requests: count(speed.max_concurrency),
				tokens: count(speed.kv_tokens),
				context: count(speed.max_context),
			}),
		),
		speed.max_requests_per_s !== null &&
			speed.requests_per_s !== null &&
			h('p', {}, t('plan.rate', { most: count(speed.max_requests_per_s), now: count(speed.requests_per_s) })),
	]
}

/** The times at the percentiles that limits are agreed by. */
function percentileWords({ ttft_percentiles_ms: first, tpot_percentiles_ms: each }) {
	if (!first || first.p95 === null) return null
	const values = { p50: count(first.p50), p95: count(first.p95), each50: count(each.p50), each95: count(each.p95) }
	return h('p', {}, t('plan.percentiles', values))
}

/** How the work is spread over the cards: only what is more than one or not the plainest. */
function layoutWords({ layout }) {
	if (!layout) return null
	const sizes = ['tp', 'pp', 'vpp', 'cp', 'ep', 'dp']
		.filter((name) => layout[name] > 1)
		.map((name) => `${name} ${layout[name]}`)
	const batches = layout.global_batch
		? [
				layout.sharding && layout.sharding !== 'none' && word('sharding', layout.sharding),
				t('plan.batch', { micro: layout.micro_batch, global: layout.global_batch }),
				layout.recompute && t(`recompute.${layout.recompute}`),
			]
		: []
	const all = [...sizes, ...batches].filter(Boolean)
	return h('p', { class: 'quiet' }, t('plan.layout', { layout: all.length > 0 ? listed(all) : t('plan.layout_one') }))
}

const loadWords = (demand) =>
	h(
		'p',
		{ class: 'quiet' },
		t(demand.power_w > 0 ? 'plan.load' : 'plan.load_only', {
			percent: share(String(demand.utilisation), '1'),
			watts: count(Math.round(demand.power_w)),
		}),
	)

const linksOf = (demand) =>
	[demand.intra_link, demand.inter_link]
		.filter(Boolean)
		.map((link) => word('link', link))
		.join(' + ')
const machineName = (demand) => t('plan.class', { card: demand.card ?? '–', per: demand.cards_per_server })
const className = (demand) =>
	linksOf(demand) === ''
		? machineName(demand)
		: t('plan.class_linked', { machine: machineName(demand), links: linksOf(demand) })

/** What the next cheapest classes of card would cost the workload of DEMAND. */
function nextBest(demand, others) {
	if (demand.best_total === null) return null
	const next = others.filter((one) => one !== demand && one.best_total !== null).slice(0, 2)
	const pieces = next.flatMap((one, index) => {
		const more = h('span', { class: 'unbroken' }, signed(subtract(one.best_total, demand.best_total)))
		return [index > 0 && t('list.comma'), parts('plan.next_one', { card: className(one), more })]
	})
	return h(
		'p',
		{},
		t('plan.own_total', { total: yuan(demand.best_total) }),
		pieces.length > 0 && [' ', parts('plan.next', { pieces })],
	)
}

/** The card ID by its name, and its id once beside it. */
const cardNamed = (id) => (cardName(id) === id ? id : [cardName(id), ' ', h('span', { class: 'quiet' }, id)])

function demandPanel(demand, others) {
	return h(
		'section',
		{ class: 'panel' },
		h('h3', {}, foreign(demand.workload), ' · ', demand.card ? cardNamed(demand.card) : word('kind', demand.kind)),
		h(
			'p',
			{},
			t('plan.needs', {
				servers: count(demand.servers),
				per: demand.cards_per_server,
				cards: count(demand.cards),
				hours: count(demand.hours_per_month),
			}),
		),
		demand.mean_cards !== undefined &&
			h('p', {}, t('plan.usage', { mean: count(demand.mean_cards), wanted: count(demand.wanted_cards) })),
		demand.run_hours !== null && h('p', {}, t('plan.run_hours', { hours: count(demand.run_hours) })),
		demand.replicas !== undefined &&
			h(
				'p',
				{},
				t('plan.replicas', {
					replicas: demand.replicas,
					spares: demand.spare_replicas,
					cards: demand.cards_per_replica,
				}),
			),
		demand.memory && memoryBar(demand),
		demand.speed && [h('p', {}, speedWords(demand)), percentileWords(demand.speed), capacityWords(demand)],
		demand.limit && demand.limit !== 'none' && h('p', {}, t('plan.limit', { limit: word('limit', demand.limit) })),
		nextBest(demand, others),
		layoutWords(demand),
		demand.kind !== 'hosting' && loadWords(demand),
		demand.status && h('p', { class: 'quiet' }, word('status', demand.status)),
		warningList(demand.warnings),
		demand.assumed.length > 0 &&
			h(
				'details',
				{ 'data-print': 'as-is' },
				h('summary', {}, t('plan.assumed')),
				h(
					'ul',
					{},
					demand.assumed.map((note) => h('li', {}, note.text)),
				),
			),
	)
}

// ---- every class of card, and why it lost ----

/** Classes with a price first, the cheapest before the dearer; then those that cost at least so much; then the rest. */
function byCost(a, b) {
	const rank = (demand) => (demand.best_total !== null ? 0 : demand.at_least !== null ? 1 : 2)
	const money = (demand) => demand.best_total ?? demand.at_least ?? '0'
	return rank(a) - rank(b) || order(money(a), money(b))
}

function totalCell(demand) {
	if (demand.best_total !== null)
		return money(demand.best_total, { note: demand.best_complete === false && t('bill.lower_bound') })
	return demand.at_least !== null ? money(demand.at_least, { note: t('demand.at_least') }) : figure('–')
}

function whyCell(demand, least, chosen) {
	if (chosen.has(demand)) return h('td', {}, h('strong', {}, t('demand.chosen')))
	if (demand.verdict !== 'ok')
		return h(
			'td',
			{ class: 'unknown' },
			word('verdict', demand.verdict),
			demand.gap !== null && t('demand.gap', { gap: count(demand.gap), unit: word('gap', demand.gap_unit) }),
		)
	if (demand.kept_out_by !== null) return h('td', {}, demand.kept_out_text)
	const total = demand.best_total ?? demand.at_least
	if (total === null) return h('td', {}, '–')
	if (least === null || order(total, least) <= 0) return h('td', {}, t('demand.same'))
	return h('td', {}, t('demand.dearer', { amount: yuan(subtract(total, least)) }))
}

function classRow(demand, least, chosen) {
	const { memory } = demand
	return [
		h('th', { scope: 'row' }, machineName(demand), linksOf(demand) && [' ', h('span', { class: 'quiet' }, linksOf(demand))]),
		totalCell(demand),
		whyCell(demand, least, chosen),
		demand.verdict === 'ok' ? amount(demand.servers) : figure('–'),
		demand.verdict === 'ok' ? amount(demand.cards) : figure('–'),
		demand.verdict === 'ok' ? amount(demand.hours_per_month) : figure('–'),
		memory ? amount(memory.per_card_gib) : figure('–'),
		memory ? amount(memory.usable_gib) : figure('–'),
		word('limit', demand.limit ?? 'none'),
	]
}

/** The classes of card of WORKLOAD, SORTED by cost, in a table: the first few, then all of them. */
function classTable(workload, sorted, chosen, months) {
	const least = sorted[0].best_total
	const heads = ['card', 'total', 'why', 'servers', 'cards', 'hours', 'need', 'usable', 'limit']
	const place = h('div', { class: 'classes' })
	const values = { months, count: sorted.length }
	const tableOf = (number, whole = null) =>
		table(
			t('demand.caption', { workload, ...values }),
			heads.map((name) => t(`demand.${name}`)),
			sorted.slice(0, number).map((demand) => classRow(demand, least, chosen)),
			{
				name: 'demand',
				stack: true,
				whole,
				title: parts('demand.caption', { workload: foreign(workload), ...values }),
			},
		)
	const draw = (number) =>
		replace(
			place,
			tableOf(number, () => tableOf(sorted.length).querySelector('table')),
			number < sorted.length &&
				h(
					'button',
					{ type: 'button', onclick: () => draw(sorted.length) },
					t('demand.all', { count: sorted.length }),
				),
		)
	draw(CLASSES_AT_FIRST)
	return place
}

/** Where no option is: the class of SORTED that would do the work, for what it needs. */
const firstThatSuits = (sorted) => sorted.filter((demand) => demand.verdict === 'ok').slice(0, 1)

/** The memory of a card by part for the CHOSEN classes: the figures of the bars. */
function memoryTable(chosen) {
	const known = chosen.filter((demand) => demand.memory)
	if (known.length === 0) return null
	const all = known.map((demand) => new Map(partsOf(demand.memory)))
	const shown = [...memoryParts, 'rest'].filter((part) => all.some((held) => held.has(part)))
	const rows = known.map((demand, index) => [
		h('th', { scope: 'row' }, foreign(demand.workload), ' · ', demand.card),
		...shown.map((part) => (all[index].has(part) ? amount(all[index].get(part), { shown: gib(all[index].get(part)) }) : figure('–'))),
		amount(demand.memory.per_card_gib),
		amount(demand.memory.usable_gib),
	])
	const heads = [t('item.workload'), ...shown.map((part) => word('part', part)), t('plan.memory_all'), t('plan.memory_usable')]
	return h(
		'details',
		{ 'class': 'memory-of', 'data-print': 'as-is' },
		h('summary', {}, t('plan.memory_table')),
		table(t('plan.memory_caption'), heads, rows, { name: 'memory', stack: true }),
	)
}

/** What the first option of ANSWER rests on, and what every class of card would cost. */
export function demandSection(answer) {
	const [first] = answer.options
	const names = [...new Set(answer.demand.map((demand) => demand.workload))]
	const workloads = new Map(
		names.map((name) => [name, answer.demand.filter((demand) => demand.workload === name).sort(byCost)]),
	)
	const chosen = new Set([...workloads.values()].flatMap((sorted) => usedBy(first, sorted)))
	const shown = first ? [...chosen] : [...workloads.values()].flatMap(firstThatSuits)
	return [
		shown.length > 0 &&
			h(
				'section',
				{},
				h('h2', {}, t('plan.demand')),
				h(
					'div',
					{ class: 'cities uneven' },
					shown.map((demand) => demandPanel(demand, workloads.get(demand.workload))),
				),
				memoryTable(shown),
			),
		h(
			'section',
			{ class: 'class-costs' },
			h('h2', {}, t('plan.classes')),
			h('p', { class: 'quiet' }, t('plan.classes_why')),
			[...workloads].map(([workload, demands]) =>
				classTable(workload, demands, chosen, answer.basis.months),
			),
		),
	]
}
