// readme.test.mjs - the commands of README.md's five minutes, as they stand there, on a demo.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './server.mjs'

// The indented blocks of the section, one text each.
function blocks() {
	const text = readFileSync(path.join(root, 'README.md'), 'utf8')
	const section = /\n## Five minutes\n(.*?)\n## /s.exec(text)[1]
	return section.split(/\n(?! {4}|\n)/).flatMap((part) => part.split(/\n\n(?= {4})/))
		.map((part) => part.split('\n').filter((line) => line.startsWith('    ')).join('\n'))
		.filter((part) => part !== '')
}

export default async function (t) {
	const server = await t.Server.demo()
	const [setting, ...rest] = blocks()
	const here = (text) => text.replaceAll('suanjia-data', server.data).replaceAll('127.0.0.1:8443', `127.0.0.1:${server.port}`)
		.replaceAll('>plan.json', `>${server.data}/plan.json`).replaceAll(' plan.json', ` ${server.data}/plan.json`)
	const commands = rest.filter((block) => /^ {4}(ask|jq|echo|curl) /.test(block))

	try {
		assert.ok(commands.length >= 6, 'the section has commands')
		for (const command of commands)
			await t.test(`README: ${command.trim().split('\n')[0].slice(0, 70)}`, () => {
				const out = execFileSync('bash', ['-c', `set -euo pipefail\n${here(setting)}\n${here(command)}`], { cwd: root, encoding: 'utf8' })

				assert.ok(!/null|problem/.test(out.replace('"sheet_name":null', '')), out)
				if (!command.includes('>plan.json') || command.includes('| head')) assert.notEqual(out.trim(), '')
			})
	} finally {
		await server.stop()
		server.remove()
	}
}
