// plan.test.mjs - the buyer's view shows what POST /plan answers, to the digit.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { settled, signIn } from './browser.mjs'
import { root } from './demo.mjs'

const spec = JSON.parse(readFileSync(path.join(root, 'schema/examples/plan.json'), 'utf8'))
const address = (request) => `#plan?spec=${encodeURIComponent(JSON.stringify(request))}`

export default async function (t) {
	const { demo, browser } = t
	const { grouped, micro, yuan } = await import(pathToFileURL(path.join(root, 'static/number.js')).href)
	const text = (page, selector) => page.locator(selector).first().innerText()
	async function open(request, options) {
		const page = await browser.page(options)
		await browser.visit(page, request === null ? '#plan' : address(request))
		await signIn(page, demo.keys.buyer)
		return page
	}

	for (const lang of ['zh', 'en']) {
		await t.test(`${lang}: the report has every option, line and amount of the answer`, async () => {
			const answer = await demo.ask('POST', '/plan', { role: 'buyer', lang, body: spec })
			const page = await open(spec, { lang })
			assert.ok((await text(page, '.headline h2')).includes(yuan(answer.options[0].per_month)))
			const shown = await page
				.locator('.option')
				.evaluateAll((all) =>
					all.map((option) => ({
						summary: option.querySelector('summary').textContent,
						total: option.querySelector('.lines tfoot').textContent,
						lines: [...option.querySelectorAll('.lines tbody tr')].map((row) => row.textContent),
					})),
				)
			assert.equal(shown.length, answer.options.length)
			for (const [index, option] of answer.options.entries()) {
				assert.ok(
					shown[index].summary.includes(yuan(option.per_month)) &&
						shown[index].summary.includes(yuan(option.total)),
				)
				assert.ok(shown[index].total.includes(yuan(option.total)))
				assert.equal(shown[index].lines.length, option.lines.length + option.unknown.length)
				for (const [at, line] of option.lines.entries())
					for (const figure of [
						line.text,
						grouped(line.quantity),
						grouped(line.unit_price),
						yuan(line.amount),
						line.formula,
					])
						assert.ok(shown[index].lines[at].includes(figure), `${figure} in ${shown[index].lines[at]}`)
				const costs = option.lines
					.filter((line) => line.is_cost)
					.reduce((sum, line) => sum + micro(line.amount), 0n)
				assert.equal(costs, micro(option.total))
			}
			for (const [index, { items, warnings }] of answer.options.entries()) {
				const several = new Set(items.map((item) => item.offer)).size > 1
				const flags = await page.locator('.option').nth(index).locator('.warnings li').evaluateAll((all) => all.map((li) => li.textContent))
				for (const { text: words, offers } of warnings) {
					const flag = flags.find((said) => said.startsWith(words))
					for (const id of several ? offers : []) assert.ok(flag.includes(`#${id}`), flag)
				}
			}
			const whole = await page.evaluate(() => document.body.textContent)
			const trained = answer.demand.filter(({ speed }) => speed?.mfu > 0)
			const share = ({ speed }) => `${(speed.mfu * 100).toFixed(1)}%`
			assert.ok(whole.includes('MFU') && trained.some((one) => whole.includes(share(one))))
			assert.match(whole, /NVIDIA \w+ \w+ \d+GB|NVIDIA A10 24GB/)
			assert.deepEqual(page.complaints, [])
			await page.context().close()
		})
	}

	await t.test('each class of card of each workload stands there with its total or why it has none', async () => {
		const answer = await demo.ask('POST', '/plan', { role: 'buyer', lang: 'en', body: spec })
		const page = await open(spec, { lang: 'en' })
		const more = page.locator('.classes > button')
		while ((await more.count()) > 0) await more.first().click()
		const tables = await page
			.locator('.classes .demand')
			.evaluateAll((all) => all.map((one) => [...one.tBodies[0].rows].map((row) => row.textContent)))
		const workloads = [...new Set(answer.demand.map((demand) => demand.workload))]
		assert.equal(tables.length, workloads.length)
		for (const [index, workload] of workloads.entries()) {
			const demands = answer.demand.filter((demand) => demand.workload === workload)
			assert.equal(tables[index].length, demands.length)
			const totals = demands.map((demand) => demand.best_total).filter((total) => total !== null)
			const least = totals.reduce((a, b) => (micro(a) < micro(b) ? a : b))
			assert.ok(tables[index][0].includes(yuan(least)))
			/* It need not be the cheapest by itself: workloads may want the same stock. */
			assert.ok(tables[index].some((row) => row.includes('in option 1')))
			for (const demand of demands) {
				const rows = tables[index].filter((row) => row.startsWith(`${demand.card} × ${demand.cards_per_server}`))
				const said = demand.best_total ?? demand.at_least
				const expected = said === null ? (demand.kept_out_text ?? '') : yuan(said)
				assert.ok(
					rows.some((row) => row.includes(expected)),
					`${expected} in ${rows.join('\n')}`,
				)
			}
		}
		await page.context().close()
	})

	await t.test('the ranked options stand in one table, and each leads to its lines', async () => {
		const answer = await demo.ask('POST', '/plan', { role: 'buyer', body: spec })
		const page = await open(spec)
		const rows = await page.locator('.ranked tbody tr').allInnerTexts()
		assert.equal(rows.length, answer.options.length)
		for (const [index, option] of answer.options.entries()) {
			for (const amount of [option.per_month, option.total, option.upfront, option.paid_per_month])
				assert.ok(rows[index].includes(yuan(amount)), `${amount} in ${rows[index]}`)
			const standing = option.items.filter((item) => ['rental', 'colocation'].includes(item.offer_kind))
			for (const item of standing) {
				assert.ok(rows[index].includes(`${item.city} · ${item.supplier_name}`), `${item.supplier_name} in ${rows[index]}`)
			}
		}
		const [first] = answer.options[0].items.filter((item) => item.offer_kind !== 'purchase')
		assert.ok((await page.locator('.places').innerText()).includes(first.supplier_name))
		await page.locator('.ranked tbody button').nth(2).click()
		assert.equal(await page.evaluate(() => document.activeElement.closest('.option').dataset.rank), '3')
		assert.ok(await page.locator('.option[data-rank="3"] .lines').isVisible())
		await page.context().close()
	})

	await t.test('an option that buys says at itself, unfolded, when it pays back, loudly when that is after the project', async () => {
		const said = new Set()
		for (const months of [12, 60]) await holds({ ...spec, months })
		assert.deepEqual([...said].sort(), [false, true])

		async function holds(asked) {
			const answer = await demo.ask('POST', '/plan', { role: 'buyer', lang: 'en', body: asked })
			const page = await open(asked, { lang: 'en' })
			const rent = answer.options.find((option) => option.rank === answer.routes.rent)
			for (const option of answer.options) {
				const panel = page.locator(`.option[data-rank="${option.rank}"]`)
				const words = await panel.evaluate((node) => {
					const copy = node.cloneNode(true)
					for (const folded of copy.querySelectorAll('details')) folded.remove()
					return copy.textContent
				})
				const months = (option.upfront - rent.upfront) / (rent.paid_per_month - option.paid_per_month)
				if (!option.items.some((item) => item.offer_kind === 'purchase')) {
					assert.doesNotMatch(words, /recovered/)
					continue
				}
				const late = months > answer.basis.months
				said.add(late)
				assert.ok(words.includes(late ? `only after about ${months.toFixed(1)} months` : `after about ${months.toFixed(1)} months`), `${months}: ${words.slice(0, 400)}`)
				assert.equal(words.includes('no pay-back in time'), late)
				if (asked.months === 60) continue
				const outlives = option.warnings.find((warning) => warning.code === 'equipment_outlives_project')
				assert.ok(words.includes(outlives.text), 'what of the equipment is not in the total')
			}
			await page.context().close()
		}
	})

	await t.test('prices that end before the project are named at the option, but not what is signed for once', async () => {
		const answer = await demo.ask('POST', '/plan', { role: 'buyer', body: spec })
		const page = await open(spec)
		const words = await text(page, '.option')
		const end = new Date(`${answer.basis.start}T00:00:00Z`)
		end.setUTCFullYear(end.getUTCFullYear() + 1)
		end.setUTCDate(end.getUTCDate() - 1)
		const last = end.toISOString().slice(0, 10)
		assert.ok(words.includes(last), `${last}, the last day of twelve months from ${answer.basis.start}`)
		const [first] = answer.options
		const hourly = first.items.find((item) => item.mix?.hourly_months > 0)
		assert.ok(hourly.valid_to < last)
		assert.ok(words.includes(`${hourly.supplier_name} ${hourly.valid_to}`))
		const buys = answer.options.find((option) => option.items.some((item) => item.offer_kind === 'purchase' && item.valid_to < last))
		const bought = buys.items.find((item) => item.offer_kind === 'purchase')
		assert.ok(!(await text(page, `.option[data-rank="${buys.rank}"]`)).includes(`${bought.supplier_name} ${bought.valid_to}`))
		await page.context().close()
		const short = await open({ ...spec, months: 3 })
		assert.doesNotMatch(await text(short, '.option'), /重新询价/)
		await short.context().close()
	})

	await t.test('a serving replica says what it can carry, the memory bar what is free', async () => {
		const answer = await demo.ask('POST', '/plan', { role: 'buyer', lang: 'en', body: spec })
		const page = await open(spec, { lang: 'en' })
		const panel = await page.locator('.uneven .panel', { hasText: 'KV cache' }).first().innerText()
		const [item] = answer.options[0].items.filter((one) => one.workload === spec.workloads[1].name)
		const { speed, memory } = answer.demand.find((demand) => demand.workload === item.workload && demand.card === item.card && demand.best_total !== null)
		for (const value of [speed.max_concurrency, speed.kv_tokens, speed.max_context, speed.max_requests_per_s, speed.requests_per_s])
			assert.ok(panel.includes(grouped(String(value))), `${value} in ${panel}`)
		assert.ok(panel.includes(`free ${Number((memory.usable_gib - memory.per_card_gib).toFixed(6))} GiB`), panel)
		await page.context().close()
	})

	await t.test('the offers that were not chosen and those used add up to the catalogue', async () => {
		const answer = await demo.ask('POST', '/plan', { role: 'buyer', body: spec })
		const left = answer.not_chosen.reduce((sum, group) => sum + group.offers, 0)
		const page = await open(spec)
		assert.equal(left + answer.offers.used, answer.offers.in_catalogue)
		assert.ok(
			(await text(page, '.left tfoot')).includes(
				`${answer.offers.used} + ${left} = ${answer.offers.in_catalogue}`,
			),
		)
		await page.context().close()
	})

	await t.test('each example is one click away, plans, and goes into the address', async () => {
		const page = await open(null)
		const buttons = page.locator('[role=group] button')
		for (let index = 0; index < (await buttons.count()); index++) {
			await buttons.nth(index).click()
			await page.waitForFunction(() => location.hash.includes('spec='))
			await settled(page)
			await page.waitForSelector('.headline h2')
			assert.equal(await page.locator('.failure').count(), 0)
			assert.ok((await page.locator('.option').count()) > 0, await buttons.nth(index).innerText())
		}
		await page.context().close()
	})

	await t.test('the form says what the address says, and what is changed in it is planned', async () => {
		const page = await open(spec)
		await page.click('.question > summary')
		assert.equal(await page.inputValue('[name="workloads/0/tokens"]'), '200000000')
		assert.equal(await page.inputValue('[name="workloads/3/card"]'), 'h100-sxm')
		await page.fill('[name="months"]', '24')
		await page.press('[name="months"]', 'Enter')
		await page.waitForFunction(() => decodeURIComponent(location.hash).includes('"months":24'))
		await settled(page)
		const answer = await demo.ask('POST', '/plan', { role: 'buyer', body: { ...spec, months: 24 } })
		await page.waitForFunction(
			(amount) => document.querySelector('.headline h2').innerText.includes(amount),
			yuan(answer.options[0].per_month),
		)
		await page.goBack()
		await page.waitForFunction(() => document.querySelector('[name="months"]').value === '12')
		await page.context().close()
	})

	await t.test('another kind, one more and one fewer workload keep what was typed', async () => {
		const page = await open(null)
		await page.fill('[name="workloads/0/model"]', 'qwen2.5-7b')
		await page.selectOption('[name="workloads/0/kind"]', 'inference')
		assert.equal(await page.inputValue('[name="workloads/0/model"]'), 'qwen2.5-7b')
		await page.fill('[name="title"]', 'a title')
		await page.click('.question .buttons button[type=button]')
		assert.equal(await page.locator('[name="workloads/1/kind"]').count(), 1)
		await page.locator('.workload .plain', { hasText: '删去任务 1' }).click()
		assert.equal(await page.locator('[name="workloads/1/kind"]').count(), 0)
		assert.equal(await page.inputValue('[name="title"]'), 'a title')
		await page.context().close()
	})

	await t.test('a mistake is told at the field of its workload, and the form stays as it was', async () => {
		const wrong = { ...spec, workloads: [spec.workloads[0], { ...spec.workloads[1], requests_per_s: 'many' }] }
		const page = await open(wrong)
		await page.waitForSelector('[data-field="workloads/1/requests_per_s"] .problem:not(:empty)')
		assert.equal(await page.inputValue('[name="workloads/1/requests_per_s"]'), 'many')
		await page.context().close()
	})

	await t.test('all mistakes are listed in a box that has the focus, each leads to its field', async () => {
		const page = await open(spec, { lang: 'en' })
		await page.click('.question > summary')
		await page.fill('[name="months"]', 'many')
		const fold = page.locator('.question .more > summary', { hasText: 'Hard requirements' })
		await fold.click()
		await page.fill('[name="require/replacement_hours"]', 'soon')
		await fold.click()
		await page.click('.question .buttons .primary')
		await page.waitForSelector('.failure')
		assert.equal(await page.evaluate(() => document.activeElement.className), 'failure panel')
		const links = page.locator('.failure li button')
		assert.equal(await links.count(), 2)
		for (const [label, name] of [
			['Period', 'months'],
			['Replacement', 'require/replacement_hours'],
		]) {
			await links.filter({ hasText: label }).click()
			assert.equal(await page.evaluate(() => document.activeElement.name), name)
		}
		await page.context().close()
	})

	/** The page of SPEC with the answer as CHANGE makes it. */
	async function openChanged(change, options) {
		const page = await browser.page(options)
		await page.route('**/plan', async (route) => {
			const response = await route.fetch()
			const answer = await response.json()
			change(answer)
			await route.fulfill({ response, json: answer })
		})
		await browser.visit(page, address(spec))
		await signIn(page, demo.keys.buyer)
		return page
	}

	for (const [lang, words] of Object.entries({ zh: ['至少', '无数据'], en: ['at least', 'no data'] })) {
		await t.test(`${lang}: an option with a part that has no price says so wherever its amount stands`, async () => {
			const unknown = { what: 'power', text: 'the-part', quantity: '1', unit: 'kWh', band: null }
			const page = await openChanged((answer) => answer.options[0].unknown.push(unknown), { lang })
			for (const place of ['.headline h2', '.option-amount', '.chart .bar-row:has-text("the-part") p'])
				for (const word of [...words, 'the-part']) assert.ok((await text(page, place)).includes(word), place)
			assert.ok((await text(page, '.headline .reason')).includes(words[0]))
			assert.ok((await page.locator('.accounts tfoot').innerText()).includes(words[0]))
			await page.context().close()
		})
	}

	await t.test('a break-even above all hours is called never, the rule of thumb is explained', async () => {
		const at = { utilisation: '1.22', utilisation_if_written_off: null, month: '30', seed_rule: '0.7', below_seed_rule: false }
		for (const [utilisation, expected] of [
			['1.22', /never pays within this term/],
			[null, /never pays within this term/],
			['0.6', /more than 60\.0% of the time/],
			['0.6', /30\.0 months, which is after the project has ended/],
			['0.6', /worth nothing after the project, buying never pays/],
		]) {
			const page = await openChanged(
				(answer) => {
					answer.demand = answer.demand.slice(0, 1)
					answer.routes.break_even = { ...at, utilisation }
				},
				{ lang: 'en' },
			)
			const shown = await page.locator('.headline').innerText()
			assert.match(shown, expected)
			assert.doesNotMatch(shown, /122/)
			assert.match(shown, /Rule of thumb.*70\.0%/)
			await page.context().close()
		}
	})

	await t.test('several workloads have no utilisation in common: only when buying pays off is told', async () => {
		const page = await openChanged(
			(answer) => {
				answer.routes.break_even = {
					utilisation: null,
					utilisation_if_written_off: null,
					month: '8',
					seed_rule: '0.7',
					below_seed_rule: false,
				}
			},
			{ lang: 'en' },
		)
		const shown = await page.locator('.headline').innerText()
		assert.match(shown, /pays off after about 8\.0 months/)
		assert.doesNotMatch(shown, /never pays|Rule of thumb/)
		await page.context().close()
	})

	await t.test('a budget that nothing meets is an answer: no option, and the reasons', async () => {
		const page = await open({ ...spec, budget_per_month: '1' })
		assert.equal(await page.locator('.option').count(), 0)
		assert.ok((await page.locator('.left tbody tr').count()) > 0)
		await page.context().close()
	})

	await t.test('the same request stands there as JSON and as a curl line', async () => {
		const page = await open(spec)
		await page.click('.machine summary')
		const blocks = await page.locator('.machine pre').allInnerTexts()
		assert.match(blocks[0], /^curl .*\/plan/)
		assert.deepEqual(JSON.parse(blocks[1]), { ...spec, sensitivity: 'full' })
		await page.context().close()
	})

	await t.test('how much of what would change the answer is looked into is what the form says', async () => {
		const page = await open({ ...spec, sensitivity: 'lines' })
		await page.click('.machine summary')
		const blocks = await page.locator('.machine pre').allInnerTexts()
		assert.equal(JSON.parse(blocks[1]).sensitivity, 'lines')
		await page.context().close()
	})

	await t.test('who is not signed in is asked for a key, and a wrong one is told', async () => {
		const page = await browser.page({ lang: 'en' })
		await browser.visit(page, '#plan')
		await page.fill('.sign-in input[name=key]', 'sk_wrong')
		await page.press('.sign-in input[name=key]', 'Enter')
		await page.waitForSelector('.sign-in .problem:not(:empty)')
		await signIn(page, demo.keys.buyer)
		assert.equal(await page.locator('.question').count(), 1)
		await page.click('.who button')
		await page.waitForSelector('.sign-in')
		await page.context().close()
	})

	await t.test('who is signed in as somebody else is told so and whose key is needed', async () => {
		const page = await browser.page({ lang: 'en' })
		await browser.visit(page, '#plan')
		await page.fill('.sign-in input[name=key]', demo.keys.supplier)
		await page.click('.sign-in .primary')
		await page.waitForSelector('.sign-in h2:has-text("supplier")')
		assert.match(await text(page, '.sign-in h2'), /signed in as a supplier/)
		assert.match(await text(page, '.sign-in'), /buyer or administrator/)
		await page.context().close()
	})
}
