// plan-spec.js - the request of POST /plan as a value: what is usual, and how it changes its shape.
import { cities } from './cities.js'
import { dimensions, kinds, namesOf } from './plan-fields.js'
import { t } from './text.js'

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

const around = {
	months: 12,
	cities: cities.map(([city]) => city),
	routes: ['rent', 'buy_and_host', 'hybrid'],
	terms: ['hourly', 'monthly', 'quarterly', 'yearly'],
	network: { public_mbps: 100 },
	service: 'bare',
	tax: 'excluded',
	top: 5,
}

const named = (kind) => ({ name: t(`kind.${kind}`), ...usual[kind] })

/** What can be tried with one click: [name, spec]. */
export const examples = () => [
	...Object.keys(usual).map((kind) => [
		t(`kind.${kind}`),
		{ title: t(`kind.${kind}`), workloads: [named(kind)], ...around },
	]),
	[
		t('plan.example_all'),
		{
			title: t('plan.example_all_title'),
			workloads: Object.keys(usual).map(named),
			...around,
			network: { public_mbps: 100, egress_gb_per_month: 5000, dataset_tb_in: 10 },
			storage_tb: 20,
		},
	],
]

/** Whether SPEC can stand in the form: an object with workloads that are objects. */
export const isSpec = (spec) =>
	isObject(spec) && Array.isArray(spec.workloads) && spec.workloads.length > 0 && spec.workloads.every(isObject)

export const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value)

// ---- places in a request, by the pointer (RFC 6901, without the first slash) of what stands there ----

const keysOf = (name) => name.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
const escaped = (key) => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** What SPEC has at NAME. */
export const valueAt = (spec, name) => keysOf(name).reduce((at, key) => at?.[key], spec)

/** Puts VALUE at NAME of SPEC; undefined takes away what stands there, and what is empty without it. */
export function put(spec, name, value) {
	const keys = keysOf(name)
	const last = keys.pop()
	let at = spec
	for (const key of keys) {
		if (typeof at[key] !== 'object' || at[key] === null) {
			if (value === undefined) return
			at[key] = {}
		}
		at = at[key]
	}
	if (value === undefined) delete at[last]
	else at[last] = value
	if (value === undefined && keys.length > 0 && isObject(at) && Object.keys(at).length === 0 && keys[0] !== 'workloads')
		put(spec, keys.map(escaped).join('/'), undefined)
}

/** The names of what NODE (at PREFIX) has and no field of KNOWN (a set of names) shows. */
export function strangers(node, known, prefix = '') {
	return Object.entries(node).flatMap(([key, value]) => {
		const name = prefix + escaped(key)
		if (known.has(name)) return []
		const inside = `${name}/`
		if (isObject(value) && [...known].some((one) => one.startsWith(inside))) return strangers(value, known, inside)
		return [name]
	})
}

// ---- another shape ----

const changed = (spec, index, change) => ({
	...spec,
	workloads: spec.workloads.map((workload, at) => (at === index ? change(workload) : workload)),
})

/** SPEC with the workload INDEX turned into KIND: what BEFORE (of that kind) or both kinds know is kept. */
export function changeKind(spec, index, kind, before = {}) {
	const known = new Set(namesOf(kind))
	const names = Object.keys(kinds).map((name) => t(`kind.${name}`))
	return changed(spec, index, (workload) => {
		const kept = Object.fromEntries(Object.entries(workload).filter(([key]) => known.has(key)))
		const name = workload.name === undefined || names.includes(workload.name) ? t(`kind.${kind}`) : workload.name
		return { ...usual[kind], ...before, ...kept, name, kind }
	})
}

/** The dimensions of MODEL (as the catalogue has it) that a request may give. */
export function dimensionsOf(model) {
	const names = Object.values(dimensions).flatMap((rows) => rows.map(([name]) => name))
	const given = names.filter((name) => name !== 'id' && ![null, undefined, 0].includes(model?.[name]))
	return Object.fromEntries(given.map((name) => [name, model[name]]))
}

/** SPEC with MODEL (an id, or an object of dimensions) in the workload INDEX. */
export const changeModel = (spec, index, model) => changed(spec, index, (workload) => ({ ...workload, model }))

/** SPEC with one workload more, under a name that none has yet. */
export function addWorkload(spec) {
	const taken = new Set(spec.workloads.map(({ name }) => name))
	const first = named('inference')
	let name = first.name
	for (let number = 2; taken.has(name); number++) name = `${first.name} ${number}`
	return { ...spec, workloads: [...spec.workloads, { ...first, name }] }
}

export const removeWorkload = (spec, index) => ({
	...spec,
	workloads: spec.workloads.filter((workload, at) => at !== index),
})
