"""`held evaluate`: the scores of several models on labelled documents, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from held.cli import path_or_stdout, print_message, write_result
from held.cli.parameters import (
    Command,
    InputPath,
    OutputPath,
    force_option,
    format_for_path,
    format_option,
    quiet_option,
    search_options,
)
from held.errors import InputError

if TYPE_CHECKING:
    from held.corpus.store import LabelledDocument
    from held.training.evaluation import Evaluation

_FORMATS = {".txt": "text", ".json": "json"}
_MEASURES = ("accuracy", "interval", "unmasked", "heading_f1", "parents", "teds", "inquiries")


@click.command("evaluate", cls=Command, short_help="Measure models on labelled documents.")
@click.argument("models", nargs=-1, required=True, metavar="MODEL...")
@click.option("--data", required=True, type=InputPath(), metavar="DIR", help="Folder of labelled documents.")
@click.option(
    "--split",
    type=click.Choice(["train", "valid", "test"]),
    default="valid",
    show_default=True,
    help="Documents to measure on.",
)
@click.option("--domain", "domains", multiple=True, metavar="NAME", help="Only this domain; repeatable.")
@click.option(
    "--headings",
    type=click.Choice(["found", "true"]),
    default="found",
    show_default=True,
    help="true: score the tree step alone, with the headings of the labels.",
)
@search_options()
@click.option(
    "--search",
    type=click.Choice(["insertion", "mcts"]),
    default="insertion",
    show_default=True,
    help="mcts: try out doubtful decisions by Monte Carlo tree search.",
)
@format_option(_FORMATS, default="text")
@click.option("-o", "--output", type=OutputPath(*_FORMATS), metavar="OUT", help="Output file.")
@force_option()
@quiet_option()
def command(
    models: tuple[str, ...],
    data: Path,
    split: str,
    domains: tuple[str, ...],
    headings: str,
    order: str,
    beam: int,
    search: str,
    format_name: str | None,
    output: Path | None,
    quiet: bool,
) -> None:
    """Score each MODEL on labelled documents, which `held corpus build` and `held label` write.

    MODEL is the name of a shipped model, a model folder, the name of a baseline (heps, size, numbers), or a
    folder with a trained baseline (toc.held, pembe.held). Later models are compared with the first one over
    the same documents: the difference in accuracy with its 95 % interval (paired bootstrap).

    Accuracy is the share of objects whose whole path of headings is right. Where an outline is incomplete,
    objects that may be unlisted headings are left out; `unmasked` counts them as body. Seconds are CPU time
    for a document, the heading step included.
    """
    from held.corpus.store import data_hash
    from held.hierarchy.insertion import Order, Strategy
    from held.system.bounded_json import encode_json
    from held.training.evaluation import build_by_strategy, difference, evaluate

    build = build_by_strategy
    # The search of the paper's future work is imported only on request: the product does not need it.
    if search == "mcts":
        if beam > 1 or order != "ta":
            raise click.UsageError("--search mcts works with neither --order nor --beam")
        from held.paper.monte_carlo import build_by_simulation as build
    strategy = Strategy(Order(order), beam)
    # Read once: all models are scored on the same documents, so that differences can be paired.
    documents = _documents(data, split, domains)
    evaluations = []
    for model in models:
        if not quiet:
            print_message(f"{model}: {len(documents)} documents")
        evaluations.append(
            evaluate(model, documents, strategy=strategy, true_headings=headings == "true", build=build)
        )
    first, *others = evaluations
    result = {
        "format": "held.evaluation",
        "version": 1,
        "data": data_hash(data),
        "split": split,
        "domains": list(domains),
        "headings": headings,
        "order": order,
        "beam": beam,
        "search": search,
        "models": [evaluation.to_json() for evaluation in evaluations],
        "differences": [_difference(other, first, *difference(other, first)) for other in others],
    }
    target = path_or_stdout(output)
    if (format_name or format_for_path(target, _FORMATS, "text")) == "json":
        write_result(encode_json(result), target)
    else:
        write_result("".join(f"{line}\n" for line in _text(result)).encode(), target)


def _documents(data: Path, split: str, domains: Sequence[str]) -> list[LabelledDocument]:
    from held.corpus.store import labelled_documents

    documents = list(labelled_documents(data, splits=[split], domains=domains or None))
    if not documents:
        in_domains = f" of {', '.join(domains)}" if domains else ""
        advice = "choose another --split or --domain, or make documents with `held corpus build`"
        raise InputError(f"no labelled documents of split {split}{in_domains}", file=data, advice=advice)
    return documents


def _difference(
    ours: Evaluation, other: Evaluation, accuracy: float, interval: Sequence[float]
) -> dict[str, Any]:
    return {
        "model": ours.model,
        "against": other.model,
        "accuracy": round(accuracy, 4),
        "interval": [round(bound, 4) for bound in interval],
    }


def _text(result: dict[str, Any]) -> Iterator[str]:
    """The result as tables: all documents, each domain, F1 by level, differences."""
    models = result["models"]
    domains = list(models[0]["domains"])
    for domain in domains if len(domains) > 1 else ():
        scores = {model["model"]: model["domains"][domain] for model in models}
        yield f"{domain}: {models[0]['domains'][domain]['documents']} documents"
        yield from _measures(scores)
        yield ""
    yield f"all: {models[0]['all']['documents']} documents"
    yield from _measures({model["model"]: model["all"] for model in models})
    yield "\nF1 by level"
    levels = sorted({int(level) for model in models for level in model["all"]["by_level"]})
    rows = [["", *map(str, levels)]]
    for model in models:
        by_level = model["all"]["by_level"]
        f1_by_level = [by_level.get(str(level), {}).get("f1") for level in levels]
        rows.append([model["model"], *map(_cell, f1_by_level)])
    yield from _table(rows)
    yield "\nCPU seconds for a document"
    rows = [["", "headings", "tree", "both"]]
    for model in models:
        seconds = model["seconds"]
        both = sum(seconds.values())
        rows.append([model["model"], *(f"{value:.3f}" for value in (*seconds.values(), both))])
    yield from _table(rows)
    for difference in result["differences"]:
        low, high = difference["interval"]
        interval = f"{low:+.4f} to {high:+.4f}"
        models_compared = f"{difference['model']} against {difference['against']}"
        yield f"\n{models_compared}: {difference['accuracy']:+.4f} ({interval})"


def _measures(scores: dict[str, dict[str, Any]]) -> Iterator[str]:
    """A table with a row of measures for each model."""
    rows = [["", "accuracy", "95 %", "unmasked", "heading F1", "parents", "TEDS", "inquiries"]]
    for model, measures in scores.items():
        rows.append([model, *(_cell(measures[name]) for name in _MEASURES)])
    return _table(rows)


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, list):
        return "-" if None in value else " - ".join(f"{bound:.3f}" for bound in value)
    return f"{value:.1f}" if value > 1 else f"{value:.4f}"


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows in columns; the first one is flush left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *cells in rows:
        padded = (cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
        yield "  ".join((name.ljust(widths[0]), *padded)).rstrip()
