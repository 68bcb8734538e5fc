// cities.js - the cities that are compared: the name in answers, and the other name requests may use.

export const cities = [
	['shenzhen', '深圳'],
	['dongguan', '东莞'],
	['huizhou', '惠州'],
]

/** NAME as answers have it; a city that is not compared stays as it is. */
export const cityId = (name) => cities.find((names) => names.includes(name))?.[0] ?? name
