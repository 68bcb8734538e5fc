// http.js - talking to the interface: JSON in the language of the page, and one kind of error.
import { lang, t } from './text.js'

/** Why there is no answer from the interface itself, in words. */
function reasonOf(status, unreadable) {
	if (status === 0) return t(navigator.onLine === false ? 'error.offline' : 'error.unreachable')
	if (unreadable) return t('error.unreadable')
	if (status === 429 || status === 503) return t('error.busy')
	return t('error.status', { status })
}

/** Seconds that the Retry-After of HEADERS asks for; null when it asks for none. */
function waitOf(headers) {
	const said = headers?.get('Retry-After') ?? ''
	const seconds = /^\d+$/.test(said) ? Number(said) : Math.ceil((Date.parse(said) - Date.now()) / 1000)
	return seconds > 0 ? seconds : null
}

/**
 * What went wrong: a status (0 = no answer came), a sentence, problems by field, and how many seconds
 * to wait. UNREADABLE: an answer came that is not the interface's.
 */
export class Refused extends Error {
	constructor(status, answer, { headers, unreadable = false } = {}) {
		const said = typeof answer?.detail === 'string' ? answer.detail : null
		super(said ?? reasonOf(status, unreadable))
		this.status = status
		this.problems = Array.isArray(answer?.problems) ? answer.problems : []
		this.requestId = answer?.request_id
		this.wait = waitOf(headers)
		this.retryable = status === 0 || status === 429 || status >= 500 || unreadable
	}
}

/** The JSON of ANSWER; null where it is none. Who aborts hears of that, not of half an answer. */
async function jsonOf(answer, signal) {
	try {
		return await answer.json()
	} catch (error) {
		signal?.throwIfAborted()
		return null
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
	const json = await jsonOf(answer, signal)
	if (!answer.ok) throw new Refused(answer.status, json, answer)
	if (json === null || typeof json !== 'object') throw new Refused(answer.status, null, { unreadable: true })
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
