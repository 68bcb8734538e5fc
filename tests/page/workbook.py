"""workbook.py FILE - the cells of a workbook as JSON: [[name, [[cell, ...], ...]], ...].

Reads with Python's own zipfile and ElementTree, and refuses what is damaged. A number is
{"number": its digits as they stand in the file}, words are a string.
"""
import json
import re
import sys
import xml.etree.ElementTree as tree
import zipfile

MAIN = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
LINK = '{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id'


def column(reference):
    number = 0
    for letter in re.match('[A-Z]+', reference)[0]:
        number = number * 26 + ord(letter) - 64
    return number


def cells(sheet):
    rows = []
    for row in sheet.iter(MAIN + 'row'):
        found = []
        for cell in row.iter(MAIN + 'c'):
            assert column(cell.get('r')) == len(found) + 1, cell.get('r')
            assert cell.find(MAIN + 'f') is None, 'a formula in ' + cell.get('r')
            if cell.get('t') == 'inlineStr':
                found.append(''.join(text.text or '' for text in cell.iter(MAIN + 't')))
            else:
                value = cell.find(MAIN + 'v')
                found.append('' if value is None else {'number': value.text})
        rows.append(found)
    return rows


def read(path):
    with zipfile.ZipFile(path) as book:
        assert book.testzip() is None
        parts = {name: tree.fromstring(book.read(name)) for name in book.namelist()}
    targets = {link.get('Id'): link.get('Target') for link in parts['xl/_rels/workbook.xml.rels']}
    return [
        [sheet.get('name'), cells(parts['xl/' + targets[sheet.get(LINK)]])]
        for sheet in parts['xl/workbook.xml'].iter(MAIN + 'sheet')
    ]


json.dump(read(sys.argv[1]), sys.stdout)
