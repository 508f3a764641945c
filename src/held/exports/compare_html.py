"""A comparison as one page for a browser: both trees side by side, and the wrong steps to walk through.

Without its script the page shows everything and its links work; the script walks from fault to fault and
shows what each dragged along.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import Template

from held.exports.compare_text import dragged_along, kinds_of_faults, scores, shown
from held.exports.page import asset, escaped, page
from held.metrics import Fault, FaultKind
from held.metrics.compare import Comparison, Entry, Pair, State

_NO_ENTRY = {
    FaultKind.MISSED: "taken for body",
    FaultKind.LOST: "no object was recognised",
    FaultKind.FALSE: "no heading",
}


def comparison_html(comparison: Comparison) -> str:
    """The whole page."""
    gold, found = comparison.gold.name, comparison.found.name
    body = Template(asset("compare.html")).substitute(
        gold=escaped(gold),
        found=escaped(found),
        scores="".join(
            f"<div><dt>{escaped(name)}</dt><dd>{escaped(shown(score))}</dd></div>"
            for name, score in scores(comparison).items()
        ),
        summary=_summary(comparison),
        faults="".join(_fault(comparison, number, fault) for number, fault in enumerate(comparison.faults)),
        rows="\n".join(_rows(comparison)),
    )
    style = asset("page.css") + asset("compare.css")
    return page(f"{found} against {gold}", body, style=style, script=asset("compare.js"))


def _summary(comparison: Comparison) -> str:
    if not comparison.faults:
        return "<p>Both trees are the same.</p>"
    kinds = "".join(
        f"<li><b>{count}</b> {escaped(kind)}</li>"
        for kind, count in kinds_of_faults(comparison.faults).most_common()
    )
    return f'<ul class="kinds">{kinds}</ul>'


def _fault(comparison: Comparison, number: int, fault: Fault) -> str:
    """A wrong step in the list beside the trees."""
    title, where = comparison.concerned(fault)
    about = filter(None, ["" if where is None else f"page {where}", dragged_along(comparison, fault)])
    first = " · the first" if number == 0 else ""
    return (
        f'<li><a href="#f{number}"><span class="kind">{number + 1}. {escaped(fault.kind)}{first}</span>'
        f"<b>{escaped(title) or '(no text)'}</b><small>{escaped(' · '.join(about))}</small></a></li>"
    )


def _rows(comparison: Comparison) -> Iterator[str]:
    """A row of the table for each heading."""
    for pair in comparison.pairs:
        fault = None if pair.fault is None else comparison.faults[pair.fault]
        at_fault = pair.state is State.FAULT
        identity = f' id="f{pair.fault}"' if at_fault else ""
        number = "" if pair.fault is None else f' data-fault="{pair.fault}"'
        yield (
            f'<tr class="{pair.state}"{identity}{number}>{_cell(pair.gold, fault)}'
            f"{_cell(pair.found, fault, _note(comparison, pair, fault))}</tr>"
        )


def _cell(entry: Entry | None, fault: Fault | None, note: str = "") -> str:
    """One side of a row; where it has no such heading, why."""
    if entry is None:
        missing = _NO_ENTRY.get(fault.kind, "") if fault else "not listed"
        return f'<td class="none"><span>{escaped(missing)}</span>{note}</td>'
    guides = "<i></i>" * (entry.level - 1)
    where = "" if entry.page is None else f"<small>{entry.page}</small>"
    title = escaped(entry.title) or "(no text)"
    return f'<td><div class="entry">{guides}<span>{title}{note}</span>{where}</div></td>'


def _note(comparison: Comparison, pair: Pair, fault: Fault | None) -> str:
    """What is wrong with the found side of a row."""
    if pair.state is State.UNKNOWN:
        return '<em class="quiet">may be a heading: not judged</em>'
    if fault is None or pair.fault is None:
        return ""
    number = pair.fault + 1
    if pair.state is State.DRAGGED:
        title, _ = comparison.concerned(fault)
        return f'<a class="cause" href="#f{pair.fault}" title="{escaped(title)}">because of {number}</a>'
    belongs, put = comparison.parents(fault)
    told = f"<em>{number}. {escaped(fault.kind)}</em>"
    if fault.kind in _NO_ENTRY or belongs is None or put is None:
        return told
    return told + f"<q>{escaped(belongs) or 'the root'}</q>"
