"""A hierarchy in the form that is asked for; each form loads what it needs, when it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from held.cli.batch.request import Task

if TYPE_CHECKING:
    from held.pipeline import Hierarchy

SUFFIXES = {"json": ".json", "markdown": ".md", "outline": ".tsv", "tree": ".txt"}


def rendered(hierarchy: Hierarchy, task: Task) -> bytes:
    """The hierarchy in the form that the task asks for."""
    if task.options.form == "json":
        from held.exports.tree_json import tree_to_json
        from held.serial import dumps

        return dumps(tree_to_json(hierarchy))
    # A damaged font can give half a character, which UTF-8 cannot hold.
    return _text(hierarchy, task.options.form).encode("utf-8", "backslashreplace")


def _text(hierarchy: Hierarchy, form: str) -> str:
    if form == "markdown":
        from held.exports.markdown import markdown

        return markdown(hierarchy)
    from held.exports.outline import indented, outline

    return outline(hierarchy) if form == "outline" else indented(hierarchy)
