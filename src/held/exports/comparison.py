"""A comparison of two trees as text, JSON and a web page: scores, then each error and its consequences.

The page shows both trees side by side. Without its script it is complete and its links work; the script
steps from error to error and highlights the consequences of each.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from string import Template
from typing import Any

from held.document import Box, Kind, PageRegion, PhysicalObject
from held.exports.html_blocks import build_page, escape_html, page_style, read_asset
from held.exports.object_text import shorten
from held.exports.outline import OutlineLine
from held.metrics import Fault, FaultKind, Matches, Share, TreeCounts
from held.metrics.compare import Comparison, HeadingState, Pair, Side, SideHeading
from held.metrics.trees import Truth, labels_of
from held.tree import Tree

Score = Share | Matches | float

COMPARISON_FORMAT = "held.comparison"
COMPARISON_VERSION = 1  # of the JSON
_MAX_DRAGGED = 5  # headings listed per error
_MAX_TITLE_LENGTH = 72  # characters: a line of a terminal has 80
_MISSING_ENTRY = {
    FaultKind.MISSED: "taken for body",
    FaultKind.LOST: "no object was recognised",
    FaultKind.FALSE: "no heading",
}


def side_of_outline(name: str, lines: Sequence[OutlineLine]) -> Side:
    """An outline as a side of a comparison; an entry that skips levels is a child of the one before it."""
    tree = Tree()
    levels: list[int] = []
    objects: list[PhysicalObject] = []
    nowhere = Box(0, 0, 0, 0)  # an outline names pages, but no places on them
    for index, line in enumerate(lines):
        while levels and levels[-1] >= line.level:
            levels.pop()
        tree = tree.put(index, len(levels))
        levels.append(line.level)
        region = PageRegion(line.page, nowhere)
        objects.append(PhysicalObject(Kind.HEADING, line.title, (region,)))
    all_headings = labels_of(range(len(lines)), len(lines))
    return Side(name, Truth(tree, all_headings), tuple(objects), {}, whole=False)


def comparison_text(comparison: Comparison) -> str:
    """The comparison for a terminal."""
    return "\n".join(_text_lines(comparison)) + "\n"


def _text_lines(comparison: Comparison) -> Iterator[str]:
    yield f"gold   {comparison.gold.name}"
    yield f"found  {comparison.found.name}"
    yield ""
    for name, score in _scores(comparison).items():
        yield f"{name:<40} {_format_score(score)}"
    faults = comparison.faults
    yield ""
    if not faults:
        yield "Both trees are the same."
        return
    states = Counter(pair.state for pair in comparison.pairs)
    compared = len(comparison.pairs) - states[HeadingState.UNKNOWN]
    wrong = compared - states[HeadingState.RIGHT]
    steps = _format_count(len(faults), "wrong step")
    yield f"{wrong} of {compared} headings are wrong, by {steps}:"
    for kind, count in _count_kinds(faults):
        yield f"{count:>6}  {kind}"
    for number, fault in enumerate(faults, start=1):
        yield ""
        yield from _fault_lines(comparison, number, fault)


def _fault_lines(comparison: Comparison, number: int, fault: Fault) -> Iterator[str]:
    title, page = comparison.heading_of(fault)
    first = ", the first" if number == 1 else ""
    location = "" if page is None else f"page {page}: "
    yield f"{number}. {fault.kind}{first} - {location}{_shorten(title)}"
    belongs, put = comparison.parents(fault)
    # A false heading belongs nowhere, and a missed one was put nowhere.
    if belongs is not None and fault.kind is not FaultKind.FALSE:
        yield f"     belongs under  {_shorten(belongs) or 'the root'}"
    if put is not None and fault.kind is not FaultKind.MISSED:
        yield f"     was put under  {_shorten(put) or 'the root'}"
    if fault.dragged:
        yield f"     {_consequences(comparison, fault)}"
    headings = comparison.dragged_headings(fault)
    for node in headings[:_MAX_DRAGGED]:
        title = comparison.gold.title(node)
        yield f"       · {_shorten(title)}"
    unlisted = len(headings) - _MAX_DRAGGED
    if unlisted > 0:
        yield f"       · and {unlisted} more"


def _scores(comparison: Comparison) -> dict[str, Score]:
    """The scores by name, in the order in which they are shown."""
    counts = comparison.counts
    scores: dict[str, Score] = {}
    if comparison.gold.whole:
        scores["paths right, all objects"] = counts.paths
    scores["paths right, headings"] = counts.heading_paths
    scores["parent right, headings found"] = counts.parents
    scores["level right, whatever the path"] = counts.levels_only
    scores["headings found"] = counts.headings
    scores["tree similarity (TEDS)"] = comparison.similarity
    if comparison.gold.truth.unknown:
        scores["paths right, headings, unknowns as body"] = comparison.unmasked.heading_paths
    return scores


def _format_score(score: Score) -> str:
    match score:
        case Share():
            return f"{_percent(score.value)}  ({score.right} of {score.total})"
        case Matches():
            precision, recall = _percent(score.precision), _percent(score.recall)
            return f"{_percent(score.f1)}  (F1; precision {precision}, recall {recall})"
    return _percent(score)


def _percent(value: float) -> str:
    # The share of no headings at all is not a number.
    return "-" if math.isnan(value) else f"{100 * value:.1f} %"


def _count_kinds(faults: Sequence[Fault]) -> list[tuple[FaultKind, int]]:
    """How many errors there are of each kind, the most frequent first."""
    return Counter(fault.kind for fault in faults).most_common()


def _consequences(comparison: Comparison, fault: Fault) -> str:
    """The objects that an error moved along with it, in words; "" if there are none."""
    headings = len(comparison.dragged_headings(fault))
    rest = len(fault.dragged) - headings
    parts = []
    if headings:
        parts.append(_format_count(headings, "heading"))
    if rest:
        objects = _format_count(rest, "object")
        parts.append(f"{objects} of the body")
    return f"dragged along {' and '.join(parts)}" if parts else ""


def _format_count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _shorten(title: str) -> str:
    return shorten(title, _MAX_TITLE_LENGTH)


def comparison_to_json(comparison: Comparison) -> dict[str, Any]:
    """The comparison as a JSON object."""
    return {
        "format": COMPARISON_FORMAT,
        "version": COMPARISON_VERSION,
        "gold": comparison.gold.name,
        "found": comparison.found.name,
        "scores": _counts_to_json(comparison.counts) | {"similarity": comparison.similarity},
        "unmasked": _counts_to_json(comparison.unmasked),
        "faults": [_fault_to_json(comparison, fault) for fault in comparison.faults],
        "headings": [_pair_to_json(pair) for pair in comparison.pairs],
    }


def _pair_to_json(pair: Pair) -> dict[str, Any]:
    return {
        "gold": None if pair.gold is None else pair.gold._asdict(),
        "found": None if pair.found is None else pair.found._asdict(),
        "state": pair.state.value,
        "fault": pair.fault,  # the index of the error in `faults`
    }


def _fault_to_json(comparison: Comparison, fault: Fault) -> dict[str, Any]:
    title, page = comparison.heading_of(fault)
    belongs, put = comparison.parents(fault)
    return {
        "kind": fault.kind.value,
        "node": fault.node,
        "object": fault.obj,
        "title": title,
        "page": page,
        "belongs_under": belongs,
        "put_under": put,
        "dragged": list(fault.dragged),
    }


def _counts_to_json(counts: TreeCounts) -> dict[str, Any]:
    by_level = {}
    for level, found in counts.by_level.items():
        by_level[str(level)] = _matches_to_json(found)
    return {
        "paths": _share_to_json(counts.paths),
        "heading_paths": _share_to_json(counts.heading_paths),
        "parents": _share_to_json(counts.parents),
        "levels_only": _share_to_json(counts.levels_only),
        "by_level": by_level,
        "headings": _matches_to_json(counts.headings),
        "left_out": _share_to_json(counts.left_out),
        "entirely_right": bool(counts.documents.right),
    }


def _share_to_json(share: Share) -> dict[str, Any]:
    return {"right": share.right, "total": share.total}


def _matches_to_json(matches: Matches) -> dict[str, Any]:
    return {"both": matches.both, "true": matches.true, "found": matches.found}


def comparison_html(comparison: Comparison) -> str:
    """The comparison as a web page."""
    gold, found = comparison.gold.name, comparison.found.name
    scores = ""
    for name, score in _scores(comparison).items():
        value = escape_html(_format_score(score))
        scores += f"<div><dt>{escape_html(name)}</dt><dd>{value}</dd></div>"
    body = Template(read_asset("compare.html")).substitute(
        gold=escape_html(gold),
        found=escape_html(found),
        scores=scores,
        summary=_html_summary(comparison),
        faults="".join(_html_faults(comparison)),
        rows="\n".join(_html_rows(comparison)),
    )
    style = page_style("compare.css")
    return build_page(f"{found} against {gold}", body, style=style, script=read_asset("compare.js"))


def _html_summary(comparison: Comparison) -> str:
    if not comparison.faults:
        return "<p>Both trees are the same.</p>"
    items = ""
    for kind, count in _count_kinds(comparison.faults):
        items += f"<li><b>{count}</b> {escape_html(kind)}</li>"
    return f'<ul class="kinds">{items}</ul>'


def _html_faults(comparison: Comparison) -> Iterator[str]:
    """The errors as a list beside the trees."""
    for number, fault in enumerate(comparison.faults):
        title, page = comparison.heading_of(fault)
        location = "" if page is None else f"page {page}"
        consequences = _consequences(comparison, fault)
        separator = " · " if location and consequences else ""
        details = escape_html(location + separator + consequences)
        first = " · the first" if number == 0 else ""
        kind = f"{number + 1}. {escape_html(fault.kind)}{first}"
        name = escape_html(title) or "(no text)"
        yield (
            f'<li><a href="#f{number}"><span class="kind">{kind}</span>'
            f"<b>{name}</b><small>{details}</small></a></li>"
        )


def _html_rows(comparison: Comparison) -> Iterator[str]:
    """A table row for each heading: `<tr class="fault" id="f0" data-fault="0">`, then gold and found."""
    for pair in comparison.pairs:
        fault = None
        attributes = f'class="{pair.state}"'
        # The id is the target of the list of errors; the script highlights all rows of one error.
        if pair.state is HeadingState.FAULT:
            attributes += f' id="f{pair.fault}"'
        if pair.fault is not None:
            fault = comparison.faults[pair.fault]
            attributes += f' data-fault="{pair.fault}"'
        remark = _html_remark(comparison, pair, fault)
        gold = _html_cell(pair.gold, fault)
        found = _html_cell(pair.found, fault, remark)
        yield f"<tr {attributes}>{gold}{found}</tr>"


def _html_cell(entry: SideHeading | None, fault: Fault | None, remark: str = "") -> str:
    """One side of a row; if it has no such heading, the reason."""
    if entry is None:
        reason = _MISSING_ENTRY.get(fault.kind, "") if fault else "not listed"
        return f'<td class="none"><span>{escape_html(reason)}</span>{remark}</td>'
    guides = "<i></i>" * (entry.level - 1)  # vertical lines that show the depth
    page = "" if entry.page is None else f"<small>{entry.page}</small>"
    title = escape_html(entry.title) or "(no text)"
    return f'<td><div class="entry">{guides}<span>{title}{remark}</span>{page}</div></td>'


def _html_remark(comparison: Comparison, pair: Pair, fault: Fault | None) -> str:
    """The remark beside a wrong heading, as HTML; "" for a right one."""
    if pair.state is HeadingState.UNKNOWN:
        return '<em class="quiet">may be a heading: not judged</em>'
    if fault is None or pair.fault is None:
        return ""
    number = pair.fault + 1
    if pair.state is HeadingState.DRAGGED:
        title, _ = comparison.heading_of(fault)
        attributes = f'class="cause" href="#f{pair.fault}" title="{escape_html(title)}"'
        return f"<a {attributes}>because of {number}</a>"
    remark = f"<em>{number}. {escape_html(fault.kind)}</em>"
    belongs, put = comparison.parents(fault)
    if fault.kind in _MISSING_ENTRY or belongs is None or put is None:
        return remark
    return f"{remark}<q>{escape_html(belongs) or 'the root'}</q>"
