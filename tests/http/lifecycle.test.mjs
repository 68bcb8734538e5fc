// lifecycle.test.mjs - stopping and starting again: what was acknowledged is there.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { program, root } from './server.mjs'
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

		await t.test('a folder without a database is named once, with the reason', () => {
			const missing = path.join(server.data, 'missing')
			for (const command of [['plan', path.join(root, 'schema/examples/plan.json')], ['key', 'list']]) {
				const run = spawnSync(program, [...command, '--data', missing], { encoding: 'utf8' })
				assert.equal(run.status, 1)
				assert.equal(run.stderr.split(missing).length, 2, run.stderr)
				assert.match(run.stderr, /No such file or directory/)
				assert.match(run.stderr, /^suanjia: the database cannot be opened or read.*数据库/m)
			}
		})

		await t.test('a line whose sheet cannot be read is answered with its problems', () => {
			const line = JSON.stringify({
				today: '2026-12-01', spec: { workloads: [{ kind: 'hosting', card: 'h100-sxm', servers: 1 }] },
				sheet: { offers: [{ kind: 'storage', prices: [{ item: 'storage', as_quoted: '500', unit: '元/PB/月' }] }] },
			})
			const run = spawnSync(program, ['plan', '--lines'], { encoding: 'utf8', input: `${line}\n${line}\n` })
			assert.equal(run.status, 0, `${run.signal}`)
			const answers = run.stdout.trimEnd().split('\n').map((answer) => JSON.parse(answer))
			assert.equal(answers.length, 2)
			assert.equal(answers[0].problems[0].value, '元/PB/月')
			assert.deepEqual(answers[0], answers[1])
		})

		await t.test('the first key is made where nothing was before', () => {
			const fresh = path.join(server.data, 'fresh')
			const run = (...words) => spawnSync(program, [...words, '--data', fresh], { encoding: 'utf8' })
			const created = run('key', 'create', '--role', 'admin')
			assert.equal(created.status, 0, created.stderr)
			assert.match(created.stdout, /^sk_/)
			assert.equal(statSync(fresh).mode & 0o777, 0o700)
			assert.match(run('key', 'list').stdout, /admin/)
		})

		await t.test('what `suanjia key` cannot do is said in both languages', () => {
			const folder = path.join(server.data, 'said')
			const run = (...words) => spawnSync(program, ['key', ...words, '--data', folder], { encoding: 'utf8' })
			const id = run('create', '--role', 'admin').stdout.split('_')[1].split('.')[0]
			const said = (status, en, zh, ...words) => {
				const { status: now, stderr } = run(...words)
				assert.equal(now, status, stderr)
				assert.match(stderr, en)
				assert.match(stderr, zh)
			}
			said(1, /must be one of/, /角色应为/, 'create', '--role', 'king')
			said(1, /needs --supplier/, /供应商角色/, 'create', '--role', 'supplier')
			said(1, /no supplier "x"/, /没有供应商“x”/, 'create', '--role', 'supplier', '--supplier', 'x')
			said(1, /no such key/, /没有此密钥/, 'revoke', 'none')
			assert.ok(id)
		})

		await t.test('what a restore replaces is named only when there was something', () => {
			const backup = path.join(server.data, 'kept.backup')
			const run = (...words) => spawnSync(program, words, { encoding: 'utf8' })
			// A folder of a new machine: made by the restore.
			const folder = path.join(mkdtempSync(path.join(server.data, 'restored-')), 'new')
			assert.equal(run('backup', '--data', server.data, backup).status, 0)
			for (const replaces of [false, true]) {
				const restored = run('restore', '--data', folder, backup)
				assert.equal(restored.status, 0, restored.stderr)
				assert.equal(restored.stdout.includes('replaced'), replaces, restored.stdout)
				assert.equal(existsSync(path.join(folder, 'suanjia.db.replaced')), replaces)
			}
		})

		await t.test('no key and no price is written to the log', async () => {
			assert.ok(server.log.length > 0)
			assert.ok(!server.log.includes(key) && !server.log.includes(key.slice(12)))
			assert.ok(!server.log.includes('61234'))
		})

		await t.test('a sheet can be stored from the machine itself while the service is stopped', async () => {
			const file = path.join(server.data, 'price list.json')
			const store = (...more) => {
				const run = spawnSync(program, ['import', '--data', server.data, '--lang', 'en', ...more, file], { encoding: 'utf8' })
				return { ...run, json: run.stdout ? JSON.parse(run.stdout) : null }
			}
			writeFileSync(file, JSON.stringify(rentalSheet(['88000'])))
			const busy = store('--supplier', 'kept')
			assert.equal(busy.status, 1)
			assert.match(busy.stderr, /another process has the database open/)
			assert.equal(await server.stop(), 0)
			const wrong = rentalSheet(['70000', '0'])
			writeFileSync(file, JSON.stringify(wrong))
			const refused = store('--supplier', 'kept')
			assert.equal(refused.status, 1)
			assert.equal(refused.json.stored, false)
			assert.match(refused.stderr, /nothing was stored: 1 thing/)
			assert.equal(store('--supplier', 'nobody').status, 1)
			assert.equal(store().status, 2)
			assert.equal(store('--supplier', 'kept', '--data', `${server.data}/missing`).status, 1)
			writeFileSync(file, JSON.stringify(rentalSheet(['88000'])))
			const stored = store('--supplier', 'kept')
			assert.equal(stored.status, 0, stored.stderr)
			assert.equal(stored.json.filename, 'price list.json')
			assert.equal(stored.json.difference.changed, 1)
			assert.equal(stored.json.difference.offers.length, 1)
			assert.ok(stored.json.problems.some((p) => p.code === 'price_jump'), stored.stdout)
			writeFileSync(file, JSON.stringify(wrong))
			assert.equal(store('--supplier', 'kept', '--accept', 'partial').status, 0)
			await server.run()
			const seen = await server.request('GET', '/offers', { key })
			assert.deepEqual(seen.json.items.map((o) => o.prices[0].as_quoted), ['70000'])
			const first = await server.request('GET', `/sheets/${stored.json.id}`, { key })
			assert.equal(first.json.status, 'superseded')
			assert.ok(first.json.problems.some((p) => p.code === 'price_jump'))
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
