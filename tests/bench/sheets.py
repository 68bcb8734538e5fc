"""sheets.py FOLDER - the cells of the same sheets with openpyxl, xlsx2csv and Python's csv.

They stop at the cells; what a price means is still to be found out then.
"""
import csv
import shutil
import subprocess
import sys
import time
import warnings


def best(name, work):
    seconds = []
    for _ in range(3):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    print(f'{name:44} {min(seconds) * 1000:9.2f} ms')


def with_openpyxl():
    book = openpyxl.load_workbook(f'{sys.argv[1]}/prices.xlsx', read_only=True, data_only=True)
    for row in book.worksheets[0].iter_rows(values_only=True):
        tuple(row)


def with_xlsx2csv():
    subprocess.run(['xlsx2csv', f'{sys.argv[1]}/prices.xlsx', '/dev/null'], check=True)


def with_csv():
    with open(f'{sys.argv[1]}/prices.csv', encoding='utf-8', newline='') as file:
        for row in csv.reader(file):
            tuple(row)


warnings.simplefilter('ignore')
try:
    import openpyxl
    best('  its cells alone, openpyxl', with_openpyxl)
except ImportError:
    print('  (openpyxl is not installed)')
if shutil.which('xlsx2csv'):
    best('  its cells alone, xlsx2csv', with_xlsx2csv)
else:
    print('  (xlsx2csv is not installed)')
best('  cells of the CSV alone, csv', with_csv)
