// server.mjs - a bench_server over OFFERS random offers, what it costs, and wrk against it.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, openSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import path from 'node:path'
import { createInterface } from 'node:readline'

const here = path.dirname(new URL(import.meta.url).pathname)
export const build = path.resolve(process.env.BUILD ?? 'build', 'bench')

export class Server {
	static async start(offers) {
		const server = new Server()
		server.folder = path.join(build, `offers-${offers}`)
		mkdirSync(server.folder, { recursive: true })
		const began = Date.now()
		server.process = spawn(path.join(build, 'bench_server'), [server.folder, String(offers)],
			{ stdio: ['ignore', 'pipe', openSync(path.join(build, 'server.log'), 'w')] })
		process.once('exit', () => server.process.kill())
		server.ended = new Promise((resolve) => server.process.once('exit', resolve))
		const line = await new Promise((resolve, reject) => {
			createInterface({ input: server.process.stdout }).once('line', resolve)
			server.ended.then((code) => reject(new Error(`bench_server ended with ${code}, see ${build}/server.log`)))
		})
		Object.assign(server, JSON.parse(line), { startedMs: Date.now() - began })
		server.agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false })
		return server
	}

	async stop() {
		this.agent.destroy()
		this.process.kill('SIGTERM')
		await this.ended
	}

	// CPU time of all its threads, in microseconds.
	cpuUs() {
		const tasks = `/proc/${this.process.pid}/task`
		return readdirSync(tasks).reduce((sum, task) =>
			sum + Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]) / 1000, 0)
	}

	rssMib() {
		return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.process.pid}/status`, 'utf8'))[1]) / 1024
	}

	// One POST: status and size of the answer.
	post(target, body, type = 'application/json', agent = this.agent) {
		return new Promise((resolve, reject) => {
			const request = https.request({
				host: '127.0.0.1', port: this.port, path: target, method: 'POST', agent,
				headers: { Authorization: `Bearer ${this.key}`, 'Content-Type': type },
			}, (answer) => {
				const parts = []
				answer.on('data', (part) => parts.push(part))
				answer.on('end', () => {
					const text = Buffer.concat(parts)
					resolve({ status: answer.statusCode, size: text.length, text: text.toString() })
				})
			})
			request.on('error', reject)
			request.end(body)
		})
	}

	// SECONDS of load with BODY: requests per second, latencies, CPU of the server for a request.
	load(target, body, seconds, connections = 16) {
		const before = this.cpuUs()
		const result = read(execFileSync('wrk', this.#wrk(target, body, seconds, connections), { encoding: 'utf8' }))
		return { ...result, cpu: (this.cpuUs() - before) / result.requests }
	}

	#wrk(target, body, seconds, connections) {
		const file = path.join(build, 'body.json')
		writeFileSync(file, body)
		return ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '20s', '-s', path.join(here, 'post.lua'),
			`https://127.0.0.1:${this.port}${target}`, '--', file, this.key]
	}
}

function read(out) {
	const result = JSON.parse(/^RESULT (.*)$/m.exec(out)[1])
	if (result.failed > 0)
		throw new Error(`${result.failed} of ${result.requests} requests failed`)
	return {
		requests: result.requests,
		rate: result.requests / result.duration_us * 1e6,
		p50: result.p50_us / 1000,
		p99: result.p99_us / 1000,
	}
}
