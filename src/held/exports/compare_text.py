"""A comparison for the terminal, and as JSON: scores, then every fault and what it dragged along."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

from held.metrics import Fault, FaultKind, Matches, Share, TreeCounts
from held.metrics.compare import Comparison, State

COMPARISON_FORMAT = "held.comparison"
COMPARISON_VERSION = 1
_MOST_DRAGGED = 5
_MOST_CHARACTERS = 72


def comparison_text(comparison: Comparison) -> str:
    """The comparison to read: what is alike, and where it first goes wrong."""
    return "\n".join(_lines(comparison)) + "\n"


def scores(comparison: Comparison) -> dict[str, Share | Matches | float]:
    """The scores by name, in the order in which they are shown."""
    counts = comparison.counts
    found: dict[str, Share | Matches | float] = {}
    if comparison.gold.whole:
        found["paths right, all objects"] = counts.paths
    found["paths right, headings"] = counts.heading_paths
    found["parent right, headings found"] = counts.parents
    found["level right, whatever the path"] = counts.levels_only
    found["headings found"] = counts.headings
    found["tree similarity (TEDS)"] = comparison.similarity
    if comparison.gold.truth.unknown:
        found["paths right, headings, unknowns as body"] = comparison.unmasked.heading_paths
    return found


def shown(score: Share | Matches | float) -> str:
    """A score as a person reads it."""
    match score:
        case Share():
            return f"{_percent(score.value)}  ({score.right} of {score.total})"
        case Matches():
            parts = f"precision {_percent(score.precision)}, recall {_percent(score.recall)}"
            return f"{_percent(score.f1)}  (F1; {parts})"
    return _percent(score)


def kinds_of_faults(faults: tuple[Fault, ...]) -> Counter[FaultKind]:
    """How many faults there are of each kind."""
    return Counter(fault.kind for fault in faults)


def dragged_along(comparison: Comparison, fault: Fault) -> str:
    """What a fault dragged along, in words; "" where it was nothing."""
    headings = len(comparison.dragged_headings(fault))
    rest = len(fault.dragged) - headings
    parts = [f"{headings} heading{'s' * (headings > 1)}"] if headings else []
    parts += [f"{rest} object{'s' * (rest > 1)} of the body"] if rest else []
    return f"dragged along {' and '.join(parts)}" if parts else ""


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
        "headings": [
            {
                "gold": pair.gold and pair.gold._asdict(),
                "found": pair.found and pair.found._asdict(),
                "state": pair.state.value,
                "fault": pair.fault,
            }
            for pair in comparison.pairs
        ],
    }


def _lines(comparison: Comparison) -> Iterator[str]:
    yield f"gold   {comparison.gold.name}"
    yield f"found  {comparison.found.name}"
    yield ""
    for name, score in scores(comparison).items():
        yield f"{name:<40} {shown(score)}"
    faults = comparison.faults
    yield ""
    if not faults:
        yield "Both trees are the same."
        return
    judged = [pair for pair in comparison.pairs if pair.state is not State.UNKNOWN]
    wrong = sum(pair.state is not State.RIGHT for pair in judged)
    steps = "1 wrong step" if len(faults) == 1 else f"{len(faults)} wrong steps"
    yield f"{wrong} of {len(judged)} headings are wrong, by {steps}:"
    for kind, count in kinds_of_faults(faults).most_common():
        yield f"{count:>6}  {kind}"
    for number, fault in enumerate(faults, 1):
        yield ""
        yield from _fault_lines(comparison, number, fault)


def _fault_lines(comparison: Comparison, number: int, fault: Fault) -> Iterator[str]:
    title, page = comparison.concerned(fault)
    first = ", the first" if number == 1 else ""
    place = "" if page is None else f"page {page}: "
    yield f"{number}. {fault.kind}{first} - {place}{_short(title)}"
    belongs, put = comparison.parents(fault)
    if belongs is not None and fault.kind is not FaultKind.FALSE:
        yield f"     belongs under  {_short(belongs) or 'the root'}"
    if put is not None and fault.kind is not FaultKind.MISSED:
        yield f"     was put under  {_short(put) or 'the root'}"
    headings = comparison.dragged_headings(fault)
    if fault.dragged:
        yield f"     {dragged_along(comparison, fault)}"
    for node in headings[:_MOST_DRAGGED]:
        yield f"       · {_short(comparison.gold.title(node))}"
    if len(headings) > _MOST_DRAGGED:
        yield f"       · and {len(headings) - _MOST_DRAGGED} more"


def _short(title: str) -> str:
    return title if len(title) <= _MOST_CHARACTERS else title[: _MOST_CHARACTERS - 1] + "…"


def _percent(value: float) -> str:
    return "-" if math.isnan(value) else f"{100 * value:.1f} %"


def _fault_to_json(comparison: Comparison, fault: Fault) -> dict[str, Any]:
    title, page = comparison.concerned(fault)
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
    def share(value: Share) -> dict[str, Any]:
        return {"right": value.right, "total": value.total}

    def matches(value: Matches) -> dict[str, Any]:
        return {"both": value.both, "true": value.true, "found": value.found}

    return {
        "paths": share(counts.paths),
        "heading_paths": share(counts.heading_paths),
        "parents": share(counts.parents),
        "levels_only": share(counts.levels_only),
        "by_level": {str(level): matches(found) for level, found in counts.by_level.items()},
        "headings": matches(counts.headings),
        "left_out": share(counts.left_out),
        "entirely_right": bool(counts.documents.right),
    }
