"""Figures of the check: the paths of the trees that it chooses, and how well it tells doubtful headings."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from research.calibration.fit import fit_curve
from research.markdown import head, line
from research.opinion.candidates import DocumentTrees, right_parents
from research.opinion.check import PartOf, choose_tree, cross_check, find_examples
from research.opinion.fold_models import FOLDS, FOUND, GIVEN, read_trees, say

from held.headings import Floats
from held.metrics import Share, bootstrap, mean, paired_bootstrap
from held.models.inference import calibrate
from held.tree import ROOT

MARKED_SHARE = 0.1  # of all headings, the most doubtful ones
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
        results[name] = {
            "paths": judge_paths(judged, right),
            "doubt": judge_doubt(judged, [own[0] for own in right], part_of),
        }
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


def judge_doubt(
    judged: Sequence[DocumentTrees], checked: Sequence[Floats], part_of: PartOf
) -> dict[str, Any]:
    """How well the insertion's probability and the check tell wrong parents in the greedy trees."""
    inserted = [trees.candidates[0].probability for trees in judged]
    right = [right_parents(trees, trees.candidates[0].parents) for trees in judged]
    lost = [lost_paths(trees) for trees in judged]
    product = [probability * own for probability, own in zip(inserted, checked, strict=True)]
    parts = [part_of(trees) for trees in judged]
    before, after = marked_losses(inserted, lost), marked_losses(product, lost)
    pooled = [sum(shares, Share()).value for shares in (before, after)]
    own_before, own_after = ([share.value for share in shares if share.total] for shares in (before, after))
    gains = [after - before for before, after in zip(own_before, own_after, strict=True)]
    return {
        "headings": sum(int((own >= 0).sum()) for own in right),
        "log loss, insertion": round(log_loss_by_curve(inserted, right, parts), _DIGITS),
        "log loss, check": round(log_loss_by_curve(checked, right, parts), _DIGITS),
        "marked, insertion": round(pooled[0], _DIGITS),
        "marked, product": round(pooled[1], _DIGITS),
        "marked, interval": _bounds(paired_bootstrap(after, before)),
        "documents that lose": len(gains),
        "marked in a document, insertion": round(mean(own_before), _DIGITS),
        "marked in a document, product": round(mean(own_after), _DIGITS),
        "marked in a document, interval": _bounds(bootstrap(gains)),
    }


def log_loss_by_curve(
    probabilities: Sequence[Floats], right: Sequence[NDArray[np.int64]], parts: Sequence[Any]
) -> float:
    """The log loss of "the parent is right", after a curve that is fitted on the other parts."""
    part = np.repeat(np.array(parts, object), [len(own) for own in right])
    label = np.concatenate(right)
    score = np.concatenate(probabilities)[label >= 0]
    part, label = part[label >= 0], label[label >= 0]
    loss = 0.0
    for name in sorted(set(parts), key=str):
        is_own = part == name
        curve = fit_curve(score[~is_own].tolist(), label[~is_own].tolist())
        certainty = np.array([calibrate(curve, value) for value in score[is_own].tolist()])
        loss -= float(np.log(np.where(label[is_own] == 1, certainty, 1 - certainty)).sum())
    return loss / len(label)


def lost_paths(trees: DocumentTrees) -> Floats:
    """For each heading of the greedy tree the objects whose paths it drags.

    A path is lost to the topmost wrong parent on it: in "0 (1 (2))" with 1 and 2 both wrong, what lies below
    either is lost to 1.
    """
    parents = trees.candidates[0].parents
    right = right_parents(trees, parents)
    root = np.full(len(parents), -1)  # the topmost heading with a wrong parent, from the heading itself up
    lost = np.zeros(len(parents), np.float32)
    for row, parent in enumerate(parents):
        above = -1 if parent == ROOT else root[parent]
        root[row] = above if above >= 0 else row if right[row] == 0 else -1
        if root[row] >= 0:
            lost[root[row]] += trees.weight[row]
    return lost


def marked_losses(scores: Sequence[Floats], lost: Sequence[Floats]) -> list[Share]:
    """Of each document's lost paths those whose root is marked, as one of the lowest scores of all."""
    lowest = np.argsort(np.concatenate(scores), kind="stable")
    is_marked = np.zeros(len(lowest), bool)
    is_marked[lowest[: int(MARKED_SHARE * len(lowest))]] = True
    ends = np.cumsum([len(own) for own in lost])[:-1]
    pairs = zip(lost, np.split(is_marked, ends), strict=True)
    return [Share(int(own[marked].sum()), int(own.sum())) for own, marked in pairs]


def _bounds(interval: tuple[float, float]) -> list[float]:
    return [round(bound, _DIGITS) for bound in interval]


def tables(results: Mapping[str, Any]) -> str:
    """Both tables as Markdown."""
    return "\n".join([*_path_table(results), "", *_doubt_table(results)])


def _path_table(results: Mapping[str, Any]) -> Iterator[str]:
    gains = [title for name in PARTS for title in (f"gain, {name}", "won, lost")]
    yield head(("documents", "number", "greedy", "best candidate", *gains))
    settings = [results[name]["paths"] for name in PARTS]
    for kind, row in settings[0].items():
        cells = []
        for own in (setting[kind] for setting in settings):
            cells += [f"{_signed(own['gain'])} {_interval(own['interval'])}", f"{own['won']}, {own['lost']}"]
        yield line((kind, row["documents"], _share(row["greedy"]), _share(row["best candidate"]), *cells))


def _doubt_table(results: Mapping[str, Any]) -> Iterator[str]:
    yield head(("measure of doubt", "before", "with the check", "difference"))
    for name in PARTS:
        row = results[name]["doubt"]
        before, after = row["log loss, insertion"], row["log loss, check"]
        yield line((f"log loss, {name}", _share(before), _share(after), _signed(after - before)))
        for key, title in (("marked", "lost paths marked"), ("marked in a document", "in the mean document")):
            before, after = row[f"{key}, insertion"], row[f"{key}, product"]
            difference = f"{_signed(after - before)} {_interval(row[f'{key}, interval'])}"
            yield line((f"{title}, {name}", _share(before), _share(after), difference))


def _share(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def _signed(value: float) -> str:
    return ("+" if value >= 0 else "-") + _share(abs(value))


def _interval(bounds: Sequence[float]) -> str:
    return f"[{', '.join(map(_signed, bounds))}]"
