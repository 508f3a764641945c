"""What a question asks for: its words with weights.

Words that hold a sentence together ask for nothing. Accountants have several names for one thing, and
a filing uses one of them: the others are asked for, too, with half the weight. The list is general
book-keeping in English, written by hand; `docs/retrieval.md` has what it brings.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from held.retrieval.tokens import tokens

SYNONYM_WEIGHT = 0.5

_FILLING = """
a an the of in on at to for from by with as is are was were be been being and or not no nor but if then
than that this these those it its their there here what which who whom how why when where do does did has
have had will would can could should may might about into over under between among during after before
above below up down out off per each any all some such only own same so too very just also please you
your we our us i me my he she they them his her using use used based give given provide answer question
respond response round decimal place units unit calculate define defined assume s
什么 多少 哪些 哪个 如何 怎么 为何 是否 以及 请问
"""

_NAMES = """
balance sheet = statement of financial position
income statement, p&l statement, p&l = statement of income / statement of operations / statement of earnings
statement of income = statement of operations / statement of earnings
cash flow statement = statement of cash flows
capex = capital expenditures / purchases of property, plant and equipment / additions to property
capital expenditure = purchases of property, plant and equipment / additions to property
pp&e, ppe, fixed asset turnover = property, plant and equipment
cogs = cost of goods sold / cost of sales / cost of revenue
revenue = net sales
topline = revenue / net sales
d&a = depreciation and amortization
ebitda = operating income / depreciation and amortization
eps = earnings per share
accounts payable = trade payables
accounts receivable = trade receivables
net income = net earnings
net profit margin = net income / net earnings
gross margin = gross profit / cost of sales
operating margin = operating income
fcf = free cash flow
free cash flow = net cash provided by operating activities / capital expenditures
liquidity = current assets / current liabilities
quick ratio, working capital = current assets / current liabilities / balance sheet
debt = borrowings / notes payable
roa, return on assets = total assets / net income
inventory turnover = cost of sales / inventory
geography = geographic / segment
industry = business
acquisition = acquired
legal = litigation / proceedings
"""


def asked(query: str, *, synonyms: bool = True) -> dict[str, float]:
    """The words that a question asks for, by weight; all its words where it has no others."""
    words = tokens(query)
    wanted = dict.fromkeys((word for word in words if word not in _filling()), 1.0)
    for name, others in _synonyms() if synonyms else ():
        if any(tuple(words[start : start + len(name)]) == name for start in range(len(words))):
            for word in others:
                wanted.setdefault(word, SYNONYM_WEIGHT)
    return wanted or dict.fromkeys(words, 1.0)


@cache
def _filling() -> frozenset[str]:
    return frozenset(tokens(_FILLING))


@cache
def _synonyms() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Each name with the words of its other names."""
    return tuple(_parsed(_NAMES))


def _parsed(lines: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    for line in lines.strip().splitlines():
        names, others = line.split(" = ")
        words = tuple(word for word in tokens(others) if word not in _filling())
        yield from ((tuple(tokens(name)), words) for name in names.split(","))
