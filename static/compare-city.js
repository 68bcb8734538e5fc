// compare-city.js - what belongs to one city: the offer that stands for it and the others, renting the
// same cards there, its tariff hours.
import { foreign, linesTable, missing, originMark, placeOf, seller, sellersOf, tariffName, warningList } from './bill.js'
import { dayStrip } from './chart.js'
import { cities as all } from './cities.js'
import { h, newId } from './dom.js'
import { rounded, subtract, yuan } from './number.js'
import { go } from './state.js'
import { amount, figure, money, table } from './table.js'
import { listed, parts, t, word } from './text.js'

const cities = all.map(([city]) => city)

export const nameOf = (city) => word('city', city.city)

const usableTerms = (priced) => priced.terms.filter((term) => term.status === 'ok')

// ---- a city ----

function cabinetWords(bill) {
	return bill.servers_per_cabinet > 0
		? t('compare.cabinets', {
				cabinets: bill.cabinets,
				servers: bill.servers_per_cabinet,
				limit: t(`packed.${bill.packed_by}`),
			})
		: t('compare.cabinets_only', { cabinets: bill.cabinets })
}

function offerFacts(offer) {
	const facts = [
		offer.site && foreign(offer.site),
		offer.cabinet_kw && t('compare.cabinet_kw', { kw: offer.cabinet_kw }),
		offer.power_tier,
		offer.pue && `PUE ${offer.pue}`,
		offer.power_billing && t(`billing.${offer.power_billing}`),
		offer.note && foreign(offer.note),
	].filter(Boolean)
	return facts.flatMap((fact, index) => (index === 0 ? [fact] : [' · ', fact]))
}

/** An offer down to its row: supplier, what it is, where it stands, from when it is. */
export function offerCard(offer, heading) {
	return h(
		'div',
		{ class: 'offer' },
		h(
			'p',
			{},
			heading && [h('span', { class: 'quiet' }, heading), ' '],
			h('strong', {}, seller(offer)),
			' ',
			originMark(offer.origin),
		),
		h('p', { class: 'quiet' }, offerFacts(offer)),
		h(
			'p',
			{ class: 'quiet' },
			placeOf(offer, ' · '),
		),
	)
}

/** One of the offers that can serve CITY, to be taken instead: its price first, then whose it is. */
function offerRadio({ offer }, term, chosen, take) {
	const id = newId('pick')
	return h(
		'div',
		{},
		h('input', {
			id,
			type: 'radio',
			name: `pick-${chosen.city.city}`,
			checked: offer === chosen.priced.offer && term === chosen.bill,
			onchange: () => take({ offer: offer.offer, term: term.term }),
		}),
		h(
			'label',
			{ for: id },
			h('strong', {}, yuan(term.per_month)),
			` ${t('per_month')} `,
			h(
				'span',
				{ class: 'quiet' },
				parts('compare.option', {
					supplier: seller(offer),
					kw: offer.cabinet_kw ?? '–',
					term: word('term', term.term),
				}),
			),
		),
	)
}

function offerChoice(city, chosen, picks, values) {
	const options = city.offers
		.filter((priced) => priced.usable)
		.flatMap((priced) => usableTerms(priced).map((term) => [priced, term]))
	const take = (wanted) => {
		const now = { ...picks, [city.city]: wanted }
		const pick = cities
			.filter((name) => now[name])
			.map((name) => `${name}:${now[name].offer}:${now[name].term}`)
			.join(',')
		go('compare', { ...values, pick })
	}
	return h(
		'details',
		{ 'class': 'choice', 'open': picks[city.city] !== undefined, 'data-print': 'as-is' },
		h('summary', {}, t('compare.other_offer', { count: options.length })),
		h(
			'div',
			{ class: 'choices', role: 'radiogroup', 'aria-label': t('compare.choose', { city: nameOf(city) }) },
			options.map(([priced, term]) => offerRadio(priced, term, chosen, take)),
		),
	)
}

function refusedOffers(city) {
	const refused = city.offers.filter((priced) => !priced.usable)
	if (refused.length === 0) return null
	return h(
		'details',
		{ 'data-print': 'as-is' },
		h('summary', {}, t('compare.refused', { count: refused.length })),
		h(
			'ul',
			{ class: 'refused' },
			refused.map(({ offer, terms }) =>
				h(
					'li',
					{},
					seller(offer),
					' ',
					originMark(offer.origin),
					' ',
					offer.cabinet_kw ? `${offer.cabinet_kw} kW ` : '',
					h('span', { class: 'quiet' }, [...new Set(terms.map((term) => term.text))].join(' ')),
				),
			),
		),
	)
}

/** How many offers rank behind those that the answer tells of. */
function leftOut(city) {
	if (city.left_out === 0) return null
	const shown = city.offers.filter((priced) => priced.usable).length
	const values = { count: city.left_out, shown: city.offers.length, usable: city.usable - shown }
	return h('p', { 'class': 'quiet', 'data-left-out': city.city }, t('compare.left_out', values))
}

/** The panel of CHOSEN ({city, priced, bill}); PICKS and VALUES make the address of another choice. */
export function cityPanel(chosen, months, picks, values) {
	const { city, priced, bill } = chosen
	const title = h('h3', {}, nameOf(city))
	if (bill === null)
		return h(
			'section',
			{ class: 'city panel' },
			title,
			h('p', { class: 'unknown' }, h('strong', {}, t('no_data')), ' ', t('compare.city_none')),
			refusedOffers(city),
			leftOut(city),
		)
	return h(
		'section',
		{ class: 'city panel' },
		title,
		h(
			'p',
			{ 'class': 'amount', 'data-month': city.city },
			yuan(bill.per_month),
			h('span', { class: 'quiet' }, ` ${t('per_month')}`),
		),
		h('p', {}, t('compare.total', { months, total: yuan(bill.total) })),
		h('p', {}, cabinetWords(bill)),
		h(
			'p',
			{ class: 'quiet' },
			listed(
				[
					bill.per_card_hour && t('compare.card_hour', { amount: yuan(bill.per_card_hour) }),
					t('compare.upfront', { amount: yuan(bill.upfront) }),
					t('compare.vat', { amount: yuan(bill.vat) }),
				].filter(Boolean),
			),
		),
		missing(bill),
		warningList(bill.warnings),
		offerCard(priced.offer),
		priced.side && offerCard(priced.side, t('compare.side')),
		offerChoice(city, chosen, picks, values),
		refusedOffers(city),
		leftOut(city),
	)
}

// ---- renting the same ----

function rentPanel(chosen, rent, national) {
	const { bill, city } = chosen
	const title = h('h3', {}, nameOf(city))
	const shown = rent ?? national
	if (shown === null)
		return h(
			'section',
			{ class: 'panel' },
			title,
			h('p', { class: 'unknown' }, h('strong', {}, t('no_data')), ' ', t('compare.rent_none')),
		)
	return h(
		'section',
		{ class: 'panel' },
		title,
		rent === null && h('p', { class: 'unknown' }, t('compare.rent_national')),
		h('p', { class: 'amount small' }, yuan(shown.per_month), h('span', { class: 'quiet' }, ` ${t('per_month')}`)),
		shown.per_card_hour && h('p', {}, t('compare.card_hour', { amount: yuan(shown.per_card_hour) })),
		bill !== null && h('p', {}, t('compare.room', { amount: yuan(subtract(shown.per_month, bill.per_month)) })),
		missing(shown),
		warningList(shown.warnings),
		offerCard(shown.offer),
		h(
			'details',
			{ 'class': 'lines-of', 'data-print': 'as-is' },
			h('summary', {}, t('lines.open')),
			linesTable(
				shown,
				sellersOf([shown.offer]),
				t('lines.caption_rent', { city: nameOf(city) }),
			),
		),
	)
}

/** Renting the cards of the question, beside each city CHOSEN; null without cards. */
export function rentSection(chosen, answer) {
	if (!answer.question.cards) return null
	return h(
		'section',
		{},
		h('h2', {}, t('compare.rent')),
		h('p', {}, t('compare.rent_why')),
		h(
			'div',
			{ class: 'cities roomy' },
			chosen.map((one) => rentPanel(one, one.city.rent, answer.national_rent)),
		),
	)
}

// ---- the hours of a day ----

const letters = () => ({ v: t('letter.valley'), f: t('letter.flat'), p: t('letter.peak'), s: t('letter.sharp') })
const bandNames = { v: 'valley', f: 'flat', p: 'peak', s: 'sharp' }

function hoursSentence(title, bands) {
	const runs = [...bands.matchAll(/(.)\1*/g)].map((run) =>
		t('tariff.run', { from: run.index, to: run.index + run[0].length, band: word('band', bandNames[run[1]]) }),
	)
	return t('tariff.sentence', { title, runs: listed(runs) })
}

/** The hours of the drawing of CITY as a table. */
function hoursTable(city) {
	const { hours, sharp_hours: sharp } = city.tariff
	const band = (letter) => word('band', bandNames[letter])
	const rows = [...hours].map((letter, hour) => [
		t('tariff.hour', { from: hour, to: hour + 1 }),
		band(letter),
		...(sharp === hours ? [] : [band(sharp[hour])]),
	])
	const heads = ['hours', 'ordinary', ...(sharp === hours ? [] : ['sharp_day'])]
	return h(
		'details',
		{ 'data-print': 'as-is' },
		h('summary', {}, t('own.table')),
		table(
			t('tariff.caption', { city: nameOf(city) }),
			heads.map((name) => t(`tariff.${name}`)),
			rows,
			{ name: 'hours' },
		),
	)
}

/** What running in valley hours only saves and costs for the offer CHOSEN, in a sentence; null where that is not known. */
function valleyWords({ priced }) {
	const running = priced?.running
	if (!running) return null
	const { whole_day: whole, valley } = running
	const values = {
		saved: yuan(subtract(whole.power_per_month, valley.power_per_month)),
		whole: yuan(rounded(whole.owned_per_hour ?? whole.per_hour, 2)),
		valley: yuan(rounded(valley.owned_per_hour ?? valley.per_hour, 2)),
	}
	return h('p', {}, t(whole.owned_per_hour === null ? 'running.words' : 'running.words_owned', values))
}

/** Around the clock beside valley hours only, for the offers CHOSEN; null where no offer says. */
export function runningTable(chosen) {
	const known = chosen.filter((one) => one.priced?.running)
	if (known.length === 0) return null
	const owned = known.some((one) => one.priced.running.valley.owned_per_hour !== null)
	const row = (one, name) => {
		const running = one.priced.running[name]
		const note = !running.complete && t('bill.lower_bound')
		return [
			t(`running.${name}`, { city: nameOf(one.city) }),
			amount(running.hours_per_month),
			amount(running.kwh_per_month),
			money(running.power_per_month, { note }),
			money(running.per_month, { note }),
			money(running.per_hour),
			owned && (running.owned_per_hour === null ? figure('–') : money(running.owned_per_hour)),
		].filter(Boolean)
	}
	const heads = ['schedule', 'hours', 'kwh', 'power', 'month', 'hour', owned && 'owned_hour'].filter(Boolean)
	return table(
		t('running.caption'),
		heads.map((name) => t(`running.${name}`)),
		known.flatMap((one) => [row(one, 'whole_day'), row(one, 'valley')]),
		{ name: 'running', stack: true },
	)
}

/** The tariff of the city of CHOSEN by the hour. */
export function tariffPanel(chosen) {
	const { city } = chosen
	const { tariff } = city
	const strip = (bands, title) =>
		bands && [h('p', { class: 'quiet' }, title), dayStrip(bands, letters(), hoursSentence(title, bands))]
	const prices = Object.entries(tariff.per_kwh).map(([band, price]) =>
		h(
			'li',
			{},
			h('span', { class: 'quiet' }, word('band', band)),
			' ',
			price === null ? h('span', { class: 'unknown' }, t('no_data')) : [yuan(price), ' ', t('per_kwh')],
		),
	)
	return h(
		'section',
		{ class: 'panel' },
		h('h3', {}, nameOf(city)),
		strip(tariff.hours, t('tariff.ordinary')),
		tariff.sharp_hours !== tariff.hours && strip(tariff.sharp_hours, t('tariff.sharp_day')),
		tariff.hours && hoursTable(city),
		tariff.id === null
			? h('p', { class: 'unknown' }, h('strong', {}, t('no_data')), ' ', t('tariff.none'))
			: [
					h('ul', { class: 'prices' }, prices),
					h(
						'p',
						{ class: 'quiet' },
						tariffName(tariff.id, tariff.name),
						tariff.valid_from && [' · ', t('tariff.from', { date: tariff.valid_from })],
						tariff.source && tariff.source !== tariff.id && [' · ', foreign(tariff.source)],
					),
				],
		valleyWords(chosen),
	)
}
