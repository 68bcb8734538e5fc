// long.test.mjs - answers larger and stranger than those of the demo: nothing sticks out, nothing is cut.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { settled, signIn } from './browser.mjs'
import { root } from './demo.mjs'

const spec = JSON.parse(readFileSync(path.join(root, 'schema/examples/plan.json'), 'utf8'))
const LONG = '特别长的名字算力科技股份有限公司光明分公司WithAnExtraordinarilyLongPartThatHasNoSpaceAnywhereInIt'
const RIGHT_TO_LEFT = 'شركة الحوسبة المتقدمة (شنجن) 8×H100'
const OPTIONS = 100
const WORKLOADS = 16

/** ANSWER with many options and workloads, all of them with long names. */
function inflated(answer) {
	const base = answer.options
	const options = Array.from({ length: OPTIONS }, (_, index) => {
		const option = structuredClone(base[index % base.length])
		for (const [at, item] of option.items.entries()) Object.assign(item, { supplier_name: at % 2 ? LONG : RIGHT_TO_LEFT, title: LONG, site: RIGHT_TO_LEFT })
		for (const line of option.lines) if (line.source.kind === 'offer') line.source.as_quoted = '9'.repeat(40)
		return { ...option, rank: index + 1, total: '1234567890.12', upfront: '1234567890.12' }
	})
	const [first] = answer.demand
	const extra = Array.from({ length: WORKLOADS - 4 }, (_, index) => ({ ...first, workload: `${index} ${LONG}` }))
	options[0].items.push(...extra.map(({ workload }) => ({ ...options[0].items[0], workload })))
	const rank = (route) => options.find((option) => option.route === route).rank
	const routes = { rent: rank('rent'), buy_and_host: rank('buy_and_host'), hybrid: rank('hybrid'), break_even: null }
	return { ...answer, title: LONG, options, routes, demand: [...answer.demand, ...extra] }
}

const none = (answer) => ({ ...answer, options: [], routes: { rent: null, buy_and_host: null, hybrid: null, break_even: null }, sensitivity: [] })

/** The parts of PAGE whose content is wider than they are, but for those made to scroll. */
const tooNarrow = (page) =>
	page.evaluate(() =>
		[document.documentElement, ...document.querySelectorAll('main *')]
			.filter((node) => node.checkVisibility() && node.clientWidth > 1 && node.scrollWidth > node.clientWidth + 1)
			.filter((node) => getComputedStyle(node).display !== 'inline' && !node.closest('svg, pre, form'))
			.map((node) => `${node.tagName}.${node.className} ${node.scrollWidth} > ${node.clientWidth}`),
	)

export default async function (t) {
	const { demo, browser } = t

	/** The view of the plan with the answer CHANGEd, WIDE px wide. */
	async function open(change, width) {
		const page = await browser.page({ width })
		await page.route('**/plan', async (route) => {
			const response = await route.fetch()
			await route.fulfill({ response, json: change(await response.json()) })
		})
		await browser.visit(page, `#plan?spec=${encodeURIComponent(JSON.stringify(spec))}`)
		await signIn(page, demo.keys.buyer)
		await settled(page)
		return page
	}

	for (const width of [360, 768, 1280])
		await t.test(`${width} px: a hundred options, sixteen workloads and endless names stay within the page`, async () => {
			const page = await open(inflated, width)
			await page.evaluate(() => document.querySelectorAll('main details').forEach((details) => (details.open = true)))
			assert.deepEqual(await tooNarrow(page), [])
			assert.equal(await page.locator('.option').count(), 20)
			await page.click('.results > section > button')
			assert.equal(await page.locator('.option').count(), OPTIONS)
			assert.equal(await page.locator('.ranked tbody tr').count(), OPTIONS)
			assert.deepEqual(page.complaints, [])
			await page.context().close()
		})

	await t.test('without an option the page still says what the workloads need, and why there is none', async () => {
		const page = await open(none, 360)
		assert.match(await page.locator('.headline h2').innerText(), /没有可行的方案/)
		assert.ok((await page.locator('.uneven .panel').count()) >= 3)
		assert.ok(await page.locator('.left').isVisible())
		assert.deepEqual(await tooNarrow(page), [])
		assert.deepEqual(page.complaints, [])
		await page.context().close()
	})
}
