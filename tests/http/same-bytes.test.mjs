// same-bytes.test.mjs - the same spec over the same basis gives the same bytes, whoever computes it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { program, root } from './server.mjs'

const example = path.join(root, 'schema/examples/plan.json')
const places = [
	{ TZ: 'America/New_York', LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' },
	{ TZ: 'Pacific/Kiritimati', LANG: 'ar_EG', LC_NUMERIC: 'ar_EG' },
]

export default async function (t) {
	const server = await t.Server.demo()
	const key = server.adminKey
	const headers = { 'Accept-Language': 'zh' }
	const spec = JSON.parse(readFileSync(example, 'utf8'))
	// Answers are remembered by the bytes of the request: a space more makes the plan be made anew.
	let spaces = 0
	const plan = async () => {
		const body = JSON.stringify(spec) + ' '.repeat(spaces++)
		return (await server.request('POST', '/plan', { key, body, headers: { ...headers, 'Content-Type': 'application/json' } })).body
	}
	const compare = async () => (await server.request('GET', '/compare?card=h100-sxm&servers=4', { key, headers })).body
	const days = () => JSON.parse(first).basis.today
	let first = await plan()
	let compared = await compare()

	// Asked again across midnight in Shenzhen, the basis is another.
	const same = async () => {
		const now = await plan()
		if (JSON.parse(now).basis.today !== days()) first = now
		else assert.equal(now, first)
	}

	try {
		await t.test('on any thread', async () => {
			assert.ok(JSON.parse(first).options.length > 3)
			await Promise.all(Array.from({ length: 32 }, same))
		})

		await t.test('asked again, until the catalogue or the language is another', async () => {
			const ask = async (lang) => (await server.request('POST', '/plan', { key, body: spec, headers: { 'Accept-Language': lang } })).body
			const zh = await ask('zh')
			assert.equal(await ask('zh'), zh)
			assert.equal(zh, await plan())
			const en = await ask('en')
			assert.notEqual(en, zh)
			assert.equal(await ask('en'), en)

			const supplier = 'sample-pengcheng'
			const held = await server.request('GET', `/suppliers/${supplier}`, { key })
			const renamed = { name: '改名的示例供应商', source: 'test', date: '2026-12-01' }
			const put = await server.request('PUT', `/suppliers/${supplier}`, { key, body: renamed, headers: { 'If-Match': held.headers.etag } })
			assert.equal(put.status, 200)
			const after = await ask('zh')
			assert.notEqual(JSON.parse(after).basis.catalogue_revision, JSON.parse(zh).basis.catalogue_revision)
			assert.ok(after.includes(renamed.name))
			assert.equal((await server.request('POST', '/plan?top=3', { key, body: spec, headers })).status, 400)
			first = await plan()
			compared = await compare()
		})

		for (const place of places)
			await t.test(`after a restart, in ${place.TZ} and ${place.LANG}`, async () => {
				assert.equal(await server.stop(), 0)
				server.env = place
				await server.run()
				await same()
				assert.equal(await compare(), compared)
			})

		await t.test('without a server', async () => {
			const { today } = JSON.parse(first).basis
			const printed = execFileSync(program,
				['plan', '--data', server.data, '--today', today, '--lang', 'zh', example],
				{ encoding: 'utf8', env: { ...process.env, ...places[0] } })
			assert.equal(printed.trimEnd(), first)
		})
	} finally {
		await server.stop()
		server.remove()
	}
}
