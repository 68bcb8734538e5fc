"""bill.py - what one offer costs, by the definitions of the headers; side items and all.

Every way to buy is tried. Bills are finished: VAT that is a cost is in them.
"""
import itertools
from fractions import Fraction as F
from typing import Callable, NamedTuple

from power import power
from prices import ALL_TERMS, PER_COUNT, TIERS, UNITS, Bill, Cabinets, Line, Order, assume, bill_of, hours_of, line_of
from prices import main_rows, mix, one_offs, step_of, things_of, up, weight, with_vat, without_price

# ---- What the project needs once: bandwidth, addresses, storage; and help ----


class Thing(NamedTuple):
    """What is bought for an order: its name, its ways [(lines, seller)] among sellers, and how much it counts."""
    what: str
    ways: Callable
    counts: dict


def term_ways(case, sellers, item, counts, ladder):
    found = [(mix(case, s, item, ALL_TERMS, counts, ladder), s) for s in sellers]
    return [(terms.lines, s) for terms, s in found if terms is not None]


def metered_ways(case, sellers, item, per, things):
    for seller in sellers:
        for price in seller["prices"]:
            if price["item"] == item and price["term"] == "metered" and UNITS[price["unit"]][0] == per:
                timeless = UNITS[price["unit"]][1] is None
                periods = case["months"] if timeless else F(case["months"] * case["hours"]) / hours_of(case, price)
                billed = max(things, F(price.get("min_quantity", 0)))
                yield [line_of(case, price, billed / PER_COUNT.get(price["unit"], 1) * periods)], seller


def bought(case, sellers, things, flat):
    """The bill of THINGS. The second of SELLERS takes something once (setup, deposit) with the first
    thing that is bought from it, counted by what is bought there; FLAT: what counts is of these kinds.
    Every choice of the things that may be bought there is tried."""
    side = sellers[1] if len(sellers) > 1 else None
    takes_once = side is not None and any(p["item"] in ("setup", "deposit") for p in side["prices"])
    best = None
    for may in itertools.product((True, False) if takes_once else (True,), repeat=len(things)):
        lines, opens, used, counts = [], [], set(), dict(flat)
        for thing, allowed in zip(things, may):
            way = min(thing.ways(sellers if allowed else sellers[:1]), key=lambda w: weight(case, w[0]), default=None)
            if way is None:
                opens.append(thing.what)
                continue
            lines += way[0]
            used.add(way[1]["id"])
            if way[1] is side:
                counts.update(thing.counts)
        if side is not None and side["id"] in used:
            ladder = up(max(n for per, n in counts.items() if per not in ("none", "card")))
            more, unknown = one_offs(case, side, counts, ladder)
            lines, opens = lines + more, opens + unknown
        key = (len(opens), weight(case, lines))
        if best is None or key < best[0]:
            best = (key, bill_of(lines, frozenset(used)) + without_price(opens))
    return best[1]


def port(case, offer):
    """A port beyond what OFFER includes; without one asked for by the GB, else one for the mean of the month."""
    need = case["spec"].get("network", {})
    mbps, gigabytes = F(need.get("public_mbps", 0)), F(need.get("egress_gb_per_month", 0))
    asked = mbps > 0
    if not asked:
        mbps = gigabytes * 8000 / (case["hours"] * 3600 * assume(case, "transfer_efficiency"))
    included = offer.get("mbps_included", 0)
    missing = mbps - included
    percentile = F(need.get("mbps_95", 0)) or mbps

    def ways(sellers):
        by_term = term_ways(case, sellers, "bandwidth", {"none": 1, "mbps": missing}, up(missing))
        by_traffic = [way for per, things in (("gb", gigabytes), ("tb", gigabytes / 1000)) if gigabytes
                      for way in metered_ways(case, sellers, "traffic", per, things)]
        if not asked:
            return by_traffic or by_term
        return by_term + by_traffic + \
            list(metered_ways(case, sellers, "bandwidth", "mbps", max(F(0), percentile - included)))

    return [Thing("bandwidth" if asked else "traffic", ways, {"mbps": missing})] if mbps and missing > 0 else []


def addresses(case, offer):
    missing = case["spec"].get("network", {}).get("ips", 0) - offer.get("ips_included", 0)
    if missing <= 0:
        return []
    return [Thing("ip", lambda sellers: term_ways(case, sellers, "ip", {"none": 1, "ip": missing}, missing),
                  {"ip": missing})]


def storage(case):
    tb = F(case["spec"].get("storage_tb", 0))
    counts = {"none": 1, "tb": tb, "gb": 1000 * tb}
    if tb == 0:
        return []
    return [Thing("storage", lambda sellers: term_ways(case, sellers, "storage", counts, up(tb)), {"tb": tb})]


def leased_line(case, seller):
    """From the buyer's own place to the site: whole units of the price, with what is taken once."""
    mbps = F(case["spec"].get("network", {}).get("dedicated_mbps", 0))
    if mbps == 0:
        return Bill()
    if seller is None:
        return without_price(["dedicated_line"])
    counts = {"none": 1, "mbps": mbps}
    ways = term_ways(case, [seller], "bandwidth", counts, up(mbps)) + \
        list(metered_ways(case, [seller], "bandwidth", "mbps", mbps))
    if not ways:
        return without_price(["dedicated_line"])
    lines = min((lines for lines, _ in ways), key=lambda lines: weight(case, lines))
    more, unknown = one_offs(case, seller, counts, up(mbps))
    lines = [line._replace(what="dedicated_line") for line in lines] + more
    return bill_of(lines, frozenset([seller["id"]])) + without_price(unknown)


def help_wanted(case, offer, sellers, servers):
    wanted = TIERS.index(case["spec"].get("service", ""))
    if wanted == 1:
        hours = assume(case, "own_operation_hours") * assume(case, "own_operation_cost")
        return bill_of([Line(hours * servers * case["months"], what="own_operation")])
    if wanted == 0 or TIERS.index(offer.get("service_tier", "")) >= wanted:
        return Bill()
    counts = {"server": servers}
    if offer.get("cards_per_server"):
        counts["card"] = servers * offer["cards_per_server"]
    counts["none"] = 1
    thing = Thing("service_monthly", lambda sellers: term_ways(case, sellers, "service", counts, servers), counts)
    return bought(case, sellers, [thing], {"none": 1})


def extras(case, offer, sides, servers, carries):
    """SIDES: by kind and city the offers that sell what others do not price: of each kind the one is taken with
    which least has no price and, of these, the rest costs least."""
    city = offer.get("city", "")

    def cheapest(kind, bill_among):
        bills = (bill_among(among) for among in [[offer]] + [[offer, side] for side in sides.get((kind, city), [])])
        return min(bills, key=lambda bill: (len(bill.all_of(str)), weight(case, bill.lines)))

    result = cheapest("service", lambda among: help_wanted(case, offer, among, servers))
    if carries:
        nothing = {"none": 1, "mbps": F(0), "ip": 0, "tb": F(0)}
        network = port(case, offer) + addresses(case, offer)
        lines = [leased_line(case, seller) for seller in [None] + sides.get(("leased", city), [])]
        result = cheapest("network", lambda among: bought(case, among, network, nothing)) + \
            cheapest("storage", lambda among: bought(case, among, storage(case), nothing)) + \
            min(lines, key=lambda bill: (len(bill.all_of(str)), weight(case, bill.lines))) + result
    return result


# ---- Rented, bought, placed ----

def lot_of(offer):
    shared = offer.get("delivery") in ("vm", "container")
    lot = offer["cards_per_server"] if not shared else 1
    if any(UNITS[p["unit"]][0] == "server" for p in main_rows(offer)):
        lot = max(lot, offer["cards_per_server"])
    return max([lot] + [PER_COUNT.get(p["unit"], 1) for p in main_rows(offer)])


def has_stock(offer, cards):
    stock = offer.get("servers_available")
    return stock is None or cards <= stock * offer["cards_per_server"]


def rent_order(case, offer, cards, hours):
    """(exact, lines, what is unknown, terms committed to, lots, their cards, mix) of CARDS cards that run
    HOURS a month."""
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
        once_lines, opens = one_offs(case, offer, counts, ladder)
        exact = weight(case, terms.lines + once_lines)
        if best is None or exact < best[0]:
            best = (exact, terms.lines + once_lines, opens, terms.committed, lots, lot, terms)
    return best


def rent(case, offer, cards, hours, servers, sides, carries):
    """The bill of the same with what is bought beside it; None when there is none."""
    order = rent_order(case, offer, cards, hours)
    if order is None:
        return None
    _, lines, opens, _, lots, lot, terms = order
    done = with_vat(case, bill_of(lines) + without_price(opens) + extras(case, offer, sides, servers, carries))
    done.own = (Order(offer, servers, lots, lot, terms),)
    return done


def buy(case, offer, servers, recovered=None):
    """The bill of owning SERVERS; RECOVERED of their book value after the project, else as in the request."""
    found = [p for p in offer["prices"] if p["item"] == "purchase" and step_of(p) <= servers]
    if not found or not (offer.get("servers_available") is None or servers <= offer["servers_available"]):
        return None
    step = max(map(step_of, found))
    counts = {"none": 1, "server": servers, "card": servers * offer["cards_per_server"]}
    cash = min((line_of(case, p, things_of(p, counts)) for p in found if step_of(p) == step),
               key=lambda line: weight(case, [line._replace(is_cost=True)]))
    once_lines, opens = one_offs(case, offer, counts, servers)
    owning = [Line(amount, cash.rate, what, paid="")
              for what, amount in zip(("depreciation", "write_off"), worn(case, cash.amount, recovered))]
    owning += [cash] + upkeep(case, cash.amount, cash.rate, servers)
    return with_vat(case, bill_of(owning + once_lines) + without_price(opens))


def worn(case, cash, recovered):
    """What equipment for CASH loses in the project, and what nobody pays for afterwards."""
    months, life, residual = case["months"], 12 * assume(case, "life_years"), assume(case, "residual_share")
    if recovered is None:
        recovered = assume(case, "book_value_recovered")
    left = max(0, life - months) / life
    return [cash * (1 - residual) * min(months, life) / life,
            cash * (residual + (1 - residual) * left) * (1 - recovered)]


def upkeep(case, cash, rate, servers):
    """Capital, spares and maintenance."""
    years, vat = F(case["months"], 12), assume(case, "service_vat_rate")
    maintenance = assume(case, "maintenance") * (1 + vat if case["tax"] == "included" else 1)
    return [Line(cash * (1 + assume(case, "residual_share")) / 2 * assume(case, "capital_rate") * years,
                 what="capital", paid=""),
            Line(cash * assume(case, "spares_share") * years, rate, "spares"),
            Line(maintenance * servers * years, vat, "maintenance")]


def host(case, offer, need, sides, carries):
    """NEED: servers, watts of each, hours a month. None when they cannot stand there."""
    servers, watts = need["servers"], need["watts"]
    rated = int(F(str(offer["cabinet_kw"])) * 1000)
    height = need.get("server_u") or assume(case, "server_u")
    per = min(rated // watts, offer.get("cabinet_u", assume(case, "cabinet_u")) // height)
    if per == 0:
        return None
    cabinets = -(-servers // per)
    counts = {"none": 1, "cabinet": cabinets, "server": servers, "kw": F(cabinets * rated, 1000),
              "u": height * servers}
    terms = mix(case, offer, "cabinet", ("monthly", "quarterly", "yearly"), counts, cabinets)
    if terms is None:
        return None
    once_lines, opens = one_offs(case, offer, counts, cabinets)
    done = with_vat(case, bill_of(terms.lines + once_lines) + without_price(opens) +
                    power(case, offer, need, cabinets) + extras(case, offer, sides, servers, carries))
    done.own = (Cabinets(cabinets),)
    return done
