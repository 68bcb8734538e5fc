// plan-demand.js - how many cards each workload needs and why: memory by part, speed, what limits.
import { foreign, warningList } from './bill.js'
import { bar, swatch } from './chart.js'
import { h } from './dom.js'
import { grouped, isNegative, micro, subtract, sum } from './number.js'
import { amount, figure, table } from './table.js'
import { listed, t, word } from './text.js'

const memoryParts = ['weights', 'gradients', 'optimizer', 'activations', 'logits', 'kv_cache', 'overhead']
const count = (value) => grouped(String(value))

/** Whether OPTION meets its workload in the way that DEMAND sizes it. */
const used = (option, demand) =>
	demand.kind === 'hosting'
		? demand.verdict === 'ok'
		: option?.items.some(
				(item) =>
					item.workload === demand.workload &&
					item.card === demand.card &&
					item.cards === item.servers * demand.cards_per_server,
			)

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
		bar(
			filled.map(([part, gib]) => ({ name: `m-${part}`, label: word('part', part), value: gib })),
			String(whole),
			t('plan.memory_bar', { card: demand.card, pieces: listed(pieces), usable: count(memory.usable_gib) }),
		),
		h(
			'ul',
			{ class: 'legend' },
			filled.map(([part], index) => h('li', {}, swatch(`m-${part}`), ' ', pieces[index])),
		),
	]
}

function speedWords(demand) {
	const { speed } = demand
	if (speed === undefined) return ''
	return speed.ttft_ms === undefined
		? t('plan.speed_training', {
				tokens: count(speed.tokens_per_s_per_card),
				low: count(speed.low),
				high: count(speed.high),
			})
		: t('plan.speed_serving', {
				ttft: count(speed.ttft_ms),
				tpot: count(speed.tpot_ms),
				tokens: count(speed.output_tokens_per_s),
			})
}

function demandPanel(demand) {
	return h(
		'section',
		{ class: 'panel' },
		h('h3', {}, foreign(demand.workload), ' · ', demand.card ?? word('kind', demand.kind)),
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
		demand.speed && h('p', {}, speedWords(demand)),
		demand.limit && demand.limit !== 'none' && h('p', {}, t('plan.limit', { limit: word('limit', demand.limit) })),
		demand.status && h('p', { class: 'quiet' }, word('status', demand.status)),
		warningList(demand.warnings),
		demand.assumed.length > 0 &&
			h(
				'details',
				{},
				h('summary', {}, t('plan.assumed')),
				h(
					'ul',
					{},
					demand.assumed.map((note) => h('li', {}, note.text)),
				),
			),
	)
}

function demandTable(answer) {
	const rows = answer.demand.map((demand) => [
		foreign(demand.workload),
		`${demand.card ?? '–'} × ${demand.cards_per_server}`,
		h(
			'td',
			{ class: demand.verdict === 'ok' ? null : 'unknown' },
			word('verdict', demand.verdict),
			demand.gap !== null && ` (${count(demand.gap)} ${demand.gap_unit})`,
		),
		figure(count(demand.servers)),
		figure(count(demand.cards)),
		figure(count(demand.hours_per_month)),
		figure(demand.memory ? `${count(demand.memory.per_card_gib)} / ${count(demand.memory.usable_gib)}` : '–'),
		word('limit', demand.limit ?? 'none'),
	])
	return h(
		'details',
		{ 'data-print': 'as-is' },
		h('summary', {}, t('plan.demand_all', { count: rows.length })),
		table(
			t('plan.demand_caption'),
			['workload', 'card', 'verdict', 'servers', 'cards', 'hours', 'memory', 'limit'].map((name) =>
				t(`demand.${name}`),
			),
			rows,
			{ name: 'demand', stack: true },
		),
	)
}

/** What the first option of ANSWER rests on, and every other sizing in a table. */
export function demandSection(answer) {
	const [first] = answer.options
	const key = (demand) => [demand.workload, demand.card, demand.cards_per_server].join()
	const chosen = new Map(answer.demand.filter((demand) => used(first, demand)).map((demand) => [key(demand), demand]))
	return h(
		'section',
		{},
		h('h2', {}, t('plan.demand')),
		h('div', { class: 'cities uneven' }, [...chosen.values()].map(demandPanel)),
		demandTable(answer),
	)
}
