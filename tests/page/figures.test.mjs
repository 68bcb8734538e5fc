// figures.test.mjs - every figure that a view shows is the interface's, digit for digit, and the
// other way round: what the interface says of the answer shown is on the page.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { settled, signIn } from './browser.mjs'
import { root } from './demo.mjs'

const question = 'card=h100-sxm&servers=4&mbps=100&months=12'
const spec = JSON.parse(readFileSync(path.join(root, 'schema/examples/plan.json'), 'utf8'))
const BILL = ['total', 'per_month', 'upfront', 'vat', 'per_card_hour']

const isNumber = (value) => typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))

/** All numbers within VALUE, as they are sent. */
function numbers(value) {
	if (isNumber(value)) return [String(value)]
	return value && typeof value === 'object' ? Object.values(value).flatMap(numbers) : []
}

/** The values of KEYS of OBJECT that are there. */
const pick = (object, keys) => keys.map((key) => object[key]).filter((value) => value !== null && value !== undefined)

const linesOf = (bill) => [
	...bill.lines.map((line) => pick(line, ['quantity', 'unit_price', 'amount'])),
	...bill.unknown.map((unknown) => unknown.quantity),
]

export default async function (t) {
	const { demo, browser } = t
	const { grouped, percentOf, subtract, sum } = await import(pathToFileURL(path.join(root, 'static/number.js')).href)

	/** The view of HASH with everything unfolded. */
	async function open(hash, role) {
		const page = await browser.page()
		await browser.visit(page, hash)
		if (role) await signIn(page, demo.keys[role])
		const more = page.locator('.classes > button, .results > section > button')
		while ((await more.count()) > 0) await more.first().click()
		await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)))
		await settled(page)
		return page
	}

	/** What a reader of PAGE sees, form and JSON left out, pieces parted by spaces. */
	const seen = (page) =>
		page.evaluate(() => {
			const copy = document.querySelector('main').cloneNode(true)
			for (const node of copy.querySelectorAll('pre, form')) node.remove()
			const texts = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT)
			const pieces = []
			while (texts.nextNode()) pieces.push(texts.currentNode.data)
			return ` ${pieces.join(' ')} `
		})

	const escaped = (text) => text.replace(/[.]/g, '\\.').replace('−', '−¥?')
	const says = (text, value) => new RegExp(`(?<![\\d.,])${escaped(grouped(String(value)))}(?![\\d]|[.,]\\d)`).test(text)

	/** Fails for each of WANTED (numbers in any nesting) that TEXT does not say. */
	function assertSays(text, wanted) {
		const missing = [...new Set(numbers(wanted))].filter((value) => !says(text, value))
		assert.deepEqual(missing, [])
	}

	/** Each figure in a table of PAGE: {value, shown, table}. */
	const figures = (page) =>
		page.locator('main td[data-value]').evaluateAll((cells) =>
			cells.map((cell) => ({
				value: cell.dataset.value,
				shown: cell.firstChild.textContent,
				table: cell.closest('table').className,
			})),
		)

	/** Fails for a figure of PAGE that is neither in ANSWER nor one of MADE here, or whose text has other digits. */
	async function assertFromAnswer(page, answer, made) {
		const known = new Set([...numbers(answer), ...numbers(made)])
		const all = await figures(page)
		assert.ok(all.length > 20)
		for (const { value, shown, table } of all) {
			assert.ok(known.has(value) || table.startsWith('figures'), `${value} in ${table}`)
			const plain = shown.replace(/[¥+, ]/g, '').replace('−', '-')
			const said = plain.replace(/[^\d.-]/g, '')
			if (table.startsWith('assumed') && /%|是|否/.test(shown)) {
				assert.ok(!shown.includes('%') || said === percentOf(value), `${shown} for ${value}`)
				continue
			}
			if (table.startsWith('history')) assert.ok(Math.abs(Number(said) - Number(value)) <= 0.005, shown)
			else assert.equal(Number(said), Number(value), `${shown} for ${value}`)
			if (/\.\d\d$/.test(value) && !table.startsWith('history')) assert.equal(said, value)
		}
	}

	await t.test('compare: every bill, schedule, tariff and account is shown to the digit, and nothing else', async () => {
		const answer = await demo.ask('GET', `/compare?${question}`)
		const page = await open(`#compare?${question}`)
		const text = await seen(page)
		const chosen = answer.cities.map((city) => {
			const priced = city.offers.find((one) => one.usable)
			return { priced, bill: priced.terms[priced.cheapest] }
		})
		for (const { priced, bill } of chosen)
			assertSays(text, [pick(bill, [...BILL, 'cabinets']), numbers(bill.accounts).filter(Number), linesOf(bill), priced.running])
		for (const city of answer.cities) {
			const rent = city.rent ?? answer.national_rent
			assertSays(text, [pick(rent, ['per_month', 'per_card_hour']), linesOf(rent), numbers(city.tariff.per_kwh)])
			for (const other of city.offers.filter((one) => one.usable)) assertSays(text, other.terms.map((term) => term.per_month))
		}
		assertSays(text, [pick(answer.buy, ['per_month', 'upfront']), linesOf(answer.buy), answer.basis.months, answer.question.kw])
		const all = [...chosen.map((one) => one.bill), answer.buy, answer.national_rent, ...answer.cities.map((city) => city.rent).filter(Boolean)]
		const amounts = [...new Set(all.flatMap((bill) => [bill.total, bill.per_month, ...Object.values(bill.accounts)]))]
		const owned = chosen.map((one) => sum([one.bill.per_month, answer.buy.per_month]))
		const differences = [...amounts, ...owned].flatMap((a) => [...amounts, ...owned].map((b) => subtract(a, b)))
		await assertFromAnswer(page, answer, [differences, owned])
		await page.context().close()
	})

	await t.test('plan: every option, its lines, each class of card and what was left is shown to the digit', async () => {
		const answer = await demo.ask('POST', '/plan', { role: 'buyer', body: spec })
		const page = await open(`#plan?spec=${encodeURIComponent(JSON.stringify(spec))}`, 'buyer')
		const text = await seen(page)
		for (const option of answer.options)
			assertSays(text, [
				pick(option, [...BILL, 'paid_per_month', 'per_million_tokens', 'energy_kwh', 'cabinets']).filter(Number),
				linesOf(option),
				option.items.map((item) => pick(item, ['sheet', 'row', 'cards', 'servers', 'cabinets', 'sla_loss']).filter(Number)),
			])
		for (const demand of answer.demand) {
			const told = demand.verdict === 'ok' ? ['cards', 'servers', 'hours_per_month', 'best_total', 'at_least'] : ['gap']
			assertSays(text, [pick(demand, told), demand.memory && pick(demand.memory, ['per_card_gib', 'usable_gib'])])
		}
		for (const group of answer.not_chosen) assertSays(text, pick(group, ['offers', 'alone', 'gap']))
		assertSays(text, [answer.sensitivity.map((one) => [one.from, one.to, one.winner]), answer.offers, answer.basis.months])
		const rest = answer.demand
			.filter((demand) => demand.memory)
			.map(({ memory }) => subtract(String(memory.per_card_gib), sum(Object.values(memory.parts))))
		const more = answer.options.map((option) => subtract(option.per_month, answer.options[0].per_month))
		const left = answer.not_chosen.reduce((all, group) => all + group.offers, 0)
		await assertFromAnswer(page, answer, [rest, more, left])
		await page.context().close()
	})

	await t.test('prices: every month of every price is shown to the digit it is rounded to', async () => {
		const answer = await demo.ask('GET', '/prices/rtx-4090?months=24', { role: 'buyer' })
		const page = await open('#prices?card=rtx-4090', 'buyer')
		const shown = (await figures(page)).map((figure) => figure.value)
		for (const item of answer.items)
			for (const value of pick(item, ['low', 'median', 'high', 'prices', 'suppliers', 'tax_not_stated'])) assert.ok(shown.includes(String(value)), value)
		await assertFromAnswer(page, answer, [])
		await page.context().close()
	})
}
