"""bill.py - what one offer costs, by the definitions of the headers; side items and all.

Every way to buy is tried. Bills are finished: VAT that is a cost is in them.
"""
from fractions import Fraction as F

from power import power
from prices import ALL_TERMS, PER_COUNT, TIERS, UNITS, Bill, Line, assume, bill_of, line_of, main_rows, mix, one_offs
from prices import step_of, things_of, up, weight, with_vat

# ---- What the project needs once: bandwidth, addresses, storage; and help ----

def cheapest_way(case, ways):
    """Of (lines, seller) the first that is cheapest; unknown when there is none."""
    best = min(ways, key=lambda way: weight(case, way[0]), default=None)
    return Bill(0, True) if best is None else bill_of(best[0], frozenset([best[1]]))


def term_ways(case, sellers, item, counts, ladder):
    found = [(mix(case, s, item, ALL_TERMS, counts, ladder), s) for s in sellers]
    return [(terms.lines, s["id"]) for terms, s in found if terms is not None]


def metered_ways(case, sellers, item, per, things):
    for seller in sellers:
        for price in seller["prices"]:
            if price["item"] == item and price["term"] == "metered" and UNITS[price["unit"]][0] == per:
                billed = max(things, F(price.get("min_quantity", 0)))
                yield [line_of(case, price, billed * case["months"])], seller["id"]


def traffic_alone(case, offer, sellers, gigabytes):
    """Without a port asked for: by the GB, else a port for the mean of the month."""
    mean = gigabytes * 8000 / (case["hours"] * 3600 * assume(case, "transfer_efficiency"))
    missing = mean - offer.get("mbps_included", 0)
    if missing <= 0:
        return Bill()
    ways = list(metered_ways(case, sellers, "traffic", "gb", gigabytes))
    return cheapest_way(case, ways or term_ways(case, sellers, "bandwidth", {"none": 1, "mbps": missing}, up(missing)))


def port(case, offer, sellers):
    need = case["spec"].get("network", {})
    mbps = F(need.get("public_mbps", 0))
    included = offer.get("mbps_included", 0)
    missing = mbps - included
    if mbps == 0 and need.get("egress_gb_per_month"):
        return traffic_alone(case, offer, sellers, F(need["egress_gb_per_month"]))
    if mbps == 0 or missing <= 0:
        return Bill()
    percentile = F(need.get("mbps_95", 0)) or mbps
    ways = term_ways(case, sellers, "bandwidth", {"none": 1, "mbps": missing}, up(missing))
    ways += metered_ways(case, sellers, "bandwidth", "mbps", max(F(0), percentile - included))
    if need.get("egress_gb_per_month"):
        ways += metered_ways(case, sellers, "traffic", "gb", F(need["egress_gb_per_month"]))
    return cheapest_way(case, ways)


def addresses(case, offer, sellers):
    missing = case["spec"].get("network", {}).get("ips", 0) - offer.get("ips_included", 0)
    if missing <= 0:
        return Bill()
    return cheapest_way(case, term_ways(case, sellers, "ip", {"none": 1, "ip": missing}, missing))


def storage(case, sellers):
    tb = F(case["spec"].get("storage_tb", 0))
    if tb == 0:
        return Bill()
    return cheapest_way(case, term_ways(case, sellers, "storage", {"none": 1, "tb": tb, "gb": 1000 * tb}, up(tb)))


def help_wanted(case, offer, sellers, servers):
    wanted = TIERS.index(case["spec"].get("service", ""))
    if wanted == 1:
        hours = assume(case, "own_operation_hours") * assume(case, "own_operation_cost")
        return bill_of([Line(hours * servers * case["months"])])
    if wanted == 0 or TIERS.index(offer.get("service_tier", "")) >= wanted:
        return Bill()
    counts = {"none": 1, "server": servers}
    if offer.get("cards_per_server"):
        counts["card"] = servers * offer["cards_per_server"]
    return cheapest_way(case, term_ways(case, sellers, "service", counts, servers))


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
    return max([lot] + [PER_COUNT.get(p["unit"], 1) for p in main_rows(offer)])


def has_stock(offer, cards):
    stock = offer.get("servers_available")
    return stock is None or cards <= stock * offer["cards_per_server"]


def rent_order(case, offer, cards, hours):
    """(exact, lines, something is unknown, terms committed to) of CARDS cards that run HOURS a month."""
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
        once_lines, unknown = one_offs(case, offer, counts, ladder)
        exact = weight(case, terms.lines + once_lines)
        if best is None or exact < best[0]:
            best = (exact, terms.lines + once_lines, unknown, terms.committed)
    return best


def rent(case, offer, cards, hours, servers, sides, carries):
    """The bill of the same with what is bought beside it; None when there is none."""
    order = rent_order(case, offer, cards, hours)
    if order is None:
        return None
    _, lines, unknown, _ = order
    return with_vat(case, bill_of(lines) + Bill(0, unknown) + extras(case, offer, sides, servers, carries))


def buy(case, offer, servers, recovered=None):
    """The bill of owning SERVERS; RECOVERED of their book value after the project, else as in the request."""
    found = [p for p in offer["prices"] if p["item"] == "purchase" and step_of(p) <= servers]
    if not found or not (offer.get("servers_available") is None or servers <= offer["servers_available"]):
        return None
    step = max(map(step_of, found))
    counts = {"none": 1, "server": servers, "card": servers * offer["cards_per_server"]}
    cash, rate = min((line_of(case, p, things_of(p, counts)) for p in found if step_of(p) == step),
                     key=lambda line: weight(case, [line]))
    once_lines, unknown = one_offs(case, offer, counts, servers)
    owning = [Line(amount, rate) for amount in worn(case, cash, recovered)] + upkeep(case, cash, rate, servers)
    return with_vat(case, bill_of(owning + once_lines) + Bill(0, unknown))


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
    return [Line(cash * (1 + assume(case, "residual_share")) / 2 * assume(case, "capital_rate") * years),
            Line(cash * assume(case, "spares_share") * years, rate),
            Line(maintenance * servers * years, vat)]


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
    once_lines, unknown = one_offs(case, offer, counts, cabinets)
    return with_vat(case, bill_of(terms.lines + once_lines) + Bill(0, unknown) + power(case, offer, need) +
                    extras(case, offer, sides, servers, carries))
