// browser.mjs - Chromium, and what every test of the page watches: refused scripts and styles, errors.
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { chromium } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export class Browser {
	static async start(origin) {
		const browser = new Browser()
		browser.origin = origin
		browser.chromium = await chromium.launch({
			executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
			args: ['--no-sandbox', '--disable-dev-shm-usage'],
		})
		return browser
	}

	/** A fresh page; page.complaints collects what the browser refused or reported as an error. */
	async page({ lang = 'zh', theme = 'light', width = 1280, height = 900 } = {}) {
		const context = await this.chromium.newContext({
			ignoreHTTPSErrors: true,
			colorScheme: theme,
			viewport: { width, height },
			locale: lang === 'zh' ? 'zh-CN' : 'en-US',
		})
		const page = await context.newPage()
		page.complaints = []
		await page.exposeFunction('complain', (text) => page.complaints.push(text))
		await page.addInitScript(() =>
			addEventListener('securitypolicyviolation', (event) =>
				window.complain(
					`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
				),
			),
		)
		page.on(
			'console',
			(message) => message.type() === 'error' && page.complaints.push(`console: ${message.text()}`),
		)
		page.on('pageerror', (error) => page.complaints.push(`script: ${error.stack}`))
		page.setDefaultTimeout(15000)
		return page
	}

	/** Goes to HASH and waits until the view has its answer. */
	async visit(page, hash = '') {
		await page.goto(`${this.origin}/${hash}`)
		await page.waitForFunction(() => document.querySelector('main h1') !== null)
		await settled(page)
	}

	stop() {
		return this.chromium.close()
	}
}

/** Waits until no answer is awaited any more: what waits is aria-busy from when it begins. */
export async function settled(page) {
	await page.evaluate(
		() =>
			new Promise((resolve) => {
				setTimeout(resolve, 50)
			}),
	)
	await page.waitForFunction(() => document.querySelector('[aria-busy]') === null)
}

/** Signs in with KEY on a view that asks for it. */
export async function signIn(page, key) {
	await page.fill('.sign-in input[name=key]', key)
	await page.click('.sign-in .primary')
	await page.waitForSelector('.sign-in', { state: 'detached' })
	await settled(page)
}

/** What axe finds against WCAG 2.2 A and AA, as lines. */
export async function axeFindings(page) {
	await page.evaluate(axe)
	const found = await page.evaluate(() =>
		window.axe.run(document, {
			runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
		}),
	)
	return found.violations.flatMap((violation) =>
		violation.nodes.map((node) => `${violation.id}: ${node.target.join(' ')} ${node.failureSummary}`),
	)
}
