"""A hierarchy in the form that is asked for; each form loads what it needs, when it is needed."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import TYPE_CHECKING

from held.cli.batch.request import Task
from held.cli.inputs import is_pdf
from held.document import Note
from held.errors import UsageError

if TYPE_CHECKING:
    from held.pipeline import Hierarchy

SUFFIXES = {
    "json": ".json",
    "markdown": ".md",
    "html": ".html",
    "outline": ".tsv",
    "tree": ".txt",
    "pdf": ".pdf",
    "chunks": ".jsonl",
}
WITH_IMAGES = ("markdown", "html")


def rendered(hierarchy: Hierarchy, task: Task) -> tuple[bytes, tuple[Note, ...]]:
    """The hierarchy in the form that the task asks for, and what there is to say about that."""
    if task.options.form == "pdf":
        return _pdf(hierarchy, task)
    if task.options.form == "index":
        from held.retrieval.packing import entry_of, packed

        return packed(entry_of(hierarchy)), ()
    if task.options.form == "json":
        from held.exports.tree_json import tree_to_json
        from held.serial import dumps

        return dumps(tree_to_json(hierarchy)), ()
    # A damaged font can give half a character, which UTF-8 cannot hold.
    return _text(hierarchy, task).encode("utf-8", "backslashreplace"), ()


def _text(hierarchy: Hierarchy, task: Task) -> str:
    if task.options.form == "markdown":
        from held.exports.markdown import markdown

        return markdown(hierarchy, images=_images(hierarchy, task))
    if task.options.form == "html":
        from held.exports.html import html

        return html(hierarchy, images=_images(hierarchy, task))
    if task.options.form == "chunks":
        from held.chunking import chunks_as_lines

        return chunks_as_lines(hierarchy, max_tokens=task.options.max_tokens)
    from held.exports.outline import indented, outline

    return outline(hierarchy) if task.options.form == "outline" else indented(hierarchy)


def _pdf(hierarchy: Hierarchy, task: Task) -> tuple[bytes, tuple[Note, ...]]:
    from held.exports.bookmarks import bookmarked, bookmarks_of, cautions

    _require_pdf(task, "to write bookmarks into")
    keep = task.options.keep_bookmarks
    content = bookmarked(task.source, bookmarks_of(hierarchy), password=task.password, keep=keep)
    return content, cautions(task.source, password=task.password)


def _images(hierarchy: Hierarchy, task: Task) -> Mapping[int, str]:
    """Links to the figures, which are written now; a page that holds all in itself gets them whole."""
    if task.images is None:
        return {}
    from held.exports.images import links, write_images

    _require_pdf(task, "to take images from")
    names = write_images(task.source, hierarchy.document, task.images, password=task.password)
    if task.options.form == "markdown":
        return links(names, task.images, task.target)
    pictures = {index: (task.images / name).read_bytes() for index, name in names.items()}
    return {index: f"data:image/png;base64,{b64encode(png).decode()}" for index, png in pictures.items()}


def _require_pdf(task: Task, purpose: str) -> None:
    if not is_pdf(task.source):
        advice = "give the PDF that it was made from"
        raise UsageError(f"is no PDF {purpose}", file=task.source, advice=advice)
