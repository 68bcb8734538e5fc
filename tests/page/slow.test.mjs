// slow.test.mjs - a slow, failing or absent server: the reader is told what happened, can stop and try
// again, and nothing typed is lost; nor is it by leaving, reloading, or changing the language.
import assert from 'node:assert/strict'
import { settled, signIn } from './browser.mjs'

const spec = {
	workloads: [{ name: 'w', kind: 'hosting', card: 'h100-sxm', cards_per_server: 8, servers: 4 }],
	months: 12,
	top: 1,
}
const address = (request) => `#plan?spec=${encodeURIComponent(JSON.stringify(request))}`
const pause = (ms) =>
	new Promise((resolve) => {
		setTimeout(resolve, ms)
	})

export default async function (t) {
	const { demo, browser } = t
	async function open(hash, options) {
		const page = await browser.page({ lang: 'en', ...options })
		await browser.visit(page, hash)
		await signIn(page, demo.keys.buyer)
		return page
	}
	/** Plans 5 servers, after the route /plan became BROKEN. */
	async function planBroken(page, broken) {
		await page.route('**/plan', broken)
		await page.evaluate(() => {
			document.querySelector('.question').open = true
		})
		await page.fill('[name="workloads/0/servers"]', '5')
		await page.press('[name="workloads/0/servers"]', 'Enter')
	}
	const answers = {
		'no answer': [(route) => route.abort(), /cannot be reached/],
		'500 with words of a proxy': [
			(route) => route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>oops</h1>' }),
			/answered 500/,
		],
		'502 without a body': [(route) => route.fulfill({ status: 502 }), /answered 502/],
		'503 that asks to wait': [
			(route) => route.fulfill({ status: 503, headers: { 'Retry-After': '7' }, body: '' }),
			/busy.*wait 7 seconds/s,
		],
		'503 until a date': [
			(route) =>
				route.fulfill({ status: 503, headers: { 'Retry-After': new Date(Date.now() + 90000).toUTCString() } }),
			/busy.*wait \d\d seconds/s,
		],
		'429 of the interface': [
			(route) =>
				route.fulfill({
					status: 429,
					headers: { 'Retry-After': '1' },
					contentType: 'application/problem+json',
					body: JSON.stringify({ title: 'x', status: 429, detail: 'Too many requests.', request_id: 'r-1' }),
				}),
			/Too many requests.*wait 1 second\b.*r-1/s,
		],
		'JSON cut short': [
			(route) => route.fulfill({ contentType: 'application/json', body: '{"options": [' }),
			/not an answer of Suanjia/,
		],
		'a page of the hotel': [
			(route) => route.fulfill({ contentType: 'text/html', body: '<p>Sign in to the network</p>' }),
			/not an answer of Suanjia/,
		],
		'other JSON': [(route) => route.fulfill({ json: { hello: 'world' } }), /not an answer of Suanjia/],
		'a number': [(route) => route.fulfill({ json: 7 }), /not an answer of Suanjia/],
	}

	for (const [name, [broken, told]] of Object.entries(answers))
		await t.test(`plan, ${name}: it is told, the form stays, and trying again works`, async () => {
			const page = await open(address(spec))
			await planBroken(page, broken)
			await page.waitForSelector('.failure')
			await settled(page)
			assert.match(await page.locator('.failure').innerText(), told)
			assert.equal(await page.inputValue('[name="workloads/0/servers"]'), '5')
			assert.equal(await page.locator('.headline h2').count(), 0)
			await page.unroute('**/plan')
			await page.click('.failure button.primary')
			await page.waitForSelector('.headline h2')
			assert.equal(await page.locator('.failure').count(), 0)
			assert.match(decodeURIComponent(page.url()), /"servers":5/)
			await page.context().close()
		})

	await t.test('without a network the page says so', async () => {
		const page = await open(address(spec))
		await page.context().setOffline(true)
		await planBroken(page, (route) => route.abort('internetdisconnected'))
		await page.waitForSelector('.failure')
		assert.match(await page.locator('.failure').innerText(), /no network/)
		await page.context().close()
	})

	await t.test('a long answer shows that it is awaited, for how long, and can be stopped by keyboard', async () => {
		const page = await open(address(spec))
		let release
		const held = new Promise((resolve) => {
			release = resolve
		})
		await planBroken(page, async (route) => {
			await held
			await route.abort().catch(() => null)
		})
		await pause(300)
		assert.equal(await page.locator('.progress').count(), 0, 'nothing flashes for a quick answer')
		await page.waitForSelector('.progress')
		assert.match(await page.locator('.progress [role=status]').innerText(), /Working/)
		await page.waitForFunction(() => /[23] s/.test(document.querySelector('.progress').innerText))
		await page.focus('.progress button')
		await page.keyboard.press('Enter')
		await settled(page)
		assert.equal(await page.locator('.progress').count(), 0)
		assert.match(await page.locator('.results').innerText(), /Stopped/)
		assert.equal(await page.inputValue('[name="workloads/0/servers"]'), '5')
		release()
		await page.unroute('**/plan')
		await page.click('.question form .primary')
		await page.waitForSelector('.headline h2')
		assert.deepEqual(page.complaints, [])
		await page.context().close()
	})

	await t.test('an answer that stops half way can be stopped too, and is no failure', async () => {
		const page = await open(address(spec))
		await page.evaluate(() => {
			const real = window.fetch
			window.fetch = (path, options) => {
				if (path !== '/plan') return real(path, options)
				const body = new ReadableStream({
					start(controller) {
						controller.enqueue(new TextEncoder().encode('{"options": ['))
						options.signal.addEventListener('abort', () => controller.error(options.signal.reason))
					},
				})
				return Promise.resolve(new Response(body, { status: 200 }))
			}
		})
		await planBroken(page, (route) => route.continue())
		await page.waitForSelector('.progress')
		await page.click('.progress button')
		await settled(page)
		assert.match(await page.locator('.results').innerText(), /Stopped/)
		assert.equal(await page.locator('.failure').count(), 0)
		await page.context().close()
	})

	await t.test('compare: a slow server shows progress, a failing one is told, the form stays', async () => {
		const page = await browser.page({ lang: 'en' })
		await browser.visit(page, '#compare?card=h100-sxm&servers=4&mbps=100&months=12')
		await page.route('**/compare?*', async (route) => {
			await pause(1600)
			await route.fulfill({ status: 503, headers: { 'Retry-After': '3' }, body: '' })
		})
		await page.fill('[name=servers]', '6')
		await page.press('[name=servers]', 'Enter')
		await page.waitForSelector('.progress')
		await page.waitForSelector('.failure')
		assert.match(await page.locator('.failure').innerText(), /wait 3 seconds/)
		assert.equal(await page.inputValue('[name=servers]'), '6')
		await page.unroute('**/compare?*')
		await page.click('.failure button')
		await page.waitForSelector('.headline h2')
		await page.context().close()
	})

	await t.test('what was typed and not planned is there after leaving, reloading and changing the language', async () => {
		const page = await open('#plan')
		await page.fill('[name="workloads/0/tokens"]', '12345')
		await page.fill('[name="budget_per_month"]', '999.90')
		const kept = async () => {
			await page.waitForSelector('[name="budget_per_month"]', { state: 'attached' })
			assert.equal(await page.inputValue('[name="workloads/0/tokens"]'), '12345')
			assert.equal(await page.inputValue('[name="budget_per_month"]'), '999.90')
		}
		await page.click('.top nav a[href^="#compare"]')
		await page.waitForSelector('[name=servers]')
		await page.click('.top nav a[href^="#plan"]')
		await kept()
		await page.reload()
		await kept()
		await page.click('.language')
		await page.waitForFunction(() => document.documentElement.lang === 'zh-CN')
		await settled(page)
		await kept()
		await page.click('[name=reset]')
		assert.equal(await page.inputValue('[name="workloads/0/tokens"]'), '200000000')
		await page.reload()
		await page.waitForSelector('[name="budget_per_month"]')
		assert.equal(await page.inputValue('[name="budget_per_month"]'), '')
		await page.context().close()
	})

	await t.test('changes to a planned form are kept beside its answer, and gone once they are planned', async () => {
		const page = await open(address(spec))
		const servers = () => page.inputValue('[name="workloads/0/servers"]')
		await page.click('.question > summary')
		await page.fill('[name="workloads/0/servers"]', '7')
		await page.reload()
		await page.waitForSelector('.headline h2')
		assert.equal(await servers(), '7')
		assert.match(await page.locator('.question').innerText(), /not planned yet/)
		await page.click('.top nav a[href^="#prices"]')
		await page.waitForSelector('.price-history')
		await page.click('.top nav a[href^="#plan"]')
		await page.waitForSelector('.headline h2')
		assert.equal(await servers(), '7')
		await page.click('.question form .primary')
		await page.waitForFunction(() => decodeURIComponent(location.hash).includes('"servers":7'))
		await settled(page)
		await page.goBack()
		await page.waitForFunction(() => decodeURIComponent(location.hash).includes('"servers":4'))
		await settled(page)
		assert.equal(await servers(), '4')
		await page.context().close()
	})

	await t.test('a session that ends loses nothing that was typed', async () => {
		const page = await open(address(spec))
		await page.context().clearCookies()
		await page.evaluate(() => {
			document.querySelector('.question').open = true
		})
		await page.fill('[name="workloads/0/servers"]', '9')
		await page.press('[name="workloads/0/servers"]', 'Enter')
		await page.waitForSelector('.sign-in')
		await signIn(page, demo.keys.buyer)
		assert.equal(await page.inputValue('[name="workloads/0/servers"]'), '9')
		await page.waitForSelector('.headline h2')
		await page.context().close()
	})

	await t.test('compare: its last question is there when one comes back, and so are cards while kW count', async () => {
		const page = await browser.page({ lang: 'en' })
		await browser.visit(page, '#compare')
		await page.fill('[name=servers]', '17')
		await page.press('[name=servers]', 'Enter')
		await settled(page)
		await page.click('.top nav a[href^="#plan"]')
		await page.waitForSelector('.sign-in')
		await page.click('.top nav a[href^="#compare"]')
		await page.waitForSelector('[name=servers]')
		assert.equal(await page.inputValue('[name=servers]'), '17')
		await page.selectOption('[name=by]', 'kw')
		await page.evaluate(() => document.querySelector('[name=kw]').focus())
		await page.keyboard.type('33')
		await page.reload()
		await page.waitForSelector('[name=kw]')
		assert.equal(await page.inputValue('[name=kw]'), '33')
		await page.press('[name=kw]', 'Enter')
		await page.waitForFunction(() => location.hash.includes('kw=33'))
		await settled(page)
		await page.reload()
		await page.waitForSelector('[name=kw]')
		await settled(page)
		await page.selectOption('[name=by]', 'servers')
		await page.waitForFunction(() => location.hash.includes('servers=17'))
		await page.context().close()
	})
}
