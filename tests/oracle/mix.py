"""mix.py - owned and rented servers for one workload whose servers do not all work alike.

Every number of owned servers, every way to buy and place them and every way to share the others
out over those for rent, within their stock.
"""
import itertools
import math
from fractions import Fraction as F

from bill import buy, host, rent, rent_order
from prices import Bill, up

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


def serving_levels(case, workload, line):
    """A server works while the first replica on it is needed; spares are needed all the time."""
    per_server = line["cards_per_server"] // line["cards_per_replica"]
    rate, spares = F(str(workload["requests_per_s"])), workload["spare_replicas"]
    needed = [up(rate * share_of_peak(workload["profile"], hour) / F(line["knee_requests_per_s"])) + spares
              for hour in range(WEEK)]
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
    """Servers of some offers: picks are (offer id, servers, thousandths of hours)."""

    def __init__(self, bill, picks, written_off=0):
        self.bill, self.picks, self.written_off = bill, picks, written_off

    def __add__(self, other):
        return Way(self.bill + other.bill, self.picks + other.picks, self.written_off + other.written_off)

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


class Mixing:
    """All ways for one workload on one class: RENTALS, MACHINES and CABINETS may be used."""

    def __init__(self, case, line, levels, offers, sides):
        self.case, self.line, self.levels, self.sides = case, line, levels, sides
        self.rentals, self.machines, self.cabinets = offers
        self.bills = {}

    def rented_pick(self, offer, servers, milli, carries=False):
        key = (offer["id"], servers, milli, carries)
        if key not in self.bills:
            self.bills[key] = rent(self.case, offer, servers * self.line["cards_per_server"], F(milli, 1000),
                                   servers, self.sides, carries)
        return self.bills[key]

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

    def rented(self, levels):
        """Ways to rent servers for LEVELS."""
        hours = sorted(set(levels))
        lists = [self.shares(levels.count(milli)) for milli in hours]
        if math.prod(map(len, lists)) > SHARES_MAX:
            raise TooLarge
        for shares in itertools.product(*lists):
            picks = [(o, n, milli) for milli, share in zip(hours, shares) for o, n in zip(self.rentals, share) if n]
            bills = [self.rented_pick(*pick) for pick in picks] if self.in_stock(shares) else [None]
            if None not in bills:
                yield Way(sum(bills, Bill()), tuple((o["id"], n, milli) for o, n, milli in picks))

    def owned(self, levels):
        """Ways to buy servers for LEVELS and to place them."""
        servers, mean = len(levels), -(-sum(levels) // len(levels))
        for machine in self.machines:
            bought = buy(self.case, machine, servers)
            if bought is None:
                continue
            more = buy(self.case, machine, servers, 0).total - bought.total
            for cabinet in self.cabinets:
                placed = self.placed(cabinet, servers, mean)
                if placed is not None:
                    yield Way(bought + placed, ((machine["id"], servers, mean), (cabinet["id"], 0, mean)), more)

    def placed(self, cabinet, servers, milli, carries=False):
        need = {"servers": servers, "watts": int(self.line["server_kw"] * 1000), "milli_hours": milli}
        return host(self.case, cabinet, need, self.sides, carries)

    def ways(self):
        """(owned servers, way), enough for the best to be among them."""
        for own in self.choices():
            rest = list(self.levels)
            for milli in own:
                rest.remove(milli)
            rented = foremost(self.rented(rest)) if rest else [NOTHING]
            owned = foremost(self.owned(own)) if own else [NOTHING]
            yield from ((len(own), a + b) for a in owned for b in rented)

    def choices(self):
        """Which servers may be owned: of those that work alike it does not matter which."""
        alike = {milli: self.levels.count(milli) for milli in sorted(set(self.levels), reverse=True)}
        if math.prod(n + 1 for n in alike.values()) > CHOICES_MAX:
            raise TooLarge
        taken = itertools.product(*(range(n + 1) for n in alike.values()))
        return [[milli for milli, n in zip(alike, some) for _ in range(n)] for some in taken]

    def best(self, carries):
        """The way whose servers cost least, of equal ones that with the fewest owned; None where it
        is no mix. What the project needs once is bought with those of it where that costs least."""
        ways = sorted(self.ways(), key=lambda found: (found[1].bill, found[0]))
        if not ways:
            return None
        mixes = {self.is_mix(*found) for found in ways if is_close(found[1], ways[0][1])}
        if len(mixes) > 1:
            raise TooClose
        way = ways[0][1] if mixes.pop() else None
        return self.carrying(*ways[0]) if way and carries else way

    def carrying(self, owned, way):
        """WAY with what the project needs once, bought with one of its picks."""
        servers = {o["id"]: o for o in self.rentals + self.cabinets}
        found = []
        for offer, n, milli in way.picks:
            if owned and offer == way.picks[0][0]:
                continue
            if n:
                bills = [self.rented_pick(servers[offer], n, milli, carries) for carries in (True, False)]
            else:
                bills = [self.placed(servers[offer], owned, milli, carries) for carries in (True, False)]
            found.append((bills[0].unknown and not bills[1].unknown, bills[0].total - bills[1].total, bills[0].used))
        opens, more, used = min(found, key=lambda one: one[:2])
        return Way(way.bill + Bill(more, opens, used), way.picks, way.written_off)

    def has_twins(self, way):
        """Whether a limited offer of WAY could give place to another at the same prices."""
        taken = [o for o in self.rentals if o["id"] in way.offers() and "servers_available" in o]
        return any(a is not b and a["prices"] == b["prices"] for a in taken for b in self.rentals)

    def is_mix(self, owned, way):
        if owned or len(way.offers()) > 1:
            return owned < len(self.levels)
        orders = [rent_order(self.case, offer, n * self.line["cards_per_server"], F(milli, 1000))
                  for number, n, milli in way.picks for offer in self.rentals if offer["id"] == number]
        return any(order[3] != orders[0][3] for order in orders)
