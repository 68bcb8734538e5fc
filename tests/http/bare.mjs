// bare.mjs - a bare_server (bare_server.c), and raw TLS sockets to speak to it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import https from 'node:https'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const program = path.resolve(root, process.env.BUILD ?? 'build', 'bare_server')
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

// A bare_server with its own certificate; SETTINGS are its NAME=NUMBER arguments.
export class Bare {
	static async start(settings = {}) {
		const bare = new Bare()
		bare.folder = mkdtempSync(path.join(os.tmpdir(), 'bare-'))
		bare.certificate = path.join(bare.folder, 'tls.crt')
		bare.key = path.join(bare.folder, 'tls.key')
		const args = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
		bare.process = spawn(program, [bare.certificate, bare.key, ...args],
			{ stdio: ['ignore', 'pipe', 'pipe'] })
		bare.log = ''
		bare.process.stderr.on('data', (data) => { bare.log += data })
		bare.exited = once(bare.process, 'exit')
		let out = ''
		for await (const data of bare.process.stdout) {
			out += data
			if (out.includes('\n')) break
		}
		bare.port = Number(/listening on (\d+)/.exec(out)?.[1])
		assert.ok(bare.port > 0, `bare_server did not start: ${bare.log}`)
		bare.ca = readFileSync(bare.certificate)
		return bare
	}

	async stop() {
		this.process.kill('SIGTERM')
		const [code] = await this.exited
		rmSync(this.folder, { recursive: true, force: true })
		assert.equal(code, 0, `bare_server ended with ${code}: ${this.log}`)
	}

	async connect(options = {}) {
		const tcp = net.connect({ host: '127.0.0.1', port: this.port, ...options })
		const socket = tls.connect({ socket: tcp, rejectUnauthorized: false, minVersion: 'TLSv1.2', ...options })
		socket.reset = () => tcp.resetAndDestroy()
		socket.received = ''
		socket.gone = false
		socket.on('data', (data) => { socket.received += data.toString('latin1') })
		socket.on('close', () => { socket.gone = true })
		socket.on('error', (error) => { socket.failure = error })
		await new Promise((resolve) => {
			socket.once('secureConnect', resolve)
			socket.once('close', resolve)
		})
		return socket
	}

	// Sends BYTES on a new connection; what came back until it was closed or nothing came for a while.
	async raw(bytes, { quiet_ms = 250, limit_ms = 8000 } = {}) {
		const socket = await this.connect()
		socket.write(Buffer.from(bytes, 'latin1'))
		const answer = await settled(socket, { quiet_ms, limit_ms })
		socket.destroy()
		return answer
	}

	// One request through node's client.
	request(method, target, { headers = {}, body, agent } = {}) {
		return new Promise((resolve, reject) => {
			const request = https.request({
				host: '127.0.0.1', port: this.port, method, path: target, headers, agent, ca: this.ca,
				servername: 'localhost',
			}, (response) => {
				const parts = []
				response.on('data', (part) => parts.push(part))
				response.on('error', reject)
				response.on('end', () => {
					const bytes = Buffer.concat(parts)
					resolve({ status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() })
				})
			})
			request.on('error', reject)
			request.end(body)
		})
	}

	async executed() {
		return JSON.parse((await this.request('GET', '/count')).text).executed
	}
}

// Waits until SOCKET closed, or something came and then nothing for QUIET_MS, or LIMIT_MS passed.
export async function settled(socket, { quiet_ms = 250, limit_ms = 8000 } = {}) {
	const began = Date.now()
	let size = 0
	let changed = Date.now()
	while (!socket.gone && Date.now() - began < limit_ms) {
		await sleep(10)
		if (socket.received.length !== size) {
			size = socket.received.length
			changed = Date.now()
		}
		if (size > 0 && Date.now() - changed > quiet_ms) break
	}
	return {
		text: socket.received,
		closed: socket.gone,
		ms: Date.now() - began,
		statuses: [...socket.received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1])),
	}
}

// The head of a request: LINE and HEADERS.
export const head = (line, ...headers) => [line, ...headers, '', ''].join('\r\n')

// Runs EVERYTHING without run.mjs, counts and ends.
export async function alone(everything) {
	let passed = 0
	let failed = 0
	await everything({
		async test(name, body) {
			try {
				await body()
				passed++
			} catch (error) {
				failed++
				console.log(`FAILED ${name}\n  ${error.stack.split('\n').slice(0, 4).join('\n  ')}`)
			}
		},
	})
	console.log(`${passed} passed, ${failed} failed`)
	process.exit(failed > 0 ? 1 : 0)
}
