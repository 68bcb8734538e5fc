// framing.test.mjs - the HTTP room alone: malformed requests, slow clients, limits, reload, drain.
//
// Speaks over raw TLS sockets, because a client library would refuse to send most of this.
// Run alone: node tests/http/framing.test.mjs
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, rmSync, copyFileSync, chmodSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import net from 'node:net'
import path from 'node:path'
import tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import { Bare, alone, head, settled, sleep } from './bare.mjs'

const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n'
const post = (...headers) => head('POST /echo HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', ...headers)

// Name, request, status of the one answer. Each is followed by a request that must not be executed.
const malformed = [
	['two different Content-Length', post('Content-Length: 0', `Content-Length: ${smuggled.length}`), 400],
	['two equal Content-Length', post('Content-Length: 2', 'Content-Length: 2') + '{}', 400],
	['Content-Length with Transfer-Encoding', post('Content-Length: 4', 'Transfer-Encoding: chunked') + '0\r\n\r\n', 400],
	['Transfer-Encoding with Content-Length', post('Transfer-Encoding: chunked', 'Content-Length: 4') + '0\r\n\r\n', 400],
	['Transfer-Encoding on HTTP/1.0', head('POST /echo HTTP/1.0', 'Host: a', 'Transfer-Encoding: chunked') + '0\r\n\r\n', 400],
	['Transfer-Encoding: xchunked', post('Transfer-Encoding: xchunked') + '0\r\n\r\n', 501],
	['Transfer-Encoding: gzip, chunked', post('Transfer-Encoding: gzip, chunked') + '0\r\n\r\n', 501],
	['Transfer-Encoding: chunked, identity', post('Transfer-Encoding: chunked, identity') + '0\r\n\r\n', 501],
	['two Transfer-Encoding lines', post('Transfer-Encoding: chunked', 'Transfer-Encoding: identity') + '0\r\n\r\n', 501],
	['two Hosts', head('GET /hello HTTP/1.1', 'Host: a', 'Host: b'), 400],
	['two Authorizations', head('GET /hello HTTP/1.1', 'Host: a', 'Authorization: Bearer a', 'Authorization: Bearer b'), 400],
	['two Content-Types', post('Content-Type: text/csv', 'Content-Length: 2') + '{}', 400],
	['two Idempotency-Keys', post('Idempotency-Key: a', 'Idempotency-Key: b', 'Content-Length: 2') + '{}', 400],
	['Host with a path', head('GET /hello HTTP/1.1', 'Host: a/b'), 400],
	['no Host', head('GET /hello HTTP/1.1', 'Accept: */*'), 400],
	['space before the colon', post('Content-Length : 4') + '{}  ', 400],
	['Transfer-Encoding with a space before the colon', post('Transfer-Encoding : chunked') + '0\r\n\r\n', 400],
	['folded Content-Length', post('Content-Length:\r\n 5') + '{}   ', 400],
	['folded header', head('GET /hello HTTP/1.1', 'Host: a', 'X-Note: one\r\n two'), 400],
	['header folded by one letter', head('GET /hello HTTP/1.1', 'Host: a', 'X-Note: one\r\n t'), 400],
	['header folded by a tab', head('GET /hello HTTP/1.1', 'Host: a', 'X-Note: one\r\n\tt'), 400],
	['folded Host', head('GET /hello HTTP/1.1', 'Host: a\r\n b'), 400],
	['folded Transfer-Encoding', post('Transfer-Encoding:\r\n chunked') + '0\r\n\r\n', 400],
	['first header line that begins with a space', head('GET /hello HTTP/1.1', ' Content-Length: 5', 'Host: a') + 'hello', 400],
	['bare LF after the request line', 'GET /hello HTTP/1.1\nHost: a\r\n\r\n', 400],
	['bare LF after a header', 'GET /hello HTTP/1.1\r\nHost: a\nX-Note: b\r\n\r\n', 400],
	['bare LF everywhere', 'GET /hello HTTP/1.1\nHost: a\nX-Note: b\n\n', 400],
	['NUL in a header value', head('GET /hello HTTP/1.1', 'X-Note: a\0b', 'Host: a'), 400],
	['NUL in a header name', head('GET /hello HTTP/1.1', 'X-No\0te: a', 'Host: a'), 400],
	['bare CR in a value', head('GET /hello HTTP/1.1', 'Host: a', 'X-Note: one\rtwo'), 400],
	['header name with a space', head('GET /hello HTTP/1.1', 'Host: a', 'X Note: one'), 400],
	['header name with a slash', head('GET /hello HTTP/1.1', 'Host: a', 'X/Note: one'), 400],
	['control byte in a value', head('GET /hello HTTP/1.1', 'Host: a', 'X-Note: on\x01e'), 400],
	['Content-Length -5', post('Content-Length: -5') + '{}', 400],
	['Content-Length +5', post('Content-Length: +5') + '{}', 400],
	['Content-Length 0x5', post('Content-Length: 0x5') + '{}', 400],
	['Content-Length "5, 5"', post('Content-Length: 5, 5') + '{}', 400],
	['Content-Length empty', post('Content-Length: ') + '{}', 400],
	['Content-Length above 2^64', post('Content-Length: 99999999999999999999999'), 413],
	['Expect: bogus', post('Content-Length: 2', 'Expect: bogus') + '{}', 417],
	['HTTP/1.2', head('GET /hello HTTP/1.2', 'Host: a'), 505],
	['HTTP/1.9', head('GET /hello HTTP/1.9', 'Host: a'), 505],
	['lower-case method', head('get /hello HTTP/1.1', 'Host: a'), 501],
	['TRACE', head('TRACE /hello HTTP/1.1', 'Host: a'), 501],
	['CONNECT', head('CONNECT a:443 HTTP/1.1', 'Host: a'), 501],
	['unknown method', head('BREW /hello HTTP/1.1', 'Host: a'), 501],
	['%00 in the path', head('GET /hello%00x HTTP/1.1', 'Host: a'), 400],
	['NUL in the path', head('GET /hello\0x HTTP/1.1', 'Host: a'), 400],
	['NUL after the path', head('GET /hello\0 HTTP/1.1', 'Host: a'), 400],
	['dot segments', head('GET /x/../hello HTTP/1.1', 'Host: a'), 400],
	['encoded dot segments', head('GET /x/%2e%2e/hello HTTP/1.1', 'Host: a'), 400],
	['encoded slash', head('GET /x%2fhello HTTP/1.1', 'Host: a'), 400],
	['double slash', head('GET //hello HTTP/1.1', 'Host: a'), 400],
	['absolute target', head('GET http://evil/hello HTTP/1.1', 'Host: a'), 400],
	['asterisk target', head('OPTIONS * HTTP/1.1', 'Host: a'), 400],
	['space in the target', head('GET /hel lo HTTP/1.1', 'Host: a'), 400],
	['no slash', head('GET hello HTTP/1.1', 'Host: a'), 400],
	['bad percent', head('GET /hello%zz HTTP/1.1', 'Host: a'), 400],
	['cut percent', head('GET /hello?x=%4 HTTP/1.1', 'Host: a'), 400],
	['path that is not UTF-8', head('GET /%ff%fe HTTP/1.1', 'Host: a'), 400],
	['overlong UTF-8', head('GET /%c0%afhello HTTP/1.1', 'Host: a'), 400],
	['control byte in the path', head('GET /he\x01llo HTTP/1.1', 'Host: a'), 400],
	['fragment in the target', head('GET /hello#x HTTP/1.1', 'Host: a'), 400],
	['long target', head(`GET /${'a'.repeat(9000)} HTTP/1.1`, 'Host: a'), 414],
	['target longer than memory', head(`GET /${'a'.repeat(200000)} HTTP/1.1`, 'Host: a'), 414],
	['headers larger than memory', head('GET /hello HTTP/1.1', 'Host: a', `X-Note: ${'a'.repeat(60000)}`), 431],
	['too many headers', head('GET /hello HTTP/1.1', 'Host: a', ...Array.from({ length: 150 }, (_, i) => `X-${i}: 1`)), 431],
	['chunk size zz', post('Transfer-Encoding: chunked') + 'zz\r\n{}\r\n0\r\n\r\n', 400],
	['chunk size -5', post('Transfer-Encoding: chunked') + '-5\r\n{}\r\n0\r\n\r\n', 400],
	['chunk size 0x2', post('Transfer-Encoding: chunked') + '0x2\r\n{}\r\n0\r\n\r\n', 400],
	['body on GET where none is taken', head('GET /hello HTTP/1.1', 'Host: a', 'Content-Length: 2') + '{}', 413],
	['body on an unknown path', head('POST /nowhere HTTP/1.1', 'Host: a', 'Content-Length: 2') + '{}', 404],
]

// Not answered at all, or closed: there is no request line to speak of.
const closed = [
	['HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
	['no version', head('GET /hello', 'Host: a')],
	['binary noise', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n'],
]

async function framing(t) {
	const bare = await Bare.start()
	for (const [name, request, status] of malformed) {
		await t.test(`${name} is answered ${status}, the connection closed, nothing after it executed`, async () => {
			const answer = await bare.raw(request + smuggled)
			// libmicrohttpd writes the header block of its own refusals twice.
			assert.deepEqual([...new Set(answer.statuses)], [status], answer.text.slice(0, 300))
			assert.ok(answer.closed, 'left open')
			assert.ok(!answer.text.includes('smuggled":true'), 'the second request was executed')
		})
	}
	for (const [name, request] of closed) {
		await t.test(`${name} is never answered 2xx`, async () => {
			const answer = await bare.raw(request + smuggled, { limit_ms: 7000 })
			assert.ok(answer.closed, 'left open')
			assert.ok(!answer.statuses.some((status) => status < 400), answer.text.slice(0, 200))
		})
	}
	await t.test('none of the malformed requests reached a handler', async () => {
		assert.equal(await bare.executed(), 0)
	})
	await t.test('plain HTTP on the TLS port gets no HTTP answer', async () => {
		const socket = net.connect(bare.port, '127.0.0.1')
		let received = ''
		socket.on('data', (data) => { received += data.toString('latin1') })
		socket.on('error', () => {})
		socket.write(head('GET /hello HTTP/1.1', 'Host: a'))
		await once(socket, 'close')
		assert.ok(!received.includes('HTTP/'), received)
	})
	await bare.stop()
}

async function dispatch(t) {
	const bare = await Bare.start({ requests_per_s: 0 })
	const problem = (answer, status, code) => {
		assert.equal(answer.status, status, answer.text)
		assert.equal(answer.headers['content-type'], 'application/problem+json')
		const body = JSON.parse(answer.text)
		assert.equal(body.status, status)
		assert.equal(body.code, code)
		assert.equal(body.request_id, answer.headers['request-id'])
		return body
	}
	await t.test('every answer carries the security headers', async () => {
		for (const target of ['/hello', '/nowhere', '/cards.csv']) {
			const { headers } = await bare.request('GET', target)
			assert.equal(headers['strict-transport-security'], 'max-age=63072000')
			assert.match(headers['content-security-policy'], /default-src 'none'.*trusted-types 'none'/)
			assert.ok(!headers['content-security-policy'].includes('unsafe'))
			assert.equal(headers['x-content-type-options'], 'nosniff')
			assert.equal(headers['referrer-policy'], 'no-referrer')
			assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
			assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
			assert.ok(!('server' in headers))
		}
	})
	await t.test('an answer that may be priced is not stored', async () => {
		assert.equal((await bare.request('GET', '/hello')).headers['cache-control'], 'private, no-store')
	})
	await t.test('an unknown path is 404', async () => {
		problem(await bare.request('GET', '/nowhere'), 404, 'no_such_path')
	})
	await t.test('a wrong method is 405 and told which are right', async () => {
		const answer = await bare.request('DELETE', '/items/7')
		problem(answer, 405, 'method_not_allowed')
		assert.equal(answer.headers.allow, 'GET, HEAD, PUT, OPTIONS')
	})
	await t.test('OPTIONS is answered from the table', async () => {
		const answer = await bare.request('OPTIONS', '/echo')
		assert.equal(answer.status, 204)
		assert.equal(answer.headers.allow, 'POST, OPTIONS')
	})
	await t.test('HEAD is GET without the body', async () => {
		const get = await bare.request('GET', '/hello')
		const answer = await bare.request('HEAD', '/hello')
		assert.equal(answer.status, 200)
		assert.equal(answer.bytes.length, 0)
		assert.equal(answer.headers['content-length'], String(get.bytes.length))
	})
	await t.test('no key is 401 with a challenge', async () => {
		const answer = await bare.request('GET', '/items/7')
		problem(answer, 401, 'key_missing')
		assert.match(answer.headers['www-authenticate'], /^Bearer /)
	})
	await t.test('a wrong key is 401, also where none is needed', async () => {
		const headers = { Authorization: 'Bearer nobody' }
		problem(await bare.request('GET', '/items/7', { headers }), 401, 'invalid_key')
		problem(await bare.request('GET', '/hello', { headers }), 401, 'invalid_key')
	})
	await t.test('a key of another role is 403', async () => {
		problem(await bare.request('GET', '/items/7', { headers: { Authorization: 'Bearer two' } }), 403, 'role_not_allowed')
	})
	await t.test('the right key reaches the handler with its parameter decoded', async () => {
		const answer = await bare.request('GET', '/items/a%20%E5%8D%A1', { headers: { Authorization: 'Bearer one' } })
		assert.deepEqual(JSON.parse(answer.text), { id: 'a 卡', key: 'key1' })
	})
	await t.test('another media type is 415', async () => {
		const answer = await bare.request('POST', '/echo', { headers: { 'Content-Type': 'text/xml' }, body: '<a/>' })
		problem(answer, 415, 'unsupported_media_type')
		assert.equal(answer.headers.accept, 'application/json')
	})
	await t.test('any media type is taken where uploads are', async () => {
		const answer = await bare.request('POST', '/upload', { headers: { 'Content-Type': 'text/csv' }, body: 'a,b\r\n' })
		assert.equal(answer.text, 'a,b\r\n')
	})
	await t.test('a declared body over the limit is 413 before it is sent', async () => {
		const socket = await bare.connect()
		socket.write(post('Content-Length: 70000', 'Expect: 100-continue'))
		const answer = await settled(socket)
		assert.deepEqual(answer.statuses, [413])
		assert.ok(answer.closed)
	})
	await t.test('a client that sends a whole body over the limit still reads its 413', async () => {
		const answer = await bare.request('POST', '/upload', { headers: { 'Content-Type': 'text/csv' }, body: Buffer.alloc(12 << 20) })
		problem(answer, 413, 'body_too_large')
	})
	await t.test('a chunked body over the limit is 413', async () => {
		const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
		const answer = await bare.raw(post('Transfer-Encoding: chunked') + chunk.repeat(5) + '0\r\n\r\n' + smuggled)
		assert.deepEqual(answer.statuses, [413], answer.text.slice(0, 200))
		assert.ok(answer.closed)
	})
	await t.test('headers of any size and in any pieces are taken', async () => {
		for (const size of [0, 1, 100, 1500, 4000, 20000]) {
			const socket = await bare.connect()
			const request = head('GET /hello HTTP/1.1', 'Host: a', 'X-Empty:', `X-Note:   ${'n'.repeat(size)}  `,
				'Cookie: a=b; c=d', 'Accept: text/html, */*', 'X-Last:')
			for (let at = 0; at < request.length; at += 700) {
				socket.write(request.slice(at, at + 700))
				await sleep(2)
			}
			socket.write(head('GET /hello?a=b&c=d HTTP/1.1', 'Host: a', 'Cookie: e=f', 'X-Empty:'))
			const answer = await settled(socket)
			assert.deepEqual(answer.statuses, [200, 200], `${size} bytes: ${answer.text.slice(-200)}`)
			socket.destroy()
		}
	})
	await t.test('an endless chunked body is cut off', async () => {
		const socket = await bare.connect()
		socket.write(post('Transfer-Encoding: chunked'))
		const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
		for (let i = 0; i < 200 && !socket.gone; i++) {
			socket.write(chunk)
			await sleep(1)
		}
		const answer = await settled(socket, { limit_ms: 3000 })
		assert.ok(answer.closed)
		assert.ok(!answer.statuses.includes(200))
	})
	await t.test('Expect: 100-continue is answered before the body', async () => {
		const socket = await bare.connect()
		socket.write(post('Content-Length: 2', 'Expect: 100-continue'))
		const first = await settled(socket)
		assert.deepEqual(first.statuses, [100])
		socket.write('{}')
		const answer = await settled(socket)
		assert.deepEqual(answer.statuses, [100, 200])
		socket.destroy()
	})
	await t.test('a Request-Id comes back, a malformed one is replaced', async () => {
		const given = await bare.request('GET', '/hello', { headers: { 'Request-Id': 'abc-1.2_X' } })
		assert.equal(given.headers['request-id'], 'abc-1.2_X')
		const replaced = await bare.request('GET', '/hello', { headers: { 'Request-Id': 'a b"c' } })
		assert.match(replaced.headers['request-id'], /^[0-9a-f]{24}$/)
	})
	await t.test('problems speak the language that was asked for', async () => {
		const zh = JSON.parse((await bare.request('GET', '/nowhere')).text)
		const en = JSON.parse((await bare.request('GET', '/nowhere', { headers: { 'Accept-Language': 'en-GB,zh;q=0.5' } })).text)
		const query = JSON.parse((await bare.request('GET', '/nowhere?lang=en')).text)
		assert.match(zh.detail, /没有/)
		assert.match(en.detail, /nothing/)
		assert.match(query.detail, /nothing/)
	})
	await t.test('a handler without an answer is 500, and the server goes on', async () => {
		problem(await bare.request('GET', '/nothing'), 500, 'internal_error')
		assert.equal((await bare.request('GET', '/hello')).status, 200)
	})
	await t.test('a static file has a strong ETag and is revalidated', async () => {
		const first = await bare.request('GET', '/cards.csv')
		assert.equal(first.status, 200)
		assert.equal(first.headers['content-type'], 'text/csv; charset=utf-8')
		assert.equal(first.headers['cache-control'], 'no-cache')
		assert.match(first.headers.etag, /^"[0-9a-f]{64}"$/)
		const again = await bare.request('GET', '/cards.csv', { headers: { 'If-None-Match': `"x", ${first.headers.etag}` } })
		assert.equal(again.status, 304)
		assert.equal(again.bytes.length, 0)
		assert.equal(again.headers.etag, first.headers.etag)
		assert.equal(again.headers['content-length'], first.headers['content-length'])
		const wrong = await bare.request('POST', '/cards.csv')
		problem(wrong, 405, 'method_not_allowed')
	})
	await t.test('/healthz and /readyz say so', async () => {
		assert.deepEqual(JSON.parse((await bare.request('GET', '/healthz')).text), { status: 'ok' })
		assert.deepEqual(JSON.parse((await bare.request('GET', '/readyz')).text), { status: 'ready' })
	})
	await t.test('/metrics counts by route and status', async () => {
		const { headers, text } = await bare.request('GET', '/metrics')
		assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
		assert.match(text, /^http_requests_total\{method="GET",route="\/items\/\{id\}",status="401"\} 2$/m)
		assert.match(text, /^http_requests_in_flight 1$/m)
		assert.match(text, /^http_request_duration_seconds_bucket\{method="GET",route="\/hello",le="\+Inf"\} \d+$/m)
		assert.match(text, /^tls_certificate_not_after_seconds \d{10}$/m)
	})
	await bare.stop()
}

async function connections(t) {
	const bare = await Bare.start({ header_ms: 1000, idle_ms: 2500, workers: 2 })
	await t.test('a connection is kept for the next request', async () => {
		const socket = await bare.connect()
		for (let i = 1; i <= 3; i++) {
			socket.write(head('GET /hello HTTP/1.1', 'Host: a'))
			assert.equal((await settled(socket, { quiet_ms: 50 })).statuses.length, i)
		}
		assert.ok(!socket.gone)
		socket.destroy()
	})
	await t.test('errors that leave no bytes behind keep the connection', async () => {
		const socket = await bare.connect()
		socket.write(head('GET /nowhere HTTP/1.1', 'Host: a'))
		await settled(socket, { quiet_ms: 50 })
		socket.write(head('GET /hello HTTP/1.1', 'Host: a'))
		assert.deepEqual((await settled(socket, { quiet_ms: 50 })).statuses, [404, 200])
		socket.destroy()
	})
	await t.test('pipelined requests are answered in order', async () => {
		const echo = (text) => post(`Content-Length: ${text.length}`) + text
		const answer = await bare.raw(Array.from({ length: 50 }, (_, i) => echo(`"n${i}."`)).join(''))
		assert.deepEqual(answer.statuses, Array(50).fill(200))
		assert.deepEqual([...answer.text.matchAll(/"n(\d+)\."/g)].map((m) => Number(m[1])), [...Array(50).keys()])
	})
	await t.test('Connection: close closes', async () => {
		const answer = await bare.raw(head('GET /hello HTTP/1.1', 'Host: a', 'Connection: close'))
		assert.deepEqual(answer.statuses, [200])
		assert.ok(answer.closed)
	})
	await t.test('HTTP/1.0 is answered and closed', async () => {
		const answer = await bare.raw('GET /hello HTTP/1.0\r\n\r\n')
		assert.deepEqual(answer.statuses, [200])
		assert.ok(answer.closed)
	})
	await t.test('a client that closes its side after the request gets the whole answer', async () => {
		const socket = await bare.connect({ allowHalfOpen: true })
		socket.end(head('GET /big?bytes=3000000 HTTP/1.1', 'Host: a'))
		const answer = await settled(socket, { quiet_ms: 1000 })
		assert.ok(answer.text.length > 3000000, `${answer.text.length} bytes`)
	})
	await t.test('a body in small pieces arrives whole', async () => {
		const socket = await bare.connect()
		socket.write(post('Content-Length: 100'))
		for (let i = 0; i < 10; i++) {
			await sleep(20)
			socket.write('0123456789')
		}
		const answer = await settled(socket)
		assert.ok(answer.text.endsWith('0123456789'.repeat(10)))
		socket.destroy()
	})
	const reaped = (name, within_ms, run) => t.test(name, async () => {
		const began = Date.now()
		const socket = await run()
		while (!socket.gone && Date.now() - began < within_ms) await sleep(20)
		assert.ok(socket.gone, `still open after ${within_ms} ms`)
		assert.ok(!socket.received.includes(' 200 '))
	})
	await reaped('a connection that sends nothing is closed', 4000, () => bare.connect())
	await reaped('a connection without a handshake is closed', 4000, async () => {
		const socket = net.connect(bare.port, '127.0.0.1')
		socket.received = ''
		socket.on('close', () => { socket.gone = true })
		socket.on('error', () => {})
		return socket
	})
	const drip = (socket, bytes, every_ms) => {
		let at = 0
		const timer = setInterval(() => {
			if (socket.gone || at >= bytes.length) return clearInterval(timer)
			socket.write(bytes[at++])
		}, every_ms)
		return socket
	}
	await reaped('headers that drip in are closed', 4000, async () =>
		drip(await bare.connect(), head('GET /hello HTTP/1.1', `X-Note: ${'a'.repeat(200)}`), 100))
	await reaped('a body that drips in is closed', 4000, async () => {
		const socket = await bare.connect()
		socket.write(post('Content-Length: 200'))
		return drip(socket, 'x'.repeat(200), 100)
	})
	await t.test('a client that does not read is closed', async () => {
		const socket = await bare.connect()
		socket.pause()
		socket.removeAllListeners('data')
		socket.write(head('GET /big?bytes=40000000 HTTP/1.1', 'Host: a'))
		let text = ''
		for (let i = 0; i < 80 && !/phase="answer"\} 1/.test(text); i++) {
			await sleep(100)
			text = (await bare.request('GET', '/metrics')).text
		}
		assert.match(text, /http_connections_reaped_total\{phase="answer"\} 1/)
		socket.destroy()
	})
	await reaped('a second request that drips in is closed as soon as the first would be', 2300, async () => {
		const socket = await bare.connect()
		socket.write(head('GET /nowhere HTTP/1.1', 'Host: a'))
		await settled(socket, { quiet_ms: 50 })
		return drip(socket, 'GET /'.padEnd(200, 'x'), 100)
	})
	await t.test('an idle connection is closed in the end', async () => {
		const socket = await bare.connect()
		socket.write(head('GET /hello HTTP/1.1', 'Host: a'))
		await sleep(1500)
		assert.ok(!socket.gone, 'closed too early')
		for (let i = 0; i < 200 && !socket.gone; i++) await sleep(20)
		assert.ok(socket.gone, 'left open')
	})
	await t.test('a slow handler is not taken for a slow client', async () => {
		const sockets = await Promise.all(Array.from({ length: 8 }, () => bare.connect()))
		for (const socket of sockets) socket.write(head('GET /slow?ms=1300 HTTP/1.1', 'Host: a'))
		for (const socket of sockets) {
			const answer = await settled(socket, { limit_ms: 12000 })
			assert.deepEqual(answer.statuses, [200])
			socket.destroy()
		}
	})
	await bare.stop()
}

// The first bytes that a TLS client sends.
async function clientHello() {
	const server = net.createServer()
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	const client = tls.connect({ port: server.address().port, host: '127.0.0.1', rejectUnauthorized: false })
	client.on('error', () => {})
	const [socket] = await once(server, 'connection')
	const [bytes] = await once(socket, 'data')
	client.destroy()
	socket.destroy()
	server.close()
	return bytes
}

// CPU seconds that the server has used.
function cpu(bare) {
	const fields = readFileSync(`/proc/${bare.process.pid}/stat`, 'utf8').split(') ')[1].split(' ')
	return (Number(fields[11]) + Number(fields[12])) / 100
}

async function handshakes(t) {
	const bare = await Bare.start()
	await t.test('clients that stop in the middle of the handshake cost no CPU', async () => {
		const hello = await clientHello()
		const sockets = Array.from({ length: 20 }, () => net.connect(bare.port, '127.0.0.1'))
		for (const socket of sockets) socket.on('error', () => {}).write(hello)
		await sleep(500)
		const before = cpu(bare)
		await sleep(2000)
		const used = cpu(bare) - before
		for (const socket of sockets) socket.destroy()
		assert.ok(used < 0.5, `${used} s of CPU in 2 s`)
	})
	await bare.stop()
}

async function stall(t) {
	const bare = await Bare.start({ workers: 1 })
	for (const count of [127, 128, 129, 256]) {
		await t.test(`${count} sockets that become ready at once are all answered`, async () => {
			const sockets = await Promise.all(Array.from({ length: count }, () => bare.connect()))
			// A slow request holds the only worker while the others become ready.
			const blocker = await bare.connect()
			blocker.write(head('GET /slow?ms=400 HTTP/1.1', 'Host: a'))
			await sleep(100)
			for (const socket of sockets) socket.write(head('GET /hello HTTP/1.1', 'Host: a'))
			const began = Date.now()
			while (sockets.some((socket) => !socket.received.includes(' 200 ')) && Date.now() - began < 4000) await sleep(10)
			const answered = sockets.filter((socket) => socket.received.includes(' 200 ')).length
			for (const socket of [blocker, ...sockets]) socket.destroy()
			assert.equal(answered, count)
		})
	}
	await bare.stop()
}

async function limits(t) {
	const bare = await Bare.start({ connections: 32, per_address: 16, requests_per_s: 2 })
	await t.test('a caller over its rate gets 429, Retry-After and RateLimit', async () => {
		const answers = []
		for (let i = 0; i < 25; i++) answers.push(await bare.request('GET', '/hello'))
		const refused = answers.find((answer) => answer.status === 429)
		assert.equal(answers[0].status, 200)
		assert.equal(answers[0].headers['ratelimit-policy'], '"default";q=20;w=10')
		assert.match(answers[0].headers.ratelimit, /^"default";r=19;t=\d+$/)
		assert.ok(refused, 'never refused')
		assert.ok(Number(refused.headers['retry-after']) >= 1)
		assert.equal(JSON.parse(refused.text).code, 'too_many_requests')
	})
	await t.test('another key has its own rate', async () => {
		const answer = await bare.request('GET', '/items/1', { headers: { Authorization: 'Bearer one' } })
		assert.equal(answer.status, 200)
	})
	await t.test('health is not rate limited', async () => {
		assert.equal((await bare.request('GET', '/healthz')).status, 200)
	})
	await t.test('an address over its connections is told so, and served again when it closed some', async () => {
		const sockets = await Promise.all(Array.from({ length: 16 }, () => bare.connect()))
		const extra = await bare.connect()
		extra.write(head('GET /healthz HTTP/1.1', 'Host: a'))
		const answer = await settled(extra)
		assert.deepEqual(answer.statuses, [429])
		assert.match(answer.text, /retry-after: 5/i)
		assert.match(answer.text, /too_many_connections/)
		for (const socket of sockets) socket.destroy()
		await sleep(300)
		assert.equal((await bare.request('GET', '/healthz')).status, 200)
	})
	await t.test('a server over its connections says so from its reserve, beyond that it closes', async () => {
		const from = (n) => Promise.all(Array.from({ length: 11 }, () => bare.connect({ localAddress: `127.0.0.${n}` })))
		const sockets = [...await from(2), ...await from(3), ...await from(4)].slice(0, 33)
		const last = sockets.at(-1)
		last.write(head('GET /healthz HTTP/1.1', 'Host: a'))
		const answer = await settled(last)
		assert.deepEqual(answer.statuses, [503])
		assert.match(answer.text, /retry-after: 5/i)
		const more = await Promise.all(Array.from({ length: 4 }, () => bare.connect({ localAddress: '127.0.0.5' })))
		assert.ok(more.some((socket) => socket.gone), 'took more than its reserve')
		for (const socket of [...sockets, ...more]) socket.destroy()
		await sleep(300)
		assert.equal((await bare.request('GET', '/healthz')).status, 200)
	})
	await bare.stop()
}

async function reload(t) {
	const bare = await Bare.start()
	const other = await Bare.start()
	await t.test('a new certificate is used after SIGHUP and no request fails meanwhile', async () => {
		const agent = new https.Agent({ keepAlive: true, maxSockets: 4, rejectUnauthorized: false })
		const open = await bare.connect()
		let failures = 0
		let served = 0
		let running = true
		const load = Array.from({ length: 4 }, async (_, i) => {
			while (running) {
				try {
					const options = i < 2 ? { agent } : {}
					if (i >= 2) {
						const answer = await bare.raw(head('GET /hello HTTP/1.1', 'Host: a', 'Connection: close'))
						if (answer.statuses[0] !== 200) failures++
					} else if ((await bare.request('GET', '/hello', options)).status !== 200) failures++
					served++
				} catch {
					failures++
				}
			}
		})
		for (let i = 0; i < 20; i++) {
			if (i === 10) {
				copyFileSync(other.certificate, bare.certificate)
				copyFileSync(other.key, bare.key)
				chmodSync(bare.key, 0o600)
			}
			bare.process.kill('SIGHUP')
			await sleep(25)
		}
		running = false
		await Promise.all(load)
		agent.destroy()
		assert.equal(failures, 0)
		assert.ok(served > 20, `${served} requests`)
		open.write(head('GET /hello HTTP/1.1', 'Host: a'))
		assert.deepEqual((await settled(open)).statuses, [200], 'the connection opened before was dropped')
		open.destroy()
		bare.ca = other.ca
		assert.equal((await bare.request('GET', '/hello')).status, 200)
	})
	await t.test('a key that does not fit is refused and the old pair stays', async () => {
		writeFileSync(bare.key, readFileSync(path.join(other.folder, 'tls.key')).subarray(0, 40))
		bare.process.kill('SIGHUP')
		await sleep(200)
		assert.equal((await bare.request('GET', '/hello')).status, 200)
		assert.match(bare.log, /private key/)
	})
	await t.test('a key that others may read is refused', async () => {
		copyFileSync(other.key, bare.key)
		chmodSync(bare.key, 0o640)
		const before = bare.log.length
		bare.process.kill('SIGHUP')
		await sleep(200)
		assert.match(bare.log.slice(before), /may be read by others/)
	})
	await other.stop()
	await bare.stop()
}

async function protocol(t) {
	const bare = await Bare.start()
	const handshake = async (options) => {
		const socket = await bare.connect(options)
		const result = { protocol: socket.getProtocol?.(), cipher: socket.getCipher?.()?.name, failed: socket.gone }
		socket.destroy()
		return result
	}
	await t.test('TLS 1.3 and 1.2 are spoken, with AEAD only', async () => {
		assert.equal((await handshake({ minVersion: 'TLSv1.3' })).protocol, 'TLSv1.3')
		const old = await handshake({ maxVersion: 'TLSv1.2' })
		assert.equal(old.protocol, 'TLSv1.2')
		assert.match(old.cipher, /^ECDHE-.*(GCM|POLY1305)/)
	})
	await t.test('TLS 1.1 and CBC are not', async () => {
		assert.ok((await handshake({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' })).failed)
		assert.ok((await handshake({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA256' })).failed)
	})
	await t.test('a session is resumed with its ticket', async () => {
		for (const maxVersion of ['TLSv1.2', 'TLSv1.3']) {
			const first = await bare.connect({ maxVersion })
			let session
			first.on('session', (ticket) => { session = ticket })
			first.write(head('GET /hello HTTP/1.1', 'Host: a'))
			await settled(first)
			session ??= first.getSession()
			first.destroy()
			const again = await bare.connect({ maxVersion, session })
			assert.ok(again.isSessionReused(), maxVersion)
			again.destroy()
		}
	})
	await t.test('a client without a trusted authority refuses the self-signed certificate', async () => {
		const socket = tls.connect({ host: '127.0.0.1', port: bare.port, servername: 'localhost' })
		const [error] = await once(socket, 'error')
		assert.match(error.code, /SELF_SIGNED|UNABLE_TO_VERIFY/)
	})
	await t.test('one that trusts it checks the name', async () => {
		assert.equal((await bare.request('GET', '/hello')).status, 200)
	})
	await bare.stop()
}

async function drain(t) {
	await t.test('SIGTERM lets requests in flight end and takes no new ones', async () => {
		const bare = await Bare.start()
		const busy = await Promise.all(Array.from({ length: 3 }, () => bare.connect()))
		const idle = await bare.connect()
		idle.write(head('GET /hello HTTP/1.1', 'Host: a'))
		for (const socket of busy) socket.write(head('GET /slow?ms=800 HTTP/1.1', 'Host: a'))
		await sleep(200)
		const began = Date.now()
		bare.process.kill('SIGTERM')
		await sleep(100)
		await assert.rejects(bare.request('GET', '/hello'))
		for (const socket of busy) {
			const answer = await settled(socket)
			assert.deepEqual(answer.statuses, [200])
			assert.match(answer.text, /Connection: close/i)
		}
		const [code] = await bare.exited
		assert.equal(code, 0)
		assert.ok(Date.now() - began < 4000, 'waited for an idle connection')
		assert.ok(idle.gone)
		rmSync(bare.folder, { recursive: true, force: true })
	})
}

export default async function everything(t) {
	for (const part of [framing, dispatch, connections, handshakes, stall, limits, protocol, reload, drain]) await part(t)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await alone(everything)
