// compare.js - the view that anybody may open: own servers in the data centres of Shenzhen, Dongguan
// and Huizhou side by side, where the difference comes from, and what renting the same would cost.
import { accountsIn, assumedTable, dateOr, figure, foreign, linesTable, missing, originMark, printedBasis, table, warningList } from './bill.js'
import { bar, dayStrip, swatch } from './chart.js'
import { cities as all } from './cities.js'
import { h, replace } from './dom.js'
import { choice, field, group, number, readForm, showProblems, tick, writeForm } from './form.js'
import { ask, Refused } from './http.js'
import { absolute, grouped, isNegative, isZero, micro, order, share, signed, subtract, yuan } from './number.js'
import { failure } from './failure.js'
import { cardList } from './lists.js'
import { address, go } from './state.js'
import { listed, listedNodes, parts, t, word } from './text.js'

const cities = all.map(([city]) => city)
const usual = { card: 'h100-sxm', servers: '4', mbps: '100', months: '12' }
/** What the form shows where the address says nothing: what the interface would assume. */
const assumed = { schedule: '24x7', tax: 'excluded', samples: 'yes', hours_per_month: '720', cities: cities.join(',') }
const extras = ['schedule', 'hours', 'tax', 'hours_per_month', 'samples', 'cities', 'kwh_price', 'pue', 'load_factor', 'ips', 'storage_tb', 'service']

// ---- the form ----

function cardField() {
	const list = cardList()
	const control = h('input', { name: 'card', list: list.id, autocomplete: 'off', spellcheck: 'false', size: 14 })
	return [field(t('compare.card'), control), list]
}

function mainFields(button) {
	return h('div', { class: 'fields' },
		field(t('compare.by'), choice('by', [['servers', t('compare.by_servers')], ['kw', t('compare.by_kw')]])),
		h('div', { class: 'field-group', 'data-when': 'servers' },
			cardField(),
			field(t('compare.cards_per_server'), number('cards_per_server', { placeholder: t('compare.usual') }), { unit: t('unit.cards') }),
			field(t('compare.servers'), number('servers'), { unit: t('unit.servers') })),
		h('div', { class: 'field-group', 'data-when': 'kw' }, field(t('compare.kw'), number('kw'), { unit: 'kW' })),
		field(t('compare.mbps'), number('mbps'), { unit: 'Mbps' }),
		field(t('compare.months'), number('months'), { unit: t('unit.months') }), button)
}

function moreFields() {
	return h('details', { class: 'more', 'data-print': 'as-is' },
		h('summary', {}, t('compare.more')),
		h('div', { class: 'fields' },
			field(t('compare.schedule'), choice('schedule', ['24x7', 'valley', 'hours'].map((name) => [name, t(`schedule.${name}`)]))),
			h('div', { class: 'field-group', 'data-when': 'hours' }, field(t('compare.hours'), h('input', { name: 'hours', size: 12, placeholder: '9-18' }))),
			field(t('compare.tax'), choice('tax', ['excluded', 'included'].map((name) => [name, word('tax', name)]))),
			field(t('compare.hours_per_month'), choice('hours_per_month', [['720', '720'], ['730', '730']]), { unit: t('unit.hours') }),
			field(t('compare.samples'), choice('samples', [['yes', t('compare.samples_yes')], ['no', t('compare.samples_no')]])),
			field(t('compare.kwh_price'), number('kwh_price', { placeholder: t('compare.by_sheet') }), { unit: t('unit.yuan_kwh') }),
			field('PUE', number('pue', { placeholder: t('compare.by_sheet') })),
			field(t('compare.load_factor'), number('load_factor', { placeholder: '0.65' })),
			field(t('compare.ips'), number('ips'), { unit: t('unit.addresses') }),
			field(t('compare.storage_tb'), number('storage_tb'), { unit: 'TB' }),
			field(t('compare.service'), choice('service', [['', t('compare.service_none')], ...['bare', 'image', 'managed'].map((name) => [name, t(`service.${name}`)])])),
			group(t('compare.cities'), 'cities', cities.map((city) => tick('cities', city, word('city', city))))))
}

/** Only the fields that the choices made leave sensible; the others keep what was typed. */
function fitForm(form) {
	const wanted = { servers: form.elements.by.value === 'servers', kw: form.elements.by.value === 'kw', hours: form.elements.schedule.value === 'hours' }
	for (const place of form.querySelectorAll('[data-when]')) {
		place.hidden = !wanted[place.dataset.when]
		for (const control of place.querySelectorAll('input')) control.disabled = place.hidden
	}
}

/** The values for the address: what the form says, without what would be assumed anyway. */
function formValues(form) {
	const { by, ...values } = readForm(form)
	for (const [name, value] of Object.entries(assumed)) if (values[name] === value) delete values[name]
	return values
}

function writeValues(form, values) {
	const by = values.kw === undefined ? 'servers' : 'kw'
	form.elements.by.value = by
	form.elements.schedule.value = values.schedule ?? assumed.schedule
	fitForm(form)
	writeForm(form, { ...assumed, ...values, by })
	if (extras.some((name) => values[name] !== undefined)) form.querySelector('details').open = true
}

// ---- which offer stands for a city ----

/** {shenzhen: {offer, term}} of 'shenzhen:112:monthly,…'. */
function readPicks(text) {
	const picks = {}
	for (const pick of (text ?? '').split(',')) {
		const [city, offer, term] = pick.split(':')
		picks[city] = { offer, term }
	}
	return picks
}

const usableTerms = (priced) => priced.terms.filter((term) => term.status === 'ok')

/** {city, priced, bill} with the offer picked, else the cheapest; bill is null where none can serve. */
function choose(city, pick) {
	const usable = city.offers.filter((priced) => priced.usable)
	if (usable.length === 0) return { city, priced: null, bill: null }
	const priced = usable.find((one) => String(one.offer.offer) === pick?.offer) ?? usable[0]
	const bill = usableTerms(priced).find((term) => term.term === pick?.term) ?? priced.terms[priced.cheapest]
	return { city, priced, bill }
}

const nameOf = (city) => word('city', city.city)

// ---- the answer in one sentence ----

/** The accounts in which BILL differs from BASE, the greatest difference first. */
function differences(base, bill) {
	return accountsIn([base, bill])
		.map((account) => ({ account, amount: subtract(bill.accounts[account], base.accounts[account]) }))
		.filter((one) => !isZero(one.amount))
		.sort((a, b) => order(absolute(b.amount), absolute(a.amount)))
}

function sentence(base, other) {
	const amount = subtract(other.bill.per_month, base.bill.per_month)
	const values = { city: nameOf(other.city), base: nameOf(base.city), amount: yuan(absolute(amount)), percent: isZero(base.bill.per_month) ? '–' : share(amount, base.bill.per_month) }
	return t(isZero(amount) ? 'compare.same' : isNegative(amount) ? 'compare.cheaper' : 'compare.dearer', values)
}

/** TEXT that no line end tears apart. */
const unbroken = (text) => h('span', { class: 'unbroken' }, text)

/** Why OTHER differs from BASE: account by account, adding up to the difference. */
function reason(base, other, months) {
	const found = differences(base.bill, other.bill)
	if (found.length === 0) return null
	const pieces = found.map((one) => unbroken(t('compare.piece', { account: word('account', one.account), amount: signed(one.amount) })))
	return h('p', { class: 'reason' }, parts('compare.reason', {
		months, amount: unbroken(signed(subtract(other.bill.total, base.bill.total))), pieces: listedNodes(pieces),
	}))
}

function headline(chosen, months) {
	const priced = chosen.filter((one) => one.bill !== null)
	if (priced.length === 0) return [h('h2', {}, t('compare.none'))]
	if (priced.length === 1)
		return [h('h2', {}, t('compare.only', { city: nameOf(priced[0].city), amount: yuan(priced[0].bill.per_month) }))]
	const [base, first, ...rest] = priced
	return [
		h('h2', {}, sentence(base, first)), reason(base, first, months),
		rest.map((other) => [h('h3', {}, sentence(base, other)), reason(base, other, months)]),
	]
}

/** What a reader must know before believing the sentence. */
function cautions(chosen, values) {
	const priced = chosen.filter((one) => one.bill !== null)
	const holes = priced.filter((one) => one.bill.unknown.length > 0)
	const sampled = priced.some((one) => one.priced.offer.origin === 'sample' || one.priced.side?.origin === 'sample')
	return [
		holes.length > 0 && h('p', { class: 'caution' }, t('compare.holes', { cities: listed(holes.map((one) => nameOf(one.city))) })),
		sampled && h('p', { class: 'caution' }, t('compare.sampled')),
		priced.length === 0 && values.samples === 'no' && h('p', { class: 'caution' }, t('compare.unsampled')),
	]
}

// ---- a city ----

function cabinetWords(bill) {
	return bill.servers_per_cabinet > 0
		? t('compare.cabinets', { cabinets: bill.cabinets, servers: bill.servers_per_cabinet, limit: t(`packed.${bill.packed_by}`) })
		: t('compare.cabinets_only', { cabinets: bill.cabinets })
}

function offerFacts(offer) {
	const facts = [
		offer.site && foreign(offer.site), offer.cabinet_kw && t('compare.cabinet_kw', { kw: offer.cabinet_kw }),
		offer.power_tier, offer.pue && `PUE ${offer.pue}`, offer.power_billing && t(`billing.${offer.power_billing}`), offer.note && foreign(offer.note),
	].filter(Boolean)
	return facts.flatMap((fact, index) => (index === 0 ? [fact] : [' · ', fact]))
}

/** An offer down to its row: supplier, what it is, where it stands, from when it is. */
function offerCard(offer, heading) {
	return h('div', { class: 'offer' },
		h('p', {}, heading && [h('span', { class: 'quiet' }, heading), ' '], h('strong', {}, foreign(offer.supplier_name ?? offer.supplier)), ' ', originMark(offer.origin)),
		h('p', { class: 'quiet' }, offerFacts(offer)),
		h('p', { class: 'quiet' },
			t(offer.sheet_name ? 'source.page-row' : 'source.row', { sheet: offer.sheet, page: offer.sheet_name ?? '', row: offer.row }), ' · ',
			t('compare.dates', { date: dateOr(offer.price_date), until: dateOr(offer.valid_to) }),
			offer.reference && [' · ', foreign(offer.reference)]))
}

function offerChoice(city, chosen, picks, values) {
	const options = city.offers.filter((priced) => priced.usable).flatMap((priced) => usableTerms(priced).map((term) => [
		`${priced.offer.offer}:${term.term}`,
		t('compare.option', {
			supplier: priced.offer.supplier_name ?? priced.offer.supplier, kw: priced.offer.cabinet_kw ?? '–', term: word('term', term.term), amount: yuan(term.per_month),
		}),
	]))
	const control = choice('pick', options, {
		onchange: () => {
			const [offer, term] = control.value.split(':')
			const now = { ...picks, [city.city]: { offer, term } }
			const pick = cities.filter((name) => now[name]).map((name) => `${name}:${now[name].offer}:${now[name].term}`).join(',')
			go('compare', { ...values, pick })
		},
	})
	control.value = `${chosen.priced.offer.offer}:${chosen.bill.term}`
	return field(t('compare.other_offer', { count: options.length }), control, { wide: true })
}

function refusedOffers(city) {
	const refused = city.offers.filter((priced) => !priced.usable)
	if (refused.length === 0) return null
	return h('details', { 'data-print': 'as-is' },
		h('summary', {}, t('compare.refused', { count: refused.length })),
		h('ul', { class: 'refused' }, refused.map(({ offer, terms }) => h('li', {},
			foreign(offer.supplier_name ?? offer.supplier), ' ', originMark(offer.origin), ' ',
			offer.cabinet_kw ? `${offer.cabinet_kw} kW ` : '', h('span', { class: 'quiet' }, [...new Set(terms.map((term) => term.text))].join(' '))))))
}

function cityPanel(chosen, months, picks, values) {
	const { city, priced, bill } = chosen
	const title = h('h3', {}, nameOf(city))
	if (bill === null) return h('section', { class: 'city panel' }, title, h('p', { class: 'unknown' }, h('strong', {}, t('no_data')), ' ', t('compare.city_none')), refusedOffers(city))
	return h('section', { class: 'city panel' }, title,
		h('p', { class: 'amount', 'data-month': city.city }, yuan(bill.per_month), h('span', { class: 'quiet' }, ` ${t('per_month')}`)),
		h('p', {}, t('compare.total', { months, total: yuan(bill.total) })),
		h('p', {}, cabinetWords(bill)),
		h('p', { class: 'quiet' }, listed([
			bill.per_card_hour && t('compare.card_hour', { amount: yuan(bill.per_card_hour) }),
			t('compare.upfront', { amount: yuan(bill.upfront) }), t('compare.vat', { amount: yuan(bill.vat) }),
		].filter(Boolean))),
		missing(bill), warningList(bill.warnings),
		offerCard(priced.offer), priced.side && offerCard(priced.side, t('compare.side')),
		offerChoice(city, chosen, picks, values), refusedOffers(city))
}

// ---- where it goes ----

function barSentence(chosen, shown, months) {
	const pieces = shown.map((account) => t('compare.piece', { account: word('account', account), amount: yuan(chosen.bill.accounts[account]) }))
	return t('compare.bar', { city: nameOf(chosen.city), months, total: yuan(chosen.bill.total), pieces: listed(pieces) })
}

function chart(priced, months) {
	const shown = accountsIn(priced.map((one) => one.bill))
	const most = priced.map((one) => one.bill.total).reduce((a, b) => (micro(a) > micro(b) ? a : b))
	const rows = priced.map((one) => h('div', { class: 'bar-row' },
		h('p', {}, h('strong', {}, nameOf(one.city)), ' ', yuan(one.bill.per_month), ' ', h('span', { class: 'quiet' }, t('per_month'))),
		bar(shown.map((account) => ({ name: account, label: word('account', account), value: one.bill.accounts[account] })), most, barSentence(one, shown, months))))
	return h('figure', { class: 'chart' },
		h('ul', { class: 'legend' }, shown.map((account) => h('li', {}, swatch(account), ' ', word('account', account)))), rows)
}

function accountsTable(priced, months) {
	const [base, ...others] = priced
	const shown = accountsIn(priced.map((one) => one.bill))
	const row = (name, of, attributes) => [
		name, ...priced.map((one) => h('td', { class: 'figure', ...attributes?.(one) }, yuan(of(one.bill)))),
		...others.map((one) => figure(signed(subtract(of(one.bill), of(base.bill))))),
	]
	const heads = [t('compare.account'), ...priced.map((one) => nameOf(one.city)), ...others.map((one) => t('compare.minus', { city: nameOf(one.city), base: nameOf(base.city) }))]
	return table(t('compare.accounts', { months }), heads,
		shown.map((account) => row(word('account', account), (bill) => bill.accounts[account], (one) => ({ 'data-account': `${one.city.city}:${account}` }))),
		{
			name: 'accounts',
			foot: [
				row(t('compare.all', { months }), (bill) => bill.total, (one) => ({ 'data-total': one.city.city })),
				row(t('compare.each_month'), (bill) => bill.per_month),
			],
		})
}

// ---- renting the same ----

function rentPanel(chosen, rent, national) {
	const { bill, city } = chosen
	const title = h('h3', {}, nameOf(city))
	const shown = rent ?? national
	if (shown === null) return h('section', { class: 'panel' }, title, h('p', { class: 'unknown' }, h('strong', {}, t('no_data')), ' ', t('compare.rent_none')))
	return h('section', { class: 'panel' }, title,
		rent === null && h('p', { class: 'unknown' }, t('compare.rent_national')),
		h('p', { class: 'amount small' }, yuan(shown.per_month), h('span', { class: 'quiet' }, ` ${t('per_month')}`)),
		shown.per_card_hour && h('p', {}, t('compare.card_hour', { amount: yuan(shown.per_card_hour) })),
		bill !== null && h('p', {}, t('compare.room', { amount: yuan(subtract(shown.per_month, bill.per_month)) })),
		missing(shown), warningList(shown.warnings), offerCard(shown.offer),
		h('details', {}, h('summary', {}, t('lines.open')), linesTable(shown, { [shown.offer.supplier]: shown.offer.supplier_name }, t('lines.caption_rent', { city: nameOf(city) }))))
}

function rentSection(chosen, answer) {
	if (!answer.question.cards) return null
	return h('section', {}, h('h2', {}, t('compare.rent')), h('p', {}, t('compare.rent_why')),
		h('div', { class: 'cities roomy' }, chosen.map((one) => rentPanel(one, one.city.rent, answer.national_rent))))
}

// ---- the hours of a day ----

const letters = () => ({ v: t('letter.valley'), f: t('letter.flat'), p: t('letter.peak'), s: t('letter.sharp') })
const bandNames = { v: 'valley', f: 'flat', p: 'peak', s: 'sharp' }

function hoursSentence(title, bands) {
	const runs = [...bands.matchAll(/(.)\1*/g)].map((run) =>
		t('tariff.run', { from: run.index, to: run.index + run[0].length, band: word('band', bandNames[run[1]]) }))
	return t('tariff.sentence', { title, runs: listed(runs) })
}

function tariffPanel(city) {
	const { tariff } = city
	const strip = (bands, title) => bands && [h('p', { class: 'quiet' }, title), dayStrip(bands, letters(), hoursSentence(title, bands))]
	const prices = Object.entries(tariff.per_kwh).map(([band, price]) => h('li', {},
		h('span', { class: 'quiet' }, word('band', band)), ' ', price === null ? h('span', { class: 'unknown' }, t('no_data')) : [yuan(price), ' ', t('per_kwh')]))
	return h('section', { class: 'panel' }, h('h3', {}, nameOf(city)),
		strip(tariff.hours, t('tariff.ordinary')),
		tariff.sharp_hours !== tariff.hours && strip(tariff.sharp_hours, t('tariff.sharp_day')),
		tariff.id === null ? h('p', { class: 'unknown' }, h('strong', {}, t('no_data')), ' ', t('tariff.none'))
			: [h('ul', { class: 'prices' }, prices), h('p', { class: 'quiet' }, foreign(tariff.name), ' · ', t('tariff.from', { date: dateOr(tariff.valid_from) }), tariff.source && [' · ', foreign(tariff.source)])])
}

// ---- all of it ----

function linesSection(priced) {
	return h('section', {}, h('h2', {}, t('lines.title')), priced.map((one) => {
		const offers = [one.priced.offer, one.priced.side].filter(Boolean)
		const names = Object.fromEntries(offers.map((offer) => [offer.supplier, offer.supplier_name]))
		return h('details', {}, h('summary', {}, t('lines.of', { city: nameOf(one.city), count: one.bill.lines.length })),
			linesTable(one.bill, names, t('lines.caption', { city: nameOf(one.city) })))
	}))
}

function basisSection(answer, priced, values) {
	const { basis, question } = answer
	const facts = [
		['asked', question.servers ? t('basis.servers', { servers: question.servers, cards: question.cards_per_server, card: question.card, kw: grouped(question.kw) }) : t('basis.kw', { kw: grouped(question.kw) })],
		['schedule', question.schedule === 'hours' ? t('basis.schedule_hours', { hours: values.hours }) : t(`schedule.${question.schedule}`)], ['mbps', `${grouped(question.mbps)} Mbps`],
		['tax', word('tax', basis.tax)], ['hours', t('basis.hours_value', { hours: basis.hours_per_month })],
		['period', t('basis.period_value', { start: basis.start, months: basis.months })],
		['revision', t('basis.revision_value', { revision: basis.catalogue_revision, today: basis.today })],
	]
	return h('section', {}, h('h2', {}, t('basis.title')),
		h('dl', { class: 'facts' }, facts.map(([name, value]) => h('div', {}, h('dt', {}, t(`basis.${name}`)), h('dd', {}, value)))),
		assumedTable(priced.map((one) => one.bill.assumed)))
}

function drawAnswer(place, answer, values) {
	const picks = readPicks(values.pick)
	const chosen = answer.cities.map((city) => choose(city, picks[city.city]))
	const priced = chosen.filter((one) => one.bill !== null)
	const { months } = answer.basis
	replace(place.headline, printedBasis(answer.basis), headline(chosen, months))
	replace(place.results,
		cautions(chosen, values),
		priced.length > 0 && [chart(priced, months), accountsTable(priced, months), h('p', { class: 'quiet' }, t('compare.not_machines'))],
		h('section', {}, h('h2', {}, t('compare.offers')), h('div', { class: 'cities' }, chosen.map((one) => cityPanel(one, months, picks, values)))),
		priced.length > 0 && linesSection(priced),
		rentSection(chosen, answer),
		h('section', {}, h('h2', {}, t('tariff.title')), h('div', { class: 'cities' }, answer.cities.map(tariffPanel))),
		basisSection(answer, priced, values))
}

/** The query of GET /compare for the VALUES of the address. */
function queryOf({ pick, ...values }) {
	return new URLSearchParams(values).toString().replaceAll('%2C', ',')
}

export function open(main, first) {
	let values = {}
	let asking = null
	const place = { headline: h('div', { class: 'headline', role: 'status' }), results: h('div', { class: 'results' }) }
	const button = h('button', { class: 'primary' }, t('compare.go'))
	const form = h('form', { class: 'question panel', 'aria-label': t('compare.form'), novalidate: true }, mainFields(button), moreFields())

	async function refresh() {
		asking?.abort()
		asking = new AbortController()
		place.results.setAttribute('aria-busy', 'true')
		try {
			const answer = await ask('GET', `/compare?${queryOf(values)}`, { signal: asking.signal })
			showProblems(form, [])
			drawAnswer(place, answer, values)
		} catch (error) {
			if (error.name === 'AbortError') return
			if (!(error instanceof Refused)) throw error
			replace(place.headline)
			replace(place.results, failure(error, showProblems(form, error.problems), refresh))
		}
		place.results.removeAttribute('aria-busy')
	}
	function submit(event) {
		event.preventDefault()
		fitForm(form)
		if (event.target === form.elements.by && form.elements[form.elements.by.value].value === '') return
		const wanted = { ...formValues(form), pick: values.pick }
		if (address('compare', wanted) === location.hash) refresh()
		else go('compare', wanted)
	}
	function update(next) {
		values = Object.keys(next).length === 0 ? usual : next
		writeValues(form, values)
		refresh()
	}
	form.addEventListener('submit', submit)
	form.addEventListener('change', submit)
	replace(main, h('h1', {}, t('compare.title')), h('p', { class: 'lead' }, t('compare.lead')), form, place.headline, place.results)
	update(first)
	return { update, close: () => asking?.abort() }
}
