// http.mjs - POST /plan and /size under load, beside a constant answer of the same size. Each plan is
// asked with other quantities in each request, and once more as the same request again, whose answer the
// server remembers.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import https from 'node:https'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build, Server } from './server.mjs'

const ROUNDS = Number(process.env.ROUNDS ?? 2)
const SECONDS = Number(process.env.SECONDS ?? 1)
const SIZES = (process.env.OFFERS ?? '1000,10000,100000,1000000').split(',').map(Number)

const usage = { kind: 'usage', card: 'h100-sxm', gpu_hours: 40000, days: 90, buffer: 0.3 }
const serving = {
	kind: 'inference', model: 'qwen2.5-14b', weights: 'int8', input_tokens: 1200, output_tokens: 300,
	requests_per_s: 20, profile: 'office_hours', ttft_ms: 500, tpot_ms: 50, percentile: 95,
}
// Quantities that post.lua makes different in each request: a plan that nobody has asked for.
const VARIED = { gpu_hours: 40000.987654, requests_per_s: 20.987654, tokens: 200987654 }
const vary = (spec) => ({
	...spec,
	workloads: spec.workloads.map((workload) => ({
		...workload,
		...Object.fromEntries(Object.entries(VARIED).filter(([name]) => name in workload)),
	})),
})
const plans = [
	['usage, rent', '/plan', { workloads: [usage], routes: ['rent'], months: 12, top: 10 }],
	['usage, all routes', '/plan', { workloads: [usage], months: 12, top: 10 }],
	['serving, rent', '/plan', { workloads: [serving], routes: ['rent'], months: 12, top: 10 }],
	['four workloads', '/plan', JSON.parse(readFileSync('schema/examples/plan.json', 'utf8'))],
]
const cases = plans.flatMap(([name, target, spec]) => [
	[name, target, vary(spec)],
	[`${name}, again`, target, spec],
])
const sizing = [
	['train, layout given', '/size', {
		...JSON.parse(readFileSync('schema/examples/size-training.json', 'utf8')),
		layout: { tp: 1, pp: 1, dp: 8, sharding: 'zero2', micro_batch: 1, global_batch: 64, recompute: 'full' },
	}],
	['serve, layout given', '/size', {
		...JSON.parse(readFileSync('schema/examples/size-inference.json', 'utf8')), layout: { tp: 1, pp: 1, dp: 1 },
	}],
]

export const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]
const of = (rounds, name) => median(rounds.map((round) => round[name]))

const columns = [25, 9, 8, 9, 9, 9, 8, 8, 8, 8]
const row = (cells) => console.log(cells.map((cell, i) =>
	i === 0 ? String(cell).padEnd(columns[i]) : String(cell).padStart(columns[i])).join(' '))

// Rounds in turns, so that what else the machine does falls on both alike.
async function compare(server, [name, target, spec]) {
	const body = JSON.stringify(spec)
	const answer = await server.post(target, body)
	if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${answer.text}`)
	const began = Date.now()
	await server.post(target, body)
	const alone = Date.now() - began
	// What takes long is asked by fewer and for longer, so that each is answered a few times.
	const connections = alone > 50 ? 2 : 16
	const seconds = Math.min(10, Math.max(SECONDS, Math.ceil(alone * connections * 3 / 1000)))
	const rounds = []
	for (let i = 0; i < ROUNDS; i++)
		rounds.push({
			constant: server.load(`/bench/constant?bytes=${answer.size}`, body, SECONDS, connections),
			real: server.load(target, body, seconds, connections),
		})
	const real = rounds.map((round) => round.real)
	const constant = rounds.map((round) => round.constant)
	row([name, answer.size, of(real, 'rate').toFixed(0), of(constant, 'rate').toFixed(0),
		median(rounds.map((round) => round.real.rate / round.constant.rate)).toFixed(3),
		of(real, 'cpu').toFixed(0), of(constant, 'cpu').toFixed(0),
		median(rounds.map((round) => round.constant.cpu / round.real.cpu)).toFixed(3),
		of(real, 'p50').toFixed(2), of(real, 'p99').toFixed(2)])
}

// What a reader waits while RUN runs: 16 connections, each of which asks for the cheapest plan, waits
// for it, and again 5 ms later.
async function readers(server, run) {
	const body = JSON.stringify(plans[0][2])
	const waited = []
	let running = true
	const reader = async (agent) => {
		while (running) {
			const began = performance.now()
			const answer = await server.post('/plan', body, 'application/json', agent)
			waited.push(performance.now() - began)
			if (answer.status !== 200) throw new Error(`a reader got ${answer.status}`)
			await sleep(5)
		}
		agent.destroy()
	}
	const all = Array.from({ length: 16 }, () => reader(new https.Agent({ keepAlive: true, rejectUnauthorized: false })))
	await sleep(500) // their handshakes
	waited.length = 0
	await run()
	const during = waited.splice(0).sort((a, b) => a - b)
	running = false
	await Promise.all(all)
	const at = (share) => during[Math.min(during.length - 1, Math.floor(during.length * share))].toFixed(2)
	return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms (${during.length} plans)`
}

// A supplier's sheet of 50,000 rows comes in, then a small one, while others plan.
async function rebuild(server) {
	console.log(`readers, nobody uploading: ${await readers(server, () => sleep(3000))}`)
	for (const rows of [50000, 100]) {
		const sheet = ['型号,城市,卡数,按小时（元/卡/时，含税6%）']
		for (let i = 0; i < rows; i++) sheet.push(`H100 SXM,深圳,8,${9 + i % 700 / 100}`)
		let spent
		let answer
		const waited = await readers(server, async () => {
			const began = performance.now()
			answer = await server.post('/suppliers/bench-000/sheets', sheet.join('\n'), 'text/csv')
			spent = performance.now() - began
		})
		console.log(`readers while a sheet of ${rows} rows comes in, in force after ${spent.toFixed(0)} ms `
			+ `(${answer.status}): ${waited}`)
	}
}

// The sheets that bench_sheets left: read, checked and on disk, with the answer received.
async function uploads(server) {
	for (const name of ['prices.xlsx', 'prices.csv', 'wide.csv']) {
		const file = readFileSync(path.join(build, name))
		const spent = []
		let answer
		for (const query of ['?dry_run=1', '']) {
			const began = performance.now()
			answer = await server.post(`/suppliers/bench-000/sheets${query}`, file, 'application/octet-stream')
			spent.push((performance.now() - began).toFixed(0))
		}
		console.log(`upload of ${name}: dry run ${spent[0]} ms, stored ${spent[1]} ms (${answer.status}, `
			+ `answer ${(answer.size / 1048576).toFixed(1)} MiB)`)
	}
}

for (const offers of SIZES) {
	const server = await Server.start(offers)
	const before = server.rssMib()
	console.log(`\n${offers} offers in ${server.blocks} blocks: ${(server.bytes / offers).toFixed(1)} B per offer, `
		+ `loaded in ${server.load_ms} ms, RSS ${before.toFixed(0)} MiB`)
	row(['', 'bytes', 'req/s', 'constant', 'ratio', 'CPU us', 'constant', 'ratio', 'p50 ms', 'p99 ms'])
	for (const one of offers === SIZES[0] ? [...sizing, ...cases] : cases)
		await compare(server, one)
	const settled = server.rssMib()
	for (let requests = 0; requests < 10000;) requests += server.load('/plan', JSON.stringify(vary(plans[0][2])), 1).requests
	console.log(`RSS ${settled.toFixed(0)} MiB, after 10000 plans more ${server.rssMib().toFixed(0)} MiB`)
	await rebuild(server)
	console.log(`RSS after the rebuild ${server.rssMib().toFixed(0)} MiB`)
	const script = execFileSync(process.env.PYTHON ?? 'python3', ['tests/bench/plan.py', `${server.folder}/suanjia.db`], { encoding: 'utf8' })
	console.log(`"usage, rent" by a script over the same database: ${script.trim()} ms`)
	if (offers === SIZES[0]) await uploads(server)
	await server.stop()
}
