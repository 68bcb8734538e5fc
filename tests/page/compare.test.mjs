// compare.test.mjs - the view that compares cities shows what GET /compare answers, to the digit.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { settled } from './browser.mjs'
import { root } from './demo.mjs'

const question = 'card=h100-sxm&servers=4&mbps=100&months=12'
const names = {
	zh: { shenzhen: '深圳', dongguan: '东莞', huizhou: '惠州' },
	en: { shenzhen: 'Shenzhen', dongguan: 'Dongguan', huizhou: 'Huizhou' },
}

export default async function (t) {
	const { demo, browser } = t
	const { decimal, micro, yuan, grouped, rounded, share, subtract, tenths } = await import(pathToFileURL(path.join(root, 'static/number.js')).href)
	const text = (page, selector) => page.locator(selector).first().innerText()
	const best = (city) => {
		const priced = city.offers.find((one) => one.usable)
		return priced && { ...priced, bill: priced.terms[priced.cheapest] }
	}

	for (const lang of ['zh', 'en']) {
		await t.test(`${lang}: the headline is the exact difference between Shenzhen and Dongguan`, async () => {
			const answer = await demo.ask('GET', `/compare?${question}`, { lang })
			const page = await browser.page({ lang })
			await browser.visit(page, `#compare?${question}`)
			const [shenzhen, dongguan] = answer.cities.map(best)
			const difference = subtract(dongguan.bill.per_month, shenzhen.bill.per_month).replace('-', '')
			const headline = await text(page, '.headline h2')
			assert.ok(headline.includes(yuan(difference)), headline)
			assert.ok(headline.includes(names[lang].shenzhen) && headline.includes(names[lang].dongguan), headline)
			assert.equal(await page.getAttribute('html', 'lang'), lang === 'zh' ? 'zh-CN' : 'en')
			assert.deepEqual(page.complaints, [])
			await page.context().close()
		})

		await t.test(
			`${lang}: every account, total and month is the interface's, and the accounts add up`,
			async () => {
				const answer = await demo.ask('GET', `/compare?${question}`, { lang })
				const page = await browser.page({ lang })
				await browser.visit(page, `#compare?${question}`)
				for (const city of answer.cities) {
					const { bill } = best(city)
					assert.ok((await text(page, `[data-month="${city.city}"]`)).startsWith(yuan(bill.per_month)))
					assert.equal(await text(page, `[data-total="${city.city}"]`), yuan(bill.total))
					let sum = 0n
					for (const [account, amount] of Object.entries(bill.accounts)) {
						const cell = page.locator(`[data-account="${city.city}:${account}"]`)
						if ((await cell.count()) === 0) assert.equal(micro(amount), 0n, account)
						else assert.equal(await cell.innerText(), yuan(amount))
						sum += micro(amount)
					}
					assert.equal(sum, micro(bill.total))
				}
				await page.context().close()
			},
		)

		await t.test(`${lang}: each cost line stands there with formula and the row it comes from`, async () => {
			const answer = await demo.ask('GET', `/compare?${question}`, { lang })
			const page = await browser.page({ lang })
			await browser.visit(page, `#compare?${question}`)
			const tables = page.locator('.lines-section table.lines')
			for (const [index, city] of answer.cities.entries()) {
				const { bill, offer, side } = best(city)
				const rows = await tables
					.nth(index)
					.locator('tbody tr')
					.evaluateAll((all) => all.map((row) => row.textContent))
				assert.equal(rows.length, bill.lines.length + bill.unknown.length)
				for (const [at, line] of bill.lines.entries()) {
					for (const shown of [
						line.text,
						grouped(line.quantity),
						grouped(line.unit_price),
						yuan(line.amount),
						line.formula,
					])
						assert.ok(rows[at].includes(shown), `${shown} in ${rows[at]}`)
					if (line.source.kind !== 'offer') continue
					assert.ok([offer.offer, side?.offer].includes(line.source.offer), 'a line of another offer')
					assert.match(
						rows[at],
						new RegExp(
							lang === 'zh'
								? `报价单 ${line.source.sheet} 第 ${line.source.row} 行`
								: `sheet ${line.source.sheet}, row ${line.source.row}`,
						),
					)
				}
			}
			await page.context().close()
		})
	}

	await t.test('renting, buying and hosting stand side by side, and where they meet is drawn with its figures', async () => {
		const answer = await demo.ask('GET', `/compare?${question}`)
		const page = await browser.page()
		await browser.visit(page, `#compare?${question}`)
		const side = await page.locator('.own .accounts tr').allInnerTexts()
		for (const [index, city] of answer.cities.entries()) {
			const own = decimal(micro(best(city).bill.per_month) + micro(answer.buy.per_month))
			const rent = (city.rent ?? answer.national_rent).per_month
			const cells = side.map((row) => row.split('\t')[index + 1]?.split('\n')[0])
			assert.deepEqual(
				cells.slice(1, 5),
				[best(city).bill.per_month, answer.buy.per_month, own, rent].map(yuan),
			)
			assert.equal(cells[5].replace('+', ''), yuan(subtract(rent, own)))
		}
		const drawn = answer.cities.filter((city) => city.break_even !== null)
		assert.equal(await page.locator('.line-chart').count(), 2 * drawn.length)
		const captions = (await page.locator('.pairs figcaption').allInnerTexts()).join('\n')
		for (const { break_even: at } of drawn) {
			if (at.utilisation !== null) assert.ok(captions.includes(`${share(at.utilisation, '1')}%`), captions)
			if (at.month !== null) assert.ok(captions.includes(tenths(at.month)), captions)
		}
		await page.click('.pairs summary')
		const rows = await page.locator('.pairs table').first().locator('tbody tr').allInnerTexts()
		const at = drawn[0].break_even
		const hours = answer.question.cards * answer.basis.hours_per_month
		const [percent, owned, rented] = rows.at(-1).split('\t')
		assert.equal(percent, '100')
		const owning = decimal(micro(at.own_fixed_month) + micro(at.own_card_hour) * BigInt(hours))
		assert.equal(owned, yuan(rounded(owning, 2)))
		assert.equal(rented, yuan(rounded(at.rent_month, 2)))
		assert.deepEqual(page.complaints, [])
		await page.context().close()
	})

	await t.test('in English a supplier has its English name, in Chinese its Chinese one', async () => {
		const answer = await demo.ask('GET', `/compare?${question}`)
		const { offer } = best(answer.cities[0])
		assert.notEqual(offer.supplier_name, offer.supplier_name_en)
		for (const [lang, name, other] of [
			['zh', offer.supplier_name, offer.supplier_name_en],
			['en', offer.supplier_name_en, offer.supplier_name],
		]) {
			const page = await browser.page({ lang })
			await browser.visit(page, `#compare?${question}`)
			await page.click('.lines-section .lines-of > summary')
			await page.click('.city .choice > summary')
			for (const place of ['.city .offer strong', '.choices label', '.lines-section .source']) {
				const shown = await page.locator(place).first().innerText()
				assert.ok(shown.includes(name) && !shown.includes(other), `${lang} ${place}: ${shown}`)
			}
			await page.context().close()
		}
	})

	await t.test('what has no price is called no data, never 0', async () => {
		const page = await browser.page()
		await browser.visit(page, `#compare?${question}`)
		const strips = page.locator('.panel:has(.strip)')
		assert.match(await strips.nth(0).innerText(), /无数据/)
		assert.match(await strips.nth(1).innerText(), /尖峰\s*无数据/)
		await page.context().close()
	})

	await t.test('samples are marked, and may be left out', async () => {
		const page = await browser.page()
		await browser.visit(page, `#compare?${question}`)
		assert.match(await text(page, '.caution'), /示例/)
		await browser.visit(page, `#compare?${question}&samples=no`)
		assert.equal(await page.locator('.origin-sample').count(), 0)
		await page.context().close()
	})

	await t.test('a load in kW needs no servers', async () => {
		const page = await browser.page()
		await browser.visit(page, `#compare?${question}`)
		await page.selectOption('[name=by]', 'kw')
		assert.ok(await page.locator('[name=kw]').isVisible())
		await page.fill('[name=kw]', '100')
		await page.press('[name=kw]', 'Enter')
		await page.waitForFunction(() => location.hash.includes('kw=100'))
		await settled(page)
		const answer = await demo.ask('GET', '/compare?kw=100&mbps=100&months=12')
		assert.ok((await text(page, '[data-month="shenzhen"]')).startsWith(yuan(best(answer.cities[0]).bill.per_month)))
		await page.selectOption('[name=by]', 'servers')
		assert.equal(await page.inputValue('[name=servers]'), '4')
		await page.context().close()
	})

	await t.test('the address holds the whole state: another offer, another period, and back', async () => {
		const answer = await demo.ask('GET', `/compare?${question}`)
		const other = answer.cities[0].offers.filter((one) => one.usable)[1]
		const page = await browser.page()
		await browser.visit(page, `#compare?${question}`)
		const first = await text(page, '[data-month="shenzhen"]')
		await page.click('.city .choice summary')
		await page.locator('.choices > div', { hasText: yuan(other.terms[0].per_month) }).first().locator('input').check()
		await page.waitForFunction(() => location.hash.includes('pick='))
		await settled(page)
		const shown = await text(page, '[data-month="shenzhen"]')
		assert.ok(shown.startsWith(yuan(other.terms[0].per_month)), shown)

		const copy = await browser.page()
		await copy.goto(page.url())
		await copy.waitForSelector('[data-month="shenzhen"]')
		assert.equal(await text(copy, '[data-month="shenzhen"]'), shown)
		assert.equal(await copy.inputValue('[name=card]'), 'h100-sxm')
		await copy.context().close()

		await page.goBack()
		await page.waitForFunction((was) => document.querySelector('[data-month="shenzhen"]')?.innerText === was, first)
		await page.context().close()
	})

	await t.test('the keyboard alone gets from the top to another answer', async () => {
		const page = await browser.page()
		await browser.visit(page, `#compare?${question}`)
		await page.keyboard.press('Tab')
		assert.equal(await page.evaluate(() => document.activeElement.className), 'skip')
		for (let i = 0; i < 40 && (await page.evaluate(() => document.activeElement.name)) !== 'servers'; i++) {
			await page.keyboard.press('Tab')
			const seen = await page.evaluate(() => {
				const box = document.activeElement.getBoundingClientRect()
				return box.width > 0 && getComputedStyle(document.activeElement).outlineStyle !== 'none'
			})
			assert.ok(seen, 'the focus cannot be seen')
		}
		await page.keyboard.press('Control+A')
		await page.keyboard.type('8')
		await page.keyboard.press('Enter')
		await page.waitForFunction(() => location.hash.includes('servers=8'))
		await settled(page)
		assert.equal(await page.evaluate(() => document.activeElement.name), 'servers')
		const answer = await demo.ask('GET', '/compare?card=h100-sxm&servers=8&mbps=100&months=12')
		assert.ok((await text(page, '[data-month="shenzhen"]')).startsWith(yuan(best(answer.cities[0]).bill.per_month)))
		await page.context().close()
	})

	await t.test('what an answer leaves out is told in its city, and nowhere else', async () => {
		for (const [lang, words] of [['en', /7 offers of this city/], ['zh', /另有 7 个报价/]]) {
			const page = await browser.page({ lang })
			await page.route('**/compare?*', async (route) => {
				const response = await route.fetch()
				const answer = await response.json()
				const [city] = answer.cities
				Object.assign(city, { left_out: 7, usable: city.usable + 5 })
				await route.fulfill({ response, json: answer })
			})
			await browser.visit(page, `#compare?${question}`)
			await settled(page)
			assert.match(await text(page, '[data-left-out]'), words)
			assert.match(await text(page, '[data-left-out]'), /5/)
			assert.equal(await page.locator('[data-left-out]').count(), 1)
			await page.context().close()
		}
	})

	await t.test('a mistake is told at its field, in the language of the page, and what was typed stays', async () => {
		const page = await browser.page({ lang: 'en' })
		await browser.visit(page, `#compare?${question}`)
		await page.fill('[name=card]', 'h100')
		await page.press('[name=card]', 'Enter')
		await page.waitForSelector('[data-field=card] .problem:not(:empty)')
		assert.match(await text(page, '[data-field=card] .problem'), /h100-sxm/)
		assert.equal(await page.getAttribute('[name=card]', 'aria-invalid'), 'true')
		assert.equal(await page.inputValue('[name=card]'), 'h100')
		await page.context().close()
	})

	await t.test('a server that fails is told, nothing typed is lost, and trying again helps', async () => {
		const page = await browser.page()
		await browser.visit(page, `#compare?${question}`)
		await page.route('**/compare?*', (route) => route.abort())
		await page.fill('[name=servers]', '6')
		await page.press('[name=servers]', 'Enter')
		await page.waitForSelector('.failure')
		assert.equal(await page.inputValue('[name=servers]'), '6')
		await page.unroute('**/compare?*')
		await page.click('.failure button')
		await page.waitForSelector('[data-month="shenzhen"]')
		const answer = await demo.ask('GET', '/compare?card=h100-sxm&servers=6&mbps=100&months=12')
		assert.ok((await text(page, '[data-month="shenzhen"]')).startsWith(yuan(best(answer.cities[0]).bill.per_month)))
		await page.context().close()
	})

	await t.test('the cards offered before signing in are all in the catalogue', async () => {
		const { cards } = await import(pathToFileURL(path.join(root, 'static/cards.js')).href)
		const known = new Set()
		for (let next = '/cards'; next;) {
			const answer = await demo.ask('GET', next, { role: 'buyer' })
			for (const card of answer.items) known.add(card.id)
			next = answer.next
		}
		assert.deepEqual(
			cards.map(([id]) => id).filter((id) => !known.has(id)),
			[],
		)
	})

	await t.test('a leased line that is asked for is told, on the screen and on paper, and no other', async () => {
		for (const [more, told] of [['&dedicated_mbps=1500', 1], ['', 0]]) {
			const page = await browser.page({ lang: 'en' })
			await browser.visit(page, `#compare?card=h100-sxm&servers=4&mbps=100&months=12${more}`)
			const facts = await page.locator('.facts').innerText()
			const printed = await page.locator('.on-paper[data-basis]').first().textContent()
			assert.equal(/Leased line\s+1,500 Mbps/.test(facts) ? 1 : 0, told, facts)
			assert.equal(/Leased line 1,500 Mbps/.test(printed) ? 1 : 0, told, printed)
			assert.equal(await page.inputValue('[name="dedicated_mbps"]'), told ? '1500' : '')
			await page.context().close()
		}
	})

	await t.test('every parameter that the interface documents can be given in the form, and comes back from the address', async () => {
		const document_ = JSON.parse(readFileSync(path.join(root, 'schema/openapi.json'), 'utf8'))
		const parameters = document_.paths['/compare'].get.parameters.filter(({ name }) => name !== undefined)
		const sample = ({ name, schema }) =>
			({ card: 'l40s', cities: 'dongguan', hours: '9-18', schedule: 'hours', start: '2031-02-03', samples: 'no' })[name] ??
			String(schema.enum?.at(-1) ?? '3')
		for (const by of ['servers', 'kw']) {
			const page = await browser.page()
			await browser.visit(page, '#compare')
			const asked = parameters.filter(({ name }) =>
				by === 'kw' ? !/^(card|cards_per_server|server)/.test(name) : name !== 'kw',
			)
			await page.selectOption('[name=by]', by)
			await page.evaluate(
				(values) => {
					const form = document.querySelector('.question')
					form.elements.schedule.value = 'hours'
					for (const [name, value] of values)
						for (const control of form.querySelectorAll(`[name="${name}"]`))
							if (control.type === 'checkbox') control.checked = value === control.value
							else {
								control.disabled = false
								control.value = value
							}
				},
				asked.map((one) => [one.name, sample(one)]),
			)
			await page.click('.question .primary')
			await page.waitForFunction(() => location.hash.includes('start=2031'))
			const sent = Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.split('?')[1]))
			assert.deepEqual(sent, Object.fromEntries(asked.map((one) => [one.name, sample(one)])))
			await page.evaluate(() => sessionStorage.clear())
			await page.reload()
			await page.waitForSelector('[name=start]', { state: 'attached' })
			for (const one of asked.filter(({ name }) => name !== 'cities'))
				assert.equal(await page.inputValue(`[name="${one.name}"]`), sample(one), one.name)
			assert.ok(await page.isChecked('[name=cities][value=dongguan]'))
			assert.equal(await page.isChecked('[name=cities][value=huizhou]'), false)
			await page.context().close()
		}
	})
}
