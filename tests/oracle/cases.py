"""cases.py - random catalogues and requests, small enough that everything can be tried.

A case is what `suanjia plan --lines` reads: a JSON sheet, a request and a day. All that a request of
/plan and an offer can say is drawn but for:
  title, note, fx.source, stale_after_days, seed_break_even   words and remarks: no part of a bill
  sensitivity                    looks at options anew; what it varies stands in test_plan_sensitivity.c
  how training and serving run   (precision, engine ...): the demand is taken from the answer
  overage, cabinets without kW   priced by /compare alone: what a plan packs stays within a cabinet's kW
  several currencies             in one offer: one currency each
"""
import copy

CARDS = ["h100-sxm", "l40s"]
CITIES = ["深圳", "东莞", "惠州", "广州"]
TERM_UNITS = (("hourly", "时", 1), ("spot", "时", 1), ("monthly", "月", 400), ("quarterly", "季", 1100),
              ("yearly", "年", 4000))
TODAY = "2026-12-01"
LAST_DAYS = ["2026-11-30", TODAY, "2026-12-14", "2026-12-15", "2027-06-09", "2027-06-30", "2027-06-30"]
FIRST_DAYS = ["2026-11-01", TODAY, "2026-12-02", "2026-12-15", "2027-06-10", "2027-06-11"]
LEASED = ["dedicated", "专线", "MPLS", "sdh", "OTN"]
LINES = ["bgp", "BGP", "telecom"]


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


def say_it_otherwise(rng, prices):
    """The same in 万, or as the high end of a range."""
    for one in prices:
        if one["unit"] in ("元/台/月", "元/台/年") and rng.random() < 0.15:
            one.update(unit="万" + one["unit"], as_quoted="%.6f" % (float(one["as_quoted"]) / 10000))
        elif rng.random() < 0.05:
            one["as_quoted"] = "%d-%s" % (float(one["as_quoted"]) * 0.8, one["as_quoted"])


def compute_prices(rng, size):
    per, scale = ("卡", 1) if rng.random() < 0.4 else ("台", size)
    result = []
    for term, period, hours in TERM_UNITS:
        if rng.random() < {"monthly": 0.8, "spot": 0.15}.get(term, 0.35):
            first = len(result)
            low = rng.randint(5, 12) * scale * hours
            unit = "元/%s/%s" % (per, period)
            if unit == "元/台/月" and size == 8 and rng.random() < 0.3:
                unit = rng.choice(["元/8卡/月", "元/8卡/30天"])
            if unit == "元/卡/时" and rng.random() < 0.2:
                unit, low = "元/卡/天", 24 * low
            result.append(price(rng, "compute", term, low, low + low // 4 + 1, unit))
            with_step(rng, result, 0.2)
            say_it_otherwise(rng, result[first:])
    if not result:
        result.append(price(rng, "compute", "monthly", 3000 * scale, 9000 * scale, "元/%s/月" % per))
    return result


def one_offs(rng, units, share=1, step=4):
    result = []
    if rng.random() < 0.25 * share:
        result.append(price(rng, "setup", "one_off", 100, 5000, rng.choice(units)))
        with_step(rng, result, 0.2, step)
    if rng.random() < 0.15 * share:
        result.append(price(rng, "deposit", "one_off", 100, 90000, rng.choice(units)))
        with_step(rng, result, 0.1, step)
    return result


def terms_of(rng, item, low, high, thing, share):
    """Prices of ITEM by the month, and sometimes by the quarter and year, with steps of a ladder."""
    result = []
    for term, period, months in (("monthly", "月", 1), ("quarterly", "季", 3), ("yearly", "年", 11)):
        if rng.random() < (1 if term == "monthly" and not result else share):
            result.append(price(rng, item, term, low * months, high * months, "元/%s/%s" % (thing, period)))
            with_step(rng, result, 0.3, 30)
    if rng.random() < 0.1:
        del result[0]
    return result or [price(rng, item, "monthly", low, high, "元/%s/月" % thing)]


def one_of_each(prices):
    """A sheet with two prices for the same thing, term, step and tax is refused; the same amount under two
    taxes may cost the same, and then nothing says which VAT is due."""
    found, amounts = {}, set()
    for one in prices:
        thing = (one["item"], one["term"], one.get("min_quantity"), one["unit"].rpartition("/")[2])
        if thing + (one["as_quoted"],) not in amounts:
            found.setdefault(thing + (one["tax"],), one)
        amounts.add(thing + (one["as_quoted"],))
    return list(found.values())


def network_prices(rng, share):
    result = []
    if rng.random() < share:
        unit, scale = rng.choice([("元/M/月", 1)] * 4 + [("元/100M/月", 100)])
        result.append(price(rng, "bandwidth", "monthly", 10 * scale, 90 * scale, unit))
        with_step(rng, result, 0.3, 30)
    if rng.random() < share / 3:
        unit, scale = rng.choice([("元/M/月", 1)] * 3 + [("元/M/年", 11), ("元/100M/月", 100)])
        result.append(price(rng, "bandwidth", "metered", 10 * scale, 90 * scale, unit))
        with_step(rng, result, 0.3, 300)
    if rng.random() < share / 3:
        unit, scale = rng.choice([("元/GB", "0.%02d")] * 3 + [("元/TB", "%d00"), ("元/100GB", "%d")])
        result.append(price(rng, "traffic", "metered", 0, 1, unit, as_quoted=scale % rng.randint(1, 99)))
    if rng.random() < share / 2:
        result += terms_of(rng, "ip", 10, 100, "IP", 0.2)
    return result


def side_prices(rng):
    result = network_prices(rng, 0.4)
    if rng.random() < 0.3:
        result.append(price(rng, "storage", "monthly", 100, 600, "元/TB/月"))
    if rng.random() < 0.3:
        result += terms_of(rng, "service", 500, 5000, rng.choice(["台", "卡", "台"]), 0.2)
    return result


def rental(rng, offer):
    size = rng.choice([8, 8, 8, 4])
    offer.update(card=rng.choice(CARDS + CARDS[:1] * 10), cards_per_server=size,
                 prices=compute_prices(rng, size) + one_offs(rng, ["元", "元/台", "元/卡"]) + side_prices(rng))
    if rng.random() < 0.6:
        offer["delivery"] = rng.choice(["bare_metal", "bare_metal", "vm", "container"])
    if rng.random() < 0.4:
        offer["min_term_months"] = rng.choice([1, 3, 12])


def power_price(rng):
    unit, low, high = rng.choices([("元/度", 0, 0), ("元/kW/月", 300, 900), ("元/A/月", 60, 200)], [5, 1, 1])[0]
    if unit == "元/度":
        return price(rng, "power", "metered", 0, 1, unit, as_quoted="0.%02d" % rng.randint(40, 99))
    return price(rng, "power", "monthly", low, high, unit)


def colocation(rng, offer):
    prices = []
    unit = rng.choices(["柜", "kW", "台", "U"], [6, 2, 1, 1])[0]
    scale = {"柜": 1, "kW": 10, "台": 2, "U": 40}[unit]
    prices.append(price(rng, "cabinet", "monthly", 3000 // scale, 12000 // scale, "元/%s/月" % unit))
    with_step(rng, prices, 0.2, 3)
    if unit == "柜" and rng.random() < 0.3:
        term, period, low = rng.choice([("yearly", "年", 30000), ("quarterly", "季", 8000)])
        prices.append(price(rng, "cabinet", term, low, 4 * low, "元/柜/%s" % period))
        with_step(rng, prices, 0.2, 3)
    for _ in range(rng.choice([0, 0, 0, 1, 1, 2])):
        prices.append(power_price(rng))
    offer.update(cabinet_kw=rng.choice([4.4, 8, 11, 21, 31]),
                 prices=prices + one_offs(rng, ["元", "元/柜"]) + side_prices(rng))
    if rng.random() < 0.6:
        offer["cabinet_u"] = rng.choice([42, 20])
    if rng.random() < 0.9:
        offer["power_billing"] = rng.choice(["included", "included", "metered", "tou", "flat"])
    if rng.random() < 0.5:
        offer["pue"] = rng.choice([1.2, 1.35, 1.5])
    if rng.random() < 0.3:
        offer["min_term_months"] = 12


def purchase(rng, offer):
    size = rng.choice([8, 8, 8, 4])
    unit, low, high = ("元/卡", 30000, 300000) if rng.random() < 0.3 else ("元/台", 300000, 2400000)
    prices = [price(rng, "purchase", "one_off", low, high, unit)]
    with_step(rng, prices, 0.3, 3)
    offer.update(card=rng.choice(CARDS + CARDS[:1] * 10), cards_per_server=size,
                 prices=prices + one_offs(rng, ["元", "元/台"])[:1])


def side(rng, offer):
    kind = offer["kind"]
    if kind == "network":
        prices = terms_of(rng, "bandwidth", 10, 90, "M", 0.2) + network_prices(rng, 0.5) + \
            one_offs(rng, ["元", "元", "元/M", "元/100M", "元/IP", "元/台"], 1.5, 60)
    elif kind == "storage":
        thing, low = rng.choices([("TB", 100), ("10TB", 1000), ("GB", 1)], [4, 1, 1])[0]
        prices = terms_of(rng, "storage", low, 6 * low, thing, 0.2) + one_offs(rng, ["元", "元", "元/TB"], 1.5, 15)
    else:
        prices = terms_of(rng, "service", 500, 5000, "台", 0.2) + \
            one_offs(rng, ["元", "元/台", "元/卡"], 1.5)
        offer["service_tier"] = rng.choice(["image", "managed"])
    offer["prices"] = one_of_each(prices)
    if rng.random() < 0.3:
        offer["min_term_months"] = rng.choice([3, 12])


def say_more(rng, spec, offer):
    """What the request asks for is stated by most; the rest rarely, for links tell classes apart."""
    require, stated = spec.get("require", {}), {}
    if offer["kind"] in ("rental", "purchase"):
        stated = {"delivery": ["bare_metal", "vm"], "intra_link": ["nvlink", "nvlink", "pcie"],
                  "inter_link": ["ib", "ib", "roce", "none"], "replacement_hours": ["0.5", "4", "4", "24"],
                  "new_cards": [True, True, False], "card_age_months": [0, 12, 18, 36]}
        stated["new_cards" if "max_card_age_years" in require else "intra_link"] = \
            {True: [True, False], False: ["nvlink", "pcie"]}["max_card_age_years" in require]
    if offer["kind"] in ("rental", "colocation"):
        stated.update(power_tier=["2n", "2N", "n+1"], licences=["IDC", "idc、ISP", "ICP"], line=LINES)
    if offer["kind"] == "network":
        stated["line"] = LINES + LEASED
    asked = {"max_card_age_years": "card_age_months"}
    wanted = {asked.get(name, name) for name in require}
    wanted |= {"line"} if {"line", "dedicated_mbps"} & set(spec.get("network", {})) else set()
    for name, values in stated.items():
        if rng.random() < (0.8 if name in wanted else 0.1 if name == "replacement_hours" else 0.03):
            offer[name] = rng.choice(values)


def random_offer(rng, case, number):
    kinds = {"rental": 10, "colocation": 4, "purchase": 4, "network": 2, "storage": 1, "service": 1}
    for kind, wanted in (("network", "network"), ("storage", "storage_tb"), ("service", "service")):
        kinds[kind] += 2 * (wanted in case["spec"])
    offer = {"kind": rng.choices(list(kinds), list(kinds.values()))[0], "site": "site %d" % number}
    if rng.random() < 0.85:
        offer["city"] = rng.choice(CITIES[:1] * 3 + CITIES)
    make = {"rental": rental, "colocation": colocation, "purchase": purchase}
    make.get(offer["kind"], side)(rng, offer)
    if offer["kind"] in ("rental", "purchase") and rng.random() < 0.6:
        offer["servers_available"] = rng.choice([1, 2, 3, 6])
    for name, values, share in (("availability", ["0.999", "0.9999"], 0.6), ("support_24x7", [True, False], 0.6),
                                ("valid_to", LAST_DAYS, 0.25), ("valid_from", FIRST_DAYS, 0.2),
                                ("mbps_included", [10, 100], 0.15), ("ips_included", [1], 0.15)):
        if rng.random() < share:
            offer[name] = rng.choice(values)
    say_more(rng, case["spec"], offer)
    if offer["kind"] in ("rental", "colocation") and rng.random() < 0.4:
        offer["service_tier"] = rng.choice(["bare", "image", "managed"])
    if rng.random() < 0.12:
        currency = rng.choice(["USD", "USD", "USD", "HKD"])
        for one in offer["prices"]:
            one["currency"] = currency
    offers = case["sheet"]["offers"]
    if rng.random() < 0.12 and offers:
        offer = dict(copy.deepcopy(rng.choice(offers)), site="site %d" % number)
    return offer


def random_profile(rng):
    by_hour = [rng.choice([0.1, 0.5, 0.8]) for _ in range(rng.choice([23, 23, 167]))] + [1]
    return rng.choice(["flat", "office_hours", "waking_hours", by_hour])


def random_workload(rng, name):
    card = rng.choice(CARDS[:1] * 14 + CARDS)
    kind = rng.choices(["usage", "hosting", "training", "inference"], [6, 2, 1, 1])[0]
    if kind == "hosting":
        return {"name": name, "kind": kind, "servers": rng.randint(1, 4),
                **rng.choice([{"card": card, "cards_per_server": 8}] * 3 + [{"server_kw": 3.3}]),
                **rng.choice([{}, {}, {"server_u": 4}, {"server_u": 6, "server_kw": 5.5}])}
    if kind == "usage":
        return {"name": name, "kind": kind, "card": card, "gpu_hours": rng.randint(100, 60000),
                "days": rng.choice([30, 90]), "buffer": rng.choice([0, 0.3]), "utilisation": rng.choice([1, 0.7])}
    if kind == "training":
        return {"name": name, "kind": kind, "method": rng.choice(["lora", "full"]), "model": "qwen2.5-7b",
                "tokens": rng.choice([2e8, 2e9]), "seq_len": 4096, "runs_per_month": rng.randint(1, 9),
                "deadline_hours": rng.choice([12, 48]), "valley_only": rng.random() < 0.3}
    return {"name": name, "kind": kind, "model": "qwen2.5-14b", "input_tokens": 1200, "output_tokens": 300,
            "requests_per_s": rng.choice([1, 10, 30]), "profile": random_profile(rng),
            "spare_replicas": rng.choice([0, 1]),
            **rng.choice([{"ttft_ms": 2000, "tpot_ms": 80}] * 3 + [{"mode": "offline"}])}


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
    elif rng.random() < 0.15:
        spec["network"] = rng.choice([{"egress_gb_per_month": 7000}, {"egress_gb_per_month": "200000.5"},
                                      {"dataset_tb_in": 3}, {"ips": 2}])
    if rng.random() < 0.15:
        spec.setdefault("network", {})["dedicated_mbps"] = rng.choice([50, 150, 200, "62.5"])
    if rng.random() < 0.1:
        spec.setdefault("network", {})["line"] = rng.choice(["bgp", "bgp", "BGP", "telecom", "dedicated"])
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
    "own_operation_cost": ["150"], "interruptions": ["0", "0.5"],
}


def random_assumptions(rng, spec):
    given = {}
    if rng.random() < 0.2:
        given["book_value_recovered"] = rng.choice(["0", "0.35"])
    if rng.random() < 0.25:
        given["vat_deductible"] = "0"
    if spec.get("service") == "bare" and rng.random() < 0.7:
        given.update(own_operation_hours="2.5", own_operation_cost=rng.choice(["150", "80.05"]))
    if rng.random() < 0.25:
        for name in rng.sample(list(ASSUMPTIONS), rng.randint(1, 6)):
            given[name] = rng.choice(ASSUMPTIONS[name])
    if given:
        spec["assumptions"] = given


REQUIRED = [{"replacement_hours": 4}, {"replacement_hours": "0.5"}, {"power_tier": "2n"}, {"delivery": "bare_metal"},
            {"max_card_age_years": 1}, {"max_card_age_years": "1.5"}, {"new_cards": True}, {"licences": ["IDC"]},
            {"licences": ["IDC", "ISP"]}, {"intra_link": "nvlink"}, {"inter_link": "ib"}]
START_BY = [TODAY, "2026-12-02", "2026-12-15", "2027-06-10", "2027-06-11"]


def random_spec(rng):
    spec = {"months": rng.choice([1, 2, 5, 6, 12, 13, 24]), "hours_per_month": rng.choice([720, 720, 730]),
            "tax": rng.choice(["excluded", "excluded", "included"]), "top": rng.choice([1, 2, 3, 5, 20]),
            "routes": rng.choice([["rent"], ["buy_and_host"], ["rent", "buy_and_host"],
                                  ["rent", "buy_and_host", "hybrid"], ["rent", "buy_and_host", "hybrid"]]),
            "terms": rng.choice([["hourly", "monthly", "quarterly", "yearly"]] * 2 +
                                [["monthly"], ["hourly", "monthly"], ["spot", "monthly"],
                                 ["monthly", "quarterly", "yearly"]]),
            "any_city": rng.random() < 0.7, "start": rng.choice([TODAY, TODAY, "2026-12-15", "2027-06-10"])}
    cities = rng.choice([[], [], ["深圳"], ["深圳", "东莞"], ["深圳", "东莞", "惠州"]])
    if cities:
        spec["cities"] = cities
    require = {}
    if rng.random() < 0.15:
        require["availability"] = "0.999"
    if rng.random() < 0.1:
        require["support_24x7"] = True
    if rng.random() < 0.25:
        require.update(rng.choice(REQUIRED))
    if rng.random() < 0.15:
        require["start_by"] = rng.choice([day for day in START_BY if day >= spec["start"]])
    if require:
        spec["require"] = require
    if rng.random() < 0.7:
        spec["fx"] = {"USD": {"rate": "7.0%02d" % rng.randint(0, 99), "date": rng.choice(["2026-11-30", "2025-01-31"])}}
        if rng.random() < 0.4:
            spec["fx"]["HKD"] = {"rate": "0.9%02d" % rng.randint(0, 99), "date": "2026-11-30"}
    if rng.random() < 0.1:
        spec["kwh_price"] = "0.%02d" % rng.randint(50, 99)
    if rng.random() < 0.2:
        spec["budget_per_month"] = amount(rng, 20000, 900000)
    if rng.random() < 0.1:
        spec["tariff"] = rng.choice(["dongguan-10kv-2026-01", "dongguan-1kv-2021-10"])
    if rng.random() < 0.1:
        spec["convert_usage"] = True
    random_needs(rng, spec)
    random_assumptions(rng, spec)
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
    for number in range(rng.randint(3, 12)):
        case["sheet"]["offers"].append(random_offer(rng, case, number))
    return case
