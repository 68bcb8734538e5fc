"""cases.py - random catalogues and requests, small enough that everything can be tried.

A case is what `suanjia plan --lines` reads: a JSON sheet, a request and a day.
"""
import copy

CARDS = ["h100-sxm", "l40s"]
CITIES = ["深圳", "东莞", "惠州", "广州"]
TERM_UNITS = (("hourly", "时", 1), ("spot", "时", 1), ("monthly", "月", 400), ("quarterly", "季", 1100),
              ("yearly", "年", 4000))
TODAY = "2026-12-01"
LAST_DAYS = ["2026-11-30", TODAY, "2026-12-14", "2026-12-15", "2027-06-09", "2027-06-30"]


def amount(rng, low, high):
    return rng.choice([str(rng.randint(low, high)), "%d.%02d" % (rng.randint(low, high), rng.randint(0, 99))])


def price(rng, item, term, low, high, unit, **more):
    result = {"item": item, "term": term, "as_quoted": amount(rng, low, high), "unit": unit,
              "tax": rng.choice(["unknown", "included", "excluded", "excluded"])}
    if rng.random() < 0.5:
        result["tax_rate"] = rng.choice(["0.06", "0.03", "0.13"])
    result.update(more)
    return result


def with_step(rng, prices, share, most=4):
    """Sometimes a cheaper step of the ladder for the last price."""
    if rng.random() < share:
        step = dict(prices[-1], min_quantity=rng.randint(2, most))
        step["as_quoted"] = str(max(1, int(float(step["as_quoted"]) * rng.uniform(0.6, 0.99))))
        prices.append(step)


def compute_prices(rng, size):
    per, scale = ("卡", 1) if rng.random() < 0.4 else ("台", size)
    result = []
    for term, period, hours in TERM_UNITS:
        if rng.random() < {"monthly": 0.8, "spot": 0.15}.get(term, 0.35):
            low = rng.randint(5, 12) * scale * hours
            unit = "元/%s/%s" % (per, period)
            if unit == "元/台/月" and size == 8 and rng.random() < 0.2:
                unit = "元/8卡/月"
            result.append(price(rng, "compute", term, low, low + low // 4 + 1, unit))
            with_step(rng, result, 0.2)
    if not result:
        result.append(price(rng, "compute", "monthly", 3000 * scale, 9000 * scale, "元/%s/月" % per))
    return result


def one_offs(rng, units):
    result = []
    if rng.random() < 0.25:
        result.append(price(rng, "setup", "one_off", 100, 5000, rng.choice(units)))
        with_step(rng, result, 0.2)
    if rng.random() < 0.15:
        result.append(price(rng, "deposit", "one_off", 100, 90000, rng.choice(units)))
    return result


def network_prices(rng, share):
    result = []
    if rng.random() < share:
        unit, scale = rng.choice([("元/M/月", 1)] * 4 + [("元/100M/月", 100)])
        result.append(price(rng, "bandwidth", "monthly", 10 * scale, 90 * scale, unit))
        with_step(rng, result, 0.3, 30)
    if rng.random() < share / 3:
        result.append(price(rng, "bandwidth", "metered", 10, 90, "元/M/月"))
    if rng.random() < share / 3:
        result.append(price(rng, "traffic", "metered", 0, 1, "元/GB", as_quoted="0.%02d" % rng.randint(1, 99)))
    if rng.random() < share / 2:
        result.append(price(rng, "ip", "monthly", 10, 100, "元/IP/月"))
    return result


def side_prices(rng):
    result = network_prices(rng, 0.4)
    if rng.random() < 0.3:
        result.append(price(rng, "storage", "monthly", 100, 600, "元/TB/月"))
    if rng.random() < 0.3:
        unit = rng.choice(["元/台/月", "元/卡/月", "元/台/月"])
        result.append(price(rng, "service", "monthly", 500, 5000, unit))
    return result


def rental(rng, offer):
    size = rng.choice([8, 8, 8, 4])
    offer.update(card=rng.choice(CARDS + CARDS[:1] * 6), cards_per_server=size,
                 prices=compute_prices(rng, size) + one_offs(rng, ["元", "元/台", "元/卡"]) + side_prices(rng))
    if rng.random() < 0.6:
        offer["delivery"] = rng.choice(["bare_metal", "bare_metal", "vm", "container"])
    if rng.random() < 0.4:
        offer["min_term_months"] = rng.choice([1, 3, 12])


def colocation(rng, offer):
    prices = []
    unit = rng.choices(["柜", "kW", "台", "U"], [6, 2, 1, 1])[0]
    scale = {"柜": 1, "kW": 10, "台": 2, "U": 40}[unit]
    prices.append(price(rng, "cabinet", "monthly", 3000 // scale, 12000 // scale, "元/%s/月" % unit))
    with_step(rng, prices, 0.2, 3)
    if unit == "柜" and rng.random() < 0.3:
        prices.append(price(rng, "cabinet", "yearly", 30000, 120000, "元/柜/年"))
    if rng.random() < 0.3:
        prices.append(price(rng, "power", "metered", 0, 1, "元/度", as_quoted="0.%02d" % rng.randint(40, 99)))
    offer.update(cabinet_kw=rng.choice([4.4, 8, 11, 21, 31]),
                 prices=prices + one_offs(rng, ["元", "元/柜"]) + side_prices(rng))
    if rng.random() < 0.6:
        offer["cabinet_u"] = rng.choice([42, 20])
    if rng.random() < 0.9:
        offer["power_billing"] = rng.choice(["included", "included", "metered", "tou"])
    if rng.random() < 0.5:
        offer["pue"] = rng.choice([1.2, 1.35, 1.5])
    if rng.random() < 0.3:
        offer["min_term_months"] = 12


def purchase(rng, offer):
    size = rng.choice([8, 8, 8, 4])
    unit, low, high = ("元/卡", 30000, 300000) if rng.random() < 0.3 else ("元/台", 300000, 2400000)
    prices = [price(rng, "purchase", "one_off", low, high, unit)]
    with_step(rng, prices, 0.3, 3)
    offer.update(card=rng.choice(CARDS + CARDS[:1] * 6), cards_per_server=size,
                 prices=prices + one_offs(rng, ["元", "元/台"])[:1])


def side(rng, offer):
    kind = offer["kind"]
    if kind == "network":
        prices = [price(rng, "bandwidth", "monthly", 10, 90, "元/M/月")] + network_prices(rng, 0.5)
    elif kind == "storage":
        prices = [price(rng, "storage", "monthly", 100, 600, "元/TB/月")]
        with_step(rng, prices, 0.3, 30)
    else:
        prices = [price(rng, "service", "monthly", 500, 5000, "元/台/月")]
        offer["service_tier"] = rng.choice(["image", "managed"])
    offer["prices"] = prices
    if rng.random() < 0.3:
        offer["min_term_months"] = rng.choice([3, 12])


def random_offer(rng, case, number):
    kinds = {"rental": 10, "colocation": 4, "purchase": 4, "network": 2, "storage": 1, "service": 1}
    offer = {"kind": rng.choices(list(kinds), list(kinds.values()))[0], "site": "site %d" % number}
    if rng.random() < 0.85:
        offer["city"] = rng.choice(CITIES[:1] * 3 + CITIES)
    make = {"rental": rental, "colocation": colocation, "purchase": purchase}
    make.get(offer["kind"], side)(rng, offer)
    if offer["kind"] in ("rental", "purchase") and rng.random() < 0.6:
        offer["servers_available"] = rng.choice([1, 2, 3, 6])
    for name, values, share in (("availability", ["0.999", "0.9999"], 0.6), ("support_24x7", [True, False], 0.6),
                                ("valid_to", LAST_DAYS, 0.3),
                                ("mbps_included", [10, 100], 0.15), ("ips_included", [1], 0.15)):
        if rng.random() < share:
            offer[name] = rng.choice(values)
    if offer["kind"] in ("rental", "colocation") and rng.random() < 0.4:
        offer["service_tier"] = rng.choice(["bare", "image", "managed"])
    if rng.random() < 0.12:
        currency = rng.choice(["USD", "USD", "HKD"])
        for one in offer["prices"]:
            one["currency"] = currency
    offers = case["sheet"]["offers"]
    if rng.random() < 0.12 and offers:
        offer = dict(copy.deepcopy(rng.choice(offers)), site="site %d" % number)
    return offer


def random_profile(rng):
    return rng.choice(["flat", "office_hours", "waking_hours", [rng.choice([0.1, 0.5, 0.8]) for _ in range(23)] + [1]])


def random_workload(rng, name):
    card = rng.choice(CARDS[:1] * 8 + CARDS)
    kind = rng.choices(["usage", "hosting", "training", "inference"], [6, 2, 1, 1])[0]
    if kind == "hosting":
        return dict({"name": name, "kind": kind, "card": card, "cards_per_server": 8, "servers": rng.randint(1, 4)},
                    **rng.choice([{}, {}, {"server_u": 4}, {"server_u": 6, "server_kw": 5.5}]))
    if kind == "usage":
        return {"name": name, "kind": kind, "card": card, "gpu_hours": rng.randint(100, 60000),
                "days": rng.choice([30, 90]), "buffer": rng.choice([0, 0.3]), "utilisation": rng.choice([1, 0.7])}
    if kind == "training":
        return {"name": name, "kind": kind, "method": rng.choice(["lora", "full"]), "model": "qwen2.5-7b",
                "tokens": rng.choice([2e8, 2e9]), "seq_len": 4096, "runs_per_month": rng.randint(1, 9),
                "deadline_hours": rng.choice([12, 48]), "valley_only": rng.random() < 0.3}
    return {"name": name, "kind": kind, "model": "qwen2.5-14b", "input_tokens": 1200, "output_tokens": 300,
            "requests_per_s": rng.choice([1, 10, 30]), "profile": random_profile(rng),
            "ttft_ms": 2000, "tpot_ms": 80, "spare_replicas": rng.choice([0, 1])}


def make_steady(rng, workload):
    """A history that fills whole servers all the time."""
    if workload["kind"] == "usage":
        workload.update(buffer=0, utilisation=1, gpu_hours=8 * 24 * workload["days"] * rng.randint(1, 6))


def random_needs(rng, spec):
    if rng.random() < 0.35:
        spec["network"] = {"public_mbps": rng.choice([5, 20, 100])}
        if rng.random() < 0.3:
            spec["network"]["mbps_95"] = rng.choice([5, 15])
        if rng.random() < 0.3:
            spec["network"]["egress_gb_per_month"] = rng.choice([500, 9000])
        if rng.random() < 0.3:
            spec["network"]["ips"] = rng.choice([1, 3])
    elif rng.random() < 0.1:
        spec["network"] = rng.choice([{"egress_gb_per_month": 7000}, {"dataset_tb_in": 3}, {"ips": 2}])
    if rng.random() < 0.2:
        spec["storage_tb"] = rng.choice([2, "7.5", 20])
    if rng.random() < 0.2:
        spec["service"] = rng.choice(["bare", "image", "managed"])


ASSUMPTIONS = {
    "vat_deductible": ["0", "1"], "service_vat_rate": ["0.03", "0.09"], "goods_vat_rate": ["0.09"],
    "power_vat_rate": ["0.09"], "pue": ["1", "1.15"], "load_factor": ["0.5", "1"], "idle_draw": ["0", "0.5"],
    "server_u": ["4", "10"], "cabinet_u": ["20", "47"], "life_years": ["1.5", "3"], "residual_share": ["0.1"],
    "book_value_recovered": ["0", "0.35"], "capital_rate": ["0", "0.12"], "spares_share": ["0.02"],
    "maintenance": ["0", "48000.5"], "transfer_efficiency": ["0.8"], "own_operation_hours": ["2.5"],
    "own_operation_cost": ["150"],
}


def random_assumptions(rng, spec):
    given = {}
    if rng.random() < 0.2:
        given["book_value_recovered"] = rng.choice(["0", "0.35"])
    if rng.random() < 0.25:
        given["vat_deductible"] = "0"
    if rng.random() < 0.25:
        for name in rng.sample(list(ASSUMPTIONS), rng.randint(1, 6)):
            given[name] = rng.choice(ASSUMPTIONS[name])
    if given:
        spec["assumptions"] = given


def random_spec(rng):
    spec = {"months": rng.choice([1, 2, 5, 6, 12, 13, 24]), "hours_per_month": rng.choice([720, 720, 730]),
            "tax": rng.choice(["excluded", "excluded", "included"]), "top": rng.choice([1, 2, 3, 5, 20]),
            "routes": rng.choice([["rent"], ["buy_and_host"], ["rent", "buy_and_host"],
                                  ["rent", "buy_and_host", "hybrid"], ["rent", "buy_and_host", "hybrid"]]),
            "terms": rng.choice([["hourly", "monthly", "quarterly", "yearly"]] * 2 +
                                [["monthly"], ["hourly", "monthly"], ["spot", "monthly"],
                                 ["monthly", "quarterly", "yearly"]]),
            "any_city": rng.random() < 0.5, "start": rng.choice([TODAY, TODAY, "2026-12-15", "2027-06-10"])}
    cities = rng.choice([[], [], ["深圳"], ["深圳", "东莞"], ["深圳", "东莞", "惠州"]])
    if cities:
        spec["cities"] = cities
    require = {}
    if rng.random() < 0.15:
        require["availability"] = "0.999"
    if rng.random() < 0.1:
        require["support_24x7"] = True
    if require:
        spec["require"] = require
    if rng.random() < 0.7:
        spec["fx"] = {"USD": {"rate": "7.0%02d" % rng.randint(0, 99), "date": "2026-11-30"}}
    if rng.random() < 0.1:
        spec["kwh_price"] = "0.%02d" % rng.randint(50, 99)
    random_assumptions(rng, spec)
    if rng.random() < 0.2:
        spec["budget_per_month"] = str(rng.randint(5000, 400000))
    if rng.random() < 0.1:
        spec["tariff"] = rng.choice(["dongguan-10kv-2026-01", "dongguan-1kv-2021-10"])
    if rng.random() < 0.1:
        spec["convert_usage"] = True
    random_needs(rng, spec)
    return spec


def random_rivals(rng):
    """Workloads that want the same few servers."""
    spec = random_spec(rng)
    spec.update(top=rng.choice([1, 2]), routes=rng.choice([["rent"], ["rent", "buy_and_host"]]))
    spec.pop("cities", None)
    spec["workloads"] = [{"name": "w%d" % i, "kind": "usage", "card": CARDS[0], "days": 30, "buffer": 0,
                          "gpu_hours": 8 * 720 * rng.randint(1, 2), "utilisation": 1}
                         for i in range(rng.choice([3, 3, 4]))]
    case = {"today": TODAY, "spec": spec, "sheet": {"offers": []}}
    for number in range(rng.randint(5, 8)):
        offer = dict(random_offer(rng, case, number), kind="rental")
        rental(rng, offer)
        offer.update(card=CARDS[0], cards_per_server=8, servers_available=rng.choice([1, 1, 2, 3]))
        case["sheet"]["offers"].append(offer)
    return case


def place_with_power(rng, number):
    prices = [price(rng, "cabinet", "monthly", 2000, 9000, "元/柜/月"),
              price(rng, "power", "metered", 0, 1, "元/度", as_quoted="0.%02d" % rng.randint(30, 99))]
    return {"kind": "colocation", "site": "site %d" % number, "city": rng.choice(CITIES[:3]), "prices": prices,
            "cabinet_kw": rng.choice([11, 21, 31]), "power_billing": rng.choice(["included", "metered", "metered"]),
            "pue": rng.choice([1.1, 1.3, 1.6]), "availability": "0.9999", "support_24x7": True}


def random_mix(rng):
    """One workload for which servers are owned, committed to and rented by the hour: a few machines for
    sale, places whose power makes them cheap for idle or for busy servers, orders with fees and steps."""
    spec = random_spec(rng)
    spec["routes"] = ["rent", "buy_and_host", "hybrid"]
    spec.pop("cities", None)
    workload = random_workload(rng, "w0")
    while workload["kind"] not in ("usage", "inference"):
        workload = random_workload(rng, "w0")
    spec["workloads"] = [workload]
    case = {"today": TODAY, "spec": spec, "sheet": {"offers": []}}
    offers = case["sheet"]["offers"]
    for number in range(rng.randint(2, 5)):
        offer = dict(random_offer(rng, case, number), kind="rental")
        rental(rng, offer)
        if rng.random() < 0.4:
            offer["prices"].append(price(rng, "setup", "one_off", 1000, 30000, "元"))
        offers.append(offer)
    offers += [place_with_power(rng, len(offers) + i) for i in range(rng.randint(1, 3))]
    offers.append({"kind": "purchase", "site": "site %d" % len(offers), "card": CARDS[0], "cards_per_server": 8,
                   "servers_available": rng.randint(1, 3),
                   "prices": [price(rng, "purchase", "one_off", 200000, 900000, "元/台")]})
    return case


def random_case(rng):
    if rng.random() < 0.08:
        return random_rivals(rng)
    if rng.random() < 0.08:
        return random_mix(rng)
    spec = random_spec(rng)
    spec["workloads"] = [random_workload(rng, "w%d" % i) for i in range(rng.choice([1, 1, 1, 2, 2, 3]))]
    for workload in spec["workloads"]:
        if rng.random() < 0.3:
            make_steady(rng, workload)
    case = {"today": TODAY, "spec": spec, "sheet": {"offers": []}}
    for number in range(rng.randint(2, 12)):
        case["sheet"]["offers"].append(random_offer(rng, case, number))
    return case
