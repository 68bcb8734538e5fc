// sheets.test.mjs - the supplier's view: read first, then submit; and the buyer's price history.
import assert from 'node:assert/strict'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { settled, signIn } from './browser.mjs'
import { root } from './demo.mjs'

const header = '型号,城市,卡数,包月（万元/台/月）,含税'
const good = `${header}\nH100 80GB SXM,深圳,8,7.5,含税6%\nL40S,东莞,8,2.2,含税6%\n`
const bad = `${header}\nH100 80GB SXM,深圳,8,7.5,含税6%\nL40S,东莞,8,abc,含税6%\n`
const file = (name, text) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text, 'utf8') })

export default async function (t) {
	const { demo, browser } = t
	const { grouped, rounded } = await import(pathToFileURL(path.join(root, 'static/number.js')).href)
	const where = '/suppliers/sample-pengcheng/sheets'
	async function open(options) {
		const page = await browser.page(options)
		await browser.visit(page, '#sheets')
		await signIn(page, demo.keys.supplier)
		return page
	}
	async function give(page, given) {
		await page.setInputFiles('input[type=file]', given)
		await page.waitForSelector('.results .reading')
		await settled(page)
	}

	await t.test('a file is read without being kept, row by row with what it means', async () => {
		const before = (await demo.ask('GET', where, { role: 'supplier' })).items.length
		const page = await open()
		await give(page, file('报价.csv', good))
		const rows = await page.locator('.reading tbody tr').allInnerTexts()
		assert.equal(rows.length, 2)
		assert.match(rows[0], /7\.5/)
		assert.match(rows[0], /h100-sxm/)
		assert.equal((await demo.ask('GET', where, { role: 'supplier' })).items.length, before)
		assert.deepEqual(page.complaints, [])
		await page.context().close()
	})

	await t.test('the templates can be fetched in the language of the page', async () => {
		const page = await open({ lang: 'en' })
		for (const link of await page.locator('.drop a').all()) {
			const answer = await page.request.get(demo.origin + (await link.getAttribute('href')))
			assert.equal(answer.status(), 200)
			assert.ok((await answer.body()).length > 100)
		}
		await page.context().close()
	})

	await t.test('a problem stands at its cell; only the good rows can be submitted then', async () => {
		const page = await open({ lang: 'en' })
		await give(page, file('bad.csv', bad))
		const row = page.locator('.reading tbody tr').filter({ hasText: 'D3' })
		assert.equal(await row.count(), 1)
		assert.match(await row.innerText(), /abc/)
		assert.equal(await page.locator('.difference[open]').count(), 0)
		assert.match(await page.locator('.buttons button').innerText(), /submit 1 offer$/)
		await page.click('.buttons button')
		await page.waitForSelector('.done')
		await settled(page)
		assert.match(await page.locator('.kept tbody tr').first().innerText(), /1 offer, 1 error/)
		await page.context().close()
	})

	await t.test('submitting keeps the sheet, lists it, and it can be withdrawn after asking again', async () => {
		const page = await open()
		await give(page, file('报价.csv', good))
		await page.click('.results .buttons .primary')
		await page.waitForSelector('.done')
		await settled(page)
		await give(page, file('报价.csv', good.replace('7.5', '7.2').replace('L40S,东莞', 'L40S,惠州').replace('2.2', '2.4')))
		const changes = await page.locator('.changes tbody tr').allInnerTexts()
		assert.deepEqual(changes.map((text) => text.trim().slice(0, 2)), ['变更', '新增', '撤下'])
		assert.match(changes[0], /h100-sxm/)
		assert.match(changes[0], /13\.0208[^]*→[^]*12\.5/)
		const kept = (await demo.ask('GET', where, { role: 'supplier' })).items
		assert.equal(kept[0].filename, '报价.csv')
		assert.equal(kept[0].status, 'current')
		assert.match(await page.locator('.kept tbody tr').first().innerText(), /报价\.csv/)
		const button = page.locator('.kept button').first()
		await button.click()
		assert.equal((await demo.ask('GET', where, { role: 'supplier' })).items[0].status, 'current')
		await button.click()
		await page.waitForFunction(() => document.querySelector('.kept button') === null)
		assert.equal((await demo.ask('GET', where, { role: 'supplier' })).items[0].status, 'withdrawn')
		await page.context().close()
	})

	await t.test('an upload that fails is told, and trying again needs no second choice of the file', async () => {
		const page = await open()
		await page.route('**/sheets?*', (route) => route.abort())
		await page.setInputFiles('input[type=file]', file('报价.csv', good))
		await page.waitForSelector('.failure')
		await page.unroute('**/sheets?*')
		await page.click('.failure button')
		await page.waitForSelector('.reading')
		await page.context().close()
	})

	await t.test('the history of a card shows the figures of the interface', async () => {
		const answer = await demo.ask('GET', '/prices/h200-sxm?months=24', { role: 'buyer' })
		const page = await browser.page()
		await browser.visit(page, '#prices?card=h200-sxm')
		await signIn(page, demo.keys.buyer)
		const cells = await page.locator('.history tbody tr').allInnerTexts()
		assert.equal(cells.length, answer.items.length)
		const all = cells.join('\n')
		const whole = await page.locator('.history td[title]').evaluateAll((found) => found.map((cell) => cell.title))
		for (const item of answer.items) {
			assert.ok(all.includes(item.month), item.month)
			const places = ['CNY/card-hour', 'CNY/kWh', 'CNY/GB'].includes(item.unit) ? 4 : 2
			for (const figure of [item.low, item.median, item.high]) {
				assert.ok(all.includes(grouped(rounded(figure, places))), figure)
				assert.ok(whole.includes(grouped(figure)), figure)
			}
		}
		await page.fill('[name=card]', 'no-such-card')
		await page.press('[name=card]', 'Enter')
		await page.waitForSelector('.failure')
		assert.equal(await page.inputValue('[name=card]'), 'no-such-card')
		await page.context().close()
	})
}
