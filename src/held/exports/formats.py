"""The forms that a hierarchy can be written in, one entry each: what people call it, its suffix, its writer.

The library, the command line and its help all ask this table: a new form is a module that writes it and an
entry here. Writers load what they need when they are called, so that the table costs nothing.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from held.document import Note
from held.errors import UsageError
from held.reading.file_type import is_pdf

if TYPE_CHECKING:
    from held.hierarchy.pipeline import Hierarchy


@dataclass(frozen=True, slots=True)
class Writing:
    """What a form may be asked for, and what it may need beside the hierarchy.

    images          a folder for the figures, which the result shows
    tables          a folder for the tables as CSV, whatever the form
    page_markers    a comment where each page begins
    keep_bookmarks  keep the PDF's own bookmarks, too
    max_tokens      of a chunk
    target          where the result will stand, None for standard output: links are relative to it
    source          the file that the hierarchy was made from
    password        of that file
    """

    images: Path | None = None
    tables: Path | None = None
    page_markers: bool = False
    keep_bookmarks: bool = False
    max_tokens: int | None = None
    target: Path | None = None
    source: Path | None = None
    password: str | None = None


class Written(NamedTuple):
    """A result, and what there is to say about it."""

    content: bytes
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Form:
    """A way to write a hierarchy. `takes` names the options of `Writing` that mean something to it."""

    name: str
    suffix: str
    about: str
    write: Callable[[Hierarchy, Writing], Written]
    takes: frozenset[str] = frozenset()
    needs_pdf: bool = False
    for_screen: bool = True


def _text(content: str) -> Written:
    # A damaged font can give half a character, which UTF-8 cannot hold.
    return Written(content.encode("utf-8", "backslashreplace"))


def _json(hierarchy: Hierarchy, _: Writing) -> Written:
    from held.exports.tree_json import tree_to_json
    from held.serial import dumps

    return Written(dumps(tree_to_json(hierarchy)))


def _markdown(hierarchy: Hierarchy, writing: Writing) -> Written:
    from held.exports.images import links
    from held.exports.markdown import markdown

    shown: Mapping[int, str] = {}
    if writing.images is not None:
        names = _drawn(hierarchy, writing, writing.images)
        shown = links(names, writing.images, writing.target)
    return _text(markdown(hierarchy, shown, page_markers=writing.page_markers))


def _html(hierarchy: Hierarchy, writing: Writing) -> Written:
    from held.exports.html import html

    if writing.images is None:
        return _text(html(hierarchy))
    names = _drawn(hierarchy, writing, writing.images)
    # The page holds all in itself.
    pictures = {index: (writing.images / name).read_bytes() for index, name in names.items()}
    whole = {index: f"data:image/png;base64,{b64encode(png).decode()}" for index, png in pictures.items()}
    return _text(html(hierarchy, images=whole))


def _drawn(hierarchy: Hierarchy, writing: Writing, folder: Path) -> Mapping[int, str]:
    """The names of the figures, which are written now."""
    from held.exports.images import write_images

    pdf = _original(writing, "to take images from")
    return write_images(pdf, hierarchy.document, folder, password=writing.password)


def _outline(hierarchy: Hierarchy, _: Writing) -> Written:
    from held.exports.outline import outline

    return _text(outline(hierarchy))


def _tree(hierarchy: Hierarchy, _: Writing) -> Written:
    from held.exports.outline import indented

    return _text(indented(hierarchy))


def _pdf(hierarchy: Hierarchy, writing: Writing) -> Written:
    from held.exports.bookmarking import bookmarked
    from held.exports.bookmarks import bookmarks_of

    pdf = _original(writing, "to write bookmarks into")
    bookmarks = bookmarks_of(hierarchy)
    return Written(*bookmarked(pdf, bookmarks, password=writing.password, keep=writing.keep_bookmarks))


def _chunks(hierarchy: Hierarchy, writing: Writing) -> Written:
    from held.exports.chunking import chunks_as_lines

    return _text(chunks_as_lines(hierarchy, max_tokens=writing.max_tokens))


def _docx(hierarchy: Hierarchy, _: Writing) -> Written:
    from held.exports.docx import docx

    return Written(docx(hierarchy))


def _epub(hierarchy: Hierarchy, _: Writing) -> Written:
    from held.exports.epub import epub

    return Written(epub(hierarchy))


def _original(writing: Writing, purpose: str) -> Path:
    """The PDF that the hierarchy was made from."""
    if writing.source is None or not is_pdf(writing.source):
        advice = "give the PDF that it was made from"
        raise UsageError(f"is no PDF {purpose}", file=writing.source, advice=advice)
    return writing.source


_ALL = (
    Form("json", ".json", "everything: objects, paths, pages, boxes, confidence (docs/formats.md)", _json),
    Form(
        "markdown",
        ".md",
        "the whole text, headings at their level",
        _markdown,
        frozenset({"images", "page_markers"}),
    ),
    Form(
        "html",
        ".html",
        "one page to read in a browser: the tree beside the text",
        _html,
        frozenset({"images"}),
    ),
    Form("outline", ".tsv", "one heading a line: level, page and title between tabs", _outline),
    Form("tree", ".txt", "the headings to read", _tree),
    Form(
        "pdf",
        ".pdf",
        "the same PDF with the tree as its bookmarks",
        _pdf,
        frozenset({"keep_bookmarks"}),
        needs_pdf=True,
        for_screen=False,
    ),
    Form(
        "chunks",
        ".jsonl",
        "pieces for retrieval, none across sections, one JSON object a line",
        _chunks,
        frozenset({"max_tokens"}),
    ),
    Form("docx", ".docx", "for word processors, with heading styles (extra docx)", _docx, for_screen=False),
    Form("epub", ".epub", "for readers of books, the tree as its contents", _epub, for_screen=False),
)
FORMS = {form.name: form for form in _ALL}
DATA_SET = "parquet"
"""What many documents become together: the tables of `held.dataset`, none of which is one file's own."""
OF_DATA_SET = frozenset({"max_tokens"})
"""The options of `Writing` that mean something to a data set."""
SUFFIXES = tuple(form.suffix for form in _ALL)


def form_of(path: Path) -> Form | None:
    """The form that a file's suffix names, None where it names none; .xz says only that it is compressed."""
    name = path.name.lower().removesuffix(".xz")
    return next((form for form in _ALL if form.suffix == Path(name).suffix), None)


def forms_that_take(option: str) -> list[str]:
    """The names of the forms that an option means something to."""
    return [form.name for form in _ALL if option in form.takes]
