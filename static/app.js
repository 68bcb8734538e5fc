// app.js - the frame: header, language, and which view is shown. A view is a module with
// open(main, values) that answers { update(values), close() }; values are those of the address.
import { h, replace } from './dom.js'
import { onSession, sessionCorner } from './session.js'
import { address, lastOf, readState, remember } from './state.js'
import { lang, preferredLanguage, t, useFormWords, useLanguage } from './text.js'

const views = {
	compare: () => import('./compare.js'),
	plan: async () => (await Promise.all([import('./plan.js'), useFormWords()]))[0],
	prices: () => import('./prices.js'),
	sheets: () => import('./sheets.js'),
}
const LANGUAGE = 'suanjia.language'
const AMOUNTS = 'suanjia.amounts'
const main = document.getElementById('main')
let shown = { name: '', view: null }
/** How large amounts are shown: 'exact' or 'wan'. */
let amounts = 'exact'

/** Shows large amounts as WANTED. */
async function useAmounts(wanted) {
	if (wanted === amounts) return
	amounts = wanted
	const { useShort } = await import('./amounts.js')
	useShort(main, amounts === 'wan')
}

function amountsLink(other) {
	const { view, values } = readState()
	return h(
		'a',
		{
			class: 'amounts',
			href: address(view || 'compare', { ...values, amounts: other }),
			title: t(`amounts.${other}_why`),
		},
		t(`amounts.${other}`),
	)
}

function languageLink(other) {
	const { view, values } = readState()
	return h(
		'a',
		{
			class: 'language',
			href: address(view || 'compare', { ...values, lang: other }),
			lang: other === 'zh' ? 'zh-CN' : 'en',
		},
		other === 'zh' ? '中文' : 'English',
	)
}

function drawFrame(name) {
	replace(document.getElementById('skip'), t('frame.skip'))
	document.title = t('frame.title', { view: t(`view.${name}`) })
	const links = Object.keys(views).map((view) =>
		h('a', { 'href': address(view, lastOf(view)), 'aria-current': view === name ? 'page' : null }, t(`view.${view}`)),
	)
	replace(
		document.getElementById('top'),
		h('a', { class: 'brand', href: address('compare', {}) }, t('frame.brand')),
		h('nav', { 'aria-label': t('frame.views') }, links),
		h(
			'div',
			{ class: 'corner' },
			sessionCorner(),
			amountsLink(amounts === 'wan' ? 'exact' : 'wan'),
			languageLink(lang === 'zh' ? 'en' : 'zh'),
		),
	)
	replace(
		document.getElementById('bottom'),
		h('p', {}, t(amounts === 'wan' ? 'frame.foot_short' : 'frame.foot')),
		h('p', {}, h('a', { href: 'openapi.json' }, t('frame.interface'))),
	)
}

async function open(name, values) {
	shown.view?.close?.()
	shown = { name, view: null }
	replace(main)
	main.setAttribute('aria-busy', 'true')
	const module = await views[name]()
	if (shown.name !== name) return
	shown.view = module.open(main, values)
	main.removeAttribute('aria-busy')
}

async function route() {
	const { view, values } = readState()
	const { lang: asked, amounts: large, ...rest } = values
	const name = Object.hasOwn(views, view) ? view : 'compare'
	const wanted = ['zh', 'en'].includes(asked) ? asked : (localStorage.getItem(LANGUAGE) ?? preferredLanguage())
	const other = name !== shown.name || wanted !== lang || shown.view === null
	if (wanted !== lang || shown.name === '') await useLanguage(wanted)
	if (asked !== undefined) localStorage.setItem(LANGUAGE, wanted)
	if (['wan', 'exact'].includes(large)) localStorage.setItem(AMOUNTS, large)
	await useAmounts(localStorage.getItem(AMOUNTS) ?? 'exact')
	remember(name, rest)
	drawFrame(name)
	if (other) await open(name, rest)
	else shown.view.update(rest)
}

/** What is folded away on the screen is wanted on paper, but for what says data-print="as-is". */
function unfoldForPrint() {
	const folded = [...document.querySelectorAll('details:not([open]):not([data-print])')]
	for (const details of folded) details.open = true
	addEventListener(
		'afterprint',
		() =>
			folded.forEach((details) => {
				details.open = false
			}),
		{ once: true },
	)
}

addEventListener('hashchange', route)
addEventListener('beforeprint', unfoldForPrint)
onSession(() => {
	shown.view = null
	route()
})
document.getElementById('skip').addEventListener('click', (event) => {
	event.preventDefault()
	main.focus()
})
route()
