"""plan.py DATABASE - the plan "usage, rent" as a buyer's own script would make it.

The same SQLite file, the sqlite3 module, floats: reads the rentals of one card that are on offer
today, takes the cheapest of hours, months and years for each, sorts, keeps ten. No split orders, no
mixes of terms, no reasons, no bill. Prints milliseconds for one plan.
"""
import json
import math
import sqlite3
import sys
import time

RENTAL, COMPUTE = 0, 0
HOURLY, MONTHLY, YEARLY = 0, 1, 3
CURRENT = 0
PER_CARD = 1
TODAY = 20787
REQUEST = ('{"workloads":[{"kind":"usage","card":"h100-sxm","gpu_hours":40000,"days":90,'
           '"buffer":0.3}],"routes":["rent"],"months":12,"top":10}')
QUERY = """
SELECT o.id, o.cards_per_server, o.servers_available, p.term, p.amount_micro, p.unit_per, p.tax
FROM offers o JOIN sheets s ON s.id = o.sheet_id JOIN prices p ON p.offer_id = o.id
WHERE s.status = ? AND o.kind = ? AND o.card = ? AND p.item = ?
AND (o.valid_from IS NULL OR o.valid_from <= ?) AND (o.valid_to IS NULL OR o.valid_to >= ?)
"""


def plan(database, text):
    request = json.loads(text)
    job = request['workloads'][0]
    cards = job['gpu_hours'] / (job['days'] * 24) * (1 + job['buffer'])
    months = request['months']
    best = {}
    rows = database.execute(QUERY, (CURRENT, RENTAL, job['card'], COMPUTE, TODAY, TODAY))
    for offer, per_server, stock, term, micro, per, tax in rows:
        servers = math.ceil(cards / per_server)
        if 0 <= stock < servers:
            continue
        yuan = micro / 1e6 / (1.06 if tax == 1 else 1)
        if per == PER_CARD:
            yuan *= servers * per_server
        else:
            yuan *= servers
        if term == HOURLY:
            total = yuan * 720 * months * cards / (servers * per_server)
        elif term == MONTHLY:
            total = yuan * months
        elif term == YEARLY:
            total = yuan * math.ceil(months / 12)
        else:
            continue
        if total < best.get(offer, math.inf):
            best[offer] = total
    ranked = sorted(best.items(), key=lambda item: (item[1], item[0]))[:request['top']]
    return json.dumps({'options': [{'offer': offer, 'total': round(total, 2)}
                                   for offer, total in ranked]})


connection = sqlite3.connect(f'file:{sys.argv[1]}?mode=ro', uri=True)
times = []
ended = time.perf_counter() + 1
while time.perf_counter() < ended or len(times) < 3:
    began = time.perf_counter()
    plan(connection, REQUEST)
    times.append(time.perf_counter() - began)
print(f'{min(times) * 1000:.3f}')
