// chart.js - drawings in SVG, by presentation attributes and classes only: bars of several parts, a
// day of tariff hours, lines over months. Each is an image with a sentence for those who cannot see
// it; the figures themselves stand in a table beside it.
import { h, s } from './dom.js'
import { grouped, length, rounded } from './number.js'

const percent = (value) => `${Math.round(value * 10000) / 100}%`

/** A swatch of the colour of part NAME, for legends. */
export const swatch = (name) =>
	s(
		'svg',
		{ 'class': 'swatch', 'width': 12, 'height': 12, 'aria-hidden': 'true' },
		s('rect', { class: `part-${name}`, width: 12, height: 12, rx: 2 }),
	)

/**
 * One bar as wide as its share of MOST, made of PARTS [{name, label, value}] (decimal strings); the
 * label stands inside where there is room. SENTENCE says it in words.
 */
export function bar(parts, most, sentence) {
	const shown = parts.filter((part) => length(part.value) > 0)
	let at = 0
	const pieces = shown.map((part) => {
		const width = length(part.value) / length(most)
		const piece = [
			s('rect', { class: `part-${part.name}`, x: percent(at), y: 0, width: percent(width), height: '100%' }),
			width > 0.2 &&
				s(
					'text',
					{
						'class': 'in-bar',
						'x': percent(at + width / 2),
						'y': '50%',
						'dy': '.35em',
						'text-anchor': 'middle',
					},
					part.label,
				),
		]
		at += width
		return piece
	})
	return s('svg', { 'class': 'bar', 'width': '100%', 'height': 34, 'role': 'img', 'aria-label': sentence }, pieces)
}

/**
 * 24 hours of BANDS, a letter an hour (v valley, f flat, p peak, s sharp): the dearer the taller.
 * LETTERS: what is written in each band.
 */
export function dayStrip(bands, letters, sentence) {
	const heights = { v: 16, f: 26, p: 38, s: 46 }
	const hours = [...bands].map((band, hour) => [
		s('rect', {
			class: `band-${band}`,
			x: percent(hour / 24),
			y: 46 - heights[band],
			width: percent(1 / 24),
			height: heights[band],
		}),
		s(
			'text',
			{ 'class': `on-band-${band}`, 'x': percent((hour + 0.5) / 24), 'y': 41, 'text-anchor': 'middle' },
			letters[band],
		),
	])
	const clock = [0, 6, 12, 18, 24].map((hour) =>
		s(
			'text',
			{
				'class': 'axis',
				'x': percent(hour / 24),
				'y': 62,
				'text-anchor': hour === 0 ? 'start' : hour === 24 ? 'end' : 'middle',
			},
			`${hour}:00`,
		),
	)
	return s(
		'svg',
		{ 'class': 'strip', 'width': '100%', 'height': 66, 'role': 'img', 'aria-label': sentence },
		hours,
		clock,
	)
}

/** Where a figure stands on an axis from 0 to a little above MOST. */
const up = (value, most) => percent(1 - length(value) / (length(most) * 1.15))

/**
 * Low, median and high (decimal strings) of POINTS [{at, label, low, median, high}], the earliest
 * first, on an axis from 0; AT counts months, so that time runs evenly. MOST is the greatest figure.
 */
export function rangeChart(points, most, sentence) {
	const from = points[0].at
	const span = Math.max(points.at(-1).at - from, 1)
	const across = (point) => percent(0.08 + (0.86 * (point.at - from)) / span)
	const marks = points.map((point) => [
		s('line', {
			class: 'range',
			x1: across(point),
			x2: across(point),
			y1: up(point.low, most),
			y2: up(point.high, most),
		}),
		s('circle', { class: 'median', cx: across(point), cy: up(point.median, most), r: 4 }),
	])
	const joins = points
		.slice(1)
		.map((point, index) =>
			s('line', {
				class: 'join',
				x1: across(points[index]),
				y1: up(points[index].median, most),
				x2: across(point),
				y2: up(point.median, most),
			}),
		)
	const every = Math.ceil(points.length / 6)
	const labels = points.map(
		(point, index) =>
			(points.length - 1 - index) % every === 0 &&
			s(
				'text',
				{
					'class': 'axis',
					'x': index === points.length - 1 ? '100%' : across(point),
					'y': 14,
					'text-anchor': index === points.length - 1 ? 'end' : 'middle',
				},
				point.label,
			),
	)
	return h(
		'div',
		{ class: 'range-chart' },
		s(
			'svg',
			{ 'width': '100%', 'height': 180, 'role': 'img', 'aria-label': sentence },
			s('line', { class: 'ground', x1: 0, x2: '100%', y1: '100%', y2: '100%' }),
			s('line', { class: 'guide', x1: 0, x2: '100%', y1: up(most, most), y2: up(most, most) }),
			s('text', { class: 'axis', x: 0, y: up(most, most), dy: -8 }, grouped(most)),
			s('text', { class: 'axis', x: 0, y: '100%', dy: -4 }, '0'),
			joins,
			marks,
		),
		s('svg', { 'width': '100%', 'height': 20, 'aria-hidden': 'true' }, labels),
	)
}

/** Where the lines of a chart begin and how wide they are, as shares of its width. */
const LEFT = 0.01
const WIDE = 0.97
const along = (x) => percent(LEFT + WIDE * x)

/**
 * LINES [{name, points: [{x, value}]}], x from 0 to 1, value a decimal string, on an axis from 0.
 * MARKS [{x, label, quiet}] are upright lines, LABELS [{x, label}] stand below.
 */
export function lineChart({ lines, marks, labels, sentence }) {
	const most = lines
		.flatMap((line) => line.points.map((point) => point.value))
		.reduce((a, b) => (length(a) > length(b) ? a : b))
	const drawn = lines.flatMap(({ name, points }) =>
		points.slice(1).map((point, index) =>
			s('line', {
				class: `line-${name}`,
				x1: along(points[index].x),
				y1: up(points[index].value, most),
				x2: along(point.x),
				y2: up(point.value, most),
			}),
		),
	)
	const standing = marks.map((mark, index) => [
		s('line', {
			class: mark.quiet ? 'guide' : 'meet-at',
			x1: along(mark.x),
			x2: along(mark.x),
			y1: 14 + 14 * index,
			y2: '100%',
		}),
		s(
			'text',
			{
				'class': mark.quiet ? 'axis' : 'meet-label',
				'x': along(mark.x),
				'y': 11 + 14 * index,
				'text-anchor': mark.x > 0.8 ? 'end' : 'middle',
			},
			mark.label,
		),
	])
	return h(
		'div',
		{ class: 'line-chart' },
		s(
			'svg',
			{ 'width': '100%', 'height': 190, 'role': 'img', 'aria-label': sentence },
			s('line', { class: 'ground', x1: 0, x2: '100%', y1: '100%', y2: '100%' }),
			drawn,
			standing,
			s('text', { class: 'axis', x: 0, y: up(most, most), dy: -4 }, grouped(rounded(most, 0))),
			s('text', { class: 'axis', x: 0, y: '100%', dy: -4 }, '0'),
		),
		s(
			'svg',
			{ 'width': '100%', 'height': 20, 'aria-hidden': 'true' },
			labels.map(({ x, label }) =>
				s(
					'text',
					{
						'class': 'axis',
						'x': along(x),
						'y': 14,
						'text-anchor': x === 0 ? 'start' : x > 0.97 ? 'end' : 'middle',
					},
					label,
				),
			),
		),
	)
}
