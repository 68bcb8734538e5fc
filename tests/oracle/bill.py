"""bill.py - what one offer costs, by the definitions of the headers, in exact fractions.

A price is the dictionary of a JSON sheet. Nothing here searches: every term, every step of a ladder
and every way to buy is tried. What has no price makes a bill unknown, never cheaper.
"""
import csv
import datetime
import os
from fractions import Fraction as F

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
UNITS = {  # text of a sheet: (per, period, periods); things come one by one
    "元": ("none", None, 1), "元/台": ("server", None, 1), "元/卡": ("card", None, 1),
    "元/柜": ("cabinet", None, 1), "元/度": ("kwh", None, 1), "元/GB": ("gb", None, 1),
    "元/卡/时": ("card", "hour", 1), "元/卡/月": ("card", "month", 1), "元/卡/季": ("card", "month", 3),
    "元/卡/年": ("card", "year", 1), "元/台/时": ("server", "hour", 1), "元/台/月": ("server", "month", 1),
    "元/台/季": ("server", "month", 3), "元/台/年": ("server", "year", 1), "元/柜/月": ("cabinet", "month", 1),
    "元/柜/季": ("cabinet", "month", 3), "元/柜/年": ("cabinet", "year", 1), "元/kW/月": ("kw", "month", 1),
    "元/U/月": ("u", "month", 1), "元/M/月": ("mbps", "month", 1), "元/TB/月": ("tb", "month", 1),
    "元/IP/月": ("ip", "month", 1),
}
WHOLE = {"card", "server", "cabinet", "u", "mbps", "ip"}
GOODS = {"purchase", "power"}
SLOTS = ((0, ("hourly", "spot")), (1, ("monthly",)), (3, ("quarterly",)), (12, ("yearly",)))
MAIN = {"rental": "compute", "colocation": "cabinet", "purchase": "purchase", "network": "bandwidth",
        "storage": "storage", "service": "service"}
TIERS = ["", "bare", "image", "managed"]
ALL_TERMS = ("hourly", "monthly", "quarterly", "yearly")
LONGEST_TERM = 240
MAINTENANCE, CAPITAL, LIFE_MONTHS = F(30000), F(8, 100), 60
LOAD, IDLE, PUE = F(65, 100), F(35, 100), F(13, 10)
SERVER_U, CABINET_U = 8, 42
CITY_IDS = {"深圳": "shenzhen", "东莞": "dongguan", "惠州": "huizhou", "广州": "other", "": "unknown"}


class Bill(tuple):
    """(something is unknown, total): complete bills come first, whatever the others seem to cost.

    used: the ids of the offers that it takes side items from; it does not order bills.
    """

    def __new__(cls, total=F(0), unknown=False, used=frozenset()):
        self = tuple.__new__(cls, (unknown, F(total)))
        self.used = used
        return self

    def __add__(self, other):
        return Bill(self.total + other.total, self.unknown or other.unknown, self.used | other.used)

    unknown = property(lambda self: self[0])
    total = property(lambda self: self[1])


def fen(value):
    """Rounded to fen, half away from zero."""
    whole = int(abs(value) * 100 + F(1, 2))
    return F(whole if value >= 0 else -whole, 100)


def lines(amounts, used=frozenset()):
    return Bill(sum(map(fen, amounts)), False, used)


def up(value):
    return -((-value) // 1)


# ---- Prices ----

def rate_of(case, price):
    """Yuan for one unit of the price's currency; None without a rate."""
    currency = price.get("currency", "CNY")
    if currency == "CNY":
        return F(1)
    rate = case["spec"].get("fx", {}).get(currency)
    return None if rate is None else F(rate["rate"])


def on_basis(case, amount, tax, rate):
    if case["tax"] == "excluded":
        return amount / (1 + rate) if tax == "included" else amount
    return amount if tax == "included" else amount * (1 + rate)


def net(case, price):
    """A price on the request's tax basis, in yuan; unknown tax is taken as excluded.

    A deposit comes back: it is no supply and bears no tax.
    """
    if price["item"] == "deposit":
        return F(price["as_quoted"]) * rate_of(case, price)
    usual = F(13 if price["item"] in GOODS else 6, 100)
    rate = F(price["tax_rate"]) if "tax_rate" in price else usual
    return on_basis(case, F(price["as_quoted"]) * rate_of(case, price), price["tax"], rate)


def step_of(price):
    return price.get("min_quantity", 0)


def things_of(price, counts):
    """How many of the price's units are bought; None when the unit counts something else."""
    per = UNITS[price["unit"]][0]
    if per not in counts:
        return None
    return up(F(counts[per])) if per in WHOLE else F(counts[per])


def hours_of(case, price):
    _, period, count = UNITS[price["unit"]]
    return {"hour": 1, "month": case["hours"], "year": 12 * case["hours"]}[period] * count


def main_rows(offer):
    return [p for p in offer["prices"] if p["item"] == MAIN[offer["kind"]]]


def rows(offer, item, term, ladder):
    """The rows of the highest step that LADDER reaches."""
    same = [p for p in offer["prices"] if p["item"] == item and p["term"] == term and step_of(p) <= ladder]
    step = max(map(step_of, same), default=0)
    return [p for p in same if step_of(p) == step]


class Mix:
    """The cheapest mix of terms: exact total and the amount of each line."""

    def __init__(self, total, amounts):
        self.total = total
        self.amounts = amounts


def slot_costs(case, offer, item, terms, counts, ladder, hours):
    result = {}
    for slot, slot_terms in SLOTS:
        length = hours if slot == 0 else slot * case["hours"]
        for term in slot_terms:
            for price in rows(offer, item, term, ladder) if term in terms else []:
                things = things_of(price, counts)
                if things is not None:
                    cost = net(case, price) * things * F(length) / hours_of(case, price)
                    result[slot] = min(cost, result.get(slot, cost))
    return result


def mix(case, offer, item, terms, counts, ladder, hours=None):
    """All combinations of years, quarters and months; the rest by the hour. None when impossible."""
    months = case["months"]
    minimum = offer.get("min_term_months", 0) if MAIN[offer["kind"]] == item else 0
    slots = slot_costs(case, offer, item, terms, counts, ladder, case["hours"] if hours is None else hours)
    reach = min(max(months, minimum), LONGEST_TERM)
    best = None
    for years in range(-(-reach // 12) + 1 if 12 in slots else 1):
        for quarters in range(-(-reach // 3) + 1 if 3 in slots else 1):
            for singles in range(reach + 1 if 1 in slots else 1):
                committed = 12 * years + 3 * quarters + singles
                by_hour = max(0, months - committed)
                if (committed and committed < minimum) or (by_hour and 0 not in slots):
                    continue
                parts = [(slots[s] * n) for s, n in ((12, years), (3, quarters), (1, singles), (0, by_hour)) if n]
                key = (sum(parts), committed, -years, -quarters)
                if best is None or key < best[0]:
                    best = (key, parts)
    return None if best is None else Mix(best[0][0], best[1])


def once(case, offer, item, counts, ladder):
    """Exact amounts of the one-off rows that apply, and whether one of them cannot be counted."""
    applying = [p for p in offer["prices"] if p["item"] == item and step_of(p) <= ladder]
    amounts, unknown = [], False
    for price in applying:
        per = UNITS[price["unit"]][0]
        if any(UNITS[o["unit"]][0] == per and step_of(o) > step_of(price) for o in applying):
            continue
        things = things_of(price, counts)
        if things is None:
            unknown = True
        else:
            amounts.append(net(case, price) * things)
    return amounts, unknown


def deposits(case, offer, counts, ladder):
    """As once(): what the capital that is tied up in deposits costs."""
    amounts, unknown = once(case, offer, "deposit", counts, ladder)
    return sum(amounts) * CAPITAL * case["months"] / 12, unknown


# ---- What the project needs once: bandwidth, addresses, storage; and help ----

def cheapest_way(ways):
    """Of (exact total, amounts, seller) the first that is cheapest; unknown when there is none."""
    best = min(ways, key=lambda way: way[0], default=None)
    return Bill(0, True) if best is None else lines(best[1], frozenset([best[2]]))


def term_ways(case, sellers, item, counts, ladder):
    found = [(mix(case, s, item, ALL_TERMS, counts, ladder), s) for s in sellers]
    return [(m.total, m.amounts, s["id"]) for m, s in found if m is not None]


def metered_ways(case, sellers, item, per, things):
    for seller in sellers:
        for price in seller["prices"]:
            if price["item"] == item and price["term"] == "metered" and UNITS[price["unit"]][0] == per:
                total = net(case, price) * things * case["months"]
                yield total, [total], seller["id"]


def port(case, offer, sellers):
    need = case["spec"].get("network", {})
    mbps = F(need.get("public_mbps", 0))
    included = offer.get("mbps_included", 0)
    missing = mbps - included
    if mbps == 0 or missing <= 0:
        return Bill()
    percentile = F(need.get("mbps_95", 0)) or mbps
    ways = term_ways(case, sellers, "bandwidth", {"none": 1, "mbps": missing}, up(missing))
    ways += metered_ways(case, sellers, "bandwidth", "mbps", max(F(0), percentile - included))
    if need.get("egress_gb_per_month"):
        ways += metered_ways(case, sellers, "traffic", "gb", F(need["egress_gb_per_month"]))
    return cheapest_way(ways)


def addresses(case, offer, sellers):
    missing = case["spec"].get("network", {}).get("ips", 0) - offer.get("ips_included", 0)
    if missing <= 0:
        return Bill()
    return cheapest_way(term_ways(case, sellers, "ip", {"none": 1, "ip": missing}, missing))


def storage(case, sellers):
    tb = F(case["spec"].get("storage_tb", 0))
    if tb == 0:
        return Bill()
    return cheapest_way(term_ways(case, sellers, "storage", {"none": 1, "tb": tb, "gb": 1000 * tb}, up(tb)))


def help_wanted(case, offer, sellers, servers):
    wanted = TIERS.index(case["spec"].get("service", ""))
    if wanted < 2 or TIERS.index(offer.get("service_tier", "")) >= wanted:
        return Bill()
    counts = {"none": 1, "server": servers}
    if offer.get("cards_per_server"):
        counts["card"] = servers * offer["cards_per_server"]
    return cheapest_way(term_ways(case, sellers, "service", counts, servers))


def extras(case, offer, sides, servers, carries):
    """SIDES: by kind and city the offer that supplies what others do not price."""
    def sellers(kind):
        side = sides.get((kind, offer.get("city", "")))
        return [offer] + ([side] if side else [])

    result = help_wanted(case, offer, sellers("service"), servers)
    if carries:
        network = sellers("network")
        result = port(case, offer, network) + addresses(case, offer, network) + \
            storage(case, sellers("storage")) + result
    return result


# ---- Rented, bought, placed ----

def lot_of(offer):
    shared = offer.get("delivery") in ("vm", "container")
    lot = offer["cards_per_server"] if not shared else 1
    if any(UNITS[p["unit"]][0] == "server" for p in main_rows(offer)):
        lot = max(lot, offer["cards_per_server"])
    return lot


def has_stock(offer, cards):
    stock = offer.get("servers_available")
    return stock is None or cards <= stock * offer["cards_per_server"]


def rent(case, offer, cards, hours, servers, sides, carries):
    """The bill of CARDS cards that run HOURS a month; None when there is none."""
    size, lot = offer["cards_per_server"], lot_of(offer)
    needed = -(-cards // lot)
    if not has_stock(offer, needed * lot):
        return None
    choices = [needed]
    for price in main_rows(offer):
        lots = -(-step_of(price) * size // lot)
        if lots > needed and has_stock(offer, lots * lot):
            choices.append(lots)
    best = None
    for lots in choices:
        counts = {"none": 1, "card": lots * lot, "server": F(lots * lot, size)}
        ladder = lots * lot // size
        terms = mix(case, offer, "compute", case["terms"], counts, ladder, min(hours, F(case["hours"])))
        if terms is None:
            continue
        setup, unknown = once(case, offer, "setup", counts, ladder)
        capital, open_deposit = deposits(case, offer, counts, ladder)
        exact = terms.total + sum(setup) + capital
        if best is None or exact < best[0]:
            best = (exact, lines(terms.amounts) + lines(setup) + lines([capital]) + Bill(0, unknown or open_deposit))
    return None if best is None else best[1] + extras(case, offer, sides, servers, carries)


def buy(case, offer, servers, recovered=None):
    """The bill of owning SERVERS; RECOVERED of their book value after the project, else as in the request."""
    found = [p for p in offer["prices"] if p["item"] == "purchase" and step_of(p) <= servers]
    if not found or not (offer.get("servers_available") is None or servers <= offer["servers_available"]):
        return None
    step = max(map(step_of, found))
    counts = {"none": 1, "server": servers, "card": servers * offer["cards_per_server"]}
    cash = min(net(case, p) * things_of(p, counts) for p in found if step_of(p) == step)
    months = case["months"]
    if recovered is None:
        recovered = F(case["spec"].get("assumptions", {}).get("book_value_recovered", 1))
    lost = cash * max(0, LIFE_MONTHS - months) / LIFE_MONTHS * (1 - recovered)
    upkeep = MAINTENANCE * (F(106, 100) if case["tax"] == "included" else 1)
    setup, unknown = once(case, offer, "setup", counts, servers)
    capital, open_deposit = deposits(case, offer, counts, servers)
    return lines([lost, cash * min(months, LIFE_MONTHS) / LIFE_MONTHS, cash / 2 * CAPITAL * months / 12,
                  upkeep / 12 * servers * months, capital] + setup) + Bill(0, unknown or open_deposit)


def host(case, offer, need, sides, carries):
    """NEED: servers, watts of each, hours a month. None when they cannot stand there."""
    servers, watts = need["servers"], need["watts"]
    rated = int(F(str(offer["cabinet_kw"])) * 1000)
    per = min(rated // watts, offer.get("cabinet_u", CABINET_U) // SERVER_U)
    if per == 0:
        return None
    cabinets = -(-servers // per)
    counts = {"none": 1, "cabinet": cabinets, "server": servers, "kw": F(cabinets * rated, 1000),
              "u": SERVER_U * servers}
    terms = mix(case, offer, "cabinet", ("monthly", "quarterly", "yearly"), counts, cabinets)
    if terms is None:
        return None
    setup, unknown = once(case, offer, "setup", counts, cabinets)
    capital, open_deposit = deposits(case, offer, counts, cabinets)
    return lines(terms.amounts) + lines(setup) + lines([capital]) + Bill(0, unknown or open_deposit) + power(case, offer, need) + \
        extras(case, offer, sides, servers, carries)


# ---- Electricity ----

def read_table(name):
    with open(os.path.join(ROOT, "schema", "reference", name), encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


HOURS = {row["id"]: row for row in read_table("tariff_hours.csv")}
TARIFFS = read_table("tariffs.csv")
BANDS = {"v": "valley", "f": "flat", "p": "peak", "s": "sharp"}


def tariff_of(city):
    """Known before unknown, then the newer one."""
    found = [t for t in TARIFFS if t["city"] == CITY_IDS[city]]
    priced = [t for t in found if any(t[band] for band in BANDS.values())]
    return max(priced or found, key=lambda t: t["valid_from"], default=None)


def add_months(day, months):
    month = day.month - 1 + months
    year = day.year + month // 12
    month = month % 12 + 1
    last = ((datetime.date(year + month // 12, month % 12 + 1, 1)) - datetime.timedelta(1)).day
    return datetime.date(year, month, min(day.day, last))


def band_hours(case, table):
    """Hours of the project in each band, day by day on the calendar."""
    day = datetime.date.fromisoformat(case["start"])
    end = add_months(day, case["months"])
    sharp = set(map(int, table["sharp_months"].split()))
    hours = dict.fromkeys(BANDS.values(), 0)
    while day < end:
        for band in table["sharp_hours" if day.month in sharp else "hours"]:
            hours[BANDS[band]] += 1
        day += datetime.timedelta(1)
    return hours


def mean_load(case, need):
    share = F(need["milli_hours"], case["hours"] * 1000)
    return LOAD if share >= 1 else LOAD * share + IDLE * (1 - share)


def by_tariff(case, tariff, kw):
    result = Bill()
    for band, hours in band_hours(case, HOURS[tariff["hours"]]).items():
        if hours and not tariff[band]:
            result += Bill(0, True)
        elif hours:
            price = on_basis(case, F(tariff[band]), tariff["tax"], F(13, 100))
            result += lines([price * kw * hours])
    return result


def power(case, offer, need):
    billing = offer.get("power_billing")
    if billing == "included":
        return Bill()
    own = [p for p in offer["prices"] if p["item"] == "power"]
    if "kwh_price" in case["spec"]:
        given = {"item": "power", "as_quoted": case["spec"]["kwh_price"], "tax": case["tax"], "unit": "元/度"}
        own = own or [given]
    tariff = None if "kwh_price" in case["spec"] else tariff_of(offer.get("city", ""))
    if tariff is not None and own and not any(tariff[band] for band in BANDS.values()):
        tariff = None
    kw = F(need["watts"] * need["servers"], 1000) * F(str(offer.get("pue", PUE))) * mean_load(case, need)
    if tariff is not None and (billing == "tou" or not own):
        return by_tariff(case, tariff, kw)
    if not own:
        return Bill(0, True)
    return lines([net(case, own[0]) * kw * case["months"] * case["hours"]])
