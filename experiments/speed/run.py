"""How fast is a tree built? The paper's way against ours, with the same weights, on one thread.

    python -m experiments.speed.run MODEL -o experiments/speed/results.json

One document of 600 headings and 2,300 objects: by the paper's way each inquiry is a network call that encodes
all it sees; by ours objects are encoded once, and 32 documents may be advanced together.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from held.document import Box, Document, Kind, PageSize, Part, PhysicalObject, Style
from held.features import Table, table_of
from held.features.outline import outline_of
from held.insertion import Insertion, build_many
from held.models.boosted import load_put_or_skip
from held.models.networks import OneInquiryScorer, PutOrSkipNetwork, PutOrSkipScorer
from held.models.store import ModelKind, load_model

HEADINGS, OBJECTS, TOGETHER = 600, 2300, 32
_WORDS = ("risk", "share", "report", "income", "of", "the", "group", "notes", "interest", "policy")


class Timed(NamedTuple):
    """What a way took, for each document, and what it built."""

    seconds: float
    built: list[Insertion]


def synthetic_document(
    seed: int, *, headings: int = HEADINGS, objects: int = OBJECTS
) -> tuple[Document, list[int]]:
    """A numbered document four levels deep, and which of its objects are headings."""
    rng = random.Random(seed)
    heads = sorted(rng.sample(range(objects), headings))
    body, place = Style("Times", 10.0), (Part(1, Box(0, 0, 1, 1)),)
    is_heading = set(heads)
    counters = [0, 0, 0, 0]
    items = []
    for obj in range(objects):
        text = " ".join(rng.choices(_WORDS, k=30))
        style = body
        if obj in is_heading:
            level = rng.choices(range(4), [1, 4, 10, 12])[0]
            counters = [*counters[:level], counters[level] + 1, *[0] * (3 - level)]
            number = ".".join(str(max(1, n)) for n in counters[: level + 1])
            text = f"{number} {' '.join(rng.choices(_WORDS, k=rng.randrange(2, 8)))}"
            style = Style("Times-Bold", 16.0 - 1.5 * level, bold=True)
        items.append(PhysicalObject(Kind.PARAGRAPH, text, place, style))
    return Document(f"synthetic-{seed}", (PageSize(600, 800),), tuple(items), body=body), heads


def timed(work: Callable[[], list[Insertion]], *, repeats: int = 1) -> Timed:
    """The fastest of some repeats, for each document of those built."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        built = work()
        best = min(best, time.process_time() - start)
    return Timed(best / len(built), built)


def compare(
    network: PutOrSkipNetwork, documents: Sequence[tuple[Document, list[int]]], *, repeats: int
) -> dict[str, Any]:
    """Seconds for each document by the paper's way, ours alone and ours together, and their ratios."""
    (first, heads), *_ = documents
    everything, all_heads = [document for document, _ in documents], [own for _, own in documents]
    paper = timed(lambda: build_many([heads], OneInquiryScorer(network, [first])))
    alone = timed(lambda: build_many([heads], PutOrSkipScorer(network, [first], [heads])), repeats=repeats)
    together = timed(
        lambda: build_many(
            all_heads, PutOrSkipScorer(network, everything, all_heads), together=len(documents)
        ),
        repeats=repeats,
    )
    tables = [table_of(document) for document in everything]
    base = timed(lambda: _base_trees(tables[:1], all_heads[:1]), repeats=repeats)
    base_together = timed(lambda: _base_trees(tables, all_heads), repeats=repeats)
    return {
        "headings": len(heads),
        "objects": len(first.objects),
        "inquiries": paper.built[0].inquiries,
        "documents together": len(documents),
        "seconds, the paper's way": round(paper.seconds, 3),
        "seconds, ours alone": round(alone.seconds, 4),
        "seconds a document, ours together": round(together.seconds, 4),
        "times faster alone": round(paper.seconds / alone.seconds, 1),
        "times faster together": round(paper.seconds / together.seconds, 1),
        "seconds, base alone": round(base.seconds, 4),
        "seconds a document, base together": round(base_together.seconds, 4),
        "times faster, base alone": round(paper.seconds / base.seconds, 1),
        "times faster, base together": round(paper.seconds / base_together.seconds, 1),
        "same tree": paper.built[0].tree == alone.built[0].tree == together.built[0].tree,
    }


def _base_trees(tables: Sequence[Table], headings: Sequence[Sequence[int]]) -> list[Insertion]:
    """The trees that the tree step of `base` builds, its own features of headings among the work."""
    outlines = [outline_of(table, own) for table, own in zip(tables, headings, strict=True)]
    return build_many(headings, load_put_or_skip("base").scorer(outlines), together=len(tables))


def main() -> None:
    """Print the table, and write it where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", help="a put-or-skip model of preset paper")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    network = PutOrSkipNetwork(load_model(options.model, ModelKind.PUT_OR_SKIP))
    documents = [synthetic_document(seed) for seed in range(TOGETHER)]
    found = compare(network, documents, repeats=options.repeats)
    for name, value in found.items():
        print(f"{name}\t{value}")
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
