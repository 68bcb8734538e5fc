// lists.js - names to choose from while typing. The cards come with the page; whoever is signed in
// gets the whole catalogue: cards, models, tariffs.
import { cards } from './cards.js'
import { combobox } from './combo.js'
import { h } from './dom.js'
import { field } from './form.js'
import { askAll } from './http.js'
import { otherNames } from './names.js'
import { session } from './session.js'

const othersOf = (id) =>
	otherNames
		.filter(([beginning]) => id.startsWith(beginning))
		.map(([, words]) => words)
		.join(' ')

const item = (id, label, words = []) => ({ id, label, words: [othersOf(id), ...words].join(' ') })

const kinds = {
	card: {
		path: '/cards',
		first: cards.map(([id, name]) => item(id, name)),
		itemOf: (card) => item(card.id, card.name, [...(card.aliases ?? []), card.architecture ?? '']),
	},
	model: { path: '/models', first: [], itemOf: (model) => item(model.id, `${model.params_b} B`) },
	tariff: { path: '/tariffs', first: [], itemOf: (tariff) => item(tariff.id, tariff.name, [tariff.city ?? '']) },
}
const known = {}

/** What there is of KIND: { items, entries }; asked for once, and again by the next field if that failed. */
function listOf(kind) {
	const { path, first, itemOf } = kinds[kind]
	const list = (known[kind] ??= { items: first, entries: [], asked: false })
	if (list.asked || session() === null) return list
	list.asked = true
	askAll(path).then(
		(entries) => Object.assign(list, { entries, items: entries.map(itemOf) }),
		() => {
			list.asked = false
		},
	)
	return list
}

/** The list of KIND ('card', 'model', 'tariff') for INPUT; put it behind the input. */
export function search(input, kind) {
	const list = listOf(kind)
	return combobox(input, () => list.items)
}

/** The entry ID of the catalogue of KIND; undefined when there is none, or it has not come. */
export const entryOf = (kind, id) => known[kind]?.entries.find((entry) => entry.id === id)

/** A field NAME in which one of KIND is searched. */
export function searchField(label, name, kind, attributes) {
	const input = h('input', { name, autocomplete: 'off', spellcheck: 'false', ...attributes })
	const made = field(label, input)
	made.querySelector('.control').append(search(input, kind))
	return made
}
