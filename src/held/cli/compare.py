"""`held compare`: the differences between two trees of one document."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from held.cli import path_or_stdout, write_result
from held.cli.parameters import (
    Command,
    InputPath,
    OutputPath,
    force_option,
    format_for_path,
    format_option,
)
from held.errors import FormatError, InputError, UsageError
from held.system.console import printable, to_utf8

if TYPE_CHECKING:
    from held.metrics.compare import Side

_FORMATS = {".txt": "text", ".html": "html", ".json": "json"}


@click.command("compare", cls=Command, short_help="Show where two trees of one document differ.")
@click.argument("gold", type=InputPath())
@click.argument("found", type=InputPath())
@format_option(_FORMATS, default="text")
@click.option("-o", "--output", type=OutputPath(*_FORMATS), metavar="OUT", help="Output file.")
@force_option()
def command(gold: Path, found: Path, format_name: str | None, output: Path | None) -> None:
    """Compare the tree in FOUND with the correct tree in GOLD.

    Each file is the JSON of `held extract`, a labelled document of `held label` or `held corpus build`, or
    an outline (level, page and title, separated by tabs). If the objects of the two were recognised
    separately, they are matched by page and text. If one file is an outline, only headings are compared.

    One wrong heading changes the paths of everything below it. The report separates such consequences from
    the errors that cause them. --format html shows both trees side by side.
    """
    from held.exports.comparison import comparison_html, comparison_text, comparison_to_json
    from held.metrics.compare import compare
    from held.system.bounded_json import encode_json

    target = path_or_stdout(output)
    format_name = format_name or format_for_path(target, _FORMATS, "text")
    comparison = compare(read_side(gold), read_side(found))
    if format_name == "json":
        write_result(encode_json(comparison_to_json(comparison)), target)
    else:
        is_html = format_name == "html"
        text = comparison_html(comparison) if is_html else printable(comparison_text(comparison))
        write_result(to_utf8(text), target)


def read_side(path: Path) -> Side:
    """Read a tree from a file in any of the accepted formats."""
    from held.corpus.store import LABELLED_FORMAT, labelled_from_json, side_of_labelled
    from held.exports.comparison import side_of_outline
    from held.exports.outline import read_outline
    from held.exports.tree_json import TREE_FORMAT, tree_from_json
    from held.metrics.compare import side_of_tree
    from held.system.bounded_json import read_json

    try:
        with path.open("rb") as file:
            head = file.read(64)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error
    if head.startswith(b"%PDF"):
        advice = "`held extract FILE -o tree.json` makes a tree of it"
        raise UsageError("is a PDF, not a tree", file=path, advice=advice)
    # JSON begins with a brace, perhaps after a byte order mark, and may be xz-compressed.
    is_compressed = head.startswith(b"\xfd7zXZ")
    is_json = head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    if not is_compressed and not is_json:
        return side_of_outline(path.name, read_outline(path.read_bytes(), path))
    value = read_json(path)
    if value.get("format") == TREE_FORMAT:
        found = tree_from_json(value, file=path)
        objects = found.document.objects
        return side_of_tree(path.name, found.tree, headings=found.headings, objects=objects)
    if value.get("format") == LABELLED_FORMAT:
        return side_of_labelled(labelled_from_json(value, file=path))
    raise FormatError(
        "contains no tree, labelled document or outline",
        file=path,
        advice="`held extract` makes a tree of a PDF, `held label` makes a labelled document",
    )
