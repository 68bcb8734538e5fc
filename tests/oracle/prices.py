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
    "元/8卡/30天": ("card", "day", 30), "元/卡/天": ("card", "day", 1), "元/TB": ("tb", None, 1),
    "元/100GB": ("gb", None, 1), "元/M": ("mbps", None, 1), "元/100M": ("mbps", None, 1), "元/IP": ("ip", None, 1),
    "元/A/月": ("ampere", "month", 1), "元/GB/月": ("gb", "month", 1), "元/10TB/月": ("tb", "month", 1),
}
PER_COUNT = {"元/8卡/月": 8, "元/8卡/30天": 8, "元/100M/月": 100, "元/100M": 100, "元/100GB": 100,
             "元/10TB/月": 10}  # all others are for one thing
for text, (per, _, _) in list(UNITS.items()):  # by the quarter and year what is sold by the month
    if text.startswith("元/台"):
        UNITS["万" + text] = UNITS[text]
    for letter, period, count in (("季", "month", 3), ("年", "year", 1)) if text.endswith("/月") else ():
        UNITS[text[:-1] + letter] = per, period, count
        PER_COUNT[text[:-1] + letter] = PER_COUNT.get(text, 1)
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
    "interruptions": F(2095, 18432),
}


def assume(case, name):
    return case["figures"][name]


def figures(spec):
    """Every assumption: as SPEC gives it, else as it is."""
    return {**ASSUMED, **{name: F(str(value)) for name, value in spec.get("assumptions", {}).items()}}


class Price(dict):
    """A price of a sheet that knows the id of its offer; equal to another that says the same."""

    offer = 0


class Line(NamedTuple):
    """An exact amount and the rate of the VAT that belongs to it; what for, whose price, how paid."""
    amount: F
    rate: F = F(0)
    what: str = ""
    offer: int = 0  # 0 = nobody's
    paid: str = "monthly"  # or "upfront", or "" where it is a cost of the months and no payment
    is_cost: bool = True
    quantity: F = None  # in units of its price, where it has one

    def times(self, count):
        return self._replace(amount=self.amount * count, quantity=self.quantity * count)


class Cabinets(NamedTuple):
    """How many are taken."""
    count: int


class Order(NamedTuple):
    """What is rented: orders of the smallest quantity, how many cards that is, and the mix of terms."""
    offer: dict
    servers: int
    lots: int
    lot: int
    mix: tuple


class Mix(NamedTuple):
    """The lines of the terms taken, how many of each length are committed to, and what is paid by the hour."""
    lines: list
    committed: dict
    by_hour: int
    spot: bool


class Bill(tuple):
    """(something is unknown, total): complete bills come first, whatever the others seem to cost.

    used: the ids of the offers that it takes side items from; opens: what has no price. They, and
    what it consists of (walk()), do not order bills.
    """

    def __new__(cls, total=F(0), unknown=False, used=frozenset(), own=(), parts=()):
        """OWN: lines, what is ordered, and a string for each thing without a price; PARTS: bills that it adds up."""
        self = tuple.__new__(cls, (unknown, total if isinstance(total, F) else F(total)))
        self.sold_by, self.own, self.parts, self.is_finished = used, own, parts, False
        return self

    def __add__(self, other):
        return Bill(self[1] + other[1], self[0] or other[0], parts=(self, other))

    unknown = property(lambda self: self[0])
    total = property(lambda self: self[1])

    def walk(self):
        """All bills in it, itself too."""
        left = [self]
        while left:
            bill = left.pop()
            yield bill
            left.extend(reversed(bill.parts))

    def all_of(self, kind):
        return [one for bill in self.walk() for one in bill.own if isinstance(one, kind)]

    lines = property(lambda self: self.all_of(Line))
    used = property(lambda self: frozenset().union(*(b.sold_by for b in self.walk())))


def fen(value):
    """Rounded to fen, half away from zero."""
    return rounded(value, 2)


def rounded(value, decimals):
    value, scale = F(value), 10**decimals
    whole = (2 * abs(value.numerator) * scale + value.denominator) // (2 * value.denominator)
    return F(whole if value >= 0 else -whole, scale)


def bill_of(lines, used=frozenset()):
    return Bill(sum(fen(line.amount) for line in lines if line.is_cost), False, used, tuple(lines))


def without_price(opens):
    """A bill for things that nobody prices."""
    return Bill(0, len(opens) > 0, own=tuple(opens))


def vat_is_cost(case):
    return case["tax"] == "excluded" and assume(case, "vat_deductible") == 0


def vat_of(case, bill):
    """By rate the VAT on the cost lines of BILL, of one offer: contained in them, or on top."""
    net = {}
    for line in bill.lines:
        if line.is_cost and line.rate:
            net[line.rate] = net.get(line.rate, 0) + fen(line.amount)
    inside = case["tax"] == "included"
    return {rate: fen(amount * rate / (1 + rate if inside else 1)) for rate, amount in net.items()}


def with_vat(case, bill):
    """The bill of one offer when it is finished: VAT that is a cost is a line for each rate."""
    rates = vat_of(case, bill) if vat_is_cost(case) else {}
    lines = [Line(vat, F(0), "vat_not_deductible", paid="") for vat in rates.values()]
    done = Bill(bill.total + sum(line.amount for line in lines), bill.unknown, parts=(bill, Bill(own=tuple(lines))))
    done.is_finished = True
    return done


def weight(case, lines):
    """What LINES cost the buyer, not rounded: by this ways are compared."""
    taxed = vat_is_cost(case)
    return sum(line.amount * (1 + line.rate if taxed else 1) for line in lines if line.is_cost)


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


def what_of(price):
    """The name of a line of PRICE."""
    item, term = price["item"], price["term"]
    if item in ("compute", "cabinet"):
        return "%s_%s" % ({"compute": "rent"}.get(item, item), term)
    if item == "power":
        return "energy" if UNITS[price["unit"]][0] == "kwh" else "power_kw"
    names = {"service": "service_monthly", "purchase": "purchase_cash"}
    return names.get(item, "bandwidth_95" if (item, term) == ("bandwidth", "metered") else item)


def quoted(price):
    """Of a range the high end; 万 is ten thousand."""
    return F(price["as_quoted"].split("-")[-1]) * (10000 if price["unit"].startswith("万") else 1)


def line_of(case, price, quantity):
    """QUANTITY at PRICE on the request's tax basis, in yuan; unknown tax is taken as excluded."""
    rate = vat_rate(case, price)
    amount = on_basis(case, quoted(price) * rate_of(case, price), price["tax"], rate) * quantity
    return Line(amount, rate, what_of(price), getattr(price, "offer", 0),
                "upfront" if price["item"] in ("setup", "deposit", "purchase") else "monthly",
                price["item"] not in ("deposit", "purchase"), quantity)


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
    return {"hour": 1, "day": 24, "month": case["hours"], "year": 12 * case["hours"]}[period] * count


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
    taken = dict(best[1])
    return Mix([slots[s].times(n) for s, n in taken.items()],
               {s: n for s, n in taken.items() if s}, taken.get(0, 0), 0 in taken and slots[0].what == "rent_spot")


def once(case, offer, item, counts, ladder):
    """The lines of the one-off rows that apply, and a name for each of them that cannot be counted."""
    applying = [p for p in offer["prices"] if p["item"] == item and step_of(p) <= ladder]
    lines, opens = [], []
    for price in applying:
        per = UNITS[price["unit"]][0]
        if any(UNITS[o["unit"]][0] == per and step_of(o) > step_of(price) for o in applying):
            continue
        things = things_of(price, counts)
        if things is None:
            opens.append(item)
        else:
            lines.append(line_of(case, price, things))
    return lines, opens


def one_offs(case, offer, counts, ladder):
    """Lines of setup, of deposits and of the capital that is tied up in them; what of it is unknown."""
    setup, opens = once(case, offer, "setup", counts, ladder)
    deposits, open_deposits = once(case, offer, "deposit", counts, ladder)
    tied_up = sum(line.amount for line in deposits)
    capital = Line(tied_up * assume(case, "capital_rate") * case["months"] / 12, what="deposit_capital", paid="")
    return setup + deposits + [capital], opens + open_deposits
