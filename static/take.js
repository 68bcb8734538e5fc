// take.js - an answer to be taken along: printed, as a workbook of its tables, as the JSON that came,
// and as the line that asks for it again.
import { h, replace } from './dom.js'
import { lang, t } from './text.js'

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

/** The line for a terminal that asks METHOD PATH again; SPEC is its body. KEY: it needs one. */
export function curlLine(method, path, { spec, key }) {
	const more = [
		key && '-H "Authorization: Bearer $SUANJIA_KEY"',
		`-H 'Accept-Language: ${lang}'`,
		spec && `-H 'Content-Type: application/json' -d ${quoted(JSON.stringify(spec))}`,
	].filter(Boolean)
	return [`curl --cacert cert.pem ${quoted(location.origin + path)}`, ...more].join(' \\\n  ')
}

function copyButton(line) {
	const button = h(
		'button',
		{
			'type': 'button',
			'data-take': 'curl',
			'onclick': async () => {
				await navigator.clipboard.writeText(line)
				replace(button, t('take.copied'))
			},
		},
		t('take.curl'),
	)
	return button
}

/** The buttons for ANSWER, asked by LINE and shown in PLACE under TITLE. */
export function takeBar({ title, line, answer, place }) {
	const files = () => import('./table-file.js')
	const saveJson = async () =>
		(await files()).saveFile([JSON.stringify(answer, null, 2)], 'application/json', `${title}.json`)
	const button = (name, onclick) => h('button', { 'type': 'button', 'data-take': name, onclick }, t(`take.${name}`))
	return h(
		'div',
		{ 'class': 'buttons take-bar', 'role': 'group', 'aria-label': t('take.title') },
		button('print', () => print()),
		button('all', async () => (await files()).saveTables(place, title)),
		button('json', saveJson),
		copyButton(line),
	)
}

/** The same question for programs, to be read: LINE, and SPEC where there is a body. */
export const machineSection = (line, spec) =>
	h(
		'details',
		{ 'class': 'machine', 'data-print': 'as-is' },
		h('summary', {}, t('take.machine')),
		h('h3', {}, t('take.curl_title')),
		h('pre', { tabindex: 0 }, line),
		spec && [h('h3', {}, t('take.request')), h('pre', { tabindex: 0 }, JSON.stringify(spec, null, 2))],
	)
