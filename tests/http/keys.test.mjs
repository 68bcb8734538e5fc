// keys.test.mjs - API keys and browser sessions.
import assert from 'node:assert/strict'
import https from 'node:https'

const cookieOf = (answer) => answer.headers['set-cookie']?.[0] ?? ''
const pairOf = (answer) => cookieOf(answer).split(';')[0]

export default async function (t) {
	const make = async (body) => {
		const made = await t.request('POST', '/keys', { key: t.admin, body })
		assert.equal(made.status, 201, made.body)
		return made.json
	}
	const whoami = (options) => t.request('GET', '/session', options)

	await t.test('a key is shown once, and never again', async () => {
		const made = await make({ role: 'buyer', label: '采购 一号' })
		assert.match(made.key, /^sk_[a-z2-7]{8}_[A-Za-z0-9_-]{43}$/)
		assert.equal(made.key.split('_')[1], made.id)
		const list = await t.request('GET', '/keys?limit=500', { key: t.admin })
		assert.ok(list.json.items.some((key) => key.id === made.id && key.label === '采购 一号'))
		assert.ok(!list.body.includes(made.key.slice(12)), 'the list shows the secret')
		const one = await t.request('GET', `/keys/${made.id}`, { key: t.admin })
		assert.equal(one.json.label, '采购 一号')
		assert.ok(!one.body.includes(made.key.slice(12)), 'the entry shows the secret')
		const me = await whoami({ key: made.key })
		assert.equal(me.json.role, 'buyer')
	})

	await t.test('a revoked key is refused on the next request', async () => {
		const made = await make({ role: 'viewer' })
		assert.equal((await whoami({ key: made.key })).status, 200)
		assert.equal((await t.request('DELETE', `/keys/${made.id}`, { key: t.admin })).status, 204)
		assert.equal((await whoami({ key: made.key })).status, 401)
		assert.equal((await t.request('DELETE', `/keys/${made.id}`, { key: t.admin })).status, 409)
		assert.equal((await t.request('DELETE', '/keys/aaaaaaaa', { key: t.admin })).status, 404)
	})

	await t.test('a key that is revoked while its request is still being sent does nothing any more', async () => {
		const made = await make({ role: 'admin' })
		const body = JSON.stringify({ role: 'admin', label: 'ghost' })
		const sending = https.request({
			host: '127.0.0.1', port: t.server.port, method: 'POST', path: '/keys', agent: t.server.agent,
			headers: { 'Authorization': `Bearer ${made.key}`, 'Content-Type': 'application/json', 'Content-Length': body.length },
		})
		const answered = new Promise((resolve, reject) => {
			sending.on('response', (response) => { response.resume(); resolve(response.statusCode) })
			sending.on('error', reject)
		})
		await new Promise((resolve) => { sending.write(body.slice(0, 5), resolve) })
		// Its headers have been let in by now.
		await new Promise((resolve) => { setTimeout(resolve, 200) })
		assert.equal((await t.request('DELETE', `/keys/${made.id}`, { key: t.admin })).status, 204)
		sending.end(body.slice(5))
		assert.equal(await answered, 401)
		const list = await t.request('GET', '/keys?limit=500', { key: t.admin })
		assert.ok(!list.json.items.some((key) => key.label === 'ghost'))
	})

	await t.test('a wrong key is refused, also where none is needed, and says no more than a revoked one', async () => {
		const made = await make({ role: 'viewer' })
		const last = made.key.at(-1) === 'A' ? 'B' : 'A'
		const wrong = await whoami({ key: made.key.slice(0, -1) + last })
		const unknown = await whoami({ key: `sk_aaaaaaaa_${'A'.repeat(43)}` })
		const open = await t.request('GET', '/openapi.json', { key: 'sk_nonsense' })
		const basic = await whoami({ headers: { Authorization: 'Basic c2tfeDp5' } })
		for (const answer of [wrong, unknown, open, basic]) assert.equal(answer.status, 401)
		for (const answer of [wrong, unknown]) assert.ok(answer.headers['www-authenticate'])
		assert.equal(wrong.json.code, unknown.json.code)
		assert.equal(wrong.json.detail, unknown.json.detail)
	})

	await t.test('a key is made only with a role that fits its supplier', async () => {
		for (const body of [
			{ role: 'owner' }, { role: 'supplier' }, { role: 'buyer', supplier: 'nobody' }, {},
			{ role: 'supplier', supplier: 'nobody-here' }, { role: 'viewer', expires: '2020-01-01' },
			{ role: 'viewer', label: 'x'.repeat(200) },
		]) {
			const refused = await t.request('POST', '/keys', { key: t.admin, body })
			assert.equal(refused.status, 422, JSON.stringify(body))
			assert.ok(refused.json.problems.length > 0)
		}
	})

	await t.test('a key sent again under its Idempotency-Key is not made twice, and not shown twice', async () => {
		const options = { key: t.admin, body: { role: 'viewer', label: '一次' }, headers: { 'Idempotency-Key': '"key-once"' } }
		const first = await t.request('POST', '/keys', options)
		const second = await t.request('POST', '/keys', options)
		assert.equal(first.status, 201)
		assert.equal(second.status, 409)
		assert.equal(second.json.code, 'made_already')
		assert.equal(second.headers.location, first.headers.location)
		const list = await t.request('GET', '/keys?limit=500', { key: t.admin })
		assert.equal(list.json.items.filter((key) => key.label === '一次').length, 1)
	})

	await t.test('a browser signs in with a cookie that no script and no other site can use', async () => {
		const made = await make({ role: 'buyer' })
		const session = await t.request('POST', '/session', { body: { key: made.key } })
		assert.equal(session.status, 200)
		const cookie = cookieOf(session)
		for (const flag of ['HttpOnly', 'Secure', 'SameSite=Strict', 'Path=/']) assert.ok(cookie.includes(flag), flag)
		assert.match(cookie, /^__Host-/)
		assert.ok(!cookie.includes(made.key) && !cookie.includes(made.key.slice(12)), 'the cookie is the key')
		const Cookie = pairOf(session)
		assert.equal((await whoami({ headers: { Cookie } })).json.role, 'buyer')
		const foreign = await whoami({ headers: { Cookie, 'Sec-Fetch-Site': 'cross-site' } })
		assert.equal(foreign.status, 401)
	})

	await t.test('a cookie counts for nothing when Origin names another site, whatever the proxy does to Host', async () => {
		const made = await make({ role: 'buyer' })
		const Cookie = pairOf(await t.request('POST', '/session', { body: { key: made.key } }))
		const host = `127.0.0.1:${t.server.port}`
		const sent = async (headers) => (await whoami({ headers: { Cookie, ...headers } })).status
		for (const Origin of ['https://evil.example', 'null', `http://${host}`, `https://${host}.evil.example`, `https://evil.example/${host}`, 'https://127.0.0.1:1'])
			assert.equal(await sent({ Origin }), 401, Origin)
		assert.equal(await sent({ Origin: `https://${host}` }), 200)
		assert.equal(await sent({ Origin: 'https://LocalHost:8443', Host: 'localhost' }), 200)
		assert.equal(await sent({ Origin: 'https://example.com', Host: 'localhost', 'Sec-Fetch-Site': 'same-origin' }), 200)
		assert.equal((await t.request('DELETE', '/session', { headers: { Cookie, Origin: 'https://evil.example' } })).status, 204)
		assert.equal(await sent({}), 200, 'another site has ended the session')
		assert.equal((await whoami({ key: made.key, headers: { Origin: 'https://evil.example' } })).status, 200, 'a key is no cookie')
	})

	await t.test('a session ends with sign-out, and with its key', async () => {
		const made = await make({ role: 'viewer' })
		const one = { Cookie: pairOf(await t.request('POST', '/session', { body: { key: made.key } })) }
		const two = { Cookie: pairOf(await t.request('POST', '/session', { body: { key: made.key } })) }
		const out = await t.request('DELETE', '/session', { headers: one })
		assert.equal(out.status, 204)
		assert.match(cookieOf(out), /Max-Age=0/)
		assert.equal((await whoami({ headers: one })).status, 401)
		assert.equal((await whoami({ headers: two })).status, 200)
		await t.request('DELETE', `/keys/${made.id}`, { key: t.admin })
		assert.equal((await whoami({ headers: two })).status, 401)
		const again = await t.request('POST', '/session', { body: { key: made.key }, headers: two })
		assert.equal(again.status, 401)
		assert.equal((await t.request('DELETE', '/session')).status, 204)
		assert.equal((await t.request('POST', '/session', { body: {} })).status, 422)
	})
}
