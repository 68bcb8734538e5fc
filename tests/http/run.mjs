// run.mjs - the tests of the HTTP interface, against the real program.
//
//   node tests/http/run.mjs [FILE...]     files of this folder; all *.test.mjs when none is named
//
// Starts `suanjia demo` once, runs `export default async function (t)` of each file, and holds every
// exchange made with t.request() against schema/openapi.json (contract.mjs). At the end: which
// statuses of which operation were seen, then "N passed, N failed".
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Contract } from './contract.mjs'
import { Server, program, root } from './server.mjs'

const here = path.dirname(fileURLToPath(import.meta.url))
const document = JSON.parse(readFileSync(path.join(root, 'schema/openapi.json'), 'utf8'))

class Suite {
	constructor(server) {
		this.Server = Server
		this.server = server
		this.contract = new Contract(document)
		this.document = document
		this.admin = server.adminKey
		this.passed = 0
		this.failed = 0
		this.breaches = []
		this.keys = {}
	}

	async test(name, body) {
		const outer = this.breaches
		this.breaches = []
		try {
			await body()
			if (this.breaches.length > 0) throw new Error(`the contract is broken:\n    ${this.breaches.slice(0, 12).join('\n    ')}`)
			this.passed++
		} catch (error) {
			this.failed++
			const trace = (error.stack ?? String(error)).split('\n').slice(0, 16).join('\n  ')
			console.log(`FAILED ${name}\n  ${trace}`)
		} finally {
			this.breaches = outer
		}
	}

	// {status, headers, type, body, json, bytes} of one exchange, which must keep the contract.
	async request(method, target, options = {}) {
		const answer = await this.server.request(method, target, options)
		const wrong = this.contract.check({
			method, path: target, requestType: answer.sent.sent['Content-Type'] ?? answer.sent.sent['content-type'],
			requestBody: answer.sent.bytes?.toString('utf8'),
			status: answer.status, headers: answer.headers, body: answer.body,
		})
		for (const line of wrong) this.breaches.push(`${method} ${target} -> ${answer.status}: ${line}`)
		return answer
	}

	// A key of ROLE (for SUPPLIER, which is made when it is not there), made once.
	async key(role, supplier) {
		const name = supplier ? `${role}/${supplier}` : role
		if (this.keys[name]) return this.keys[name]
		if (supplier) await this.supplier(supplier)
		const made = await this.request('POST', '/keys', { key: this.admin, body: { role, supplier, label: name } })
		if (made.status !== 201) throw new Error(`no key for ${name}: ${made.body}`)
		this.keys[name] = made.json.key
		return made.json.key
	}

	async supplier(id) {
		const there = await this.request('GET', `/suppliers/${id}`, { key: this.admin })
		if (there.status === 200) return
		const made = await this.request('PUT', `/suppliers/${id}`, {
			key: this.admin, body: { name: `示例 ${id}`, source: '测试', date: '2026-11-30' },
		})
		if (made.status !== 201) throw new Error(`no supplier ${id}: ${made.body}`)
	}
}

function printCoverage(contract) {
	const rows = contract.coverage()
	const documented = rows.reduce((n, row) => n + row.documented.length, 0)
	const seen = rows.reduce((n, row) => n + row.seen.length, 0)
	for (const row of rows) {
		const missing = row.documented.filter((s) => !row.seen.includes(s))
		console.log(`${row.name}: ${row.seen.join(' ') || '-'}${missing.length ? `   not seen: ${missing.join(' ')}` : ''}`)
	}
	console.log(`${rows.filter((row) => row.seen.length).length} of ${rows.length} operations, ${seen} of ${documented} documented answers seen`)
}

if (!existsSync(program)) {
	console.log(`there is no ${program}: make first`)
	console.log('0 passed, 1 failed')
	process.exit(1)
}
const named = process.argv.slice(2).map((name) => path.basename(name))
const files = readdirSync(here).filter((name) => name.endsWith('.test.mjs') && (named.length === 0 || named.includes(name)))
const server = await Server.demo()
const suite = new Suite(server)
try {
	for (const file of files.sort()) {
		const { default: tests } = await import(pathToFileURL(path.join(here, file)))
		await suite.test(`${file} runs to its end`, () => tests(suite))
	}
} finally {
	const code = await server.stop()
	await suite.test('the program ends by itself when asked to', () => {
		if (code !== 0) throw new Error(`it ended with ${code}: ${server.log.slice(-2000)}`)
	})
	server.remove()
}
printCoverage(suite.contract)
console.log(`${suite.passed} passed, ${suite.failed} failed`)
process.exit(suite.failed > 0 ? 1 : 0)
