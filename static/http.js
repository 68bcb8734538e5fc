// http.js - talking to the interface: JSON in the language of the page, and one kind of error.
import { lang, t } from './text.js'

/** What went wrong: a status (0 = no answer came), a sentence, and problems by field. */
export class Refused extends Error {
	constructor(status, answer) {
		super(answer?.detail ?? t(status === 0 ? 'error.unreachable' : 'error.status', { status }))
		this.status = status
		this.problems = answer?.problems ?? []
		this.requestId = answer?.request_id
		this.retryable = status === 0 || status === 429 || status >= 500
	}
}

/** The answer of METHOD PATH as JSON (null for 204). SIGNAL aborts. Throws Refused. */
export async function ask(method, path, { body, type, signal, headers: more } = {}) {
	const headers = { 'Accept': 'application/json', 'Accept-Language': lang, ...more }
	if (body !== undefined) headers['Content-Type'] = type ?? 'application/json'
	let answer
	try {
		answer = await fetch(path, { method, headers, body, signal, credentials: 'same-origin' })
	} catch (error) {
		if (error.name === 'AbortError') throw error
		throw new Refused(0)
	}
	if (answer.status === 204) return null
	const json = await answer.json().catch(() => null)
	if (!answer.ok) throw new Refused(answer.status, json)
	if (json === null) throw new Refused(answer.status)
	return json
}

/** All pages of a list: each answers { items, next }, the address of the next page or null. */
export async function askAll(path) {
	const items = []
	for (let next = path; next != null;) {
		const page = await ask('GET', next)
		items.push(...page.items)
		next = page.next
	}
	return items
}
