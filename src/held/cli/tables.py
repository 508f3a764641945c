"""`held tables`: the tables of a document, listed, or written for a spreadsheet or a program."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from held.cli.inputs import STDIN, as_file
from held.cli.messages import progress, say, warn
from held.cli.options import (
    force_option,
    form_option,
    jobs_option,
    model_option,
    password_option,
    verbose_option,
)
from held.cli.outputs import write_result
from held.cli.paths import Command, InputPath, OutputPath, form_named
from held.errors import UsageError
from held.system.console import printable_line

if TYPE_CHECKING:
    from held.exports.tables import Table

_FORMS = {
    ".txt": "list",
    ".csv": "csv",
    ".json": "json",
    ".xlsx": "xlsx",
    ".html": "html",
    ".md": "markdown",
}
_TAKERS = {"numbers": ("csv", "json", "xlsx"), "repeat_spans": ("csv", "json"), "raw": ("csv",)}
_WIDEST = 80  # characters of a title in the list


class _Wish(NamedTuple):
    """How tables are to be written."""

    numbers: bool
    decimal: str
    repeat_spans: bool
    raw: bool
    title: str


@click.command(
    "tables", cls=Command, short_help="The tables of a document: listed, or as CSV, JSON, xlsx, HTML."
)
@click.argument("file", type=InputPath())
@form_option(_FORMS, usual="list")
@click.option("--table", "number", type=click.IntRange(1), metavar="N", help="Only this table of the list.")
@click.option(
    "-o",
    "--output",
    type=OutputPath(*_FORMS, path_type=str),
    metavar="OUT",
    help="Write to this file; csv: or into this folder/.",
)
@force_option()
@click.option("--pages", metavar="3-9", help="Only tables on these pages, counted from 1.")
@click.option("--numbers", is_flag=True, help="csv, json: (1,234) as -1234, a dash as nothing.")
@click.option(
    "--decimal", type=click.Choice([".", ","]), default=".", show_default=True, help="Before the fraction."
)
@click.option("--repeat-spans", is_flag=True, help="csv, json: a spanning cell's text in all its places.")
@click.option("--raw", is_flag=True, help="csv: no apostrophe before text that a spreadsheet would run.")
@model_option()
@password_option()
@jobs_option()
@verbose_option()
def command(
    file: Path,
    form: str | None,
    number: int | None,
    output: str | None,
    pages: str | None,
    numbers: bool,
    decimal: str,
    repeat_spans: bool,
    raw: bool,
    model: str,
    password: str | None,
    jobs: int | None,
    verbose: bool,
) -> None:
    """The tables of FILE with their page, headings, caption and unit.

    FILE is whatever `held extract` takes; its JSON is there at once. The list has a line for each table: its
    number, page, rows × columns, and what it is called; ? marks a doubtful one. Several tables as csv stand
    below each other, with an empty line between them, or in a folder with an index. xlsx has a sheet for each
    (needs `pip install 'held[xlsx]'`), with numbers as numbers.
    """
    from held.api import extract

    target = None if output in (None, STDIN) else Path(output or "")
    into_folder = target is not None and (str(output).endswith(os.sep) or target.is_dir())
    chosen = form or ("csv" if into_folder else form_named(target, _FORMS, "list"))
    _check(chosen, into_folder, to_screen=target is None)
    _check_takers(chosen, numbers=numbers, repeat_spans=repeat_spans, raw=raw)
    with as_file(file) as source, progress("reading", verbose=verbose) as tell:
        found = extract(source, model=model, password=password, jobs=jobs, pages=pages, progress=tell)
    warn(found.document.notes)
    tables = _picked(found.tables, number, file)
    wish = _Wish(numbers, decimal, repeat_spans, raw, Path(found.document.source or file).name)
    if into_folder:
        from held.exports.tables import write_tables

        write_tables(tables, Path(output or ""), source=wish.title, as_csv=partial(_as_csv, wish=wish))
        return
    if not tables:
        say("no table was found")
    content = _WRITERS[chosen](tables, wish)
    write_result(content, target)


def _check(form: str, into_folder: bool, *, to_screen: bool) -> None:
    if into_folder and form != "csv":
        raise click.UsageError(f"{form} is one file: give -o FILE, or --format csv for a folder")
    if form == "xlsx" and to_screen and sys.stdout.isatty():
        raise click.UsageError("a spreadsheet is nothing for a terminal: give -o OUT.xlsx")


def _check_takers(form: str, **given: bool) -> None:
    """Refuses options that the form would pass over."""
    for name, takers in _TAKERS.items():
        if given[name] and form not in takers:
            flag = name.replace("_", "-")
            raise click.UsageError(f"--{flag} goes with --format {' and '.join(takers)}, not {form}")


def _picked(tables: Sequence[Table], number: int | None, file: Path) -> Sequence[Table]:
    """The tables asked for: all, or the one of that number."""
    if number is None:
        return tables
    if number > len(tables):
        raise UsageError(f"there is no table {number}", file=file, advice=f"it has {len(tables)}")
    return tables[number - 1 : number]


def _list(tables: Sequence[Table], _: _Wish) -> bytes:
    return "".join(f"{line}\n" for line in _lines(tables)).encode("utf-8", "backslashreplace")


def _lines(tables: Sequence[Table]) -> Iterator[str]:
    for table in tables:
        height, width = table.shape
        size = f"{height} × {width}"
        title = table.caption or "".join(table.path[-1:])
        if len(title) > _WIDEST:
            title = title[: _WIDEST - 1] + "…"
        if table.unit and table.unit not in title:
            title += f" ({table.unit})"
        doubt = "?" if table.doubtful else " "
        line = f"{table.number:>4}  p. {table.page:<4} {size:>9} {doubt} {title}"
        yield printable_line(line).rstrip()


def _csv(tables: Sequence[Table], wish: _Wish) -> bytes:
    from held.exports.object_text import encode_text

    return encode_text("\n".join(_as_csv(table, wish) for table in tables))


def _as_csv(table: Table, wish: _Wish) -> str:
    return table.to_csv(
        numbers=wish.numbers, decimal=wish.decimal, repeat_spans=wish.repeat_spans, guarded=not wish.raw
    )


def _json(tables: Sequence[Table], wish: _Wish) -> bytes:
    from held.system.json_values import encode_json

    values = []
    for table in tables:
        rows = table.to_rows(numbers=wish.numbers, decimal=wish.decimal, repeat_spans=wish.repeat_spans)
        values.append(table.to_json() | {"rows": rows})
    return encode_json({"source": wish.title, "tables": values})


def _xlsx(tables: Sequence[Table], wish: _Wish) -> bytes:
    from held.exports.xlsx import to_xlsx

    return to_xlsx(tables, decimal=wish.decimal)


def _html(tables: Sequence[Table], wish: _Wish) -> bytes:
    from held.exports.tables import to_tables_page

    return to_tables_page(tables, title=wish.title).encode()


def _markdown(tables: Sequence[Table], _: _Wish) -> bytes:
    from held.exports.object_text import encode_text

    return encode_text("\n\n".join(table.to_markdown() for table in tables) + "\n" * bool(tables))


_WRITERS: dict[str, Callable[[Sequence[Table], _Wish], bytes]] = {
    "list": _list,
    "csv": _csv,
    "json": _json,
    "xlsx": _xlsx,
    "html": _html,
    "markdown": _markdown,
}
