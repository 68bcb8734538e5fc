// form.js - forms: labelled controls whose names are those of the interface, and the problems that
// the interface answers, shown at the control they are about.
import { h, newId, replace } from './dom.js'

/** A control with its label, an optional unit behind it, and room for a problem below. */
export function field(label, control, { unit, hint, wide } = {}) {
	control.id ||= newId('field')
	const below = h('p', { class: 'problem', id: `${control.id}-problem` })
	const describes = [below.id]
	const help = hint ? h('p', { class: 'quiet', id: `${control.id}-hint` }, hint) : null
	if (help) describes.push(help.id)
	control.setAttribute('aria-describedby', describes.join(' '))
	return h(
		'div',
		{ 'class': wide ? 'field wide' : 'field', 'data-field': control.name },
		h('label', { for: control.id }, label),
		h('div', { class: 'control' }, control, unit ? h('span', { class: 'unit' }, unit) : null),
		help,
		below,
	)
}

/** A field for a number, which stays the text that was typed. */
export const number = (name, attributes = {}) =>
	h('input', { name, type: 'text', inputmode: 'decimal', autocomplete: 'off', size: 6, ...attributes })

/** A choice among [value, label] pairs. */
export const choice = (name, options, attributes = {}) =>
	h(
		'select',
		{ name, ...attributes },
		options.map(([value, label]) => h('option', { value }, label)),
	)

/** A ticked box among several of the same name. */
export function tick(name, value, label) {
	const id = newId('tick')
	return h(
		'span',
		{ class: 'tick' },
		h('input', { type: 'checkbox', id, name, value }),
		h('label', { for: id }, label),
	)
}

/** A single box with its label behind it, as a field. */
export function boxField(label, control) {
	control.id ||= newId('box')
	return h(
		'div',
		{ 'class': 'field box', 'data-field': control.name },
		h('span', { class: 'tick' }, control, h('label', { for: control.id }, label)),
		h('p', { class: 'problem' }),
	)
}

/** Controls under one legend, which share the problem of the field NAME. */
export const group = (legend, name, ...controls) =>
	h(
		'fieldset',
		{ 'class': 'field', 'data-field': name },
		h('legend', {}, legend),
		h('div', { class: 'ticks' }, controls),
		h('p', { class: 'problem' }),
	)

/** {name: text} of FORM; ticked boxes of one name are joined by commas. Disabled controls are out. */
export function readForm(form) {
	const values = {}
	for (const [name, value] of new FormData(form)) {
		const text = value.trim()
		values[name] = values[name] === undefined ? text : `${values[name]},${text}`
	}
	return values
}

/**
 * Puts VALUES into FORM. What already says the same is not touched, so typing is not disturbed; nor
 * is what is disabled, so that it still says the same when it is wanted again.
 */
export function writeForm(form, values) {
	for (const control of form.elements) {
		if (!control.name || control.disabled) continue
		const value = values[control.name] ?? ''
		if (control.type === 'checkbox' || control.type === 'radio')
			control.checked = value.split(',').includes(control.value)
		else if (control.value.trim() !== value) control.value = value
	}
}

/** The field of FORM (null: none) at NAME, or the nearest that holds it: the list of an entry. */
function placeOf(form, name) {
	for (let at = name; at !== ''; at = at.includes('/') ? at.slice(0, at.lastIndexOf('/')) : '') {
		const place = form?.querySelector(`[data-field="${CSS.escape(at)}"]`)
		if (place) return place
	}
	return null
}

/** Where in FORM PROBLEM belongs: {problem, place, control, label}; place and control null where nowhere. */
function found(form, problem) {
	const place = placeOf(form, String(problem.pointer ?? '').replace(/^\//, ''))
	if (place === null) return { problem, place, control: null, label: '' }
	const legend = place.closest('.workload')?.querySelector('legend').textContent
	const label = place.querySelector('label, legend').textContent
	return {
		problem,
		place,
		control: place.querySelector('input, select, textarea'),
		label: legend && legend !== label ? `${legend} · ${label}` : label,
	}
}

/** Opens whatever NODE is folded away in. */
export function unfold(node) {
	for (let fold = node.closest('details'); fold !== null; fold = fold.parentElement.closest('details')) fold.open = true
}

/**
 * Marks the fields of FORM that PROBLEMS are about and opens what they are folded away in; answers for
 * each of them where it belongs, as found().
 */
export function showProblems(form, problems) {
	for (const place of form?.querySelectorAll('[data-field]') ?? []) {
		replace(place.querySelector('.problem'))
		place.querySelector('[aria-invalid]')?.removeAttribute('aria-invalid')
	}
	return problems.map((problem) => {
		const one = found(form, problem)
		if (one.control === null) return one
		const below = one.place.querySelector('.problem')
		replace(below, below.textContent, ' ', problem.message, problem.hint ? ` ${problem.hint}` : '')
		one.control.setAttribute('aria-invalid', 'true')
		unfold(one.place)
		return one
	})
}
