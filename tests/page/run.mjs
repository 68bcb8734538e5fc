// run.mjs - the tests of the page, in Chromium against the demo.
//
//   node tests/page/run.mjs [FILE...]     files of this folder; all *.test.mjs when none is named
//
// Each file's `export default async function (t)` calls t.test(name, body); t has the demo, the
// browser and what both need. Last line: "N passed, N failed".
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Browser } from './browser.mjs'
import { Demo } from './demo.mjs'

const here = path.dirname(fileURLToPath(import.meta.url))
const files =
	process.argv.length > 2
		? process.argv.slice(2)
		: readdirSync(here)
				.filter((name) => name.endsWith('.test.mjs'))
				.sort()
const demo = await Demo.start()
const browser = await Browser.start(demo.origin)
let passed = 0
let failed = 0

const t = {
	demo,
	browser,
	async test(name, body) {
		try {
			await body()
			passed++
		} catch (error) {
			failed++
			console.log(`FAILED ${name}\n  ${(error.stack ?? String(error)).split('\n').slice(0, 20).join('\n  ')}`)
		}
	},
}

for (const file of files) {
	try {
		const module = await import(pathToFileURL(path.resolve(here, path.basename(file))).href)
		await module.default(t)
	} catch (error) {
		failed++
		console.log(`FAILED ${file}\n  ${error.stack}`)
	}
}
await browser.stop()
demo.stop()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
