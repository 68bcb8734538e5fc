"""option.py - the figures, items and lines of one option of an answer against what they must be.

What adds up within the answer is asked of every option; the rest of those whose offers are certain.
"""
from collections import Counter
from fractions import Fraction as F

from prices import Cabinets, Line, Order, assume, fen, rounded, vat_is_cost, vat_of

ACCOUNTS = {
    "compute": {"rent_hourly", "rent_spot", "rent_monthly", "rent_quarterly", "rent_yearly"},
    "network_storage": {"bandwidth", "bandwidth_95", "traffic", "dedicated_line", "ip", "storage"},
    "service": {"service_monthly", "own_operation", "maintenance"},
    "power": {"energy", "power_kw"},
    "cabinet": {"cabinet_monthly", "cabinet_quarterly", "cabinet_yearly"},
    "purchase": {"purchase_cash", "depreciation", "write_off", "capital", "spares"},
    "tax": {"vat_not_deductible"},
    "one_off": {"setup", "deposit", "deposit_capital"},
}
ACCOUNT_OF = {what: account for account, whats in ACCOUNTS.items() for what in whats}
# Lines that are no cost, and lines whose source is another figure than the price itself.
NO_COST = {"purchase_cash", "deposit"}
DERIVED = {"depreciation", "write_off", "capital", "spares", "maintenance", "own_operation", "vat_not_deductible",
           "deposit_capital"}
SMALL = F(1, 10**6)


def text_of(amount):
    return "%.6f" % float(amount)


def differs(name, got, want):
    return None if got == want else "%s %s, expected %s" % (name, got, want)


def first(found):
    return next((one for one in found if one is not None), None)


# ---- What adds up ----

def wrong_line(line):
    """Its account, whether it is a cost, and quantity times unit price, of both of which six decimals are shown."""
    amount, quantity, each = F(line["amount"]), F(line["quantity"]), F(line["unit_price"])
    close = abs(quantity * each - amount) <= (abs(quantity) + abs(each) + 1) * SMALL + F(1, 200)
    if not close and line["what"] != "vat_not_deductible":
        return "%s x %s is not %s" % (line["quantity"], line["unit_price"], line["amount"])
    return differs(line["what"], (line["account"], line["is_cost"]),
                   (ACCOUNT_OF[line["what"]], line["what"] not in NO_COST))


def wrong_sums(case, option):
    costs = Counter()
    for line in option["lines"]:
        costs[line["account"]] += F(line["amount"]) if line["is_cost"] else 0
    spans = [at for i in option["items"] for at in range(i["first_line"], i["first_line"] + i["line_count"])]
    total = F(option["total"])
    deposit = sum(F(line["amount"]) for line in option["lines"] if line["what"] == "deposit")
    return first([wrong_line(line) for line in option["lines"]] + [
        differs("lines of items", sorted(spans), list(range(len(option["lines"])))),
        differs("sum of lines", sum(costs.values()), total),
        differs("accounts", {a: F(n) for a, n in option["accounts"].items()}, {a: costs[a] for a in ACCOUNTS}),
        differs("per month", F(option["per_month"]), fen(total / case["months"])),
        differs("deposit", F(option["deposit"]), deposit)])


# ---- What was expected ----

def line_key(what, offer, amount):
    return what, 0 if what in DERIVED else offer, amount


def wrong_lines(bill, option):
    """Lines of no amount may be left out."""
    got = [(line_key(line["what"], line["source"].get("offer") or 0, F(line["amount"])), F(line["quantity"]))
           for line in option["lines"] if F(line["amount"])]
    want = [(line_key(line.what, line.offer, fen(line.amount)), line.quantity)
            for line in bill.all_of(Line) if fen(line.amount)]
    more, fewer = Counter(k for k, _ in got), Counter(k for k, _ in want)
    if more != fewer:
        return "lines %s, expected %s" % (sorted(map(str, (more - fewer).elements())),
                                          sorted(map(str, (fewer - more).elements())))
    for (key, quantity), (_, expected) in zip(sorted(got), sorted(want, key=lambda one: (one[0], one[1] or 0))):
        if expected is not None and abs(quantity - expected) > SMALL * (1 + abs(expected)):
            return "quantity of %s: %s, expected %s" % (key, text_of(quantity), text_of(expected))
    return None


def sla_loss(case, order, cost):
    """What COST is expected to pay for nothing; None when the offer promises nothing."""
    offer, losses = order.offer, []
    if "availability" in offer:
        losses.append(cost * (1 - F(offer["availability"])))
    if "replacement_hours" in offer:
        servers = max(1, order.servers)
        failures = assume(case, "interruptions") * servers * case["months"]
        an_hour = cost / (servers * case["months"] * case["hours"])
        losses.append(failures * F(offer["replacement_hours"]) * an_hour)
    return fen(max(losses)) if losses else None


def rented(case, bill):
    """(offer, lots, their cards, years, quarters, months, by the hour, spot, SLA loss) of each order."""
    for done in bill.walk():
        for order in [o for o in done.own if isinstance(o, Order)]:
            mix = order.mix
            yield (order.offer["id"], order.lots, order.lot, *(mix.committed.get(n, 0) for n in (12, 3, 1)),
                   mix.by_hour, mix.spot, sla_loss(case, order, done.total))


def shown_rented(option):
    for item in option["items"]:
        if item["offer_kind"] == "rental":
            mix = item["mix"]
            yield (item["offer"], *(mix[name] for name in ("lots", "lot_cards", "years", "quarters", "months",
                                                           "hourly_months", "spot")),
                   None if item["sla_loss"] is None else F(item["sla_loss"]))


def paid(case, bill, when):
    """What leaves the till; VAT that is a cost goes with what it is on, each rate of an order rounded once."""
    total = F(0)
    for order in [done for done in bill.walk() if done.is_finished]:
        by_rate = Counter()
        for line in order.lines:
            if line.paid == when:
                by_rate[line.rate] += fen(line.amount)
        vat = sum(fen(amount * rate) for rate, amount in by_rate.items()) if vat_is_cost(case) else 0
        total += sum(by_rate.values()) + vat
    return total


def wrong_figures(case, bill, card_hours, option):
    lines = bill.all_of(Line)
    vat = sum(sum(vat_of(case, done).values()) for done in bill.walk() if done.is_finished)
    energy = sum(line.quantity for line in lines if line.what == "energy")
    a_card_hour = rounded(bill.total / card_hours, 6) if card_hours else None
    shown = option["per_card_hour"]
    return first([
        differs("upfront", option["upfront"], "%.2f" % paid(case, bill, "upfront")),
        differs("paid per month", F(option["paid_per_month"]), fen(paid(case, bill, "monthly") / case["months"])),
        differs("VAT", F(option["vat"]), vat),
        differs("per card-hour", None if shown is None else F(shown), a_card_hour),
        differs("cabinets", option["cabinets"], sum(found.count for found in bill.all_of(Cabinets))),
        None if abs(F(option["energy_kwh"]) - energy) <= SMALL * (1 + energy) else
        "energy %s, expected %s" % (option["energy_kwh"], text_of(energy))])


def wrong_token_prices(case, option, picks):
    """All of it per million tokens; of serving the parts that prompts and answers bear are all of it again."""
    workload, line = case["spec"]["workloads"][0], picks[0]["demand"].line
    millions = F(line["tokens_per_month"] or 0) * case["months"] / 10**6
    if len(picks) > 1 or not millions:
        return differs("per million tokens", option["per_million_tokens"], None)
    total = F(option["total"])
    close = SMALL * (1 + millions) + total / line["tokens_per_month"]  # of which no fractions are shown
    if abs(F(option["per_million_tokens"]) * millions - total) > close:
        return "%s per million of %s tokens" % (option["per_million_tokens"], line["tokens_per_month"])
    if workload["kind"] != "inference":
        return differs("per million input tokens", option["per_million_input_tokens"], None)
    inputs = millions * workload["input_tokens"] / workload["output_tokens"]
    both = F(option["per_million_input_tokens"]) * inputs + F(option["per_million_output_tokens"]) * millions
    if abs(both - total) > close + SMALL * (inputs + total):
        return "prompts and answers bear %s" % text_of(both)
    return None


def wrong_option(case, shown, option, sides):
    """SHOWN: (bill, ..., picks, ...) that OPTION must be; SIDES: the ids of those who sell beside."""
    bill, picks = shown[0], shown[3]
    bill_of_picks = picks[0]["bill"] if len(picks) == 1 else sum((p["bill"] for p in picks[1:]), picks[0]["bill"])
    card_hours = sum(F(p["demand"].milli_cards, 1000) for p in picks) * case["months"]
    return first([
        wrong_lines(bill_of_picks, option),
        differs("rented", list(shown_rented(option)), list(rented(case, bill_of_picks))),
        differs("unknown", {u["what"] for u in option["unknown"]}, set(bill.all_of(str))),
        differs("sellers beside", {i["offer"] for i in option["items"]} & sides, set(bill.used) & sides),
        wrong_figures(case, bill_of_picks, card_hours, option),
        wrong_token_prices(case, option, picks)])
