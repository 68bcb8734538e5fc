// words.test.mjs - the catalogue of words: whole in both languages, and nothing but it is used.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './demo.mjs'

const folder = path.join(root, 'static')
const one = async (name) => (await import(pathToFileURL(path.join(folder, 'text', `${name}.js`)).href)).default
/** The words of LANG: those of every view and those of the form of a plan, no key in both. */
async function load(lang) {
	const [all, form] = [await one(lang), await one(`form-${lang}`)]
	assert.deepEqual(Object.keys(form).filter((key) => key in all), [])
	return { ...all, ...form }
}
const holes = (text) => [...text.matchAll(/\{(\w+)[^}]*\}/g)].map((found) => found[1]).sort()
const scripts = () =>
	readdirSync(folder)
		.filter((name) => name.endsWith('.js'))
		.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')])

export default async function (t) {
	const zh = await load('zh')
	const en = await load('en')

	await t.test('both languages have the same messages with the same holes', () => {
		assert.deepEqual(Object.keys(zh).sort(), Object.keys(en).sort())
		for (const key of Object.keys(zh)) assert.deepEqual(holes(zh[key]), holes(en[key]), key)
	})

	await t.test('a message says every hole that is filled, and never shows a brace', async () => {
		globalThis.document ??= { documentElement: {} }
		const text = await import(pathToFileURL(path.join(folder, 'text.js')).href)
		for (const [lang, words] of Object.entries({ zh, en })) {
			await text.useLanguage(lang)
			await text.useFormWords()
			for (const [key, message] of Object.entries(words)) {
				assert.doesNotMatch(message.replace(/\{\w+(\|[^{}|]+\|[^{}|]+)?\}/g, ''), /[{}]/, key)
				for (const sample of ['1', '2,500']) {
					const node = { toString: () => sample }
					const values = (value) => Object.fromEntries(holes(message).map((name) => [name, value]))
					const shown = [
						text.t(key, values(sample)),
						text.parts(key, values(sample)).join(''),
						text.parts(key, values(node)).join(''),
					]
					for (const one of shown) {
						assert.equal(one, shown[0], key)
						assert.doesNotMatch(one, /[{}|]/, key)
						if (holes(message).length > 0) assert.ok(one.includes(sample), key)
					}
				}
			}
		}
	})

	await t.test('a hole that nobody fills is reported and is no brace for the reader', async () => {
		const text = await import(pathToFileURL(path.join(folder, 'text.js')).href)
		const complaints = []
		const { error } = console
		console.error = (line) => complaints.push(line)
		const shown = ['compare.reason', 'compare.only'].flatMap((key) => [text.t(key), ...text.parts(key)])
		console.error = error
		assert.doesNotMatch(shown.join(' '), /[{}|]/)
		assert.ok(complaints.some((line) => line.includes('compare.reason') && line.includes('months')))
	})

	await t.test('every unit of the form of a plan has its word', async () => {
		const fields = await import(pathToFileURL(path.join(folder, 'plan-fields.js')).href)
		const groups = [...Object.values(fields.kinds).flatMap(({ basic, more }) => [basic, more]), ...Object.values(fields.dimensions), ...Object.values(fields.project), fields.rate('USD')]
		for (const [name, , unit] of groups.flat())
			if (typeof unit === 'string' && unit !== '') assert.notEqual(zh[`unit.${unit}`], undefined, `${name}: ${unit}`)
	})

	await t.test('no Chinese in the English messages but the name of the product', () => {
		for (const [key, text] of Object.entries(en)) assert.doesNotMatch(text.replace('算价', ''), /[㐀-鿿]/, key)
	})

	await t.test('every message a script asks for is there, and every message is asked for', () => {
		const text = scripts()
			.map(([, script]) => script)
			.join('\n')
		const asked = new Set([...text.matchAll(/'([a-z_]+(?:\.[a-zA-Z0-9_-]+)*)'/g)].map((found) => found[1]))
		const families = [...text.matchAll(/`([a-z_]+)\.\$\{/g), ...text.matchAll(/\bword\('([a-z_]+)'/g)].map(
			(found) => `${found[1]}.`,
		)
		const unused = Object.keys(zh).filter(
			(key) => !asked.has(key) && !families.some((family) => key.startsWith(family)),
		)
		assert.deepEqual(unused, [])
		const direct = [...text.matchAll(/\b(?:t|parts)\('([^']+)'/g)].map((found) => found[1])
		assert.deepEqual(
			direct.filter((key) => zh[key] === undefined),
			[],
		)
	})

	await t.test('scripts write no words of their own and no markup', () => {
		for (const [name, script] of scripts()) {
			if (['cards.js', 'cities.js', 'names.js'].includes(name)) continue
			const code = script.replace(/\/\/.*$/gm, '').replace(/'中文'|\[㐀-鿿\]/g, '')
			assert.doesNotMatch(code, /[㐀-鿿]/, name)
			assert.doesNotMatch(code, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/, name)
		}
	})
}
