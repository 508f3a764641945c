"""`held extract`: the tree of a document's headings, in the form that is needed next."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from held.cli.objects import load_document
from held.cli.outputs import write_result
from held.cli.talk import warn

if TYPE_CHECKING:
    from held.pipeline import Hierarchy

FORMATS = ("json", "markdown", "outline", "tree")


@click.command("extract", short_help="The tree of headings, with everything below them.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(FORMATS), default="json", show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="OUT", help="Write to this file.")
@click.option("--model", default="base", show_default=True, help="A model that ships, or the path of one.")
@click.option("--password", help="The password of an encrypted PDF.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Processes that read pages.")
@click.option("-v", "--verbose", is_flag=True, help="Tell the progress even if stderr is no terminal.")
def command(
    file: Path,
    form: str,
    output: Path | None,
    model: str,
    password: str | None,
    jobs: int | None,
    verbose: bool,
) -> None:
    """The hierarchy of FILE: its headings as a tree, and every object under its heading.

    FILE is what `held objects` takes, its own JSON among it, so objects of another layout engine get their
    tree, too. `outline` has one heading a line: level, page and title between tabs; `tree` is the same to
    read; `markdown` the whole text; `json` everything (see docs/formats.md).
    """
    document = load_document(file, pages=None, password=password, jobs=jobs, verbose=verbose)
    warn(document.notes)
    from held.pipeline import tree_of

    write_result(render(tree_of(document, model=model), form), output)


def render(hierarchy: Hierarchy, form: str) -> bytes:
    """The hierarchy in the form asked for."""
    from held.exports.markdown import markdown
    from held.exports.outline import indented, outline
    from held.exports.tree_json import tree_to_json
    from held.serial import dumps

    if form == "json":
        return dumps(tree_to_json(hierarchy))
    text = {"markdown": markdown, "outline": outline, "tree": indented}[form](hierarchy)
    return text.encode("utf-8", "backslashreplace")
