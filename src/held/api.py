"""The library as its users see it: a file in, a document with sections, paths, chunks and exports out.

`StructuredDocument` is the pipeline's `Hierarchy` with what people ask of it; all of that is computed when it
is asked for, and what is asked for in a loop is computed once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from held.chunking import MAX_TOKENS, Chunk, Count
from held.chunking import chunks as chunks_of
from held.document import Document, Pages, PhysicalObject
from held.errors import FormatError, InputError, UsageError
from held.files import pages_within, parse_page_range, read
from held.fixed import FixedPlaces, fixed_from
from held.insertion import Order, Strategy
from held.pipeline import Headings, Hierarchy, tree_of
from held.portions import portion
from held.progress import Progress
from held.tree import ROOT

PathLike = str | os.PathLike[str]
_FORMS = {".json": "json", ".md": "markdown", ".html": "html", ".tsv": "outline", ".txt": "tree"}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Section:
    """A heading and what stands below it. `index` is the heading's place among the document's objects."""

    document: StructuredDocument
    index: int

    @property
    def title(self) -> str:
        """The heading's text on one line."""
        return " ".join(self.document.objects[self.index].text.split())

    @property
    def level(self) -> int:
        """How deep the heading stands, from 1."""
        return len(self.document._paths[self.index])

    @property
    def page(self) -> int:
        """The page of the heading, counted from 1."""
        return self.document.objects[self.index].page

    @property
    def path(self) -> tuple[str, ...]:
        """The titles from the top down to this one."""
        return (*self.document.path(self.index), self.title)

    @property
    def parent(self) -> Section | None:
        """The section that this one is part of, None at the top."""
        return self.document.section_of(self.index)

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections right below this one."""
        return self.document._sections_below(self.index)

    @property
    def objects(self) -> tuple[PhysicalObject, ...]:
        """The section's own objects, without those of the sections below it."""
        below = self.document._children[self.index]
        return tuple(self.document.objects[i] for i in below if i not in self.document.headings)

    @property
    def text(self) -> str:
        """The text of the section's own objects, a blank line between them."""
        return "\n\n".join(item.text for item in self.objects if item.text)

    @property
    def certainty(self) -> float:
        """The probability that the heading is one and stands in its place."""
        return self.document.certainty(self.index)

    def __repr__(self) -> str:
        return f"<Section {self.title!r}, level {self.level}, page {self.page}>"


class StructuredDocument(Hierarchy):
    """A document with its hierarchy: what `held.extract` gives back."""

    @property
    def objects(self) -> tuple[PhysicalObject, ...]:
        """The physical objects in reading order; indices are places in this tuple."""
        return self.document.objects

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections at the top; each has its own `sections`."""
        return self._sections_below(ROOT)

    def walk(self) -> Iterator[Section]:
        """All sections in reading order, each before those below it."""
        return (Section(self, heading) for heading in sorted(self.headings))

    def path(self, index: int) -> tuple[str, ...]:
        """The titles of the headings above an object, from the top."""
        return tuple(Section(self, above).title for above in self._paths[index][:-1])

    def section_of(self, index: int) -> Section | None:
        """The section that an object stands in, None before the first heading."""
        above = self._paths[index][:-1]
        return Section(self, above[-1]) if above else None

    def find(self, title: str) -> Section | None:
        """The first section with this title, or else the first whose title holds it, whatever the case."""
        wanted = " ".join(title.split()).casefold()
        titles = [(section.title.casefold(), section) for section in self.walk()]
        exact = (section for found, section in titles if found == wanted)
        within = (section for found, section in titles if wanted in found)
        return next(exact, None) or next(within, None)

    def chunks(self, max_tokens: int = MAX_TOKENS, *, count: Count | None = None) -> list[Chunk]:
        """The document in chunks for retrieval: see `held.chunks`."""
        return chunks_of(self, max_tokens=max_tokens, count=count)

    def to_json(self) -> str:
        """Everything, in the form that `held.load` reads back."""
        from held.exports.tree_json import tree_to_json
        from held.serial import dumps

        return dumps(tree_to_json(self)).decode()

    def to_markdown(self) -> str:
        """The whole text as Markdown, headings at their true level."""
        from held.exports.markdown import markdown

        return markdown(self)

    def to_html(self) -> str:
        """One page for a browser: the tree beside the text."""
        from held.exports.html import html

        return html(self)

    def to_outline(self) -> str:
        """One heading a line: level, page and title between tabs."""
        from held.exports.outline import outline

        return outline(self)

    def to_tree(self) -> str:
        """The headings as a person reads them, indented by level."""
        from held.exports.outline import indented

        return indented(self)

    def to_pdf(self, pdf: PathLike, *, password: str | None = None, keep: bool = False) -> bytes:
        """The PDF that the document was read from, with the tree as its bookmarks."""
        from held.exports.bookmarks import bookmarked, bookmarks_of

        return bookmarked(Path(pdf), bookmarks_of(self), password=password, keep=keep)

    def save(self, path: PathLike) -> None:
        """Write the document in the form that the file's suffix names: .json .md .html .tsv .txt."""
        from held.serial import write_whole

        form = _FORMS.get(Path(path).suffix.lower())
        if form is None:
            advice = "to_pdf gives the bytes of a PDF" if Path(path).suffix.lower() == ".pdf" else None
            raise UsageError(f"no form has this suffix: {', '.join(_FORMS)} do", file=path, advice=advice)
        content: str = getattr(self, f"to_{form}")()
        write_whole(path, content.encode("utf-8", "backslashreplace"))

    def __repr__(self) -> str:
        extent = f"{len(self.document.pages)} pages, {len(self.headings)} headings"
        return f"<StructuredDocument {self.document.source!r}: {extent}>"

    @cached_property
    def _paths(self) -> dict[int, tuple[int, ...]]:
        return self.tree.paths()

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        return self.tree.children()

    def _sections_below(self, index: int) -> tuple[Section, ...]:
        return tuple(Section(self, child) for child in self._children[index] if child in self.headings)


def extract(
    source: PathLike | bytes | Document | Pages,
    *,
    model: str = "base",
    password: str | None = None,
    pages: str | None = None,
    jobs: int | None = None,
    order: str = "ta",
    beam: int = 1,
    outline: str = "ignore",
    headings: str = "auto",
    fixed: FixedPlaces | None = None,
    max_depth: int | None = None,
    min_confidence: float | None = None,
    drop_doubtful: bool = False,
    progress: Progress | None = None,
) -> StructuredDocument:
    """The document in a file, with its hierarchy.

    source          a PDF's path or bytes, JSON of ours, docling's or unstructured's, or what these read
    model           a model that ships, or the folder of one
    pages           only these: "3-9", "5", "12-"; all is read, then cut; the headings above them stay
    jobs            processes that read pages
    order, beam     how positions are asked about (ta, r2l, l2r), and how many trees are kept
    outline         "trust" takes the PDF's own bookmarks for the truth
    headings        "found" by the model, "given" by the document, or "auto": given where there are any
    fixed           what is known of objects: {object: the object of the heading above, None for the top,
                    "heading" for one anywhere, "text" for none}; the rest is inserted around them
    max_depth       deeper headings become text of the section they stand in
    min_confidence  headings with less certainty are doubtful; 0.5 where none is given
    drop_doubtful   doubtful headings become text of the section before them; those below them move up
    progress        called with the pages that are read and the pages in all
    """
    _check_choice("outline", outline, ("ignore", "trust"))
    _check_choice("order", order, tuple(Order))
    _check_choice("headings", headings, tuple(Headings))
    if fixed and outline == "trust":
        raise UsageError("places cannot be fixed where the bookmarks are trusted", advice="give one of both")
    strategy = Strategy(Order(order), beam, normalise=True)
    value = _read(source, password, jobs, progress)
    numbers = pages_within(value, None if pages is None else parse_page_range(pages), Path(value.source))
    found = _tree(value, outline, model, strategy, Headings(headings), fixed or {})
    found = replace(found, min_confidence=min_confidence)
    cut_out = None if pages is None else numbers
    return structured(portion(found, pages=cut_out, max_depth=max_depth, drop_doubtful=drop_doubtful))


def load(source: PathLike | dict[str, Any]) -> StructuredDocument:
    """The document that was written as JSON: from its path, its text or its value."""
    from held.exports.tree_json import tree_from_json
    from held.serial import read_json

    if isinstance(source, dict):
        return structured(tree_from_json(source))
    if isinstance(source, str) and source.lstrip().startswith("{"):
        try:
            return structured(tree_from_json(json.loads(source)))
        except ValueError as error:
            raise FormatError(f"not JSON: {error}") from error
    return structured(tree_from_json(read_json(source), file=source))


def structured(hierarchy: Hierarchy) -> StructuredDocument:
    """The hierarchy as the document that users see."""
    return StructuredDocument(**{field.name: getattr(hierarchy, field.name) for field in fields(hierarchy)})


def _read(
    source: PathLike | bytes | Document | Pages,
    password: str | None,
    jobs: int | None,
    progress: Progress | None,
) -> Pages | Document:
    if isinstance(source, Document | Pages):
        return source
    if not isinstance(source, bytes):
        path = Path(source)
        if path.is_dir():
            raise InputError("is a folder", file=path, advice="`held extract` takes folders, this one file")
        return read(path, password=password, jobs=jobs, progress=progress)
    from held.pdf.lines.view import as_viewed
    from held.pdf.reader.read import read_pdf
    from held.pdf.reader.readable import require_text

    return as_viewed(require_text(read_pdf(source, password=password, jobs=jobs, progress=progress)))


def _tree(
    value: Pages | Document,
    outline: str,
    model: str,
    strategy: Strategy,
    headings: Headings,
    places: FixedPlaces,
) -> Hierarchy:
    document = _recognised(value)
    if outline == "ignore" or isinstance(value, Document):
        fixed = fixed_from(places, object_count=len(document.objects))
        return tree_of(document, model=model, strategy=strategy, headings=headings, fixed=[fixed])
    from held.trusted import trusted_tree_of

    return trusted_tree_of(document, value.outline, model=model, strategy=strategy)


def _recognised(value: Pages | Document) -> Document:
    if isinstance(value, Document):
        return value
    from held.pdf.recognise import recognise

    return recognise(value)


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise UsageError(f"{name} cannot be {value!r}", advice=f"it is one of {', '.join(choices)}")
