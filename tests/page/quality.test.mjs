// quality.test.mjs - what holds for every view: reachable for everyone, narrow and wide, light and
// dark, both languages, on paper, light of weight, under the strict policy.
import assert from 'node:assert/strict'
import { axeFindings, settled, signIn } from './browser.mjs'

/** Each view as its readers see it: name, address, whose key, and what to do there. */
const views = [
	{ name: 'compare', hash: '#compare?card=h100-sxm&servers=4&mbps=100&months=12' },
]
const FIRST_LOAD_MOST = 60 * 1024

async function show(t, view, options) {
	const page = await t.browser.page(options)
	await t.browser.visit(page, view.hash)
	if (view.role) await signIn(page, t.demo.keys[view.role])
	if (view.act) await view.act(page)
	await settled(page)
	return page
}

export default async function (t) {
	for (const view of views) {
		for (const lang of ['zh', 'en']) {
			for (const theme of ['light', 'dark']) {
				await t.test(`${view.name}, ${lang}, ${theme}: axe finds nothing, the browser refuses nothing`, async () => {
					const page = await show(t, view, { lang, theme })
					await page.evaluate(() => document.querySelectorAll('details').forEach((details) => { details.open = true }))
					assert.deepEqual(await axeFindings(page), [])
					assert.deepEqual(page.complaints, [])
					await page.context().close()
				})
			}

			await t.test(`${view.name}, ${lang}: no word is left over from the other language or from a key`, async () => {
				const page = await show(t, view, { lang })
				const body = await page.evaluate(() => {
					const copy = document.body.cloneNode(true)
					for (const other of copy.querySelectorAll('[lang], noscript, option')) if (other.lang !== document.documentElement.lang) other.remove()
					return copy.textContent
				})
				assert.doesNotMatch(body, /\b(account|assume|band|basis|billing|bill|city|compare|error|frame|lines|origin|plan|prices|role|schedule|service|session|sheets|source|tariff|tax|term|unit|view)\.[a-z_]{3,}/)
				assert.doesNotMatch(body, /\{\w+\}|undefined|\[object|\bNaN\b|\bnull\b/)
				if (lang === 'en') assert.doesNotMatch(body.replaceAll('算价', '').replace(/[“‘].*?[”’]/g, ''), /[㐀-鿿]/)
				await page.context().close()
			})
		}

		for (const width of [360, 768, 1600]) {
			await t.test(`${view.name}: nothing sticks out at ${width} px`, async () => {
				const page = await show(t, view, { width, lang: 'en' })
				await page.evaluate(() => document.querySelectorAll('details').forEach((details) => { details.open = true }))
				assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
				await page.context().close()
			})
		}

		await t.test(`${view.name}: targets are at least 24 px`, async () => {
			const page = await show(t, view, { width: 360 })
			const small = await page.evaluate(() => [...document.querySelectorAll('a, button, input, select, summary, textarea')]
				.filter((node) => node.checkVisibility() && !node.closest('p, .tick'))
				.filter((node) => node.getBoundingClientRect().height < 24 && node.getBoundingClientRect().bottom > 0)
				.map((node) => node.outerHTML.slice(0, 120)))
			assert.deepEqual(small, [])
			await page.context().close()
		})

		await t.test(`${view.name}: prints on A4 with everything unfolded`, async () => {
			const page = await show(t, view, { lang: 'zh' })
			await page.evaluate(() => {
				window.folded = -1
				addEventListener('beforeprint', () => { window.folded = document.querySelectorAll('details:not([open])').length })
			})
			const pdf = await page.pdf({ preferCSSPageSize: true })
			assert.equal(pdf.subarray(0, 5).toString(), '%PDF-')
			assert.match(pdf.toString('latin1'), /\/MediaBox \[0 0 59[45]\.?\d* 84[12]\.?\d*\]/)
			assert.equal(await page.evaluate(() => window.folded), 0)
			await page.context().close()
		})
	}

	await t.test('the first load is light and asks nobody else', async () => {
		const page = await t.browser.page()
		const files = []
		const hosts = new Set()
		page.on('response', (response) => {
			hosts.add(new URL(response.url()).origin)
			if (!response.url().includes('/compare?')) files.push(response)
		})
		await t.browser.visit(page)
		const sizes = await Promise.all(files.map(async (file) => Number(await file.headerValue('content-length'))))
		const bytes = sizes.reduce((sum, size) => sum + size, 0)
		assert.deepEqual([...hosts], [t.demo.origin])
		console.log(`first load: ${(bytes / 1024).toFixed(1)} KiB in ${files.length} files`)
		assert.ok(bytes <= FIRST_LOAD_MOST, `${bytes} bytes`)
		await page.context().close()
	})

	await t.test('the language is switched on the page, kept, and part of the address', async () => {
		const page = await t.browser.page({ lang: 'zh' })
		await t.browser.visit(page, '#compare?card=h100-sxm&servers=4&mbps=100&months=12')
		await page.click('.language')
		await page.waitForFunction(() => document.documentElement.lang === 'en')
		await settled(page)
		assert.match(page.url(), /lang=en/)
		assert.match(await page.locator('h1').innerText(), /Shenzhen/)
		await t.browser.visit(page, '#compare?card=h100-sxm&servers=4&mbps=100&months=12')
		assert.equal(await page.getAttribute('html', 'lang'), 'en')
		await page.context().close()
	})
}
