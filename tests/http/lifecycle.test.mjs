// lifecycle.test.mjs - stopping and starting again: what was acknowledged is there.
import assert from 'node:assert/strict'
import { rentalSheet } from './sheets.mjs'

export default async function (t) {
	const server = await t.Server.serve()
	const key = server.adminKey
	try {
		await t.test('after a restart everything that was acknowledged is there, and its ETags hold', async () => {
			const supplier = { name: '示例', source: '测试', date: '2026-11-30' }
			assert.equal((await server.request('PUT', '/suppliers/kept', { key, body: supplier })).status, 201)
			const made = await server.request('POST', '/suppliers/kept/sheets', { key, body: rentalSheet(['61234.57']) })
			assert.equal(made.status, 201, made.body)
			const before = await server.request('GET', '/offers', { key })
			assert.equal(before.json.items.length, 1)
			assert.equal(await server.stop(), 0)
			await server.run()
			const after = await server.request('GET', '/offers', { key })
			assert.equal(after.body, before.body)
			assert.equal(after.headers.etag, before.headers.etag)
			const session = await server.request('POST', '/session', { body: { key } })
			assert.equal(session.status, 200)
		})

		await t.test('no key and no price is written to the log', async () => {
			assert.ok(server.log.length > 0)
			assert.ok(!server.log.includes(key) && !server.log.includes(key.slice(12)))
			assert.ok(!server.log.includes('61234'))
		})
	} finally {
		await server.stop()
		server.remove()
	}

	const limited = await t.Server.serve(['--requests-per-s', '2'])
	try {
		await t.test('who asks too often is told when to come again, and others are served', async () => {
			const ask = (options) => limited.request('GET', '/keys', options)
			const other = (await limited.request('POST', '/keys', { key: limited.adminKey, body: { role: 'admin' } })).json.key
			const answers = await Promise.all(Array.from({ length: 60 }, () => ask({ key: limited.adminKey })))
			const refused = answers.filter((a) => a.status === 429)
			assert.ok(refused.length > 0, answers.map((a) => a.status).join())
			for (const answer of refused) {
				assert.match(answer.headers['retry-after'], /^[0-9]+$/)
				assert.deepEqual(t.contract.check({ method: 'GET', path: '/keys', status: 429, headers: answer.headers, body: answer.body }), [])
			}
			assert.equal((await ask({ key: other })).status, 200)
		})
	} finally {
		await limited.stop()
		limited.remove()
	}
}
