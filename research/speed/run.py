"""How fast is a tree built? The paper's procedure against ours, with the same weights, on one thread.

    python -m research.speed.run MODEL --data DIR -o research/speed/results.json

Documents of about 600 headings and 2,300 objects: a synthetic one, and the labelled ones of train and valid
of about that size. In the paper's procedure each inquiry is a network call that encodes all its texts. In
ours objects are encoded once, and a call scores several of them, of up to 32 documents.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from research.arguments import make_parser
from research.commit import exact_commit
from research.result_file import write_result

from held.corpus.store import LABELLED_SUFFIX, read_labelled
from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject, Style
from held.headings.object_features import DocumentFeatures
from held.hierarchy.insertion import Insertion, build_many
from held.hierarchy.pipeline import TreeStep, build_tree, tree_step
from held.models.store import ModelKind, load_model
from held.paper.network_models import PutOrSkipNetwork
from held.paper.network_steps import OneInquiryScorer, PutOrSkipScorer

HEADINGS, OBJECTS, TOGETHER = 600, 2300, 32
_NEAR = 0.1  # how far a document may be off, headings and objects added up
_EVERY = 8  # documents of those together are built by the paper's way
_LEAST_BYTES = 85_000  # of a file: smaller ones hold fewer headings
_WORDS = ("risk", "share", "report", "income", "of", "the", "group", "notes", "interest", "policy")


class Case(NamedTuple):
    """A document and which of its objects are headings."""

    document: Document
    headings: list[int]


class Timing(NamedTuple):
    """The CPU seconds of a method, and the trees that it built."""

    seconds: float
    built: list[Insertion]


def synthetic_document(seed: int, *, headings: int = HEADINGS, objects: int = OBJECTS) -> Case:
    """A numbered document four levels deep, and which of its objects are headings."""
    rng = random.Random(seed)
    heads = sorted(rng.sample(range(objects), headings))
    body, index = Style("Times", 10.0), (PageRegion(1, Box(0, 0, 1, 1)),)
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
        items.append(PhysicalObject(Kind.PARAGRAPH, text, index, style))
    return Case(Document(f"made-{seed}", (PageSize(600, 800),), tuple(items), body=body), heads)


def real_cases(folder: Path) -> list[tuple[float, Case]]:
    """The labelled documents of train and valid, the nearest to the size asked for first, and how far off."""
    found = []
    for path in sorted(folder.glob(f"*{LABELLED_SUFFIX}")):
        if path.stat().st_size < _LEAST_BYTES or path.name.startswith("word-"):
            continue
        labelled = read_labelled(path)
        if labelled.split in ("train", "valid") and labelled.dropped is None:
            case = Case(labelled.document, list(labelled.headings))
            off = abs(len(case.headings) / HEADINGS - 1) + abs(len(case.document.objects) / OBJECTS - 1)
            found.append((off, case))
    return sorted(found, key=lambda pair: pair[0])


def fastest(methods: Sequence[Callable[[], list[Insertion]]], *, repeats: int) -> list[Timing]:
    """The fastest of several repeats of each method. Methods take turns, so that other work affects all."""
    best = [Timing(float("inf"), [])] * len(methods)
    for _ in range(repeats):
        for index, method in enumerate(methods):
            start = time.process_time()
            built = method()
            seconds = time.process_time() - start
            if seconds < best[index].seconds:
                best[index] = Timing(seconds, built)
    return best


def compare(
    network: PutOrSkipNetwork, placer: TreeStep, cases: Sequence[Case], *, repeats: int, every: int = 1
) -> dict[str, Any]:
    """CPU seconds of each method for these documents together.

    The paper's procedure builds only every so many of them; its time for the others is estimated by their
    inquiries.
    """
    documents, headings = [case.document for case in cases], [case.headings for case in cases]
    features = [DocumentFeatures(document) for document in documents]
    _base_trees(placer, features, headings)  # computes the features now, outside of measured times
    paper, ours, base = fastest(
        [
            lambda: build_many(headings[::every], OneInquiryScorer(network, documents[::every]), together=1),
            lambda: build_many(headings, PutOrSkipScorer(network, documents, headings), together=len(cases)),
            lambda: _base_trees(placer, features, headings),
        ],
        repeats=repeats,
    )
    count = sum(map(len, headings))
    inquiries = sum(found.inquiries for found in ours.built)
    seconds = paper.seconds * inquiries / sum(found.inquiries for found in paper.built)
    return {
        "documents": len(cases),
        "document": documents[0].source if len(cases) == 1 else "all together",
        "headings": count,
        "objects": sum(len(document.objects) for document in documents),
        "inquiries": inquiries,
        "inquiries wasted": sum(found.wasted for found in ours.built),
        "seconds, the paper's way": round(seconds, 4),
        "seconds, paper": round(ours.seconds, 4),
        "seconds, base": round(base.seconds, 4),
        "times faster, paper": round(seconds / ours.seconds, 1),
        "times faster, base": round(seconds / base.seconds, 1),
        "milliseconds a heading, base, tree step": round(1000 * base.seconds / count, 3),
        "same trees": [found.tree for found in paper.built] == [found.tree for found in ours.built[::every]],
    }


def _base_trees(
    placer: TreeStep, features: Sequence[DocumentFeatures], headings: Sequence[Sequence[int]]
) -> list[Insertion]:
    """The trees that the tree step of `base` builds, its own features of headings among the work."""
    return build_many(headings, placer.scorer(features, headings), together=len(features))


def both_steps(document: Document, *, repeats: int) -> float:
    """Milliseconds for each heading that `base` takes from a document's objects to the tree."""
    best, found = float("inf"), 1
    for _ in range(repeats):
        start = time.process_time()
        found = len(build_tree(document).headings)
        best = min(best, time.process_time() - start)
    return round(1000 * best / max(1, found), 3)


def matmul_gflops(size: int = 1024) -> float:
    """Billions of operations a second in a plain product of matrices: what bounds the network."""
    import numpy as np

    matrix = np.ones((size, size), np.float32)
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        matrix @ matrix
        best = min(best, time.process_time() - start)
    return round(2 * size**3 / best / 1e9, 1)


def measure(
    network: PutOrSkipNetwork, alone: Sequence[Case], together: Sequence[Sequence[Case]], *, repeats: int
) -> dict[str, Any]:
    """All of the table: documents alone, and groups of them advanced together."""
    placer = tree_step("base")
    rows = []
    for case in alone:
        steps = both_steps(case.document, repeats=repeats)
        rows.append(
            compare(network, placer, [case], repeats=repeats)
            | {"milliseconds a heading, base, both steps": steps}
        )
        print(json.dumps(rows[-1]), flush=True)
    for cases in together:
        rows.append(compare(network, placer, cases, repeats=1, every=_EVERY))
        print(json.dumps(rows[-1]), flush=True)
    return {"commit": exact_commit(), "GFLOP/s of a plain product": matmul_gflops(), "rows": rows}


def main() -> None:
    """Print the rows, and write them where asked."""
    parser = make_parser(__doc__)
    parser.add_argument("model", help="a put-or-skip model of preset paper")
    parser.add_argument("--data", type=Path, help="labelled documents; without them only made ones")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    network = PutOrSkipNetwork(load_model(options.model, ModelKind.PUT_OR_SKIP))
    made = [synthetic_document(seed) for seed in range(TOGETHER)]
    real = real_cases(options.data) if options.data else []
    alone = [made[0], *(case for off, case in real if off <= _NEAR)]
    together = [made, *([[case for _, case in real[:TOGETHER]]] if real else [])]
    found = measure(network, alone, together, repeats=options.repeats)
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        write_result(options.output, found)


if __name__ == "__main__":
    main()
