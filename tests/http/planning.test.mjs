// planning.test.mjs - POST /size, POST /plan, GET /compare over the wire.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { program, root } from './server.mjs'

const example = (name) => JSON.parse(readFileSync(path.join(root, 'schema/examples', name), 'utf8'))
// Fen as an integer: "12.34" is 1234n; amounts on a bill have two digits.
const fen = (amount) => BigInt(Math.round(Number(amount) * 100))

export default async function (t) {
	const buyer = await t.key('buyer')
	const size = (body, headers) => t.request('POST', '/size', { key: buyer, body, headers })

	await t.test('the examples are sized, and the parts add up', async () => {
		for (const name of ['size-training.json', 'size-inference.json']) {
			const answer = await size(example(name))
			assert.equal(answer.status, 200, answer.body)
			const { memory } = answer.json
			const sum = Object.values(memory.parts).reduce((a, b) => a + b, 0)
			assert.ok(Math.abs(sum - memory.allocated_gib) < 0.02, `${sum} ${memory.allocated_gib}`)
			assert.equal(answer.json.id, example(name).id)
		}
	})

	await t.test('the program without a server gives the same answer', async () => {
		for (const name of ['size-training.json', 'size-inference.json']) {
			const line = JSON.stringify(example(name))
			const printed = JSON.parse(execFileSync(program, ['size'], { env: { ...process.env, LANG: 'en_US.UTF-8' }, input: `${line}\n`, encoding: 'utf8' }))
			const answer = await size(example(name), { 'Accept-Language': 'en' })
			const plain = ({ assumed, warnings, ...rest }) => ({ ...rest, codes: [...assumed, ...warnings].map((n) => n.code) })
			assert.deepEqual(plain(printed), plain(answer.json))
		}
	})

	await t.test('every field that the document has for a plan is known to the server', async () => {
		const { schemas } = t.document.components
		const fields = (node) => Object.fromEntries(Object.keys(node.properties).map((name) => [name, 'a word']))
		const body = {
			...fields(schemas.PlanRequest),
			workloads: ['PlanTraining', 'PlanServing', 'PlanUsage', 'PlanHosting'].map((name) => ({
				...fields(schemas[name]), kind: schemas[name].properties.kind.const, model: fields(schemas.ModelInline),
			})),
			...Object.fromEntries(['network', 'require', 'assumptions'].map((name) => [name, fields(schemas.PlanRequest.properties[name])])),
		}
		for (const workload of body.workloads.slice(2)) delete workload.model
		const answer = await t.request('POST', '/plan', { key: buyer, body })
		assert.equal(answer.status, 422, answer.body)
		assert.deepEqual(answer.json.problems.filter(({ code }) => code === 'unknown_field'), [])
	})

	await t.test('more cards of a server than any has are refused, and the document says how many', async () => {
		const limit = t.document.components.schemas.PlanHosting.properties.cards_per_server.maximum
		const ask = (cards_per_server, lang) => t.request('POST', '/plan', {
			key: buyer, headers: { 'Accept-Language': lang },
			body: { workloads: [{ name: 'w', kind: 'hosting', card: 'h100-sxm', cards_per_server, servers: 1, server_kw: 10 }] },
		})
		assert.equal((await ask(limit, 'en')).status, 200)
		for (const [lang, words] of [['en', 'must be between 1 and 128'], ['zh', '应在 1 与 128 之间']]) {
			const refused = await ask(limit + 1, lang)
			assert.equal(refused.status, 422)
			assert.equal(refused.json.problems[0].pointer, '/workloads/0/cards_per_server')
			assert.equal(refused.json.problems[0].message, words)
		}
	})

	await t.test('every assumption of the engine may be given, and is in the document', () => {
		const listed = readFileSync(path.join(root, 'server/engine/cost_assumptions.def'), 'utf8')
		const names = [...listed.matchAll(/^ASSUMPTION\(\w+, "(\w+)"/gm)].map((found) => found[1])
		assert.ok(names.length > 10)
		const { properties } = t.document.components.schemas.PlanRequest.properties.assumptions
		assert.deepEqual(Object.keys(properties).sort(), names.sort())
	})

	await t.test('every profile and attention that the document names is planned', async () => {
		const { schemas } = t.document.components
		const profiles = schemas.PlanServing.properties.profile.anyOf.find((one) => one.enum).enum
		assert.ok(profiles.includes('waking_hours'))
		const workload = { kind: 'inference', model: 'qwen2.5-7b', input_tokens: 100, output_tokens: 100, requests_per_s: 1 }
		const model = { id: 'own', params_b: 7.6, layers: 28, hidden: 3584, ffn_hidden: 18944, vocab: 152064, sparse_topk: 2048 }
		const attention = schemas.ModelInline.properties.attention.enum.filter((name) => ['full', 'mha', 'gqa', 'mqa'].includes(name))
		assert.equal(attention.length, 4)
		for (const change of [
			...profiles.map((profile) => ({ profile })),
			...attention.map((one) => ({ model: { ...model, attention: one } })),
		]) {
			const answer = await t.request('POST', '/plan', { key: buyer, body: { workloads: [{ ...workload, ...change }], top: 1 } })
			assert.equal(answer.status, 200, answer.body)
		}
	})

	await t.test('what prompts and answers cost a million tokens is the whole total again', async () => {
		const workload = {
			kind: 'inference', model: 'qwen2.5-14b', weights: 'int8', input_tokens: 1200, output_tokens: 300, requests_per_s: 5,
		}
		const answer = await t.request('POST', '/plan', { key: buyer, body: { workloads: [workload], months: 12, top: 3 } })
		assert.equal(answer.status, 200, answer.body)
		assert.ok(answer.json.options.length > 0)
		for (const option of answer.json.options) {
			const input = Number(option.per_million_input_tokens)
			const output = Number(option.per_million_output_tokens)
			// Four tokens are read for each that is put out.
			const again = 4 * input + output
			assert.ok(Math.abs(again / Number(option.per_million_tokens) - 1) < 1e-4, `${again} ${option.per_million_tokens}`)
			assert.ok(input > 0 && input < output, `${input} ${output}`)
		}
	})

	await t.test('an old price is said to be old, also where it only fills in the network', async () => {
		const days = (date) => (Date.parse(compared.basis.today) - Date.parse(date)) / 86400000
		const { json: compared } = await t.request('GET', '/compare?card=h100-sxm&servers=4&mbps=100', { key: buyer })
		const old = compared.cities.flatMap((city) => city.offers).filter((one) => one.side?.price_date && days(one.side.price_date) > 365)
		assert.ok(old.length > 0)
		for (const { terms } of old)
			for (const bill of terms.filter((one) => one.total))
				assert.ok(bill.warnings.some((flag) => flag.code === 'sheet_old'), JSON.stringify(bill.warnings))
	})

	await t.test('what memory holds is said of a card whose rates nobody knows', async () => {
		const workload = { kind: 'inference', model: 'qwen3-32b', weights: 'int8', engine: 'sglang', input_tokens: 1000, output_tokens: 200 }
		const answer = await size({ workload, on: { card: 'ascend-910c' }, layout: { tp: 4, pp: 1, ep: 1, dp: 1 } })
		assert.equal(answer.status, 200, answer.body)
		assert.equal(answer.json.speed, null)
		assert.equal(answer.json.status, 'unknown')
		const { kv_tokens, kv_bytes_per_token } = answer.json.capacity
		// 64 layers x 8 heads x 128 x 2 x 2 bytes; the pool is what memory.parts shows on each of four dies.
		assert.equal(kv_bytes_per_token, 262144)
		assert.ok(Math.abs((kv_tokens * kv_bytes_per_token) / 4 / 2 ** 30 / answer.json.memory.parts.kv_cache - 1) < 0.001)
	})

	await t.test('a run that ends is slower than the steady rate, and says so only in /size', async () => {
		const workload = { ...example('size-inference.json').workload, requests_per_s: undefined, concurrency: 64 }
		const on = example('size-inference.json').on
		const steady = await size({ workload, on })
		const run = await size({ workload: { ...workload, requests: 64, output_spread: 1 }, on })
		assert.equal(run.status, 200, run.body)
		assert.ok(run.json.speed.output_tokens_per_s < steady.json.speed.output_tokens_per_s)
		const plan = example('plan.json')
		const serving = plan.workloads.find((w) => w.kind === 'inference')
		serving.requests = 100
		const refused = await t.request('POST', '/plan', { key: buyer, body: plan })
		assert.equal(refused.status, 422)
		assert.match(refused.json.problems[0].pointer, /requests$/)
	})

	await t.test('what cannot be sized says why, all of it, and never guesses', async () => {
		const wrong = await size({ workload: { kind: 'training', method: 'lora', model: 'no-such-model', seq_lenn: 1 }, on: { card: 'H100', cards: 0 } })
		assert.equal(wrong.status, 422)
		assert.deepEqual(wrong.json.problems.map((p) => p.pointer).sort(), ['/on/card', '/on/cards', '/workload/model', '/workload/seq_lenn'])
		assert.equal((await size('{')).status, 400)
	})

	await t.test('a comparison adds up, line by line, and each line names the sheet it is from', async () => {
		const answer = await t.request('GET', '/compare?card=h100-sxm&servers=4&mbps=100&months=12', { key: buyer })
		assert.equal(answer.status, 200, answer.body)
		let bills = 0
		for (const city of answer.json.cities)
			for (const offer of city.offers)
				for (const term of offer.terms) {
					if (term.status !== 'ok') continue
					bills++
					const sum = term.lines.filter((l) => l.is_cost).reduce((a, l) => a + fen(l.amount), 0n)
					assert.equal(sum, fen(term.total))
					const mine = [offer.offer.offer, offer.side?.offer]
					for (const line of term.lines)
						if (line.source.kind === 'offer') assert.ok(mine.includes(line.source.offer), `${JSON.stringify(line)} in a bill of ${mine}`)
				}
		assert.ok(bills > 0, 'the sample catalogue has colocation')
		assert.deepEqual(answer.json.cities.map((c) => c.city), ['shenzhen', 'dongguan', 'huizhou'])
		assert.equal((await t.request('GET', '/compare?servers=4', { key: buyer })).status, 422)
		const tariff = await t.request('GET', '/compare?kw=30&tariff=none-such', { key: buyer })
		assert.equal(tariff.status, 422)
		assert.equal(tariff.json.problems[0].code, 'unknown_tariff')
	})

	await t.test('where owning meets renting follows from the bills beside it', async () => {
		const answer = (await t.request('GET', '/compare?card=h100-sxm&servers=4&mbps=100&months=12', { key: buyer })).json
		const total = (bill, what) => bill.lines.filter((line) => line.what === what).reduce((sum, line) => sum + Number(line.amount), 0)
		const near = (a, b, name) => assert.ok(Math.abs(Number(a) - b) <= 2e-5 * Math.max(1, Math.abs(b)), `${name}: ${a} for ${b}`)
		const { months, hours_per_month: hours } = answer.basis
		const full = answer.question.cards * hours
		const { buy } = answer
		let met = 0
		for (const city of answer.cities) {
			const at = city.break_even
			if (at === null) continue
			met++
			const host = city.offers[0].terms[city.offers[0].cheapest]
			const rent = city.rent ?? answer.national_rent
			const fixed = (Number(host.total) + Number(buy.total) - Number(host.accounts.power)) / months
			const worn = (total(buy, 'depreciation') + total(buy, 'capital') + total(buy, 'deposit_capital') + total(host, 'deposit_capital')) / months
			near(at.purchase, total(buy, 'purchase_cash'), 'purchase')
			near(at.own_fixed_month, fixed, 'own_fixed_month')
			near(at.own_cash_month, fixed - worn, 'own_cash_month')
			near(at.own_card_hour, Number(host.accounts.power) / months / full, 'own_card_hour')
			near(at.rent_month, Number(rent.total) / months, 'rent_month')
			const saved = Number(at.rent_month) - (fixed - worn) - Number(at.own_card_hour) * full
			if (at.month !== null) near(at.month, Number(at.purchase) / saved, 'month')
			if (at.utilisation === null) continue
			near(at.utilisation, fixed / (full * (Number(at.rent_card_hour) - Number(at.own_card_hour))), 'utilisation')
			assert.ok(Number(at.utilisation) * full * Number(at.rent_card_hour) <= Number(at.rent_month) && Number(at.utilisation) <= 1)
		}
		assert.ok(met > 0, 'the sample catalogue sells, hosts and rents out h100-sxm')
		const valley = await t.request('GET', '/compare?card=h100-sxm&servers=4&schedule=valley', { key: buyer })
		assert.ok(valley.json.cities.every((city) => city.break_even === null))
		const kw = await t.request('GET', '/compare?kw=30', { key: buyer })
		assert.equal(kw.json.buy, null)
	})

	await t.test('valley hours only save electricity, and the hours that run carry those that stand idle', async () => {
		const query = '/compare?card=h100-sxm&servers=4&mbps=100&months=12'
		const [whole, valley] = await Promise.all(['24x7', 'valley'].map(async (schedule) => (await t.request('GET', `${query}&schedule=${schedule}`, { key: buyer })).json))
		const near = (a, b, name) => assert.ok(Math.abs(Number(a) - b) <= 1e-6 * Math.max(1, Math.abs(b)), `${name}: ${a} for ${b}`)
		let seen = 0
		whole.cities.forEach((city, at) => {
			for (const priced of city.offers) {
				const other = valley.cities[at].offers.find((one) => one.offer.offer === priced.offer.offer)
				if (priced.running === null) continue
				seen++
				assert.equal(priced.running.whole_day.hours_per_month, '720')
				const hours = (24 * [...city.tariff.hours].filter((band) => band === 'v').length * 30) / 24
				assert.equal(priced.running.valley.hours_per_month, String(hours))
				assert.equal(other.terms[other.cheapest].term, priced.terms[priced.cheapest].term)
				for (const [name, bill] of [['whole_day', priced.terms[priced.cheapest]], ['valley', other.terms[other.cheapest]]]) {
					const running = priced.running[name]
					const run = 12 * Number(running.hours_per_month)
					assert.equal(running.per_month, bill.per_month)
					near(running.power_per_month, Math.round((Number(bill.accounts.power) / 12) * 100) / 100, 'power')
					near(running.kwh_per_month, bill.lines.filter((line) => line.what === 'energy').reduce((sum, line) => sum + Number(line.quantity), 0) / 12, 'kwh')
					near(running.per_hour, Number(bill.total) / run, 'per_hour')
					near(running.owned_per_hour, (Number(bill.total) + Number(whole.buy.total)) / run, 'owned_per_hour')
					assert.equal(running.complete, bill.unknown.length === 0)
				}
				assert.ok(Number(priced.running.valley.power_per_month) < Number(priced.running.whole_day.power_per_month) || Number(priced.running.whole_day.kwh_per_month) === 0)
				assert.ok(Number(priced.running.valley.owned_per_hour) > Number(priced.running.whole_day.owned_per_hour))
			}
		})
		assert.ok(seen > 2, 'offers of the sample catalogue can be run by day and by valley')
		const kw = (await t.request('GET', '/compare?kw=30', { key: buyer })).json
		const running = kw.cities.flatMap((city) => city.offers).find((priced) => priced.running !== null).running
		assert.equal(running.valley.owned_per_hour, null)
		assert.notEqual(running.valley.per_hour, null)
	})

	await t.test('the example is planned; totals are the exact sums of their lines', async () => {
		const answer = await t.request('POST', '/plan', { key: buyer, body: example('plan.json') })
		assert.equal(answer.status, 200, answer.body)
		for (const option of answer.json.options) {
			const sum = option.lines.filter((l) => l.is_cost).reduce((a, l) => a + fen(l.amount), 0n)
			assert.equal(sum, fen(option.total), `option ${option.rank}`)
		}
		const totals = answer.json.options.map((o) => Number(o.total))
		assert.deepEqual(totals, [...totals].sort((a, b) => a - b))
		const others = answer.json.not_chosen.reduce((n, g) => n + g.offers, 0)
		assert.equal(others + answer.json.offers.used, answer.json.offers.in_catalogue)
	})

	await t.test('a leased line is bought whole where it is sold, and is unknown elsewhere', async () => {
		const usage = { name: 'u', kind: 'usage', card: 'h100-sxm', gpu_hours: 4000, days: 30 }
		const plan = async (network, cities) => {
			const body = { workloads: [usage], network, cities, top: 3 }
			const answer = await t.request('POST', '/plan', { key: buyer, body, headers: { 'Accept-Language': 'en' } })
			assert.equal(answer.status, 200, answer.body)
			const others = answer.json.not_chosen.reduce((n, group) => n + group.offers, 0)
			assert.equal(others + answer.json.offers.used, answer.json.offers.in_catalogue)
			return answer.json
		}
		const leased = (option) => option.lines.filter(({ what }) => what === 'dedicated_line')
		const plain = await plan({ public_mbps: 100 }, ['深圳'])
		assert.deepEqual(plain.options.flatMap(leased), [])
		// The sample: 3000 a month for 100 Mbps with 6 % tax; two of them for 12 months.
		const asked = await plan({ public_mbps: 100, dedicated_mbps: '150' }, ['深圳'])
		const [line] = leased(asked.options[0])
		assert.equal(line.account, 'network_storage')
		assert.equal(line.amount, '67924.53')
		assert.equal(line.source.supplier, 'sample-network')
		assert.equal(line.source.row, 15)
		assert.equal(fen(asked.options[0].total), fen(plain.options[0].total) + 6792453n)
		assert.ok(asked.options[0].items.some(({ offer }) => offer === line.source.offer))
		const elsewhere = await plan({ dedicated_mbps: 150 }, ['惠州'])
		for (const option of elsewhere.options) {
			assert.deepEqual(leased(option), [])
			assert.ok(option.unknown.some(({ what }) => what === 'dedicated_line'), JSON.stringify(option.unknown))
		}
		const slow = async (network) =>
			(await plan({ dataset_tb_in: 10, ...network }, ['深圳'])).options[0].warnings.find(({ code }) => code === 'slow_transfer')?.text
		assert.match(await slow({ public_mbps: 100, dedicated_mbps: 500 }), /over 500 Mbps takes 2\.1 days/)
		assert.match(await slow({ public_mbps: 100, dedicated_mbps: 50 }), /over 100 Mbps takes 10\.3 days/)
		assert.equal(await slow({ public_mbps: 100, dedicated_mbps: 2000 }), undefined)
		const body = { workloads: [usage], network: { dedicated_mbps: -1 } }
		const refused = await t.request('POST', '/plan', { key: buyer, body })
		assert.deepEqual([refused.status, refused.json.problems[0].pointer], [422, '/network/dedicated_mbps'])
	})

	await t.test('a leased line is compared by the rules of a plan', async () => {
		const compare = async (more) => (await t.request('GET', `/compare?card=h100-sxm&servers=4&mbps=100&months=12${more}`, { key: buyer })).json
		const [plain, asked] = [await compare(''), await compare('&dedicated_mbps=150')]
		assert.deepEqual([plain.question.dedicated_mbps, asked.question.dedicated_mbps], ['0', '150'])
		for (const city of asked.cities) {
			const before = plain.cities.find((one) => one.city === city.city)
			const [bill, was] = [city, before].map(({ offers }) => offers[0].terms[offers[0].cheapest])
			const lines = bill.lines.filter(({ what }) => what === 'dedicated_line')
			const missing = bill.unknown.filter(({ what }) => what === 'dedicated_line')
			assert.deepEqual([lines.map(({ amount }) => amount), missing.length], city.city === 'shenzhen' ? [['67924.53'], 0] : [[], 1])
			assert.equal(fen(bill.total), fen(was.total) + (city.city === 'shenzhen' ? 6792453n : 0n))
			if (city.city === 'shenzhen' && city.rent) assert.equal(fen(city.rent.total), fen(before.rent.total) + 6792453n)
		}
	})

	await t.test('how a history becomes cards is told: the mean, and with the buffer', async () => {
		const usage = { name: 'u', kind: 'usage', card: 'h100-sxm', gpu_hours: 40000, days: 90, buffer: 0.3 }
		const answer = await t.request('POST', '/plan', { key: buyer, body: { workloads: [usage] } })
		const demand = answer.json.demand.find((one) => one.card === 'h100-sxm')
		assert.equal(demand.mean_cards, 18.519) // 40000 / (90 x 24)
		assert.equal(demand.wanted_cards, 24.074)
		assert.equal(demand.cards, 25)
	})

	await t.test('what would change the answer is told with the range searched, more of it when asked for', async () => {
		const usage = { name: 'u', kind: 'usage', card: 'h100-sxm', gpu_hours: 4000, days: 30 }
		const body = { workloads: [usage], network: { public_mbps: 20 }, any_city: true }
		const percent = (what, share) => (/utilisation|book_value/.test(what) ? `${100 * share}%` : share)
		const names = async (more) => {
			const answer = await t.request('POST', '/plan', { key: buyer, body: { ...body, ...more }, headers: { 'Accept-Language': 'en' } })
			assert.equal(answer.status, 200, answer.body)
			const ranks = answer.json.options.map((option) => option.rank)
			for (const one of answer.json.sensitivity) {
				assert.ok(one.least <= one.from && one.from <= one.most, JSON.stringify(one))
				for (const [turn, end] of [[one.lower, one.least], [one.higher, one.most]]) {
					if (turn === null) {
						assert.ok(end === one.from || one.text.split(/; /).some((side) => side.includes(`to ${percent(one.what, end)}`) && side.endsWith(', no other option shown wins')), one.text)
						continue
					}
					assert.ok(ranks.includes(turn.winner) && turn.winner !== 1, one.text)
					assert.ok((turn.at - one.from) * (turn.at - end) <= 0, one.text)
					assert.ok(one.text.includes(`option ${turn.winner} wins`), one.text)
				}
			}
			return answer.json.sensitivity.map((one) => one.what)
		}
		const lines = await names({})
		assert.ok(lines.includes('price') && !lines.includes('months'))
		const full = await names({ sensitivity: 'full' })
		for (const what of ['price', 'utilisation', 'months', 'bandwidth']) assert.ok(full.includes(what), what)
		const refused = await t.request('POST', '/plan', { key: buyer, body: { ...body, sensitivity: 'some' } })
		assert.equal(refused.status, 422)
		assert.equal(refused.json.problems[0].pointer, '/sensitivity')
	})

	await t.test('a class of card that no offer can be had of says why in the language of the caller', async () => {
		const texts = {}
		for (const lang of ['zh', 'en']) {
			const plan = await t.request('POST', '/plan', { key: buyer, body: example('plan.json'), headers: { 'Accept-Language': lang } })
			for (const demand of plan.json.demand) assert.equal(demand.kept_out_text === null, demand.kept_out_by === null)
			texts[lang] = plan.json.demand.map((demand) => demand.kept_out_text).filter(Boolean)
		}
		assert.ok(texts.zh.length > 0 && texts.zh.length === texts.en.length)
		assert.ok(texts.zh.every((text) => /[\u4e00-\u9fff]/.test(text)) && texts.en.every((text) => !/[\u4e00-\u9fff]/.test(text)))
	})

	await t.test('whoever asks a price is named as the list of suppliers has it, in Chinese and in English', async () => {
		const suppliers = new Map()
		for (let next = '/suppliers'; next; ) {
			const page = (await t.request('GET', next, { key: buyer })).json
			for (const one of page.items) suppliers.set(one.id, one)
			next = page.next
		}
		const plan = await t.request('POST', '/plan', { key: buyer, body: example('plan.json') })
		const compared = await t.request('GET', '/compare?card=h100-sxm&servers=4', { key: buyer })
		const named = [
			...plan.json.options.flatMap((option) => option.items),
			...plan.json.not_chosen.map((group) => group.nearest).filter(Boolean),
			...compared.json.cities.flatMap((city) => city.offers.map((priced) => priced.offer)),
		]
		assert.ok(named.length > 0)
		for (const offer of named) {
			const { name, name_en: english } = suppliers.get(offer.supplier)
			assert.deepEqual([offer.supplier_name, offer.supplier_name_en], [name, english])
		}
		assert.ok(named.some((offer) => offer.supplier_name_en !== null))
	})

	await t.test('a plan may use only what the caller may see, and stores nothing', async () => {
		const before = await t.request('GET', '/audit?limit=1', { key: t.admin })
		await t.request('POST', '/plan', { key: buyer, body: example('plan.json') })
		assert.equal((await t.request('GET', '/audit?limit=1', { key: t.admin })).body, before.body)
		const supplier = await t.key('supplier', 'plan-supplier')
		assert.equal((await t.request('POST', '/plan', { key: supplier, body: example('plan.json') })).status, 403)
	})
}
