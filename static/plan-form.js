// plan-form.js - the form of POST /plan: workloads and the project around them. A control's name is
// the JSON pointer of what it gives, so the interface's problems find their fields.
import { cities, cityId } from './cities.js'
import { h, replace } from './dom.js'
import { choice, field, group, number, tick } from './form.js'
import { cardList, modelList } from './lists.js'
import { t, word } from './text.js'

/** The fields of each kind of workload: name, how it is entered, unit or choices. */
const kinds = {
	training: [
		['method', 'choice', ['lora', 'qlora', 'full', 'pretrain']],
		['model', 'model'],
		['tokens', 'number', 'tokens'],
		['seq_len', 'number', 'tokens'],
		['runs_per_month', 'number', 'runs'],
		['deadline_hours', 'number', 'hours'],
		['valley_only', 'yes'],
	],
	inference: [
		['model', 'model'],
		['weights', 'choice', ['bf16', 'fp8', 'int8', 'int4', 'awq', 'gptq']],
		['input_tokens', 'number', 'tokens'],
		['output_tokens', 'number', 'tokens'],
		['requests_per_s', 'number', 'per_second'],
		['profile', 'choice', ['flat', 'office_hours', 'waking_hours']],
		['ttft_ms', 'number', 'ms'],
		['tpot_ms', 'number', 'ms'],
		['percentile', 'choice', ['50', '90', '95', '99']],
		['spare_replicas', 'number', 'replicas'],
	],
	usage: [
		['card', 'card'],
		['gpu_hours', 'number', 'gpu_hours'],
		['days', 'number', 'days'],
		['buffer', 'number'],
	],
	hosting: [
		['card', 'card'],
		['cards_per_server', 'number', 'cards'],
		['servers', 'number', 'servers'],
	],
}

const usual = {
	training: {
		kind: 'training',
		method: 'lora',
		model: 'qwen2.5-14b',
		tokens: 2e8,
		seq_len: 4096,
		runs_per_month: 8,
		deadline_hours: 12,
	},
	inference: {
		kind: 'inference',
		model: 'qwen2.5-14b',
		weights: 'int8',
		input_tokens: 1200,
		output_tokens: 300,
		requests_per_s: 20,
		profile: 'office_hours',
		ttft_ms: 500,
		tpot_ms: 50,
		percentile: 95,
		spare_replicas: 1,
	},
	usage: { kind: 'usage', card: 'a100-80-sxm', gpu_hours: 40000, days: 90, buffer: 0.3 },
	hosting: { kind: 'hosting', card: 'h100-sxm', cards_per_server: 8, servers: 4 },
}

const project = {
	months: 12,
	cities: cities.map(([city]) => city),
	routes: ['rent', 'buy_and_host', 'hybrid'],
	terms: ['hourly', 'monthly', 'quarterly', 'yearly'],
	network: { public_mbps: 100 },
	service: 'bare',
	tax: 'excluded',
	top: 5,
}
const routes = ['rent', 'buy_and_host', 'hybrid']
const terms = ['hourly', 'monthly', 'quarterly', 'yearly', 'spot']

const named = (kind) => ({ name: t(`kind.${kind}`), ...usual[kind] })

/** What can be tried with one click: [name, spec]. */
export const examples = () => [
	...Object.keys(usual).map((kind) => [
		t(`kind.${kind}`),
		{ title: t(`kind.${kind}`), workloads: [named(kind)], ...project },
	]),
	[
		t('plan.example_all'),
		{
			title: t('plan.example_all_title'),
			workloads: Object.keys(usual).map(named),
			...project,
			network: { public_mbps: 100, egress_gb_per_month: 5000, dataset_tb_in: 10 },
			storage_tb: 20,
		},
	],
]

// ---- controls ----

let lists = {}

const kindOf = (entry) => (entry === 'choice' || entry === 'model' || entry === 'card' ? 'text' : entry)
const valueAt = (spec, name) => name.split('/').reduce((at, key) => at?.[key], spec)

function control(name, entry, options, prefix) {
	if (entry === 'choice')
		return choice(name, [['', t('plan.unset')], ...options.map((option) => [option, word(prefix, option)])])
	if (entry === 'number') return number(name, { size: 8 })
	return h('input', { name, list: lists[entry]?.id, autocomplete: 'off', spellcheck: 'false', size: 16 })
}

function entryField(name, [key, entry, more]) {
	if (entry === 'yes') return group(t(`field.${key}`), name, marked(tick(name, 'true', t('plan.yes')), 'yes'))
	const input = control(name, entry, more, `value.${key}`)
	input.dataset.type = key === 'percentile' ? 'number' : kindOf(entry)
	return field(t(`field.${key}`), input, { unit: typeof more === 'string' ? t(`unit.${more}`) : undefined })
}

/** PLACE with the type of the control in it noted. */
function marked(place, type) {
	place.querySelector('input').dataset.type = type
	return place
}

const ticks = (legend, name, pairs) =>
	group(
		legend,
		name,
		pairs.map(([value, label]) => marked(tick(name, value, label), 'list')),
	)

function workloadFields(workload, index, { onKind, onRemove, alone }) {
	const at = (key) => `workloads/${index}/${key}`
	const kind = choice(
		at('kind'),
		Object.keys(kinds).map((name) => [name, t(`kind.${name}`)]),
		{ onchange: (event) => onKind(index, event.target.value) },
	)
	kind.dataset.type = 'text'
	const name = h('input', { name: at('name'), size: 12, autocomplete: 'off' })
	name.dataset.type = 'text'
	return h(
		'fieldset',
		{ class: 'workload' },
		h('legend', {}, t('plan.workload', { number: index + 1 })),
		h(
			'div',
			{ class: 'fields' },
			field(t('field.kind'), kind),
			field(t('field.name'), name),
			kinds[workload.kind].map((entry) => entryField(at(entry[0]), entry)),
			!alone &&
				h(
					'button',
					{ type: 'button', class: 'plain', onclick: () => onRemove(index) },
					t('plan.remove', { number: index + 1 }),
				),
		),
	)
}

function projectFields() {
	const plain = (name, unit) => {
		const input = number(name)
		input.dataset.type = name === 'budget_per_month' ? 'text' : 'number'
		return field(t(`field.${name.split('/').pop()}`), input, { unit: unit && t(`unit.${unit}`) })
	}
	const chosen = (name, options, prefix) => {
		const input = control(name, 'choice', options, prefix)
		input.dataset.type = 'text'
		return field(t(`field.${name.split('/').pop()}`), input)
	}
	const words = (name, attributes) => {
		const input = h('input', { name, autocomplete: 'off', ...attributes })
		input.dataset.type = 'text'
		return field(t(`field.${name.split('/').pop()}`), input)
	}
	return [
		h(
			'fieldset',
			{ class: 'workload' },
			h('legend', {}, t('plan.project')),
			h(
				'div',
				{ class: 'fields' },
				words('title', { size: 22 }),
				plain('months', 'months'),
				chosen('tax', ['excluded', 'included'], 'tax'),
				plain('network/public_mbps', 'mbps'),
				chosen('service', ['bare', 'image', 'managed'], 'service'),
				plain('budget_per_month', 'yuan_month'),
				plain('top'),
				ticks(
					t('field.cities'),
					'cities',
					cities.map(([city]) => [city, t(`city.${city}`)]),
				),
				ticks(
					t('field.routes'),
					'routes',
					routes.map((route) => [route, t(`route.${route}`)]),
				),
				ticks(
					t('field.terms'),
					'terms',
					terms.map((term) => [term, t(`term.${term}`)]),
				),
			),
		),
		h(
			'details',
			{ 'class': 'more', 'data-print': 'as-is' },
			h('summary', {}, t('plan.more')),
			h(
				'div',
				{ class: 'fields' },
				plain('storage_tb', 'tb'),
				plain('network/egress_gb_per_month', 'gb_month'),
				plain('network/dataset_tb_in', 'tb'),
				plain('network/ips', 'addresses'),
				plain('kwh_price', 'yuan_kwh'),
				words('start', { placeholder: '2027-01-15', size: 11 }),
				plain('require/availability'),
				plain('require/replacement_hours', 'hours'),
				plain('require/max_card_age_years', 'years'),
				chosen('require/power_tier', ['n', 'n+1', '2n'], 'value.power_tier'),
				chosen('require/delivery', ['bare_metal', 'vm', 'container'], 'value.delivery'),
				words('require/start_by', { placeholder: '2027-01-15', size: 11 }),
				['support_24x7', 'new_cards'].map((name) =>
					marked(tick(`require/${name}`, 'true', t(`field.${name}`)), 'yes'),
				),
			),
		),
	]
}

// ---- the form as a whole ----

/** Draws SPEC into FORM; ON: { kind, remove, add } are called for changes of its shape. */
export function drawForm(place, spec, on) {
	if (lists.model === undefined) lists = { model: modelList(), card: cardList() }
	replace(
		place,
		lists.model,
		lists.card,
		spec.workloads.map((workload, index) =>
			workloadFields(workload, index, {
				onKind: on.kind,
				onRemove: on.remove,
				alone: spec.workloads.length === 1,
			}),
		),
		h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: on.add }, t('plan.add'))),
		projectFields(),
	)
	for (const input of place.querySelectorAll('[data-type]')) {
		const value = input.name === 'cities' ? spec.cities?.map(cityId) : valueAt(spec, input.name)
		if (input.type === 'checkbox')
			input.checked = input.dataset.type === 'yes' ? value === true : (value ?? []).includes(input.value)
		else input.value = value ?? ''
	}
	if (spec.require || spec.storage_tb || spec.start || spec.kwh_price) place.querySelector('details').open = true
}

function put(spec, name, value) {
	const keys = name.split('/')
	const last = keys.pop()
	const at = keys.reduce((place, key, index) => (place[key] ??= /^\d+$/.test(keys[index + 1] ?? '') ? [] : {}), spec)
	at[last] = value
}

/** A number where it is one; what is none stays as typed, for the interface to complain about. */
const numeric = (text) => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text)

/** The request that FORM says; empty fields are left out. */
export function readSpec(form) {
	const spec = { title: undefined, workloads: [] }
	for (const input of form.querySelectorAll('[data-type]')) {
		const { type } = input.dataset
		if (type === 'list') {
			if (valueAt(spec, input.name) === undefined) put(spec, input.name, [])
			if (input.checked) valueAt(spec, input.name).push(input.value)
		} else if (type === 'yes') {
			if (input.checked) put(spec, input.name, true)
		} else if (input.value.trim() !== '') {
			put(spec, input.name, type === 'number' ? numeric(input.value) : input.value.trim())
		}
	}
	return JSON.parse(JSON.stringify(spec))
}

/** SPEC with the workload INDEX turned into KIND: what both kinds know is kept. */
export function changeKind(spec, index, kind) {
	const before = spec.workloads[index]
	const known = new Set(kinds[kind].map(([key]) => key))
	const kept = Object.fromEntries(Object.entries(before).filter(([key]) => known.has(key)))
	const names = Object.keys(kinds).map((name) => t(`kind.${name}`))
	const name = before.name === undefined || names.includes(before.name) ? t(`kind.${kind}`) : before.name
	return {
		...spec,
		workloads: spec.workloads.map((workload, at) =>
			at === index ? { ...usual[kind], ...kept, name, kind } : workload,
		),
	}
}

export const addWorkload = (spec) => ({ ...spec, workloads: [...spec.workloads, named('inference')] })
export const removeWorkload = (spec, index) => ({
	...spec,
	workloads: spec.workloads.filter((workload, at) => at !== index),
})
