"""Time of preset `base` on a made document of some 600 headings and 2,300 objects, and on ten times that."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject, Style
from held.headings.object_features import DocumentFeatures, object_features
from held.hierarchy.insertion import Strategy, build
from held.hierarchy.pipeline import build_tree, heading_step, tree_step
from held.numbering import parse_number

_BODY = Style("Serif", 10.0)
_LEVELS = tuple(Style("Serif", size, bold=True) for size in (16.0, 13.0, 11.0))
_TEXT = "Running text that says what a report says, in a sentence or two, and then comes to its end. " * 4


def report(chapters: int) -> Document:
    """A report of three levels: each chapter has 20 headings and 57 other objects."""
    texts: list[tuple[str, Style]] = []
    for a in range(1, chapters + 1):
        texts.append((f"{a} Chapter of the report", _LEVELS[0]))
        for b in range(1, 5):
            texts += [(f"{a}.{b} Section of the chapter", _LEVELS[1]), *[(_TEXT, _BODY)] * 2]
            for c in range(1, 5 if b < 4 else 4):
                texts += [(f"{a}.{b}.{c} Part of the section", _LEVELS[2]), *[(_TEXT, _BODY)] * 3]
    objects = []
    for place, (text, style) in enumerate(texts):
        y0 = 60.0 + 60 * (place % 11)
        part = PageRegion(1 + place // 11, Box(72, y0, 72 + 4.4 * min(len(text), 100), y0 + style.size))
        objects.append(
            PhysicalObject(Kind.PARAGRAPH, text, (part,), style, relative_size=style.size / _BODY.size)
        )
    return Document("report", (PageSize(612, 792),) * (1 + len(texts) // 11), tuple(objects), body=_BODY)


def measure(rounds: int = 5) -> dict[str, Any]:
    """Milliseconds of each stage, medians of some rounds; of both steps the least."""
    small, large = report(30), report(300)
    finder, placer = heading_step("base"), tree_step("base")
    seen = [DocumentFeatures(small)]
    (probabilities,) = finder.probabilities(seen)
    headings = finder.headings(probabilities)
    scorer = placer.scorer(seen, [headings])
    inserted = _median(lambda: build(headings, scorer, Strategy(normalise=True)), rounds)
    # By turns, and the quickest of each: other work on the machine must not fall on one of them alone.
    turns = [(_first_seen(small), _first_seen(large)) for _ in range(rounds)]
    whole, tenfold = (min(times) for times in zip(*turns, strict=True))
    results = {
        "objects": len(small.objects),
        "headings": len(headings),
        "table": _median(lambda: object_features(small), rounds),
        "heading step": _median(lambda: finder.probabilities(seen), rounds),
        "tree step": inserted,
        "both steps": whole,
        "tree step per heading": inserted / len(headings),
        "both steps per heading": whole / len(headings),
        "both steps, ten times the objects": tenfold,
        "ten times the objects cost": tenfold / whole,
    }
    for name, value in results.items():
        print(f"{name:36} {value:10.3f}" if isinstance(value, float) else f"{name:36} {value:10}")
    return results


def _first_seen(document: Document) -> float:
    """The milliseconds that a tree takes if no text was met before: numbers that were read are forgotten."""
    parse_number.cache_clear()
    return _median(lambda: build_tree(document), 1)


def _median(call: Callable[[], object], rounds: int) -> float:
    """The median milliseconds of a call."""
    times = []
    for _ in range(rounds):
        started = time.process_time()
        call()
        times.append((time.process_time() - started) * 1000)
    return statistics.median(times)
