"""Measures what the tree is worth for retrieval, on questions with evidence; one command does all of it.

    python -m research.retrieval.run [PART …] [--cache DIR] [--results DIR]

The questions are those of HELD_RETRIEVAL (default ../shared/retrieval). Each part writes its results as JSON
at once; a part whose results are there is not measured again, unless --anew is given. `gains` looks at
questions of split train alone: choices are made there. `own` asks questions of our own about documents of the
corpus that HELD_CORPUS names.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from research.arguments import make_parser
from research.commit import short_commit
from research.result_file import write_result
from research.retrieval import (
    calibrate,
    gains,
    ladder,
    newcomer,
    own,
    paper_features,
    shared_queries,
    tables,
)
from research.retrieval.data import TREES, data_folder

PARTS: dict[str, Callable[[argparse.Namespace], dict[str, Any]]] = {
    **{tables.file_of(tree): partial(tables.measure, tree) for tree in TREES},
    paper_features.FILE: paper_features.measure,
    shared_queries.FILE: shared_queries.measure,
    "gains.json": gains.measure,
    "own.json": own.measure,
    "newcomer.json": newcomer.measure,
    "ladder.json": ladder.measure,
    "calibration.json": calibrate.measure,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    options = _parser().parse_args(arguments)
    options.results.mkdir(parents=True, exist_ok=True)
    wanted = options.parts or [Path(name).stem for name in PARTS]
    for name in (name for name in PARTS if Path(name).stem in wanted):
        path = options.results / name
        if path.is_file() and not options.anew:
            print(f"there already: {path}", file=sys.stderr)
            continue
        started = time.time()
        found = PARTS[name](options)
        found |= {"commit": short_commit(), "seconds": round(time.time() - started)}
        write_result(path, found)
        print(f"written: {path}", file=sys.stderr)
    if (options.results / tables.file_of("ours")).is_file():
        print(tables.markdown(options.results))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = make_parser(__doc__, prog="research.retrieval")
    parser.add_argument("parts", nargs="*", help=", ".join(Path(name).stem for name in PARTS))
    parser.add_argument("--data", type=Path, default=data_folder(), help="folder of the questions")
    parser.add_argument("--corpus", type=Path, help="folder of labelled documents, for words in Chinese")
    parser.add_argument("--cache", type=Path, default=Path("out/retrieval"), help="where trees are kept")
    parser.add_argument("--results", type=Path, default=Path("research/retrieval/results"))
    parser.add_argument(
        "--split", default="train", help="whose questions `ladder` asks; test once, at the end"
    )
    parser.add_argument("--anew", action="store_true", help="measure again what is there already")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
