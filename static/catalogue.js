// catalogue.js - the names that are searched. The cards come with the page; whoever is signed in gets
// the whole catalogue: cards, models, tariffs.
import { cards } from './cards.js'
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

/** What there is of KIND: { items, entries, coming }; asked for once, and again if that failed. */
function listOf(kind) {
	const { path, first, itemOf } = kinds[kind]
	const list = (known[kind] ??= { items: first, entries: [], coming: null })
	if (list.coming !== null || session() === null) return list
	list.coming = askAll(path).then(
		(entries) => Object.assign(list, { entries, items: entries.map(itemOf) }),
		() => {
			list.coming = null
		},
	)
	return list
}

/** What there is of KIND ('card', 'model', 'tariff'), {id, label, words} of each: what is known, else what comes. */
export async function itemsOf(kind) {
	const list = listOf(kind)
	if (list.items.length === 0) await list.coming
	return list.items
}

/** The entry ID of the catalogue of KIND; undefined when there is none, or the catalogue cannot be had. */
export async function entryOf(kind, id) {
	const list = listOf(kind)
	await list.coming
	return list.entries.find((entry) => entry.id === id)
}
