"""The public Python API: `extract` and `load` return a document with sections, paths, chunks and exports.

`StructuredDocument` adds convenience to the pipeline's `Hierarchy`. Everything is computed on first use.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

from held import extraction
from held.document import Document, Pages, PhysicalObject
from held.errors import FormatError, InputError, MissingPackageError, UsageError
from held.exports.chunking import MAX_TOKENS, Chunk, Count
from held.exports.chunking import chunks as chunks_of
from held.exports.formats import FORMATS, SUFFIXES, ExportOptions, format_of_path
from held.exports.tables import Table, tables_of
from held.extraction import ExtractOptions, StageTimer, parse_page_range, reading_progress
from held.hierarchy import Hierarchy
from held.system.console import Progress
from held.tree import ROOT

if TYPE_CHECKING:
    import pandas

    from held.hierarchy.overrides import OverrideMap

PathLike = str | os.PathLike[str]
_PLAIN = ExportOptions()


# --- The two values that users meet ---


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Section:
    """A heading and everything below it. `index` is the heading's index in the document's objects."""

    document: StructuredDocument
    index: int

    @property
    def title(self) -> str:
        """The heading's text on one line."""
        return self.document.objects[self.index].title

    @property
    def level(self) -> int:
        """The heading's level, from 1."""
        return len(self.document._paths[self.index])  # a path ends with the heading itself

    @property
    def page(self) -> int:
        """The heading's page, from 1."""
        return self.document.objects[self.index].page

    @property
    def path(self) -> tuple[str, ...]:
        """The titles from the top of the document down to this one."""
        return (*self.document.path(self.index), self.title)

    @property
    def parent(self) -> Section | None:
        """The section that contains this one; None at the top."""
        return self.document.section_of(self.index)

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections directly below this one."""
        return self.document._sections_below(self.index)

    @property
    def objects(self) -> tuple[PhysicalObject, ...]:
        """The section's own objects, without those of its subsections."""
        document = self.document
        children = document._children[self.index]
        body = [index for index in children if index not in document.headings]
        return tuple(document.objects[index] for index in body)

    @property
    def text(self) -> str:
        """The text of the section's own objects, separated by blank lines."""
        return "\n\n".join(item.text for item in self.objects if item.text)

    def full_text(self) -> str:
        """Return the section's text with the titles and texts of all sections below it, in reading order."""
        pieces = [self.text]
        for section in self.sections:
            pieces += section.title, section.full_text()
        return "\n\n".join(filter(None, pieces))

    @property
    def certainty(self) -> float:
        """The probability that this is a heading and has the right parent."""
        return self.document.certainty(self.index)

    def __repr__(self) -> str:
        return f"<Section {self.title!r}, level {self.level}, page {self.page}>"

    def _repr_html_(self) -> str:
        from held.exports.html import notebook_section

        return notebook_section(self.document, self.index)


class StructuredDocument(Hierarchy):
    """A document with its hierarchy: what `held.extract` returns."""

    @property
    def objects(self) -> tuple[PhysicalObject, ...]:
        """The physical objects in reading order. Every index in this API refers to this tuple."""
        return self.document.objects

    @property
    def status(self) -> str:
        """`done`, or `partial` if pages could not be read; `document.lost` has their numbers."""
        return self.document.status

    @property
    def title(self) -> str:
        """The document's title, as its first pages print it; "" if there is none."""
        return self.document.metadata.title

    @property
    def authors(self) -> tuple[str, ...]:
        """The authors that the file declares and its first pages name."""
        return self.document.metadata.authors

    @property
    def language(self) -> str:
        """The language as a code such as "en"; "" if it is not known."""
        return self.document.metadata.language

    @property
    def date(self) -> str:
        """The day on which the file was made, such as "2025-03-31"; "" if it does not say."""
        return self.document.metadata.date

    @property
    def sections(self) -> tuple[Section, ...]:
        """The top-level sections; each has its own `sections`."""
        return self._sections_below(ROOT)

    def walk(self) -> Iterator[Section]:
        """Iterate over all sections in reading order, parents before children."""
        return (Section(self, heading) for heading in sorted(self.headings))

    def path(self, index: int) -> tuple[str, ...]:
        """Return the titles of the headings above an object, from the top."""
        headings = [Section(self, above) for above in self._above(index)]
        return tuple(heading.title for heading in headings)

    def section_of(self, index: int) -> Section | None:
        """Return the section that contains an object; None before the first heading."""
        above = self._above(index)
        return Section(self, above[-1]) if above else None

    def _above(self, index: int) -> tuple[int, ...]:
        if index not in self._paths:
            advice = f"the document has {len(self.objects)}, counted from 0"
            raise UsageError(f"there is no object {index}", file=self.document.source, advice=advice)
        return self._paths[index][:-1]

    def to_dataframe(self) -> pandas.DataFrame:
        """Return a pandas data frame with one row per section, in reading order; needs pandas.

        The columns are level, title, page, path (a tuple of titles), text (the section's own) and certainty.
        """
        try:
            import pandas
        except ImportError as error:
            raise MissingPackageError("to_dataframe needs pandas", advice="pip install pandas") from error
        columns = ("level", "title", "page", "path", "text", "certainty")
        rows = [[getattr(section, name) for name in columns] for section in self.walk()]
        return pandas.DataFrame(rows, columns=list(columns))

    def find(self, title: str) -> Section | None:
        """Return the first section with this title, or else the first that contains it. Ignores case."""
        containing = self.find_all(title)
        wanted = _normalise_title(title)
        for section in containing:
            if _normalise_title(section.title) == wanted:
                return section
        return containing[0] if containing else None

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The tables in reading order, with cells, caption, unit and notes."""
        return tables_of(self)

    def find_all(self, title: str) -> list[Section]:
        """Return all sections whose title contains this text, in reading order. Ignores case."""
        wanted = _normalise_title(title)
        return [section for section in self.walk() if wanted in _normalise_title(section.title)]

    def chunks(self, max_tokens: int = MAX_TOKENS, *, count: Count | None = None) -> list[Chunk]:
        """Split the document into chunks for retrieval; see `held.chunks`."""
        return chunks_of(self, max_tokens=max_tokens, count=count)

    def to_json(self) -> str:
        """Return everything as JSON that `held.load` reads back."""
        return self._export("json")

    def to_markdown(self, *, page_markers: bool = False, no_title: bool = False) -> str:
        """Return the whole text as Markdown: the title at level 1, the headings below it.

        `page_markers` adds a comment at the start of each page. `no_title` writes the title as it is printed,
        and headings at their level in the tree.
        """
        options = ExportOptions(page_markers=page_markers, no_title=no_title)
        return self._export("markdown", options)

    def to_html(self) -> str:
        """Return one HTML page with the tree next to the text."""
        return self._export("html")

    def to_outline(self) -> str:
        """Return one heading per line: level, page and title, separated by tabs."""
        return self._export("outline")

    def to_tree(self) -> str:
        """Return the headings for people to read, indented by level."""
        return self._export("tree")

    def to_pdf(
        self, pdf: PathLike, *, password: str | None = None, keep: bool = False, strip_active: bool = False
    ) -> bytes:
        """Return the PDF that the document was read from, with the tree as its bookmarks.

        `keep` keeps its own bookmarks, too. `strip_active` removes scripts, actions, media and attachments.
        """
        options = ExportOptions(
            source=Path(pdf), password=password, keep_bookmarks=keep, strip_active=strip_active
        )
        result = FORMATS["pdf"].write(self, options)
        return result.content

    def save(self, path: PathLike, *, pdf: PathLike | None = None, password: str | None = None) -> None:
        """Write the document to a file. The suffix selects the format, as in `held extract -o`.

        `pdf` is the file that the document was read from; some formats need it.
        """
        from held.system.atomic_write import write_file

        export_format = format_of_path(Path(path))
        if export_format is None:
            raise UsageError(f"has no known suffix; the suffixes are {', '.join(SUFFIXES)}", file=path)
        if export_format.needs_pdf and pdf is None:
            advice = "pass the PDF that the document was read from: save(path, pdf=...)"
            raise UsageError(f"{export_format.name} needs the original PDF", file=path, advice=advice)
        source = None if pdf is None else Path(pdf)
        options = ExportOptions(target=Path(path), source=source, password=password)
        result = export_format.write(self, options)
        write_file(path, result.content)

    def to_docling(self) -> Any:
        """Return docling's `DoclingDocument`; needs docling-core (the extra `docling`)."""
        from held.integrations.docling import to_docling

        return to_docling(self)

    def _repr_html_(self) -> str:
        from held.exports.html import notebook_document

        return notebook_document(self)

    def _export(self, name: str, options: ExportOptions = _PLAIN) -> str:
        result = FORMATS[name].write(self, options)
        return result.content.decode()

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
        headings = [child for child in self._children[index] if child in self.headings]
        return tuple(Section(self, heading) for heading in headings)


# --- The two ways to a document ---


def extract(
    source: PathLike | bytes | IO[bytes] | Document | Pages,
    *,
    model: str = "base",
    password: str | None = None,
    pages: str | None = None,
    jobs: int | None = None,
    order: Literal["ta", "r2l", "l2r"] = "ta",
    beam: int = 1,
    outline: Literal["ignore", "trust"] = "ignore",
    headings: Literal["auto", "found", "given"] = "auto",
    fixed: OverrideMap | None = None,
    max_depth: int | None = None,
    min_confidence: float | None = None,
    drop_doubtful: bool = False,
    ocr: Literal["auto", "always", "never"] = "auto",
    ocr_engine: Literal["auto", "tesseract", "rapidocr"] = "auto",
    ocr_languages: str = "",
    language: str | None = None,
    progress: Progress | None = None,
) -> StructuredDocument:
    """Read a document and return it with its hierarchy.

    source          path or bytes of a PDF, or a file opened in binary mode; path of a JSON file of held,
                    docling or unstructured; or the `Document` or `Pages` that one of these was read into
    model           name of a shipped model, or the folder of another one
    password        password of an encrypted PDF
    pages           keep only these pages: "3-9", "5", "12-". The whole file is read; headings above stay
    jobs            number of processes that read pages; 0 reads in this process
    order, beam     traversal order of the insertion positions (ta, r2l, l2r), and beam width
    outline         "trust" takes the headings from the PDF's own bookmarks
    headings        "found" by the model, "given" by the document, or "auto": given if there are any
    fixed           known positions: {object: the heading above it, None for the top level, "heading" for a
                    heading anywhere, "text" for no heading}; the other headings are inserted around them
    max_depth       turn deeper headings into text of their section
    min_confidence  headings below this certainty are doubtful; 0.5 by default
    drop_doubtful   turn doubtful headings into text of the section before; headings below them move up
    ocr             "auto" reads scanned pages if an OCR engine is installed, "always" all pages, "never" none
    ocr_engine      "tesseract", "rapidocr", or "auto": the one that suits the language
    ocr_languages   as Tesseract names them: "deu", "deu+eng"; by default detected in a sample of the text
    language        the document's language ("de"); by default detected in its text
    progress        called with the number of pages read, and of all pages
    """
    options = ExtractOptions(
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
        ocr=ocr,
        ocr_engine=ocr_engine,
        ocr_languages=ocr_languages,
        language=language,
    )
    if isinstance(source, str | os.PathLike):
        source = Path(source)
        if source.is_dir():  # reading it would fail with an error that helps nobody
            advice = "`held extract` takes folders; held.extract takes one file"
            raise InputError("is a folder", file=source, advice=advice)
    elif not isinstance(source, bytes | Document | Pages):
        source = _read_all(source)
    timer = StageTimer(reading_progress(progress))
    hierarchy = extraction.extract(source, options, password=password, jobs=jobs, timer=timer)
    return as_structured(hierarchy)


def load(source: PathLike | bytes | IO[bytes] | IO[str] | dict[str, Any]) -> StructuredDocument:
    """Load a document that was written as JSON.

    `source` is a path, an open file, the JSON text or bytes, or its value.
    """
    from held.exports.tree_json import tree_from_json
    from held.system.bounded_json import read_json

    if isinstance(source, dict):
        return as_structured(tree_from_json(source))
    if not isinstance(source, str | bytes | os.PathLike):
        source = _read_all(source, text_is_fine=True)
    if isinstance(source, bytes) or (isinstance(source, str) and source.lstrip().startswith("{")):
        try:
            value = json.loads(source)
            return as_structured(tree_from_json(value))
        except ValueError as error:
            raise FormatError(f"not JSON: {error}") from error
    hierarchy = tree_from_json(read_json(source), file=source)
    return as_structured(hierarchy)


def _read_all(file: IO[bytes] | IO[str], *, text_is_fine: bool = False) -> bytes:
    """Return what is left to read of a file object."""
    if not callable(getattr(file, "read", None)):
        advice = "give a path, bytes, or a file opened in binary mode"
        raise UsageError(f"a {type(file).__name__} is not a source", advice=advice)
    content = file.read()
    if isinstance(content, str) and text_is_fine:
        return content.encode("utf-8", "surrogatepass")
    if not isinstance(content, bytes):
        raise UsageError("the file is opened as text", advice='open it in binary mode: open(path, "rb")')
    return content


def as_structured(hierarchy: Hierarchy) -> StructuredDocument:
    """Convert a hierarchy to the document type of this API."""
    # The pipeline returns the base class, as it must not depend on the API; no field is added here.
    values = {field.name: getattr(hierarchy, field.name) for field in fields(hierarchy)}
    return StructuredDocument(**values)


def _normalise_title(title: str) -> str:
    return " ".join(title.split()).casefold()
