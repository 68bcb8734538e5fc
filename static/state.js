// state.js - the state of the page lives in its address: #compare?card=h100-sxm&servers=4. Changing
// it is going somewhere, so the back button works and any view can be sent to somebody.

/** {view, values} of the address. */
export function readState() {
	const [view, query = ''] = location.hash.replace(/^#/, '').split('?')
	return { view, values: Object.fromEntries(new URLSearchParams(query)) }
}

/** The address of VIEW with VALUES; empty ones are left out; language and amounts stay as they are. */
export function address(view, values) {
	const { lang, amounts } = readState().values
	const all = { ...values, lang: values.lang ?? lang, amounts: values.amounts ?? amounts }
	const kept = Object.entries(all).filter(([, value]) => value !== '' && value !== null && value !== undefined)
	const query = new URLSearchParams(kept).toString().replaceAll('%2C', ',').replaceAll('%3A', ':')
	return `#${view}${query === '' ? '' : `?${query}`}`
}

/** Goes to VIEW with VALUES; app.js hears of it and shows it. */
export function go(view, values) {
	location.hash = address(view, values)
}

const LAST = 'suanjia.last'
const lastOfAll = () => JSON.parse(sessionStorage.getItem(LAST) ?? '{}')

/** Keeps VALUES as what VIEW was last looked at with in this tab, so that one comes back to it. */
export function remember(view, values) {
	const { lang, amounts, ...kept } = values
	sessionStorage.setItem(LAST, JSON.stringify({ ...lastOfAll(), [view]: kept }))
}

/** The values that VIEW was last looked at with. */
export const lastOf = (view) => lastOfAll()[view] ?? {}
