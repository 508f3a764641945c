"""The library as its users see it: a file in, a document with sections, paths, chunks and exports out.

`StructuredDocument` is the pipeline's `Hierarchy` with what people ask of it; all of that is computed when it
is asked for, and what is asked for in a loop is computed once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from held.document import Document, Pages, PhysicalObject
from held.errors import FormatError, InputError, UsageError
from held.exports.chunking import MAX_TOKENS, Chunk, Count
from held.exports.chunking import chunks as chunks_of
from held.exports.formats import FORMATS, SUFFIXES, ExportOptions, format_of_path
from held.exports.tables.table import Table, tables_of
from held.extraction import Clock, Extraction, Source, Tell, extracted
from held.files import parse_page_range
from held.hierarchy.overrides import FixedPlaces
from held.hierarchy.pipeline import Hierarchy
from held.system.progress import Progress
from held.tree import ROOT

PathLike = str | os.PathLike[str]
_PLAIN = ExportOptions()


class SectionText(str):
    """A section's own text, which is a string; called, it can have all that stands below, too."""

    _section: Section

    def __new__(cls, own: str, section: Section) -> SectionText:
        """The text of a section."""
        made = super().__new__(cls, own)
        made._section = section
        return made

    def __call__(self, *, deep: bool = False) -> str:
        """The text; deep, with the titles and texts of all sections below, in reading order."""
        if not deep:
            return str(self)
        pieces = [str(self)]
        for section in self._section.sections:
            pieces += section.title, section.text(deep=True)
        return "\n\n".join(filter(None, pieces))

    def __reduce__(self) -> tuple[object, ...]:
        return str, (str(self),)


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
    def text(self) -> SectionText:
        """The text of the section's own objects, a blank line between them.

        It can be called, too: `section.text(deep=True)` has the sections below, with their titles.
        """
        own = "\n\n".join(item.text for item in self.objects if item.text)
        return SectionText(own, self)

    @property
    def certainty(self) -> float:
        """The probability that the heading is one and stands in its place."""
        return self.document.certainty(self.index)

    def __repr__(self) -> str:
        return f"<Section {self.title!r}, level {self.level}, page {self.page}>"

    def _repr_html_(self) -> str:
        from held.exports.notebook import section_html

        return section_html(self.document, self.index)


class StructuredDocument(Hierarchy):
    """A document with its hierarchy: what `held.extract` gives back."""

    @property
    def objects(self) -> tuple[PhysicalObject, ...]:
        """The physical objects in reading order; indices are places in this tuple."""
        return self.document.objects

    @property
    def status(self) -> str:
        """`done`, or `partial` where pages could not be read: `document.lost` has their numbers."""
        return self.document.status

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections at the top; each has its own `sections`."""
        return self._sections_below(ROOT)

    def walk(self) -> Iterator[Section]:
        """All sections in reading order, each before those below it."""
        return (Section(self, heading) for heading in sorted(self.headings))

    def path(self, index: int) -> tuple[str, ...]:
        """The titles of the headings above an object, from the top."""
        return tuple(Section(self, above).title for above in self._above(index))

    def section_of(self, index: int) -> Section | None:
        """The section that an object stands in, None before the first heading."""
        above = self._above(index)
        return Section(self, above[-1]) if above else None

    def _above(self, index: int) -> tuple[int, ...]:
        """The headings above an object, from the top."""
        if index not in self._paths:
            advice = f"the document has {len(self.objects)}, counted from 0"
            raise UsageError(f"there is no object {index}", file=self.document.source, advice=advice)
        return self._paths[index][:-1]

    def find(self, title: str) -> Section | None:
        """The first section with this title, or else the first whose title holds it, whatever the case."""
        wanted = " ".join(title.split()).casefold()
        titles = [(section.title.casefold(), section) for section in self.walk()]
        exact = (section for found, section in titles if found == wanted)
        within = (section for found, section in titles if wanted in found)
        return next(exact, None) or next(within, None)

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The tables in reading order, with their cells, and with what stands around them."""
        return tables_of(self)

    def find_all(self, title: str) -> list[Section]:
        """All sections whose title holds this, whatever the case, in reading order."""
        wanted = " ".join(title.split()).casefold()
        return [section for section in self.walk() if wanted in section.title.casefold()]

    def chunks(self, max_tokens: int = MAX_TOKENS, *, count: Count | None = None) -> list[Chunk]:
        """The document in chunks for retrieval: see `held.chunks`."""
        return chunks_of(self, max_tokens=max_tokens, count=count)

    def to_json(self) -> str:
        """Everything, in the form that `held.load` reads back."""
        return self._written("json")

    def to_markdown(self, *, page_markers: bool = False) -> str:
        """The whole text as Markdown, headings at their true level.

        With `page_markers` a comment stands where each page begins.
        """
        return self._written("markdown", ExportOptions(page_markers=page_markers))

    def to_html(self) -> str:
        """One page for a browser: the tree beside the text."""
        return self._written("html")

    def to_outline(self) -> str:
        """One heading a line: level, page and title between tabs."""
        return self._written("outline")

    def to_tree(self) -> str:
        """The headings as a person reads them, indented by level."""
        return self._written("tree")

    def to_pdf(self, pdf: PathLike, *, password: str | None = None, keep: bool = False) -> bytes:
        """The PDF that the document was read from, with the tree as its bookmarks."""
        writing = ExportOptions(source=Path(pdf), password=password, keep_bookmarks=keep)
        return FORMATS["pdf"].write(self, writing).content

    def save(self, path: PathLike, *, pdf: PathLike | None = None, password: str | None = None) -> None:
        """Write the document in the form that the file's suffix names, as `held extract -o` does.

        `pdf` is the file that the document was read from, for forms that need it.
        """
        from held.system.atomic_write import write_whole

        form = format_of_path(Path(path))
        if form is None:
            raise UsageError(f"no form has this suffix: {', '.join(SUFFIXES)} do", file=path)
        if form.needs_pdf and pdf is None:
            advice = "give the PDF that the document was read from: save(path, pdf=...)"
            raise UsageError(f"{form.name} needs the original", file=path, advice=advice)
        source = None if pdf is None else Path(pdf)
        options = ExportOptions(target=Path(path), source=source, password=password)
        write_whole(path, form.write(self, options).content)

    def to_docling(self) -> Any:
        """The document as docling's `DoclingDocument`; needs docling-core, the extra `docling`."""
        from held.exports.docling import to_docling

        return to_docling(self)

    def _repr_html_(self) -> str:
        from held.exports.notebook import document_html

        return document_html(self)

    def _written(self, form: str, writing: ExportOptions = _PLAIN) -> str:
        return FORMATS[form].write(self, writing).content.decode()

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
    order: Literal["ta", "r2l", "l2r"] = "ta",
    beam: int = 1,
    outline: Literal["ignore", "trust"] = "ignore",
    headings: Literal["auto", "found", "given"] = "auto",
    fixed: FixedPlaces | None = None,
    max_depth: int | None = None,
    min_confidence: float | None = None,
    drop_doubtful: bool = False,
    progress: Progress | None = None,
) -> StructuredDocument:
    """The document in a file, with its hierarchy.

    source          a PDF's path or bytes, JSON of ours, docling's or unstructured's, or what these read
    model           a model that ships, or the folder of one
    password        of an encrypted PDF
    pages           only these: "3-9", "5", "12-"; all is read, then cut; the headings above them stay
    jobs            processes that read pages; 0: this one does
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
    options = Extraction(
        model=model,
        pages=None if pages is None else parse_page_range(pages),
        order=order,
        beam=beam,
        outline=outline,
        headings=headings,
        fixed=tuple((fixed or {}).items()),
        max_depth=max_depth,
        min_confidence=min_confidence,
        drop_doubtful=drop_doubtful,
    )
    return structured(
        extracted(_source(source), options, password=password, jobs=jobs, clock=Clock(_reading(progress)))
    )


def load(source: PathLike | bytes | dict[str, Any]) -> StructuredDocument:
    """The document that was written as JSON: from its path, its text, the bytes of it, or its value."""
    from held.exports.tree_json import tree_from_json
    from held.serial import read_json

    if isinstance(source, dict):
        return structured(tree_from_json(source))
    if isinstance(source, bytes) or (isinstance(source, str) and source.lstrip().startswith("{")):
        try:
            return structured(tree_from_json(json.loads(source)))
        except ValueError as error:
            raise FormatError(f"not JSON: {error}") from error
    return structured(tree_from_json(read_json(source), file=source))


def structured(hierarchy: Hierarchy) -> StructuredDocument:
    """The hierarchy as the document that users see."""
    return StructuredDocument(**{field.name: getattr(hierarchy, field.name) for field in fields(hierarchy)})


def _source(source: PathLike | bytes | Document | Pages) -> Source:
    """The source with a path as a path; a folder is refused."""
    if isinstance(source, bytes | Document | Pages):
        return source
    path = Path(source)
    if path.is_dir():
        raise InputError("is a folder", file=path, advice="`held extract` takes folders, this one file")
    return path


def _reading(progress: Progress | None) -> Tell | None:
    """Tells the pages that are read, and nothing of the stages after that."""
    if progress is None:
        return None
    return lambda stage, done, total: progress(done, total) if stage == "reading" else None
