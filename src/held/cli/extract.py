"""`held extract`: the tree of a document's headings, in the form that is needed next."""

from __future__ import annotations

import os
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from held.batch.request import Manner, Options
from held.cli.inputs import STDIN, page_range
from held.errors import UsageError
from held.extraction import OUTLINES, Extraction
from held.forms import FORMS, SUFFIXES, Writing, form_of, forms_that_take

# Options of the command that are options of the extraction, and of the form.
_OF_EXTRACTION = [field.name for field in fields(Extraction) if field.name != "fixed"]
_OF_WRITING = ("images", "tables", "page_markers", "keep_bookmarks", "max_tokens")
_WITH_ANY_FORM = frozenset({"tables"})
_PATH = click.Path(path_type=Path, allow_dash=True)


_HELP = f"""The hierarchy of each FILE: its headings as a tree, and every object under its heading.

FILE is a PDF, a folder of PDFs, what `held objects` gives, or - for standard input. The JSON of an
earlier `held extract` is written anew in another form, without reading the PDF again. One file goes to
standard output or to OUT; several go into the folder OUT, in folders like those that they come from.

\b
{chr(10).join(f"{form.name:<9} {form.about}" for form in FORMS.values())}

Exit code 0: all done; 1: some failed; 2: the call is wrong. Results are the same for the same input.
"""


@click.command("extract", help=_HELP, short_help="The tree of headings, with everything below them.")
@click.argument("files", type=_PATH, nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMS]),
    help=f"Else what OUT ends with says it ({' '.join(SUFFIXES)}), else json.",
)
@click.option("-o", "--output", metavar="OUT", help="Write to this file; for several, into this folder.")
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
@click.option("--images", type=_PATH, metavar="DIR", help="Save figures here; markdown and html show them.")
@click.option("--tables", type=_PATH, metavar="DIR", help="Save tables here as CSV, with an index.")
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
@click.option("--model", default="base", show_default=True, help="A model that ships, or the path of one.")
@click.option(
    "--order",
    type=click.Choice(["ta", "r2l", "l2r"]),
    default="ta",
    show_default=True,
    help="How places are gone through: all, from the root, or from the leaf until one fits.",
)
@click.option(
    "--beam", type=click.IntRange(1), default=1, metavar="N", help="Keep N trees alive; with order ta."
)
@click.option("--password", help="The password of encrypted PDFs.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Files at a time; of one file, pages.")
@click.option(
    "--timeout", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="Give up a file after this."
)
@click.option("--resume", is_flag=True, help="Skip files that an earlier run into OUT has done.")
@click.option(
    "--summary",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write what became of each file as JSON.",
)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
@click.option("-v", "--verbose", is_flag=True, help="Tell progress, warnings and the time of each stage.")
def command(files: tuple[Path, ...], output: str | None, **options: Any) -> None:
    """Extracts one file, or several into a folder."""
    # Nothing here multiplies matrices; starting the threads for it takes as long as reading a page.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    target = None if output is None or output == STDIN else Path(output)
    chosen = Options(
        options["form"] or _form_named_by(target),
        Extraction(**{name: options[name] for name in _OF_EXTRACTION}),
        Writing(**{name: options[name] for name in _OF_WRITING}),
    )
    manner = Manner(**{field.name: options[field.name] for field in fields(Manner)})
    _check(chosen)
    into_folder = target is not None and (target.is_dir() or str(output).endswith(os.sep))
    if len(files) == 1 and not files[0].is_dir() and not into_folder:
        if options["resume"] or options["summary"]:
            raise click.UsageError("--resume and --summary are for several files")
        _extract_one(files[0], target, chosen, manner)
    else:
        _extract_several(files, target, chosen, manner, options["resume"], options["summary"])


def _form_named_by(target: Path | None) -> str:
    """The form that a file's suffix names, JSON where it names none."""
    form = None if target is None else form_of(target)
    return "json" if form is None else form.name


def _check(options: Options) -> None:
    """Refuses options that do not go together."""
    extraction = options.extraction
    if extraction.beam > 1 and extraction.order != "ta":
        raise click.UsageError(f"--beam goes with --order ta alone, not with {extraction.order}")
    for name in _OF_WRITING:
        given = getattr(options.writing, name) not in (None, False)
        if given and name not in FORMS[options.form].takes | _WITH_ANY_FORM:
            flag, takers = name.replace("_", "-"), " and ".join(forms_that_take(name))
            raise click.UsageError(f"--{flag} goes with --format {takers}, not {options.form}")


def _extract_one(file: Path, output: Path | None, options: Options, manner: Manner) -> None:
    """Extracts a file to another, or to stdout."""
    from held.cli.one import extract_one

    if output is not None and output.exists() and file.exists() and output.samefile(file):
        raise UsageError("would be overwritten", file=file, advice="choose another name with -o")
    extract_one(file, output, options, manner)


def _extract_several(
    files: tuple[Path, ...],
    output: Path | None,
    options: Options,
    manner: Manner,
    resume: bool,
    summary: Path | None,
) -> None:
    """Extracts files into a folder; exits with 1 if any of them fails."""
    from held.batch.plan import plan
    from held.cli.several import extract_several

    if output is None:
        raise click.UsageError("several files need a folder for their results: give -o FOLDER")
    if Path(STDIN) in files:
        raise click.UsageError("standard input (-) goes alone, not with other files")
    if output.exists() and not output.is_dir():
        raise click.UsageError(f"-o {output} is a file; several files need a folder")
    items = plan(files, output, FORMS[options.form].suffix)
    if not extract_several(items, output, options, manner, resume=resume, summary=summary):
        raise click.exceptions.Exit(1)
