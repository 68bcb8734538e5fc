// contract.test.mjs - the document itself, and that program and document name the same operations.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { program, root } from './server.mjs'

const builtin = ['GET /healthz', 'GET /readyz', 'GET /metrics']

// Calls VISIT(schema, where) for every schema below NODE.
function walk(node, where, visit) {
	if (node === null || typeof node !== 'object') return
	if (node.type === 'object' || node.properties) visit(node, where)
	for (const [name, child] of Object.entries(node)) if (name !== 'example') walk(child, `${where}/${name}`, visit)
}

export default async function (t) {
	const { document, contract } = t
	const operations = Object.entries(document.paths).flatMap(([route, item]) =>
		Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${route}`, operation })))

	await t.test('what is served is the document of the repository', async () => {
		const served = await t.request('GET', '/openapi.json')
		assert.equal(served.body, readFileSync(path.join(root, 'schema/openapi.json'), 'utf8'))
		const again = await t.request('GET', '/openapi.json', { headers: { 'If-None-Match': served.headers.etag } })
		assert.equal(again.status, 304)
	})

	await t.test('program and document name the same operations', async () => {
		const table = JSON.parse(execFileSync(program, ['routes'], { encoding: 'utf8' }))
		const programs = [...table.map((row) => `${row.method} ${row.path}`), ...builtin].sort()
		assert.deepEqual(operations.map((o) => o.name).sort(), programs)
	})

	await t.test('the document names the roles that the table lets in', async () => {
		const table = JSON.parse(execFileSync(program, ['routes'], { encoding: 'utf8' }))
		for (const row of table) {
			const operation = document.paths[row.path][row.method.toLowerCase()]
			const who = /Who \/ 谁：(.*)$/m.exec(operation.description)[1]
			const roles = row.roles.length === 0 ? 'anybody' : row.roles.join(', ')
			assert.equal(who, roles, `${row.method} ${row.path}`)
		}
	})

	await t.test('every operation has a name of its own, a summary in both languages, and its errors', async () => {
		const ids = operations.map((o) => o.operation.operationId)
		assert.equal(new Set(ids).size, ids.length)
		for (const { name, operation } of operations) {
			assert.match(operation.summary, /\p{Script=Han}/u, name)
			assert.match(operation.summary, /[a-z]/i, name)
			for (const [status, response] of Object.entries(operation.responses)) {
				const { node } = contract.resolve(response, '')
				if (Number(status) >= 400) assert.ok(node.content['application/problem+json'], `${name} ${status}`)
			}
		}
	})

	await t.test('no schema leaves room for members that it does not name', async () => {
		for (const [name, schema] of Object.entries(document.components.schemas))
			walk(schema, name, (node, where) => {
				if (node.properties) assert.equal(node.additionalProperties, false, where)
			})
	})

	await t.test('every schema is one, strictly read', async () => {
		const names = (node) => JSON.parse(JSON.stringify(node).replaceAll('#/components/schemas/', 'urn:schema:'))
		const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, keywords: ['example'] })
		addFormats(ajv)
		for (const [name, schema] of Object.entries(document.components.schemas)) ajv.addSchema({ ...names(schema), $id: `urn:schema:${name}` })
		for (const name of Object.keys(document.components.schemas)) assert.ok(ajv.getSchema(`urn:schema:${name}`), name)
	})

	await t.test('every example fits its schema', async () => {
		let count = 0
		for (const [name, schema] of Object.entries(document.components.schemas)) {
			if (schema.example === undefined) continue
			count++
			assert.deepEqual(contract.errors(`/components/schemas/${name}`, schema.example), [], name)
		}
		assert.ok(count >= 20)
	})

	await t.test('every request and answer body has an example', async () => {
		for (const { name, operation } of operations) {
			const bodies = [operation.requestBody, ...Object.values(operation.responses)].filter(Boolean)
			for (const body of bodies) {
				const json = contract.resolve(body, '').node.content?.['application/json']
				if (!json?.schema?.$ref) continue
				const { node } = contract.resolve(json.schema, '')
				assert.notEqual(node.example, undefined, `${name}: ${json.schema.$ref}`)
			}
		}
	})

	await t.test('the example files fit the schemas that they are named after', async () => {
		const folder = path.join(root, 'schema/examples')
		const schemas = { plan: 'PlanRequest', size: 'SizeRequest' }
		for (const file of existsSync(folder) ? readdirSync(folder) : []) {
			const schema = schemas[/^[a-z]+/.exec(file)[0]]
			if (!schema || !file.endsWith('.json')) continue
			const example = JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
			assert.deepEqual(contract.errors(`/components/schemas/${schema}`, example), [], file)
		}
	})
}
