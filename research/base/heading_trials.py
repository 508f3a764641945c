"""What ways of training the heading step are worth on domains that it has never seen: F1, at some thresholds.

The tree step takes most of a trial's time and has no part in this, so it is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from research.base import measure
from research.base.stages import Place, Task, train_heading_step
from research.base.trials import Part, Way

from held.hierarchy.steps import heading_step
from held.models.store import ModelKind, load_model
from held.training.boosted import BoostedHeadings, BoostedPutOrSkip

THRESHOLDS = (0.25, 0.35, 0.5)


def run(part: Part, way: Way, headings: BoostedHeadings, place: Place) -> dict[str, Any]:
    """The figures of a way of training on a part, by threshold and domain."""
    finding = replace(headings, **way.headings)
    folder = place.work / "headings" / f"{part.name} - {way.name}".replace(" ", "_")
    train_heading_step(Task(part.seen, [], finding, BoostedPutOrSkip(), None, folder, place))
    model = load_model(folder, ModelKind.HEADINGS)
    found: dict[str, Any] = {"part": part.name, "way": way.name, "settings": asdict(finding)}
    for threshold in THRESHOLDS:
        step = heading_step(replace(model, settings={**model.settings, "threshold": threshold}))
        matches = measure.heading_table(part.judged, measure.found_headings(part.judged, step))
        found[str(threshold)] = {
            domain: {"F1": round(m.f1, 4), "recall": round(m.recall, 4)} for domain, m in matches.items()
        }
    return found


def show(results: Sequence[dict[str, Any]]) -> None:
    """Prints a line for each way and threshold."""
    for found in results:
        for threshold in THRESHOLDS:
            own = found[str(threshold)]
            figures = "  ".join(
                f"{domain} {each['F1']:.3f} ({each['recall']:.3f})" for domain, each in own.items()
            )
            print(f"{found['way']:28} {threshold:4}  {figures}", flush=True)
