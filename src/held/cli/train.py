"""`held train`: train or fine-tune the models of both steps, and the trainable baselines."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from held.cli import format_bar, print_message
from held.cli.parameters import Command, InputPath, OutputFolder, OutputPath
from held.system.optional_packages import missing_package

F = TypeVar("F", bound=Callable[..., None])
Options = tuple[Callable[[Any], Any], ...]

_model = OutputPath(signature=b"PK")  # models are zip files
# The options of all trainers. Decorators are collected in tuples, because most commands share them.
_shared = (
    click.option(
        "--preset",
        default="boosted",
        show_default=True,
        help="Settings to start from: boosted, as shipped, or paper, the paper's networks.",
    ),
    click.option(
        "--data", required=True, type=InputPath(), metavar="DIR", help="Folder of labelled documents."
    ),
    click.option("-o", "--output", required=True, type=_model, metavar="MODEL", help="Output model."),
    click.option(
        "--config", type=InputPath(), metavar="FILE", help="TOML file with settings that override the preset."
    ),
    click.option(
        "--set", "changes", multiple=True, metavar="KEY=VALUE", help="Override one setting; repeatable."
    ),
)
# The baselines come from the paper, with its settings.
_paper = click.option("--preset", default="paper", show_default=True, help="Settings to start from.")
_model_options = (
    *_shared,
    click.option("--from", "start", metavar="base|PATH", help="Model to fine-tune."),
    click.option(
        "--embeddings",
        type=InputPath(),
        metavar="FILE",
        help="Character embeddings, from `held train embeddings`.",
    ),
    click.option(
        "--checkpoints",
        type=OutputFolder(),
        metavar="DIR",
        help="Folder for checkpoints and metrics.jsonl.  [default: MODEL.run]",
    ),
    click.option(
        "--device",
        type=click.Choice(["cpu", "cuda"]),
        help="Where networks are trained (preset paper).  [default: cpu]",
    ),
)


def _with(options: Options) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        # The last decorator runs first; the help lists options from the first to the last.
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


@contextmanager
def _require_training_libraries() -> Iterator[None]:
    """Raise an error that says what to install, if a library for training is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise missing_package(f"training needs {error.name}", "train") from error


@click.group("train", short_help="Train or fine-tune the models.")
def command() -> None:
    """Train or fine-tune models on the split train of labelled documents, and evaluate on the split valid.

    An interrupted run continues with the same command. Presets with networks can use several processes:
    `torchrun --nproc-per-node 2 -m held train …` (gloo on CPUs, NCCL with --device cuda).
    """


def _add_training_command(kind: str, help: str, options: Options) -> None:
    """Add `held train KIND`, which trains models of this kind."""

    @command.command(kind, cls=Command, help=help)
    @_with(options)
    def train(
        preset: str,
        data: Path,
        output: Path,
        config: Path | None,
        changes: tuple[str, ...],
        start: str | None = None,
        embeddings: Path | None = None,
        checkpoints: Path | None = None,
        device: str | None = None,
    ) -> None:
        # Not at the top: the help must not wait for numpy.
        from held.models.store import load_model, parse_kind, save_model
        from held.training.trainers import TrainingRequest, train_model

        model_kind = parse_kind(kind)
        if device is not None:
            changes = (*changes, f'device="{device}"')
        request = TrainingRequest(
            model_kind,
            preset,
            data,
            checkpoints or output.with_name(f"{output.name}.run"),
            config=config,
            changes=changes,
            start=None if start is None else load_model(start, model_kind),
            embeddings=embeddings,
            log=_print_metrics,
        )
        model = train_model(request)
        if model is None:
            return  # one of several processes: the first one saves the model
        save_model(output, model)
        for name, score in model.scores.items():
            formatted = f"{score:.4f}" if isinstance(score, float) else score
            click.echo(f"{name}\t{formatted}")


_add_training_command("headings", "Train the step that finds headings.", _model_options)
_add_training_command("put-or-skip", "Train the step that inserts headings into the tree.", _model_options)
_add_training_command(
    "toc", "Train the baseline that labels objects by depth.", (_paper, *_model_options[1:])
)
_add_training_command(
    "pembe",
    "Train the logistic baseline that inserts headings.",
    (_paper, *_shared[1:]),
)


@command.command("embeddings", cls=Command, short_help="Train character embeddings for networks.")
@_with(_shared)
def embeddings(preset: str, data: Path, output: Path, config: Path | None, changes: tuple[str, ...]) -> None:
    """Train character embeddings (skip-gram) that networks can start from."""
    from held.corpus.store import labelled_documents

    with _require_training_libraries():
        from held.paper.training.embeddings import learn_embeddings, write_embeddings
        from held.training.settings import EmbeddingSettings, settings_for
    settings = settings_for(EmbeddingSettings, "embeddings", preset=preset, config=config, changes=changes)
    documents = labelled_documents(data, splits=["train"])
    texts = (item.text for labelled in documents for item in labelled.document.objects)
    vectors = learn_embeddings(texts, settings)
    write_embeddings(output, vectors)


@command.command("ranker", cls=Command, short_help="Train the paper's passage ranker.")
@click.argument("questions", type=InputPath())
@click.option("-o", "--output", required=True, type=OutputPath(".onnx"), metavar="FILE", help="Output file.")
@click.option(
    "--model", default="base", show_default=True, help="Model that extracts the documents of the questions."
)
def ranker(questions: Path, output: Path, model: str) -> None:
    """Train the paper's passage ranker on QUESTIONS: boosted trees over BM25 and four features of the tree.

    QUESTIONS has a JSON object on each line: document (a PDF or the JSON of `held extract`), question, and
    the answer: pages, or under (the title of a section). Prints the cross-validated scores of BM25 and of
    the ranker. Use the result with `held.paper.ranker.PaperRanker`.
    """
    from held.system.atomic_write import write_file

    with _require_training_libraries():
        from held.paper.training.ranker import train_ranker
    trained = train_ranker(questions, model=model, log=print_message)
    write_file(output, trained.onnx)
    for name, scores in trained.scores.items():
        shown = "\t".join(f"{measure} {value:.4f}" for measure, value in scores.items())
        click.echo(f"{name}\t{shown}")


@command.command("corrections", cls=Command, short_help="Fine-tune both steps on your corrections.")
@click.argument("folder", type=InputPath())
@click.option(
    "--from", "start", default="base", show_default=True, metavar="base|DIR", help="Model to fine-tune."
)
@click.option(
    "-o",
    "--output",
    required=True,
    type=OutputFolder(),
    metavar="MODELDIR",
    help="Output folder for both steps.",
)
def corrections(folder: Path, start: str, output: Path) -> None:
    """Fine-tune both steps on corrected documents, which `held serve` saves as labelled ones in FOLDER.

    Every fifth document is held out. The scores on these before and after are printed and written to
    MODELDIR/report.json. Use the result with `--model MODELDIR`.
    """
    with _require_training_libraries():
        from held.training.corrections import teach
    report = teach(folder, output, start=start, log=lambda line: click.echo(f"held: {line}", err=True))
    click.echo(f"trained on {report.learnt} documents; {report.held_out} held out")
    for name, scores in (("before", report.before), ("after", report.after)):
        if scores is not None:
            click.echo(f"{name}\theadings {scores.headings:.4f}\tpaths {scores.paths:.4f}")
    if report.after is None:
        click.echo("too few documents to hold any out, so it is unknown whether the model is better")


def _print_metrics(line: Mapping[str, Any]) -> None:
    """Print a line of the metrics log: evaluations as lines, the rest as a bar on a terminal."""
    if "doing" in line:
        click.echo(f"held: {line['doing']}", err=True)
    elif "valid" in line:
        scores = ", ".join(f"{name} {score:.4f}" for name, score in line["valid"].items())
        position = f"epoch {line['epoch']}, step {line['step']}, mean loss {line['mean_loss']:.4f}"
        print_message(f"{position}; valid: {scores or 'none'}")
    elif sys.stderr.isatty():
        bar = format_bar(f"epoch {line['epoch']}", line["batch"], line["batches"], "batches")
        click.echo(f"\r{bar}, loss {line['loss']:.4f}", nl=False, err=True)
