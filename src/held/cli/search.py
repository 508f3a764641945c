"""`held search`: the passages that answer a question, with their headings and page."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from held.cli import file_or_stdin, print_message, progress, use_colour, write_result
from held.cli.parameters import (
    STDIN,
    Command,
    InputPath,
    jobs_option,
    model_option,
    password_option,
    verbose_option,
)
from held.errors import UsageError
from held.file_task import RunOptions
from held.system.console import printable, printable_line, to_utf8

if TYPE_CHECKING:
    from held.retrieval.embeddings import Embed
    from held.retrieval.passages import TableRow
    from held.retrieval.search import Hit

_MAX_CHARACTERS = 320  # of a passage on the screen, about three lines; the JSON has all of it
_MAX_LINES = 6  # of a table
_MAX_ROW_CHARACTERS = 800  # rows that are longer together are cut like text
_MAX_VALUES = 6  # of a row
_INDENT = "   "
_MAX_COLUMNS = 100  # longer lines are hard to read, however wide the terminal is
_STDIN_NAME = "standard input"


@click.command(
    "search", cls=Command, values={"run": RunOptions}, short_help="Search a document, or an index of many."
)
@click.argument("where", type=InputPath(stores=True), metavar="INDEX|FILE")
@click.argument("question")
@click.option(
    "-k", type=click.IntRange(1), default=3, metavar="N", show_default=True, help="Number of passages."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Output format.",
)
@click.option(
    "--in", "source", metavar="SOURCE", help="Search only this document, folder or pattern, such as *2018*."
)
@click.option(
    "--explain", is_flag=True, help="Print below each passage why it ranks there; in JSON, `reasons`."
)
@click.option(
    "--embed",
    metavar="MODULE:FUNCTION",
    help="Python function from a list of texts to vectors, to search by meaning (docs/search.md).",
)
@click.option(
    "--names",
    type=InputPath(dir_okay=False),
    metavar="FILE",
    help="File with synonyms (docs/search.md).",
)
@model_option("For a FILE: name of a shipped model, or the folder of another one.")
@password_option()
@jobs_option("For a FILE: number of processes that read pages.")
@verbose_option()
def command(
    where: Path | str,
    question: str,
    k: int,
    form: str,
    source: str | None,
    explain: bool,
    embed: str | None,
    names: Path | None,
    model: str,
    run: RunOptions,
) -> None:
    """Print the passages that answer QUESTION best, with their page and the headings above them.

    INDEX is made by `held index`: a file, or lance:PATH. FILE is any input of `held extract`, or - for
    standard input; with the JSON of an earlier `held extract`, the PDF is not read again.

    A passage is a paragraph, a list item, a table or a figure. If a row of a table has the answer, only that
    row is printed. Words of the question are marked. The percentage is the probability that the page answers
    the question. A passage must contain the words in quotation marks as they are. See docs/search.md.
    """
    from held.retrieval.engine import is_lance
    from held.retrieval.index import Index
    from held.retrieval.search import require_words

    require_words(question)  # before a long file is read in vain
    function = None if embed is None else load_function(embed)
    # A frequent mistake: `grep` takes the pattern first and the file last.
    if not Path(where).exists() and Path(question).exists():
        raise UsageError("is a file; give the file first, then the question", file=question)
    with nullcontext(where) if is_lance(where) else file_or_stdin(Path(where)) as file:
        with progress("reading", verbose=run.verbose) as report:
            opened = Index.open(
                file,
                model=model,
                password=run.password,
                jobs=run.jobs,
                progress=report,
                names=names,
                embed=function,
            )
        with opened as index:
            hits = index.search(question, k, source=source, explain=explain)
            if not hits:
                print_message(f"nothing found: {index.why_nothing(question, source=source)}")
    if str(where) == STDIN:
        # The hits name the temporary copy, which no longer exists.
        hits = [replace(hit, source=_STDIN_NAME) for hit in hits]
    write_result(render(hits, form), None, is_safe=form == "text")


def load_function(name: str) -> Embed:
    """Return the function MODULE:FUNCTION; the module may be a file of the working folder."""
    from importlib import import_module

    module_name, colon, function_name = name.partition(":")
    if not colon:
        raise UsageError(f"{name} is no function", advice="give MODULE:FUNCTION, such as vectors:embed")
    sys.path.insert(0, os.getcwd())  # as `python -m` does
    try:
        function = getattr(import_module(module_name), function_name)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"{name} cannot be loaded: {error}") from error
    finally:
        sys.path.remove(os.getcwd())
    if not callable(function):
        raise UsageError(f"{name} is no function")
    return cast("Embed", function)


def render(hits: list[Hit], form: str) -> bytes:
    """Return the hits as JSON or text."""
    if form == "json":
        from held.system.bounded_json import encode_json

        return encode_json({"hits": [hit.to_json() for hit in hits]})
    colour = use_colour(sys.stdout)
    blocks = []
    for number, hit in enumerate(hits, start=1):
        lines = [f"{line}\n" for line in _block(number, hit, colour=colour)]
        blocks.append("".join(lines))
    return to_utf8("\n".join(blocks))


def _block(number: int, hit: Hit, *, colour: bool) -> Iterator[str]:
    """Yield the lines of a hit: source and page, the headings above it, the passage."""
    has_other_label = hit.label and hit.label != str(hit.page)
    label = f" (printed {hit.label})" if has_other_label else ""
    gone = ", file is gone" if hit.missing else ""
    source = _relative_path(hit.source)
    location = printable_line(f"{source}, page {hit.page}{label}, {hit.score:.0%}{gone}")
    path = printable_line(" › ".join(hit.path))
    before, after = "*", "*"
    if colour:
        location = click.style(location, fg="bright_black")
        path = click.style(path, fg="bright_cyan")
        before, after = "\033[1;33m", "\033[0m"  # bold yellow, and back to normal
    yield f"{number:<2} {location}"
    if hit.path:
        yield _INDENT + path
    if hit.row is not None:
        yield _INDENT + _format_row(hit.row, hit.unit, before, after)
    else:
        yield _format_passage(hit, before, after)
    for reason in hit.reasons:
        line = f"{_INDENT}{reason.points:+5.1f} {reason.text}"
        yield click.style(line, fg="bright_black") if colour else line


def _format_row(row: TableRow, unit: str, before: str, after: str) -> str:
    """Format a table row that answers on one line: label, first values with their columns, unit."""
    values = []
    for header, text in zip(row.headers, row.values, strict=True):
        values.append(f"{header}: {text}" if header else text)
    shown = "   ".join(values[:_MAX_VALUES])
    more = " …" if len(values) > _MAX_VALUES else ""
    suffix = f"   ({unit})" if unit else ""
    label = printable_line(row.label)
    rest = printable_line(f"   {shown}{more}{suffix}")
    return f"{before}{label}{after}{rest}"


def _format_passage(hit: Hit, before: str, after: str) -> str:
    """Format the passage, or its part with most of the question's words, with those marked."""
    from held.exports.object_text import replace_symbols
    from held.retrieval.tokens import mark_spans

    # The rows of a table keep their line breaks; other texts become one line.
    whole = hit.text if hit.kind == "table" else hit.text.replace("\n", " ")
    start, end = _best_part(whole, hit.matches)
    spans = [(a - start, b - start) for a, b in hit.matches if start <= a and b <= end]
    columns = min(shutil.get_terminal_size().columns, _MAX_COLUMNS) - len(_INDENT)
    # Every step keeps the number of characters, so that the spans stay valid up to the marks.
    shown = printable(replace_symbols(whole[start:end]))
    text = mark_spans(_wrap(shown, columns), spans, before, after)
    if start > 0:
        text = f"… {text}"
    if end < len(hit.text):
        text = f"{text} …"
    return textwrap.indent(text, _INDENT)


def _best_part(text: str, matches: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return start and end of the part with most of the question's words: whole rows, if they are short."""
    from held.retrieval.tokens import best_excerpt, best_lines

    everything = (0, len(text))
    start, end = best_lines(text, matches, everything, _MAX_LINES)
    if "\n" in text and end - start <= _MAX_ROW_CHARACTERS:
        return start, end
    stretch = best_excerpt(text, matches, _MAX_CHARACTERS)
    return best_lines(text, matches, stretch, _MAX_LINES)


def _wrap(text: str, columns: int) -> str:
    """Wrap the text by replacing spaces with line ends, so that offsets stay valid."""
    # `textwrap` would drop and add characters.
    characters = list(text)
    start, space = 0, None
    for at, character in enumerate(text):
        if character == "\n":
            start, space = at + 1, None
        elif at - start >= columns and space is not None:
            characters[space] = "\n"
            start, space = space + 1, None
        if character == " ":
            space = at
    return "".join(characters)


def _relative_path(source: str) -> str:
    """Return a path relative to the working folder, if it is below it."""
    here = os.getcwd() + os.sep
    return source.removeprefix(here)
