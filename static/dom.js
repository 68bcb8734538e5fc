// dom.js - making elements. Text goes in as text nodes, never as markup.

const SVG = 'http://www.w3.org/2000/svg'

function fill(node, attributes, children) {
	for (const [name, value] of Object.entries(attributes ?? {})) {
		if (value === null || value === undefined || value === false) continue
		if (name.startsWith('on')) node.addEventListener(name.slice(2), value)
		else if (name === 'value') node.value = value
		else node.setAttribute(name, value === true ? '' : value)
	}
	put(node, children)
	return node
}

function put(node, children) {
	for (const child of children.flat(Infinity)) {
		if (child === null || child === undefined || child === false || child === '') continue
		node.append(child)
	}
}

/** An element: h('p', { class: 'note', onclick: f }, 'text', otherNode, null). */
export function h(tag, attributes, ...children) {
	return fill(document.createElement(tag), attributes, children)
}

/** The same for SVG; looks come from presentation attributes and classes. */
export function s(tag, attributes, ...children) {
	return fill(document.createElementNS(SVG, tag), attributes, children)
}

/** CHILDREN instead of what NODE holds. */
export function replace(node, ...children) {
	node.replaceChildren()
	put(node, children)
	return node
}

let ids = 0
/** An id that no other element has. */
export const newId = (name) => `${name}-${++ids}`
