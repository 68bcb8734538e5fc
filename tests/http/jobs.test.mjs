// jobs.test.mjs - handlers that take long run aside: no other connection of their worker waits.
//
// On a bare_server (bare_server.c): /held runs aside and does not answer before a /release, so that
// what happens in between does not hang on any clock. One worker, unless a test says otherwise.
// Run alone: node tests/http/jobs.test.mjs
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import https from 'node:https'
import { fileURLToPath } from 'node:url'
import { Bare, alone, head, settled, sleep } from './bare.mjs'

const BULK_THREADS = 2 // jobs.c

// Waits until DONE() says so; the test then fails by its name and not by a hanging suite.
async function until(done, what) {
	for (let i = 0; i < 1000; i++) {
		if (await done()) return
		await sleep(10)
	}
	assert.fail(`never: ${what}`)
}

const begun = (bare, count) => until(async () => await bare.executed() >= count, `${count} handlers have begun`)
// A test that failed may have left some held.
async function end(bare) {
	await bare.request('GET', '/release?count=1000')
	await bare.stop()
}

const held = (bare, body, agent) => bare.request('POST', '/held', { body, agent })

async function waiting(bare, kind) {
	const { text } = await bare.request('GET', '/metrics')
	return Number(new RegExp(`http_jobs_waiting\\{kind="${kind}"\\} (\\d+)`).exec(text)[1])
}

async function aside(t) {
	const bare = await Bare.start({ workers: 1, header_ms: 300, idle_ms: 60000 })
	await t.test('while a handler runs aside, the other connections of its worker are answered', async () => {
		let over = false
		const first = held(bare, 'x'.repeat(100000)).then((answer) => { over = true; return answer })
		await begun(bare, 1)
		for (let i = 0; i < 20; i++) assert.equal((await bare.request('GET', '/hello')).status, 200)
		assert.equal((await bare.request('GET', '/healthz')).status, 200)
		assert.ok(!over, 'it was answered before it was let go')
		await bare.request('GET', '/release')
		const answer = await first
		assert.equal(answer.status, 200)
		assert.equal(answer.text, 'x'.repeat(100000))
	})
	await t.test('what takes no time is answered at once, though all threads are held', async () => {
		const before = await bare.executed()
		const all = Array.from({ length: BULK_THREADS }, () => held(bare, 'x', new https.Agent({ rejectUnauthorized: false })))
		await begun(bare, before + BULK_THREADS)
		assert.equal((await bare.request('GET', '/either')).text, 'at once')
		const long = bare.request('GET', '/either?long=1')
		await until(async () => await waiting(bare, 'bulk') === 1, 'what takes long waits')
		await bare.request('GET', `/release?count=${BULK_THREADS}`)
		assert.equal((await long).text, 'aside')
		assert.ok((await Promise.all(all)).every((answer) => answer.status === 200))
	})
	await t.test('one that waits for its answer is not taken for a slow client', async () => {
		const socket = await bare.connect()
		const before = await bare.executed()
		socket.write(head('GET /held HTTP/1.1', 'Host: a'))
		await begun(bare, before + 1)
		await sleep(1500) // five times what a client may take for its headers
		assert.ok(!socket.gone)
		await bare.request('GET', '/release')
		assert.deepEqual((await settled(socket)).statuses, [200])
		socket.destroy()
	})
	await t.test('what is sent behind such a request waits for its turn', async () => {
		const socket = await bare.connect()
		const before = await bare.executed()
		const next = head('POST /aside/echo HTTP/1.1', 'Host: a', 'Content-Type: application/json', 'Content-Length: 3')
		socket.write(head('GET /held HTTP/1.1', 'Host: a') + Array.from({ length: 40 }, (_, i) => `${next}"${i % 10}"`).join(''))
		await begun(bare, before + 1)
		socket.write(head('GET /held HTTP/1.1', 'Host: a'))
		await bare.request('GET', '/release?count=2')
		const answer = await settled(socket)
		assert.deepEqual(answer.statuses, Array(42).fill(200))
		assert.deepEqual([...answer.text.matchAll(/"(\d)"(?=HTTP)/g)].map((m) => Number(m[1])), Array.from({ length: 40 }, (_, i) => i % 10))
		socket.destroy()
	})
	await t.test('a client that closes its side after the request gets the whole answer', async () => {
		for (const target of ['/aside/big?bytes=3000000', '/aside/slow?ms=50']) {
			const socket = await bare.connect({ allowHalfOpen: true })
			socket.end(head(`GET ${target} HTTP/1.1`, 'Host: a'))
			const answer = await settled(socket, { quiet_ms: 1000 })
			assert.deepEqual(answer.statuses, [200])
			if (target.includes('big')) assert.ok(answer.text.length > 3000000, `${answer.text.length} bytes`)
		}
	})
	await t.test('HEAD, HTTP/1.0, Connection: close and a missing answer are as on the worker', async () => {
		const big = await bare.raw(head('HEAD /aside/big?bytes=500 HTTP/1.1', 'Host: a'))
		assert.deepEqual(big.statuses, [200])
		assert.match(big.text, /Content-Length: 500\r\n/)
		assert.ok(big.text.endsWith('\r\n\r\n'))
		assert.ok((await bare.raw('GET /aside/slow HTTP/1.0\r\n\r\n')).closed)
		assert.ok((await bare.raw(head('GET /aside/slow HTTP/1.1', 'Host: a', 'Connection: close'))).closed)
		assert.equal((await bare.request('GET', '/aside/nothing')).status, 500)
		const named = await bare.request('GET', '/aside/slow', { headers: { 'Request-Id': 'mine-1' } })
		assert.equal(named.headers['request-id'], 'mine-1')
	})
	await t.test('chunks and Expect: 100-continue reach a handler aside', async () => {
		const start = ['POST /aside/echo HTTP/1.1', 'Host: a', 'Content-Type: application/json', 'Transfer-Encoding: chunked']
		assert.match((await bare.raw(head(...start) + '2\r\n[1\r\n2\r\n,2\r\n1\r\n]\r\n0\r\n\r\n')).text, /\r\n\r\n\[1,2\]$/)
		const socket = await bare.connect()
		socket.write(head('POST /aside/echo HTTP/1.1', 'Host: a', 'Content-Type: application/json', 'Content-Length: 4', 'Expect: 100-continue'))
		assert.deepEqual((await settled(socket, { quiet_ms: 50 })).statuses, [100])
		socket.write('1234')
		await until(() => socket.received.endsWith('\r\n\r\n1234'), 'the echo')
		socket.destroy()
	})
	await t.test('a client that leaves while its handler runs costs nobody anything', async () => {
		const before = await bare.executed()
		const sockets = await Promise.all(Array.from({ length: BULK_THREADS }, () => bare.connect()))
		sockets[0].write(head('GET /held HTTP/1.1', 'Host: a'))
		sockets[1].write(head('POST /held HTTP/1.1', 'Host: a', 'Content-Length: 3') + 'abc')
		await begun(bare, before + BULK_THREADS)
		sockets[0].destroy()
		sockets[1].reset()
		const late = held(bare, 'behind them')
		await until(async () => await waiting(bare, 'bulk') === 1, 'one waits')
		assert.equal((await bare.request('GET', '/hello')).status, 200)
		await bare.request('GET', '/release?count=3')
		assert.equal((await late).text, 'behind them')
		await until(async () => /http_connections 1\n/.test((await bare.request('GET', '/metrics')).text), 'their connections are closed')
	})
	await end(bare)
}

async function full(t) {
	const bare = await Bare.start({ workers: 1, jobs_waiting: 3 })
	await t.test('when too many wait, the next is told when to come again, before it has sent its body', async () => {
		const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false })
		const inside = Array.from({ length: BULK_THREADS }, (_, i) => held(bare, `n${i}`, agent))
		await begun(bare, BULK_THREADS)
		for (let i = BULK_THREADS; i < BULK_THREADS + 3; i++) inside.push(held(bare, `n${i}`, agent))
		await until(async () => await waiting(bare, 'bulk') === 3, 'three wait')
		const socket = await bare.connect()
		socket.write(head('POST /held HTTP/1.1', 'Host: a', 'Content-Length: 5000000', 'Expect: 100-continue', 'Accept-Language: en'))
		const refused = await settled(socket)
		assert.deepEqual(refused.statuses, [503])
		assert.match(refused.text, /retry-after: \d+\r\n/i)
		assert.match(refused.text, /"code":"busy"/)
		socket.destroy()
		const other = await bare.request('GET', '/held')
		assert.equal(other.status, 503)
		assert.equal((await bare.request('GET', '/aside/slow')).status, 200, 'another kind has its own queue')
		await bare.request('GET', `/release?count=${inside.length}`)
		assert.deepEqual((await Promise.all(inside)).map((answer) => answer.text), inside.map((_, i) => `n${i}`))
		const after = held(bare, 'again')
		await bare.request('GET', '/release')
		assert.equal((await after).text, 'again')
		agent.destroy()
	})
	await t.test('a queue that fills while a body is on its way refuses at its end', async () => {
		const before = await bare.executed()
		const socket = await bare.connect()
		socket.write(head('POST /held HTTP/1.1', 'Host: a', 'Content-Length: 5') + 'half')
		const inside = Array.from({ length: BULK_THREADS }, (_, i) => held(bare, `n${i}`))
		await begun(bare, before + BULK_THREADS)
		for (let i = 0; i < 3; i++) inside.push(held(bare, 'behind'))
		await until(async () => await waiting(bare, 'bulk') === 3, 'three wait')
		socket.write('!')
		assert.deepEqual((await settled(socket)).statuses, [503])
		assert.ok(!socket.gone, 'all of it was read: the connection is still good')
		await bare.request('GET', `/release?count=${inside.length}`)
		await Promise.all(inside)
		socket.destroy()
	})
	await end(bare)
}

// SIGTERM with handlers running and waiting: those end, and their answers say that it was the last.
async function stopping(t) {
	await t.test('SIGTERM lets the handlers that run aside and those that wait end', async () => {
		const bare = await Bare.start({ workers: 2 })
		const sockets = await Promise.all(Array.from({ length: BULK_THREADS + 3 }, () => bare.connect()))
		for (const socket of sockets) socket.write(head('GET /held HTTP/1.1', 'Host: a'))
		await begun(bare, BULK_THREADS)
		await until(async () => await waiting(bare, 'bulk') === 3, 'three wait')
		const key = await bare.connect() // a request that began before may still release them
		bare.process.kill('SIGTERM')
		await until(() => bare.request('GET', '/hello').then(() => false, () => true), 'no new connections')
		await sleep(50)
		key.write(head(`GET /release?count=${sockets.length} HTTP/1.1`, 'Host: a'))
		for (const socket of sockets) {
			const answer = await settled(socket)
			assert.deepEqual(answer.statuses, [200])
			assert.match(answer.text, /Connection: close/i)
		}
		const [code] = await bare.exited
		assert.equal(code, 0, bare.log)
		rmSync(bare.folder, { recursive: true, force: true })
	})
	await t.test('what still runs when the time to drain is over is waited for, what has not begun is dropped', async () => {
		const bare = await Bare.start({ workers: 1, drain_ms: 200 })
		const sockets = await Promise.all(Array.from({ length: 6 }, () => bare.connect()))
		for (const socket of sockets) socket.write(head('GET /aside/slow?ms=1500 HTTP/1.1', 'Host: a'))
		await until(async () => await waiting(bare, 'stores') === 2, 'two wait')
		bare.process.kill('SIGTERM')
		const [code] = await bare.exited
		assert.equal(code, 0, bare.log)
		for (const socket of sockets) assert.ok((await settled(socket, { quiet_ms: 50, limit_ms: 2000 })).closed)
		rmSync(bare.folder, { recursive: true, force: true })
	})
}

// Suspending and resuming under load, with clients that leave at any moment. libmicrohttpd has had
// faults here: nothing may hang, get another's answer, or be left open.
async function storm(t) {
	const bare = await Bare.start({ workers: 2, connections: 2000, idle_ms: 60000 })
	await t.test('thousands of requests aside, some of whose clients leave, are each answered with their own', async () => {
		let answered = 0
		const client = async (name) => {
			let socket = await bare.connect()
			for (let i = 0; i < 40; i++) {
				const text = `"${name}.${i}"`
				const request = head('POST /aside/echo HTTP/1.1', 'Host: a', 'Content-Type: application/json', `Content-Length: ${text.length}`) + text
				socket.received = ''
				if ((name + i) % 7 === 0) {
					socket.write(request)
					if (i % 2) socket.destroy()
					else socket.reset()
					socket = await bare.connect()
				} else if ((name + i) % 3 === 0) {
					socket.write(head('GET /hello HTTP/1.1', 'Host: a') + request + head('GET /hello HTTP/1.1', 'Host: a'))
					await until(() => socket.received.split('"hello"').length === 3, `${text} between two others`)
					assert.ok(socket.received.includes(text))
					answered++
				} else {
					socket.write(request)
					await until(() => socket.received.endsWith(text), `the answer ${text}, not ${socket.received.slice(-200)}`)
					answered++
				}
			}
			socket.destroy()
		}
		await Promise.all(Array.from({ length: 80 }, (_, i) => client(i)))
		assert.ok(answered > 2000, `${answered}`)
		await until(async () => /http_connections 1\n/.test((await bare.request('GET', '/metrics')).text), 'every connection is closed')
		assert.match((await bare.request('GET', '/metrics')).text, /http_requests_in_flight 1\n/)
	})
	await end(bare)
}

export default async function everything(t) {
	for (const part of [aside, full, stopping, storm]) await part(t)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await alone(everything)
