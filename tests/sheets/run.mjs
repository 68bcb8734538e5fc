// Runs `suanjia import --dry-run` on every file here that has FILE.expect.json beside it and holds
// what was read against the expectation:
//   accept           true: something must be read; false: nothing may be; absent: either
//   format, encoding what the bytes are
//   offers           must be read, found by sheet + row + kind + city (JSON: pointer); of an offer only
//                    the listed fields count, of its prices all (unless prices_complete is false)
//   optional_offers  may be missing (hidden, duplicate, partly faulty); if read, exactly so
//   problems         must be reported; kind is the code, an absent column is not judged
//   may              tolerated; any other error is a failure (and with no_warnings any other warning)
//   {"any_of": []}   one of these, wherever a value stands; null in it means absent
// The order of offers and problems does not count. observations.csv is for tests/unit.
// Usage: node tests/sheets/run.mjs [PART-OF-A-NAME...]
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const program = join(here, '..', '..', process.env.BUILD ?? 'build', 'suanjia');
const TODAY = '2026-11-30';

function read(file) {
	const options = { maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'pipe'], timeout: 60000 };
	const args = ['import', '--dry-run', '--today', TODAY, '--lang', 'en', resolve(here, file)];
	try {
		return JSON.parse(execFileSync(program, args, options));
	} catch (failure) {
		if (failure.status === 1 && failure.stdout.length > 0) return JSON.parse(failure.stdout);
		throw new Error(`${program} ended with ${failure.status ?? failure.signal}: ${failure.stderr}`);
	}
}

// ---- values ----

const isNumber = (value) => /^-?\d+(\.\d+)?$/.test(String(value));

function same(expected, found) {
	if (expected !== null && typeof expected === 'object' && 'any_of' in expected)
		return expected.any_of.some((one) => same(one, found));
	if (expected === null) return found === null || found === undefined;
	if (found === null || found === undefined) return false;
	if (isNumber(expected) && isNumber(found)) return Number(expected) === Number(found);
	return String(expected) === String(found);
}

const sameText = (expected, found) =>
	expected !== null && typeof expected === 'object' ? expected.any_of.some((one) => one === found) : expected === found;

const plain = (text) => String(text).normalize('NFKC').replace(/[\s,¥]/g, '').toLowerCase();

// A numerically equal spelling, or the part of the text that holds the number.
function sameQuote(expected, found) {
	if (expected !== null && typeof expected === 'object') return expected.any_of.some((one) => sameQuote(one, found));
	if (found === null || found === undefined) return false;
	const a = plain(expected);
	const b = plain(found);
	return a === b || (b !== '' && a.includes(b)) || (isNumber(a) && isNumber(b) && Number(a) === Number(b));
}

// ---- offers ----

const PRICE_FIELDS = ['item', 'term', 'as_quoted', 'normalised', 'normalised_unit', 'tax', 'tax_rate', 'low', 'min_quantity', 'cell'];
const NOT_COMPARED = ['sheet', 'row', 'pointer', 'prices', 'prices_complete', 'cell'];

const pointerOf = (offer) => `/offers/${offer.row - 1}`;

function matches(expected, offer) {
	if (expected.pointer !== undefined) return pointerOf(offer) === expected.pointer;
	return same(expected.row, offer.row) && (expected.sheet === undefined ? offer.sheet === null : offer.sheet === expected.sheet) &&
		(expected.kind === undefined || same(expected.kind, offer.kind)) &&
		(expected.city === undefined || same(expected.city, offer.city) || same(expected.city, offer.city_name));
}

function priceDiffers(expected, price) {
	for (const field of PRICE_FIELDS) {
		if (!(field in expected)) continue;
		const equal = field === 'as_quoted' ? sameQuote : field === 'normalised' ? sameText : same;
		if (!equal(expected[field], price[field]))
			return `${field}: ${JSON.stringify(price[field])}, expected ${JSON.stringify(expected[field])}`;
	}
	return null;
}

function comparePrices(where, expected, prices, complain) {
	const left = [...prices];
	for (const one of expected.prices ?? []) {
		const at = left.findIndex((price) => priceDiffers(one, price) === null);
		if (at >= 0) {
			left.splice(at, 1);
			continue;
		}
		const near = left.find((price) => sameQuote(one.as_quoted, price.as_quoted));
		complain(`${where}: price ${one.cell ?? ''} ${JSON.stringify(one.as_quoted)}: ${near === undefined ? 'not read' : priceDiffers(one, near)}`);
		if (near !== undefined) left.splice(left.indexOf(near), 1);
	}
	if (expected.prices_complete !== false)
		for (const price of left) complain(`${where}: a price too many: ${price.item} ${price.term} ${price.as_quoted} ${price.unit}`);
}

function compareOffer(expected, offers, complain) {
	const where = `row ${expected.row ?? expected.pointer} ${expected.sheet ?? ''}`;
	for (const offer of offers)
		for (const [field, value] of Object.entries(expected)) {
			if (NOT_COMPARED.includes(field)) continue;
			const found = field === 'city' && !same(value, offer.city) ? offer.city_name : offer[field];
			if (!same(value, found)) complain(`${where}: ${field} is ${JSON.stringify(found)}, expected ${JSON.stringify(value)}`);
		}
	comparePrices(where, expected, offers.flatMap((offer) => offer.prices), complain);
}

function compareOffers(expectation, answer, complain) {
	const unclaimed = new Set(answer.offers);
	const claim = (expected) => {
		const alike = answer.offers.filter((offer) => unclaimed.has(offer) && matches(expected, offer));
		// Several offers of one row, as cards side by side or cabinets by power: the one that is expected.
		const exact = alike.filter((offer) =>
			['card', 'cabinet_kw'].every((field) => !(field in expected) || same(expected[field], offer[field])));
		const found = exact.length > 0 ? exact : alike;
		for (const offer of found) unclaimed.delete(offer);
		return found;
	};
	for (const expected of expectation.offers ?? []) {
		const found = claim(expected);
		if (found.length === 0) complain(`row ${expected.row ?? expected.pointer} ${expected.sheet ?? ''}: no such offer`);
		else compareOffer(expected, found, complain);
	}
	for (const expected of expectation.optional_offers ?? []) {
		const found = claim(expected);
		if (found.length > 0) compareOffer(expected, found, complain);
	}
	for (const offer of unclaimed) complain(`row ${offer.row} ${offer.sheet ?? ''}: an offer that nobody expects: ${offer.understood}`);
}

// ---- problems ----

function problemMatches(expected, problem) {
	return same(expected.kind, problem.code) && (expected.severity === undefined || same(expected.severity, problem.severity)) &&
		(expected.sheet === undefined || expected.sheet === problem.sheet) &&
		(expected.row === undefined || same(expected.row, problem.row)) &&
		(expected.pointer === undefined || String(problem.pointer ?? '').startsWith(expected.pointer)) &&
		(expected.column === undefined || same(expected.column, problem.column));
}

const show = (problem) => `${problem.severity} ${problem.code} ${problem.sheet ?? ''} ${problem.cell ?? problem.row ?? problem.pointer ?? ''} ${problem.value ?? ''}`;

function compareProblems(expectation, answer, complain) {
	const may = expectation.may ?? [];
	for (const expected of expectation.problems ?? [])
		if (!answer.problems.some((problem) => problemMatches(expected, problem)))
			complain(`not reported: ${JSON.stringify(expected)}`);
	for (const problem of answer.problems)
		if (problem.severity === 'error' && ![...(expectation.problems ?? []), ...may].some((expected) => problemMatches(expected, problem)))
			complain(`an error that nobody expects: ${show(problem)}: ${problem.message}`);
	// The offers "may be faulty"; warnings are held only where the expectation says none may be.
	if (expectation.no_warnings)
		for (const problem of answer.problems)
			if (problem.severity === 'warning' && ![...(expectation.problems ?? []), ...may].some((expected) => problemMatches(expected, problem)))
				complain(`a warning that nobody expects: ${show(problem)}: ${problem.message}`);
}

// ---- a file ----

function compare(expectation, answer) {
	const complaints = [];
	const complain = (text) => complaints.push(text);
	if (expectation.accept === true && answer.offers.length === 0) complain('nothing was read');
	if (expectation.accept === false && (answer.offers.length > 0 || answer.accepted)) complain('it should have been refused');
	for (const field of ['format', 'encoding'])
		if (expectation[field] !== undefined && !same(expectation[field], answer[field]))
			complain(`${field} is ${answer[field]}, expected ${JSON.stringify(expectation[field])}`);
	compareOffers(expectation, answer, complain);
	compareProblems(expectation, answer, complain);
	if (answer.format !== 'json')
		for (const offer of answer.offers)
			for (const price of offer.prices) if (!price.cell) complain(`row ${offer.row}: ${price.as_quoted} stands in no cell`);
	for (const offer of answer.offers) if (!offer.understood) complain(`row ${offer.row}: no sentence`);
	for (const problem of answer.problems) if (!problem.message) complain(`no message: ${show(problem)}`);
	return complaints;
}

// What the demo shows: each row with a number of its own (P12) must become one offer.
function comparePublished(text, answer) {
	const rows = text.match(/,P\d+\r?$/gm)?.length ?? 0;
	return rows === answer.offers.length ? [] : [`${rows} published prices, ${answer.offers.length} offers`];
}

const samples = join(here, '..', '..', 'schema', 'sample');
const cases = [
	...readdirSync(here)
		.filter((name) => name.endsWith('.expect.json'))
		.map((name) => [
			name.slice(0, -'.expect.json'.length),
			(file) => compare(JSON.parse(readFileSync(join(here, name), 'utf8')), read(file)),
		]),
	...readdirSync(samples)
		.filter((name) => name.startsWith('published-'))
		.map((name) => [name, () => comparePublished(readFileSync(join(samples, name), 'utf8'), read(join(samples, name)))]),
].sort(([a], [b]) => (a < b ? -1 : 1));

const wanted = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const [name, check] of cases) {
	if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
	let complaints;
	try {
		complaints = check(name);
	} catch (failure) {
		complaints = [failure.message];
	}
	if (complaints.length === 0) passed++;
	else failed++;
	if (complaints.length > 0) console.log(`${name}:\n  ${complaints.join('\n  ')}`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
