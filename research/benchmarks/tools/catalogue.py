"""The tools that are compared: what to install for each, and how to call it on one document."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[3]
OURS, FLOOR, WITH_LAYOUT, DOCLING = "held", "pypdfium2", "pymupdf4llm_layout", "docling_levels"


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool. `requirements` go into the environment of this name; the first names the package."""

    name: str
    title: str
    requirements: tuple[str, ...]
    environment: str
    licence: str
    needs: str | None = None  # a program that pip does not bring

    def command(self, python: Path, source: Path, output: Path) -> list[str]:
        """The call for one document, which writes `output`."""
        if self.name == OURS:
            return [str(python.with_name("held")), "extract", str(source), "-o", str(output)]
        run = Path(__file__).with_name("run.py")
        return [str(python), "-I", str(run), self.name, str(source), str(output)]


def _tool(
    name: str,
    title: str,
    licence: str,
    *requirements: str,
    environment: str = "",
    needs: str | None = None,
) -> Tool:
    return Tool(name, title, requirements, environment or name, licence, needs)


TOOLS = (
    _tool(OURS, "held", "Apache-2.0", "held"),
    _tool(WITH_LAYOUT, "PyMuPDF4LLM with layout", "AGPL or commercial", "pymupdf>=2", environment="pymupdf"),
    _tool(
        "pymupdf4llm", "PyMuPDF4LLM without layout", "AGPL or commercial", "pymupdf>=2", environment="pymupdf"
    ),
    _tool("opendataloader", "OpenDataLoader", "Apache-2.0", "opendataloader-pdf", needs="java"),
    _tool("kreuzberg", "Kreuzberg", "MIT", "kreuzberg"),
    _tool("pdf_oxide", "pdf_oxide", "MIT or Apache-2.0", "pdf_oxide"),
    _tool("pdf_inspector", "pdf-inspector", "MIT", "pdf-inspector"),
    _tool("markitdown", "MarkItDown", "MIT", "markitdown[pdf]"),
    _tool(
        DOCLING, "docling's levels for held's headings", "MIT", "docling-slim[format-pdf]", str(REPOSITORY)
    ),
    _tool("pdfminer", "pdfminer.six, plain text", "MIT", "pdfminer.six"),
    _tool(FLOOR, "PDFium, plain text", "BSD-3-Clause, Apache-2.0", "pypdfium2"),
)
LICENCES = {tool.name: tool.licence for tool in TOOLS}
LEFT_OUT = {
    "unstructured": "cannot read a PDF without unstructured_inference, which needs PyTorch",
    "docling's own headings": "come from a layout model that docling downloads at the first run; "
    "no package on PyPI contains it. Only docling's levels are measured, for the headings of held",
    "marker, MinerU": "not tried: according to their documentation they download models at the first run",
    "GROBID": "not tried: a service, not a package on PyPI",
    "LlamaParse, PageIndex": "not tried: they send the document to a service",
}
