"""demand.py - what each workload needs on each class of card, as the answer says it.

What the workload alone decides is worked out here and compared.
"""
from fractions import Fraction as F

from mix import levels_of, replicas_needed
from prices import up


USUAL_CARDS = 8  # of own servers of which only the power is said


def own_demand(case, workload, size):
    """(cards, servers, milli hours, milli card hours) of usage and hosting."""
    if workload["kind"] == "hosting":
        cards = workload["servers"] * workload.get("cards_per_server", USUAL_CARDS)
        return cards, -(-cards // size), case["hours"] * 1000, case["hours"] * 1000 * cards
    hours = (F(str(workload["gpu_hours"])) / (F(str(workload["days"])) * 24) * case["hours"]
             * (1 + F(str(workload["buffer"]))) / F(str(workload["utilisation"])))
    cards = max(1, up(hours / case["hours"]))
    servers = -(-cards // size)
    milli = up(hours * 1000)
    return cards, servers, -(-milli // (servers * size)), milli


class Demand:
    """One line of the answer's demand; what the workload alone decides is checked against it."""

    def __init__(self, case, index, line):
        workload = case["spec"]["workloads"][index]
        self.verdict = line["verdict"]
        self.ok = self.verdict == "ok"
        self.size = line["cards_per_server"]
        self.unit = line["servers_together"]
        self.watts = int(line["server_kw"] * 1000)
        self.height = workload.get("server_u")
        self.valley_only = workload.get("valley_only", False)
        self.cards, self.servers = line["cards"], line["servers"]
        self.milli = int(line["hours_per_month"] * 1000)
        self.milli_cards = int(line["card_hours_per_month"] * 1000)
        self.elastic = workload["kind"] == "usage"
        self.best = (line["best_total"], line["best_complete"])
        self.line = line
        self.levels = levels_of(case, workload, line) if self.ok else None
        fleet = self.ok and workload["kind"] == "inference" and "requests_per_s" in workload and line.get("replicas")
        # What is the same of two classes of one card whose servers may stand in for each other.
        self.alike = (line["card"], self.size, self.unit, self.cards, self.servers, self.milli, self.milli_cards,
                      self.watts, (line["cards_per_replica"], tuple(replicas_needed(workload, line))) if fleet else None)
        got = (self.cards, self.servers, self.milli, self.milli_cards)
        own = workload["kind"] in ("usage", "hosting") and workload.get("card") == line["card"]
        self.wrong = self.ok and own and got != own_demand(case, workload, self.size) or \
            self.levels is not None and -(-sum(self.levels) // self.servers) != self.milli

    def need(self):
        return {"servers": self.servers, "watts": self.watts, "milli_hours": self.milli, "server_u": self.height,
                "valley_only": self.valley_only}
