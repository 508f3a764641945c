"""`held extract`: the tree of a document's headings, in the form that is needed next."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from held.batch.request import Manner, Options
from held.cli.inputs import STDIN, page_range
from held.cli.options import force_option, jobs_option, model_option, password_option, verbose_option
from held.cli.paths import (
    PARTIAL,
    Command,
    InputPath,
    OutputFolder,
    OutputPath,
    Seconds,
    form_named,
)
from held.errors import UsageError
from held.exports.formats import (
    DATASET_FORMAT,
    DATASET_OPTIONS,
    FORMATS,
    SUFFIXES,
    ExportOptions,
    formats_with_option,
)
from held.extraction import OUTLINES, ExtractOptions
from held.system.limits import MAX_BEAM

if TYPE_CHECKING:
    from held.batch.plan import Item

# Options of the command that are options of the extraction, and of the form.
_OF_EXTRACTION = [field.name for field in fields(ExtractOptions) if field.name != "fixed"]
_OF_WRITING = ("images", "tables", "page_markers", "keep_bookmarks", "max_tokens")
_WITH_ANY_FORM = frozenset({"tables"})


_HELP = f"""The hierarchy of each FILE: its headings as a tree, and every object under its heading.

FILE is a PDF, a folder of PDFs, what `held objects` gives, or - for standard input. The JSON of an
earlier `held extract` is written anew in another form, without reading the PDF again. One file goes to
standard output or to OUT; several go into the folder OUT, in folders like those that they come from.

\b
{chr(10).join(f"{form.name:<9} {form.description}" for form in FORMATS.values())}
{DATASET_FORMAT:<9} all files together as tables of a data set in the folder OUT (extra parquet)

Exit code 0: all done; 1: some failed; 2: the call is wrong; 3: done, but pages of some could not be read.
Results are the same for the same input.
"""


@click.command(
    "extract", cls=Command, help=_HELP, short_help="The tree of headings, with everything below them."
)
@click.argument("files", type=InputPath(stores=True), nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMATS, DATASET_FORMAT]),
    help=f"Else what OUT ends with says it ({' '.join(SUFFIXES)}); else json, on a terminal tree.",
)
@click.option(
    "-o",
    "--output",
    type=OutputPath(*SUFFIXES, path_type=str),  # as it is written: a slash at its end means a folder
    metavar="OUT",
    help="Write to this file; for several, into this folder.",
)
@force_option()
@click.option(
    "--pages",
    callback=page_range,
    metavar="3-9",
    help="Only these pages, counted from 1, and the headings above them.",
)
@click.option(
    "--max-depth",
    type=click.IntRange(1),
    metavar="N",
    help="Headings deeper than N become text below level N.",
)
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    metavar="P",
    help="Mark headings less sure than P (0 to 1) as doubtful.",
)
@click.option("--drop-doubtful", is_flag=True, help="Make doubtful headings text of the section before them.")
@click.option(
    "--images", type=OutputFolder(), metavar="DIR", help="Save figures here; markdown and html show them."
)
@click.option("--tables", type=OutputFolder(), metavar="DIR", help="Save tables here as CSV, with an index.")
@click.option("--page-markers", is_flag=True, help="Format markdown: a comment where each page begins.")
@click.option("--keep-bookmarks", is_flag=True, help="Format pdf: keep the PDF's own bookmarks, too.")
@click.option(
    "--max-tokens", type=click.IntRange(1), metavar="N", help="Format chunks: none longer.  [default: 400]"
)
@click.option(
    "--outline",
    type=click.Choice(OUTLINES),
    default="ignore",
    show_default=True,
    help="Whether the PDF's own bookmarks give the headings and their levels.",
)
@click.option(
    "--headings",
    type=click.Choice(["auto", "found", "given"]),
    default="auto",
    show_default=True,
    help="Those that the model finds, or that FILE names; auto: named ones where there are any.",
)
@model_option()
@click.option(
    "--order",
    type=click.Choice(["ta", "r2l", "l2r"]),
    default="ta",
    show_default=True,
    help="How places are gone through: all, from the root, or from the leaf until one fits.",
)
@click.option(
    "--beam",
    type=click.IntRange(1, MAX_BEAM),
    default=1,
    metavar="N",
    help="Keep N trees alive; with order ta.",
)
@password_option("The password of encrypted PDFs.")
@jobs_option("Files at a time; of one file, pages.")
@click.option("--timeout", type=Seconds(), metavar="SECONDS", help="Give up a file after this.")
@click.option("--resume", is_flag=True, help="Skip files that an earlier run into OUT has done.")
@click.option(
    "--summary",
    type=OutputPath(".json"),
    metavar="FILE",
    help="Write what became of each file as JSON.",
)
@click.option(
    "--on",
    "engine",
    type=click.Choice(["ray"]),
    help="Format parquet: on a Ray cluster, also from and to a store (s3://… gs://…).",
)
@click.option(
    "--address", envvar="RAY_ADDRESS", metavar="ADDRESS", help="The cluster; else one of this machine."
)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
@verbose_option("Tell progress, warnings and the time of each stage.")
def command(files: tuple[Path | str, ...], output: str | None, **options: Any) -> None:
    """Extracts one file, or several into a folder."""
    # Nothing here multiplies matrices; starting the threads for it takes as long as reading a page.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if options["engine"] or options["form"] == DATASET_FORMAT:
        _extract_data_set(files, output, options)
        return
    local = tuple(_local(file) for file in files)
    target = None if output is None or output == STDIN else Path(output)
    into_folder = target is not None and (target.is_dir() or str(output).endswith(os.sep))
    one = len(local) == 1 and not local[0].is_dir() and not into_folder
    chosen = _chosen(options["form"] or _form_for(target, into_folder=not one), options)
    manner = _manner(options)
    if one:
        if options["resume"] or options["summary"]:
            raise click.UsageError("--resume and --summary are for several files")
        _extract_one(local[0], target, chosen, manner)
    else:
        _extract_several(local, target, chosen, manner, options["resume"], options["summary"])


def _chosen(form: str, options: dict[str, Any]) -> Options:
    """What is asked for, of options that go together."""
    chosen = Options(
        form,
        ExtractOptions(**{name: options[name] for name in _OF_EXTRACTION}),
        ExportOptions(**{name: options[name] for name in _OF_WRITING}),
    )
    _check(chosen)
    return chosen


def _manner(options: dict[str, Any]) -> Manner:
    return Manner(**{field.name: options[field.name] for field in fields(Manner)})


def _local(file: Path | str) -> Path:
    """A file of this machine; a store is only for a cluster."""
    if isinstance(file, str):
        advice = "give --format parquet --on ray, or fetch it first"
        raise UsageError("is in a store", file=file, advice=advice)
    return file


def _extract_data_set(files: tuple[Path | str, ...], output: str | None, options: dict[str, Any]) -> None:
    """Extracts all files into one data set, here or on a cluster."""
    from held.cli.data_set import on_ray, on_this_machine

    form = options["form"] or DATASET_FORMAT
    if form != DATASET_FORMAT:
        raise click.UsageError(f"--on ray goes with --format {DATASET_FORMAT}, not {form}")
    if output is None or output == STDIN or STDIN in map(str, files):
        raise click.UsageError("a data set needs a folder, and files: give -o FOLDER")
    chosen, manner = _chosen(form, options), _manner(options)
    after = {"resume": options["resume"], "summary": options["summary"]}
    if options["engine"] is None:
        code = on_this_machine([_local(file) for file in files], output, chosen, manner, **after)
    else:
        code = on_ray([str(file) for file in files], output, chosen, manner, options["address"], **after)
    if code:
        raise click.exceptions.Exit(code)


def _form_for(target: Path | None, *, into_folder: bool) -> str:
    """The form that a file's suffix names; without one JSON, and on a terminal what people can read."""
    if target is None:
        return "tree" if sys.stdout.isatty() else "json"
    forms = {form.suffix: form.name for form in FORMATS.values()}
    return "json" if into_folder else form_named(target, forms, "json")


def _check(options: Options) -> None:
    """Refuses options that do not go together."""
    extraction = options.extraction
    if extraction.beam > 1 and extraction.order != "ta":
        raise click.UsageError(f"--beam goes with --order ta alone, not with {extraction.order}")
    for name in _OF_WRITING:
        given = getattr(options.writing, name) not in (None, False)
        if given and name not in _taken_by(options.form):
            flag, takers = name.replace("_", "-"), " and ".join(formats_with_option(name))
            raise click.UsageError(f"--{flag} goes with --format {takers}, not {options.form}")


def _taken_by(form: str) -> frozenset[str]:
    """The options that mean something to a form."""
    return DATASET_OPTIONS if form == DATASET_FORMAT else FORMATS[form].options | _WITH_ANY_FORM


def _extract_one(file: Path, output: Path | None, options: Options, manner: Manner) -> None:
    """Extracts a file to another, or to stdout."""
    from held.cli.extract_file import extract_one

    if not extract_one(file, output, options, manner):
        raise click.exceptions.Exit(PARTIAL)


def _extract_several(
    files: tuple[Path, ...],
    output: Path | None,
    options: Options,
    manner: Manner,
    resume: bool,
    summary: Path | None,
) -> None:
    """Extracts files into a folder; exits with the code for what is not whole."""
    from held.batch.plan import plan
    from held.cli.several import extract_several

    if output is None:
        raise click.UsageError("several files need a folder for their results: give -o FOLDER")
    if Path(STDIN) in files:
        raise click.UsageError("standard input (-) goes alone, not with other files")
    if output.exists() and not output.is_dir():
        raise click.UsageError(f"-o {output} is a file; several files need a folder")
    items = plan(files, output, FORMATS[options.form].suffix)
    if summary is not None:
        _spare_results(summary, items, output)
    code = extract_several(items, output, options, manner, resume=resume, summary=summary)
    if code:
        raise click.exceptions.Exit(code)


def _spare_results(summary: Path, items: Sequence[Item], output: Path) -> None:
    """Refuses a summary in the place of a result, of the journal or of a source."""
    from held.batch.results import JOURNAL
    from held.system.atomic_write import same_file

    taken = (output / JOURNAL, *(path for item in items for path in item))
    if any(same_file(summary, path) for path in taken):
        raise UsageError("would be overwritten by the summary", file=summary, advice="give another name")
