"""prices.py - bills, prices on one basis and the cheapest mix of terms, in exact fractions.

A price is the dictionary of a JSON sheet. Nothing here searches: every term and every step of a
ladder is tried. What has no price makes a bill unknown, never cheaper.
"""
from fractions import Fraction as F
from typing import NamedTuple

UNITS = {  # text of a sheet: (per, period, periods)
    "元": ("none", None, 1), "元/台": ("server", None, 1), "元/卡": ("card", None, 1),
    "元/柜": ("cabinet", None, 1), "元/度": ("kwh", None, 1), "元/GB": ("gb", None, 1),
    "元/卡/时": ("card", "hour", 1), "元/卡/月": ("card", "month", 1), "元/卡/季": ("card", "month", 3),
    "元/卡/年": ("card", "year", 1), "元/台/时": ("server", "hour", 1), "元/台/月": ("server", "month", 1),
    "元/台/季": ("server", "month", 3), "元/台/年": ("server", "year", 1), "元/柜/月": ("cabinet", "month", 1),
    "元/柜/季": ("cabinet", "month", 3), "元/柜/年": ("cabinet", "year", 1), "元/kW/月": ("kw", "month", 1),
    "元/U/月": ("u", "month", 1), "元/M/月": ("mbps", "month", 1), "元/TB/月": ("tb", "month", 1),
    "元/IP/月": ("ip", "month", 1), "元/8卡/月": ("card", "month", 1), "元/100M/月": ("mbps", "month", 1),
}
PER_COUNT = {"元/8卡/月": 8, "元/100M/月": 100}  # all others are for one thing
WHOLE = {"card", "server", "cabinet", "u", "mbps", "ip"}
SLOTS = ((0, ("hourly", "spot")), (1, ("monthly",)), (3, ("quarterly",)), (12, ("yearly",)))
MAIN = {"rental": "compute", "colocation": "cabinet", "purchase": "purchase", "network": "bandwidth",
        "storage": "storage", "service": "service"}
TIERS = ["", "bare", "image", "managed"]
ALL_TERMS = ("hourly", "monthly", "quarterly", "yearly")
LONGEST_TERM = 240
ASSUMED = {  # what a request may give, and what holds otherwise
    "service_vat_rate": F(6, 100), "goods_vat_rate": F(13, 100), "power_vat_rate": F(13, 100),
    "vat_deductible": F(1), "pue": F(13, 10), "load_factor": F(65, 100), "idle_draw": F(35, 100),
    "server_u": F(8), "cabinet_u": F(42), "life_years": F(5), "residual_share": F(0),
    "book_value_recovered": F(1), "capital_rate": F(8, 100), "spares_share": F(0),
    "maintenance": F(30000), "transfer_efficiency": F(9, 10), "own_operation_hours": F(0), "own_operation_cost": F(0),
}


def assume(case, name):
    return F(str(case["spec"].get("assumptions", {}).get(name, ASSUMED[name])))


class Line(NamedTuple):
    """An exact amount and the rate of the VAT that belongs to it."""
    amount: F
    rate: F = F(0)


class Mix(NamedTuple):
    """The lines of the terms taken, and how many of each length are committed to."""
    lines: list
    committed: dict


class Bill(tuple):
    """(something is unknown, total): complete bills come first, whatever the others seem to cost.

    used: the ids of the offers that it takes side items from; net: what it sums to by VAT rate, as
    long as VAT may still be added (with_vat()). They do not order bills.
    """

    def __new__(cls, total=F(0), unknown=False, used=frozenset(), net=()):
        self = tuple.__new__(cls, (unknown, F(total)))
        self.used = used
        self.net = dict(net)
        return self

    def __add__(self, other):
        net = {rate: self.net.get(rate, 0) + other.net.get(rate, 0) for rate in {**self.net, **other.net}}
        return Bill(self.total + other.total, self.unknown or other.unknown, self.used | other.used, net)

    unknown = property(lambda self: self[0])
    total = property(lambda self: self[1])


def fen(value):
    """Rounded to fen, half away from zero."""
    whole = int(abs(value) * 100 + F(1, 2))
    return F(whole if value >= 0 else -whole, 100)


def bill_of(lines, used=frozenset()):
    return sum((Bill(fen(line.amount), False, used, {line.rate: fen(line.amount)}) for line in lines), Bill())


def vat_is_cost(case):
    return case["tax"] == "excluded" and assume(case, "vat_deductible") == 0


def with_vat(case, bill):
    """The bill of one offer when it is finished: VAT that is a cost is a line for each rate."""
    vat = sum(fen(net * rate) for rate, net in bill.net.items()) if vat_is_cost(case) else 0
    return Bill(bill.total + vat, bill.unknown, bill.used)


def weight(case, lines):
    """What LINES cost the buyer, not rounded: by this ways are compared."""
    return sum(line.amount * (1 + line.rate if vat_is_cost(case) else 1) for line in lines)


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


def vat_rate(case, price):
    """A deposit comes back: it is no supply and bears no tax."""
    if price["item"] == "deposit":
        return F(0)
    usual = {"purchase": "goods_vat_rate", "power": "power_vat_rate"}.get(price["item"], "service_vat_rate")
    return F(price["tax_rate"]) if "tax_rate" in price else assume(case, usual)


def line_of(case, price, quantity):
    """QUANTITY at PRICE on the request's tax basis, in yuan; unknown tax is taken as excluded."""
    rate = vat_rate(case, price)
    return Line(on_basis(case, F(price["as_quoted"]) * rate_of(case, price), price["tax"], rate) * quantity, rate)


def step_of(price):
    return price.get("min_quantity", 0)


def things_of(price, counts):
    """How many of the price's units are bought; None when the unit counts something else."""
    per = UNITS[price["unit"]][0]
    if per not in counts:
        return None
    units = F(counts[per]) / PER_COUNT.get(price["unit"], 1)
    return up(units) if per in WHOLE else units


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


def slot_lines(case, offer, item, terms, counts, ladder, hours):
    """By slot the cheapest line of one period: a month by the hour, a month, a quarter, a year."""
    result = {}
    for slot, slot_terms in SLOTS:
        length = hours if slot == 0 else slot * case["hours"]
        for term in slot_terms:
            for price in rows(offer, item, term, ladder) if term in terms else []:
                things = things_of(price, counts)
                if things is not None:
                    line = line_of(case, price, things * F(length) / hours_of(case, price))
                    result[slot] = min(line, result.get(slot, line), key=lambda one: weight(case, [one]))
    return result


def mix(case, offer, item, terms, counts, ladder, hours=None):
    """The cheapest of all combinations of years, quarters and months, the rest by the hour."""
    months = case["months"]
    minimum = offer.get("min_term_months", 0) if MAIN[offer["kind"]] == item else 0
    slots = slot_lines(case, offer, item, terms, counts, ladder, case["hours"] if hours is None else hours)
    weights = {slot: weight(case, [line]) for slot, line in slots.items()}
    reach = min(max(months, minimum), LONGEST_TERM)
    best = None
    for years in range(-(-reach // 12) + 1 if 12 in slots else 1):
        for quarters in range(-(-reach // 3) + 1 if 3 in slots else 1):
            for singles in range(reach + 1 if 1 in slots else 1):
                committed = 12 * years + 3 * quarters + singles
                by_hour = max(0, months - committed)
                if (committed and committed < minimum) or (by_hour and 0 not in slots):
                    continue
                taken = [(s, n) for s, n in ((12, years), (3, quarters), (1, singles), (0, by_hour)) if n]
                key = (sum(weights[s] * n for s, n in taken), committed, -years, -quarters)
                if best is None or key < best[0]:
                    best = (key, taken)
    if best is None:
        return None
    return Mix([Line(slots[s].amount * n, slots[s].rate) for s, n in best[1]], {s: n for s, n in best[1] if s})


def once(case, offer, item, counts, ladder):
    """The lines of the one-off rows that apply, and whether one of them cannot be counted."""
    applying = [p for p in offer["prices"] if p["item"] == item and step_of(p) <= ladder]
    lines, unknown = [], False
    for price in applying:
        per = UNITS[price["unit"]][0]
        if any(UNITS[o["unit"]][0] == per and step_of(o) > step_of(price) for o in applying):
            continue
        things = things_of(price, counts)
        if things is None:
            unknown = True
        else:
            lines.append(line_of(case, price, things))
    return lines, unknown


def one_offs(case, offer, counts, ladder):
    """Lines of setup and of the capital that is tied up in deposits; whether something is unknown."""
    setup, unknown = once(case, offer, "setup", counts, ladder)
    deposits, open_deposit = once(case, offer, "deposit", counts, ladder)
    tied_up = sum(line.amount for line in deposits)
    return setup + [Line(tied_up * assume(case, "capital_rate") * case["months"] / 12)], unknown or open_deposit
