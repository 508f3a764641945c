"""`held compare`: where two trees of one document differ, and what each wrong step drags along."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from held.cli.options import force_option, form_option
from held.cli.outputs import write_result
from held.cli.paths import STDIN, Command, InputPath, OutputPath, form_named
from held.errors import FormatError, InputError, UsageError
from held.system.console import printable

if TYPE_CHECKING:
    from held.metrics.compare import Side

_FORMS = {".txt": "text", ".html": "html", ".json": "json"}


@click.command("compare", cls=Command, short_help="Where two trees of one document differ.")
@click.argument("gold", type=InputPath())
@click.argument("found", type=InputPath())
@form_option(_FORMS, usual="text")
@click.option("-o", "--output", type=OutputPath(*_FORMS), metavar="OUT", help="Write to this file.")
@force_option()
def command(gold: Path, found: Path, form: str | None, output: Path | None) -> None:
    """Judge the tree in FOUND by the tree in GOLD.

    Each is the JSON of `held extract`, a labelled document of `held label` or `held corpus build`, or an
    outline (level, page and title between tabs). Objects are matched by page and text where the two were
    recognised apart; where one is an outline, headings alone are compared.

    Wrong steps are told from what they drag along: one wrong heading spoils the path of all below it. `html`
    is one page with both trees side by side.
    """
    from held.exports.comparison import comparison_html, comparison_text, comparison_to_json
    from held.metrics.compare import compare
    from held.system.json_values import encode_json

    output = None if str(output) == STDIN else output
    form = form or form_named(output, _FORMS, "text")
    comparison = compare(read_side(gold), read_side(found))
    if form == "json":
        write_result(encode_json(comparison_to_json(comparison)), output)
    else:
        text = comparison_html(comparison) if form == "html" else printable(comparison_text(comparison))
        write_result(text.encode("utf-8", "backslashreplace"), output)


def read_side(path: Path) -> Side:
    """The tree that a file holds, whichever of the forms it has."""
    from held.corpus.labelled import side_of_labelled
    from held.corpus.store import LABELLED_FORMAT, labelled_from_json
    from held.exports.comparison import side_of_outline
    from held.exports.outline import read_outline
    from held.exports.tree_json import TREE_FORMAT, tree_from_json
    from held.metrics.compare import side_of_tree
    from held.system.json_values import read_json

    try:
        with path.open("rb") as file:
            head = file.read(64)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error
    if head.startswith(b"%PDF"):
        advice = "`held extract FILE -o tree.json` makes a tree of it"
        raise UsageError("is a PDF, not a tree", file=path, advice=advice)
    if not head.startswith(b"\xfd7zXZ") and not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return side_of_outline(path.name, read_outline(path.read_bytes(), path))
    value = read_json(path)
    if value.get("format") == TREE_FORMAT:
        found = tree_from_json(value, file=path)
        objects = found.document.objects
        return side_of_tree(path.name, found.tree, headings=found.headings, objects=objects)
    if value.get("format") == LABELLED_FORMAT:
        return side_of_labelled(labelled_from_json(value, file=path))
    raise FormatError(
        "no tree, no labelled document and no outline",
        file=path,
        advice="`held extract` makes a tree of a PDF, `held label` a labelled document",
    )
