// combo.js - an input with a list of what it may mean (the combobox of the ARIA practices): typing
// narrows the list, arrows go through it, Enter takes, Escape closes; the words typed always hold.
import { h, newId, replace } from './dom.js'
import { t } from './text.js'

/**
 * Gives INPUT a list of what it may mean; answers the node to be put behind it. FINDER() comes to a
 * function that answers for what was typed { found: [{id, label}], more, near }, as search.js does.
 */
export function combobox(input, finder) {
	const list = h('ul', { 'id': newId('list'), 'role': 'listbox', 'aria-label': t('search.list') })
	const said = h('p', { class: 'quiet', role: 'status' })
	const box = h('div', { class: 'suggest', hidden: true }, said, list)
	let active = -1
	for (const [name, value] of Object.entries({
		'role': 'combobox',
		'aria-autocomplete': 'list',
		'aria-expanded': 'false',
		'aria-controls': list.id,
	}))
		input.setAttribute(name, value)

	const options = () => [...list.children]
	function mark(index) {
		active = index
		input.removeAttribute('aria-activedescendant')
		for (const [at, option] of options().entries()) {
			option.setAttribute('aria-selected', String(at === index))
			if (at !== index) continue
			input.setAttribute('aria-activedescendant', option.id)
			option.scrollIntoView({ block: 'nearest' })
		}
	}
	function close() {
		box.hidden = true
		input.setAttribute('aria-expanded', 'false')
		mark(-1)
	}
	function take(id) {
		input.value = id
		close()
		for (const type of ['input', 'change']) input.dispatchEvent(new CustomEvent(type, { bubbles: true }))
	}
	function sentence({ found, more, near }) {
		if (near) return t('search.near', { count: found.length })
		return more > 0 ? t('search.more', { count: found.length, more }) : t('search.found', { count: found.length })
	}
	/** Shows what there is for what is typed by the time it is known; ALL: everything. */
	async function show(all = false) {
		const find = await finder()
		if (document.activeElement !== input) return
		const typed = all ? '' : input.value.trim()
		const result = find(typed)
		const exact = result.found[0]?.id === typed
		if (result.found.length === 0 || exact) return close()
		replace(said, sentence(result))
		replace(
			list,
			result.found.map((item) =>
				h(
					'li',
					{
						id: newId('option'),
						role: 'option',
						onmousedown: (event) => event.preventDefault(),
						onclick: () => take(item.id),
					},
					item.id,
					item.label !== '' && item.label !== item.id && [' ', h('span', { class: 'quiet' }, item.label)],
				),
			),
		)
		// To the side where there is room.
		box.classList.toggle('leftward', input.getBoundingClientRect().left > innerWidth / 2)
		box.hidden = false
		input.setAttribute('aria-expanded', 'true')
		mark(-1)
	}
	async function key(event) {
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
		if (event.isComposing) return
		if (step !== undefined) {
			event.preventDefault()
			if (box.hidden) await show()
			if (box.hidden) await show(true)
			const count = options().length
			if (!box.hidden && count > 0) mark((active + step + count + (active < 0 && step < 0 ? 1 : 0)) % count)
		} else if (event.key === 'Escape' && !box.hidden) {
			event.preventDefault()
			close()
		} else if (event.key === 'Enter' && active >= 0) {
			event.preventDefault()
			options()[active].click()
		} else if (event.key === 'Enter') close()
	}
	input.addEventListener('input', (event) => event instanceof CustomEvent || show())
	input.addEventListener('keydown', key)
	// What was refused is met with what it may have meant.
	input.addEventListener('focus', () => (input.hasAttribute('aria-invalid') ? show() : finder()))
	input.addEventListener('blur', close)
	return box
}
