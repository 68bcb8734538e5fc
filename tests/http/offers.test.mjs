// offers.test.mjs - lists, exports and price history.
import assert from 'node:assert/strict'
import { inflateRawSync } from 'node:zlib'
import { perCardHour, rentalSheet } from './sheets.mjs'

// The rows of a CSV text, quotes undone.
function parse(text) {
	const rows = [[]]
	let field = ''
	let quoted = false
	for (let i = 0; i < text.length; i++) {
		const c = text[i]
		if (quoted && c === '"' && text[i + 1] === '"') { field += '"'; i++ }
		else if (c === '"') quoted = !quoted
		else if (!quoted && c === ',') { rows.at(-1).push(field); field = '' }
		else if (!quoted && c === '\r') continue
		else if (!quoted && c === '\n') { rows.at(-1).push(field); field = ''; rows.push([]) }
		else field += c
	}
	return rows.slice(0, -1)
}

// The file NAME of a ZIP archive, by its central directory.
function unzip(bytes, name) {
	const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06'))
	let at = bytes.readUInt32LE(end + 16)
	for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
		const length = bytes.readUInt16LE(at + 28)
		if (bytes.toString('utf8', at + 46, at + 46 + length) === name) {
			const local = bytes.readUInt32LE(at + 42)
			const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
			const packed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20))
			return (bytes.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed).toString('utf8')
		}
		at += 46 + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
	}
	throw new Error(`no ${name} in the archive`)
}

const entities = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#9;': '\t', '&#10;': '\n' }

// The cells of a worksheet: words as strings, numbers as numbers, nothing as ''.
function cells(xml) {
	return [...xml.matchAll(/<row r="\d+">(.*?)<\/row>/gs)].map(([, row]) =>
		[...row.matchAll(/<c r="[A-Z]+\d+"(?: s="1")?(?: t="inlineStr"><is><t xml:space="preserve">(.*?)<\/t><\/is><\/c>|><v>(.*?)<\/v><\/c>|\/>)/gs)]
			.map(([, words, number]) => words?.replace(/&[#a-z0-9]+;/g, (e) => entities[e]) ?? (number === undefined ? '' : Number(number))))
}

export default async function (t) {
	const buyer = await t.key('buyer')
	const dangerous = ['=1+1', '+86 755', '-5', '@SUM(A1)', '\tx', '＝cmd', ' =2+2', 'a"b,c']
	const key = await t.key('supplier', 'offers-a')
	const prices = Array.from({ length: 24 }, (_, i) => String(60000 + i * 100))
	const sheet = rentalSheet(prices)
	sheet.offers.forEach((offer, i) => {
		if (i < dangerous.length) offer.note = dangerous[i]
		if (i % 2) offer.city = '东莞'
	})
	sheet.offers[20] = { ...sheet.offers[20], kind: 'colocation', card: undefined, cards_per_server: undefined, servers_available: undefined, cabinet_kw: 6, prices: [{ item: 'cabinet', term: 'monthly', as_quoted: '6800', unit: '元/柜/月', tax: 'included', tax_rate: '0.06' }] }
	const made = await t.request('POST', '/suppliers/offers-a/sheets', { key, body: sheet })
	assert.equal(made.status, 201, made.body)

	await t.test('pages join to the whole list, once each, and a cursor survives a new revision', async () => {
		const seen = []
		let next = '/offers?supplier=offers-a&limit=10'
		while (next) {
			const page = await t.request('GET', next, { key: buyer })
			assert.equal(page.status, 200)
			seen.push(...page.json.items.map((o) => o.id))
			next = page.json.next
			if (next) assert.ok(page.headers.link.includes(next))
			await t.supplier(`offers-filler-${seen.length}`)
		}
		assert.equal(seen.length, 24)
		assert.deepEqual(seen, [...new Set(seen)].sort((a, b) => a - b))
	})

	await t.test('a filter passes what it says and nothing else', async () => {
		const list = async (query) => (await t.request('GET', `/offers?supplier=offers-a&limit=500&${query}`, { key: buyer })).json.items
		assert.equal((await list('city=东莞')).length, 12 - 0)
		assert.equal((await list('city=dongguan')).length, 12)
		assert.equal((await list('kind=colocation')).length, 1)
		assert.equal((await list('card=h100-sxm')).length, 23)
		assert.equal((await list('card=h200-sxm')).length, 0)
		assert.equal((await list('term=hourly')).length, 0)
		assert.equal((await list('origin=published')).length, 0)
		assert.equal((await list(`sheet=${made.json.id}`)).length, 24)
		for (const bad of ['kind=cloud', 'city=paris', 'term=weekly', 'valid_on=tomorrow', 'sheet=-1', 'cards=1'])
			assert.equal((await t.request('GET', `/offers?${bad}`, { key: buyer })).status, 400, bad)
	})

	await t.test('the same prices in JSON and in CSV', async () => {
		const items = (await t.request('GET', '/offers?supplier=offers-a&limit=500', { key: buyer })).json.items
		const csv = await t.request('GET', '/offers.csv?supplier=offers-a', { key: buyer })
		assert.equal(csv.type, 'text/csv')
		assert.deepEqual([...csv.bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf])
		const [head, ...rows] = parse(csv.body.slice(1))
		const column = (name) => rows.map((row) => row[head.indexOf(name)])
		assert.deepEqual(column('normalised'), items.flatMap((o) => o.prices.map((p) => p.normalised)))
		assert.deepEqual(column('as_quoted'), items.flatMap((o) => o.prices.map((p) => p.as_quoted)))
		assert.equal(column('normalised')[0], perCardHour(prices[0]))
		const accepted = await t.request('GET', '/offers?supplier=offers-a', { key: buyer, headers: { Accept: 'text/csv' } })
		assert.equal(accepted.body, csv.body)
		assert.equal((await t.request('GET', '/offers.csv?supplier=offers-a', { key: buyer, headers: { 'If-None-Match': csv.headers.etag } })).status, 304)
	})

	await t.test('no cell of an export runs in a spreadsheet, and numbers stay numbers', async () => {
		const csv = await t.request('GET', '/offers.csv?supplier=offers-a', { key: buyer })
		const rows = parse(csv.body.slice(1))
		const notes = rows.slice(1).map((row) => row[rows[0].indexOf('note')]).filter((note) => note !== '')
		assert.ok(notes.length >= 6)
		for (const row of rows) for (const cell of row) assert.doesNotMatch(cell, /^ *[=+@\t\r＝＋－＠]/u)
		for (const row of rows) for (const cell of row) if (/^-/.test(cell)) assert.match(cell, /^-[0-9.]+$/)
		assert.ok(notes.includes("'=1+1"))
		assert.ok(notes.includes('a"b,c'))
	})

	await t.test('the workbook holds the same cells as the CSV, none of them a formula', async () => {
		const book = await t.request('GET', '/offers.xlsx?supplier=offers-a', { key: buyer })
		assert.equal(book.status, 200)
		const xml = unzip(book.bytes, 'xl/worksheets/sheet1.xml')
		assert.doesNotMatch(xml, /<f[ >]/)
		const csv = parse((await t.request('GET', '/offers.csv?supplier=offers-a', { key: buyer })).body.slice(1))
		const rows = cells(xml)
		assert.equal(rows.length, csv.length)
		const note = csv[0].indexOf('note')
		rows.forEach((row, i) => row.forEach((cell, j) => {
			const other = csv[i][j]
			if (typeof cell === 'number') assert.equal(cell, Number(other))
			else assert.equal(cell, j === note && other.startsWith("'") ? other.slice(1) : other, `row ${i}, column ${csv[0][j]}`)
		}))
		assert.ok(rows.some((row) => row[note] === '=1+1'), 'words stay as they were')
		const price = csv[0].indexOf('normalised')
		assert.ok(rows.slice(1).every((row) => typeof row[price] === 'number'))
		const again = await t.request('GET', '/offers?supplier=offers-a', { key: buyer, headers: { Accept: book.type } })
		assert.ok(again.bytes.equals(book.bytes))
	})

	await t.test('one offer shows the words of the sheet beside the normalised price', async () => {
		const [first] = (await t.request('GET', '/offers?supplier=offers-a&limit=1', { key: buyer })).json.items
		const one = await t.request('GET', `/offers/${first.id}`, { key: buyer })
		assert.equal(one.json.prices[0].as_quoted, '60000')
		assert.equal(one.json.prices[0].unit, '元/台/月')
		assert.equal(one.json.prices[0].normalised_unit, 'CNY/card-hour')
		assert.equal(one.json.sheet_status, 'current')
		for (const id of ['0', 'x', '99999999', '-1', '1e3']) assert.equal((await t.request('GET', `/offers/${id}`, { key: buyer })).status, 404, id)
		assert.equal((await t.request('GET', '/offers/99999999/history', { key: buyer })).status, 404)
	})

	await t.test('low, median and high are those of the prices, without VAT', async () => {
		const history = await t.request('GET', '/prices/h100-sxm', { key: buyer })
		assert.equal(history.status, 200)
		const all = (await t.request('GET', '/offers?card=h100-sxm&limit=500', { key: buyer })).json.items
			.flatMap((o) => o.prices).filter((p) => p.item === 'compute' && p.term === 'monthly' && p.tax === 'included').map((p) => Number(p.normalised) / 1.06)
		const month = history.json.items.find((g) => g.item === 'compute' && g.term === 'monthly')
		assert.ok(month.prices >= all.length)
		assert.ok(Math.abs(Number(month.low) - Math.min(...all)) < 2e-6, `${month.low} ${Math.min(...all)}`)
		assert.ok(Number(month.low) <= Number(month.median) && Number(month.median) <= Number(month.high))
		assert.equal((await t.request('GET', '/prices/no-such-card', { key: buyer })).status, 404)
		assert.equal((await t.request('GET', '/prices/h100-sxm?months=0', { key: buyer })).status, 400)
		assert.equal((await t.request('GET', '/prices/h100-sxm', { key: buyer, headers: { 'If-None-Match': history.headers.etag } })).status, 304)
	})

	await t.test('a viewer sees a figure only where three suppliers stand behind it', async () => {
		const viewer = await t.key('viewer')
		const lone = await t.key('supplier', 'offers-lone')
		await t.request('POST', '/suppliers/offers-lone/sheets', { key: lone, body: rentalSheet(['59000'], { card: 'a800-80-sxm' }) })
		const seen = await t.request('GET', '/prices/a800-80-sxm', { key: buyer })
		if (seen.status === 404) return
		assert.ok(seen.json.items.length > 0)
		assert.deepEqual((await t.request('GET', '/prices/a800-80-sxm', { key: viewer })).json.items, [])
	})

	await t.test('who sends several sheets in a month has one voice in its prices: the last', async () => {
		const sender = await t.key('supplier', 'offers-often')
		for (const price of ['71000', '72000', '73000'])
			assert.equal((await t.request('POST', '/suppliers/offers-often/sheets', { key: sender, body: rentalSheet([price], { card: 'a30' }) })).status, 201)
		const { items } = (await t.request('GET', '/prices/a30', { key: buyer })).json
		const month = items.find((group) => group.item === 'compute' && group.term === 'monthly')
		assert.equal(month.prices, 1)
		assert.equal(month.low, month.high)
	})

	await t.test('every change is in the audit log, which comes in pages', async () => {
		const page = await t.request('GET', '/audit?limit=3', { key: t.admin })
		assert.equal(page.json.items.length, 3)
		const [a, b] = page.json.items
		assert.equal(a.id, b.id + 1)
		const second = await t.request('GET', page.json.next, { key: t.admin })
		assert.equal(second.json.items[0].id, page.json.items[2].id - 1)
		const all = (await t.request('GET', '/audit?limit=500', { key: t.admin })).json.items
		assert.ok(all.some((row) => row.subject === `sheet/${made.json.id}`))
		assert.ok(all.every((row) => !JSON.stringify(row).includes('60000')))
	})
}
