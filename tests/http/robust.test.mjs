// robust.test.mjs - bodies that nobody would send: each is answered, none with a fault of the
// program, and what is accepted fits the document.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { program } from './server.mjs'

// Repeatable: the same numbers on every run (mulberry32).
function random(seed) {
	let state = seed
	return () => {
		state = (state + 0x6d2b79f5) | 0
		let t = Math.imul(state ^ (state >>> 15), 1 | state)
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
	}
}

const odd = [
	null, true, false, 0, -1, 1e308, -1e-308, 9007199254740993, 0.1, '', ' ', '0', '-5', '1e9', 'NaN', 'null', '卡', '\u0000', '\u202e', 'x'.repeat(5000),
	'2026-02-30', '9999-12-31', '=1+1', "'; DROP TABLE keys; --", '../../etc/passwd', [], {}, [[]], [null], { a: {} }, Array(200).fill(1),
]

// VALUE with one place changed: replaced, left out, or an unknown member added.
function mutate(value, next) {
	const copy = structuredClone(value)
	const places = []
	const walk = (node) => {
		if (node === null || typeof node !== 'object') return
		for (const key of Object.keys(node)) {
			places.push([node, key])
			walk(node[key])
		}
	}
	walk(copy)
	if (places.length === 0) return copy
	const [node, key] = places[Math.floor(next() * places.length)]
	const choice = next()
	if (choice < 0.15 && !Array.isArray(node)) delete node[key]
	else if (choice < 0.25 && !Array.isArray(node)) node[`${key}_`] = node[key]
	else node[key] = odd[Math.floor(next() * odd.length)]
	return copy
}

export default async function (t) {
	const table = JSON.parse(execFileSync(program, ['routes'], { encoding: 'utf8' }))
	const next = random(20261130)
	const paths = { '/suppliers/{id}': '/suppliers/robust', '/sites/{id}': '/sites/robust', '/cards/{id}': '/cards/robust', '/models/{id}': '/models/robust', '/tariffs/{id}': '/tariffs/robust', '/fx/{id}': '/fx/EUR-2026-11-01' }

	for (const row of table) {
		const body = t.document.paths[row.path][row.method.toLowerCase()].requestBody?.content['application/json']?.schema
		if (!body) continue
		const { example } = t.contract.resolve(body, '').node
		const rounds = row.path === '/plan' ? 40 : 120
		await t.test(`${row.method} ${row.path}: ${rounds} odd bodies, no fault`, async () => {
			for (let round = 0; round < rounds; round++) {
				const sent = mutate(round % 3 === 0 ? mutate(example, next) : example, next)
				const answer = await t.request(row.method, paths[row.path] ?? row.path, { key: t.admin, body: sent, headers: row.method === 'PUT' ? { 'If-Match': '*' } : {} })
				assert.ok(answer.status < 500, `${answer.status} for ${JSON.stringify(sent).slice(0, 600)}`)
			}
		})
	}

	await t.test('JSON that is none, or too deep, is 400', async () => {
		for (const body of ['', ' ', '{', '[]]', '{"a":1,}', '{"a":NaN}', "{'a':1}", '\ufeff{}', '[' .repeat(100000), `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`, Buffer.from([0x22, 0xff, 0x22]), '"\\ud800"']) {
			const answer = await t.request('POST', '/keys', { key: t.admin, body })
			assert.ok([400, 413, 422].includes(answer.status), `${answer.status} for ${String(body).slice(0, 40)}`)
		}
	})

	await t.test('sheets that are noise are refused, not swallowed', async () => {
		const key = await t.key('supplier', 'robust-seller')
		for (let round = 0; round < 60; round++) {
			const bytes = Buffer.from(Array.from({ length: 1 + Math.floor(next() * 2000) }, () => Math.floor(next() * 256)))
			const answer = await t.request('POST', '/suppliers/robust-seller/sheets', { key, body: bytes, headers: { 'Content-Type': 'application/octet-stream' } })
			assert.equal(answer.status, 422)
		}
	})
}
