// lists.js - names to choose from while typing. The cards come with the page; whoever is signed in
// gets the whole catalogue, cards and models.
import { cards } from './cards.js'
import { h, newId, replace } from './dom.js'
import { askAll } from './http.js'
import { session } from './session.js'

const options = (pairs) => pairs.map(([value, label]) => h('option', { value }, label))

/** Fills LIST from PATH for those who may; what fails leaves it as it was. */
function fillFrom(list, path, pairOf) {
	if (session() !== null)
		askAll(path).then(
			(items) => replace(list, options(items.map(pairOf))),
			() => null,
		)
	return list
}

/** A new data list of cards; put it beside the input that names it. */
export const cardList = () =>
	fillFrom(h('datalist', { id: newId('cards') }, options(cards)), '/cards', (card) => [card.id, card.name])

/** A new data list of models, empty for those who are not signed in. */
export const modelList = () =>
	fillFrom(h('datalist', { id: newId('models') }), '/models', (model) => [model.id, `${model.params_b} B`])
