// number.js - figures as the interface sends them: decimal strings, calculated with as integers of
// 10^-6 and never as floating point. Only the lengths of bars are floats.

const SCALE = 1000000n

/** '-12.5' -> -12500000n. */
export function micro(text) {
	const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(String(text))
	const value = BigInt(whole) * SCALE + BigInt(fraction.padEnd(6, '0').slice(0, 6))
	return sign === '-' ? -value : value
}

/** -12500000n -> '-12.50': at least two decimals, no more zeros than that. */
export function decimal(value) {
	const size = value < 0n ? -value : value
	const fraction = String(size % SCALE)
		.padStart(6, '0')
		.replace(/0{1,4}$/, '')
	return `${value < 0n ? '-' : ''}${size / SCALE}.${fraction}`
}

export const subtract = (a, b) => decimal(micro(a) - micro(b))
export const sum = (texts) => decimal(texts.reduce((all, text) => all + micro(text), 0n))
export const isZero = (text) => micro(text) === 0n
export const isNegative = (text) => micro(text) < 0n
export const absolute = (text) => String(text).replace(/^-/, '')
export const order = (a, b) => (micro(a) < micro(b) ? -1 : micro(a) > micro(b) ? 1 : 0)

/** PART of WHOLE in percent with one decimal, half up: share('1', '3') is '33.3'. */
export function share(part, whole) {
	const tenths = ((micro(absolute(part)) * 2000n) / micro(absolute(whole)) + 1n) / 2n
	return `${tenths / 10n}.${tenths % 10n}`
}

/** '0.065' -> '6.5': SHARE in percent, no digit lost. */
export const percentOf = (share) => grouped(decimal(micro(share) * 100n).replace(/\.?0+$/, ''))

/** TEXT with one decimal, half up: for shares and months, never for money. */
export const tenths = (text) => share(text, '100')

/** TEXT with PLACES decimals, half away from zero, on its digits: rounded('-2.005', 2) is '-2.01'. */
export function rounded(text, places) {
	const [whole, fraction = ''] = absolute(text).split('.')
	const kept = fraction.slice(0, places).padEnd(places, '0')
	const up = (fraction[places] ?? '0') >= '5' ? 1n : 0n
	const digits = String(BigInt(whole + kept) + up).padStart(places + 1, '0')
	const cut = digits.length - places
	const value = places === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`
	return String(text).startsWith('-') && /[1-9]/.test(digits) ? `-${value}` : value
}

/** TEXT over 10^POWER with PLACES decimals, half away from zero: scaled('-123456.78', 4, 2) is '-12.35'. */
export function scaled(text, power, places) {
	const [whole, fraction = ''] = absolute(text).split('.')
	const digits = whole.padStart(power + 1, '0')
	const cut = digits.length - power
	const value = `${digits.slice(0, cut)}.${digits.slice(cut)}${fraction}`
	return rounded(String(text).startsWith('-') ? `-${value}` : value, places)
}

/** '1234567.80' -> '1,234,567.80', digit for digit, with a true minus sign. */
export function grouped(text) {
	const [whole, fraction] = absolute(text).split('.')
	const head = whole.replace(/\B(?=(\d{3})+$)/g, ',')
	return `${String(text).startsWith('-') ? '−' : ''}${head}${fraction === undefined ? '' : `.${fraction}`}`
}

/** An amount of money for a reader: '¥1,234.50'. */
export const yuan = (text) => grouped(text).replace(/^(−?)/, '$1¥')

/** The same with a sign in front, for differences. */
export const signed = (text) => (isZero(text) ? yuan(text) : isNegative(text) ? yuan(text) : `+${yuan(text)}`)

/** For lengths of bars only. */
export const length = (text) => Number(text)
