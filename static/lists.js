// lists.js - fields in which a name of the catalogue is searched. The names come when somebody is about
// to type one.
import { combobox } from './combo.js'
import { h } from './dom.js'
import { field } from './form.js'

/** The list of KIND ('card', 'model', 'tariff') for INPUT; put it behind the input. */
export const search = (input, kind) =>
	combobox(input, async () => {
		const [{ itemsOf }, { find }] = await Promise.all([import('./catalogue.js'), import('./search.js')])
		const items = await itemsOf(kind)
		return (typed) => find(items, typed)
	})

/** A field NAME in which one of KIND is searched. */
export function searchField(label, name, kind, attributes) {
	const input = h('input', { name, autocomplete: 'off', spellcheck: 'false', ...attributes })
	const made = field(label, input)
	made.querySelector('.control').append(search(input, kind))
	return made
}
