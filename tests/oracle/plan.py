"""plan.py - everything that is possible for one case, and the best of it, by the words of plan.h."""
import datetime
import itertools
import math
from fractions import Fraction as F

from bill import buy, extras, has_stock, host, lot_of, rent
from demand import USUAL_CARDS, Demand
from mix import Mixing, TooClose, TooLarge
from prices import TIERS, UNITS, Bill, main_rows, rate_of, with_vat

LEASED_LINES = ("dedicated", "专线", "mpls", "sdh", "otn")
ROUTES = ["rent", "buy_and_host", "hybrid"]
SIDE_KINDS = ("network", "storage", "service")
# The order in which a reason counts; the later of two that a search found wins.
REASONS = ["no_price", "cabinet_power", "stock"]
VERDICTS = {"other_card": 0, "does_not_fit": 1, "too_slow": 2, "too_many": 2}
VERDICT_REASONS = ["other_card", "does_not_fit", "too_slow"]
GAP_REASONS = ("not_valid", "availability", "replacement", "card_age")
SPLITS_MAX = 4000  # ways to share an order out that are still tried


def class_of(one):
    """Of an offer, or of a line of the demand: those of one class are sized once."""
    return tuple(one.get(name) or None
                 for name in ("card", "cards_per_server", "intra_link", "inter_link", "inter_gbps"))


def days_between(first, last):
    return (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days


def needs_public(network):
    return any(F(network.get(need, 0)) > 0 for need in ("public_mbps", "ips", "egress_gb_per_month"))


def is_leased(offer):
    return offer["kind"] == "network" and line_of(offer) == "dedicated"


def line_of(offer):
    """What a sheet's word for it means; None when it is not stated."""
    line = offer.get("line", "").lower()
    return "dedicated" if line in LEASED_LINES else line or None


def same_words(wanted, stated):
    return wanted is None or (stated is not None and wanted.lower() == stated.lower())


def most_within(budget, months):
    """The most yuan in all whose month, rounded to fen, is no more than BUDGET."""
    return (F(budget * 100 // 1) / 100 + F(1, 200)) * months - F(1, 10**6)


class Plan:
    """Everything that is possible for one case."""

    def __init__(self, case, answer):
        self.case = case
        self.spec = case["spec"]
        self.workloads = self.spec["workloads"]
        self.names = [w["name"] for w in self.workloads]
        self.side_ids = {o["id"] for o in case["offers"] if o["kind"] in SIDE_KINDS}
        self.demands = {}
        for line in answer["demand"]:
            index = self.names.index(line["workload"])
            self.demands[(index, class_of(line))] = Demand(case, index, line)
        self.reasons, self.good, self.priced = {}, [], set()
        self.missed_of = {}  # all that keeps an offer out, of those that no search sees
        self.bought = self.hosted = False
        self.covered = set()  # classes whose suppliers together have enough for some workload
        for offer in case["offers"]:
            self.judge(offer)
        self.judge_cabinets()
        self.sides = self.find_sides()
        self.carriers = self.find_carriers()
        self.plain = [self.of_workload(i, self.carriers == [i]) for i in range(len(self.workloads))]
        self.carrying = {i: self.of_workload(i, True) for i in self.carriers if i is not None}

    def demand(self, index, of_class):
        found = self.demands.get((index, of_class))
        return found if found is not None and found.ok else None

    def hosted_demand(self, index):
        """Of the buyer's own servers."""
        workload = self.workloads[index]
        return self.demand(index, class_of({"cards_per_server": USUAL_CARDS, **workload}))

    # -- who may be asked --

    def asked(self, offer):
        kind, routes = offer["kind"], self.spec["routes"]
        network = self.spec.get("network", {})
        buys = "buy_and_host" in routes or "hybrid" in routes
        if kind == "rental":
            return "rent" in routes or "hybrid" in routes
        if kind == "colocation":
            return buys
        if kind == "purchase":
            return buys and any(w["kind"] != "hosting" for w in self.workloads)
        if kind == "network":
            return needs_public(network) or F(network.get("dedicated_mbps", 0)) > 0
        if kind == "storage":
            return F(self.spec.get("storage_tb", 0)) > 0
        wanted = TIERS.index(self.spec.get("service", ""))
        return wanted >= 2 and TIERS.index(offer.get("service_tier", "")) in [0] + TIERS_FROM[wanted]

    def class_reason(self, offer):
        """Why no workload can use the class; None when one can."""
        worst = -1
        for index in range(len(self.workloads)):
            found = self.demands.get((index, class_of(offer)))
            if found is not None and found.ok:
                return None
            worst = max(worst, VERDICTS[found.verdict] if found is not None else 0)
        return VERDICT_REASONS[worst]

    def missed(self, offer):
        """The requirements that OFFER misses, in their order."""
        return [reason for reason, misses in self.checks(offer) if misses]

    def checks(self, offer):
        """(reason, whether OFFER misses it). What is not stated is missed."""
        kind, require, cities = offer["kind"], self.spec.get("require", {}), self.spec.get("cities", [])
        place, cards = kind in ("rental", "colocation"), kind in ("rental", "purchase")
        last = require.get("start_by", self.case["start"])
        yield "no_price", rate_of(self.case, main_rows(offer)[0]) is None
        yield "not_valid", offer.get("valid_to", "9999") < self.case["start"] or offer.get("valid_from", "0") > last
        if kind != "purchase" and cities:
            yield "city", offer.get("city", cities[0]) not in cities
            yield "city_unknown", "city" not in offer and not self.spec["any_city"]
        if kind == "rental":
            yield "term", not any(p["term"] in self.spec["terms"] for p in main_rows(offer))
            yield "delivery", require.get("delivery") not in (None, offer.get("delivery"))
        if cards:
            yield "intra_link", require.get("intra_link") not in (None, offer.get("intra_link"))
            yield "inter_link", require.get("inter_link") not in (None, offer.get("inter_link"))
        if place:
            yield "availability", F(offer.get("availability", 0)) < F(require.get("availability", 0))
        if kind == "rental" and "replacement_hours" in require:
            yield "replacement", F(offer.get("replacement_hours", 10**6)) > F(require["replacement_hours"])
        if place:
            yield "support", require.get("support_24x7", False) and offer.get("support_24x7") is not True
            yield "power_tier", not same_words(require.get("power_tier"), offer.get("power_tier"))
        if cards:
            yield "card_age", self.is_too_old(offer)
            yield "not_new", require.get("new_cards", False) and offer.get("new_cards") is not True
        if place:
            yield "licence", any(word.lower() not in offer.get("licences", "").lower()
                                 for word in require.get("licences", []))
        if place or kind == "network":
            yield "line", self.is_wrong_line(offer)

    def is_too_old(self, offer):
        """New cards have no age yet."""
        most = self.spec.get("require", {}).get("max_card_age_years")
        if most is None or ("card_age_months" not in offer and offer.get("new_cards") is True):
            return False
        return offer.get("card_age_months", 10**6) > F(most) * 12

    def is_wrong_line(self, offer):
        """A leased line is no way to the internet, and the other way round."""
        network = self.spec.get("network", {})
        if is_leased(offer):
            return not F(network.get("dedicated_mbps", 0)) > 0
        if offer["kind"] == "network" and "dedicated_mbps" in network and not needs_public(network):
            return True
        return not same_words(network.get("line"), line_of(offer))

    def judge(self, offer):
        reason = None if self.asked(offer) else "not_asked"
        if reason is None and "card" in offer:
            reason = self.class_reason(offer)
        missed = ([reason] if reason else []) + self.missed(offer)
        if missed:
            self.reasons[offer["id"]] = missed[0]
            self.missed_of[offer["id"]] = missed
        else:
            self.good.append(offer)

    def judge_cabinets(self):
        """A cabinet must feed the smallest server that is bought or owned."""
        watts = []
        for index, workload in enumerate(self.workloads):
            if workload["kind"] == "hosting":
                watts.append(self.hosted_demand(index).watts)
                continue
            for offer in self.of_kind("purchase"):
                found = self.demand(index, class_of(offer))
                watts += [found.watts] if found else []
        for offer in self.case["offers"]:
            if offer["kind"] == "colocation" and watts and F(str(offer["cabinet_kw"])) * 1000 < min(watts):
                self.reasons.setdefault(offer["id"], "cabinet_power")
                self.missed_of.setdefault(offer["id"], []).append("cabinet_power")
        self.good = [o for o in self.good if o["id"] not in self.missed_of]

    def gap(self, offer, reason):
        """By how much OFFER misses what REASON asks; None where it does not state it."""
        require = self.spec.get("require", {})
        if reason == "not_valid":
            first, last = self.case["start"], require.get("start_by", self.case["start"])
            late = days_between(offer.get("valid_to", "9999-12-31"), first)
            return late if late > 0 else days_between(last, offer["valid_from"])
        if reason == "availability" and "availability" in offer:
            return (F(require[reason]) - F(offer[reason])) * 10**6
        if reason == "replacement" and "replacement_hours" in offer:
            return (F(offer["replacement_hours"]) - F(require["replacement_hours"])) * 60
        if reason == "card_age" and "card_age_months" in offer:
            return offer["card_age_months"] - F(require["max_card_age_years"]) * 12
        return None

    def gaps(self):
        """By the reason: by how much the nearest misses it; of those that nothing else keeps out, if there are any."""
        gaps = {}
        for offer in self.case["offers"]:
            missed = self.missed_of.get(offer["id"])
            if missed and missed[0] in GAP_REASONS:
                gaps.setdefault(missed[0], []).append((len(missed) > 1, self.gap(offer, missed[0])))
        least = {}
        for reason, found in gaps.items():
            known = [gap for more, gap in found if more == min(found, key=lambda one: one[0])[0] and gap is not None]
            least[reason] = min(known, default=None)
        return least

    def not_alone(self):
        """By the first thing that keeps offers out: how many are kept out by something else too."""
        counts = {}
        for missed in self.missed_of.values():
            if len(missed) > 1:
                counts[missed[0]] = counts.get(missed[0], 0) + 1
        return counts

    def of_kind(self, kind):
        return [o for o in self.good if o["kind"] == kind]

    # -- what the project needs once --

    def find_carriers(self):
        """The workloads that may buy what the project needs once: those that users come in by."""
        network = self.spec.get("network", {})
        public = needs_public(network)
        if not public and not network.get("dataset_tb_in") and not F(network.get("dedicated_mbps", 0)) and \
                not F(self.spec.get("storage_tb", 0)):
            return [None]
        online = [i for i, w in enumerate(self.workloads)
                  if w["kind"] == "inference" and w.get("mode") != "offline"]
        return online if public and online else list(range(len(self.workloads)))

    def find_sides(self):
        """By kind and city those who sell what others do not price, and take once what can be counted."""
        found = {}
        counted = {"network": {"none", "mbps", "ip"}, "storage": {"none", "tb"}, "service": {"none", "server", "card"}}
        for offer in [o for o in self.good if o["kind"] in SIDE_KINDS]:
            once = {UNITS[p["unit"]][0] for p in offer["prices"] if p["item"] in ("setup", "deposit")}
            if not once <= counted[offer["kind"]]:
                continue
            kind = "leased" if is_leased(offer) else offer["kind"]
            found.setdefault((kind, offer.get("city", "")), []).append(offer)
        return found

    # -- candidates --

    def refuse(self, offer, reason):
        """The later reason in the order of the interface wins."""
        before = self.reasons.get(offer["id"])
        if before is None or REASONS.index(reason) > REASONS.index(before):
            self.reasons[offer["id"]] = reason

    def of_workload(self, index, carries):
        lists = {"rent": [], "buy_and_host": [], "hybrid": []}
        if "rent" in self.spec["routes"] or "hybrid" in self.spec["routes"]:
            lists["rent"] = self.rented(index, carries)
        if "buy_and_host" in self.spec["routes"] or "hybrid" in self.spec["routes"]:
            lists["buy_and_host"] = self.owned(index, carries)
        if "hybrid" in self.spec["routes"]:
            lists["hybrid"] = self.mixed(index, carries)
        return lists

    def mixed(self, index, carries):
        """The best mix of each class of card, with those that are alike."""
        found = []
        for demand, classes in self.alike_classes(index):
            if demand.levels is None:
                continue
            rentals, machines = ([o for o in self.of_kind(kind) if class_of(o) in classes]
                                 for kind in ("rental", "purchase"))
            mixing = Mixing(self.case, demand.line, demand.levels, (rentals, machines, self.of_kind("colocation")),
                            self.sides)
            way = mixing.best(carries)
            if way is not None and len(self.workloads) > 1 and mixing.has_twins(way):
                raise TooClose
            if way is not None:
                found.append(mixed_candidate(way, demand))
        return found

    def alike_classes(self, index):
        """The first demand of those that are alike, and their classes, in the order of the answer."""
        groups = {}
        for (owner, of_class), demand in self.demands.items():
            if owner == index and demand.ok:
                groups.setdefault(demand.alike, (demand, []))[1].append(of_class)
        return list(groups.values())

    def rented(self, index, carries):
        found = []
        rentals = self.of_kind("rental")
        for first, classes in self.alike_classes(index):
            offers, enough = [], False
            for of_class in classes:
                own = [o for o in rentals if class_of(o) == of_class]
                ways, covered = self.rented_in_class(own, self.demand(index, of_class), carries)
                found += ways
                offers += own
                enough = enough or covered or any(has_stock(o, first.cards) for o in own)
            together = self.split(offers, first, carries) \
                if len(classes) > 1 and not enough and first.servers // first.unit > 1 else None
            if together is not None:
                self.covered.update(classes)
                found.append(together)
        return found

    def hours(self, milli):
        return F(min(milli, self.case["hours"] * 1000), 1000)

    def rented_in_class(self, offers, demand, carries):
        singles, short = [], []
        for offer in offers:
            if not has_stock(offer, demand.cards):
                short.append(offer)
                continue
            lot = lot_of(offer)
            spread = -(-demand.milli_cards // (-(-demand.cards // lot) * lot))
            bill = rent(self.case, offer, demand.cards, self.hours(spread if demand.elastic else demand.milli),
                        demand.servers, self.sides, carries)
            if bill is None:
                whole = has_stock(offer, -(-demand.cards // lot) * lot)
                self.refuse(offer, "no_price" if whole else "stock")
                continue
            self.priced.add(offer["id"])
            singles.append(candidate(bill, [offer], "rent", {offer["id"]: demand.servers}, demand))
        split = self.split(offers, demand, carries) if short and demand.servers // demand.unit > 1 else None
        for offer in short:
            self.refuse(offer, "stock")
        if split is not None:
            self.covered.add(class_of(offers[0]))
        if split is not None and len(split["ids"]) > 1 and not any(
                s["bill"].unknown <= split["bill"].unknown and s["bill"].total < split["bill"].total + 1
                for s in singles):
            singles.append(split)
        return singles, split is not None

    def split(self, offers, demand, carries):
        """The cheapest way to share the servers out over OFFERS, trying all: within the budget first."""
        units = demand.servers // demand.unit
        most = [units if "servers_available" not in o else min(o["servers_available"] // demand.unit, units)
                for o in offers]
        bills, best, tried = {}, None, 0
        hours = self.hours(demand.milli)
        budget = self.spec.get("budget_per_month")
        most_yuan = None if budget is None else most_within(F(budget), self.case["months"])

        def stands(bill):
            return most_yuan is not None and bill.total > most_yuan, bill

        for shares in itertools.product(*(range(m + 1) for m in most)):
            if sum(shares) != units:
                continue
            tried += 1
            if tried > SPLITS_MAX:
                raise TooLarge
            used = [(o, n) for o, n in zip(offers, shares) if n]
            for carrier in used if carries else [(None, 0)]:
                parts = []
                for offer, n in used:
                    key = (offer["id"], n, carries and offer is carrier[0])
                    if key not in bills:
                        servers = n * demand.unit
                        bills[key] = rent(self.case, offer, servers * demand.size, hours, servers, self.sides, key[2])
                    parts.append(bills[key])
                total = None if None in parts else sum(parts, Bill())
                if total is not None and (best is None or stands(total) < stands(best["bill"])):
                    best = candidate(total, [o for o, _ in used], "rent",
                                     {o["id"]: n * demand.unit for o, n in used}, demand, True)
        return best

    def owned(self, index, carries):
        workload = self.workloads[index]
        if workload["kind"] == "hosting":
            demand = self.hosted_demand(index)
            return [candidate(bill, [place], "buy_and_host", {}, demand)
                    for place, bill in self.places(demand, carries)]
        found = []
        for machine in self.of_kind("purchase"):
            demand = self.demand(index, class_of(machine))
            price = buy(self.case, machine, demand.servers) if demand else None
            if price is None:
                if demand:
                    short = machine.get("servers_available", demand.servers) < demand.servers
                    self.refuse(machine, "stock" if short else "no_price")
                continue
            self.bought = True
            self.priced.add(machine["id"])
            more = buy(self.case, machine, demand.servers, 0).total - price.total
            found += [candidate(price + bill, [machine, place], "buy_and_host",
                                {machine["id"]: demand.servers}, demand, written_off=more)
                      for place, bill in self.places(demand, carries)]
        return found

    def places(self, demand, carries):
        """(cabinet, bill) of every cabinet that takes the servers."""
        for cabinet in self.of_kind("colocation"):
            bill = host(self.case, cabinet, demand.need(), self.sides, carries)
            if bill is not None:
                self.hosted = True
                self.priced.add(cabinet["id"])
                yield cabinet, bill
            elif F(str(cabinet["cabinet_kw"])) * 1000 >= demand.watts:
                self.refuse(cabinet, "no_price" if cabinet.get("cabinet_u", 42) >= 8 else "cabinet_power")

    # -- together --

    def lists_of(self, route, carrier):
        """What each workload may take when CARRIER buys what the project needs once."""
        lists = [self.carrying[i] if i == carrier else plain for i, plain in enumerate(self.plain)]
        if route == "hybrid" and len(lists) > 1:
            return [c["rent"] + c["buy_and_host"] + c["hybrid"] for c in lists]
        return [c[route] for c in lists]

    def combinations(self, route):
        """(bill, candidates, carrier) of ROUTE, best first."""
        several = len(self.workloads) > 1
        if route not in self.spec["routes"]:
            return []
        stock = {o["id"]: o.get("servers_available") for o in self.case["offers"]}
        found = []
        for carrier in self.carriers:
            lists = self.lists_of(route, carrier)
            if math.prod(map(len, lists)) > SPLITS_MAX:
                raise TooLarge
            for picks in itertools.product(*lists):
                if route == "hybrid" and {p["route"] for p in picks} in ({"rent"}, {"buy_and_host"}):
                    continue
                taken = {}
                for offer, servers in itertools.chain(*(p["servers"].items() for p in picks)):
                    taken[offer] = taken.get(offer, 0) + servers
                if not several or all(stock[o] is None or n <= stock[o] for o, n in taken.items()):
                    bill = sum((p["bill"] for p in picks), Bill())
                    found.append((bill, [p["order"] for p in picks], carrier or 0, picks, carrier))
        return [(bill, picks, carrier) for bill, _, _, picks, carrier in sorted(found, key=lambda f: f[:3])]

    def shown_of(self, route, most):
        """The options of ROUTE that are shown; of the same offers only the first."""
        found, shown, known = self.combinations(route), [], set()
        for unknown in (False, True):
            for bill, picks, carrier in [f for f in found if f[0].unknown == unknown]:
                same = tuple(p["same"] for p in picks)
                if same in known:
                    continue
                if len(shown) == self.spec["top"]:
                    return shown
                if most is not None and bill.total > most:
                    self.over.add(route)
                    break
                known.add(same)
                shown.append((bill, picks, carrier))
        return shown

    def answer(self):
        """The options shown: (bill, route's rank, order, candidates, carrier), best first."""
        top = self.spec["top"]
        budget = self.spec.get("budget_per_month")
        most = None if budget is None else most_within(F(budget), self.case["months"])
        shown, self.over = [], set()
        for rank, route in enumerate(ROUTES):
            shown += [(bill, rank, [p["order"] for p in picks], picks, carrier)
                      for bill, picks, carrier in self.shown_of(route, most)]
        # Where more is possible than is shown, the search may stop before it sees a short stock.
        lists = [ways for of in [*self.plain, *self.carrying.values()] for ways in of.values()]
        self.full = len(self.priced) > top or any(len(ways) >= top for ways in lists)
        return sorted(shown, key=lambda s: s[:3])

    def seeks_incomplete(self, route):
        """Where there are enough complete ways to run a workload, incomplete ones are not searched for."""
        routes = ROUTES if route == "hybrid" else [route]
        lists = [ways[r] for ways in [*self.plain, *self.carrying.values()] for r in routes]
        return all(sum(not p["bill"].unknown for p in ways) <= self.spec["top"] for ways in lists)

    def usual_reason(self, kind):
        """Of an offer that suits and is not shown."""
        if kind == "purchase" and not self.hosted:
            return "no_partner"
        if kind == "colocation" and not self.bought and any(w["kind"] != "hosting" for w in self.workloads):
            return "no_partner"
        route = {"rental": "rent", "purchase": "buy_and_host", "colocation": "buy_and_host"}.get(kind)
        return "budget" if route in self.over else "dearer"

    def count_reasons(self, shown):
        """({reason: offers}, used) as the interface defines them."""
        picks = [p for s in shown for p in s[3]]
        used = {i for p in picks for i in p["ids"]} | {i for p in picks for i in p["bill"].used}
        used &= {o["id"] for o in self.case["offers"]}
        counts = {}
        for offer in self.case["offers"]:
            if offer["id"] in used:
                continue
            reason = None if offer["id"] in self.priced else self.reasons.get(offer["id"])
            if reason == "stock" and offer["kind"] == "rental" and class_of(offer) in self.covered:
                reason = None
            reason = reason or self.usual_reason(offer["kind"])
            counts[reason] = counts.get(reason, 0) + 1
        return counts, len(used)


TIERS_FROM = {2: [2, 3], 3: [3]}


def candidate(bill, offers, route, servers, demand, split=False, written_off=0):
    ids = [o["id"] for o in offers]
    return {"bill": bill, "ids": ids, "route": route, "servers": servers, "demand": demand, "split": split,
            "written_off": written_off,
            "order": (len(ids), ids), "same": (id(demand), tuple(ids), tuple(sorted(servers.items())))}


def mixed_candidate(way, demand):
    """Of the offers of one mix only the total is compared: equal ones may stand for each other."""
    ids = [offer for offer, _, _ in way.picks]
    servers = {}
    for offer, count, _ in way.picks:
        servers[offer] = servers.get(offer, 0) + count
    return {"bill": way.bill, "ids": ids, "route": "hybrid", "servers": servers, "demand": demand, "split": True,
            "written_off": way.written_off, "order": (len(ids), ids), "same": (id(demand), *sorted(way.picks))}
