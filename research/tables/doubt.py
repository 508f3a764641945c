"""Fits the model of doubt about tables and writes it into the package.

    python -m research.tables.doubt PDFS … --made MADE

PDFS are folders with the true cells beside each PDF, MADE keeps our own printed tables. `fresh.jsonl` has
tables of Debian packages that a person looked at beside their pages, with the evidence of the finder at that
time. It learns from half A alone. What it prints of each collection comes from ten folds: no model had seen
the table's document or style. `python -m research.tables.judged` measures the marks of the package.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from research.result_file import result_text, write_result
from research.tables.judged import (
    NEARLY_RIGHT,
    RIGHT,
    KnownDocument,
    judge_tables,
    known_documents,
    read_document,
)

import held.layout.tables.doubt as doubt
from held.layout.furniture import find_furniture
from held.layout.lines import build_lines

MODEL = Path(doubt.__file__).with_name("doubt.json")
NAMES = [evidence.name for evidence in doubt.EVIDENCE]
RESULT = Path(__file__).with_name("doubt.json")
FRESH = Path(__file__).with_name("fresh.jsonl")
MAX_RIGHT_MARKED = 0.12  # share of right tables of others that may be marked, the mean of their collections
PENALTY = 0.0002  # of squared weights
STEPS, STEP = 4000, 0.3

Array = NDArray[np.float64]


class Sample(NamedTuple):
    """A found table with its evidence."""

    document: str
    collection: str
    f1: float
    evidence: dict[str, float]


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--made", type=Path, required=True, help="keeps the printed tables of our own")
    options = parser.parse_args(arguments)
    samples = []
    for known in known_documents(options.folders, options.made):
        if known.half == "A":
            samples += collect(known)
    _fit_and_write(samples + fresh_samples("A"))
    found = {f"fresh, half {half}": judge_fresh(half) for half in "AB"}
    print(result_text(found))
    kept = json.loads(RESULT.read_text("utf-8"))
    kept["after"].update(found)
    write_result(RESULT, kept)
    return 0


def fresh_samples(half: str) -> list[Sample]:
    """The tables of a half that a person looked at, with their evidence."""
    rows = map(json.loads, FRESH.read_text("utf-8").splitlines())
    return [
        Sample(row["file"], "fresh", float(row["right"]), dict.fromkeys(NAMES, 0.0) | row["evidence"])
        for row in rows
        if row["half"] == half
    ]


def judge_fresh(half: str) -> dict[str, Any]:
    """Which share of wrong and of right tables of a half the model of the package marks."""
    doubt.shipped_model.cache_clear()
    model = doubt.shipped_model()
    marked: dict[bool, list[bool]] = {False: [], True: []}
    for sample in fresh_samples(half):
        is_marked = doubt.error_probability(sample.evidence, model) >= model.threshold
        marked[sample.f1 >= RIGHT].append(is_marked)
    wrong, right = marked[False], marked[True]
    return {
        "tables": len(wrong) + len(right),
        "wrong": len(wrong),
        "wrong marked": round(sum(wrong) / len(wrong), 3),
        "F1 below 0.9": None,
        "of these marked": None,
        "right": len(right),
        "right marked": round(sum(right) / len(right), 3),
    }


def collect(known: KnownDocument) -> list[Sample]:
    """The found tables of a document with their evidence."""
    pages, document = read_document(known.path)
    lines = [build_lines(page, pages.styles) for page in pages.pages]
    furniture = find_furniture(pages, lines)
    kept = [
        [line for index, line in enumerate(on_page) if index not in furniture[number]]
        for number, on_page in enumerate(lines)
    ]
    surroundings = doubt.find_surroundings(document, pages.pages, kept)
    samples = []
    for table, f1 in judge_tables(document, known.tables):
        own = {part.page: surroundings[part.page] for part in table.parts}
        evidence = doubt.measure_evidence(doubt.TableView(table, own))
        samples.append(Sample(known.name, known.collection, f1, evidence))
    return samples


# --- Fitting ---


def _fit_and_write(samples: Sequence[Sample]) -> None:
    documents = sorted({sample.document for sample in samples})
    scores = _cross_validated(samples, documents)
    _report(samples, scores)
    weights, bias = fit(samples)
    threshold = _threshold(samples, scores)
    stored = {
        name: round(weight, 3) for name, weight in zip(NAMES, weights.tolist(), strict=True) if weight > 0
    }
    model = {"threshold": round(threshold, 3), "bias": round(bias, 3), "weights": stored}
    write_result(MODEL, model)
    print(result_text(model))


def _cross_validated(samples: Sequence[Sample], documents: Sequence[str], folds: int = 10) -> Array:
    """The probability of each table by a model that saw neither its document nor its style."""
    scores = np.zeros(len(samples))
    order = np.random.default_rng(0).permutation(len(documents))
    for fold in range(folds):
        held_out = {documents[i] for i in order[fold::folds]}
        weights, bias = fit([sample for sample in samples if sample.document not in held_out])
        for place, sample in enumerate(samples):
            if sample.document in held_out:
                scores[place] = _probability(_features([sample]) @ weights + bias)[0]
    return scores


def fit(samples: Sequence[Sample]) -> tuple[Array, float]:
    """Non-negative weights and the bias of a logistic model, each collection with the same total weight."""
    features, wrong = _features(samples), np.array([sample.f1 < RIGHT for sample in samples], float)
    counts = {sample.collection: 0 for sample in samples}
    for sample in samples:
        counts[sample.collection] += 1
    share = np.array([1 / (len(counts) * counts[sample.collection]) for sample in samples])
    weights, bias = np.zeros(features.shape[1]), 0.0
    for _ in range(STEPS):
        error = share * (_probability(features @ weights + bias) - wrong)
        weights = np.maximum(0.0, weights - STEP * (features.T @ error + PENALTY * weights))
        bias -= STEP * float(error.sum())
    return weights, bias


def _features(samples: Sequence[Sample]) -> Array:
    return np.array([[sample.evidence[name] for name in NAMES] for sample in samples], float)


def _probability(scores: Array) -> Array:
    found: Array = 1 / (1 + np.exp(-scores))
    return found


def _threshold(samples: Sequence[Sample], scores: Array) -> float:
    """The lowest score that marks few enough right tables of documents that are not our own."""
    groups: dict[str, list[float]] = {}
    for sample, score in zip(samples, scores, strict=True):
        if sample.f1 >= RIGHT and sample.collection != "made":
            groups.setdefault(sample.collection, []).append(score)
    for threshold in np.unique(scores):
        marked = [sum(score >= threshold for score in group) / len(group) for group in groups.values()]
        if sum(marked) / len(marked) <= MAX_RIGHT_MARKED:
            break
    return float(threshold)


def _report(samples: Sequence[Sample], scores: Array) -> None:
    for collection in sorted({sample.collection for sample in samples}):
        chosen = np.array([sample.collection == collection for sample in samples])
        f1 = np.array([sample.f1 for sample in samples])
        right = scores[chosen & (f1 >= RIGHT)]
        for share in (0.1, 0.2, 0.3):
            threshold = np.quantile(right, 1 - share)
            wrong = (scores[chosen & (f1 < RIGHT)] > threshold).mean()
            bad = (scores[chosen & (f1 < NEARLY_RIGHT)] > threshold).mean()
            marked = f"{share:.0%} of right marked at {threshold:.2f}"
            print(f"{collection}: {marked}: wrong {wrong:.3f}, F1 < .9 {bad:.3f}")


if __name__ == "__main__":
    sys.exit(main())
