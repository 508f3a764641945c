"""Fits the model of doubt about tables and writes it into the package.

    python -m research.tables.doubt SHARED --cache CACHE

SHARED and CACHE are those of `research.tables.scores`. It learns from half A of tables with known cells, of
our own printed ones, and of `fresh.jsonl`: tables of Debian packages that a person looked at beside their
pages, with the evidence that the finder gave then (lot 3 only judges). Statements of filings whose closing
rows are in place are right tables; half A of the companies teaches that many rows of labels are no fault.
What it prints of each collection comes from ten folds: no model had seen the table's document or style.
`python -m research.tables.judged` measures the marks of the package.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from research.result_file import result_text, write_result
from research.tables.adjacency import half_of
from research.tables.judged import NEARLY_RIGHT, RIGHT, judge_tables
from research.tables.scores import Sample as ScoredPages
from research.tables.scores import load_samples
from research.tables.statements import statement_table

import held.layout.tables.doubt as doubt
from held.document import Document, Kind, Pages, PhysicalObject
from held.layout.furniture import find_furniture, find_overlays
from held.layout.lines import build_lines
from held.layout.recognise import recognise
from held.layout.rotated_text import apply_rotation

MODEL = Path(doubt.__file__).with_name("doubt.json")
NAMES = [evidence.name for evidence in doubt.EVIDENCE]
RESULT = Path(__file__).with_name("doubt.json")
FRESH = Path(__file__).with_name("fresh.jsonl")
MAX_RIGHT_MARKED = 0.1  # share of right tables that may be marked, of each collection but our own
PENALTY = 0.0002  # of squared weights
STEPS, STEP = 4000, 0.3

Array = NDArray[np.float64]


class Sample(NamedTuple):
    """A found table with its evidence; F1 is 1 if it is right."""

    document: str
    collection: str
    half: str
    f1: float
    evidence: dict[str, float]


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--cache", type=Path, required=True)
    options = parser.parse_args(arguments)
    samples = [*known_samples(load_samples(options.shared, options.cache)), *fresh_samples()]
    _fit_and_write([sample for sample in samples if sample.half == "A"])
    found = {}
    for collection in ("fresh", "fresh 2", "fresh 3", "filings"):
        for half in "AB":
            group = [sample for sample in samples if (sample.collection, sample.half) == (collection, half)]
            if group:
                found[f"{collection}, half {half}"] = judge_marks(group)
    print(result_text(found))
    kept = json.loads(RESULT.read_text("utf-8"))
    kept["after"].update(found)
    write_result(RESULT, kept)
    return 0


def fresh_samples() -> list[Sample]:
    """The tables that a person looked at, with their evidence."""
    samples = []
    for row in map(json.loads, FRESH.read_text("utf-8").splitlines()):
        evidence = dict.fromkeys(NAMES, 0.0) | row["evidence"]
        collection = "fresh" if row["lot"] == 1 else f"fresh {row['lot']}"
        samples.append(Sample(row["file"], collection, row["half"], float(row["right"]), evidence))
    return samples


def judge_marks(samples: Sequence[Sample]) -> dict[str, Any]:
    """Which share of wrong and of right tables the model of the package marks."""
    doubt.shipped_model.cache_clear()
    model = doubt.shipped_model()
    marked: dict[bool, list[bool]] = {False: [], True: []}
    for sample in samples:
        is_marked = doubt.error_probability(sample.evidence, model) >= model.threshold
        marked[sample.f1 >= RIGHT].append(is_marked)
    wrong, right = marked[False], marked[True]
    return {
        "tables": len(samples),
        "wrong": len(wrong),
        "wrong marked": _share(wrong),
        "F1 below 0.9": None,
        "of these marked": None,
        "right": len(right),
        "right marked": _share(right),
    }


def _share(marked: Sequence[bool]) -> float | None:
    return round(sum(marked) / len(marked), 3) if marked else None


def known_samples(samples: Iterable[ScoredPages]) -> Iterator[Sample]:
    """The found tables whose cells are known, and those that hold a statement rightly."""
    for sample in samples:
        if sample.tables is None and not sample.statements:
            continue
        pages = apply_rotation(sample.pages)
        document = recognise(pages)
        measured = dict(measure(pages, document))
        for table, f1 in judge_tables(document, sample.tables or []) if sample.tables is not None else ():
            collection, half = sample.group.split()[0], sample.group[-1]
            yield Sample(sample.name, collection, half, f1, measured[table])
        company = sample.name.partition("_")[0]
        for statement in sample.statements:
            whole = statement_table(statement, document)
            if whole is not None:
                yield Sample(sample.name, "filings", half_of(Path(company)), 1.0, measured[whole])


def measure(pages: Pages, document: Document) -> Iterator[tuple[PhysicalObject, dict[str, float]]]:
    """The found tables of a document with their evidence."""
    lines = [build_lines(page, pages.styles) for page in pages.pages]
    furniture = find_furniture(pages, lines, find_overlays(pages, lines))
    kept = [
        [line for index, line in enumerate(on_page) if index not in furniture[number]]
        for number, on_page in enumerate(lines)
    ]
    surroundings = doubt.find_surroundings(document, pages.pages, kept)
    for item in document.objects:
        if item.kind is Kind.TABLE:
            own = {part.page: surroundings[part.page] for part in item.parts}
            yield item, doubt.measure_evidence(doubt.TableView(item, own))


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
    """The lowest score that marks few enough right tables of each collection that is not our own."""
    groups: dict[str, list[float]] = {}
    for sample, score in zip(samples, scores, strict=True):
        if sample.f1 >= RIGHT and sample.collection != "made":
            groups.setdefault(sample.collection, []).append(score)
    for threshold in np.unique(scores):
        marked = [sum(score >= threshold for score in group) / len(group) for group in groups.values()]
        if max(marked) <= MAX_RIGHT_MARKED:
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
