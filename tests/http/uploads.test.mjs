// uploads.test.mjs - large uploads on a server with one worker: readers go on meanwhile.
//
// Order is told by what was answered first, never by a clock.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import https from 'node:https'
import path from 'node:path'

const ROWS = 20000

function sheetOf(rows, price) {
	const lines = ['型号,城市,卡数,按小时（元/卡/时，含税6%）']
	for (let i = 0; i < rows; i++) lines.push(`H100 SXM,深圳,8,${price + i % 700 / 100}`)
	return lines.join('\n')
}

export default async function (t) {
	const server = await t.Server.serve(['--requests-per-s', '0', '--workers', '1'])
	const key = server.adminKey
	const csv = { 'Content-Type': 'text/csv' }
	const upload = (supplier, body) => server.request('POST', `/suppliers/${supplier}/sheets`, { key, body, headers: csv })
	const count = async (supplier) => {
		const sheets = await server.request('GET', `/suppliers/${supplier}/sheets`, { key })
		return sheets.json.items.filter((sheet) => sheet.status === 'current').map((sheet) => sheet.offer_count)
	}
	// An upload on a connection of its own: WHOLE when its last byte has left, ANSWERED its status.
	// With WAITS the last byte goes with finish(), after BEGUN.
	const begin = (supplier, body, { waits = false } = {}) => {
		let sent
		let request
		let answer
		let reached
		const begun = new Promise((resolve) => { reached = resolve })
		const whole = new Promise((resolve) => { sent = resolve })
		const answered = new Promise((resolve, reject) => {
			request = https.request({
				host: '127.0.0.1', port: server.port, method: 'POST', path: `/suppliers/${supplier}/sheets`, agent: false,
				ca: readFileSync(path.join(server.data, 'tls', 'cert.pem')),
				headers: { Authorization: `Bearer ${key}`, 'Content-Length': Buffer.byteLength(body), ...csv },
			}, (response) => {
				const parts = []
				response.on('data', (part) => parts.push(part)).on('end', () => {
					answer = JSON.parse(Buffer.concat(parts))
					resolve(response.statusCode)
				})
			})
			request.on('error', reject)
			// The last byte goes when the rest has most likely been read: then the handler begins at once.
			request.write(body.slice(0, -1), () => setTimeout(() => {
				reached()
				if (!waits) request.end(body.slice(-1), sent)
			}, 300))
		})
		answered.catch(() => {})
		return { whole, answered, request, begun, answer: () => answer, finish: () => request.end(body.slice(-1)) }
	}
	const suppliers = ['one', 'two', 'three', 'four', 'five']
	try {
		for (const id of suppliers) {
			const made = await server.request('PUT', `/suppliers/${id}`, { key, body: { name: `示例 ${id}`, source: '测试', date: '2026-11-30' } })
			assert.equal(made.status, 201)
		}

		await t.test('readers of the one worker are answered while a large sheet is read and stored', async () => {
			let over = false
			const { whole, answered } = begin('one', sheetOf(ROWS, 9))
			const status = answered.then((value) => { over = true; return value })
			await whole
			for (let i = 0; i < 10; i++)
				for (const target of ['/healthz', '/cards', '/offers?limit=1'])
					assert.equal((await server.request('GET', target, { key })).status, 200)
			assert.ok(!over, 'the upload was answered before the readers')
			assert.equal(await status, 201)
		})

		await t.test('what an upload acknowledged is in the next answer, also when several come at once', async () => {
			const seen = await Promise.all(suppliers.map(async (id, i) => {
				const made = await upload(id, sheetOf(50 + i, 20 + i))
				assert.equal(made.status, 201, made.body)
				const offers = await server.request('GET', `/offers?supplier=${id}&limit=100`, { key })
				assert.ok(offers.json.items.every((offer) => offer.sheet_id === made.json.id))
				return offers.json.items.length
			}))
			assert.deepEqual(seen, suppliers.map((_, i) => 50 + i))
		})

		await t.test('a client that leaves in the middle leaves a whole sheet or none, and the service as it was', async () => {
			const { whole, request } = begin('two', sheetOf(ROWS, 9))
			await whole
			request.destroy()
			const next = await upload('three', sheetOf(7, 9))
			assert.equal(next.status, 201)
			assert.deepEqual(await count('three'), [7])
			let metrics // what was left behind may still be stored: it must not come after the next test's
			do metrics = (await server.request('GET', '/metrics', { key })).body
			while (!/^http_requests_in_flight 1$/m.test(metrics))
			const [current] = await count('two')
			assert.ok(current === 51 || current === ROWS, `${current}`)
		})

		await t.test('of two uploads of a supplier the one that came in last holds, also when the other is ready later', async () => {
			const early = begin('four', sheetOf(11, 9), { waits: true })
			await early.begun
			const later = await upload('four', sheetOf(12, 9))
			assert.deepEqual([later.status, later.json.current], [201, true])
			early.finish()
			assert.equal(await early.answered, 201)
			assert.equal(early.answer().current, false)
			assert.deepEqual(await count('four'), [12])
			const kept = (await server.request('GET', '/suppliers/four/sheets', { key })).json.items
			assert.deepEqual(kept.slice(0, 2).map((sheet) => [sheet.offer_count, sheet.status]), [[11, 'superseded'], [12, 'current']])
			const offers = await server.request('GET', '/offers?supplier=four&limit=100', { key })
			assert.ok(offers.json.items.every((offer) => offer.sheet_id === later.json.id))
			assert.equal((await upload('four', sheetOf(13, 9))).json.current, true)
		})

		await t.test('a comparison tells of the best hundred places of a city, however many a supplier lists', async () => {
			const rows = Array.from({ length: 1000 }, (_, i) => `示例机房,深圳,12,${6000 + ((i * 7) % 1000)},含电,42`)
			const made = await upload('five', ['机房,城市,机柜功率(kW),机柜租金（元/柜/月）,电费,U数', ...rows].join('\n'))
			assert.equal(made.status, 201, made.body)
			const answer = await server.request('GET', '/compare?kw=30&cities=shenzhen', { key })
			const [city] = answer.json.cities
			assert.equal(city.offers.length, 100)
			assert.equal(city.offers.length + city.left_out, city.usable)
			assert.equal(city.usable, 1000)
			const quoted = city.offers.map((one) => Number(one.terms[one.cheapest].total))
			assert.deepEqual(quoted, quoted.toSorted((a, b) => a - b))
			assert.equal(new Set(quoted).size, 100)
			assert.ok(quoted.at(-1) / quoted[0] < 1.02, 'the cheapest of all')
		})

		await t.test('SIGTERM in the middle loses nothing that was acknowledged', async () => {
			const jobs = suppliers.map((id) => begin(id, sheetOf(3000, 30)))
			await Promise.all(jobs.map((job) => job.whole))
			const first = await Promise.race(jobs.map((job, i) => job.answered.then((status) => ({ status, i }))))
			assert.equal(first.status, 201)
			const ended = server.stop()
			const statuses = await Promise.all(jobs.map((job) => job.answered.catch(() => 0)))
			assert.equal(await ended, 0)
			await server.run()
			for (const [i, id] of suppliers.entries())
				if (statuses[i] === 201) assert.deepEqual(await count(id), [3000], id)
		})
	} finally {
		await server.stop()
		server.remove()
	}
}
