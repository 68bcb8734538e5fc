// sheets.mjs - price sheets that the tests upload: fictitious suppliers, invented prices.

// A JSON sheet of one 8-card machine per entry of PRICES (yuan a month for the machine, VAT in it).
export function rentalSheet(prices, more = {}) {
	return {
		offers: prices.map((price, index) => ({
			kind: 'rental', card: 'h100-sxm', cards_per_server: 8, servers_available: 4, city: '深圳',
			title: `示例整机 ${index + 1}`, ...more,
			prices: [{ item: 'compute', term: 'monthly', as_quoted: price, unit: '元/台/月', tax: 'included', tax_rate: '0.06' }],
		})),
	}
}

// 61234.57 yuan per machine and month is 61234.57 / 5760 yuan per card-hour, to six decimals.
export function perCardHour(price) {
	return (Math.round(Number(price) / 5760 * 1e6) / 1e6).toFixed(6)
}
