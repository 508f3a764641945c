"""One document through one tool: `python run.py TOOL FILE OUT` with the Python of the tool's environment.

Writes the tool's Markdown as JSON, a list of [page, Markdown]; the page is null where the tool does not tell
pages. Levels that come without Markdown, which knows six, are written as `held` writes its headings. Each
tool is called as its documentation does, for Markdown with pages. Imports nothing of ours: the tool's
environment has only the tool. Docling's levels alone need headings from elsewhere, which are ours.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

Texts = list[tuple[int | None, str]]
Headings = dict[str, list[dict[str, int | str]]]

_MARKER = "@@page %page-number%@@"
_MARKED = re.compile(r"@@page (\d+)@@")


def pypdfium2(path: str) -> Texts:
    """PDFium's plain text: the floor of all that read with PDFium."""
    document = import_module("pypdfium2").PdfDocument(path)
    return [(number, page.get_textpage().get_text_range()) for number, page in enumerate(document, 1)]


def pdfminer(path: str) -> Texts:
    """The plain text of pdfminer.six."""
    return [(None, import_module("pdfminer.high_level").extract_text(path))]


def pymupdf4llm(path: str) -> Texts:
    """PyMuPDF4LLM by rules of its own: levels by font size."""
    import_module("pymupdf4llm").use_layout(False)
    return pymupdf4llm_layout(path)


def pymupdf4llm_layout(path: str) -> Texts:
    """PyMuPDF4LLM as it comes: with the network of its layout package."""
    pages = import_module("pymupdf4llm").to_markdown(path, page_chunks=True)
    return [(number, page["text"]) for number, page in enumerate(pages, 1)]


def kreuzberg(path: str) -> Texts:
    """Kreuzberg, whose Markdown tells no pages, without its cache, so that each run does the work."""
    library = import_module("kreuzberg")
    config = library.ExtractionConfig(output_format="markdown", use_cache=False)
    return [(None, library.extract_file_sync(path, config=config).content)]


def pdf_oxide(path: str) -> Texts:
    """pdf_oxide, page after page."""
    document = import_module("pdf_oxide").PdfDocument(path)
    return [(index + 1, document.to_markdown(index)) for index in range(document.page_count())]


def opendataloader(path: str) -> Texts:
    """OpenDataLoader, which runs Java, without saving images."""
    with tempfile.TemporaryDirectory() as folder:
        import_module("opendataloader_pdf").convert(
            path,
            output_dir=folder,
            format="markdown",
            image_output="off",
            quiet=True,
            markdown_page_separator=_MARKER,
        )
        return list(_by_markers(next(Path(folder).rglob("*.md")).read_text(encoding="utf-8")))


def markitdown(path: str) -> Texts:
    """MarkItDown, which tells no pages."""
    return [(None, import_module("markitdown").MarkItDown().convert(path).text_content)]


def pdf_inspector(path: str) -> Texts:
    """pdf-inspector, page after page."""
    pages = import_module("pdf_inspector").extract_pages_markdown(path).pages
    return [(number, page.markdown or "") for number, page in enumerate(pages, 1)]


def docling_levels(path: str) -> Headings:
    """The levels that docling gives to headings: by their numbers, and by their look in its parsed pages.

    Its own headings would be those of a layout model that it downloads; these are of `held`, all at level 1.
    """
    document = import_module("held").extract(path).to_docling()
    headings = [item for item in document.texts if item.label == "section_header"]
    for heading in headings:
        heading.level = 1
    stage = import_module("docling.models.stages.heading_hierarchy.heading_hierarchy_model")
    options = import_module("docling.datamodel.pipeline_options").HeadingHierarchyOptions(enabled=True)
    pages = dict(import_module("docling_parse.pdf_parser").DoclingPdfParser().load(path).iterate_pages())
    stage.HeadingHierarchyModel(options).assign_heading_levels(document, parsed_pages=pages)
    rows = [{"level": h.level, "title": h.text, "page": h.prov[0].page_no} for h in headings]
    return {"headings": rows}


def _by_markers(text: str) -> Iterator[tuple[int | None, str]]:
    """The stretches of a text after the marks that name their page."""
    pieces = _MARKED.split(text)
    yield 1, pieces[0]
    for number, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        yield int(number), piece


RUN: dict[str, Callable[[str], Texts | Headings]] = {
    function.__name__: function
    for function in (
        pypdfium2,
        pdfminer,
        pymupdf4llm,
        pymupdf4llm_layout,
        kreuzberg,
        pdf_oxide,
        opendataloader,
        markitdown,
        pdf_inspector,
        docling_levels,
    )
}

if __name__ == "__main__":
    tool, source, output = sys.argv[1:]
    Path(output).write_text(json.dumps(RUN[tool](source)), encoding="utf-8")
