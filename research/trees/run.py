"""Trains preset `base` and prints its tables; each command writes its results as JSON.

    python -m research.trees.run train --data LABELLED -o WEIGHTS
    python -m research.trees.run valid --data LABELLED
    python -m research.trees.run folds --data LABELLED --domain zh_fin --domain en_fin
    python -m research.trees.run trials --data LABELLED --cross all --folds 3 --way "as shipped"
    python -m research.trees.run summary
    python -m research.trees.run decoding --data LABELLED
    python -m research.trees.run speed
    python -m research.trees.run card --results RESULTS
    python -m research.trees.run test --data LABELLED

Tables go to stdout, progress to stderr. Test documents are read by `test` alone, which runs once.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from research.arguments import make_parser
from research.commit import short_commit
from research.result_file import write_result
from research.trees import decoding, measure, speed, summary, trials
from research.trees.card import write_card
from research.trees.data import Case, load
from research.trees.folds import judge_by_fold, trees_for
from research.trees.stages import (
    Place,
    Task,
    build_fold_trees,
    train_first_stage,
    train_heading_step,
    train_tree_step,
)

from held.corpus.store import data_hash
from held.hierarchy.pipeline import heading_step, tree_step
from held.models.store import WEIGHTS, ModelKind, load_model
from held.training.boosted_growth import TreeSettings
from held.training.boosted_trainer import BoostedHeadings, BoostedPutOrSkip
from held.training.settings import settings_for

SMALL = ("zh_fin", "en_fin")
STEPS = ("both", "first-stage", "fold-trees", "headings", "put-or-skip")
S = TypeVar("S", bound=TreeSettings)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    options = _parser().parse_args(arguments)
    started = time.time()
    results = options.run(options)
    if results:
        results |= {
            "data": data_hash(options.data) if options.data else None,
            "commit": short_commit(),
            "seconds": round(time.time() - started),
        }
        options.results.mkdir(parents=True, exist_ok=True)
        suffix = "-test" if options.split == "test" and options.command != "test" else ""
        path = options.results / f"{options.command}{suffix}.json"
        write_result(path, results)
        print(f"written: {path}", file=sys.stderr)
    return 0


def train(options: argparse.Namespace) -> dict[str, Any]:
    """The settings and sizes of the models that were trained on the train split, or on valid as well."""
    splits = ("train", "valid") if options.with_valid else ("train",)
    task = learnt_task(
        options.data, options.cache, options.output, splits=splits, most=options.most, changes=options.set
    )
    if options.step in ("both", "headings"):
        train_heading_step(task)
    if options.step == "first-stage":
        train_first_stage(task)
    if options.step == "fold-trees":
        build_fold_trees(task)
    if options.step in ("both", "put-or-skip"):
        train_tree_step(task)
    sizes = {path.name: path.stat().st_size for path in sorted(options.output.glob("*.held"))}
    domains = Counter(case.domain for case in task.learnt)
    print(f"{len(task.learnt)} documents, {dict(domains)}, {sizes}")
    return {
        "documents": len(task.learnt),
        "splits": splits,
        "by domain": dict(domains),
        "bytes": sizes,
        "headings": asdict(task.finding),
        "put_or_skip": asdict(task.putting),
    }


def learnt_task(
    data: Path,
    cache: Path,
    folder: Path,
    *,
    splits: Sequence[str] = ("train",),
    most: int = 0,
    changes: Sequence[str] = (),
) -> Task:
    """What is trained from the documents of some splits, at most so many of them, and kept in a folder."""
    cases = load(data, cache, splits=splits)
    learnt = trials.balance_domains([case for case in cases if case.known.headings], most or len(cases))
    place = Place(data, cache, folder, data_hash(data))
    return Task(learnt, *_settings(changes), folder, place)


def valid(options: argparse.Namespace) -> dict[str, Any]:
    """The tables of both steps on valid, by the models of a folder."""
    return _split_tables(options, options.split, everything=options.all)


def test(options: argparse.Namespace) -> dict[str, Any]:
    """The tables of both steps on test, once: over trusted documents, and over all of them."""
    if (options.results / "test.json").exists():
        raise SystemExit(f"{options.results / 'test.json'} exists: test is run once")
    return {
        "trusted documents": _split_tables(options, options.split, everything=False),
        "all documents": _split_tables(options, options.split, everything=True),
    }


def _split_tables(options: argparse.Namespace, split: str, *, everything: bool) -> dict[str, Any]:
    """The tables of one split; with `everything` documents whose labels are not trusted count too."""
    read = load(options.data, options.cache, splits=(split,), dropped=everything)
    cases = [case for case in read if not case.silver]
    finding, placer = load_model(options.model, ModelKind.HEADINGS), tree_step(options.model)
    if options.threshold is not None:
        finding = replace(finding, settings={**finding.settings, "threshold": options.threshold})
    threshold = float(finding.settings["threshold"])
    found = measure.found_headings(cases, heading_step(finding))
    given = measure.insertions(cases, measure.true_headings(cases), placer)
    both = measure.insertions(cases, found, placer)
    return {"split": split, "threshold": threshold, **measure.all_tables(cases, found, given, both)}


def folds(options: argparse.Namespace) -> dict[str, Any]:
    """The same tables by cross-validation over train and valid, of all domains or of some."""
    wanted = options.domain or measure.DOMAINS
    cases = _sample(
        load(options.data, options.cache, splits=("train", "valid"), domains=wanted), options.share
    )
    rest = set(measure.DOMAINS) - set(wanted)
    others = load(options.data, options.cache, splits=("train",), domains=rest)
    headings, put_or_skip = _settings(options.set)
    seen = [case for case in _sample(others, options.share) if case.known.headings]
    all_judged = list(judge_by_fold(cases, seen, headings, put_or_skip, folds=options.folds))
    cases = [each.case for each in all_judged]
    found = [each.found for each in all_judged]
    given = trees_for(all_judged, measure.true_headings(cases))
    return {
        "folds": options.folds,
        "share of the large domains": options.share,
        "headings": asdict(headings),
        "put_or_skip": asdict(put_or_skip),
        **measure.all_tables(cases, found, given, trees_for(all_judged, found)),
    }


def _parts(options: argparse.Namespace) -> list[trials.Part]:
    """The domains left out, and the folds, that are asked for."""
    cases = load(options.data, options.cache, splits=("train", "valid"))
    parts = [
        trials.leave_out_domains(cases, left.split("+"), most=options.most) for left in options.leave or ()
    ]
    for domain in options.cross or ():
        parts += trials.split_into_folds(cases, domain, folds=options.folds, most=options.most)
    if options.alone:
        parts = [trials.keep_one_domain(part, domain) for part in parts for domain in options.alone]
    return parts


def try_variants(options: argparse.Namespace) -> dict[str, Any]:
    """What ways of training are worth on domains left out, or by folds of a domain."""
    place = Place(options.data, options.cache, options.work, data_hash(options.data))
    results: dict[str, Any] = {}
    for part in _parts(options):
        for name in options.way or list(trials.VARIANTS):
            _say(f"{part.name}: {name}, {len(part.seen)} learnt from, {len(part.judged)} judged")
            found = trials.run(
                part, trials.VARIANTS[name], *_settings(options.set), place, brief=options.brief
            )
            results[f"{part.name} - {name}"] = {"part": part.name, "way": name, **found}
            for table in ("F1", "given", "both"):
                print(f"{part.name:14} {name:26} {table:6} {found[table]}", flush=True)
    return results


def decode(options: argparse.Namespace) -> dict[str, Any]:
    """Greedy against beams, global decoding and repair, on valid or, with weights that stay, on test."""
    cases = load(options.data, options.cache, splits=(options.split,))
    finder, placer = heading_step(options.model), tree_step(options.model)
    probabilities = measure.probabilities(cases, finder)
    found = [finder.headings(own) for own in probabilities]
    print("\ntrue headings given")
    certain = [p * 0 + 1 for p in probabilities]
    given = decoding.compare(cases, measure.true_headings(cases), certain, placer)
    print("\nheadings found")
    both = decoding.compare(cases, found, probabilities, placer)
    print("\none heading deleted: survivors below it")
    return {"given": given, "found": both, "deleted": decoding.compare_with_one_deleted(cases, placer)}


def time_it(_options: argparse.Namespace) -> dict[str, Any]:
    """Milliseconds of processor time of each stage, on a made document."""
    return {"milliseconds": speed.measure()}


def summarise(options: argparse.Namespace) -> dict[str, Any]:
    """One table of the trials that are kept in a folder, by variant and domain."""
    table = summary.summarise(summary.read_trials(options.work))
    print("\n".join(summary.markdown(table)))
    return dict(table)


def card(options: argparse.Namespace) -> dict[str, Any]:
    """Nothing; stores the scores in the models and writes the model card."""
    write_card(options.output, options.results, options.card)
    return {}


def _settings(changes: Sequence[str]) -> tuple[BoostedHeadings, BoostedPutOrSkip]:
    return (
        _change_settings(BoostedHeadings, "headings", changes),
        _change_settings(BoostedPutOrSkip, "put-or-skip", changes),
    )


def _change_settings(form: type[S], step: str, changes: Sequence[str]) -> S:
    """The settings with each "key=value" that they have, or "step.key=value" for one step alone."""
    known = {field.name for field in fields(form)}
    named = [change.removeprefix(f"{step}.") for change in changes]
    own = [change for change in named if change.partition("=")[0] in known]
    return settings_for(form, step, preset="boosted", changes=own)


def _sample(cases: Sequence[Case], share: float) -> list[Case]:
    rng = random.Random(0)
    return [case for case in cases if rng.random() < share or case.domain in SMALL]


def _say(message: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {message}", file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = make_parser(__doc__, prog="research.trees")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, run in (
        ("train", train),
        ("valid", valid),
        ("test", test),
        ("folds", folds),
        ("trials", try_variants),
        ("decoding", decode),
        ("speed", time_it),
        ("summary", summarise),
        ("card", card),
    ):
        command = commands.add_parser(name, help=run.__doc__)
        command.set_defaults(run=run)
        command.add_argument(
            "--data",
            type=Path,
            required=name not in ("speed", "summary", "card"),
            help="folder of labelled documents",
        )
        command.add_argument("--cache", type=Path, default=Path("out/features"), help="prepared documents")
        command.add_argument("--results", type=Path, default=Path("out/base"), help="where JSON goes")
        command.add_argument("--model", type=Path, default=Path("base"), help="shipped name or folder")
        command.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting")
        command.add_argument("--share", type=float, default=1.0, help="of the large domains, learnt from")
        command.add_argument("-o", "--output", type=Path, default=WEIGHTS / "base", help="where models go")
        command.add_argument("--step", choices=STEPS, default="both")
        command.add_argument(
            "--with-valid", action="store_true", help="train on valid too, after all choices were made"
        )
        command.add_argument(
            "--split", choices=("train", "valid", "test"), default="test" if name == "test" else "valid"
        )
        command.add_argument("--threshold", type=float, help="instead of the model's own")
        command.add_argument("--all", action="store_true", help="dropped documents too")
        command.add_argument("--domain", action="append", help="for folds; may be repeated")
        command.add_argument("--folds", type=int, default=5)
        command.add_argument("--leave", action="append", help="for trials: domains left out, joined by +")
        command.add_argument(
            "--cross", action="append", help="for trials: a domain to go through in folds, all, or 'by hand'"
        )
        command.add_argument("--alone", action="append", help="for trials: a domain that learns by itself")
        command.add_argument("--brief", action="store_true", help="for trials: figures of the whole alone")
        command.add_argument("--way", action="append", help="for trials: ways of training, all by default")
        most = 600 if name == "trials" else 0
        command.add_argument("--most", type=int, default=most, help="documents learnt from, 0 for all")
        command.add_argument(
            "--work", type=Path, default=Path("out/trials"), help="for trials and summary: what is kept"
        )
        command.add_argument("--card", type=Path, default=Path("docs/research/model-card-base.md"))
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
