// reference.test.mjs - suppliers, sites, cards, models, tariffs, rates: reading, replacing, versions.
import assert from 'node:assert/strict'

const said = { source: '测试资料', date: '2026-11-01' }
const resources = [
	{
		path: '/suppliers', id: 'ref-supplier', body: { name: '示例供应商', ...said }, other: { name: '示例供应商 二', ...said },
		wrong: { name: '', origin: 'rumour', nmae: 'x' },
	},
	{
		path: '/sites', id: 'ref-site', body: { supplier: 'ref-supplier', name: '示例机房', city: '东莞市', pue: '1.3', power_tier: '2n', ...said },
		other: { supplier: 'ref-supplier', name: '示例机房', city: 'Shenzhen', pue: 1.25, ...said }, wrong: { supplier: 'ref-supplier', name: 7, city: '东莞', pue: 9 },
	},
	{
		path: '/cards', id: 'ref-card-96', body: { name: 'Example "A" 96GB', vendor: 'Example', aliases: ['示例卡96'], memory_gb: 96, bandwidth_gbs: 4000.5, fp16_tflops: 500, tdp_w: 500, ecc: true, ...said },
		other: { name: 'Example A 96GB', vendor: 'Example', memory_gb: 96, bandwidth_gbs: 4100, fp16_tflops: 500, tdp_w: 500, ...said }, wrong: { name: 'x', memory_gb: -1, tdp_w: 'hot', bandwidth: 1 },
	},
	{
		path: '/models', id: 'ref-model-1b', body: { params_b: 1.2, active_params_b: 1.2, layers: 16, hidden: 2048, heads: 32, kv_heads: 8, head_dim: 64, ffn_hidden: 8192, gated_ffn: true, vocab: 128256, ...said },
		other: { params_b: 1.3, active_params_b: 1.3, layers: 16, hidden: 2048, heads: 32, kv_heads: 8, head_dim: 64, ffn_hidden: 8192, vocab: 128256, ...said }, wrong: { params_b: 1, attention: 'linear' },
	},
	{
		path: '/tariffs', id: 'ref-tariff-2026-12', body: { city: '惠州', name: '示例 1-10千伏', valley: '0.28', flat: '0.76', peak: '1.44', tax: 'included', valid_from: '2026-12-01', valid_to: '2026-12-31', ...said },
		other: { city: '惠州', name: '示例 1-10千伏', flat: '0.77', tax: 'excluded', ...said }, wrong: { city: '巴黎', name: 'x', valley: '0.2', hours: 'nowhere', tax: 'maybe', ...said },
	},
	{
		path: '/fx', id: 'USD-2026-11-28', body: { rate: '7.0789', source: '示例' }, other: { rate: 7.08, source: '示例' }, wrong: { rate: 0, sorce: 'x' },
	},
]

export default async function (t) {
	for (const { path, id, body, other, wrong } of resources) {
		const one = `${path}/${id}`
		const put = (value, headers) => t.request('PUT', one, { key: t.admin, body: value, headers })

		await t.test(`${path}: made once, replaced only by who has seen it`, async () => {
			const made = await put(body)
			assert.equal(made.status, 201, made.body)
			const got = await t.request('GET', one, { key: t.admin })
			assert.equal(got.status, 200)
			assert.equal(got.body, made.body)
			assert.equal(got.headers.etag, made.headers.etag)
			assert.equal((await t.request('GET', one, { key: t.admin, headers: { 'If-None-Match': got.headers.etag } })).status, 304)
			assert.equal((await put(other)).status, 428)
			assert.equal((await put(other, { 'If-Match': '"0000"' })).status, 412)
			assert.equal((await put(other, { 'If-None-Match': '*' })).status, 412)
			const replaced = await put(other, { 'If-Match': got.headers.etag })
			assert.equal(replaced.status, 200, replaced.body)
			assert.notEqual(replaced.headers.etag, got.headers.etag)
			assert.equal((await put(body, { 'If-Match': got.headers.etag })).status, 412)
			assert.equal((await t.request('GET', one, { key: t.admin })).body, replaced.body)
		})

		await t.test(`${path}: a new one is in the list, which comes in pages`, async () => {
			const seen = []
			let next = `${path}?limit=7`
			while (next !== null) {
				const page = await t.request('GET', decodeURI(next), { key: t.admin })
				assert.equal(page.status, 200)
				assert.ok(page.json.items.length <= 7)
				seen.push(...page.json.items.map((item) => item.id))
				const link = page.headers.link
				next = page.json.next
				if (next === null) assert.equal(link, undefined)
				else assert.equal(link, `<${next}>; rel="next"`)
			}
			assert.ok(seen.includes(id))
			assert.equal(new Set(seen).size, seen.length)
			assert.deepEqual(seen, [...seen].sort((a, b) => (a < b ? -1 : 1)))
		})

		await t.test(`${path}: everything that is wrong is said at once`, async () => {
			const refused = await t.request('PUT', `${path}/${path === '/fx' ? 'EUR-2026-11-28' : 'ref-wrong'}`, { key: t.admin, body: wrong })
			assert.equal(refused.status, 422, refused.body)
			assert.ok(refused.json.problems.length >= 2, refused.body)
			for (const problem of refused.json.problems) assert.match(problem.message, /\p{Script=Han}/u)
			assert.equal((await t.request('GET', `${path}/ref-wrong`, { key: t.admin })).status, 404)
			const unread = await t.request('PUT', one, { key: t.admin, body: '{"name": ', headers: { 'If-Match': '*' } })
			assert.equal(unread.status, 400)
			assert.equal((await t.request('GET', `${path}?limit=0`, { key: t.admin })).status, 400)
			assert.equal((await t.request('GET', `${path}?cursor=zz`, { key: t.admin })).status, 400)
			assert.equal((await t.request('GET', `${one}?colour=red`, { key: t.admin })).status, 400)
			const list = await t.request('GET', path, { key: t.admin })
			assert.equal((await t.request('GET', path, { key: t.admin, headers: { 'If-None-Match': list.headers.etag } })).status, 304)
		})
	}

	await t.test('a figure keeps its source and its date', async () => {
		const card = await t.request('GET', '/cards/ref-card-96', { key: t.admin })
		assert.equal(card.json.source, '测试资料 (2026-11-01)')
		const nameless = await t.request('PUT', '/cards/ref-card-97', { key: t.admin, body: { ...resources[2].body, source: undefined, date: undefined } })
		assert.equal(nameless.status, 422)
		assert.deepEqual(nameless.json.problems.map((p) => p.pointer).sort(), ['/date', '/source'])
	})

	await t.test('a card of which only the least is known can be sized, and planned with', async () => {
		const body = { name: 'Example B 48GB', vendor: 'Example', memory_gb: 48, bandwidth_gbs: 900, fp16_tflops: 180, tdp_w: 300, ...said }
		assert.equal((await t.request('PUT', '/cards/ref-least', { key: t.admin, body })).status, 201)
		assert.equal((await t.request('PUT', '/cards/ref-none', { key: t.admin, body: { ...body, fp16_tflops: 0 } })).status, 422)
		const on = { card: 'ref-least', cards: 8 }
		for (const workload of [{ kind: 'inference', model: 'qwen2.5-14b', input_tokens: 1000, output_tokens: 200, concurrency: 8 }, { kind: 'training', method: 'lora', model: 'qwen2.5-14b' }]) {
			const sized = await t.request('POST', '/size', { key: t.admin, body: { workload, on } })
			assert.equal(sized.status, 200, sized.body)
			assert.notEqual(sized.json.status, 'measured')
		}
	})

	await t.test('a card of the operator is a card everywhere, and may overlay a built-in one', async () => {
		const builtin = await t.request('GET', '/cards/h100-sxm', { key: t.admin })
		assert.equal(builtin.status, 200)
		assert.equal(builtin.json.tdp_w, 700)
		const body = { name: builtin.json.name, vendor: 'NVIDIA', aliases: builtin.json.aliases, memory_gb: 80, bandwidth_gbs: 3350, fp16_tflops: 989.4, fp8_tflops: 1978.9, bf16_native: true, smi_memory_mib: 81559, link_name: 'NVLink4', link_gbs_bidir: 900, tdp_w: 701, host_cards: 8, host_power_kw: 10.2, ...said }
		assert.equal((await t.request('PUT', '/cards/h100-sxm', { key: t.admin, body })).status, 428)
		const replaced = await t.request('PUT', '/cards/h100-sxm', { key: t.admin, body, headers: { 'If-Match': builtin.headers.etag } })
		assert.equal(replaced.status, 200, replaced.body)
		assert.equal((await t.request('GET', '/cards/h100-sxm', { key: t.admin })).json.tdp_w, 701)
	})

	// Rates are left out: the store keeps one for a day, and the last word holds.
	for (const { path, id, body } of resources.filter((r) => r.path !== '/fx'))
		await t.test(`${path}: of writers at once, one is right and the others are told`, async () => {
			const seen = (await t.request('GET', `${path}/${id}`, { key: t.admin })).headers.etag
			const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => t.request('PUT', `${path}/${id}`, {
				key: t.admin, headers: { 'If-Match': seen }, body: { ...body, source: `来源 ${n}` },
			})))
			assert.deepEqual(answers.map((a) => a.status).sort(), [200, 412, 412, 412, 412, 412])
			const right = answers.find((a) => a.status === 200)
			assert.equal((await t.request('GET', `${path}/${id}`, { key: t.admin })).body, right.body)
		})

	await t.test('a site needs a supplier that is there', async () => {
		const refused = await t.request('PUT', '/sites/ref-lost', { key: t.admin, body: { ...resources[1].body, supplier: 'nobody-here' } })
		assert.equal(refused.status, 422)
		assert.equal(refused.json.problems[0].code, 'unknown_supplier')
	})

	await t.test('a supplier keeps its own entry, and only that', async () => {
		const key = await t.key('supplier', 'ref-own')
		const own = await t.request('GET', '/suppliers/ref-own', { key })
		const body = { name: '示例 改名', ...said }
		const changed = await t.request('PUT', '/suppliers/ref-own', { key, body, headers: { 'If-Match': own.headers.etag } })
		assert.equal(changed.status, 200, changed.body)
		assert.equal((await t.request('PUT', '/suppliers/ref-own', { key, body: { ...body, origin: 'published' }, headers: { 'If-Match': '*' } })).status, 422)
		assert.equal((await t.request('PUT', '/suppliers/ref-supplier', { key, body, headers: { 'If-Match': '*' } })).status, 404)
		assert.equal((await t.request('PUT', '/suppliers/ref-new', { key, body })).status, 404)
		assert.deepEqual((await t.request('GET', '/suppliers', { key })).json.items.map((s) => s.id), ['ref-own'])
	})
}
