"""What each choice of preset `base` brings: the same cross-validation with it and without it.

Every arm changes one setting of the shipped preset. An arm that the results file has already, for the same
data and settings, is not run again: the command can be stopped at any time. The table goes into docs/base.md.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from research.base import measure
from research.base.data import Case

from held.headings.texts import Floats
from held.headings.version import VERSION
from held.hierarchy.boosted_steps import headings_at
from held.hierarchy.steps import heading_step, tree_step
from held.training.boosted import (
    BoostedHeadings,
    BoostedPutOrSkip,
    silent,
    train_headings,
    train_put_or_skip,
)
from held.training.boosted_data import folds_of

SHOWN = ("zh_fin", "en_fin", "science", "manuals")
MARKS = ("<!-- choices -->", "<!-- end of choices -->")


class Arm(NamedTuple):
    """One setting changed: what it is called, and its values for either step."""

    name: str
    headings: Mapping[str, Any] = MappingProxyType({})
    placing: Mapping[str, Any] = MappingProxyType({})


ARMS = (
    Arm("as shipped"),
    Arm("without examples with found headings", placing={"found": False}),
    Arm("headings under a missing one taught", placing={"astray": True}),
    Arm("without any noise", placing={"misplaced": 0.0, "dropped": 0.0, "false": 0.0}),
    Arm("positions judged one by one, no softmax", placing={"softmax": False}),
    Arm("without unlisted headings", placing={"unlisted": 0.0}),
    Arm("heading step without known titles", headings={"hidden": "^title_"}),
    Arm("without the style table", placing={"hidden": "between"}),
    Arm("without the branch above and below", placing={"hidden": "^(above|closed|branch)_"}),
    Arm("all domains weighed alike by document", placing={"balance": 0.0}),
    Arm("threshold 0.5 instead of 0.25", headings={"threshold": 0.5}),
    Arm("without the next heading", placing={"hidden": "^next_|_next"}),
    Arm("heading step without the printed contents", headings={"hidden": "contents"}),
)


class Fold(NamedTuple):
    """The cases to learn from and those to judge."""

    seen: list[Case]
    judged: list[Case]


def folds_for(cases: Sequence[Case], count: int) -> list[Fold]:
    """The folds of the cases, grouped."""
    fold = folds_of([case.known for case in cases], count, seed=1)
    return [
        Fold(
            [case for case, f in zip(cases, fold, strict=True) if f != k],
            [case for case, f in zip(cases, fold, strict=True) if f == k],
        )
        for k in range(count)
    ]


def compare(
    cases: Sequence[Case],
    headings: BoostedHeadings,
    placing: BoostedPutOrSkip,
    *,
    folds: int,
    path: Path,
    page: Path | None = None,
    data: str,
) -> dict[str, Any]:
    """The figures of every arm; the file at `path` keeps them as they come, and so does the page's table."""
    known = json.loads(path.read_text(encoding="utf-8"))["arms"] if path.exists() else {}
    parts = folds_for(cases, folds)
    cache: dict[BoostedHeadings, dict[str, Floats]] = {}
    results: dict[str, Any] = {"folds": folds, "documents": len(cases), "arms": known}
    for arm in ARMS:
        finding, putting = replace(headings, **arm.headings), replace(placing, **arm.placing)
        origin = {"data": data, "features": VERSION, "settings": [asdict(finding), asdict(putting)]}
        if known.get(arm.name, {}).get("origin") != origin:
            started = time.time()
            grown = replace(finding, threshold=headings.threshold)  # what the threshold does not change
            if grown not in cache:
                cache[grown] = _probabilities(parts, grown)
            known[arm.name] = {"origin": origin, **_judge(parts, cache[grown], finding.threshold, putting)}
            known[arm.name]["seconds"] = round(time.time() - started)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            if page is not None:
                write_table(results, page)
        print(f"{arm.name:44}", {k: known[arm.name][k] for k in ("F1", "given", "both")}, flush=True)
    return results


def _probabilities(parts: Sequence[Fold], settings: BoostedHeadings) -> dict[str, Floats]:
    """For each document the probabilities by a model that has not seen its group."""
    found: dict[str, Floats] = {}
    for part in parts:
        step = heading_step(train_headings([case.known for case in part.seen], settings, say=silent))
        judged = measure.probabilities(part.judged, step)
        found |= {case.known.id: own for case, own in zip(part.judged, judged, strict=True)}
    return found


def _judge(
    parts: Sequence[Fold], probabilities: Mapping[str, Floats], threshold: float, settings: BoostedPutOrSkip
) -> dict[str, Any]:
    """Heading F1, paths of headings with the true ones given, and paths of all objects after both steps."""

    def found_in(case: Case) -> tuple[int, ...]:
        return headings_at(threshold, probabilities[case.known.id])

    cases: list[Case] = []
    given, both = [], []
    for part in parts:
        seen = [case.known for case in part.seen]
        found = [found_in(case) for case in part.seen]
        placer = tree_step(train_put_or_skip(seen, settings, found=found, say=silent))
        cases += part.judged
        given += measure.insertions(part.judged, measure.true_headings(part.judged), placer)
        both += measure.insertions(part.judged, [found_in(case) for case in part.judged], placer)
    matches = measure.heading_table(cases, [found_in(case) for case in cases])
    reach, trees = measure.reachable(cases, given), measure.tree_table(cases, both)
    return {
        "F1": {domain: round(m.f1, 4) for domain, m in matches.items()},
        "given": {domain: round(share.value, 4) for domain, share in reach.items()},
        "both": {domain: round(found.paths.value, 4) for domain, found in trees.items()},
    }


def write_table(results: Mapping[str, Any], page: Path) -> None:
    """Puts the table of the arms between the marks of the page."""
    text = page.read_text(encoding="utf-8")
    start, end = text.index(MARKS[0]) + len(MARKS[0]), text.index(MARKS[1])
    page.write_text(f"{text[:start]}\n\n{markdown(results)}\n{text[end:]}", encoding="utf-8")


def markdown(results: Mapping[str, Any]) -> str:
    """The table: the figures of each arm for the four domains."""
    lines = [
        f"| {' '.join(SHOWN)} | heading F1 | tree step, headings given | both steps, all objects |",
        "| --- | --- | --- | --- |",
    ]
    for name, figures in results["arms"].items():
        cells = (" ".join(_short(figures[k].get(d)) for d in SHOWN) for k in ("F1", "given", "both"))
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}".lstrip("0")
