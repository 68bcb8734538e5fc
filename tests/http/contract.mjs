// contract.mjs - holds every exchange against schema/openapi.json.
//
// An answer is right when its path, method, status and media type are documented and its body fits
// the schema written there. A path or a method that is not in the document may only be answered as
// such: 404, or 405 with Allow. Bodies of accepted requests must fit the request's schema too, so
// that the document cannot be narrower or wider than the program.
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const escape = (part) => part.replaceAll('~', '~0').replaceAll('/', '~1')
const bare = (type) => (type ?? '').split(';')[0].trim().toLowerCase()

// Turns "/offers/{id}/history" into a matcher of one segment per parameter.
function pattern(path) {
	const parts = path.split('/').map((part) =>
		part.split(/(\{[^}]+\})/).map((piece) =>
			piece.startsWith('{') ? '[^/]+' : piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
		).join(''))
	return new RegExp(`^${parts.join('/')}$`)
}

export class Contract {
	constructor(document) {
		this.document = document
		this.ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
		addFormats(this.ajv)
		this.ajv.addSchema(document, 'openapi.json')
		this.compiled = new Map()
		// Fewer parameters first, so that /sheets/template.csv is not taken for /sheets/{id}.
		this.paths = Object.keys(document.paths)
			.map((path) => ({ path, match: pattern(path), holes: path.split('{').length - 1 }))
			.sort((a, b) => a.holes - b.holes || b.path.length - a.path.length)
		this.seen = new Map()
	}

	// Follows one $ref inside the document, and says where that led.
	resolve(node, pointer) {
		if (node?.$ref === undefined) return { node, pointer }
		const to = node.$ref.slice(1)
		const parts = to.split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
		return { node: parts.reduce((at, part) => at?.[part], this.document), pointer: to }
	}

	// The errors of VALUE against the schema at POINTER of the document.
	errors(pointer, value) {
		let validate = this.compiled.get(pointer)
		if (validate === undefined) {
			validate = this.ajv.compile({ $ref: `openapi.json#${encodeURI(pointer)}` })
			this.compiled.set(pointer, validate)
		}
		if (validate(value)) return []
		return validate.errors.map((e) =>
			`${e.instancePath || '(body)'} ${e.message} ${JSON.stringify(e.params)}`)
	}

	// The template that PATH belongs to; one that takes VERB goes before one that does not.
	find(path, verb) {
		const found = this.paths.filter((entry) => entry.match.test(path))
		return (found.find((entry) => this.document.paths[entry.path][verb]) ?? found[0])?.path
	}

	// What is wrong with an exchange; an empty list when it keeps the contract.
	check({ method, path, requestType, requestBody, status, headers, body }) {
		const verb = (method === 'HEAD' ? 'GET' : method).toLowerCase()
		const template = this.find(new URL(path, 'https://x').pathname, verb)
		const operation = template && this.document.paths[template][verb]
		if (!operation) return this.#undocumented({ template, status, headers, body })
		const base = `/paths/${escape(template)}/${verb}`
		this.#count(`${method === 'HEAD' ? 'GET' : method} ${template}`, status)
		const found = operation.responses[status]
		if (!found) return [`status ${status} is not documented: ${body.slice(0, 300)}`]
		const answer = this.resolve(found, `${base}/responses/${status}`)
		const wrong = this.#body(answer, { method, headers, body })
		for (const name of Object.keys(answer.node.headers ?? {}))
			if (this.resolve(answer.node.headers[name]).node.required && headers[name.toLowerCase()] === undefined)
				wrong.push(`the header ${name} is missing`)
		if (status < 300 && operation.requestBody)
			wrong.push(...this.#request(operation, base, requestType, requestBody))
		return wrong
	}

	#undocumented({ template, status, headers, body }) {
		const allowed = template ? [400, 405, 413, 431, 501] : [400, 404, 414]
		const wrong = []
		if (!allowed.includes(status)) wrong.push(`an undocumented ${template ? 'method' : 'path'} answered ${status}`)
		if (status === 405 && !headers.allow) wrong.push('405 without Allow')
		if (body !== '') {
			if (bare(headers['content-type']) !== 'application/problem+json') wrong.push(`an error of type ${headers['content-type']}`)
			else wrong.push(...this.errors('/components/schemas/Problem', JSON.parse(body)))
		}
		return wrong
	}

	#body({ node, pointer }, { method, headers, body }) {
		const types = Object.keys(node.content ?? {})
		const type = bare(headers['content-type'])
		if (types.length === 0) return body === '' ? [] : ['a body where none is documented']
		if (method === 'HEAD') return body === '' ? [] : ['a body in answer to HEAD']
		if (!types.includes(type)) return [`type ${type || '(none)'} is not documented: ${types.join(', ')}`]
		if (!type.endsWith('json') || node.content[type].schema === undefined) return []
		let value
		try {
			value = JSON.parse(body)
		} catch (error) {
			return [`not JSON: ${error.message}`]
		}
		return this.errors(`${pointer}/content/${escape(type)}/schema`, value)
	}

	#request(operation, base, type, body) {
		const { node, pointer } = this.resolve(operation.requestBody, `${base}/requestBody`)
		const declared = node.content[bare(type)]
		if (!declared) return node.content['*/*'] ? [] : [`a request of type ${type} was accepted`]
		if (!bare(type).endsWith('json') || declared.schema === undefined) return []
		return this.errors(`${pointer}/content/${escape(bare(type))}/schema`, JSON.parse(body))
			.map((e) => `accepted, but the request does not fit the document: ${e}`)
	}

	#count(operation, status) {
		const statuses = this.seen.get(operation) ?? new Set()
		this.seen.set(operation, statuses.add(String(status)))
	}

	// Every operation with the statuses it documents and those that were seen.
	coverage() {
		const rows = []
		for (const [path, item] of Object.entries(this.document.paths))
			for (const [verb, operation] of Object.entries(item)) {
				if (!operation.responses) continue
				const name = `${verb.toUpperCase()} ${path}`
				const seen = this.seen.get(name) ?? new Set()
				const documented = Object.keys(operation.responses)
				rows.push({ name, documented, seen: documented.filter((s) => seen.has(s)) })
			}
		return rows
	}
}
