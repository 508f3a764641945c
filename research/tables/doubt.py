"""Fits and judges the doubt about tables: are wrong ones marked, and right ones not?

    python -m research.tables.doubt measure PDFS … --made MADE [--half A] -o research/tables/doubt.json
    python -m research.tables.doubt fit PDFS … --made MADE

PDFS are folders with the true cells beside each PDF, MADE keeps our own printed tables. `fit` learns from
half A and writes the model that ships; half B is for final runs. Wrong is a table with F1 of its relations
below 1; the share of those below 0.9 is told too.
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
from research.tables.judged import KnownDocument, judge_tables, known_documents, read_document

import held.layout.tables.doubt as doubt
from held.layout.furniture import find_furniture
from held.layout.lines import build_lines

MODEL = Path(doubt.__file__).with_name("doubt.json")
NAMES = [evidence.name for evidence in doubt.EVIDENCE]
RIGHT = 1 - 1e-9
NEARLY_RIGHT = 0.9
MAX_RIGHT_MARKED = 0.1  # share of right tables that may be marked
PENALTY = 0.0002  # of squared weights
STEPS, STEP = 4000, 0.3

Array = NDArray[np.float64]


class Sample(NamedTuple):
    """A found table with its evidence."""

    document: str
    collection: str
    half: str
    f1: float
    evidence: dict[str, float]
    marked: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=["measure", "fit"])
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--made", type=Path, required=True, help="keeps the printed tables of our own")
    parser.add_argument("--half", choices=["A", "B"])
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--name", default="after", help="what the figures are called in the results file")
    options = parser.parse_args(arguments)
    half = "A" if options.what == "fit" else options.half
    samples = []
    for known in known_documents(options.folders, options.made):
        if half in (None, known.half):
            samples += collect(known)
    if options.what == "fit":
        _fit_and_write(samples)
        return 0
    result = summarise(samples)
    print(json.dumps(result, indent=1))
    if options.output:
        kept = json.loads(options.output.read_text("utf-8")) if options.output.exists() else {}
        kept.setdefault(options.name, {}).update(result)
        options.output.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return 0


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
        marked = bool(table.table and table.table.doubtful)
        samples.append(Sample(known.name, known.collection, known.half, f1, evidence, marked))
    return samples


def summarise(samples: Sequence[Sample]) -> dict[str, Any]:
    """By collection and half: the wrong and right tables, and which share of each is marked."""
    result = {}
    for group in sorted({(sample.collection, sample.half) for sample in samples}):
        members = [sample for sample in samples if (sample.collection, sample.half) == group]
        result[f"{group[0]}, half {group[1]}"] = _shares(members)
    return result


def _shares(samples: Sequence[Sample]) -> dict[str, Any]:
    wrong = [sample.marked for sample in samples if sample.f1 < RIGHT]
    bad = [sample.marked for sample in samples if sample.f1 < NEARLY_RIGHT]
    right = [sample.marked for sample in samples if sample.f1 >= RIGHT]
    return {
        "tables": len(samples),
        "wrong": len(wrong),
        "wrong marked": _share(wrong),
        "F1 below 0.9": len(bad),
        "of these marked": _share(bad),
        "right": len(right),
        "right marked": _share(right),
    }


def _share(marked: Sequence[bool]) -> float | None:
    return round(sum(marked) / len(marked), 3) if marked else None


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
    MODEL.write_text(json.dumps(model, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(model, indent=1))


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
    """The lowest threshold that marks at most a tenth of the right tables."""
    right = [score for sample, score in zip(samples, scores, strict=True) if sample.f1 >= RIGHT]
    return float(np.quantile(right, 1 - MAX_RIGHT_MARKED))


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
