// protocol.test.mjs - what holds for every route: methods, bodies, languages, headers, unknown names.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { program } from './server.mjs'

// A path with something in each hole.
export const filled = (path) => path.replace(/\{[^}]+\}/g, '1')

export default async function (t) {
	const table = JSON.parse(execFileSync(program, ['routes'], { encoding: 'utf8' }))
	const paths = [...new Set(table.map((row) => row.path))]

	await t.test('a method that a path does not take is 405 and says which it takes', async () => {
		for (const path of paths) {
			const taken = table.filter((row) => row.path === path).map((row) => row.method)
			for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
				if (taken.includes(method)) continue
				const answer = await t.request(method, filled(path), { key: t.admin })
				// A fixed path beside one with a parameter may take the method through the other.
				if (answer.status !== 405 && table.some((row) => row.method === method && row.path !== path)) continue
				assert.equal(answer.status, 405, `${method} ${path}`)
				for (const allowed of taken) assert.ok(answer.headers.allow.includes(allowed), `${method} ${path}`)
			}
		}
	})

	await t.test('HEAD is GET without the body', async () => {
		for (const path of ['/openapi.json', '/cards', '/offers', '/cards/h100-sxm', '/suppliers', '/healthz']) {
			const head = await t.request('HEAD', path, { key: t.admin })
			const get = await t.request('GET', path, { key: t.admin })
			assert.equal(head.status, get.status, path)
			assert.equal(head.body, '')
			assert.equal(head.headers.etag, get.headers.etag)
			assert.equal(head.headers['content-length'], get.headers['content-length'])
		}
	})

	await t.test('a body that is not JSON is 415 where JSON is wanted, and one too large is 413', async () => {
		for (const row of table) {
			if (row.body_limit === 0 || row.any_body) continue
			const answer = await t.request(row.method, filled(row.path), { key: t.admin, body: '<a/>', headers: { 'Content-Type': 'application/xml' } })
			assert.equal(answer.status, 415, `${row.method} ${row.path}`)
		}
		for (const row of table) {
			if (row.body_limit === 0 || row.body_limit > 1 << 20) continue
			const answer = await t.request(row.method, filled(row.path), { key: t.admin, body: Buffer.alloc(row.body_limit + 1, 32) })
			assert.equal(answer.status, 413, `${row.method} ${row.path}`)
		}
	})

	// The first thing of each list of the sample catalogue, for the holes of the table's paths.
	const first = async (path) => (await t.request('GET', path, { key: t.admin })).json.items[0].id
	const supplier = (await t.request('GET', '/offers?origin=sample&limit=1', { key: t.admin })).json.items[0].supplier
	const rate = await t.request('PUT', '/fx/JPY-2026-11-30', { key: t.admin, body: { rate: '0.046', source: '示例' } })
	const site = await t.request('PUT', '/sites/protocol-site', { key: t.admin, body: { supplier, name: '示例', city: '深圳', source: '示例', date: '2026-11-30' } })
	const things = {
		suppliers: supplier, offers: await first('/offers'), sheets: await first(`/suppliers/${supplier}/sheets`), cards: 'h100-sxm', prices: 'h100-sxm',
		models: await first('/models'), tariffs: await first('/tariffs'), fx: rate.json.id, sites: site.json.id, keys: t.admin.split('_')[1],
	}
	const real = (path) => path.replace(/\{[^}]+\}/, things[path.split('/')[1]])
	const question = (path) => (path === '/compare' ? '/compare?kw=30' : real(path))

	await t.test('what has an ETag is not sent again to who has it', async () => {
		for (const row of table) {
			if (!t.document.paths[row.path][row.method.toLowerCase()].responses[304]) continue
			const got = await t.request('GET', question(row.path), { key: t.admin })
			assert.equal(got.status, 200, `${row.path}: ${got.body.slice(0, 200)}`)
			assert.match(got.headers.etag, /^"[^"]+"$/)
			const headers = { 'If-None-Match': `"other", ${got.headers.etag}` }
			const again = await t.request('GET', question(row.path), { key: t.admin, headers })
			assert.equal(again.status, 304, row.path)
			assert.equal(again.body, '')
			assert.equal(again.headers.etag, got.headers.etag)
		}
	})

	await t.test('a query parameter that nobody knows is refused on every route', async () => {
		for (const row of table) {
			const path = row.method === 'DELETE' ? filled(row.path) : real(row.path)
			const answer = await t.request(row.method, `${path}?unheard_of=1`, { key: t.admin, body: row.body_limit > 0 ? {} : undefined })
			assert.ok([400, 404, 422].includes(answer.status), `${row.method} ${row.path}: ${answer.status}`)
			if (answer.status === 404) continue
			assert.ok(answer.json.problems.some((p) => /unheard_of/.test(p.pointer)), `${row.method} ${row.path}: ${answer.body}`)
		}
	})

	await t.test('a sheet that is too large is refused before it is read', async () => {
		const row = table.find((r) => r.path === '/suppliers/{id}/sheets' && r.method === 'POST')
		const answer = await t.request('POST', real(row.path), { key: t.admin, body: ' ', declared: row.body_limit + 1, headers: { 'Content-Type': 'text/csv' } })
		assert.equal(answer.status, 413)
	})

	await t.test('errors speak the language of the caller, Chinese when nothing is said', async () => {
		const ask = (headers, query = '') => t.request('GET', `/cards/none${query}`, { key: t.admin, headers })
		assert.match((await ask({})).json.detail, /\p{Script=Han}/u)
		assert.match((await ask({ 'Accept-Language': 'zh-CN,en;q=0.5' })).json.detail, /\p{Script=Han}/u)
		assert.doesNotMatch((await ask({ 'Accept-Language': 'en-US,zh;q=0.5' })).json.detail, /\p{Script=Han}/u)
		assert.doesNotMatch((await ask({}, '?lang=en')).json.detail, /\p{Script=Han}/u)
		assert.match((await ask({ 'Accept-Language': 'en' }, '?lang=zh')).json.detail, /\p{Script=Han}/u)
	})

	await t.test('an unknown member is refused by name, with the nearest known one', async () => {
		const answer = await t.request('POST', '/keys', { key: t.admin, body: { role: 'viewer', lable: 'x' }, headers: { 'Accept-Language': 'en' } })
		assert.equal(answer.status, 422)
		const [problem] = answer.json.problems
		assert.equal(problem.pointer, '/lable')
		assert.equal(problem.code, 'unknown_field')
		assert.match(problem.hint, /label/)
		const query = await t.request('GET', '/offers?crad=h100-sxm', { key: t.admin })
		assert.equal(query.status, 400)
		assert.equal(query.json.problems[0].pointer, 'crad')
		const twice = await t.request('POST', '/keys', { key: t.admin, body: '{"role":"viewer","role":"admin"}' })
		assert.equal(twice.status, 400)
	})

	await t.test('every answer names its request, and says what browsers may do with it', async () => {
		for (const path of ['/offers', '/cards/none', '/nowhere', '/openapi.json']) {
			const answer = await t.request('GET', path, { key: t.admin, headers: { 'Request-Id': 'test-17' } })
			assert.equal(answer.headers['request-id'], 'test-17', path)
			assert.equal(answer.headers['x-content-type-options'], 'nosniff', path)
			assert.ok(answer.headers['strict-transport-security'], path)
			assert.ok(answer.headers['content-security-policy'], path)
			if (answer.json?.request_id) assert.equal(answer.json.request_id, 'test-17')
		}
		assert.match((await t.request('GET', '/offers', { key: t.admin })).headers['cache-control'], /no-store/)
	})

	await t.test('a path that is not there is 404, in the form of every error', async () => {
		for (const path of ['/nowhere', '/offers/', '/cards/h100-sxm/x', '/v0/offers', '/sheets'])
			assert.equal((await t.request('GET', path, { key: t.admin })).status, 404, path)
	})

	await t.test('operations: alive, ready, measured', async () => {
		assert.equal((await t.request('GET', '/healthz')).json.status, 'ok')
		assert.equal((await t.request('GET', '/readyz')).json.status, 'ready')
		const metrics = await t.request('GET', '/metrics', { key: t.admin })
		assert.equal(metrics.status, 200)
		assert.match(metrics.body, /^# TYPE /m)
	})
}
