"""`held tables`: the tables of a document, listed, or written for a spreadsheet or a program."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from held.cli import (
    file_or_stdin,
    is_folder_path,
    path_or_stdout,
    print_message,
    print_warnings,
    progress,
    write_result,
)
from held.cli.parameters import (
    Command,
    InputPath,
    OutputPath,
    force_option,
    format_for_path,
    format_option,
    model_option,
    reading_options,
    refuse_idle_options,
)
from held.errors import UsageError
from held.file_task import RunOptions
from held.system.console import printable_line, to_utf8

if TYPE_CHECKING:
    from held.document import Document
    from held.exports.tables import Table

_FORMATS = {
    ".txt": "list",
    ".csv": "csv",
    ".json": "json",
    ".xlsx": "xlsx",
    ".html": "html",
    ".md": "markdown",
}
_FORMATS_WITH = {
    "numbers": ("csv", "json", "xlsx"),
    "tidy": ("csv", "json"),
    "repeat_spans": ("csv", "json"),
    "raw": ("csv",),
}
_MAX_TITLE = 80  # characters in the list


@dataclass(frozen=True, slots=True)
class _TableOptions:
    """The options of writing tables."""

    numbers: bool
    tidy: bool
    decimal: str | None
    repeat_spans: bool
    raw: bool
    title: str = ""  # of the document


@click.command(
    "tables",
    cls=Command,
    values={"options": _TableOptions, "run": RunOptions},
    short_help="List tables, or export them to CSV, JSON, xlsx or HTML.",
)
@click.argument("file", type=InputPath())
@format_option(_FORMATS, default="list")
@click.option(
    "--table", "number", type=click.IntRange(1), metavar="N", help="Only the table with this number."
)
@click.option(
    "-o",
    "--output",
    type=OutputPath(*_FORMATS, path_type=str),
    metavar="OUT",
    help="Output file; for csv also a folder.",
)
@force_option()
# As text: `held.extract` takes a page range as people write it.
@click.option("--pages", metavar="3-9", help="Only tables on these pages, counted from 1.")
@click.option(
    "--numbers", is_flag=True, help="Convert numbers: (1,234) to -1234, a dash to an empty cell (csv, json)."
)
@click.option(
    "--tidy",
    is_flag=True,
    help="One line per number, with label, column name, value, scale, currency and percent (csv, json).",
)
@click.option(
    "--decimal",
    type=click.Choice(["auto", ".", ","]),
    default="auto",
    show_default=True,
    help="Decimal separator; auto: what the numbers of the table show, or else those of the document.",
)
@click.option(
    "--images", is_flag=True, help="Save a picture of each table beside its CSV file (csv into a folder)."
)
@click.option(
    "--repeat-spans",
    is_flag=True,
    help="Repeat the text of a spanning cell in each cell it covers (csv, json).",
)
@click.option(
    "--raw", is_flag=True, help="Do not protect text that a spreadsheet would run as a formula (csv)."
)
@model_option()
@reading_options()
def command(
    file: Path,
    format_name: str | None,
    number: int | None,
    output: str | None,
    pages: str | None,
    options: _TableOptions,
    images: bool,
    model: str,
    run: RunOptions,
) -> None:
    """List or export the tables of FILE, with page, headings, caption and unit.

    FILE is any input of `held extract`; from the JSON of an earlier `held extract`, the PDF is not read
    again. The list has one line per table: number, page, rows × columns, title. A ? marks a doubtful table,
    whose rows or columns may be wrong; the lines below it give the reasons.

    --format csv writes one file with an empty line between tables. If OUT is a folder, it writes a file for
    each table and an index of them. --format xlsx writes one sheet per table, with numbers as numbers.
    """
    from held.api import extract

    target = path_or_stdout(output)
    into_folder = is_folder_path(output)
    if format_name is None:
        format_name = "csv" if into_folder else format_for_path(target, _FORMATS, "list")
    _check_target(format_name, into_folder, to_screen=target is None)
    refuse_idle_options(options, format_name, _FORMATS_WITH)
    if images and not into_folder:
        raise click.UsageError("--images are saved beside CSV files; use -o FOLDER/")
    with file_or_stdin(file) as source, progress("reading", verbose=run.verbose) as report:
        found = extract(
            source, model=model, password=run.password, jobs=run.jobs, pages=pages, progress=report
        )
        tables = _select(found.tables, number, file)
        # Standard input is a temporary file, which is gone after this block.
        pictures = _render(tables, found.document, source, run.password) if images else {}
    print_warnings(found.document.notes)
    title = Path(found.document.source or file).name
    options = replace(options, title=title, decimal=None if options.decimal == "auto" else options.decimal)
    if target is not None and into_folder:
        from held.exports.tables import write_tables

        as_csv = partial(_as_csv, options=options)
        write_tables(tables, target, source=options.title, as_csv=as_csv, pictures=pictures)
        return
    if not tables:
        print_message("no table found")
    write = _WRITERS[format_name]
    write_result(write(tables, options), target)


# --- Checks ---


def _check_target(format_name: str, into_folder: bool, *, to_screen: bool) -> None:
    if into_folder and format_name != "csv":
        raise click.UsageError(
            f"{format_name} is written to one file; use -o FILE, or --format csv for a folder"
        )
    if format_name == "xlsx" and to_screen and sys.stdout.isatty():
        raise click.UsageError("xlsx can't be written to a terminal; use -o FILE.xlsx")


def _select(tables: Sequence[Table], number: int | None, file: Path) -> Sequence[Table]:
    """Return all tables, or the one with this number."""
    if number is None:
        return tables
    if number > len(tables):
        raise UsageError(f"there is no table {number}", file=file, advice=f"it has {len(tables)}")
    return tables[number - 1 : number]


def _render(
    tables: Sequence[Table], document: Document, source: Path, password: str | None
) -> dict[int, bytes]:
    """The picture of each table, by its number; a table over several pages is one picture."""
    from held.exports.images import render_regions
    from held.system.bounded_json import is_pdf

    if not is_pdf(source):
        raise UsageError("is no PDF to take images from", file=source, advice="give the PDF itself")
    regions = [document.objects[table.index].parts for table in tables]
    pictures = render_regions(source, regions, password=password)
    return {table.number: png for table, png in zip(tables, pictures, strict=True) if png is not None}


# --- One function for each format ---


def _list(tables: Sequence[Table], _: _TableOptions) -> bytes:
    return to_utf8("".join(f"{line}\n" for line in _lines(tables)))


def _lines(tables: Sequence[Table]) -> Iterator[str]:
    for table in tables:
        height, width = table.shape
        size = f"{height} × {width}"
        # A table without a caption is called like the heading above it.
        title = table.caption or "".join(table.path[-1:])
        if len(title) > _MAX_TITLE:
            title = title[: _MAX_TITLE - 1] + "…"
        if table.unit and table.unit not in title:
            title += f" ({table.unit})"
        doubt = "?" if table.doubtful else " "
        if table.doubts:
            title = f"{title} [{'; '.join(table.doubts)}]".lstrip()
        line = f"{table.number:>4}  p. {table.page:<4} {size:>9} {doubt} {title}"
        yield printable_line(line).rstrip()


def _csv(tables: Sequence[Table], options: _TableOptions) -> bytes:
    if options.tidy:
        records = [record for table in tables for record in table.amounts(decimal=options.decimal)]
        return to_utf8(_tidy_csv(records, options))
    texts = [_as_csv(table, options) for table in tables]
    return to_utf8("\n".join(texts))


def _tidy_csv(records: Sequence[dict[str, Any]], options: _TableOptions) -> str:
    from held.exports.tables import AMOUNT_FIELDS, csv_text

    rows = [[record[name] for name in AMOUNT_FIELDS] for record in records]
    return csv_text([list(AMOUNT_FIELDS), *rows], guarded=not options.raw)


def _as_csv(table: Table, options: _TableOptions) -> str:
    if options.tidy:
        return _tidy_csv(table.amounts(decimal=options.decimal), options)
    return table.to_csv(
        numbers=options.numbers,
        decimal=options.decimal,
        repeat_spans=options.repeat_spans,
        guarded=not options.raw,
    )


def _json(tables: Sequence[Table], options: _TableOptions) -> bytes:
    from held.system.bounded_json import encode_json

    values = []
    for table in tables:
        rows = table.to_rows(
            numbers=options.numbers, decimal=options.decimal, repeat_spans=options.repeat_spans
        )
        value = table.to_json() | {"rows": rows}
        if options.tidy:
            value["amounts"] = table.amounts(decimal=options.decimal)
        values.append(value)
    return encode_json({"source": options.title, "tables": values})


def _xlsx(tables: Sequence[Table], options: _TableOptions) -> bytes:
    from held.exports.xlsx import to_xlsx

    return to_xlsx(tables, decimal=options.decimal)


def _html(tables: Sequence[Table], options: _TableOptions) -> bytes:
    from held.exports.tables import to_tables_page

    return to_tables_page(tables, title=options.title).encode()


def _markdown(tables: Sequence[Table], _: _TableOptions) -> bytes:
    texts = [table.to_markdown() for table in tables]
    end = "\n" if texts else ""
    return to_utf8("\n\n".join(texts) + end)


_WRITERS: dict[str, Callable[[Sequence[Table], _TableOptions], bytes]] = {
    "list": _list,
    "csv": _csv,
    "json": _json,
    "xlsx": _xlsx,
    "html": _html,
    "markdown": _markdown,
}
