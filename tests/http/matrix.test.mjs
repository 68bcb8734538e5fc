// matrix.test.mjs - who may do what: every row of the route table x every kind of caller x every
// owner, generated from the table, with canary prices that nobody else may ever see.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { program } from './server.mjs'
import { perCardHour, rentalSheet } from './sheets.mjs'

const nobodys = { sheet: '99999999', offer: '99999999', supplier: 'nobody-here', site: 'nobody-here' }

// What stands in the hole of a row, for the object of one owner.
function fill(row, owner) {
	const kinds = [
		[/^\/suppliers\/\{id\}/, owner.supplier], [/^\/sheets\/\{id\}/, owner.sheet], [/^\/offers\/\{id\}/, owner.offer],
		[/^\/sites\/\{id\}/, owner.site], [/^\/(cards|prices)\/\{/, 'h100-sxm'], [/^\/models\/\{/, 'qwen2.5-14b'],
		[/^\/tariffs\/\{/, 'dongguan-1kv-2021-10'], [/^\/fx\/\{/, 'USD-2026-01-01'],
	]
	const found = kinds.find(([pattern]) => pattern.test(row.path))
	return row.path.replace(/\{[^}]+\}/, found ? found[1] : 'aaaaaaaa')
}
const owned = (row) => /^\/(suppliers|sheets|offers|sites)\/\{/.test(row.path)
const changes = (row) => row.method !== 'GET'

// The same answer, whatever was asked for: without what names the request.
function plain(answer) {
	const { request_id, ...rest } = answer.json ?? {}
	return JSON.stringify({ status: answer.status, body: answer.json ? rest : answer.body, etag: answer.headers.etag })
}

export default async function (t) {
	const table = JSON.parse(execFileSync(program, ['routes'], { encoding: 'utf8' }))
	const canaries = ['61234.57', '63456.79']
	const owners = {}
	for (const [index, name] of ['matrix-a', 'matrix-b'].entries()) {
		const key = await t.key('supplier', name)
		await t.request('PUT', `/sites/${name}-site`, {
			key: t.admin, body: { supplier: name, name: `canary-site-${name}`, city: '东莞', source: '测试', date: '2026-11-30' },
		})
		const sheet = rentalSheet([canaries[index]], { note: `canary-note-${name}`, site: `canary-site-${name}` })
		const made = await t.request('POST', `/suppliers/${name}/sheets?filename=canary-file-${name}.json`, { key, body: sheet })
		assert.equal(made.status, 201, made.body)
		const offers = await t.request('GET', `/offers?sheet=${made.json.id}`, { key: t.admin })
		owners[name] = { supplier: name, sheet: String(made.json.id), offer: String(offers.json.items[0].id), site: `${name}-site`, key }
	}
	const a = owners['matrix-a']
	const b = owners['matrix-b']
	const secrets = (name, price) => [price, perCardHour(price), `canary-note-${name}`, `canary-site-${name}`, `canary-file-${name}`]
	const callers = {
		nobody: {}, 'a wrong key': { key: `sk_aaaaaaaa_${'A'.repeat(43)}` },
		admin: { key: t.admin, role: 'admin' }, buyer: { key: await t.key('buyer'), role: 'buyer' }, viewer: { key: await t.key('viewer'), role: 'viewer' },
		'supplier a': { key: a.key, role: 'supplier', owner: a }, 'supplier b': { key: b.key, role: 'supplier', owner: b },
	}
	let cells = 0

	// Sends ROW for the object of OWNER; harmless where it is allowed: no body, or an empty one.
	const send = (row, owner, key) => t.request(row.method, fill(row, owner), { key, body: row.body_limit > 0 ? {} : undefined })

	for (const row of table)
		await t.test(`${row.method} ${row.path}: only for ${row.roles.join(', ') || 'everybody'}`, async () => {
			for (const [name, caller] of Object.entries(callers)) {
				const objects = owned(row) ? [changes(row) && !caller.owner ? nobodys : a, nobodys] : [nobodys]
				for (const object of objects) {
					const foreign = caller.owner && object !== caller.owner
					const answer = await send(row, changes(row) && caller.owner === object && row.method === 'DELETE' ? nobodys : object, caller.key)
					const cell = `${name}, ${object.supplier}: ${answer.status} ${answer.body.slice(0, 200)}`
					cells++
					if (name === 'a wrong key') assert.equal(answer.status, 401, cell)
					else if (!caller.role && !row.public) assert.equal(answer.status, 401, cell)
					else if (caller.role && row.roles.length > 0 && !row.roles.includes(caller.role)) assert.equal(answer.status, 403, cell)
					else if (caller.role) assert.ok(![401, 403].includes(answer.status), cell)
					if (caller.role === 'supplier' && row.roles.includes('supplier') && owned(row) && foreign) assert.equal(answer.status, 404, cell)
				}
			}
		})

	await t.test("somebody else's object is answered like one that is not there", async () => {
		for (const row of table) {
			if (!owned(row) || !row.roles.includes('supplier')) continue
			const theirs = await send(row, a, b.key)
			const none = await send(row, nobodys, b.key)
			assert.equal(plain(theirs), plain(none), `${row.method} ${row.path}`)
			cells++
		}
	})

	await t.test('no answer to a supplier holds the price, note, site or file of another', async () => {
		const queries = { '/offers': ['', '?limit=500', '?supplier=matrix-a', `?sheet=${a.sheet}`, '?card=h100-sxm', '?city=深圳'], '/offers.csv': ['', '?supplier=matrix-a'] }
		for (const row of table) {
			if (changes(row)) continue
			for (const query of queries[row.path] ?? ['']) {
				const answer = await t.request(row.method, fill(row, a) + query, { key: b.key })
				for (const secret of secrets('matrix-a', canaries[0]))
					assert.ok(!answer.body.includes(secret) && !JSON.stringify(answer.headers).includes(secret), `${row.path}${query} shows ${secret}`)
				cells++
			}
		}
	})

	await t.test('lists, counts, cursors and ETags of a supplier do not move when another uploads', async () => {
		const look = async () => {
			const seen = []
			for (const target of ['/offers', '/offers?limit=1', '/offers.csv', '/suppliers', '/sites', '/suppliers/matrix-b/sheets', `/sheets/${b.sheet}`, `/offers/${b.offer}`, `/offers/${b.offer}/history`, '/session'])
				seen.push(plain(await t.request('GET', target, { key: b.key })))
			return seen
		}
		const before = await look()
		const made = await t.request('POST', '/suppliers/matrix-a/sheets', { key: a.key, body: rentalSheet([canaries[0], '65000', '66000']) })
		assert.equal(made.status, 201)
		assert.deepEqual(await look(), before)
	})

	await t.test('a viewer and a caller without a key see no price of a supplier anywhere', async () => {
		for (const name of ['viewer', 'nobody'])
			for (const row of table) {
				if (changes(row)) continue
				const answer = await t.request(row.method, fill(row, a), { key: callers[name].key })
				for (const secret of secrets('matrix-a', canaries[0]).slice(0, 3)) assert.ok(!answer.body.includes(secret), `${name}: ${row.path} shows ${secret}`)
				cells++
			}
	})
	console.log(`matrix: ${cells} cells`)
}
