// quality.test.mjs - what holds for every view: reachable for everyone, narrow and wide, light and
// dark, both languages, on paper, light of weight, under the strict policy.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { axeFindings, settled, signIn } from './browser.mjs'
import { root } from './demo.mjs'

const example = readFileSync(path.join(root, 'schema/examples/plan.json'), 'utf8')
const sheet =
	'型号,城市,卡数,包月（万元/台/月）,含税\nH100 80GB SXM,深圳,8,7.5,含税6%\nL40S,东莞,8,abc,含税6%\n面议卡,东莞,8,面议,\n'

/** Each view as its readers see it: name, address, whose key, and what to do there. */
const views = [
	{ name: 'compare', hash: '#compare?card=h100-sxm&servers=4&mbps=100&months=12' },
	{
		name: 'plan',
		hash: `#plan?spec=${encodeURIComponent(JSON.stringify({ ...JSON.parse(example), top: 2 }))}`,
		role: 'buyer',
	},
	{ name: 'prices', hash: '#prices?card=rtx-4090', role: 'buyer' },
	{
		name: 'sheets',
		hash: '#sheets',
		role: 'supplier',
		async act(page) {
			await page.setInputFiles('input[type=file]', {
				name: 'sheet.csv',
				mimeType: 'text/csv',
				buffer: Buffer.from(sheet),
			})
			await page.waitForSelector('.reading')
		},
	},
	{ name: 'sign-in', hash: '#plan' },
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

const unfold = (page) =>
	page.evaluate(() =>
		document.querySelectorAll('details').forEach((details) => {
			details.open = true
		}),
	)

/** The text of the page, piece by piece, without what OTHER selects. */
const words = (page, other) =>
	page.evaluate((left) => {
		const copy = document.body.cloneNode(true)
		for (const node of copy.querySelectorAll(left)) if (node.lang !== document.documentElement.lang) node.remove()
		const texts = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT)
		const pieces = []
		while (texts.nextNode()) pieces.push(texts.currentNode.data)
		return pieces.join(' ')
	}, other)

/** The same without what is marked as another language and what is for programs. */
const ownWords = (page) => words(page, '[lang], noscript, option, pre')

/** Lower-case words of the trade and names of programs that a Chinese reader meets as they are. */
const TRADE = ['token', 'logits', 'curl', 'xlsx', 'csv']

/** Words and figures are made for people: no name of the interface, no hash, no long number in one piece. */
async function assertReadable(page, lang) {
	const technical = 'noscript, option, pre, code, q, textarea, .reference'
	const all = await words(page, technical)
	const own = await words(page, `[lang], ${technical}`)
	const found = [
		...(all.match(/\bids? \d{6,}/g) ?? []),
		...(all.match(/\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{12,}\b/g) ?? []),
		...(own.match(/[a-z0-9]+_[a-z0-9]+/g) ?? []),
		...(own.match(/(?<![\d.,-])\d{5,}/g) ?? []),
	]
	const latin = lang === 'zh' ? (own.match(/(?<![\w-])[a-z]{4,}(?![\w-])/g) ?? []) : []
	assert.deepEqual([...found, ...latin.filter((word) => !TRADE.includes(word))], [])
}

function assertWords(body, lang) {
	assert.doesNotMatch(
		body,
		/\b(account|assume|band|basis|billing|bill|city|compare|demand|error|field|frame|item|kind|left|limit|lines|offer_kind|origin|part|per|plan|prices|role|route|schedule|service|session|severity|sheet_status|sheets|source|status|tariff|tax|term|unit|value|verdict|view)\.[a-z_]{3,}/,
	)
	assert.doesNotMatch(body, /\{\w+[|}]|undefined|\[object|\bNaN\b|\bnull\b/)
	if (lang === 'en') assert.doesNotMatch(body.replaceAll('算价', '').replace(/[“‘"].*?[”’"]/g, ''), /[㐀-鿿]/)
}

async function assertPrints(page) {
	await page.evaluate(() => {
		window.folded = -1
		addEventListener('beforeprint', () => {
			window.folded = document.querySelectorAll('details:not([open]):not([data-print])').length
		})
	})
	const pdf = await page.pdf({ preferCSSPageSize: true })
	assert.equal(pdf.subarray(0, 5).toString(), '%PDF-')
	assert.match(pdf.toString('latin1'), /\/MediaBox \[0 0 59[45]\.?\d* 84[12]\.?\d*\]/)
	assert.equal(await page.evaluate(() => window.folded), 0)
}

const smallTargets = (page) =>
	page.evaluate(() =>
		[...document.querySelectorAll('a, button, input, select, summary, textarea')]
			.filter((node) => node.checkVisibility() && !node.closest('p, .tick, .skip'))
			.filter((node) => node.getBoundingClientRect().height < 24)
			.map((node) => node.outerHTML.slice(0, 120)),
	)

export default async function (t) {
	for (const view of views) {
		for (const lang of ['zh', 'en']) {
			await t.test(
				`${view.name}, ${lang}: axe finds nothing in light and dark, the browser refuses nothing, all words are there`,
				async () => {
					const page = await show(t, view, { lang })
					await unfold(page)
					for (const colorScheme of ['light', 'dark']) {
						await page.emulateMedia({ colorScheme })
						assert.deepEqual(await axeFindings(page), [], colorScheme)
					}
					assert.deepEqual(page.complaints, [])
					assertWords(await ownWords(page), lang)
					await assertReadable(page, lang)
					await page.context().close()
				},
			)
		}

		await t.test(
			`${view.name}: nothing sticks out from 360 to 1600 px, targets are large enough, it prints`,
			async () => {
				const page = await show(t, view, { width: 360, lang: 'en' })
				assert.deepEqual(await smallTargets(page), [])
				await assertPrints(page)
				await unfold(page)
				for (const width of [360, 768, 1600]) {
					await page.setViewportSize({ width, height: 900 })
					assert.ok(
						await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
						`${width} px`,
					)
				}
				await page.context().close()
			},
		)
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

	const pages = (pdf) => pdf.toString('latin1').match(/\/Type \/Page\b/g).length

	await t.test('a plan takes five pages of paper, six in English, with its basis, until when prices hold, and what it is made of', async () => {
		for (const lang of ['zh', 'en']) {
			const page = await show(t, { ...views[1], hash: `#plan?spec=${encodeURIComponent(example)}` }, { lang })
			const many = pages(await page.pdf({ preferCSSPageSize: true }))
			assert.ok(many <= { zh: 5, en: 6 }[lang], `${lang}: ${many} pages`)
			await page.emulateMedia({ media: 'print' })
			const printed = await page.locator('main').innerText()
			const answer = await t.demo.ask('POST', '/plan', { role: 'buyer', lang, body: JSON.parse(example) })
			for (const date of [answer.basis.today, answer.options[0].items[0].valid_to])
				assert.ok(printed.includes(date), date)
			for (const part of ['.ranked', '.items', '.lines', '.classes .demand', '.left', '.assumed'])
				assert.ok(await page.locator(part).first().isVisible(), part)
			assert.equal(await page.locator('.option:visible').count(), 1)
			assert.equal(await page.locator('.take:visible button:visible').count(), 0)
			await page.context().close()
		}
	})

	await t.test('a comparison takes three pages of paper, four in English, and lines are printed when they are open', async () => {
		for (const lang of ['zh', 'en']) {
			const page = await show(t, views[0], { lang })
			const few = pages(await page.pdf({ preferCSSPageSize: true }))
			assert.ok(few <= { zh: 3, en: 4 }[lang], `${lang}: ${few} pages`)
			await page.click('.lines-section .lines-of > summary')
			await page.emulateMedia({ media: 'print' })
			assert.equal(await page.locator('.lines:visible').count(), 1)
			await page.context().close()
		}
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
