// sheets.test.mjs - uploads: what is read, what is refused, what is kept, who sees it.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { root } from './server.mjs'
import { perCardHour, rentalSheet } from './sheets.mjs'

const counts = ({ new: added, changed, gone, unchanged }) => [added, changed, gone, unchanged]

export default async function (t) {
	const supplier = 'sheets-a'
	const key = await t.key('supplier', supplier)
	const where = `/suppliers/${supplier}/sheets`
	const upload = (body, query = '', headers = {}) => t.request('POST', where + query, { key, body, headers })
	const offers = async (who = key) => (await t.request('GET', `/offers?supplier=${supplier}&limit=500`, { key: who })).json.items

	await t.test('a dry run reads everything and stores nothing', async () => {
		const dry = await upload(rentalSheet(['61234.57']), '?dry_run=1')
		assert.equal(dry.status, 200, dry.body)
		assert.equal(dry.json.stored, false)
		assert.equal(dry.json.id, null)
		assert.equal(dry.json.offers.length, 1)
		assert.equal(dry.json.offers[0].prices[0].normalised, perCardHour('61234.57'))
		assert.match(dry.json.offers[0].understood, /\p{Script=Han}/u)
		assert.deepEqual(await offers(), [])
		assert.deepEqual((await t.request('GET', where, { key })).json.items, [])
	})

	let sheet
	await t.test('an upload is there when it has answered', async () => {
		const body = JSON.stringify(rentalSheet(['61234.57', '65000']))
		const made = await upload(body, '?filename=%E6%8A%A5%E4%BB%B7.json'.replace('%E6%8A%A5%E4%BB%B7', '报价'))
		assert.equal(made.status, 201, made.body)
		sheet = made.json
		assert.equal(made.headers.location, `/sheets/${sheet.id}`)
		assert.equal(sheet.filename, '报价.json')
		assert.equal(sheet.sha256, createHash('sha256').update(body).digest('hex'))
		assert.deepEqual(counts(sheet.difference), [2, 0, 0, 0])
		const seen = await offers()
		assert.deepEqual(seen.map((o) => o.prices[0].normalised), [perCardHour('61234.57'), perCardHour('65000')])
		assert.ok(seen.every((o) => o.sheet_id === sheet.id && o.supplier === supplier))
		const buyer = await t.key('buyer')
		assert.deepEqual((await offers(buyer)).map((o) => o.id), seen.map((o) => o.id))
		const original = await t.request('GET', `/sheets/${sheet.id}/original`, { key })
		assert.equal(original.body, body)
		assert.match(original.headers['content-disposition'], /filename\*=UTF-8''%E6%8A%A5%E4%BB%B7.json/)
		const got = await t.request('GET', `/sheets/${sheet.id}`, { key })
		assert.equal(got.json.status, 'current')
		assert.equal((await t.request('GET', `/sheets/${sheet.id}`, { key, headers: { 'If-None-Match': got.headers.etag } })).status, 304)
	})

	await t.test('a new sheet takes the place of the old one, and says what changed', async () => {
		const made = await upload(rentalSheet(['62000', '65000', '70000']))
		assert.equal(made.status, 201, made.body)
		assert.deepEqual(counts(made.json.difference), [1, 1, 0, 1])
		const [changed, added] = made.json.difference.offers
		assert.deepEqual([changed.change, added.change], ['changed', 'new'])
		assert.deepEqual(changed.prices.map((price) => [price.before, price.now]),
			[[perCardHour('61234.57'), perCardHour('62000')]])
		assert.deepEqual(added.prices.map((price) => [price.before, price.now]), [[null, perCardHour('70000')]])
		const list = (await t.request('GET', where, { key })).json.items
		assert.deepEqual(list.map((s) => [s.revision, s.status]), [[2, 'current'], [1, 'superseded']])
		assert.equal((await offers()).length, 3)
		const first = await t.request('GET', `/offers/${(await offers())[0].id}/history`, { key })
		assert.equal(first.status, 200)
		assert.deepEqual(first.json.items.map((o) => o.prices[0].as_quoted), ['62000', '61234.57'])
		sheet = made.json
	})

	await t.test('one error and nothing is stored, unless partial is asked for', async () => {
		const mixed = rentalSheet(['63000', '64000'])
		mixed.offers[1].card = 'H100'
		mixed.offers[1].prices[0].as_quoted = '0'
		const before = await offers()
		const refused = await upload(mixed)
		assert.equal(refused.status, 422)
		assert.ok(refused.json.problems.some((p) => p.severity === 'error' && p.row === 2), refused.body)
		assert.deepEqual(await offers(), before)
		const partial = await upload(mixed, '?accept=partial')
		assert.equal(partial.status, 201, partial.body)
		/* Not all of it could be read, and what could is kept. */
		assert.deepEqual([partial.json.accepted, partial.json.stored], [false, true])
		assert.equal((await offers()).length, 1)
		const csv = await t.request('GET', `/sheets/${partial.json.id}/problems.csv`, { key })
		assert.deepEqual([...csv.bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf])
		assert.match(csv.body, /\r\nerror,/)
		const kept = await t.request('GET', `/sheets/${partial.json.id}`, { key, headers: { 'Accept-Language': 'en' } })
		assert.equal(kept.json.errors, refused.json.problems.filter((p) => p.severity === 'error').length)
		assert.doesNotMatch(kept.json.problems[0].message, /\p{Script=Han}/u)
		sheet = partial.json
	})

	await t.test('an upload repeated under its Idempotency-Key is one sheet and one answer', async () => {
		const headers = { 'Idempotency-Key': '"upload-1"' }
		const before = (await t.request('GET', where, { key })).json.items.length
		const answers = await Promise.all(Array.from({ length: 40 }, () => upload(rentalSheet(['61500']), '', headers)))
		const made = answers.filter((a) => a.status === 201)
		assert.ok(made.length >= 1, answers.map((a) => a.status).join())
		for (const answer of answers) assert.ok([201, 409].includes(answer.status), answer.body)
		const again = await upload(rentalSheet(['61500']), '', headers)
		assert.equal(again.status, 201)
		assert.equal(again.body, made[0].body)
		assert.equal(again.headers.location, `/sheets/${made[0].json.id}`)
		assert.equal((await t.request('GET', where, { key })).json.items.length, before + 1)
		const other = await upload(rentalSheet(['61501']), '', headers)
		assert.equal(other.status, 422)
		assert.equal(other.json.code, 'idempotency_key_reused')
		assert.equal((await upload(rentalSheet(['61500']), '', { 'Idempotency-Key': 'a b' })).status, 400)
		sheet = made[0].json
	})

	await t.test('a refused upload leaves its Idempotency-Key free for the corrected one', async () => {
		const headers = { 'Idempotency-Key': 'upload-2' }
		const bad = rentalSheet(['0'])
		assert.equal((await upload(bad, '', headers)).status, 422)
		const good = await upload(rentalSheet(['61600']), '', headers)
		assert.equal(good.status, 201)
		sheet = good.json
	})

	await t.test('a file wrapped in a form is refused with the way to send it', async () => {
		const form = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n型号\r\n--x--\r\n'
		const before = (await t.request('GET', where, { key })).json.items.length
		for (const [lang, word] of [['en', /as they are/], ['zh', /直接发送文件内容/]]) {
			const refused = await upload(form, '', { 'Content-Type': 'multipart/form-data; boundary=x', 'Accept-Language': lang })
			assert.equal(refused.status, 415, refused.body)
			assert.match(refused.json.detail, word)
			assert.match(refused.json.detail, /--data-binary @/)
		}
		assert.equal((await t.request('GET', where, { key })).json.items.length, before)
	})

	await t.test('a price that jumped, or lies far off the market, is said at once and kept with the sheet', async () => {
		const jumped = await upload(rentalSheet(['88000', '600000']))
		assert.equal(jumped.status, 201, jumped.body)
		const alerts = (problems) => problems.filter((p) => ['price_jump', 'out_of_band'].includes(p.code))
			.map((p) => [p.severity, p.code, p.row]).sort()
		const expected = [['warning', 'out_of_band', 2], ['warning', 'price_jump', 1]]
		assert.deepEqual(alerts(jumped.json.problems), expected, jumped.body)
		const kept = await t.request('GET', `/sheets/${jumped.json.id}`, { key })
		assert.deepEqual(alerts(kept.json.problems), expected, kept.body)
		sheet = jumped.json
	})

	await t.test('a withdrawn sheet takes its offers along and keeps its bytes', async () => {
		const got = await t.request('GET', `/sheets/${sheet.id}`, { key })
		assert.equal((await t.request('DELETE', `/sheets/${sheet.id}`, { key, headers: { 'If-Match': '"00"' } })).status, 412)
		assert.equal((await t.request('DELETE', `/sheets/${sheet.id}`, { key, headers: { 'If-Match': got.headers.etag } })).status, 204)
		assert.deepEqual(await offers(), [])
		assert.equal((await t.request('GET', `/sheets/${sheet.id}`, { key })).json.status, 'withdrawn')
		assert.equal((await t.request('GET', `/sheets/${sheet.id}/original`, { key })).status, 200)
		assert.equal((await t.request('DELETE', `/sheets/${sheet.id}`, { key })).status, 409)
	})

	await t.test('what is no sheet is refused with a reason', async () => {
		for (const body of ['', '{}', '[1', 'hello', Buffer.from([0x50, 0x4b, 3, 4, 1, 2, 3]), Buffer.from([0xff, 0xfe, 0, 0xd8])]) {
			const refused = await upload(body, '', { 'Content-Type': 'application/octet-stream' })
			assert.equal(refused.status, 422, `${JSON.stringify(body)}: ${refused.body}`)
			assert.ok(refused.json.problems.length > 0 || refused.json.detail)
		}
		assert.equal((await upload('x', '?dry_run=maybe')).status, 400)
		assert.equal((await upload('x', '?colour=red')).status, 400)
		assert.equal((await upload('x', `?filename=${'x'.repeat(300)}`)).status, 400)
		assert.equal((await t.request('POST', '/suppliers/nobody-here/sheets', { key: t.admin, body: 'x' })).status, 404)
	})

	await t.test('a file name is shown without its folders', async () => {
		const named = await upload(rentalSheet(['61234']), '?dry_run=1', { 'Content-Disposition': 'attachment; filename="C:\\\\x\\\\q.json"; filename*=UTF-8\'\'..%2F%E6%8A%A5.json' })
		assert.equal(named.json.filename, '报.json')
	})

	await t.test('the template can be filled in, and reads back without a problem', async () => {
		const types = { csv: 'text/csv', xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' }
		for (const [kind, type] of Object.entries(types))
			for (const lang of ['zh', 'en']) {
				const target = `/sheets/template.${kind}?lang=${lang}`
				const template = await t.request('GET', target)
				assert.equal(template.status, 200)
				assert.equal(template.type, type)
				const read = await upload(template.bytes, '?dry_run=1', { 'Content-Type': type })
				assert.equal(read.json.format, kind)
				assert.equal(read.json.accepted, true, read.body)
				assert.equal(read.json.offers.length, 4)
				assert.deepEqual(read.json.problems.filter((p) => p.severity !== 'skipped'), [], target)
				assert.equal((await t.request('GET', target, { headers: { 'If-None-Match': template.headers.etag } })).status, 304)
			}
	})

	await t.test('every sheet of tests/sheets is read, and its answer fits the contract', async () => {
		const folder = path.join(root, 'tests/sheets')
		const files = existsSync(folder) ? readdirSync(folder).filter((f) => /\.(csv|tsv|xlsx|json|txt)$/.test(f)) : []
		for (const file of files) {
			const read = await upload(readFileSync(path.join(folder, file)), `?dry_run=1&filename=${file}`, { 'Content-Type': 'application/octet-stream' })
			assert.equal(read.status, 200, file)
		}
	})
}
