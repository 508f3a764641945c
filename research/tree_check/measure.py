"""How well the check tells doubtful headings, in the trees that a training keeps for it.

These trees are built by models that have not seen a document's group. A check judges documents of which it
has seen no relative (grouped folds), or nothing of their kind.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from research.calibration.fit import fit_curve
from research.markdown import head, line
from research.trees import measure
from research.trees.data import Case
from research.trees.stages import Task, say

from held.headings import Floats, Ints
from held.metrics import Share, bootstrap, mean, paired_bootstrap
from held.models.inference import BoostedTrees, calibrate, sigmoid
from held.training.boosted_data import TrainingRows
from held.training.boosted_trainer import with_unseen_wordings
from held.training.check_trainer import (
    UNKNOWN,
    BuiltTree,
    check_features,
    check_weights,
    grow_check,
    labelled_rows,
    right_places,
)
from held.tree import ROOT

FOLDS = 3
MARKED_SHARE = 0.1  # of all headings, the most doubtful ones
_TECHNICAL = ("manuals", "science", "word")  # domains that are left out together
_CURVE_STEP = 5  # every fifth heading is enough to fit a curve of two numbers
_DIGITS = 4


class CheckedTree(NamedTuple):
    """A document's tree, what the check sees of it, and what is true of it; a row for each heading.

    right                 whether it is right below its true parent, as in `right_places`
    is_wrong              whether it is a heading in a wrong place, or no heading
    heading_probability   by the heading step
    objects               how many objects it and its own text are
    """

    case: Case
    parents: tuple[int, ...]
    insertion: Floats
    heading_probability: Floats
    features: Floats
    right: Ints
    is_wrong: NDArray[np.bool_]
    objects: Ints
    rows: TrainingRows


PartOf = Callable[[Case], str]
"""Which part of the documents one belongs to; it is judged by a check that has not seen this part."""


def fold_of(case: Case) -> str:
    """The grouped fold of a document; not that of the models, so a check learns from trees of them all."""
    return str(zlib.crc32(f"doubt/{case.known.group}".encode()) % FOLDS)


def domain_of(case: Case) -> str:
    """The domain of a document, or several that are alike."""
    return "technical" if case.domain in _TECHNICAL else case.domain


PARTS: dict[str, PartOf] = {"grouped folds": fold_of, "kinds left out": domain_of}


def checked_trees(task: Task) -> list[CheckedTree]:
    """The trees that a training has kept, without those of documents whose outline was guessed."""
    first = pickle.loads((task.folder / "first.pickle").read_bytes())
    built = pickle.loads((task.folder / "built.pickle").read_bytes())
    found = {own.id: p for own, p in zip(task.documents(task.finding), first, strict=True)}
    case_of = {case.known.id: case for case in task.learnt}
    documents = task.documents(task.putting)
    weights = check_weights(documents, task.putting.outline_weights)
    trees = []
    for document, own, weight in zip(with_unseen_wordings(documents), built, weights, strict=True):
        case = case_of[document.id]
        if own is not None and not case.silver:
            wording = case._replace(known=document)
            trees.append(_checked_tree(wording, own, found[document.id], weight))
    return trees


def _checked_tree(case: Case, built: BuiltTree, probabilities: Floats, weight: float) -> CheckedTree:
    headings = list(built.headings)
    labels = case.known.labels
    right = right_places(case.known, built)
    features = check_features(case.known, built)
    return CheckedTree(
        case=case,
        parents=built.parents,
        insertion=built.probability,
        heading_probability=probabilities[headings],
        features=features,
        right=right,
        is_wrong=(labels[headings] == 0) | (right == 0),
        objects=np.diff([*headings, len(labels)]),
        rows=labelled_rows(features, right, weight),
    )


def judge(trees: Sequence[CheckedTree]) -> dict[str, Any]:
    """The figures by folds and on kinds left out."""
    results: dict[str, Any] = {}
    for name, part_of in PARTS.items():
        say(f"{name}: {len(trees)} documents")
        results[name] = judge_doubt(trees, cross_check(trees, part_of), part_of)
    return results


def cross_check(trees: Sequence[CheckedTree], part_of: PartOf) -> list[Floats]:
    """For each tree how probably each parent is right, by a check that learnt from the other parts."""
    found: dict[str, Floats] = {}
    for part in sorted({part_of(tree.case) for tree in trees}):
        rows = TrainingRows.concatenate([tree.rows for tree in trees if part_of(tree.case) != part])
        check = BoostedTrees(grow_check(rows, log=say))
        found |= {
            tree.case.known.id: sigmoid(check.score(tree.features))
            for tree in trees
            if part_of(tree.case) == part
        }
    return [found[tree.case.known.id] for tree in trees]


def judge_doubt(trees: Sequence[CheckedTree], checked: Sequence[Floats], part_of: PartOf) -> dict[str, Any]:
    """How well the insertion's probability and the check tell wrong headings.

    Headings are marked by their certainty, the product of the heading step's probability with either.
    """
    inserted = [tree.insertion for tree in trees]
    parts = [part_of(tree.case) for tree in trees]
    lost = [lost_paths(tree) for tree in trees]
    before, after = (
        marked_losses([tree.heading_probability * own for tree, own in zip(trees, places, strict=True)], lost)
        for places in (inserted, checked)
    )
    kinds = [measure.kind_by_hand(tree.case) or tree.case.domain for tree in trees]
    return {
        "documents": len(trees),
        "headings": sum(int((tree.right != UNKNOWN).sum()) for tree in trees),
        "log loss, insertion": round(_log_loss(trees, inserted, parts), _DIGITS),
        "log loss, check": round(_log_loss(trees, checked, parts), _DIGITS),
        "all": _marked_shares(before, after),
        "by kind": {
            kind: _marked_shares(
                *(
                    [own for own, its in zip(shares, kinds, strict=True) if its == kind]
                    for shares in (before, after)
                )
            )
            for kind in sorted(set(kinds))
        },
    }


def _marked_shares(before: Sequence[Share], after: Sequence[Share]) -> dict[str, Any]:
    """The share of lost paths that are marked, pooled and in the mean document, before and after."""
    pooled = [sum(shares, Share()) for shares in (before, after)]
    means = [[share.value for share in shares if share.total] for shares in (before, after)]
    gains = [own - other for other, own in zip(*means, strict=True)]
    figures: dict[str, Any] = {
        "lost paths": pooled[0].total,
        "marked, insertion": round(pooled[0].value, _DIGITS),
        "marked, check": round(pooled[1].value, _DIGITS),
        "documents that lose": len(gains),
    }
    if gains:
        figures |= {
            "interval": [round(bound, _DIGITS) for bound in paired_bootstrap(after, before)],
            "in a document, insertion": round(mean(means[0]), _DIGITS),
            "in a document, check": round(mean(means[1]), _DIGITS),
            "in a document, interval": [round(bound, _DIGITS) for bound in bootstrap(gains)],
        }
    return figures


def _log_loss(trees: Sequence[CheckedTree], places: Sequence[Floats], parts: Sequence[str]) -> float:
    """The log loss of "the parent is right", after a curve that is fitted on the other parts."""
    part = np.repeat(parts, [len(tree.right) for tree in trees])
    right = np.concatenate([tree.right for tree in trees])
    known = right != UNKNOWN
    part, right, score = part[known], right[known], np.concatenate(places)[known]
    loss = 0.0
    for name in sorted(set(parts)):
        is_own = part == name
        others = np.flatnonzero(~is_own)[::_CURVE_STEP]
        curve = fit_curve(score[others].tolist(), right[others].tolist())
        certainty = np.array([calibrate(curve, value) for value in score[is_own].tolist()])
        loss -= float(np.log(np.where(right[is_own] == 1, certainty, 1 - certainty)).sum())
    return loss / len(right)


def lost_paths(tree: CheckedTree) -> Ints:
    """For each heading the objects whose paths it drags.

    A path is lost to the topmost wrong heading on it: in "0 (1 (2))" with 1 and 2 both wrong, what lies below
    either is lost to 1.
    """
    lost = np.zeros(len(tree.parents), np.int64)
    topmost = np.full(len(tree.parents), ROOT)  # the topmost wrong heading, from the heading itself up
    for row, parent in enumerate(tree.parents):
        above = ROOT if parent == ROOT else topmost[parent]
        topmost[row] = above if above != ROOT else row if tree.is_wrong[row] else ROOT
        if topmost[row] != ROOT:
            lost[topmost[row]] += tree.objects[row]
    return lost


def marked_losses(scores: Sequence[Floats], lost: Sequence[Ints]) -> list[Share]:
    """Of each document's lost paths those to a heading with one of the lowest scores of all."""
    lowest = np.argsort(np.concatenate(scores), kind="stable")
    is_marked = np.zeros(len(lowest), bool)
    is_marked[lowest[: int(MARKED_SHARE * len(lowest))]] = True
    ends = np.cumsum([len(own) for own in lost])[:-1]
    pairs = zip(lost, np.split(is_marked, ends), strict=True)
    return [Share(int(own[marked].sum()), int(own.sum())) for own, marked in pairs]


def tables(results: Mapping[str, Any]) -> str:
    """Both tables as Markdown: all documents in either setting, and the lost paths by kind."""
    return "\n".join([*_summary_table(results), "", *_kind_table(results)])


def _summary_table(results: Mapping[str, Any]) -> Iterator[str]:
    yield head(("measure of doubt", "before", "with the check", "difference"))
    for name in PARTS:
        row = results[name]
        before, after = row["log loss, insertion"], row["log loss, check"]
        yield line((f"log loss, {name}", share_text(before), share_text(after), signed_text(after - before)))
        for key, title in (("marked", "lost paths marked"), ("in a document", "in the mean document")):
            before, after = row["all"][f"{key}, insertion"], row["all"][f"{key}, check"]
            bounds = row["all"]["interval" if key == "marked" else f"{key}, interval"]
            difference = f"{signed_text(after - before)} {interval_text(bounds)}"
            yield line((f"{title}, {name}", share_text(before), share_text(after), difference))


def _kind_table(results: Mapping[str, Any]) -> Iterator[str]:
    folds, left_out = (results[name]["by kind"] for name in PARTS)
    yield head(("documents", "lost paths", "marked before", "with the check", "kind left out"))
    for kind, row in folds.items():
        shares = (row["marked, insertion"], row["marked, check"], left_out[kind]["marked, check"])
        yield line((kind, f"{row['lost paths']:,}", *map(share_text, shares)))


def share_text(value: float) -> str:
    """A share without its zero: ".510"."""
    return f"{value:.3f}".removeprefix("0")


def signed_text(value: float) -> str:
    """A difference of shares: "+.021"."""
    return ("+" if value >= 0 else "-") + share_text(abs(value))


def interval_text(bounds: Sequence[float]) -> str:
    """An interval of differences: "[-.003, +.012]"."""
    return f"[{', '.join(map(signed_text, bounds))}]"
