// amounts.test.mjs - large amounts in 万 where the reader wants it, and exact wherever they must be.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { axeFindings, settled, signIn } from './browser.mjs'
import { root } from './demo.mjs'

const spec = JSON.parse(readFileSync(path.join(root, 'schema/examples/plan.json'), 'utf8'))
const compare = '#compare?card=h100-sxm&servers=4&mbps=100&months=12'

export default async function (t) {
	const { demo, browser } = t
	const { micro, scaled, yuan } = await import(pathToFileURL(path.join(root, 'static/number.js')).href)
	const shorts = (page) =>
		page.locator('data.short').evaluateAll((all) => all.map((one) => [one.textContent, one.title, one.value]))
	const LARGE = /¥\d{2,3},\d{3}\.|¥\d+,\d{3},\d{3}\./
	/** The words of the view outside of what stays exact. */
	const prose = (page) =>
		page.evaluate(() => {
			const copy = document.querySelector('main').cloneNode(true)
			for (const exact of copy.querySelectorAll('table, pre, option, svg, textarea, .on-paper, [data-basis]')) exact.remove()
			return copy.textContent
		})

	for (const [lang, unit, power, places] of [
		['zh', '万', 4, 2],
		['en', 'k', 3, 1],
	])
		await t.test(`${lang}: large amounts are short in sentences and drawings, their digits one touch away`, async () => {
			const page = await browser.page({ lang })
			await browser.visit(page, compare)
			assert.match(await prose(page), LARGE)
			await page.click('.amounts')
			await page.waitForSelector('data.short')
			assert.match(page.url(), /amounts=wan/)
			assert.doesNotMatch(await prose(page), LARGE)
			for (const [shown, title, value] of await shorts(page)) {
				assert.ok(micro(value) >= micro('10000'))
				assert.equal(title.replace(/^[+−]/, ''), yuan(value))
				assert.ok(shown.replaceAll(',', '').endsWith(`¥${scaled(value, power, places)}${unit}`), `${shown} ${value}`)
			}
			const answer = await demo.ask('GET', `/${compare.slice(1)}`, { lang })
			const tables = await page.locator('table').allInnerTexts()
			for (const { bill } of answer.cities.flatMap(({ offers }) => offers.slice(0, 1).map(({ terms }) => ({ bill: terms[0] }))))
				assert.ok(tables.join(' ').includes(yuan(bill.total)), bill.total)
			assert.deepEqual(await axeFindings(page), [])
			assert.deepEqual(page.complaints, [])
			await page.context().close()
		})

	await t.test('it is kept, goes with the address, holds for what is drawn later, and is given up again', async () => {
		const page = await browser.page({ lang: 'zh' })
		await browser.visit(page, `${compare}&amounts=wan`)
		await page.waitForSelector('data.short')
		await browser.visit(page, compare)
		await page.waitForSelector('data.short')
		await page.fill('[name=servers]', '9')
		await page.press('[name=servers]', 'Enter')
		await page.waitForFunction(() => location.hash.includes('servers=9'))
		await settled(page)
		assert.ok((await shorts(page)).length > 0)
		assert.doesNotMatch(await prose(page), LARGE)
		await page.click('.amounts')
		await page.waitForFunction(() => document.querySelector('data.short') === null)
		assert.match(await prose(page), LARGE)
		await page.context().close()
	})

	await t.test('paper and files have every digit, and the screen is short again afterwards', async () => {
		const page = await browser.page({ lang: 'zh' })
		await browser.visit(page, `#plan?amounts=wan&spec=${encodeURIComponent(JSON.stringify({ ...spec, top: 1 }))}`)
		await signIn(page, demo.keys.buyer)
		await page.waitForSelector('data.short')
		const before = await shorts(page)
		await page.evaluate(() => {
			addEventListener('beforeprint', () => {
				window.printed = document.querySelector('main').innerText
			})
		})
		await page.pdf({ preferCSSPageSize: true })
		const printed = await page.evaluate(() => window.printed)
		assert.doesNotMatch(printed, /¥[\d.,]+万/)
		for (const [, title] of before.slice(0, 1)) assert.ok(printed.includes(title))
		await page.evaluate(() => dispatchEvent(new Event('afterprint')))
		assert.deepEqual(await shorts(page), before)
		await page.evaluate(() => {
			URL.createObjectURL = (blob) => {
				blob.text().then((text) => {
					window.saved = text
				})
				return 'blob:none'
			}
		})
		await page.locator('[data-take=csv]').first().click()
		await page.waitForFunction(() => window.saved !== undefined)
		const saved = await page.evaluate(() => window.saved)
		assert.doesNotMatch(saved, /\d万/)
		await page.context().close()
	})
}
