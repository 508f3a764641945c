"""Measures a check of whole trees: is the parent of this heading right?

    python -m research.opinion.run folds --data LABELLED --work WORK
    python -m research.opinion.run judge --work WORK -o research/opinion/result.json
    python -m research.opinion.run page

`folds` trains models of both steps by grouped folds and writes the candidates of every document; an
interrupted run goes on. `judge` trains the check on them and writes the figures. `page` puts their tables
into docs/research/model.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from research.commit import exact_commit
from research.errors.run import with_table
from research.opinion.fold_models import write_candidates
from research.opinion.judge import judge, tables
from research.trees.data import load

from held.system.bounded_json import write_json

RESULT = Path(__file__).with_name("result.json")


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs one of the commands."""
    options = _parser().parse_args(arguments)
    if options.command == "folds":
        cache = options.cache or options.work / "features"
        write_candidates(load(options.data, cache, splits=("train", "valid")), options.work)
    elif options.command == "judge":
        write_json(options.output, {"commit": exact_commit(), **judge(options.work)})
    else:
        results = json.loads(options.result.read_text(encoding="utf-8"))
        page = options.page.read_text(encoding="utf-8")
        options.page.write_text(with_table(page, tables(results)), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="research.opinion", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    folds = commands.add_parser("folds", help="train models and write candidates")
    folds.add_argument("--data", type=Path, required=True, help="folder of labelled documents")
    folds.add_argument("--cache", type=Path, help="prepared documents; default: features in the work folder")
    judging = commands.add_parser("judge", help="train the check and measure it")
    judging.add_argument("-o", "--output", type=Path, default=RESULT, help="where the figures go")
    for command in (folds, judging):
        command.add_argument("--work", type=Path, required=True, help="models and candidates")
    page = commands.add_parser("page", help="put the tables into a page")
    page.add_argument("--result", type=Path, default=RESULT, help="figures that `judge` wrote")
    page.add_argument("--page", type=Path, default=Path("docs/research/model.md"))
    return parser


if __name__ == "__main__":
    main()
