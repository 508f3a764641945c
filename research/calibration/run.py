"""Fits the calibration of a model on valid, and writes it beside the weights, with its results and docs.

    python -m research.calibration.run --data LABELLED
    python -m research.calibration.run --data LABELLED --judge test    # fits nothing: once, at the end

To be run again whenever the weights change: a calibration holds for the weights it was fitted on.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from research.calibration.fit import (
    Floats,
    brier,
    calibration_error,
    certainty,
    cross_wise,
    fit,
    wide_bins,
)
from research.calibration.judged import Judged, judge
from research.calibration.page import page
from research.calibration.plot import reliability_plot

from held.corpus.store import data_hash, labelled_documents
from held.hierarchy.insertion import Alternative
from held.hierarchy.pipeline import likely_alternatives
from held.hierarchy.steps import load_steps
from held.models.calibration import Calibration, calibrate, save_calibration

ROOT = Path(__file__).parents[2]
MOST_MARKED = 0.1  # of the headings may be marked as doubtful
THRESHOLDS = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    options = _parser().parse_args(arguments)
    if options.judge is not None:
        return judge_split(options)
    read = labelled_documents(options.data, splits={"valid"})
    documents = [labelled for labelled in read if not labelled.silver]
    judged = judge(documents, options.model)
    calibration = fit(judged)
    shipped = save_calibration(options.model, calibration)
    results = measure(judged, calibration) | {
        "model": Path(options.model).name,
        "documents": len(documents),
        "data": data_hash(options.data),
    }
    write(results, reliability(judged), results_to=options.results, docs=options.docs)
    print(json.dumps({name: results[name] for name in ("curves", "domains", "thresholds")}, indent=1))
    print(f"wrote {shipped}")
    return 0


def judge_split(options: argparse.Namespace) -> int:
    """Exit code; writes how the calibration that ships holds on a split that it was not fitted on."""
    read = labelled_documents(options.data, splits={options.judge})
    documents = [labelled for labelled in read if not labelled.silver and labelled.dropped is None]
    results = held_to(judge(documents, options.model), load_steps(options.model).calibration) | {
        "split": options.judge,
        "documents": len(documents),
        "data": data_hash(options.data),
    }
    model = Path(options.model).name
    path = options.results / f"{model}-{options.judge}.json"
    path.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(results, indent=1))
    if (options.results / f"{model}.json").exists():
        write_page(model, options.results, options.docs)
    return 0


def held_to(judged: Sequence[Judged], calibration: Calibration | None) -> dict[str, Any]:
    """How a calibration that was fitted elsewhere holds for these headings."""
    certainties = np.array([certainty(one, calibration) for one in judged])
    bare = np.array([certainty(one, None) for one in judged])
    right = np.array([one.place_is_right for one in judged], np.float64)
    domains = np.array([one.domain for one in judged])
    parts = [("all", domains == domains), *((d, domains == d) for d in np.unique(domains))]
    return {
        "domains": {name: _row(certainties[which], bare[which], right[which]) for name, which in parts},
        "dragged": _dragged(judged, certainties),
    }


def measure(judged: Sequence[Judged], calibration: Calibration) -> dict[str, Any]:
    """All figures of the page, each heading judged by curves fitted on the other half of the documents."""
    after, before = cross_wise(judged), np.array([certainty(one, None) for one in judged])
    right = np.array([one.place_is_right for one in judged], np.float64)
    domains = np.array([one.domain for one in judged])
    misplaced = [one for one in judged if one.is_heading and not one.place_is_right]
    return {
        "headings": len(judged),
        "right": float(right.mean()),
        "misplaced": len(misplaced),
        "reachable": sum(one.reachable for one in misplaced),
        "named": sum(_is_named(one, calibration) for one in misplaced),
        "curves": {"heading": list(calibration.heading), "place": list(calibration.place)},
        "domains": {
            name: _row(after[which], before[which], right[which])
            for name, which in [("all", domains == domains), *((d, domains == d) for d in np.unique(domains))]
        },
        "dragged": _dragged(judged, after),
        "thresholds": {str(least): _threshold(after, right, least) for least in THRESHOLDS},
    }


def _dragged(judged: Sequence[Judged], certainties: Floats) -> dict[str, float]:
    """The paths that wrong headings drag along, and how many of them the least certain headings do."""
    dragged = np.array([one.dragged for one in judged], np.float64)
    least = float(np.quantile(certainties, MOST_MARKED))
    marked = certainties < least
    total = float(dragged.sum())
    caught = float(dragged[marked].sum()) / total if total else 0.0
    return {"paths": total, "least": least, "marked": float(marked.mean()), "caught": caught}


def _is_named(one: Judged, calibration: Calibration) -> bool:
    """Whether the true parent is among the alternatives that are close."""
    parent = Alternative(0, one.parent_score)
    probability = calibrate(calibration.place, one.place_score)
    return bool(likely_alternatives((parent,), one.place_score, probability))


def reliability(judged: Sequence[Judged]) -> str:
    """The plot before and after calibration."""
    right = np.array([one.place_is_right for one in judged], np.float64)
    before = np.array([certainty(one, None) for one in judged])
    return reliability_plot(wide_bins(before, right), wide_bins(cross_wise(judged), right))


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
    """What marking every heading below a least certainty gives."""
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
    (results_to / f"{results['model']}.json").write_text(
        json.dumps(results, indent=1) + "\n", encoding="utf-8"
    )
    (docs / "images" / "calibration.svg").write_text(plot, encoding="utf-8")
    write_page(results["model"], results_to, docs)


def write_page(model: str, results_to: Path, docs: Path) -> None:
    """Write the page from what was fitted and, where it was judged, from test."""
    fitted, judged = (results_to / f"{name}.json" for name in (model, f"{model}-test"))
    on_test = json.loads(judged.read_text(encoding="utf-8")) if judged.exists() else None
    written = page(json.loads(fitted.read_text(encoding="utf-8")), on_test)
    (docs / "calibration.md").write_text(written, encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m research.calibration.run", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled documents")
    parser.add_argument("--model", default="base", help="a shipped model, or the folder of one")
    parser.add_argument("--results", type=Path, default=ROOT / "research" / "calibration" / "results")
    parser.add_argument("--judge", choices=("valid", "test"), help="a split to judge, fitting nothing")
    parser.add_argument("--docs", type=Path, default=ROOT / "docs" / "research")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
