// rate.test.mjs - one key that asks without pause is told to wait; the others are not.
import assert from 'node:assert/strict'
import { Server } from './server.mjs'

export default async function (t) {
	const server = await Server.serve(['--requests-per-s', '1'])
	const ask = () => server.request('GET', '/cards', { key: server.adminKey })

	await t.test('a key over its rate gets 429 with Retry-After; health is still answered', async () => {
		let answer
		for (let i = 0; i < 200; i++) {
			answer = await ask()
			if (answer.status === 429) break
			assert.equal(answer.status, 200)
		}
		assert.equal(answer.status, 429)
		assert.ok(Number(answer.headers['retry-after']) >= 1)
		assert.equal(JSON.parse(answer.body.toString()).code, 'too_many_requests')
		const health = await server.request('GET', '/healthz', {})
		assert.equal(health.status, 200)
	})
	await server.stop()
}
