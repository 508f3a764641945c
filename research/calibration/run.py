"""Fits the calibration of a model on valid, and writes it beside the weights, with its results and docs.

    python -m research.calibration.run --data LABELLED --model TRAIN_ONLY --beside base
    python -m research.calibration.run --data LABELLED --judge test    # fits nothing: once, at the end

The weights that ship were trained on valid as well, so the curves are fitted to weights of the same settings
that were not. To be run again whenever the weights change.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from research.arguments import make_parser
from research.calibration.fit import (
    Floats,
    brier,
    calibration_error,
    certainty,
    cross_validate,
    fit,
    wide_bins,
)
from research.calibration.page import page
from research.calibration.plot import reliability_plot
from research.calibration.scored_headings import ScoredHeading, score_documents
from research.result_file import result_text, write_result

from held.corpus.store import data_hash, labelled_documents
from held.hierarchy.insertion import Alternative
from held.hierarchy.pipeline import likely_alternatives, load_steps
from held.models.inference import Calibration, calibrate, save_calibration

ROOT = Path(__file__).parents[2]
MOST_MARKED = 0.1  # of the headings may be marked as doubtful
THRESHOLDS = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    options = _parser().parse_args(arguments)
    if options.judge is not None:
        return measure_split(options)
    read = labelled_documents(options.data, splits={"valid"})
    documents = [labelled for labelled in read if not labelled.silver]
    headings = score_documents(documents, options.model)
    calibration = fit(headings)
    beside = options.beside or options.model
    shipped = save_calibration(beside, calibration)
    results = measure(headings, calibration) | {
        "model": Path(beside).name,
        "documents": len(documents),
        "data": data_hash(options.data),
    }
    write(results, reliability(headings), results_to=options.results, docs=options.docs)
    print(result_text({name: results[name] for name in ("curves", "domains", "thresholds")}))
    print(f"wrote {shipped}")
    return 0


def measure_split(options: argparse.Namespace) -> int:
    """Measure the shipped calibration on a split that it was not fitted on, and return the exit code."""
    read = labelled_documents(options.data, splits={options.judge})
    documents = [labelled for labelled in read if not labelled.silver and labelled.dropped is None]
    results = measure_fitted(
        score_documents(documents, options.model), load_steps(options.model).calibration
    ) | {
        "split": options.judge,
        "documents": len(documents),
        "data": data_hash(options.data),
    }
    model = Path(options.model).name
    path = options.results / f"{model}-{options.judge}.json"
    write_result(path, results)
    print(result_text(results))
    if (options.results / f"{model}.json").exists():
        write_page(model, options.results, options.docs)
    return 0


def measure_fitted(headings: Sequence[ScoredHeading], calibration: Calibration | None) -> dict[str, Any]:
    """The figures of a calibration that was fitted on other documents."""
    certainties = np.array([certainty(heading, calibration) for heading in headings])
    bare = np.array([certainty(heading, None) for heading in headings])
    right = np.array([heading.place_is_right for heading in headings], np.float64)
    domains = np.array([heading.domain for heading in headings])
    parts = [("all", domains == domains), *((d, domains == d) for d in np.unique(domains))]
    return {
        "domains": {name: _row(certainties[which], bare[which], right[which]) for name, which in parts},
        "dragged": _dragged(headings, certainties),
    }


def measure(headings: Sequence[ScoredHeading], calibration: Calibration) -> dict[str, Any]:
    """All figures of the page; the curves for a heading are fitted on the other half of the documents."""
    after, before = cross_validate(headings), np.array([certainty(heading, None) for heading in headings])
    right = np.array([heading.place_is_right for heading in headings], np.float64)
    domains = np.array([heading.domain for heading in headings])
    misplaced = [heading for heading in headings if heading.is_heading and not heading.place_is_right]
    return {
        "headings": len(headings),
        "right": float(right.mean()),
        "misplaced": len(misplaced),
        "reachable": sum(heading.reachable for heading in misplaced),
        "named": sum(_is_named(heading, calibration) for heading in misplaced),
        "curves": {"heading": list(calibration.heading), "place": list(calibration.place)},
        "domains": {
            name: _row(after[which], before[which], right[which])
            for name, which in [("all", domains == domains), *((d, domains == d) for d in np.unique(domains))]
        },
        "dragged": _dragged(headings, after),
        "thresholds": {str(least): _threshold(after, right, least) for least in THRESHOLDS},
    }


def _dragged(headings: Sequence[ScoredHeading], certainties: Floats) -> dict[str, float]:
    """The paths that are wrong because of wrong headings, and the share that the least certain ones cause."""
    dragged = np.array([heading.dragged for heading in headings], np.float64)
    least = float(np.quantile(certainties, MOST_MARKED))
    marked = certainties < least
    total = float(dragged.sum())
    caught = float(dragged[marked].sum()) / total if total else 0.0
    return {"paths": total, "least": least, "marked": float(marked.mean()), "caught": caught}


def _is_named(heading: ScoredHeading, calibration: Calibration) -> bool:
    """Whether the true parent is among the alternatives that are close."""
    parent = Alternative(0, heading.parent_score)
    probability = calibrate(calibration.place, heading.place_score)
    return bool(likely_alternatives((parent,), heading.insertion_score, probability))


def reliability(headings: Sequence[ScoredHeading]) -> str:
    """The plot before and after calibration."""
    right = np.array([heading.place_is_right for heading in headings], np.float64)
    before = np.array([certainty(heading, None) for heading in headings])
    return reliability_plot(wide_bins(before, right), wide_bins(cross_validate(headings), right))


def _row(after: Floats, before: Floats, right: Floats) -> dict[str, float]:
    return {
        "headings": len(right),
        "right": float(right.mean()),
        "certainty": float(after.mean()),
        "ece": calibration_error(after, right),
        "ece before": calibration_error(before, right),
        "brier": brier(after, right),
        "brier before": brier(before, right),
    }


def _threshold(certainties: Floats, right: Floats, least: float) -> dict[str, float | None]:
    """The precision and recall of marking every heading below a certainty as wrong."""
    marked = certainties < least
    wrong = right == 0
    return {
        "marked": float(marked.mean()),
        "precision": float(wrong[marked].mean()) if marked.any() else None,
        "recall": float(marked[wrong].mean()) if wrong.any() else None,
    }


def write(results: dict[str, Any], plot: str, *, results_to: Path, docs: Path) -> None:
    """Write the results, the page and its plot."""
    results_to.mkdir(parents=True, exist_ok=True)
    (docs / "images").mkdir(parents=True, exist_ok=True)
    write_result(results_to / f"{results['model']}.json", results)
    (docs / "images" / "calibration.svg").write_text(plot, encoding="utf-8")
    write_page(results["model"], results_to, docs)


def write_page(model: str, results_to: Path, docs: Path) -> None:
    """Write the page from the fitted figures and, if they exist, from those of the test split."""
    fitted, test_figures = (results_to / f"{name}.json" for name in (model, f"{model}-test"))
    on_test = json.loads(test_figures.read_text(encoding="utf-8")) if test_figures.exists() else None
    written = page(json.loads(fitted.read_text(encoding="utf-8")), on_test)
    (docs / "calibration.md").write_text(written, encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = make_parser(__doc__, prog="python -m research.calibration.run")
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled documents")
    parser.add_argument("--model", default="base", help="a shipped model, or the folder of one")
    parser.add_argument("--beside", help="the model to write it beside; default: the one it is fitted to")
    parser.add_argument("--results", type=Path, default=ROOT / "research" / "calibration" / "results")
    parser.add_argument("--judge", choices=("valid", "test"), help="a split to judge, fitting nothing")
    parser.add_argument("--docs", type=Path, default=ROOT / "docs" / "research")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
