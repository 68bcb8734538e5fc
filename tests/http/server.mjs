// server.mjs - the program on a free port with a data folder of its own, and a client for it.
import { spawn, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import https from 'node:https'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
export const program = path.resolve(root, process.env.BUILD ?? 'build', 'suanjia')

// Tests ask more often than people do.
const unhurried = ['--requests-per-s', '0']

export class Server {
	// `suanjia demo`: the sample catalogue and an administrator's key.
	static async demo() {
		const server = new Server('demo', unhurried)
		await server.run()
		server.adminKey = /^admin +(sk_\S+)/m.exec(server.out)[1]
		return server
	}

	// `suanjia serve` on an empty folder, with an administrator's key made before.
	static async serve(options = unhurried) {
		const server = new Server('serve', options)
		server.adminKey = execFileSync(program,
			['key', 'create', '--role', 'admin', '--label', 'tests', '--data', server.data],
			{ encoding: 'utf8' }).trim()
		await server.run()
		return server
	}

	constructor(command, options = []) {
		this.command = command
		this.options = options
		this.env = {}
		this.data = mkdtempSync(path.join(os.tmpdir(), 'suanjia-http-'))
	}

	// Starts the program on its folder, again if it was stopped, and waits until it listens.
	async run() {
		this.out = ''
		this.log = ''
		this.process = spawn(program,
			[this.command, '--data', this.data, '--listen', '127.0.0.1:0', ...this.options],
			// The tests ask faster than a client may; an option of a test's own goes before this.
			{ stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, SUANJIA_REQUESTS_PER_S: '0', ...this.env } })
		this.ended = new Promise((resolve) => this.process.once('exit', resolve))
		this.port = await new Promise((resolve, reject) => {
			const look = () => {
				const port = this.command === 'demo'
					? /serving until/.test(this.out) && /^page +https:\/\/[^:]+:(\d+)/m.exec(this.out)?.[1]
					: /listening on https:\/\/[^:"]+:(\d+)/.exec(this.log)?.[1]
				if (port) resolve(Number(port))
			}
			this.process.stdout.on('data', (data) => { this.out += data; look() })
			this.process.stderr.on('data', (data) => { this.log += data; look() })
			this.process.once('exit', (code) => reject(new Error(`suanjia ended with ${code}: ${this.log}`)))
			setTimeout(() => reject(new Error(`suanjia does not listen: ${this.log}`)), 60000).unref()
		})
		this.agent = new https.Agent({
			keepAlive: true, maxSockets: 8, ca: readFileSync(path.join(this.data, 'tls', 'cert.pem')),
		})
	}

	// SIGTERM, and what it ended with.
	async stop() {
		this.agent.destroy()
		this.process.kill('SIGTERM')
		return this.ended
	}

	remove() {
		rmSync(this.data, { recursive: true, force: true })
	}

	// One exchange. BODY: a string or bytes as they are, anything else as JSON. DECLARED: announce so
	// many bytes but send no more than BODY, for what must be refused before it is read.
	request(method, target, { key, body, declared, headers = {} } = {}) {
		const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
		const bytes = body === undefined ? null : Buffer.from(raw ? body : JSON.stringify(body))
		const sent = { ...headers }
		if (key) sent.Authorization = `Bearer ${key}`
		if (bytes && !Object.keys(sent).some((n) => n.toLowerCase() === 'content-type'))
			sent['Content-Type'] = 'application/json'
		if (bytes) sent['Content-Length'] = declared ?? bytes.length
		return new Promise((resolve, reject) => {
			const request = https.request({
				host: '127.0.0.1', port: this.port, method, path: encodeURI(target), headers: sent, agent: this.agent,
			}, (response) => {
				const parts = []
				response.on('data', (part) => parts.push(part))
				response.on('error', reject)
				response.on('end', () => {
					if (declared) request.destroy()
					resolve(answer(response, Buffer.concat(parts), { method, target, sent, bytes }))
				})
			})
			request.on('error', reject)
			if (declared) request.write(bytes)
			else request.end(bytes ?? undefined)
		})
	}
}

function answer(response, bytes, sent) {
	const body = bytes.toString('utf8')
	const type = (response.headers['content-type'] ?? '').split(';')[0]
	let json
	if (type.endsWith('json') && body !== '') json = JSON.parse(body)
	return { status: response.statusCode, headers: response.headers, type, bytes, body, json, sent }
}
