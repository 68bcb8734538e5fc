#!/usr/bin/env python3
"""brute_force.py PROGRAM [CASES] [SEED] - the planner against every possibility.

Makes small random catalogues and requests, plans each with PROGRAM (tests/oracle/plan_lines.c, one
JSON object per line) and by trying everything in exact fractions, and compares: every option's
route, total to the fen, order and offers, and the count of offers by reason. It shares no code and
no search with the program: only the interface's words and the definitions in its headers.
"""
import itertools
import json
import random
import subprocess
import sys
from fractions import Fraction as F

# The program's enums, in their order.
RENTAL, COLOCATION, PURCHASE, NETWORK = 0, 1, 2, 3
COMPUTE, CABINET, SETUP, BANDWIDTH, BUY = 0, 1, 7, 3, 9
HOURLY, MONTHLY, QUARTERLY, YEARLY, SPOT, ONE_OFF = range(6)
PER_NONE, PER_CARD, PER_SERVER, PER_CABINET, PER_MBPS = 0, 1, 2, 3, 8
ONCE, HOUR, DAY, MONTH, YEAR = range(5)
UNKNOWN, INCLUDED, EXCLUDED = range(3)
USAGE, HOSTING = 2, 3
ROUTES = ["rent", "buy_and_host", "hybrid"]
CARDS = ["h100-sxm", "l40s"]
POWER_INCLUDED = 1

MAINTENANCE = F(30000)  # CNY per server and year, net
CAPITAL = F(8, 100)
LIFE_MONTHS = 60
SERVER_U, CABINET_U = 8, 42


class Bill(tuple):
    """(something is unknown, total): complete bills come first, whatever the others seem to cost."""

    def __new__(cls, total=F(0), unknown=False):
        return tuple.__new__(cls, (unknown, F(total)))

    def __add__(self, other):
        return Bill(self.total + other.total, self.unknown or other.unknown)

    unknown = property(lambda self: self[0])
    total = property(lambda self: self[1])


def fen(value):
    """Rounded to fen, half away from zero."""
    scaled = abs(value) * 100
    whole = int(scaled + F(1, 2))
    return F(whole if value >= 0 else -whole, 100)


def up(value):
    return -((-value) // 1)


# ---- Prices ----

def net(case, price):
    """A price on the request's tax basis."""
    rate = F(price["rate"], 10000) if price["rate"] >= 0 else F(13 if price["item"] == BUY else 6, 100)
    amount = F(price["amount"])
    if case["tax"] == EXCLUDED:
        return amount / (1 + rate) if price["tax"] == INCLUDED else amount
    return amount if price["tax"] == INCLUDED else amount * (1 + rate)


def hours_of(case, price):
    hours = {HOUR: 1, DAY: 24, MONTH: case["hours"], YEAR: 12 * case["hours"]}[price["period"]]
    return hours * price["period_count"]


def things_of(price, counts):
    """How many price units are bought; None when the unit counts something else."""
    if price["per"] not in counts:
        return None
    return F(up(F(counts[price["per"]]) / price["per_count"]))


def main_prices(offer, item, terms, ladder):
    """Of each term, the rows of the highest step that LADDER reaches."""
    rows = {}
    for term in range(5):
        same = [p for p in offer["prices"] if p["item"] == item and p["term"] == term
                and p["min_quantity"] <= ladder]
        if terms >> term & 1 and same:
            step = max(p["min_quantity"] for p in same)
            rows[term] = [p for p in same if p["min_quantity"] == step]
    return rows


def cheapest_mix(case, offer, item, terms, counts, ladder, hours, min_term):
    """(exact total, lines rounded) of the cheapest mix of terms; None when there is none."""
    months = case["months"]
    slots = {}
    for slot, terms_in, slot_hours in ((0, (HOURLY, SPOT), hours), (1, (MONTHLY,), case["hours"]),
                                       (3, (QUARTERLY,), 3 * case["hours"]),
                                       (12, (YEARLY,), 12 * case["hours"])):
        best = None
        for term in terms_in:
            for price in main_prices(offer, item, terms, ladder).get(term, []):
                things = things_of(price, counts)
                if things is None:
                    continue
                cost = net(case, price) * things * F(slot_hours) / hours_of(case, price)
                if best is None or cost < best:
                    best = cost
        if best is not None:
            slots[slot] = best
    best = None
    reach = max(months, min_term)
    for years in range(-(-reach // 12) + 1 if 12 in slots else 1):
        for quarters in range(-(-reach // 3) + 1 if 3 in slots else 1):
            for singles in range(reach + 1 if 1 in slots else 1):
                committed = 12 * years + 3 * quarters + singles
                by_hour = max(0, months - committed)
                if (committed and committed < min_term) or (by_hour and 0 not in slots):
                    continue
                counts_ = {12: years, 3: quarters, 1: singles, 0: by_hour}
                total = sum(slots[s] * n for s, n in counts_.items() if n)
                key = (total, committed, -years, -quarters)
                if best is None or key < best[0]:
                    best = (key, [slots[s] * n for s, n in counts_.items() if n])
    return None if best is None else (best[0][0], [fen(line) for line in best[1]])


def one_offs(case, offer, counts, ladder):
    """Exact amounts of the setup rows that apply."""
    rows = [p for p in offer["prices"] if p["item"] == SETUP and p["min_quantity"] <= ladder]
    result = []
    for price in rows:
        if any(o["per"] == price["per"] and o["min_quantity"] > price["min_quantity"] for o in rows):
            continue
        things = things_of(price, counts)
        if things is not None:
            result.append(net(case, price) * things)
    return result


# ---- What one offer costs ----

def lot_of(offer):
    shared = offer["delivery"] in (2, 3)
    lot = offer["cards_per_server"] if offer["cards_per_server"] > 1 and not shared else 1
    for price in offer["prices"]:
        if price["item"] == COMPUTE and price["per"] == PER_SERVER:
            lot = max(lot, offer["cards_per_server"])
        if price["item"] == COMPUTE and price["per"] == PER_CARD:
            lot = max(lot, price["per_count"])
    return lot


def has_stock(offer, cards):
    return offer["stock"] < 0 or cards <= offer["stock"] * offer["cards_per_server"]


def rent(case, offer, cards, hours, carries):
    """Fen total; None when there is no bill."""
    lot = lot_of(offer)
    needed = -(-cards // lot)
    if not has_stock(offer, needed * lot):
        return None
    choices = [needed]
    for price in offer["prices"]:
        if price["item"] == COMPUTE:
            lots = -(-price["min_quantity"] * offer["cards_per_server"] // lot)
            if lots > needed and has_stock(offer, lots * lot):
                choices.append(lots)
    best = None
    for lots in choices:
        counts = {PER_NONE: 1, PER_CARD: lots * lot,
                  PER_SERVER: F(lots * lot, offer["cards_per_server"])}
        ladder = lots * lot // offer["cards_per_server"]
        mix = cheapest_mix(case, offer, COMPUTE, case["terms"], counts, ladder,
                           min(hours, F(case["hours"])), offer["min_term"])
        if mix is None:
            continue
        once = one_offs(case, offer, counts, ladder)
        exact = mix[0] + sum(once)
        if best is None or exact < best[0]:
            best = (exact, sum(mix[1]) + sum(fen(line) for line in once))
    if best is None:
        return None
    return Bill(best[1]) + network(case, offer, carries)


def network(case, offer, carries):
    """The port, from the offer itself; what it does not price is left out (a lower bound)."""
    if not carries or case["mbps"] == 0:
        return Bill()
    mix = cheapest_mix(case, offer, BANDWIDTH, 15, {PER_MBPS: case["mbps"]}, case["mbps"],
                       F(case["hours"]), 0)
    return Bill(0, True) if mix is None else Bill(sum(mix[1]))


def buy(case, offer, servers):
    if 0 <= offer["stock"] < servers:
        return None
    rows = [p for p in offer["prices"] if p["item"] == BUY and p["min_quantity"] <= servers]
    if not rows:
        return None
    step = max(p["min_quantity"] for p in rows)
    counts = {PER_SERVER: servers, PER_CARD: servers * offer["cards_per_server"]}
    cash = min(net(case, p) * things_of(p, counts) for p in rows if p["min_quantity"] == step)
    months = case["months"]
    upkeep = MAINTENANCE * (F(106, 100) if case["tax"] == INCLUDED else 1)
    return Bill(fen(cash * min(months, LIFE_MONTHS) / LIFE_MONTHS)
                + fen(cash / 2 * CAPITAL * months / 12) + fen(upkeep / 12 * servers * months))


def host(case, offer, servers, watts, carries):
    per = min(offer["watts"] // watts, (offer["u"] or CABINET_U) // SERVER_U)
    if per == 0:
        return None
    cabinets = -(-servers // per)
    counts = {PER_NONE: 1, PER_CABINET: cabinets, PER_SERVER: servers}
    mix = cheapest_mix(case, offer, CABINET, 14, counts, cabinets, F(case["hours"]), offer["min_term"])
    if mix is None:
        return None
    once = one_offs(case, offer, counts, cabinets)
    return Bill(sum(mix[1]) + sum(fen(line) for line in once)) + network(case, offer, carries)


# ---- Demands ----

def demand_of(case, workload, card, cards_per_server):
    """(cards, servers, milli hours, milli card hours), or None for another card."""
    if workload["card"] != card:
        return None
    if workload["kind"] == HOSTING:
        cards = workload["servers"] * workload["cards_per_server"]
        hours = case["hours"] * 1000
        return cards, -(-cards // cards_per_server), hours, hours * cards
    hours = (F(str(workload["gpu_hours"])) / (F(str(workload["days"])) * 24) * case["hours"]
             * (1 + F(str(workload["buffer"]))) / F(str(workload["utilisation"])))
    cards = max(1, up(hours / case["hours"]))
    servers = -(-cards // cards_per_server)
    milli = up(hours * 1000)
    return cards, servers, -(-milli // (servers * cards_per_server)), milli


# ---- Who may be asked ----

def failed(case, offer):
    """The first requirement that OFFER misses, or None."""
    if offer["valid_to"] is not None and offer["valid_to"] < case["start"]:
        return "not_valid"
    if offer["kind"] != PURCHASE and case["cities"]:
        if offer["city"] != 0 and not case["cities"] >> offer["city"] & 1:
            return "city"
        if offer["city"] == 0 and not case["any_city"]:
            return "city_unknown"
    if offer["kind"] == RENTAL and not any(case["terms"] >> p["term"] & 1 for p in offer["prices"]
                                           if p["item"] == COMPUTE):
        return "term"
    if offer["kind"] in (RENTAL, COLOCATION):
        if case["availability"] and offer["availability"] < case["availability"]:
            return "availability"
        if case["support"] and offer["support"] != 1:
            return "support"
    return None


def asked(case, kind):
    own = all(w["kind"] == HOSTING for w in case["workloads"])
    buys = case["routes"] & 6
    return (case["routes"] & 5) if kind == RENTAL else buys if kind == COLOCATION else buys and not own


class Plan:
    """Everything that is possible for one case."""

    def __init__(self, case, watts):
        self.case = case
        self.watts = watts  # of a server, by (card, cards per server)
        self.reasons = {}
        self.good = []
        self.bought = self.hosted = False
        self.priced = set()  # offers with a bill for some workload: the others' reasons do not count
        for offer in case["offers"]:
            self.judge(offer)
        self.judge_cabinets()
        self.candidates = [self.of_workload(i) for i in range(len(case["workloads"]))]

    def judge(self, offer):
        if not asked(self.case, offer["kind"]):
            self.reasons[offer["id"]] = "not_asked"
        elif offer["card"] and not any(demand_of(self.case, w, offer["card"], offer["cards_per_server"])
                                       for w in self.case["workloads"]):
            self.reasons[offer["id"]] = "other_card"
        else:
            reason = failed(self.case, offer)
            if reason:
                self.reasons[offer["id"]] = reason
            else:
                self.good.append(offer)

    def server_watts(self, workload, card, cards_per_server):
        return self.watts[(card, cards_per_server)]

    def placed(self):
        """Watts of every server that is bought or owned."""
        for w in self.case["workloads"]:
            if w["kind"] == HOSTING:
                yield self.watts[(w["card"], w["cards_per_server"])]
                continue
            for o in self.good:
                if o["kind"] == PURCHASE and o["card"] == w["card"]:
                    yield self.watts[(o["card"], o["cards_per_server"])]

    def judge_cabinets(self):
        least = min(self.placed(), default=None)
        for offer in [o for o in self.good if o["kind"] == COLOCATION]:
            if least is not None and offer["watts"] < least:
                self.reasons[offer["id"]] = "cabinet_power"
                self.good.remove(offer)

    def of_workload(self, index):
        """{route: [(total, picks, offers' ids in order)]} sorted."""
        carries = index == 0 and self.case["mbps"] > 0
        lists = {"rent": [], "buy_and_host": []}
        if self.case["routes"] & 5:
            lists["rent"] = self.rented(index, carries)
        if self.case["routes"] & 6:
            lists["buy_and_host"] = self.owned(index, carries)
        return {route: sorted(found, key=lambda c: (c["total"], len(c["ids"]), c["ids"]))
                for route, found in lists.items()}

    def rented(self, index, carries):
        workload = self.case["workloads"][index]
        found = []
        for size in {o["cards_per_server"] for o in self.good if o["kind"] == RENTAL}:
            offers = [o for o in self.good if o["kind"] == RENTAL and o["card"] == workload["card"]
                      and o["cards_per_server"] == size]
            demand = demand_of(self.case, workload, workload["card"], size)
            found += self.rented_in_class(index, carries, offers, demand, size)
        return found

    def rented_in_class(self, index, carries, offers, demand, size):
        cards, servers, milli, milli_cards = demand
        elastic = self.case["workloads"][index]["kind"] == USAGE
        singles = []
        shortage = False
        for offer in offers:
            if not has_stock(offer, cards):
                shortage = True
                self.reasons.setdefault(offer["id"], "stock")
                continue
            lot = lot_of(offer)
            hours = -(-milli_cards // (-(-cards // lot) * lot)) if elastic else milli
            total = rent(self.case, offer, cards, F(min(hours, self.case["hours"] * 1000), 1000), carries)
            if total is None:
                self.reasons[offer["id"]] = "stock" if not has_stock(offer, -(-cards // lot) * lot) else "no_price"
            else:
                self.priced.add(offer["id"])
                singles.append({"total": total, "ids": [offer["id"]], "route": "rent", "split": False,
                                "servers": {offer["id"]: servers}})
        split = self.split(offers, servers, size, milli, carries) if shortage and servers > 1 else None
        if split is not None:
            for offer in offers:
                if self.reasons.get(offer["id"]) == "stock":
                    self.reasons[offer["id"]] = "covered"
            if split["ids"] and all(s["total"] >= split["total"] + Bill(1) for s in singles
                                     if s["total"].unknown <= split["total"].unknown) and len(split["ids"]) > 1:
                singles.append(split)
        return singles

    def split(self, offers, servers, size, milli, carries):
        """The cheapest way to share SERVERS out over offers, trying all."""
        best = None
        bills = {}
        hours = F(min(milli, self.case["hours"] * 1000), 1000)
        most = [servers if o["stock"] < 0 else min(o["stock"], servers) for o in offers]
        for shares in itertools.product(*(range(m + 1) for m in most)):
            if sum(shares) != servers:
                continue
            used = [(o, n) for o, n in zip(offers, shares) if n]
            for carrier in used if carries else [None]:
                total = Bill()
                for offer, n in used:
                    with_network = carries and offer is carrier[0]
                    key = (offer["id"], n, with_network)
                    if key not in bills:
                        bills[key] = rent(self.case, offer, n * size, hours, with_network)
                    if bills[key] is None:
                        total = None
                        break
                    total = total + bills[key]
                if total is not None and (best is None or total < best["total"]):
                    best = {"total": total, "ids": [o["id"] for o, _ in used], "route": "rent",
                            "split": True, "servers": {o["id"]: n for o, n in used}}
        return best

    def owned(self, index, carries):
        workload = self.case["workloads"][index]
        cabinets = [o for o in self.good if o["kind"] == COLOCATION]
        if workload["kind"] == HOSTING:
            watts = self.watts[(workload["card"], workload["cards_per_server"])]
            return [c for o in cabinets for c in self.placed_in(o, workload["servers"], watts, carries)]
        found = []
        for machine in [o for o in self.good if o["kind"] == PURCHASE and o["card"] == workload["card"]]:
            size = machine["cards_per_server"]
            servers = demand_of(self.case, workload, workload["card"], size)[1]
            price = buy(self.case, machine, servers)
            if price is None:
                self.reasons[machine["id"]] = "stock" if 0 <= machine["stock"] < servers else "no_price"
                continue
            self.bought = True
            self.priced.add(machine["id"])
            for cabinet in cabinets:
                for place in self.placed_in(cabinet, servers, self.watts[(machine["card"], size)], carries):
                    found.append({"total": price + place["total"], "route": "buy_and_host", "split": False,
                                  "ids": [machine["id"], cabinet["id"]],
                                  "servers": {machine["id"]: servers}})
        return found

    def placed_in(self, cabinet, servers, watts, carries):
        total = host(self.case, cabinet, servers, watts, carries)
        if total is None:
            if cabinet["watts"] >= watts:
                self.reasons.setdefault(cabinet["id"], "no_price" if (cabinet["u"] or 42) >= 8 else "cabinet_power")
            return []
        self.hosted = True
        self.priced.add(cabinet["id"])
        return [{"total": total, "ids": [cabinet["id"]], "route": "buy_and_host", "split": False, "servers": {}}]

    def combinations(self, route):
        if not self.case["routes"] >> ROUTES.index(route) & 1:
            return []
        several = len(self.candidates) > 1
        if route == "hybrid" and not several:
            return []
        lists = [c[route] if route != "hybrid" else c["rent"] + c["buy_and_host"] for c in self.candidates]
        stock = {o["id"]: o["stock"] for o in self.case["offers"]}
        found = []
        for picks in itertools.product(*lists):
            if route == "hybrid" and len({p["route"] for p in picks}) == 1:
                continue
            taken = {}
            for pick in picks:
                for offer, servers in pick["servers"].items():
                    taken[offer] = taken.get(offer, 0) + servers
            if several and any(0 <= stock[o] < n for o, n in taken.items()):
                continue
            found.append((sum((p["total"] for p in picks), Bill()), picks))
        return sorted(found, key=lambda f: (f[0], [(p["total"].total, len(p["ids"]), p["ids"]) for p in f[1]]))

    def answer(self):
        """(options shown, whether a route was cut by its length)."""
        budget = None if self.case["budget"] is None else F(self.case["budget"]) * self.case["months"]
        shown = []
        self.over = set()
        self.full = False
        for rank, route in enumerate(ROUTES):
            found = self.combinations(route)
            within = [f for f in found if budget is None or f[0].total <= budget]
            complete = [f for f in within if not f[0].unknown]
            if any(f not in within and (not f[0].unknown or len(within) < self.case["top"])
                   for f in found) and len(complete) < self.case["top"]:
                self.over.add(route)
            found = within[:self.case["top"]]
            # Where more is possible than is shown, the search may stop before it sees a short stock.
            if any(len(c[r]) >= self.case["top"] for c in self.candidates for r in c) or \
                    len(self.priced) > self.case["top"]:
                self.full = True
            for total, picks in found:
                shown.append((total, rank, [(p["total"].total, len(p["ids"]), p["ids"]) for p in picks], picks))
        shown.sort(key=lambda s: s[:3])
        return shown


def count_reasons(plan, shown):
    """({reason: offers}, used) as the interface defines them."""
    case = plan.case
    used = {i for _, _, _, picks in shown for p in picks for i in p["ids"]}
    own = all(w["kind"] == HOSTING for w in case["workloads"])
    counts = {}
    for offer in case["offers"]:
        if offer["id"] in used:
            continue
        reason = "dearer" if offer["id"] in plan.priced else plan.reasons.get(offer["id"], "dearer")
        if reason in ("dearer", "covered"):
            reason = "dearer"
            if offer["kind"] == PURCHASE and not plan.hosted:
                reason = "no_partner"
            elif offer["kind"] == COLOCATION and not plan.bought and not own:
                reason = "no_partner"
            elif offer["kind"] == RENTAL and "rent" in plan.over:
                reason = "budget"
            elif offer["kind"] in (PURCHASE, COLOCATION) and "buy_and_host" in plan.over:
                reason = "budget"
        counts[reason] = counts.get(reason, 0) + 1
    return counts, len(used)


# ---- Random cases ----

def price(rng, item, term, low, high, per, period, **more):
    return dict({"item": item, "term": term, "per": per, "per_count": 1, "period": period,
                 "period_count": 1, "tax": rng.choice([UNKNOWN, INCLUDED, EXCLUDED, EXCLUDED]),
                 "rate": rng.choice([-1, -1, 600, 300]), "min_quantity": 0,
                 "amount": rng.choice([str(rng.randint(low, high)),
                                       "%d.%02d" % (rng.randint(low, high), rng.randint(0, 99))])}, **more)


def compute_prices(rng, size):
    per_card = rng.random() < 0.4
    scale = 1 if per_card else size
    per = PER_CARD if per_card else PER_SERVER
    result = []
    for term, period, count, hours in ((HOURLY, HOUR, 1, 1), (MONTHLY, MONTH, 1, 400),
                                       (QUARTERLY, MONTH, 3, 1100), (YEARLY, YEAR, 1, 4000)):
        if rng.random() < (0.8 if term == MONTHLY else 0.35):
            low = rng.randint(5, 12) * scale * hours
            result.append(price(rng, COMPUTE, term, low, low + low // 4 + 1, per, period,
                                period_count=count))
            if rng.random() < 0.2:
                step = dict(result[-1])
                step["min_quantity"] = rng.randint(2, 4)
                step["amount"] = str(low * rng.randint(60, 99) // 100 + 1)
                result.append(step)
    if not result:
        result.append(price(rng, COMPUTE, MONTHLY, 3000 * scale, 9000 * scale, per, MONTH))
    if rng.random() < 0.2:
        result.append(price(rng, SETUP, ONE_OFF, 100, 5000, rng.choice([PER_NONE, PER_SERVER]), ONCE))
    return result


def random_offer(rng, number, case):
    kind = rng.choices([RENTAL, COLOCATION, PURCHASE], [5, 2, 2])[0]
    size = rng.choice([8, 8, 8, 4])
    offer = {"id": number, "kind": kind, "card": None, "cards_per_server": 0, "delivery": rng.choice([0, 1, 1, 2]),
             "stock": rng.choice([-1, -1, 1, 2, 3, 6]), "city": rng.choice([0, 1, 1, 1, 2]), "min_term": 0,
             "watts": 0, "u": 0, "power": 0, "availability": rng.choice([-1, 999000, 999900]),
             "support": rng.choice([0, 1, 1]), "valid_to": rng.choice([None] * 8 + ["2026-11-30", "2026-12-01"])}
    if kind == RENTAL:
        offer.update(card=rng.choice(CARDS + CARDS[:1] * 6), cards_per_server=size,
                     min_term=rng.choice([0, 0, 0, 3, 12]), prices=compute_prices(rng, size))
        if rng.random() < 0.5:
            offer["prices"].append(price(rng, BANDWIDTH, MONTHLY, 10, 90, PER_MBPS, MONTH))
    elif kind == COLOCATION:
        offer.update(stock=-1, watts=rng.choice([4400, 8000, 11000, 21000, 31000]), u=rng.choice([0, 42, 20]),
                     power=POWER_INCLUDED, min_term=rng.choice([0, 0, 12]),
                     prices=[price(rng, CABINET, MONTHLY, 3000, 12000, PER_CABINET, MONTH)])
        if rng.random() < 0.3:
            offer["prices"].append(price(rng, CABINET, YEARLY, 30000, 120000, PER_CABINET, YEAR))
        if rng.random() < 0.3:
            offer["prices"].append(price(rng, SETUP, ONE_OFF, 100, 3000, PER_CABINET, ONCE))
    else:
        per_card = rng.random() < 0.3
        low, high = (30000, 300000) if per_card else (300000, 2400000)
        offer.update(card=rng.choice(CARDS + CARDS[:1] * 6), cards_per_server=size,
                     prices=[price(rng, BUY, ONE_OFF, low, high, PER_CARD if per_card else PER_SERVER, ONCE)])
    if rng.random() < 0.15 and case["offers"]:
        twin = json.loads(json.dumps(rng.choice(case["offers"])))
        twin["id"] = number
        return twin
    return offer


def random_case(rng):
    case = {"months": rng.choice([1, 2, 5, 6, 12, 13, 24]), "hours": rng.choice([720, 720, 730]),
            "tax": rng.choice([EXCLUDED, EXCLUDED, INCLUDED]), "routes": rng.choice([1, 2, 3, 7, 7]),
            "terms": rng.choice([15, 15, 2, 3, 14]), "top": rng.choice([1, 2, 3, 5, 20]),
            "cities": rng.choice([0, 0, 2, 6]), "any_city": rng.random() < 0.5, "start": "2026-12-01",
            "availability": rng.choice([0, 0, 0, 0, 999000]), "support": rng.random() < 0.1,
            "mbps": rng.choice([0, 0, 0, 20]), "budget": None, "workloads": [], "offers": []}
    for _ in range(rng.choice([1, 1, 1, 2])):
        card = rng.choice(CARDS[:1] * 8 + CARDS)
        if rng.random() < 0.25:
            case["workloads"].append({"kind": HOSTING, "card": card, "cards_per_server": 8,
                                      "servers": rng.randint(1, 4)})
        else:
            case["workloads"].append({"kind": USAGE, "card": card, "gpu_hours": rng.randint(100, 60000),
                                      "days": rng.choice([30, 90]), "buffer": rng.choice([0, 0.3]),
                                      "utilisation": rng.choice([1, 0.7])})
    for number in rng.sample(range(1, 40), rng.randint(2, 12)):
        case["offers"].append(random_offer(rng, number, case))
    if rng.random() < 0.2:
        case["budget"] = str(rng.randint(5000, 400000))
    return case


def small_enough(case):
    """Whether trying everything takes no time."""
    several = len(case["workloads"]) > 1
    return all(w["kind"] == HOSTING or demand_of(case, w, w["card"], 4)[1] <= (4 if several else 7)
               for w in case["workloads"])


# ---- Comparing ----

def compare(case, answer):
    """What differs, or None."""
    watts = {}
    for d in answer["demand"]:
        watts[(d["card"], d["cards_per_server"])] = d["server_watts"]
        expected = demand_of(case, case["workloads"][d["workload"]], d["card"], d["cards_per_server"])
        got = (d["cards"], d["servers"], d["milli_hours"], d["milli_card_hours"])
        if expected is not None and d["verdict"] == "ok" and got != expected:
            return "demand %s, expected %s" % (got, expected)
    plan = Plan(case, watts)
    shown = plan.answer()
    got = [(o["route"], o["unknown"] > 0, F(o["total"])) for o in answer["options"]]
    want = [(ROUTES[s[1]], *s[0]) for s in shown]
    if got != want:
        text = lambda options: [(r, u, float(t)) for r, u, t in options]
        return "options %s\n   expected %s" % (text(got), text(want))
    split = any(p["split"] for s in shown for p in s[3])
    for option, s in zip(answer["options"], shown):
        if any(p["split"] for p in s[3]):
            continue
        ids = [i for p in s[3] for i in p["ids"]]
        if [item[1] for item in option["items"]] != ids:
            return "items %s, expected %s" % (option["items"], ids)
    counts, used = count_reasons(plan, shown)
    if sum(answer["reasons"].values()) + answer["used"] != len(case["offers"]):
        return "offers do not add up: %s" % answer
    merged = ("dearer", "stock", "budget", "no_partner") if plan.full or split else ()
    fold = lambda c, u: ({k: v for k, v in c.items() if k not in merged},
                         sum(c.get(k, 0) for k in merged) + (u if split else 0), None if split else u)
    if fold(answer["reasons"], answer["used"]) != fold(counts, used):
        return "reasons %s used %s, expected %s used %s" % (answer["reasons"], answer["used"], counts, used)
    return None


def main():
    program = sys.argv[1]
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else 3000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    rng = random.Random(seed)
    child = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    bad = options = splits = 0
    for number in range(cases):
        case = random_case(rng)
        while not small_enough(case):
            case = random_case(rng)
        child.stdin.write(json.dumps(case) + "\n")
        child.stdin.flush()
        line = child.stdout.readline()
        if not line:
            print("the program died at case %d: %s" % (number, json.dumps(case)))
            print("%d passed, %d failed" % (number - bad, bad + 1))
            return 1
        answer = json.loads(line)
        options += len(answer["options"])
        splits += sum(len({i[1] for i in o["items"]}) > len(case["workloads"]) and o["route"] == "rent"
                      for o in answer["options"])
        difference = compare(case, answer)
        if difference is not None:
            bad += 1
            if bad <= 5:
                print("case %d (seed %d): %s\n   %s" % (number, seed, difference, json.dumps(case)))
    child.stdin.close()
    child.wait()
    print("oracle: %d cases, %d options compared, %d of them of several suppliers"
          % (cases, options, splits))
    print("%d passed, %d failed" % (cases - bad, bad))
    return bad > 0


sys.exit(main())
