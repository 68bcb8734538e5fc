// files.test.mjs - every table of the page can be taken along as CSV and as a workbook, with the
// figures of the interface to the digit and nothing that a spreadsheet would run.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { settled, signIn } from './browser.mjs'
import { root } from './demo.mjs'

const question = 'card=h100-sxm&servers=4&mbps=100&months=12'
const spec = JSON.parse(readFileSync(path.join(root, 'schema/examples/plan.json'), 'utf8'))

/** Tables taken from one page: Chromium stops giving files to a page after ten. */
const FILES_AT_ONCE = 4

/** The rows of CSV text, as RFC 4180 has them. */
function readCsv(text) {
	assert.equal(text[0], '\uFEFF', 'no byte order mark')
	const rows = [[]]
	for (const [, quoted, plain, end] of text.slice(1).matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
		rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
		if (end === '\r\n') rows.push([])
	}
	assert.deepEqual(rows.pop(), [])
	return rows
}

const readBook = (file) =>
	JSON.parse(execFileSync('python3', [path.join(root, 'tests/page/workbook.py'), file], { encoding: 'utf8' }))

const digits = (rows) => rows.map((row) => row.map((cell) => cell.number ?? cell))

export default async function (t) {
	const { demo, browser } = t
	async function open(hash, role, options) {
		const page = await browser.page(options)
		await browser.visit(page, hash)
		if (role) await signIn(page, demo.keys[role])
		await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)))
		return page
	}

	/** The file that BUTTON gives: {name, path}. */
	async function take(page, button) {
		const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
		return { name: download.suggestedFilename(), path: await download.path() }
	}

	/** The rows of the table TAKEN as CSV, after they were held against the workbook. */
	async function takeBoth(page, taken) {
		const file = await take(page, taken.locator('[data-take=csv]'))
		const rows = readCsv(readFileSync(file.path, 'utf8'))
		const book = readBook((await take(page, taken.locator('[data-take=xlsx]'))).path)
		assert.match(file.name, /\.csv$/)
		assert.equal(book.length, 2)
		assert.deepEqual(
			digits(book[0][1]),
			rows.map((row) => row.map((cell) => cell.replace(/^'(?= *[=+\-@])/, ''))),
		)
		return rows
	}

	for (const lang of ['zh', 'en']) {
		await t.test(`${lang}: the lines of a bill as files say what the interface says, to the digit`, async () => {
			const answer = await demo.ask('GET', `/compare?${question}`, { lang })
			const page = await open(`#compare?${question}`, null, { lang })
			const priced = answer.cities[0].offers.find((one) => one.usable)
			const { lines, total } = priced.terms[priced.cheapest]
			const rows = await takeBoth(page, page.locator('.lines-section .taken').first())
			for (const [index, line] of lines.entries()) {
				const row = rows[index + 1]
				assert.ok(row[0].startsWith(line.text), row[0])
				assert.deepEqual(row.slice(1, 5), [line.quantity, line.unit, line.unit_price, line.amount])
				assert.ok(row.includes(line.formula))
			}
			assert.ok(rows.at(-1).includes(total))
			assert.ok(rows.every((row) => row.length === rows[0].length))
			assert.deepEqual(page.complaints, [])
			await page.context().close()
		})
	}

	await t.test('the accounts of the cities as files are those of the interface, a difference keeps its sign', async () => {
		const answer = await demo.ask('GET', `/compare?${question}`)
		const page = await open(`#compare?${question}`)
		const rows = await takeBoth(page, page.locator('.taken:has(.accounts)').first())
		const bills = answer.cities.map((city) => {
			const priced = city.offers.find((one) => one.usable)
			return priced.terms[priced.cheapest]
		})
		assert.deepEqual(
			rows.at(-2).slice(1, 4),
			bills.map((bill) => bill.total),
		)
		assert.match(rows.at(-2)[4], /^-\d+\.\d\d$/)
		await page.context().close()
	})

	for (const view of [
		{ name: 'compare', hash: `#compare?${question}` },
		{ name: 'plan', hash: `#plan?spec=${encodeURIComponent(JSON.stringify({ ...spec, top: 1 }))}`, role: 'buyer' },
		{ name: 'prices', hash: '#prices?card=rtx-4090', role: 'buyer' },
	]) {
		await t.test(`${view.name}: each table can be taken along, and all of them as one workbook`, async () => {
			let page = await open(view.hash, view.role)
			const tables = await page.locator('table').count()
			const given = []
			assert.ok(tables > 0)
			assert.equal(await page.locator('.taken').count(), tables)
			for (let index = 0; index < tables; index++) {
				const taken = page.locator('.taken').nth(index)
				const shown = await taken.locator('tr').count()
				const rows = await takeBoth(page, taken)
				const inPart = (await taken.locator('+ button').count()) > 0
				assert.ok(inPart ? rows.length > shown : rows.length === shown, `${rows.length} of ${shown}`)
				given.push(rows.length)
				if (index % FILES_AT_ONCE !== FILES_AT_ONCE - 1) continue
				await page.context().close()
				page = await open(view.hash, view.role)
			}
			const book = readBook((await take(page, page.locator('[data-take=all]'))).path)
			assert.deepEqual(
				book.slice(0, -1).map(([, rows]) => rows.length),
				given,
			)
			assert.equal(new Set(book.map(([name]) => name.toLowerCase())).size, book.length)
			for (const [name] of book) assert.ok(name.length <= 31 && !/[[\]:*?/\\]/.test(name), name)
			assert.ok(book.at(-1)[1].flat().includes(page.url()))
			assert.deepEqual(page.complaints, [])
			await page.context().close()
		})
	}

	await t.test('ranked options as a file have their ranks, and a mix that buys nothing is not called one of buying', async () => {
		const answer = await demo.ask('POST', '/plan', { role: 'buyer', body: spec })
		const page = await open(`#plan?spec=${encodeURIComponent(JSON.stringify(spec))}`, 'buyer')
		const [, ...rows] = await takeBoth(page, page.locator('.taken:has(.ranked)'))
		assert.deepEqual(
			rows.map((row) => [row[0], row[1].includes('不购机')]),
			answer.options.map(({ rank, route, items }) => [
				`${rank}`,
				route === 'hybrid' && items.every((item) => item.offer_kind !== 'purchase'),
			]),
		)
		await page.context().close()
	})

	await t.test('the price history as a file has all digits, also where the page shows fewer', async () => {
		const answer = await demo.ask('GET', '/prices/rtx-4090?months=24', { role: 'buyer' })
		const page = await open('#prices?card=rtx-4090', 'buyer')
		const found = new Set()
		for (const taken of await page.locator('.taken').all())
			for (const row of await takeBoth(page, taken)) found.add(row.join(' '))
		for (const item of answer.items)
			assert.ok(
				found.has(
					[
						item.month,
						item.low,
						item.median,
						item.high,
						item.prices,
						item.suppliers,
						item.tax_not_stated,
					].join(' '),
				),
				item.median,
			)
		await page.context().close()
	})

	await t.test('a cell that a spreadsheet would run is guarded in CSV and plain words in a workbook', async () => {
		const sheet = '型号,城市,卡数,包月（万元/台/月）,含税\n=1+1,深圳,8,-5,含税6%\nL40S,东莞,8,"@x,""y""",含税6%\n'
		const page = await open('#sheets', 'supplier')
		await page.setInputFiles('input[type=file]', {
			name: 'sheet.csv',
			mimeType: 'text/csv',
			buffer: Buffer.from(sheet),
		})
		await page.waitForSelector('.reading')
		await settled(page)
		const made = await page.evaluate(async () => {
			const { csv } = await import('/table-file.js')
			return csv([[{ text: '=1+1' }, { text: ' -5' }, { number: '-5' }, { text: '@x,"y"' }, { text: '＋1' }]])
		})
		assert.equal(made, `\uFEFF'=1+1,' -5,-5,"'@x,""y""",'＋1\r\n`)
		await page.click('.difference summary')
		for (const taken of await page.locator('.taken').all())
			for (const row of await takeBoth(page, taken))
				for (const cell of row) assert.ok(!/^ *[=+@]/.test(cell), cell)
		await page.context().close()
	})

	await t.test('a table that is shown in part is given as a whole', async () => {
		const rows = Array.from({ length: 250 }, (_, index) => `H100 80GB SXM,深圳,8,${7 + index / 1000},含税6%`)
		const page = await open('#sheets', 'supplier')
		await page.setInputFiles('input[type=file]', {
			name: 'long.csv',
			mimeType: 'text/csv',
			buffer: Buffer.from(['型号,城市,卡数,包月（万元/台/月）,含税', ...rows].join('\n')),
		})
		await page.waitForSelector('.reading')
		const shown = await page.locator('.reading tbody tr').count()
		assert.ok(shown < 250)
		assert.equal((await takeBoth(page, page.locator('.taken:has(.reading)'))).length, 251)
		await page.context().close()
	})
}
