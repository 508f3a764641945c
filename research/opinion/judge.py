"""Figures of the choice among trees: the paths of the trees that the check chooses."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from research.markdown import head, line
from research.opinion.candidates import DocumentTrees
from research.opinion.check import PartOf, choose_tree, cross_check, find_examples
from research.opinion.fold_models import FOLDS, FOUND, GIVEN, read_trees, say

from held.headings import Floats
from held.metrics import bootstrap, mean

ALL = "all"
_TECHNICAL = ("manuals", "science", "word")  # domains that are left out together
_DIGITS = 4


def fold_of(trees: DocumentTrees) -> int:
    """The grouped fold of a document; not that of the models, so a check learns from trees of them all."""
    return zlib.crc32(f"0/{trees.group}".encode()) % FOLDS


def domain_of(trees: DocumentTrees) -> str:
    """The domain of a document, or several that are alike."""
    domain = trees.id.rpartition("-")[0]
    return "technical" if domain in _TECHNICAL else domain


PARTS: dict[str, PartOf] = {"grouped folds": fold_of, "kinds left out": domain_of}


def judge(work: Path) -> dict[str, Any]:
    """The figures by folds and on kinds left out, from the candidates in a folder."""
    judged = list(read_trees(work / FOUND))
    examples = [find_examples(trees) for trees in (*judged, *read_trees(work / GIVEN))]
    results: dict[str, Any] = {}
    for name, part_of in PARTS.items():
        say(f"{name}: {len(judged)} documents")
        right = cross_check(judged, examples, part_of)
        results[name] = {"paths": judge_paths(judged, right)}
    return results


def judge_paths(judged: Sequence[DocumentTrees], right: Sequence[Sequence[Floats]]) -> dict[str, Any]:
    """By kind the mean paths of a document: of greedy trees, of those chosen, and of the best candidates."""
    rows: dict[str, list[tuple[float, float, float]]] = {ALL: []}
    for trees, own in zip(judged, right, strict=True):
        of_candidate = [count / max(1, trees.paths) for count in trees.right_paths]
        figures = (of_candidate[0], of_candidate[choose_tree(trees, own)], max(of_candidate))
        rows[ALL].append(figures)
        rows.setdefault(trees.kind, []).append(figures)
    return {kind: _path_figures(rows[kind]) for kind in sorted(rows, key=lambda kind: (kind == ALL, kind))}


def _path_figures(rows: Sequence[tuple[float, float, float]]) -> dict[str, Any]:
    greedy, chosen, best = zip(*rows, strict=True)
    gains = [after - before for before, after, _ in rows]
    return {
        "documents": len(rows),
        "greedy": round(mean(greedy), _DIGITS),
        "chosen": round(mean(chosen), _DIGITS),
        "best candidate": round(mean(best), _DIGITS),
        "gain": round(mean(gains), _DIGITS),
        "interval": _bounds(bootstrap(gains)),
        "won": sum(gain > 0 for gain in gains),
        "lost": sum(gain < 0 for gain in gains),
    }


def _bounds(interval: tuple[float, float]) -> list[float]:
    return [round(bound, _DIGITS) for bound in interval]


def tables(results: Mapping[str, Any]) -> str:
    """The table as Markdown."""
    return "\n".join(_path_table(results))


def _path_table(results: Mapping[str, Any]) -> Iterator[str]:
    gains = [title for name in PARTS for title in (f"gain, {name}", "won, lost")]
    yield head(("documents", "number", "greedy", "best candidate", *gains))
    settings = [results[name]["paths"] for name in PARTS]
    for kind, row in settings[0].items():
        cells = [kind, row["documents"], share_text(row["greedy"]), share_text(row["best candidate"])]
        for own in (setting[kind] for setting in settings):
            gain = f"{signed_text(own['gain'])} {interval_text(own['interval'])}"
            cells += [gain, f"{own['won']}, {own['lost']}"]
        yield line(cells)


def share_text(value: float) -> str:
    """A share without its zero: ".510"."""
    return f"{value:.3f}".removeprefix("0")


def signed_text(value: float) -> str:
    """A difference of shares: "+.021"."""
    return ("+" if value >= 0 else "-") + share_text(abs(value))


def interval_text(bounds: Sequence[float]) -> str:
    """An interval of differences: "[-.003, +.012]"."""
    return f"[{', '.join(map(signed_text, bounds))}]"
