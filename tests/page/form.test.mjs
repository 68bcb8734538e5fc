// form.test.mjs - the form of a plan: all that the interface takes can be entered, nothing that came
// from elsewhere or was typed is lost, and each problem is told where it belongs.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { axeFindings, settled, signIn } from './browser.mjs'
import { root } from './demo.mjs'

const document_ = JSON.parse(readFileSync(path.join(root, 'schema/openapi.json'), 'utf8'))
const example = JSON.parse(readFileSync(path.join(root, 'schema/examples/plan.json'), 'utf8'))
const { schemas } = document_.components
const resolve = (node) => (node.$ref ? schemas[node.$ref.split('/').pop()] : node)
const address = (request) => `#plan?spec=${encodeURIComponent(JSON.stringify(request))}`

/** A value that NODE of the document allows: a number or word that no default is. */
function sample(node) {
	const { anyOf, type, format, ...more } = resolve(node)
	const whole = resolve(node)
	const values = (whole.enum ?? []).filter((one) => one !== null)
	if (whole.const !== undefined) return whole.const
	if (values.length > 0) return values.at(-1)
	if (anyOf) return sample(anyOf.find((one) => resolve(one).type !== 'null'))
	const types = [type].flat()
	if (types.includes('boolean')) return true
	if (types.includes('integer')) return 3
	if (types.includes('number')) return more.maximum === 1 ? 0.5 : 2.5
	if (types.includes('array')) return [sample(more.items)]
	return format === 'date' ? '2031-02-03' : (more.examples?.[0] ?? /^"(.+)"$/.exec(more.description)?.[1] ?? '7')
}

/** {name: value} of every field of the object NODE, under PREFIX; objects by their own fields. */
function fieldsOf(node, prefix) {
	return Object.entries(resolve(node).properties).flatMap(([key, child]) => {
		const name = prefix + key
		const inner = [child, ...(child.anyOf ?? [])].map(resolve).find((one) => one.properties)
		if (key === 'workloads') return []
		if (key === 'cities') return [[name, ['huizhou']]]
		if (key === 'fx') return fieldsOf(child.additionalProperties, `${prefix}fx/USD/`)
		if (key === 'model') return fieldsOf(schemas.ModelInline, `${name}/`)
		if (inner) return fieldsOf(inner, `${name}/`)
		return [[name, sample(child)]]
	})
}

const kinds = { training: 'PlanTraining', inference: 'PlanServing', usage: 'PlanUsage', hosting: 'PlanHosting' }
const put = (spec, name, value) => {
	const keys = name.split('/')
	const last = keys.pop()
	keys.reduce((at, key) => (at[key] ??= {}), spec)[last] = value
}
/** Numbers and their texts are the same to the interface. */
const plain = (value) => JSON.parse(JSON.stringify(value), (key, one) => (typeof one === 'number' ? String(one) : one))

const fill = (page, name, value) =>
	page.evaluate(
		([name, value]) => {
			const controls = [...document.getElementsByName(name)]
			if (controls.length === 0) return `no control is called ${name}`
			const [control] = controls
			if (control.type === 'checkbox' && ![value].flat().every((one) => controls.some((box) => box.value === String(one))))
				return `${name} does not take ${value}`
			if (control.type === 'checkbox')
				for (const box of controls) box.checked = [value].flat().map(String).includes(box.value)
			else control.value = String(value)
			if (control.type !== 'checkbox' && control.value !== String(value)) return `${name} does not take ${value}`
			control.dispatchEvent(new Event('input', { bubbles: true }))
			control.dispatchEvent(new Event('change', { bubbles: true }))
			return null
		},
		[name, value],
	)

export default async function (t) {
	const { demo, browser } = t
	async function open(request, options) {
		const page = await browser.page(options)
		await browser.visit(page, request === null ? '#plan' : address(request))
		await signIn(page, demo.keys.buyer)
		await unfold(page)
		return page
	}
	/** What is asked is folded away once it is answered. */
	const unfold = (page) =>
		page.evaluate(() => {
			document.querySelector('.question').open = true
		})
	const planned = async (page) => {
		const before = page.url()
		await page.click('.question form .primary')
		await page.waitForFunction((url) => location.href !== url, before).catch(() => null)
		await settled(page)
		await unfold(page)
		return JSON.parse(new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('spec'))
	}
	/** What the form says now, as JSON. */
	const said = async (page) => {
		await page.evaluate(() => {
			for (const open of [false, true]) document.querySelector('.json').open = open
		})
		await page.waitForFunction(() => document.querySelector('.json textarea').value !== '')
		return JSON.parse(await page.inputValue('.json textarea'))
	}

	for (const [kind, schema] of Object.entries(kinds))
		await t.test(`${kind}: every field that the interface documents can be entered, and comes back from the address`, async () => {
			const page = await open({ workloads: [{ kind }] })
			const fields = [
				...fieldsOf(schemas[schema], 'workloads/0/'),
				...fieldsOf(schemas.PlanRequest, ''),
			].filter(([name]) => name !== 'workloads/0/kind')
			const wanted = { workloads: [{ kind }] }
			if (schemas[schema].properties.model) {
				await page.click('.workload .field > .plain')
				await page.waitForSelector('.dimensions')
			}
			for (const [name, value] of fields) {
				assert.equal(await fill(page, name, value), null)
				put(wanted, name, value)
			}
			const sent = await planned(page)
			assert.deepEqual(plain(sent), plain(wanted))
			const again = await browser.page()
			await browser.visit(again, address(sent))
			await signIn(again, demo.keys.buyer)
			assert.deepEqual(await said(again), sent)
			assert.equal(await again.locator('.strangers').count(), 0)
			for (const [name, value] of fields.filter(([, one]) => !Array.isArray(one)))
				assert.deepEqual(
					await again.evaluate((one) => {
						const [control] = document.getElementsByName(one)
						return control.type === 'checkbox' ? control.checked : control.value
					}, name),
					value === true && (await again.getAttribute(`[name="${name}"]`, 'type')) === 'checkbox' ? true : String(value),
					name,
				)
			await page.context().close()
			await again.context().close()
		})

	await t.test('a named profile, hours of a day and nonsense in them are entered and come back', async () => {
		const hours = Array.from({ length: 24 }, (_, hour) => (hour > 8 && hour < 18 ? 1 : 0.25))
		const page = await open({ ...example, workloads: [{ ...example.workloads[1], profile: hours }] })
		const name = '[name="workloads/0/profile/hours"]'
		assert.equal(await page.inputValue(name), hours.join(' '))
		await page.fill(name, `${hours.slice(1).join(', ')}, zero`)
		const sent = await planned(page)
		assert.deepEqual(sent.workloads[0].profile, [...hours.slice(1), 'zero'])
		assert.equal(await page.getAttribute('[name="workloads/0/profile"]', 'aria-invalid'), 'true')
		await page.selectOption('[name="workloads/0/profile"]', 'waking_hours')
		assert.equal((await planned(page)).workloads[0].profile, 'waking_hours')
		assert.equal(await page.locator(name).isVisible(), false)
		await page.context().close()
	})

	await t.test('changing one answer changes nothing else of what came, known to the form or not', async () => {
		const odd = {
			'later': { deep: [1, { two: null }] },
			'title': 'x',
			'workloads': [
				{ ...example.workloads[0], tokens: '200000000', precision: 'bf8', valley_only: false, a_new: [1], 'a/b~c': 1 },
				{ ...example.workloads[3], server_u: null },
			],
			'months': '24',
			'cities': ['深圳', '广州'],
			'network': { public_mbps: '100.50', peering: 'x' },
			'require': { support_24x7: false, licences: ['IDC', 'ISP'] },
			'assumptions': { pue: '1.30' },
			'fx': { EUR: { rate: '8.1', date: '2026-11-30' } },
		}
		const page = await open(odd, { lang: 'en' })
		assert.deepEqual(await said(page), odd)
		await fill(page, 'workloads/1/servers', '5')
		const sent = await planned(page)
		assert.deepEqual(sent, { ...odd, workloads: [odd.workloads[0], { ...odd.workloads[1], servers: 5 }] })
		// What the server does not know stands there, with its name, what is wrong, and a way to be rid of it.
		for (const name of ['later', 'workloads/0/a_new', 'workloads/0/a~1b~0c', 'network/peering']) {
			const place = page.locator(`[data-field="${name}"]`)
			assert.match(await place.locator('.problem').innerText(), /no field/)
			await fill(page, name, '')
		}
		await fill(page, 'workloads/0/precision', '')
		const cleaned = await planned(page)
		assert.equal(await page.locator('.strangers').count(), 0)
		assert.deepEqual(Object.keys(cleaned).includes('later'), false)
		assert.deepEqual(cleaned.network, { public_mbps: '100.50' })
		await fill(page, 'cities', ['shenzhen', 'huizhou'])
		assert.deepEqual((await planned(page)).cities, ['shenzhen', 'huizhou', '广州'])
		await page.context().close()
	})

	await t.test('JSON from elsewhere goes into the form; what is none is told with its place', async () => {
		const page = await open(null, { lang: 'en' })
		await page.click('.json > summary')
		await page.waitForFunction(() => document.querySelector('.json textarea').value !== '')
		await page.fill('.json textarea', '{\n  "workloads": [}\n')
		await page.click('.json button')
		await page.waitForSelector('.json .problem:has-text("line 2, column 17")')
		await page.fill('.json textarea', '{"workloads": []}')
		await page.click('.json button')
		await page.waitForSelector('.json .problem:has-text("at least one workload")')
		await page.fill('.json textarea', JSON.stringify({ ...example, months: 36 }))
		await page.click('.json button')
		assert.equal(await page.inputValue('[name="months"]'), '36')
		assert.deepEqual(await planned(page), { ...example, months: 36 })
		await page.context().close()
	})

	await t.test('a problem opens what its field is folded away in', async () => {
		const model = { params_b: 7, layers: 28, hidden: 3584, heads: 28, kv_heads: 5 }
		const page = await open({
			workloads: [{ ...example.workloads[1], model, gpu_memory_utilization: 2 }],
			require: { availability: '2' },
			assumptions: { pue: '0.5' },
		})
		for (const name of ['workloads/0/gpu_memory_utilization', 'require/availability', 'assumptions/pue']) {
			const control = page.locator(`[name="${name}"]`)
			assert.ok(await control.isVisible(), name)
			assert.equal(await control.getAttribute('aria-invalid'), 'true')
			assert.notEqual(await page.locator(`[data-field="${name}"] .problem`).innerText(), '')
		}
		await page.context().close()
	})

	await t.test('a model of the catalogue becomes its dimensions, and back', async () => {
		const page = await open({ workloads: [{ ...example.workloads[0], model: 'qwen2.5-7b' }] })
		await page.click('.workload .field > .plain')
		await page.waitForSelector('.dimensions')
		assert.equal(await page.inputValue('[name="workloads/0/model/layers"]'), '28')
		await page.fill('[name="workloads/0/model/layers"]', '30')
		await page.click('.dimensions > .fields > .plain')
		assert.equal(await page.inputValue('[name="workloads/0/model"]'), 'qwen2.5-7b')
		await page.click('.workload .field > .plain')
		await page.waitForSelector('.dimensions')
		assert.equal(await page.inputValue('[name="workloads/0/model/layers"]'), '30')
		const sent = await planned(page)
		assert.equal(sent.workloads[0].model.layers, 30)
		await page.context().close()
	})

	await t.test('a workload that was of another kind is found again as it was', async () => {
		const page = await open(null)
		await page.fill('[name="workloads/0/tokens"]', '777')
		await page.selectOption('[name="workloads/0/kind"]', 'hosting')
		await page.selectOption('[name="workloads/0/kind"]', 'training')
		assert.equal(await page.inputValue('[name="workloads/0/tokens"]'), '777')
		assert.equal(await page.evaluate(() => document.activeElement.name), 'workloads/0/kind')
		await page.context().close()
	})

	await t.test('cards and models are found by keyboard, by either language, and by names that are nearly right', async () => {
		const page = await open(null, { lang: 'zh' })
		const model = page.locator('[name="workloads/0/model"]')
		const shown = page.locator('.suggest:visible [role=option]')
		const options = async () => {
			await shown.first().waitFor()
			return shown.allInnerTexts()
		}
		await model.fill('')
		await model.pressSequentially('千问 2.5 14b')
		// The list may still be that of the letters before the last.
		await shown.first().filter({ hasText: 'qwen2.5-14b' }).waitFor()
		assert.equal(await model.getAttribute('aria-expanded'), 'true')
		await model.press('ArrowDown')
		const active = await model.getAttribute('aria-activedescendant')
		assert.equal(await page.locator(`#${active}`).getAttribute('aria-selected'), 'true')
		await model.press('Enter')
		assert.equal(await model.inputValue(), 'qwen2.5-14b')
		assert.equal(await model.getAttribute('aria-expanded'), 'false')
		assert.equal(page.url().includes('spec='), false, 'Enter in the list plans nothing')
		await model.press('ArrowDown')
		assert.ok((await options()).length > 12, 'what is right already is no end of the list')
		await model.press('Escape')
		assert.equal(await model.inputValue(), 'qwen2.5-14b')
		for (const [typed, first] of [
			['Qwen2.5-14B-Instruct', 'qwen2.5-14b'],
			['lamma-3.1-8b', 'llama-3.1-8b'],
		]) {
			await model.fill(typed)
			await shown.first().filter({ hasText: first }).waitFor()
			assert.match(await page.locator('.suggest:visible [role=status]').innerText(), /没有这个名称/)
			await model.press('Escape')
			assert.equal(await model.inputValue(), typed)
			assert.equal(await shown.count(), 0)
		}
		await page.selectOption('[name="workloads/0/kind"]', 'hosting')
		const card = page.locator('[name="workloads/0/card"]')
		for (const [typed, expected] of [
			['昇腾', 'ascend-910b'],
			['H100 80', 'h100-sxm'],
			['rtx4090', 'rtx-4090'],
		]) {
			await card.fill(typed)
			await shown.filter({ hasText: expected }).first().waitFor()
		}
		await shown.first().click()
		assert.equal(await card.inputValue(), 'rtx-4090')
		assert.deepEqual(page.complaints, [])
		await page.context().close()
	})

	await t.test('large numbers are read back in words, and may be typed with commas or in 万 and 亿', async () => {
		for (const [lang, typed, words, value] of [
			['zh', '2.5亿', '2.5亿', 250000000],
			['zh', '1.1 亿', '1.1亿', 110000000],
			['zh', '123万', '123万', 1230000],
			['en', '200,000,000', '200 million', 200000000],
			['en', '2e9', '2 billion', 2000000000],
			['en', '1,5', '', '1,5'],
			['en', '2 000', '', '2 000'],
		]) {
			const page = await open(null, { lang })
			await page.fill('[name="workloads/0/tokens"]', typed)
			assert.equal(await page.locator('[name="workloads/0/tokens"] + .unit').textContent(), words)
			assert.equal((await said(page)).workloads[0].tokens, value)
			await page.context().close()
		}
	})

	await t.test('with everything open, refused and searched: axe finds nothing, and nothing sticks out', async () => {
		const model = { params_b: 7, layers: 28, hidden: 3584, heads: 28, kv_heads: 5 }
		const crowded = {
			...example,
			workloads: [{ ...example.workloads[1], model, profile: Array.from({ length: 24 }, () => 0.5), gpu_memory_utilization: 2, later: { a: 1 } }, { ...example.workloads[3], card: 'h1oo-sxm' }],
			unheard: [1],
		}
		for (const lang of ['zh', 'en']) {
			const page = await open(crowded, { lang, width: 360 })
			await page.evaluate(() => {
				for (const fold of document.querySelectorAll('details')) fold.open = true
			})
			// Who is led to a name that was refused sees what it may have meant.
			await page.locator('.failure li button', { hasText: /Card|卡型/ }).click()
			await page.waitForSelector('.suggest:visible [role=option]:has-text("h100-sxm")')
			await page.keyboard.press('ArrowDown')
			for (const colorScheme of ['light', 'dark']) {
				await page.emulateMedia({ colorScheme })
				assert.deepEqual(await axeFindings(page), [], `${lang} ${colorScheme}`)
			}
			for (const width of [360, 768, 1280]) {
				await page.setViewportSize({ width, height: 900 })
				assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} px`)
			}
			assert.deepEqual(page.complaints.filter((one) => !one.includes('status of 4')), [])
			await page.context().close()
		}
	})

	await t.test('a list of names that comes late is shown for what has been typed by then', async () => {
		const page = await browser.page({ lang: 'en' })
		await page.route('**/models*', async (route) => {
			await new Promise((resolve) => {
				setTimeout(resolve, 800)
			})
			await route.continue()
		})
		await browser.visit(page, '#plan')
		await signIn(page, demo.keys.buyer)
		const model = page.locator('[name="workloads/0/model"]')
		await model.fill('')
		await model.pressSequentially('qwq')
		const shown = page.locator('.suggest:visible [role=option]')
		await shown.first().waitFor()
		assert.deepEqual(await shown.allInnerTexts().then((all) => all.map((one) => one.split(' ')[0])), ['qwq-32b'])
		await page.context().close()
	})

	await t.test('of names that are nearly right the one that is meant comes first', async () => {
		const { find } = await import(pathToFileURL(path.join(root, 'static/search.js')).href)
		const { cards } = await import(pathToFileURL(path.join(root, 'static/cards.js')).href)
		const models = (await demo.ask('GET', '/models?limit=500', { role: 'buyer' })).items.map(({ id }) => [id, ''])
		const items = [...cards, ...models].map(([id, label]) => ({ id, label, words: '' }))
		for (const [typed, id] of [
			['h1oo', 'h100-sxm'],
			['H1OO-SXM5', 'h100-sxm'],
			['rtx409O', 'rtx-4090'],
			['a100-80g-sxm', 'a100-80-sxm'],
			['ascned-910b', 'ascend-910b'],
			['Qwen2.5-72B-Instruct', 'qwen2.5-72b'],
			['lamma-3.1-70b', 'llama-3.1-70b'],
			['deepseekv3', 'deepseek-v3-671b'],
			['mistrl-7b-v0.3', 'mistral-7b-v0.3'],
		])
			assert.equal(find(items, typed).found[0]?.id, id, typed)
		assert.deepEqual(find(items, 'zzzz').found, [])
	})

	await t.test('a view or a kind called like a property of every object is an unknown one', async () => {
		const page = await browser.page()
		for (const name of ['constructor', '__proto__', 'toString']) {
			await browser.visit(page, `#${name}`)
			assert.ok(await page.isVisible('[aria-current=page][href^="#compare"]'), name)
		}
		assert.deepEqual(page.complaints, [])
		await page.context().close()

		const other = await open({ ...example, workloads: [{ ...example.workloads[0], kind: 'constructor' }] })
		assert.equal(await other.inputValue('[name="workloads/0/kind"]'), 'constructor')
		await other.context().close()
	})
}
