#!/usr/bin/env python3
"""brute_force.py PROGRAM [CASES] [SEED] - the planner against every possibility.

Makes small random catalogues and requests (cases.py), plans each with `PROGRAM plan --lines` and by
trying everything in exact fractions (plan.py, mix.py, bill.py), and compares: every option's route,
total to the fen, order and offers, its lines, figures and mixes of terms (option.py), what each class
costs at best, and the count of offers by reason.
It shares no code and no search with the program: only the words of the interface and the definitions
in its headers.
What training and inference need on a card is taken from the program's own answer (`demand`).
"""
import json
import random
import subprocess
import sys
from fractions import Fraction as F

from cases import random_case
from mix import ROUNDING, TooClose, TooLarge
from option import wrong_option, wrong_sums
from plan import ROUTES, SIDE_KINDS, Plan
from prices import Price, figures


def str_fen(amount):
    return "%d.%02d" % divmod(int(amount * 100), 100)


def as_text(options):
    return str([(route, unknown, float(total)) for route, unknown, total in options])


def wrong_mixes(got, want):
    """Servers of a mix may be shared out in several ways that differ only by rounding."""
    pairs = list(zip(sorted(got), sorted(want)))
    close = len(got) == len(want) and all(a[:2] == b[:2] and abs(a[2] - b[2]) <= (ROUNDING if a[0] == "hybrid" else 0)
                                          for a, b in pairs)
    if not close or [o[1:] for o in got] != sorted(o[1:] for o in got):
        return "options %s\n   expected %s" % (as_text(got), as_text(want))
    return None


def compared(plan, answer, shown):
    """(options, options expected) without those that leave something unknown where the interface does
    not promise that they are looked for."""
    return ([o for o in answer["options"] if not o["unknown"] or plan.seeks_incomplete(o["route"])],
            [s for s in shown if not s[0].unknown or plan.seeks_incomplete(ROUTES[s[1]])])


def wrong_answer(plan, answer):
    """What does not add up within the answer."""
    for at, option in enumerate(answer["options"]):
        alike = [o for o in answer["options"] if (len(o["unknown"]) > 0, o["total"]) ==
                 (len(option["unknown"]) > 0, option["total"])]
        wrong = wrong_sums(plan.case, option)
        if option["rank"] != at + 1 or option["ties"] != (len(alike) > 1) or not option["meets"]:
            wrong = wrong or "rank, ties, meets"
        if wrong:
            return "option %d: %s" % (at + 1, wrong)
    first = {route: next((o["rank"] for o in answer["options"] if o["route"] == route), None) for route in ROUTES}
    if first != {route: answer["routes"][route] for route in ROUTES}:
        return "routes %s" % answer["routes"]
    return None


def wrong_options(plan, answer, shown):
    options, shown = compared(plan, answer, shown)
    got = [(o["route"], len(o["unknown"]) > 0, F(o["total"])) for o in options]
    want = [(ROUTES[s[1]], *s[0]) for s in shown]
    if any(p["route"] == "hybrid" for s in shown for p in s[3]):
        return wrong_mixes(got, want)
    if got != want:
        return "options %s\n   expected %s" % (as_text(got), as_text(want))
    # An order may be shared out in several ways that cost the same, and then stands among its equals.
    shared_out = {s[0] for s in shown if any(p["split"] for p in s[3])}
    for option, s in zip(options, shown):
        ids = [i["offer"] for i in option["items"] if i["offer_kind"] not in SIDE_KINDS]
        expected = [i for p in s[3] for i in p["ids"]]
        if ids != expected and s[0] not in shared_out:
            return "items %s, expected %s" % (ids, expected)
        more = sum(p["written_off"] for p in s[3])
        if option["total_if_written_off"] != (str_fen(s[0].total + more) if more else None):
            return "written off %s, expected %s more" % (option["total_if_written_off"], float(more))
        certain = s[0] not in shared_out and not any(p["route"] == "hybrid" for p in s[3])
        wrong = wrong_option(plan.case, s, option, plan.side_ids) if certain else None
        if wrong:
            return "option %d: %s" % (option["rank"], wrong)
        carrier = None if s[4] is None else plan.names[s[4]]
        if option["network_at"] != carrier and s[0] not in shared_out:
            return "network at %s, expected %s" % (option["network_at"], carrier)
    return None


def wrong_classes(plan):
    """What a class costs at best, where the answer says so."""
    if "budget_per_month" in plan.spec:
        return None
    for (index, of_class), demand in plan.demands.items():
        bills = [p["bill"] for route in plan.plain[index].values() for p in route if p["demand"] is demand]
        total, complete = demand.best
        if plan.workloads[index]["kind"] == "hosting":
            continue
        rounding = ROUNDING if plan.plain[index]["hybrid"] else 0
        if total is not None and (not bills or min(bills).unknown == complete or
                                  abs(min(bills).total - F(total)) > rounding):
            return "best of %s: %s, expected %s" % (of_class, total, [float(b.total) for b in bills])
    return None


def wrong_reasons(plan, answer, shown):
    reasons = {n["reason"]: n["offers"] for n in answer["not_chosen"]}
    used = answer["offers"]["used"]
    counts, expected = plan.count_reasons(shown)
    not_alone = {n["reason"]: n["offers"] - n["alone"] for n in answer["not_chosen"] if n["offers"] != n["alone"]}
    if not_alone != plan.not_alone():
        return "not alone %s, expected %s" % (not_alone, plan.not_alone())
    gaps = {n["reason"]: n["gap"] for n in answer["not_chosen"] if n["reason"] in plan.gaps()}
    if gaps != plan.gaps():
        return "gaps %s, expected %s" % (gaps, plan.gaps())
    if sum(reasons.values()) + used != len(plan.case["offers"]):
        return "offers do not add up"
    split = any(p["split"] for s in shown for p in s[3]) or \
        any(s[0].unknown and not plan.seeks_incomplete(ROUTES[s[1]]) for s in shown)
    mixes = "hybrid" in plan.spec["routes"] and any(d.levels for d in plan.demands.values())
    merged = ("dearer", "stock", "budget", "no_partner", "no_price", "cabinet_power") \
        if plan.full or split or mixes else ()
    fold = lambda c, u: ({k: v for k, v in c.items() if k not in merged},
                         sum(c.get(k, 0) for k in merged) + (u if split else 0), None if split else u)
    if fold(reasons, used) != fold(counts, expected):
        return "reasons %s used %s, expected %s used %s" % (reasons, used, counts, expected)
    return None


def compare(case, answer):
    """(what differs or None, options compared)."""
    if "options" not in answer:
        return "refused: %s" % json.dumps(answer, ensure_ascii=False), 0
    plan = Plan(case, answer)
    if any(d.wrong for d in plan.demands.values()):
        return "demand", 0
    shown = plan.answer()
    wrong = wrong_answer(plan, answer) or wrong_options(plan, answer, shown) or wrong_classes(plan) or \
        wrong_reasons(plan, answer, shown)
    return wrong, len(shown)


def priced(price, offer):
    """PRICE as one of OFFER's."""
    result = Price(price)
    result.offer = offer
    return result


def prepared(case):
    """The case with its offers numbered as the program does, and its basis at hand."""
    spec = case["spec"]
    offers = [dict(o, id=i + 1, prices=[priced(p, i + 1) for p in o["prices"]])
              for i, o in enumerate(case["sheet"]["offers"])]
    return dict(case, offers=offers, figures=figures(spec), months=spec["months"], hours=spec["hours_per_month"],
                tax=spec["tax"], terms=spec["terms"], start=spec["start"])


def main():
    program = sys.argv[1]
    cases = int(sys.argv[2]) if len(sys.argv) > 2 else 3000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    rng = random.Random(seed)
    child = subprocess.Popen([program, "plan", "--lines"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    bad = options = done = skipped = 0
    while done < cases:
        case = random_case(rng)
        line = json.dumps(case, ensure_ascii=False)
        child.stdin.write(line + "\n")
        child.stdin.flush()
        text = child.stdout.readline()
        if not text:
            print("the program died: %s\n%d passed, %d failed" % (line, done - bad, bad + 1))
            return 1
        try:
            difference, count = compare(prepared(case), json.loads(text, parse_float=F))
        except (TooLarge, TooClose):
            skipped += 1
            continue
        done += 1
        options += count
        if difference is not None:
            bad += 1
            if bad <= 5:
                print("case %d (seed %d): %s\n   %s" % (done, seed, difference, line))
    child.stdin.close()
    child.wait()
    print("oracle: %d cases, %d options compared; %d more cases were too large to try all, or too close" %
          (cases, options, skipped))
    print("%d passed, %d failed" % (cases - bad, bad))
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
