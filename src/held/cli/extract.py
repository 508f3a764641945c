"""`held extract`: the heading tree of documents, in any export format."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import replace
from pathlib import Path

import click

from held.cli import (
    file_or_stdin,
    format_bar,
    is_folder_path,
    path_or_stdout,
    print_message,
    print_warnings,
    status_line,
    use_colour,
    write_result,
)
from held.cli.parameters import (
    PARTIAL,
    STDIN,
    Command,
    InputPath,
    OutputFolder,
    OutputPath,
    force_option,
    format_for_path,
    jobs_option,
    language_option,
    model_option,
    ocr_options,
    pages_option,
    password_option,
    quiet_option,
    refuse_idle_options,
    search_options,
    timeout_option,
    verbose_option,
)
from held.errors import UsageError
from held.exports.formats import (
    DATASET_FORMAT,
    FORMATS,
    SUFFIXES,
    ExportOptions,
    formats_with_option,
)
from held.extraction import OUTLINES, ExtractOptions
from held.file_task import FileTask, RunOptions, TaskOptions, TaskResult, export_file, name_file_in_errors
from held.reading.text_checks import format_pages
from held.system.console import throttle_progress
from held.system.limits import limit_memory, memory_share

_EXPORT_OPTIONS = (
    "images",
    "tables",
    "no_title",
    "page_markers",
    "keep_bookmarks",
    "strip_active",
    "max_tokens",
)
_FORMATS_WITH = {name: formats_with_option(name) for name in _EXPORT_OPTIONS}
_LEVEL_COLOURS = ("bright_cyan", "bright_green", "bright_yellow", "bright_magenta", "bright_blue")
# A line of the tree: indent, title, page with an optional question mark.
_TREE_LINE = re.compile(r"((?:  )*)(.*?)(  \(\S*\)(?: \?)?)")

_FORMAT_LIST = "\n".join(f"{entry.name:<9} {entry.description}" for entry in FORMATS.values())
_HELP = f"""Find the headings of each FILE and write its tree, or its whole text arranged by the tree.

FILE is a PDF, a folder of PDFs, the output of `held objects`, or - for standard input. The JSON of an earlier
`held extract` is converted to another format without reading the PDF again. The result of one file goes to
standard output or to OUT. The results of several files go into the folder OUT, which mirrors their folders.

\b
Formats:
{_FORMAT_LIST}
{DATASET_FORMAT:<9} one data set of all files, as Parquet tables in the folder OUT (extra parquet)

Exit codes: 0 all files done; 1 some files failed; 2 wrong usage; 3 done, but some pages could not be read.
The same input gives the same output.
"""


# The order matters: `ExportOptions` has a password too, which the tasks fill in.
_VALUES = {"run": RunOptions, "extract": ExtractOptions, "export": ExportOptions}
_SECTIONS = {
    "Output": ("format_name", "output", "force", *_EXPORT_OPTIONS),
    "Headings": (
        *("pages", "max_depth", "min_confidence", "drop_doubtful", "outline", "headings", "language"),
        *("model", "order", "beam"),
    ),
    "Scanned and encrypted PDFs": ("ocr", "ocr_engine", "ocr_languages", "password", "password_file"),
    "Many files": ("jobs", "timeout", "resume", "summary", "engine", "address"),
}


@click.command(
    "extract",
    cls=Command,
    values=_VALUES,
    sections=_SECTIONS,
    help=_HELP,
    short_help="Convert PDFs: heading tree, Markdown, HTML, JSON and more.",
)
@click.argument("files", type=InputPath(stores=True), nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--format",
    "format_name",
    type=click.Choice([*FORMATS, DATASET_FORMAT]),
    help=f"Default: taken from OUT's extension ({' '.join(SUFFIXES)}); "
    "otherwise tree on a terminal and json elsewhere.",
)
@click.option(
    "-o",
    "--output",
    type=OutputPath(*SUFFIXES, path_type=str),  # a `Path` would lose the slash that marks a folder
    metavar="OUT",
    help="Output file; for several files, output folder.",
)
@force_option()
@pages_option("Keep only these pages, counted from 1, and the headings above them.")
@click.option(
    "--max-depth",
    type=click.IntRange(1),
    metavar="N",
    help="Keep headings down to level N; deeper ones become text.",
)
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    metavar="P",
    help="Mark headings with a lower probability than P (0 to 1) as doubtful.",
)
@click.option("--drop-doubtful", is_flag=True, help="Turn doubtful headings into text of the section before.")
@click.option(
    "--images",
    type=OutputFolder(),
    metavar="DIR",
    help="Save figures to this folder and show them (markdown, html).",
)
@click.option("--tables", type=OutputFolder(), metavar="DIR", help="Save tables to this folder as CSV.")
@click.option(
    "--no-title",
    is_flag=True,
    help="Put no title above the headings; they keep their levels (markdown, html, docx, epub).",
)
@click.option("--page-markers", is_flag=True, help="Add a comment where each page begins (markdown).")
@click.option("--keep-bookmarks", is_flag=True, help="Keep the PDF's own bookmarks as well (pdf).")
@click.option(
    "--strip-active", is_flag=True, help="Remove scripts, actions, media and attachments from the PDF (pdf)."
)
@click.option(
    "--max-tokens",
    type=click.IntRange(1),
    metavar="N",
    help="Maximum length of a chunk in tokens (chunks, parquet).  [default: 400]",
)
@click.option(
    "--outline",
    type=click.Choice(OUTLINES),
    default="ignore",
    show_default=True,
    help="trust: take headings and levels from the PDF's own bookmarks.",
)
@click.option(
    "--headings",
    type=click.Choice(["auto", "found", "given"]),
    default="auto",
    show_default=True,
    help="Headings found by the model, or given by FILE; auto: given ones if there are any.",
)
@language_option()
@model_option()
@search_options()
@ocr_options()
@password_option("Password of encrypted PDFs.")
@jobs_option("Number of files processed at a time; for one file, processes that read pages.")
@timeout_option()
@click.option("--resume", is_flag=True, help="Skip files that an earlier run into OUT has done.")
@click.option(
    "--summary",
    type=OutputPath(".json"),
    metavar="FILE",
    help="Write the outcome of each file to FILE as JSON.",
)
@click.option(
    "--on",
    "engine",
    type=click.Choice(["ray"]),
    help="Run on a Ray cluster; FILE and OUT may be object stores (s3://… gs://…); parquet only.",
)
@click.option(
    "--address",
    envvar="RAY_ADDRESS",
    metavar="ADDRESS",
    help="Address of the Ray cluster; default: one on this machine.",
)
@quiet_option()
@verbose_option("Print progress, warnings and the time of each stage.")
def command(
    *,
    files: tuple[Path | str, ...],
    format_name: str | None,
    output: str | None,
    extract: ExtractOptions,
    export: ExportOptions,
    run: RunOptions,
    engine: str | None,
    address: str | None,
) -> None:
    """Extract one file, or several into a folder or data set."""
    # Nothing here multiplies large matrices; starting threads for it takes as long as reading a page.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if extract.beam > 1 and extract.order != "ta":
        raise click.UsageError(f"--beam works only with --order ta, not {extract.order}")
    if engine is not None and format_name not in (None, DATASET_FORMAT):
        raise click.UsageError(f"--on ray works only with --format {DATASET_FORMAT}, not {format_name}")
    if engine is not None or format_name == DATASET_FORMAT:
        options = TaskOptions(DATASET_FORMAT, extract, export)
        folder = _dataset_folder(files, output, export)
        if engine is not None:
            from held.cli.batch import extract_on_ray

            urls = [str(file) for file in files]
            code = extract_on_ray(urls, folder, options, run, address)
        else:
            from held.cli.batch import extract_to_dataset

            local_files = [_require_local(file) for file in files]
            code = extract_to_dataset(local_files, folder, options, run)
        raise click.exceptions.Exit(code)
    local_files = [_require_local(file) for file in files]
    target = path_or_stdout(output)
    is_single = len(local_files) == 1 and not local_files[0].is_dir() and not is_folder_path(output)
    format_name = format_name or _default_format(target, is_single=is_single)
    refuse_idle_options(export, format_name, _FORMATS_WITH)
    options = TaskOptions(format_name, extract, export)
    if is_single:
        if run.resume or run.summary:
            raise click.UsageError("--resume and --summary are for several files")
        _extract_file(local_files[0], target, options, run)
    else:
        from held.cli.batch import extract_to_folder

        code = extract_to_folder(local_files, target, options, run)
        raise click.exceptions.Exit(code)


def _dataset_folder(files: tuple[Path | str, ...], output: str | None, export: ExportOptions) -> str:
    """Return the folder or URL of a data set, after checking what it can be made of."""
    refuse_idle_options(export, DATASET_FORMAT, _FORMATS_WITH)
    if output is None or output == STDIN or STDIN in map(str, files):
        raise click.UsageError("a data set needs input files and an output folder; use -o FOLDER")
    return output


def _require_local(file: Path | str) -> Path:
    if isinstance(file, str):
        advice = "use --format parquet --on ray, or download it first"
        raise UsageError("is in an object store", file=file, advice=advice)
    return file


def _default_format(target: Path | None, *, is_single: bool) -> str:
    if target is None:
        return "tree" if sys.stdout.isatty() else "json"
    if not is_single:
        return "json"
    suffixes = {entry.suffix: entry.name for entry in FORMATS.values()}
    return format_for_path(target, suffixes, "json")


def _extract_file(file: Path, target: Path | None, options: TaskOptions, run_options: RunOptions) -> None:
    """Extract one file to another, or to standard output.

    A worker process takes as long to start as ten pages take to read, so there is one only where it is
    needed: for a timeout, and for formats that open the PDF again with qpdf. PDFium always runs in processes
    of its own.
    """
    export_format = FORMATS[options.format]
    if target is None and not export_format.is_text and sys.stdout.isatty():
        what = f"{export_format.name} can't be written to a terminal; use -o FILE{export_format.suffix}"
        raise click.UsageError(what)
    options = replace(options, export=replace(options.export, target=target))
    with file_or_stdin(file) as source, status_line() as show:

        def report(stage: str, done: int, total: int) -> None:
            if not run_options.quiet:
                show(format_bar(stage, done, total, "headings" if stage == "inserting" else "pages"))

        task = FileTask(source, str(file), options, password=run_options.password, jobs=run_options.jobs)
        if run_options.timeout is None and not export_format.needs_pdf:
            with limit_memory(memory_share(1)), name_file_in_errors(source, str(file)):
                result = export_file(task, throttle_progress(report))
        else:
            from held.batch.runner import run_task

            result = run_task(task, report, timeout=run_options.timeout)
    _write(result, target, options, run_options)
    if result.lost:
        print_message(f"partial: {format_pages(result.lost)} could not be read")
        raise click.exceptions.Exit(PARTIAL)


def _write(result: TaskResult, target: Path | None, options: TaskOptions, run_options: RunOptions) -> None:
    if not run_options.quiet:
        print_warnings(result.notes)
    if target is None and options.format == "tree" and use_colour(sys.stdout):
        write_result(_colour_tree(result.content), None, is_safe=True)
    else:
        write_result(result.content, target)
    if run_options.verbose:
        sys.stdout.flush()
        print_message(_format_times(result))


def _colour_tree(tree: bytes) -> bytes:
    """Colour the titles by level, and the pages grey."""
    lines = []
    for line in tree.decode().splitlines():
        match = _TREE_LINE.fullmatch(line)
        if match:
            indent, title, page = match.groups()
            level = len(indent) // 2
            colour = _LEVEL_COLOURS[level % len(_LEVEL_COLOURS)]
            title = click.style(title, fg=colour, bold=level == 0)
            line = indent + title + click.style(page, fg="bright_black")
        lines.append(f"{line}\n")
    return "".join(lines).encode()


def _format_times(result: TaskResult) -> str:
    """Format the counts and times: `2 pages, 9 objects, 2 headings in 0.51 s (reading 0.30, …)`."""
    from held.batch.report import count_noun

    counts = [count_noun(count, name.removesuffix("s")) for name, count in result.counts._asdict().items()]
    times = ", ".join(f"{stage} {seconds:.2f}" for stage, seconds in result.seconds.items())
    return f"{', '.join(counts)} in {sum(result.seconds.values()):.2f} s ({times})"
