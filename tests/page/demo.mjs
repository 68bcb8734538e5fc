// demo.mjs - the demo on a free port with a data folder of its own, and its keys.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import https from 'node:https'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const program = path.resolve(root, process.env.BUILD ?? 'build', 'suanjia')

export class Demo {
	static async start() {
		const demo = new Demo()
		demo.data = mkdtempSync(path.join(os.tmpdir(), 'suanjia-page-'))
		demo.process = spawn(program, ['demo', '--data', demo.data, '--listen', '127.0.0.1:0'], {
			stdio: ['ignore', 'pipe', 'pipe'],
		})
		let said = ''
		let log = ''
		demo.process.stderr.on('data', (piece) => {
			log = (log + piece).slice(-4000)
		})
		await new Promise((resolve, reject) => {
			demo.process.stdout.on('data', (piece) => {
				said += piece
				if (/Ctrl-C/.test(said)) resolve()
			})
			demo.process.once('exit', (code, signal) => {
				console.log(`the demo ended with ${code ?? signal}; the end of its log:\n${log}`)
				reject(new Error(`suanjia demo ended: ${said}`))
			})
			setTimeout(() => reject(new Error(`suanjia demo is not ready: ${said}`)), 60000).unref()
		})
		demo.origin = /^page\s+(https:\S+?)\/$/m.exec(said)[1]
		demo.keys = Object.fromEntries(
			[...said.matchAll(/^(buyer|supplier|admin)\s+(sk_\S+)/gm)].map((found) => [found[1], found[2]]),
		)
		demo.certificate = readFileSync(path.join(demo.data, 'tls', 'cert.pem'))
		return demo
	}

	/** The JSON that the interface answers to METHOD TARGET. */
	ask(method, target, { role, lang = 'zh', body } = {}) {
		const headers = { 'Accept-Language': lang, ...(role ? { Authorization: `Bearer ${this.keys[role]}` } : {}) }
		if (body !== undefined) headers['Content-Type'] = 'application/json'
		return new Promise((resolve, reject) => {
			const request = https.request(this.origin + target, { method, headers, ca: this.certificate }, (answer) => {
				const pieces = []
				answer.on('data', (piece) => pieces.push(piece))
				answer.on('end', () => resolve(JSON.parse(Buffer.concat(pieces).toString('utf8'))))
			})
			request.once('error', reject)
			request.end(body === undefined ? undefined : JSON.stringify(body))
		})
	}

	stop() {
		this.process.removeAllListeners('exit')
		this.process.kill('SIGTERM')
		rmSync(this.data, { recursive: true, force: true })
	}
}
