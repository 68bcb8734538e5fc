// plan-form.js - the form of POST /plan, drawn from the tables of plan-fields.js. A control's name is
// the JSON pointer of what it gives, so the interface's problems find their fields. What the form was
// drawn from is kept: only what somebody changed in it is changed in the request.
import { entryOf } from './catalogue.js'
import { h, replace } from './dom.js'
import { boxField, choice, field, group } from './form.js'
import { makers } from './plan-entry.js'
import { currencies, dimensions, kinds, project, rate } from './plan-fields.js'
import {
	addWorkload,
	changeKind,
	changeModel,
	dimensionsOf,
	isObject,
	put,
	removeWorkload,
	strangers,
	valueAt,
} from './plan-spec.js'
import { t, word } from './text.js'

/** What a field is called, and a remark to it where there is one. */
function labelOf(name) {
	const [place, middle, last] = name.split('/')
	if (place === 'assumptions') return word('assume', middle)
	if (place === 'fx') return t(`fx.${last}`, { currency: middle })
	return t(`field.${name.split('/').pop()}`)
}
function hintOf(name) {
	const key = name.split('/').pop()
	const hint = name.startsWith('assumptions/') ? key : word('hint', key)
	return hint === key ? undefined : hint
}

/** The form in PLACE; CHANGED is called after each change that is not typed (its shape). */
export function planForm(place, changed) {
	/** The request that was drawn, and the fields that show it: { name, read, drawn, fold }. */
	let base = {}
	let bound = []
	const openFolds = new Set()
	/** What a workload was before it was turned into another kind, or its model into another form. */
	let shelf = []

	// ---- fields ----

	function bind(name, entry, fold) {
		entry.write(valueAt(base, name))
		bound.push({ name, read: entry.read, drawn: JSON.stringify(entry.read()), fold })
		return entry
	}
	/** The field of ROW, its name behind PREFIX. */
	function drawField([key, kind, more], { prefix = '', fold = null, label } = {}) {
		const name = prefix + key
		const entry = bind(name, makers[kind](name, more), fold)
		const title = label ?? labelOf(name)
		if (entry.boxes) return group(title, name, entry.boxes)
		if (kind === 'yes') return boxField(title, entry.control)
		const unit = typeof more === 'string' && more !== '' ? t(`unit.${more}`) : undefined
		const made = field(title, entry.control, { unit, hint: fold === null ? undefined : hintOf(name) })
		if (entry.beside) entry.control.after(...entry.beside)
		return made
	}
	/** Fields that are folded away under TITLE; how many of them say something stands there. */
	function drawFold(name, title, rows, prefix = '') {
		const fold = { count: h('span', { class: 'quiet' }) }
		const fields = rows.map((row) => drawField(row, { prefix, fold }))
		return h(
			'details',
			{
				'class': 'more',
				'data-print': 'as-is',
				'open': openFolds.has(name),
				'ontoggle': (event) => (event.target.open ? openFolds.add(name) : openFolds.delete(name)),
			},
			h('summary', {}, title, ' ', fold.count),
			h('div', { class: 'fields' }, fields),
		)
	}
	/** What the request has at PREFIX and the form has no field for: shown as it came, to be changed or emptied. */
	function drawStrangers(node, prefix = '', outside = () => false) {
		const known = new Set(bound.map(({ name }) => name))
		const names = strangers(node, known, prefix).filter((name) => !outside(name))
		if (names.length === 0) return null
		return h(
			'fieldset',
			{ class: 'strangers' },
			h('legend', {}, t('plan.strangers')),
			h(
				'div',
				{ class: 'fields' },
				names.map((name) => drawField([name, 'json'], { label: name.slice(prefix.length) })),
			),
		)
	}

	// ---- workloads ----

	const plain = (label, onclick) => h('button', { type: 'button', class: 'plain', onclick }, label)

	async function toDimensions(index) {
		const { model } = read().workloads[index]
		const entry = await entryOf('model', model)
		shelf[index] = { ...shelf[index], id: model }
		reshape(
			(spec) => changeModel(spec, index, shelf[index].model ?? dimensionsOf(entry)),
			`workloads/${index}/model/params_b`,
		)
	}
	function toCatalogue(index) {
		reshape((spec) => {
			shelf[index] = { ...shelf[index], model: spec.workloads[index].model }
			return changeModel(spec, index, shelf[index].id)
		}, `workloads/${index}/model`)
	}
	function drawDimensions(index) {
		const prefix = `workloads/${index}/model/`
		return h(
			'fieldset',
			{ 'class': 'dimensions', 'data-field': `workloads/${index}/model` },
			h('legend', {}, t('plan.dimensions')),
			h('p', { class: 'problem' }),
			h(
				'div',
				{ class: 'fields' },
				dimensions.size.map((row) => drawField(row, { prefix })),
				plain(t('plan.from_catalogue'), () => toCatalogue(index)),
			),
			drawFold(`${prefix}shape`, t('more.shape'), dimensions.shape, prefix),
			drawFold(`${prefix}attention`, t('more.attention'), dimensions.attention, prefix),
		)
	}
	function drawBasic(workload, index) {
		const prefix = `workloads/${index}/`
		return (kinds[workload.kind]?.basic ?? []).map((row) => {
			if (row[1] !== 'model') return drawField(row, { prefix })
			if (isObject(workload.model)) return null
			const made = drawField(row, { prefix })
			made.append(plain(t('plan.by_dimensions'), () => toDimensions(index)))
			return made
		})
	}
	function drawKind(workload, index) {
		const names = Object.keys(kinds).map((name) => [name, t(`kind.${name}`)])
		if (!Object.hasOwn(kinds, workload.kind ?? '')) names.unshift([workload.kind ?? '', String(workload.kind ?? '')])
		const kind = choice(`workloads/${index}/kind`, names, {
			onchange: (event) => turnInto(index, event.target.value),
		})
		kind.value = workload.kind ?? ''
		bound.push({ name: kind.name, read: () => kind.value, drawn: JSON.stringify(kind.value), fold: null })
		return field(t('field.kind'), kind)
	}
	function turnInto(index, kind) {
		const before = base.workloads[index].kind
		const typed = read()
		shelf[index] = { ...shelf[index], [before]: typed.workloads[index] }
		reshape((spec) => changeKind(spec, index, kind, shelf[index][kind]), `workloads/${index}/kind`)
	}
	function drawWorkload(workload, index) {
		const prefix = `workloads/${index}/`
		const more = kinds[workload.kind]?.more ?? []
		return h(
			'fieldset',
			{ class: 'workload' },
			h('legend', {}, t('plan.workload', { number: index + 1 })),
			h(
				'div',
				{ class: 'fields' },
				drawKind(workload, index),
				drawField(['name', 'text', { size: 12 }], { prefix }),
				drawBasic(workload, index),
				base.workloads.length > 1 && plain(t('plan.remove', { number: index + 1 }), () => remove(index)),
			),
			isObject(workload.model) && drawDimensions(index),
			more.length > 0 && drawFold(`${prefix}more`, t(`more.${workload.kind}`), more, prefix),
			drawStrangers(workload, prefix),
		)
	}
	function remove(index) {
		shelf = shelf.filter((kept, at) => at !== index)
		reshape((spec) => removeWorkload(spec, index), 'add')
	}

	// ---- the project ----

	function drawProject() {
		const rates = [...new Set([...currencies, ...Object.keys(isObject(base.fx) ? base.fx : {})])].flatMap(rate)
		return h(
			'fieldset',
			{ class: 'workload' },
			h('legend', {}, t('plan.project')),
			h(
				'div',
				{ class: 'fields' },
				project.basic.map((row) => drawField(row)),
			),
			drawFold('supply', t('more.supply'), project.supply),
			drawFold('require', t('more.require'), project.require),
			drawFold('basis', t('more.basis'), [...project.basis, ...rates]),
			drawFold('assumptions', t('more.assumptions'), project.assumptions),
			drawStrangers(base, '', (name) => name === 'workloads'),
		)
	}

	// ---- the whole ----

	function countFolds() {
		const counts = new Map()
		for (const { fold, read: said } of bound)
			if (fold !== null) counts.set(fold, (counts.get(fold) ?? 0) + (said() === undefined ? 0 : 1))
		for (const [fold, count] of counts) replace(fold.count, count > 0 && t('plan.filled', { count }))
	}
	/** Draws SPEC instead of what stands there. */
	function draw(spec) {
		base = structuredClone(spec)
		bound = []
		replace(
			place,
			base.workloads.map(drawWorkload),
			h(
				'div',
				{ class: 'buttons' },
				h(
					'button',
					{
						type: 'button',
						name: 'add',
						onclick: () => reshape(addWorkload, `workloads/${base.workloads.length}/kind`),
					},
					t('plan.add'),
				),
			),
			drawProject(),
		)
		countFolds()
	}
	/** The request as the form says it now. */
	function read() {
		const spec = structuredClone(base)
		for (const { name, read: said, drawn } of bound) {
			const value = said()
			if (JSON.stringify(value) !== drawn) put(spec, name, value)
		}
		return spec
	}
	/** The form in another shape, with what was typed; the focus goes to the control FOCUS. */
	function reshape(change, focus) {
		draw(change(read()))
		place.querySelector(`[name="${CSS.escape(focus)}"]`)?.focus()
		changed()
	}
	place.addEventListener('input', countFolds)
	place.addEventListener('change', countFolds)
	return {
		read,
		draw(spec) {
			shelf = []
			draw(spec)
		},
	}
}
