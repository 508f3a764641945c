"""Measures the check of whole trees: is the parent of this heading right?

    python -m research.opinion.run doubt --data LABELLED --trained TRAIN_ONLY
    python -m research.opinion.run folds --data LABELLED --work WORK
    python -m research.opinion.run judge --work WORK -o research/opinion/result.json
    python -m research.opinion.run page

`doubt` measures how well the check tells doubtful headings, in the trees that `research.trees.run train`
keeps beside its weights. `folds` trains models of both steps by grouped folds and writes the candidates of
every document; an interrupted run goes on. `judge` trains a check on them and measures the trees that it
chooses. `page` puts the tables into docs/research/model.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from research.arguments import make_parser
from research.commit import exact_commit
from research.errors.run import with_table
from research.opinion import doubt
from research.opinion.fold_models import write_candidates
from research.opinion.judge import judge, tables
from research.trees.data import load
from research.trees.run import learnt_task

from held.system.bounded_json import write_json

RESULT = Path(__file__).with_name("result.json")
DOUBT = Path(__file__).with_name("doubt.json")


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs one of the commands."""
    options = _parser().parse_args(arguments)
    if options.command == "folds":
        cache = options.cache or options.work / "features"
        write_candidates(load(options.data, cache, splits=("train", "valid")), options.work)
    elif options.command == "doubt":
        task = learnt_task(options.data, options.cache, options.trained)
        results = doubt.judge(doubt.checked_trees(task))
        write_json(options.output, {"commit": exact_commit(), "data": task.place.hash, **results})
    elif options.command == "judge":
        write_json(options.output, {"commit": exact_commit(), **judge(options.work)})
    else:
        choice, doubtful = (json.loads(path.read_text(encoding="utf-8")) for path in (RESULT, DOUBT))
        page = options.page.read_text(encoding="utf-8")
        both = f"{tables(choice)}\n\n{doubt.tables(doubtful)}"
        options.page.write_text(with_table(page, both), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = make_parser(__doc__, prog="research.opinion")
    commands = parser.add_subparsers(dest="command", required=True)
    folds = commands.add_parser("folds", help="train models and write candidates")
    folds.add_argument("--data", type=Path, required=True, help="folder of labelled documents")
    folds.add_argument("--cache", type=Path, help="prepared documents; default: features in the work folder")
    doubts = commands.add_parser("doubt", help="measure doubt")
    doubts.add_argument("--data", type=Path, required=True, help="folder of labelled documents")
    doubts.add_argument("--cache", type=Path, default=Path("out/features"), help="prepared documents")
    doubts.add_argument("--trained", type=Path, required=True, help="what `train` wrote, of the train split")
    doubts.add_argument("-o", "--output", type=Path, default=DOUBT, help="where the figures go")
    judging = commands.add_parser("judge", help="train the check and measure it")
    judging.add_argument("-o", "--output", type=Path, default=RESULT, help="where the figures go")
    for command in (folds, judging):
        command.add_argument("--work", type=Path, required=True, help="models and candidates")
    page = commands.add_parser("page", help="put the tables into a page")
    page.add_argument("--page", type=Path, default=Path("docs/research/model.md"))
    return parser


if __name__ == "__main__":
    main()
