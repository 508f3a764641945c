"""Where the time goes: CPU milliseconds per page of each stage and sub-stage, for documents of six kinds.

    python -m research.benchmarks.stages -o research/benchmarks/results/stages.json
    PYTHONPATH=../before/src python -m research.benchmarks.stages -o before.json     # of another checkout

Reading is divided by process: PDFium's plain text is the floor, what the reader process takes beyond it are
the questions to PDFium and the encoding, and the rest is this process's. The sub-stages of recognising and of
the tree are the functions that the modules in `STAGES` import from elsewhere, whatever they are called at the
moment; each is charged with its own time, without that of the sub-stages inside it. The cheapest of some
rounds counts.
"""

from __future__ import annotations

import argparse
import functools
import gc
import importlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any
from unittest.mock import patch

from research.benchmarks.reading import cpu_seconds, plain_text
from research.result_file import write_result

CORPUS = Path(os.environ.get("HELD_CORPUS", Path(__file__).parents[3] / "shared" / "corpus"))
# Of train and valid, all but the book with a hundred pages and more.
DOCUMENTS = {
    "book": "books-3b125237",
    "filing": "en_fin-85c38b2e",
    "Chinese report": "zh_fin-c47b77fc",
    "two-column papers": "science-e5fb12f8",
    "manual": "manuals-a90a8fc5",
    "thesis": "science-360e13a5",
}
RECOGNISING = (
    "held.layout.recognise",
    "held.layout.page_layout",
    "held.layout.furniture",
    "held.layout.tables.page_tables",
)
TREE = (
    "held.hierarchy.pipeline",
    "held.headings.classifier",
    "held.headings.object_features",
)
MODEL = ("onnxruntime", "InferenceSession", "run")
ROUNDS = 3

Spent = dict[str, float]


class Clock:
    """The CPU time of functions, each without that of the others inside it."""

    def __init__(self) -> None:
        self.spent: Spent = {}
        self._inside: list[float] = []  # seconds of the functions inside each one that runs

    def watch(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, on the clock."""

        @functools.wraps(function)
        def watched(*args: Any, **kwargs: Any) -> Any:
            self._inside.append(0.0)
            start = time.process_time()
            try:
                return function(*args, **kwargs)
            finally:
                seconds = time.process_time() - start
                own = seconds - self._inside.pop()
                self.spent[name] = self.spent.get(name, 0.0) + own
                if self._inside:
                    self._inside[-1] += seconds

        return watched


@contextmanager
def watched_modules(clock: Clock, names: Sequence[str]) -> Iterator[None]:
    """Put all functions that these modules import from other modules of `held` on the clock."""
    modules = [importlib.import_module(name) for name in names]
    with ExitStack() as stack:
        for module in modules:
            for name, function in _imported_functions(module):
                place = function.__module__.removeprefix("held.")
                watched = clock.watch(f"{place}.{function.__name__}", function)
                stack.enter_context(patch.object(module, name, watched))
        yield


def _imported_functions(module: ModuleType) -> list[tuple[str, FunctionType]]:
    return [
        (name, value)
        for name, value in vars(module).items()
        if isinstance(value, FunctionType)
        and value.__module__ != module.__name__
        and value.__module__.startswith("held.")
    ]


def profile(path: Path) -> tuple[int, dict[str, Spent]]:
    """The pages of a file, and the CPU seconds of each stage by sub-stage."""
    from held.hierarchy.pipeline import build_tree
    from held.layout.recognise import recognise
    from held.reading.read_pdf import read_pdf

    start = cpu_seconds()
    pages = plain_text(path)
    plain = cpu_seconds() - start

    clock = Clock()
    before, before_here = cpu_seconds(), time.process_time()
    content = read_pdf(path, jobs=1)
    here = time.process_time() - before_here
    child = cpu_seconds() - before - here
    reading = {"PDFium itself": plain, "questions and encoding": child - plain, "crossing and values": here}

    document = _time_stage(clock, "recognising", RECOGNISING, lambda: recognise(content))
    recognising = clock.spent

    clock = Clock()
    hierarchy = _time_stage(clock, "tree", TREE, lambda: build_tree(document))
    tree = clock.spent

    clock = Clock()
    _time_stage(clock, "JSON and Markdown", (), lambda: _export(hierarchy))
    return pages, {"reading": reading, "recognising": recognising, "tree": tree, "export": clock.spent}


def _time_stage(clock: Clock, name: str, modules: Sequence[str], run: Callable[[], Any]) -> Any:
    import onnxruntime

    module, session, method = MODEL
    ask = clock.watch("boosted trees", onnxruntime.InferenceSession.run)
    gc.collect()
    with watched_modules(clock, modules), patch(f"{module}.{session}.{method}", ask):
        return clock.watch(f"{name}, the rest", run)()


def _export(hierarchy: Any) -> None:
    from held.exports.formats import FORMATS, ExportOptions

    for name in ("json", "markdown"):
        FORMATS[name].write(hierarchy, ExportOptions())


def main() -> None:
    """Write the profile of all documents, and print the stages of each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    arguments = parser.parse_args()
    found = {}
    for kind, name in DOCUMENTS.items():
        path = CORPUS / "pdfs" / f"{name}.pdf"
        profile(path)  # imports, the disk cache
        rounds = [profile(path) for _ in range(arguments.rounds)]
        found[kind] = {"document": name, **_cheapest(rounds)}
        stages = {stage: sum(parts.values()) for stage, parts in found[kind]["stages"].items()}
        line = ", ".join(f"{stage} {milliseconds:.2f}" for stage, milliseconds in stages.items())
        print(f"{kind}: {line} ms per page; plain text / whole way {found[kind]['ratio']}", file=sys.stderr)
    result = {"unit": "CPU milliseconds per page", "documents": found}
    write_result(arguments.output, result)


def _cheapest(rounds: Sequence[tuple[int, dict[str, Spent]]]) -> dict[str, Any]:
    pages = rounds[0][0]
    stages = {}
    for stage in rounds[0][1]:
        # A whole round, not the cheapest of each part: the parts add up to something that happened.
        best = min((spent[stage] for _, spent in rounds), key=lambda parts: sum(parts.values()))
        ordered = sorted(best.items(), key=lambda part: -part[1])
        stages[stage] = {name: round(1000 * seconds / pages, 3) for name, seconds in ordered}
    plain = stages["reading"]["PDFium itself"]
    whole = sum(sum(parts.values()) for stage, parts in stages.items() if stage != "export")
    return {"pages": pages, "ratio": round(plain / whole, 3), "stages": stages}


if __name__ == "__main__":
    main()
