// session.js - who is using the page. A key is given once and becomes a cookie that scripts cannot
// read; what is kept here is only the role, so that the page knows what to offer.
import { h, newId, replace } from './dom.js'
import { ask, Refused } from './http.js'
import { t, word } from './text.js'

const KEPT = 'suanjia.session'
const listeners = new Set()

/** {role, supplier, expires} or null. */
export function session() {
	const kept = JSON.parse(localStorage.getItem(KEPT) ?? 'null')
	return kept !== null && Date.parse(kept.expires) > Date.now() ? kept : null
}

/** Whether somebody with one of ROLES is signed in. */
export const may = (...roles) => roles.includes(session()?.role)

/** Calls LISTENER after each sign-in and sign-out. */
export const onSession = (listener) => listeners.add(listener)

function keep(value) {
	if (value === null) localStorage.removeItem(KEPT)
	else localStorage.setItem(KEPT, JSON.stringify(value))
	for (const listener of listeners) listener()
}

export async function signIn(key) {
	const { role, supplier, expires } = await ask('POST', '/session', { body: JSON.stringify({ key }) })
	keep({ role, supplier, expires })
}

export async function signOut() {
	await ask('DELETE', '/session').catch(() => null)
	keep(null)
}

/** The session ended on the other side (a 401): the page forgets it too. */
export const sessionLost = () => session() !== null && keep(null)

/** A form that signs in; for views that need ROLES (names), with the reason on top. */
export function signInForm(roles) {
	const input = h('input', {
		id: newId('key'),
		type: 'password',
		name: 'key',
		required: true,
		autocomplete: 'current-password',
		spellcheck: 'false',
		autocapitalize: 'off',
	})
	const problem = h('p', { class: 'problem', role: 'alert' })
	const button = h('button', { class: 'primary' }, t('session.in'))

	async function submit(event) {
		event.preventDefault()
		button.disabled = true
		replace(problem)
		try {
			await signIn(input.value.trim())
		} catch (error) {
			if (!(error instanceof Refused)) throw error
			replace(problem, error.message)
			input.focus()
		} finally {
			button.disabled = false
		}
	}
	const needed = roles.map((role) => word('role', role)).join(t('list.or'))
	const who = session()
	return h(
		'form',
		{ class: 'sign-in panel', onsubmit: submit },
		h('h2', {}, who === null ? t('session.title') : t('session.other', { role: word('role', who.role) })),
		h('p', {}, t('session.why', { roles: needed })),
		h('input', { type: 'text', name: 'username', autocomplete: 'username', value: 'suanjia', hidden: true }),
		h('div', { class: 'field' }, h('label', { for: input.id }, t('session.key')), input),
		problem,
		button,
		h('p', { class: 'quiet' }, t('session.hint')),
	)
}

/** Who is signed in with a way out; otherwise a link to a view where one signs in. */
export function sessionCorner() {
	const who = session()
	if (who === null) return null
	return h(
		'span',
		{ class: 'who' },
		t('session.as', { role: word('role', who.role), supplier: who.supplier ?? '' }).trim(),
		h('button', { class: 'plain', onclick: signOut }, t('session.out')),
	)
}
