// plan-entry.js - how a field of a request is entered. Each maker answers { control, beside, read(),
// write(value) }: the control, nodes behind it, and the value it stands for; undefined = left out.
import { cityId } from './cities.js'
import { h, newId, replace } from './dom.js'
import { choice } from './form.js'
import { search } from './lists.js'
import { lang, t, word } from './text.js'

/** VALUE as a reader may edit it; what no field can hold stands there as JSON. */
const asText = (value) =>
	value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

const UNITS = { '': 1, '\u4e07': 1e4, '\u4ebf': 1e8 }

/**
 * A number where TEXT is one, also with commas between thousands, or ten thousands or hundred millions
 * in Chinese; what is none stays as typed, for the interface to complain about.
 */
function numeric(text) {
	if (Number.isFinite(Number(text))) return Number(text)
	const [, digits, unit] = /^(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*([\u4e07\u4ebf]?)$/.exec(text) ?? []
	return digits === undefined ? text : Number((Number(digits.replaceAll(',', '')) * UNITS[unit]).toPrecision(15))
}

/** One line of text that VALUEOF turns into a value. */
function line(name, valueOf, attributes) {
	const input = h('input', { name, autocomplete: 'off', size: 8, ...attributes })
	return {
		control: input,
		read: () => (input.value.trim() === '' ? undefined : valueOf(input.value.trim())),
		write(value) {
			input.value = asText(value)
		},
	}
}

const MANY = 1e6

/** The field MADE for a number, with large ones in words behind it: who counts nine digits? */
function withReading(made) {
	const reading = h('span', { class: 'unit' })
	const show = () => {
		const value = made.read()
		const words = new Intl.NumberFormat(lang, { notation: 'compact', compactDisplay: 'long', maximumSignificantDigits: 4 })
		replace(reading, typeof value === 'number' && value >= MANY && words.format(value))
	}
	made.control.addEventListener('input', show)
	return {
		...made,
		beside: [reading],
		write(value) {
			made.write(value)
			show()
		},
	}
}

const same = (text) => text
const isRequired = (name) => /^(require|network)\//.test(name)

/** The word for OPTION of the field KEY. */
function optionWord(key, option) {
	if (typeof option === 'boolean') return t(option ? 'plan.yes' : 'plan.no')
	if (['tax', 'service', 'route', 'term', 'city'].includes(key)) return word(key, option)
	return word(`value.${key}`, option)
}

function select(name, options) {
	const key = name.split('/').pop()
	const none = t(isRequired(name) ? 'plan.unset' : 'plan.default')
	const control = choice(name, [['', none], ...options.map((option) => [String(option), optionWord(key, option)])])
	let foreign
	return {
		control,
		read: () =>
			control.value === ''
				? undefined
				: (options.find((option) => String(option) === control.value) ?? foreign ?? control.value),
		write(value) {
			const text = asText(value)
			if (text !== '' && !options.some((option) => String(option) === text)) {
				foreign = value
				control.append(h('option', { value: text }, text))
			}
			control.value = text
		},
	}
}

/** A box that is ticked for true; for wishes, where false is the same as saying nothing. */
function yes(name) {
	const box = h('input', { type: 'checkbox', name, value: 'true' })
	return {
		control: box,
		read: () => (box.checked ? true : undefined),
		write(value) {
			box.checked = value === true
		},
	}
}

/** Boxes for a list; what the list has besides OPTIONS stays in it. Nothing said = ALL of them. */
function ticks(name, options, { idOf = same, all = options } = {}) {
	const key = { cities: 'city', routes: 'route', terms: 'term' }[name]
	const boxes = options.map((value) => h('input', { type: 'checkbox', id: newId('tick'), name, value }))
	let others = []
	return {
		boxes: boxes.map((box) =>
			h('span', { class: 'tick' }, box, h('label', { for: box.id }, optionWord(key, box.value))),
		),
		read: () => [...boxes.filter((box) => box.checked).map((box) => box.value), ...others],
		write(value) {
			const list = Array.isArray(value) ? value : all
			others = list.filter((one) => !options.includes(idOf(one)))
			for (const box of boxes) box.checked = list.some((one) => idOf(one) === box.value)
		},
	}
}

/** A named profile or the share of the peak hour by hour. */
function profile(name, options) {
	const chosen = select(name, [...options, 'hourly'])
	const hours = h('input', {
		'name': `${name}/hours`,
		'aria-label': t('plan.hours'),
		'placeholder': '0.2 0.2 … 1 1',
		'autocomplete': 'off',
		'size': 20,
	})
	const fit = () => {
		hours.hidden = chosen.control.value !== 'hourly'
	}
	chosen.control.addEventListener('change', fit)
	return {
		control: chosen.control,
		beside: [hours],
		read: () => (hours.hidden ? chosen.read() : hours.value.split(/[\s,;]+/).filter(Boolean).map(numeric)),
		write(value) {
			chosen.write(Array.isArray(value) ? 'hourly' : value)
			hours.value = Array.isArray(value) ? value.map(asText).join(' ') : ''
			fit()
		},
	}
}

const searched = (kind) => (name) => {
	const made = line(name, same, { size: 16, spellcheck: 'false' })
	return { ...made, beside: [search(made.control, kind)] }
}

const parsed = (text) => {
	try {
		return JSON.parse(text)
	} catch {
		return text
	}
}

export const makers = {
	text: (name, more) => line(name, same, typeof more === 'object' ? more : { size: 14 }),
	date: (name) => line(name, same, { placeholder: '2027-01-15', size: 11, inputmode: 'numeric' }),
	number: (name) => withReading(line(name, numeric, { inputmode: 'decimal' })),
	/** Money: the digits as typed. */
	amount: (name) => line(name, same, { inputmode: 'decimal' }),
	words: (name, more) => {
		const made = line(name, (text) => text.split(/[\s,;\u3001\uff0c\uff1b]+/).filter(Boolean), more)
		return {
			...made,
			write: (value) => {
				made.control.value = Array.isArray(value) ? value.map(asText).join(', ') : asText(value)
			},
		}
	},
	choice: select,
	yes,
	ticks: (name, options) => ticks(name, options, { all: options.filter((option) => option !== 'spot') }),
	cities: (name, options) => ticks(name, options, { idOf: cityId }),
	profile,
	model: searched('model'),
	card: searched('card'),
	tariff: searched('tariff'),
	/** What the form does not know: any JSON, as it came. */
	json: (name) => {
		const made = line(name, parsed, { size: 20, spellcheck: 'false' })
		return {
			...made,
			write: (value) => {
				made.control.value = JSON.stringify(value)
			},
		}
	},
}
