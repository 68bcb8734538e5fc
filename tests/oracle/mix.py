"""mix.py - owned and rented servers for one workload whose servers do not all work alike.

Every number of owned servers, every way to buy and place them, every way to share the others out
over those for rent, within their stock, and every one of those to buy the network with. What is
rented from one offer is one order, whatever the hours of its servers.
"""
import itertools
import math
from fractions import Fraction as F
from typing import NamedTuple

from bill import buy, extras, has_stock, host, lot_of
from prices import Bill, bill_of, main_rows, mix, one_offs, step_of, up, weight, with_vat

WEEK = 168
SHARES_MAX = 3000  # ways to share servers out that are still tried
CHOICES_MAX = 40  # of which servers to own


ROUNDING = F(20, 100)  # yuan: lines are rounded, so what costs the same may differ by as much


class TooLarge(Exception):
    """Trying everything would take too long."""


class TooClose(Exception):
    """What is a mix and what is none, or mixes that leave others different stocks, cost the same."""


# ---- For how long each server works ----

def share_of_peak(profile, hour):
    """By hour of the week, Monday 0:00 first."""
    if isinstance(profile, list):
        return F(str(profile[hour % len(profile)])) / max(F(str(share)) for share in profile)
    day, hour = divmod(hour, 24)
    peak = {"flat": True, "office_hours": day < 5 and 9 <= hour < 18, "waking_hours": 9 <= hour < 23}
    return F(1) if peak[profile] else F(1, 5)


def replicas_needed(workload, line):
    """By hour of the week; spares are needed all the time."""
    rate, spares = F(str(workload["requests_per_s"])), workload["spare_replicas"]
    return [up(rate * share_of_peak(workload["profile"], hour) / F(line["knee_requests_per_s"])) + spares
            for hour in range(WEEK)]


def serving_levels(case, workload, line):
    """A server works while the first replica on it is needed."""
    per_server = line["cards_per_server"] // line["cards_per_replica"]
    needed = replicas_needed(workload, line)
    return [up(F(sum(n > rank * per_server for n in needed) * case["hours"] * 1000, WEEK))
            for rank in range(line["servers"])]


def usage_levels(case, line):
    """One server after the other is filled."""
    full, left = case["hours"] * 1000, up(F(line["card_hours_per_month"]) * 1000 / line["cards_per_server"])
    return [min(full, max(0, left - rank * full)) for rank in range(line["servers"])]


def levels_of(case, workload, line):
    """Thousandths of hours a month by server, the busiest first; None where all work alike."""
    if line["servers_together"] > 1 or workload["kind"] not in ("usage", "inference"):
        return None
    levels = usage_levels(case, line) if workload["kind"] == "usage" else serving_levels(case, workload, line)
    return levels if levels[0] > levels[-1] else None


# ---- Ways ----

class Way:
    """Servers of some offers: picks are (offer id, servers, thousandths of hours); terms: what each
    rented one is committed to."""

    def __init__(self, bill, picks, written_off=0, terms=()):
        self.bill, self.picks, self.written_off, self.terms = bill, picks, written_off, terms

    def __add__(self, other):
        return Way(self.bill + other.bill, self.picks + other.picks, self.written_off + other.written_off,
                   self.terms + other.terms)

    def offers(self):
        return {pick[0] for pick in self.picks}


NOTHING = Way(Bill(), ())


def foremost(ways):
    """Of WAYS the first in order, the one with the least total, and what costs as much as the first
    but is one offer: one of them is in the best sum."""
    ways = list(ways)
    if not ways:
        return []
    first = min(ways, key=lambda way: way.bill)
    plain = [way for way in ways if len(way.offers()) == 1 and is_close(way, first)]
    return [first, min(ways, key=lambda way: way.bill.total)] + plain[:1]


def is_close(way, other):
    return way.bill.unknown == other.bill.unknown and abs(way.bill.total - other.bill.total) <= ROUNDING


# ---- An order: servers of one offer that work for different hours ----

class Part(NamedTuple):
    """Of an order: so many servers that work for so many hours, and cards that are ordered for them."""
    servers: int
    milli: int
    cards: int


def larger_orders(offer, parts):
    """PARTS, and what reaches a higher step of the ladder: the cards more are with any one of them."""
    yield parts
    size, lot = offer["cards_per_server"], lot_of(offer)
    cards = sum(part.cards for part in parts)
    for price in main_rows(offer):
        more = -(-step_of(price) * size // lot) * lot - cards
        for i in range(len(parts)) if more > 0 else ():
            yield [part._replace(cards=part.cards + more * (i == at)) for at, part in enumerate(parts)]


def order_lines(case, offer, parts):
    """(exact, lines, something is unknown, terms committed to by part); None without a price."""
    size, cards = offer["cards_per_server"], sum(part.cards for part in parts)
    lines, committed = [], []
    for part in parts:
        counts = {"none": 1, "card": part.cards, "server": F(part.cards, size)}
        terms = mix(case, offer, "compute", case["terms"], counts, cards // size, F(part.milli, 1000))
        if terms is None:
            return None
        lines += terms.lines
        committed.append(terms.committed)
    once_lines, unknown = one_offs(case, offer, {"none": 1, "card": cards, "server": F(cards, size)}, cards // size)
    return weight(case, lines + once_lines), lines + once_lines, unknown, committed


def cheapest_order(case, offer, shares):
    """The best of order_lines() for SHARES, (servers, thousandths of hours)."""
    size, lot = offer["cards_per_server"], lot_of(offer)
    parts = [Part(servers, milli, -(-servers * size // lot) * lot) for servers, milli in shares]
    orders = [order_lines(case, offer, some) for some in larger_orders(offer, parts)
              if has_stock(offer, sum(part.cards for part in some))]
    return min((order for order in orders if order), key=lambda order: order[0], default=None)


class Mixing:
    """All ways for one workload on one class: RENTALS, MACHINES and CABINETS may be used."""

    def __init__(self, case, line, levels, offers, sides):
        self.case, self.line, self.levels, self.sides = case, line, levels, sides
        self.rentals, self.machines, self.cabinets = offers
        self.orders = {}

    def order(self, offer, shares, carries=False):
        """The way to rent SHARES from OFFER, with what is bought beside it."""
        key = (offer["id"], shares, carries)
        if key not in self.orders:
            found = cheapest_order(self.case, offer, shares)
            self.orders[key] = found and self.order_way(offer, shares, carries, found)
        return self.orders[key]

    def order_way(self, offer, shares, carries, found):
        beside = extras(self.case, offer, self.sides, sum(servers for servers, _ in shares), carries)
        bill = with_vat(self.case, bill_of(found[1]) + Bill(0, found[2]) + beside)
        return Way(bill, tuple((offer["id"], *share) for share in shares), 0, tuple(found[3]))

    def shares(self, servers):
        """All ways to share SERVERS out over those for rent."""
        most = [min(o.get("servers_available", servers), servers) for o in self.rentals]

        def rest(left, at):
            if at == len(most):
                if left == 0:
                    yield ()
                return
            for taken in range(min(left, most[at]) + 1):
                for more in rest(left - taken, at + 1):
                    yield (taken, *more)

        found = list(itertools.islice(rest(servers, 0), SHARES_MAX + 1))
        if len(found) > SHARES_MAX:
            raise TooLarge
        return found

    def in_stock(self, shares):
        return all(sum(share[i] for share in shares) <= o.get("servers_available", len(self.levels))
                   for i, o in enumerate(self.rentals))

    def rented(self, levels, carries):
        """Ways to rent servers for LEVELS; with the network where they CARRY it."""
        hours = sorted(set(levels))
        lists = [self.shares(levels.count(milli)) for milli in hours]
        if math.prod(map(len, lists)) > SHARES_MAX:
            raise TooLarge
        for shares in itertools.product(*lists):
            if not self.in_stock(shares):
                continue
            taken = [(o, tuple((share[i], milli) for milli, share in zip(hours, shares) if share[i]))
                     for i, o in enumerate(self.rentals)]
            yield from self.with_carrier([(o, parts) for o, parts in taken if parts], carries)

    def with_carrier(self, orders, carries):
        """The sum of ORDERS; where it CARRIES the network, with each of them."""
        for carrier in range(len(orders)) if carries else [-1]:
            ways = [self.order(offer, parts, i == carrier) for i, (offer, parts) in enumerate(orders)]
            if None not in ways:
                yield sum(ways, NOTHING)

    def owned(self, levels, carries):
        """Ways to buy servers for LEVELS and to place them; with the network where they CARRY it."""
        servers, mean = len(levels), -(-sum(levels) // len(levels))
        for machine in self.machines:
            bought = buy(self.case, machine, servers)
            if bought is None:
                continue
            more = buy(self.case, machine, servers, 0).total - bought.total
            for cabinet in self.cabinets:
                placed = self.placed(cabinet, servers, mean, carries)
                if placed is not None:
                    yield Way(bought + placed, ((machine["id"], servers, mean), (cabinet["id"], 0, mean)), more)

    def placed(self, cabinet, servers, milli, carries):
        need = {"servers": servers, "watts": int(self.line["server_kw"] * 1000), "milli_hours": milli}
        return host(self.case, cabinet, need, self.sides, carries)

    def ways(self, carries):
        """(owned servers, way), enough for the best to be among them."""
        for own in self.choices():
            rest = list(self.levels)
            for milli in own:
                rest.remove(milli)
            for at_place, at_rent in [(True, False), (False, True)] if carries else [(False, False)]:
                rented = foremost(self.rented(rest, at_rent)) if rest else [NOTHING] * (not at_rent)
                owned = foremost(self.owned(own, at_place)) if own else [NOTHING] * (not at_place)
                yield from ((len(own), a + b) for a in owned for b in rented)

    def choices(self):
        """Which servers may be owned: of those that work alike it does not matter which."""
        alike = {milli: self.levels.count(milli) for milli in sorted(set(self.levels), reverse=True)}
        if math.prod(n + 1 for n in alike.values()) > CHOICES_MAX:
            raise TooLarge
        taken = itertools.product(*(range(n + 1) for n in alike.values()))
        return [[milli for milli, n in zip(alike, some) for _ in range(n)] for some in taken]

    def best(self, carries):
        """The way that costs least, of equal ones that with the fewest owned servers; None where it is
        no mix."""
        ways = sorted(self.ways(carries), key=lambda found: (found[1].bill, found[0]))
        if not ways:
            return None
        mixes = {self.is_mix(*found) for found in ways if is_close(found[1], ways[0][1])}
        if len(mixes) > 1:
            raise TooClose
        return ways[0][1] if mixes.pop() else None

    def has_twins(self, way):
        """Whether a limited offer of WAY could give place to another at the same prices."""
        taken = [o for o in self.rentals if o["id"] in way.offers() and "servers_available" in o]
        return any(a is not b and a["prices"] == b["prices"] for a in taken for b in self.rentals)

    def is_mix(self, owned, way):
        if owned or len(way.offers()) > 1:
            return owned < len(self.levels)
        return any(terms != way.terms[0] for terms in way.terms)
