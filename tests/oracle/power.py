"""power.py - what electricity costs, hour by hour on the calendar where it has a tariff."""
import csv
import datetime
import os
from fractions import Fraction as F

from prices import UNITS, Bill, Line, assume, bill_of, line_of, on_basis, things_of, without_price

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
CITY_IDS = {"深圳": "shenzhen", "东莞": "dongguan", "惠州": "huizhou", "广州": "other", "": "unknown"}


def read_table(name):
    with open(os.path.join(ROOT, "schema", "reference", name), encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


HOURS = {row["id"]: row for row in read_table("tariff_hours.csv")}
TARIFFS = read_table("tariffs.csv")
BANDS = {"v": "valley", "f": "flat", "p": "peak", "s": "sharp"}


def tariff_of(case, city):
    """The one the request names, else that of the city: known before unknown, then the newer one."""
    if "tariff" in case["spec"]:
        return next(t for t in TARIFFS if t["id"] == case["spec"]["tariff"])
    found = [t for t in TARIFFS if t["city"] == CITY_IDS[city]]
    priced = [t for t in found if any(t[band] for band in BANDS.values())]
    return max(priced or found, key=lambda t: t["valid_from"], default=None)


def add_months(day, months):
    month = day.month - 1 + months
    year = day.year + month // 12
    month = month % 12 + 1
    last = ((datetime.date(year + month // 12, month % 12 + 1, 1)) - datetime.timedelta(1)).day
    return datetime.date(year, month, min(day.day, last))


def band_hours(case, table):
    """Hours of the project in each band, day by day on the calendar."""
    day = datetime.date.fromisoformat(case["start"])
    end = add_months(day, case["months"])
    sharp = set(map(int, table["sharp_months"].split()))
    hours = dict.fromkeys(BANDS.values(), 0)
    while day < end:
        for band in table["sharp_hours" if day.month in sharp else "hours"]:
            hours[BANDS[band]] += 1
        day += datetime.timedelta(1)
    return hours


def mean_load(case, need):
    share = F(need["milli_hours"], case["hours"] * 1000)
    load = assume(case, "load_factor")
    return load if share >= 1 else load * share + assume(case, "idle_draw") * (1 - share)


def loads(case, need, table):
    """(share of the maximum drawn in the valley, and in the other hours)."""
    if not need.get("valley_only") or table is None:
        mean = mean_load(case, need)
        return mean, mean
    load = assume(case, "load_factor")
    return load, min(load, assume(case, "idle_draw"))


def by_tariff(case, tariff, kw, drawn):
    result = Bill()
    for band, hours in band_hours(case, HOURS[tariff["hours"]]).items():
        kwh = kw * hours * drawn[band != "valley"]
        if kwh and not tariff[band]:
            result += without_price(["energy"])
        elif kwh:
            vat = assume(case, "power_vat_rate")
            price = on_basis(case, F(tariff[band]), tariff["tax"], vat)
            result += bill_of([Line(price * kwh, vat, "energy", quantity=kwh)])
    return result


def power(case, offer, need, cabinets):
    """By the way it is billed: included, by the landlord's own price (of a month first where it is flat, else of
    a kWh first), by the hours of the tariff."""
    billing = offer.get("power_billing")
    if billing == "included":
        return Bill()
    own = [p for p in offer["prices"] if p["item"] == "power"]
    if "kwh_price" in case["spec"]:
        given = {"item": "power", "term": "metered", "as_quoted": case["spec"]["kwh_price"], "tax": case["tax"],
                 "unit": "元/度"}
        own = own or [given]
    tariff = None if "kwh_price" in case["spec"] else tariff_of(case, offer.get("city", ""))
    table = None if tariff is None else HOURS[tariff["hours"]]
    if tariff is not None and own and not any(tariff[band] for band in BANDS.values()):
        tariff = None
    kw = F(need["watts"] * need["servers"], 1000)
    at_meter = kw * F(str(offer.get("pue", assume(case, "pue"))))
    drawn = loads(case, need, table)
    if tariff is not None and (billing == "tou" or not own) and billing != "flat":
        return by_tariff(case, tariff, at_meter, drawn)
    if not own:
        return without_price(["energy"])
    own.sort(key=lambda price: (UNITS[price["unit"]][0] == "kwh") == (billing == "flat"))
    if UNITS[own[0]["unit"]][0] != "kwh":
        things = things_of(own[0], {"kw": kw, "ampere": kw / F(22, 100), "cabinet": cabinets})
        return bill_of([line_of(case, own[0], things * case["months"])])
    valley = F(table["hours"].count("v"), 24) if table else 0
    mean = drawn[0] * valley + drawn[1] * (1 - valley)
    return bill_of([line_of(case, own[0], at_meter * mean * case["months"] * case["hours"])])
