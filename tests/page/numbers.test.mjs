// numbers.test.mjs - figures are shown digit for digit and calculated with exactly.
import assert from 'node:assert/strict'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './demo.mjs'

export default async function (t) {
	const n = await import(pathToFileURL(path.join(root, 'static/number.js')).href)

	await t.test('thousands are grouped and no digit changes', () => {
		assert.equal(n.yuan('716386.83'), '¥716,386.83')
		assert.equal(n.yuan('-1234567.123456'), '−¥1,234,567.123456')
		assert.equal(n.grouped('999'), '999')
		assert.equal(n.grouped('1000'), '1,000')
		assert.equal(n.grouped('9007199254740993.01'), '9,007,199,254,740,993.01')
	})

	await t.test('differences are exact where floating point is not', () => {
		assert.equal(n.subtract('0.30', '0.10'), '0.20')
		assert.equal(n.subtract('9007199254740993.01', '9007199254740992'), '1.01')
		assert.equal(n.subtract('52710.82', '59698.90'), '-6988.08')
		assert.equal(n.sum(['0.1', '0.2', '-0.000001']), '0.299999')
	})

	await t.test('a price is rounded on its digits, half away from zero', () => {
		assert.equal(n.rounded('2106194.690265', 2), '2106194.69')
		assert.equal(n.rounded('11.655966', 4), '11.6560')
		assert.equal(n.rounded('2.005', 2), '2.01')
		assert.equal(n.rounded('-2.005', 2), '-2.01')
		assert.equal(n.rounded('1.00499999', 2), '1.00')
		assert.equal(n.rounded('9.995', 2), '10.00')
		assert.equal(n.rounded('0.004', 2), '0.00')
		assert.equal(n.rounded('-0.004', 2), '0.00')
		assert.equal(n.rounded('0.05', 1), '0.1')
		assert.equal(n.rounded('7', 2), '7.00')
		assert.equal(n.rounded('2.5', 0), '3')
		assert.equal(n.rounded('9007199254740993.015', 2), '9007199254740993.02')
	})

	await t.test('an amount in a larger unit is rounded on its digits', () => {
		assert.equal(n.scaled('716386.83', 4, 2), '71.64')
		assert.equal(n.scaled('10000', 4, 2), '1.00')
		assert.equal(n.scaled('99999.99', 4, 2), '10.00')
		assert.equal(n.scaled('10050', 4, 2), '1.01')
		assert.equal(n.scaled('-10050', 4, 2), '-1.01')
		assert.equal(n.scaled('12.5', 3, 1), '0.0')
		assert.equal(n.scaled('9007199254740993.015', 4, 2), '900719925474.10')
	})

	await t.test('a share is rounded half up to one decimal', () => {
		assert.equal(n.share('6988.08', '59698.90'), '11.7')
		assert.equal(n.share('1', '3'), '33.3')
		assert.equal(n.share('-0.25', '100'), '0.3')
	})
}
