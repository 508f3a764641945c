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
    needs: str | None = None  # a program that pip does not bring

    def command(self, python: Path, source: Path, output: Path) -> list[str]:
        """The call for one document, which writes `output`."""
        if self.name == OURS:
            return [str(python.with_name("held")), "extract", str(source), "-o", str(output)]
        run = Path(__file__).with_name("run.py")
        return [str(python), "-I", str(run), self.name, str(source), str(output)]


def _tool(name: str, title: str, *requirements: str, environment: str = "", needs: str | None = None) -> Tool:
    return Tool(name, title, requirements, environment or name, needs)


TOOLS = (
    _tool(OURS, "held", "held"),
    _tool(WITH_LAYOUT, "PyMuPDF4LLM with layout", "pymupdf>=2", environment="pymupdf"),
    _tool("pymupdf4llm", "PyMuPDF4LLM without layout", "pymupdf>=2", environment="pymupdf"),
    _tool("opendataloader", "OpenDataLoader", "opendataloader-pdf", needs="java"),
    _tool("kreuzberg", "Kreuzberg", "kreuzberg"),
    _tool("pdf_oxide", "pdf_oxide", "pdf_oxide"),
    _tool("pdf_inspector", "pdf-inspector", "pdf-inspector"),
    _tool("markitdown", "MarkItDown", "markitdown[pdf]"),
    _tool(DOCLING, "docling's levels for held's headings", "docling-slim[format-pdf]", str(REPOSITORY)),
    _tool("pdfminer", "pdfminer.six, plain text", "pdfminer.six"),
    _tool(FLOOR, "PDFium, plain text", "pypdfium2"),
)
LEFT_OUT = {
    "unstructured": "reads no PDF without unstructured_inference, which brings PyTorch",
    "docling's own headings": "come from a layout model that it downloads from Hugging Face when first run "
    "and that no package of PyPI has; its pipeline without models finds no headings. So only its levels are "
    "measured, for headings of held, all at level 1 before",
    "marker, MinerU": "not tried: by their documentation they download models when first run",
    "GROBID": "not tried: a service, not a package of PyPI",
    "LlamaParse, PageIndex": "not tried: they send the document to a service",
}
