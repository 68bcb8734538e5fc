// compare-form.js - the form of GET /compare. Its controls have the names of the interface; what it
// says is the state in the address.
import { cities as all } from './cities.js'
import { h } from './dom.js'
import { choice, field, group, number, readForm, tick, writeForm } from './form.js'
import { searchField } from './lists.js'
import { t, word } from './text.js'

const cities = all.map(([city]) => city)
/** What the form shows where the address says nothing: what the interface would assume. */
const assumed = { schedule: '24x7', tax: 'excluded', samples: 'yes', hours_per_month: '720', cities: cities.join(',') }
const extras = [
	'schedule',
	'hours',
	'tax',
	'hours_per_month',
	'samples',
	'cities',
	'kwh_price',
	'pue',
	'load_factor',
	'ips',
	'storage_tb',
	'service',
	'server_kw',
	'server_u',
	'own_operation_hours',
	'own_operation_cost',
	'start',
	'tariff',
]

/** The fields that everybody fills in, with BUTTON behind them. */
export function mainFields(button) {
	return h(
		'div',
		{ class: 'fields' },
		field(
			t('compare.by'),
			choice('by', [
				['servers', t('compare.by_servers')],
				['kw', t('compare.by_kw')],
			]),
		),
		h(
			'div',
			{ 'class': 'field-group', 'data-when': 'servers' },
			searchField(t('compare.card'), 'card', 'card', { size: 14 }),
			field(t('compare.cards_per_server'), number('cards_per_server', { placeholder: t('compare.usual') }), {
				unit: t('unit.cards'),
			}),
			field(t('compare.servers'), number('servers'), { unit: t('unit.servers') }),
		),
		h('div', { 'class': 'field-group', 'data-when': 'kw' }, field(t('compare.kw'), number('kw'), { unit: 'kW' })),
		field(t('compare.mbps'), number('mbps'), { unit: 'Mbps' }),
		field(t('compare.months'), number('months'), { unit: t('unit.months') }),
		button,
	)
}

/** The fields with a usual answer, folded away. */
export function moreFields() {
	return h(
		'details',
		{ 'class': 'more', 'data-print': 'as-is' },
		h('summary', {}, t('compare.more')),
		h(
			'div',
			{ class: 'fields' },
			field(
				t('compare.schedule'),
				choice(
					'schedule',
					['24x7', 'valley', 'hours'].map((name) => [name, t(`schedule.${name}`)]),
				),
			),
			h(
				'div',
				{ 'class': 'field-group', 'data-when': 'hours' },
				field(t('compare.hours'), h('input', { name: 'hours', size: 12, placeholder: '9-18' })),
			),
			field(
				t('compare.tax'),
				choice(
					'tax',
					['excluded', 'included'].map((name) => [name, word('tax', name)]),
				),
			),
			field(
				t('compare.hours_per_month'),
				choice('hours_per_month', [
					['720', '720'],
					['730', '730'],
				]),
				{ unit: t('unit.hours') },
			),
			field(
				t('compare.samples'),
				choice('samples', [
					['yes', t('compare.samples_yes')],
					['no', t('compare.samples_no')],
				]),
			),
			field(t('compare.kwh_price'), number('kwh_price', { placeholder: t('compare.by_sheet') }), {
				unit: t('unit.yuan_kwh'),
			}),
			field('PUE', number('pue', { placeholder: t('compare.by_sheet') })),
			field(t('compare.load_factor'), number('load_factor', { placeholder: '0.65' })),
			field(t('compare.dedicated_mbps'), number('dedicated_mbps'), { unit: 'Mbps' }),
			field(t('compare.ips'), number('ips'), { unit: t('unit.addresses') }),
			field(t('compare.storage_tb'), number('storage_tb'), { unit: 'TB' }),
			field(
				t('compare.service'),
				choice('service', [
					['', t('compare.service_none')],
					...['bare', 'image', 'managed'].map((name) => [name, t(`service.${name}`)]),
				]),
			),
			field(t('compare.own_operation_hours'), number('own_operation_hours'), { unit: t('unit.hours') }),
			field(t('compare.own_operation_cost'), number('own_operation_cost'), { unit: t('unit.CNY/hour') }),
			h(
				'div',
				{ 'class': 'field-group', 'data-when': 'servers' },
				field(t('compare.server_kw'), number('server_kw', { placeholder: t('compare.by_card'), size: 9 }), { unit: 'kW' }),
				field(t('compare.server_u'), number('server_u', { placeholder: '8' }), { unit: 'U' }),
			),
			field(t('compare.start'), number('start', { placeholder: '2027-01-15', size: 11, inputmode: 'numeric' })),
			searchField(t('compare.tariff'), 'tariff', 'tariff', { size: 18, placeholder: t('compare.by_city') }),
			group(
				t('compare.cities'),
				'cities',
				cities.map((city) => tick('cities', city, word('city', city))),
			),
		),
	)
}

/** Only the fields that the choices made leave sensible; the others keep what was typed. */
export function fitForm(form) {
	const wanted = {
		servers: form.elements.by.value === 'servers',
		kw: form.elements.by.value === 'kw',
		hours: form.elements.schedule.value === 'hours',
	}
	for (const place of form.querySelectorAll('[data-when]')) {
		place.hidden = !wanted[place.dataset.when]
		for (const control of place.querySelectorAll('input')) control.disabled = place.hidden
	}
}

/** The values for the address: what the form says, without what would be assumed anyway. */
export function formValues(form) {
	const { by, ...values } = readForm(form)
	for (const [name, value] of Object.entries(assumed)) if (values[name] === value) delete values[name]
	return values
}

/** Puts the VALUES of the address into FORM. */
export function writeValues(form, values) {
	const by = values.kw === undefined ? 'servers' : 'kw'
	form.elements.by.value = by
	form.elements.schedule.value = values.schedule ?? assumed.schedule
	fitForm(form)
	writeForm(form, { ...assumed, ...values, by })
	if (extras.some((name) => values[name] !== undefined)) form.querySelector('details').open = true
}

const isBox = (control) => control.type === 'checkbox'
const named = (form) => [...form.elements].filter((control) => control.name)

/** All that FORM holds, also where it is not asked for now: [name, value] of each control. */
export const typedValues = (form) =>
	named(form).map((control) => [control.name, isBox(control) ? control.checked : control.value])

/** Puts back what typedValues() answered (null: nothing). */
export function writeTyped(form, typed) {
	if (typed === null) return
	for (const [index, control] of named(form).entries()) {
		const [name, value] = typed[index] ?? []
		if (name !== control.name) continue
		if (isBox(control)) control.checked = value
		else control.value = value
	}
	fitForm(form)
}
