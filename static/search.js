// search.js - which of many names somebody means: all that hold what was typed, or else the nearest.
const MOST = 50
const NEAREST = 5
const ALIKE = 0.4

/** TEXT without case, width and the marks that people leave out. */
const bare = (text) => text.normalize('NFKC').toLowerCase().replace(/[\s_()/-]+/g, '')

const pairsOf = (text) => Array.from({ length: Math.max(text.length - 1, 0) }, (_, at) => text.slice(at, at + 2))

/** TEXT with one of each pair of letters and digits that are taken for each other. */
const plain = (text) => text.replaceAll('o', '0').replace(/[il]/g, '1')

/** How alike two bare texts are, 0 to 1, by the pairs of letters they share. */
function alike(a, b) {
	const left = pairsOf(a)
	const rest = pairsOf(b)
	const both = left.filter((pair) => {
		const at = rest.indexOf(pair)
		if (at >= 0) rest.splice(at, 1)
		return at >= 0
	})
	return (2 * both.length) / Math.max(left.length + pairsOf(b).length, 1)
}

/**
 * Of ITEMS ({id, label, words}) those that TYPED may mean, the likeliest first: { found, near }.
 * near: nothing holds what was typed; these are only like it.
 */
export function find(items, typed) {
	const wanted = bare(typed)
	const tokens = typed.split(/\s+/).map(bare).filter(Boolean)
	const rank = (item) => {
		const id = bare(item.id)
		return id === wanted ? 0 : id.startsWith(wanted) ? 1 : id.includes(wanted) ? 2 : 3
	}
	const held = items.filter((item) => {
		const all = bare(`${item.id} ${item.label} ${item.words}`)
		return tokens.every((token) => all.includes(token))
	})
	if (held.length > 0)
		return { found: held.sort((a, b) => rank(a) - rank(b)).slice(0, MOST), more: held.length - MOST, near: false }
	const begins = (id) => typed.toLowerCase().startsWith(`${id}-`)
	const close = items
		.map((item) => {
			const id = bare(item.id)
			const [mine, its] = [plain(wanted), plain(id)]
			// Who stops typing early is compared with as much of the name.
			const score = Math.max(alike(mine, its), 0.9 * alike(mine, its.slice(0, mine.length)))
			return { item, score: begins(item.id) ? 1 + id.length : score }
		})
		.filter(({ score }) => score >= ALIKE)
		.sort((a, b) => b.score - a.score)
	return { found: close.slice(0, NEAREST).map(({ item }) => item), more: 0, near: true }
}
