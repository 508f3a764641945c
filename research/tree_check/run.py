"""Measures the check of finished trees: does it tell which headings have a wrong parent?

    python -m research.tree_check.run measure --data LABELLED --trained TRAIN_ONLY
    python -m research.tree_check.run page

`measure` reads the trees that `research.trees.run train` keeps beside its weights. `page` puts the tables
into docs/research/model.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from research.arguments import make_parser
from research.commit import exact_commit
from research.tree_check.measure import checked_trees, judge, tables
from research.trees.page import with_tables
from research.trees.run import learnt_task

from held.system.bounded_json import write_json

RESULT = Path(__file__).with_name("result.json")


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs one of the commands."""
    options = _parser().parse_args(arguments)
    if options.command == "measure":
        task = learnt_task(options.data, options.cache, options.trained)
        results = judge(checked_trees(task))
        write_json(options.output, {"commit": exact_commit(), "data": task.place.hash, **results})
    else:
        results = json.loads(RESULT.read_text(encoding="utf-8"))
        page = options.page.read_text(encoding="utf-8")
        options.page.write_text(with_tables(page, {"table": tables(results)}), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = make_parser(__doc__, prog="research.tree_check")
    commands = parser.add_subparsers(dest="command", required=True)
    measuring = commands.add_parser("measure", help="measure the check")
    measuring.add_argument("--data", type=Path, required=True, help="folder of labelled documents")
    measuring.add_argument("--cache", type=Path, default=Path("out/features"), help="prepared documents")
    measuring.add_argument("--trained", type=Path, required=True, help="what `train` wrote")
    measuring.add_argument("-o", "--output", type=Path, default=RESULT, help="where the figures go")
    page = commands.add_parser("page", help="put the tables into a page")
    page.add_argument("--page", type=Path, default=Path("docs/research/model.md"))
    return parser


if __name__ == "__main__":
    main()
