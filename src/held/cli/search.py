"""`held search`: the passages that answer a question, each with its headings and its page."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from held.cli.inputs import STDIN, as_file
from held.cli.messages import progress, say
from held.cli.options import jobs_option, model_option, password_option, verbose_option
from held.cli.outputs import write_result
from held.cli.paths import Command, InputPath
from held.errors import UsageError
from held.system.console import printable, printable_line

if TYPE_CHECKING:
    from held.retrieval.passages import TableRow
    from held.retrieval.search import Hit

_MOST_CHARACTERS = 320  # of a passage on the screen: some three lines; the JSON has it whole
_MOST_LINES = 6  # of a table
_MOST_IN_LINES = 800  # characters: rows that are longer together are cut like text
_MOST_VALUES = 6  # of a row
_INDENT = "   "
_WIDEST = 100
_NAMELESS = "standard input"


@click.command("search", cls=Command, short_help="Ask a document, or an index of many.")
@click.argument("where", type=InputPath(stores=True), metavar="INDEX|FILE")
@click.argument("question")
@click.option("-k", type=click.IntRange(1), default=3, show_default=True, help="How many passages.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--in", "source", metavar="SOURCE", help="Only in this document, folder, or pattern: *2018*.")
@click.option(
    "--names",
    type=InputPath(dir_okay=False),
    metavar="FILE",
    help="Further names of things.",
)
@model_option("For a FILE: a model, or the path of one.")
@password_option()
@jobs_option("Processes that read the pages of a FILE.")
@verbose_option()
def command(
    where: Path | str,
    question: str,
    k: int,
    form: str,
    source: str | None,
    names: Path | None,
    model: str,
    password: str | None,
    jobs: int | None,
    verbose: bool,
) -> None:
    """The passages that answer QUESTION best, with the headings above them and their page.

    INDEX is what `held index` made, in a file or as lance:PATH; any FILE that `held extract` takes, also -,
    is read on the spot; the JSON of an earlier `held extract` is there at once. A passage is a paragraph, a
    list item, a table or a figure with what belongs to it; of a table that answers with a number the row is
    shown. Words of the question are marked, in colour on a terminal. The percentage is the probability that
    the page answers.
    docs/search.md says more.
    """
    from held.retrieval.engine import is_lance
    from held.retrieval.index import Index
    from held.retrieval.search import require_words

    require_words(question)  # before a long file is read in vain
    if not Path(where).exists() and Path(question).exists():
        raise UsageError("comes first, then the question", file=question)
    with nullcontext(where) if is_lance(where) else as_file(Path(where)) as file:
        with progress("reading", verbose=verbose) as tell:
            opened = Index.open(file, model=model, password=password, jobs=jobs, progress=tell, names=names)
        with opened as index:
            hits = index.search(question, k, source=source)
    if str(where) == STDIN:
        hits = [replace(hit, source=_NAMELESS) for hit in hits]
    if not hits:
        say("nothing found: ask with words, and in the language, of the document")
    write_result(render(hits, form), None, coloured=form == "text")


def render(hits: list[Hit], form: str) -> bytes:
    """The hits in the form asked for."""
    if form == "json":
        from held.system.json_values import encode_json

        return encode_json({"hits": [hit.to_json() for hit in hits]})
    from held.cli.lines import wants_colour

    colour = wants_colour(sys.stdout)
    blocks = ("\n".join(_block(n, hit, colour=colour)) for n, hit in enumerate(hits, 1))
    return "\n".join(f"{block}\n" for block in blocks).encode("utf-8", "backslashreplace")


def _block(number: int, hit: Hit, *, colour: bool) -> Iterator[str]:
    """A hit to read: where it stands, the headings above it, the passage."""
    label = f" (printed {hit.label})" if hit.label and hit.label != str(hit.page) else ""
    gone = ", file is gone" if hit.missing else ""
    place = printable_line(f"{_near(hit.source)}, page {hit.page}{label}, {hit.score:.0%}{gone}")
    yield f"{number:<2} {click.style(place, fg='bright_black') if colour else place}"
    if hit.path:
        path = printable_line(" › ".join(hit.path))
        yield _INDENT + (click.style(path, fg="bright_cyan") if colour else path)
    before, after = ("\033[1;33m", "\033[0m") if colour else ("*", "*")
    if hit.row is not None:
        yield _INDENT + _answer(hit.row, hit.unit, before, after)
    else:
        yield _shown(hit, before, after)


def _answer(row: TableRow, unit: str, before: str, after: str) -> str:
    """A row that answers, on a line: its label, its first values with their columns, and what they count."""
    columns = zip(row.headers, row.values, strict=True)
    values = [f"{header}: {text}" if header else text for header, text in columns][:_MOST_VALUES]
    more = " …" if len(row.values) > _MOST_VALUES else ""
    counted = f"   ({unit})" if unit else ""
    told = printable_line(f"   {'   '.join(values)}{more}{counted}")
    return f"{before}{printable_line(row.label)}{after}{told}"


def _shown(hit: Hit, before: str, after: str) -> str:
    """The passage, or the part of it that has most of the question's words, with those marked."""
    from held.exports.object_text import replace_symbols
    from held.retrieval.highlight import mark_spans

    # Rows of a table stand on lines of their own; those of anything else are read one after another.
    whole = hit.text if hit.kind == "table" else hit.text.replace("\n", " ")
    start, end = _part_to_show(whole, hit.matches)
    spans = [(a - start, b - start) for a, b in hit.matches if start <= a and b <= end]
    columns = min(shutil.get_terminal_size().columns, _WIDEST) - len(_INDENT)
    text = mark_spans(_wrapped(printable(replace_symbols(whole[start:end])), columns), spans, before, after)
    text = f"{'… ' if start else ''}{text}{' …' if end < len(hit.text) else ''}"
    return textwrap.indent(text, _INDENT)


def _part_to_show(text: str, matches: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Where the part with most of the question's words begins and ends: whole rows, unless they are long."""
    from held.retrieval.highlight import best_excerpt, best_lines

    everything = (0, len(text))
    start, end = best_lines(text, matches, everything, _MOST_LINES)
    if "\n" in text and end - start <= _MOST_IN_LINES:
        return start, end
    stretch = best_excerpt(text, matches, _MOST_CHARACTERS)
    return best_lines(text, matches, stretch, _MOST_LINES)


def _wrapped(text: str, columns: int) -> str:
    """The text with line ends in place of some spaces, so that places in it stay what they are."""
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


def _near(source: str) -> str:
    """A path as it is called from here: without the working folder."""
    here = os.getcwd() + os.sep
    return source.removeprefix(here)
