"""Write the sample reports and what is true of them: `make samples`.

WeasyPrint sets them from `report-*.txt`, `report-*.css` and `report.css`; its boxes tell on which pages each
object stands. Needs the extra `samples`, Pango, and the fonts of FONT_PACKAGES. The PDFs carry no bookmarks,
being samples for a tool that recovers them; `report-*.truth.json` tells every heading and every object.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import pikepdf
from samples.blocks import parse
from samples.objects import Book

HERE = Path(__file__).parent
FONT_PACKAGES = ("fonts-liberation", "fonts-lato", "fonts-noto-cjk")


class Report(NamedTuple):
    """What tells one report from another, beside its text and its style sheet."""

    title: str
    language: str
    contents_levels: int
    fonts: tuple[str, ...]


REPORTS = {
    "report-en": Report(
        "Lanchuan Instruments Limited Annual Report 2025", "en-GB", 3, ("Liberation Serif", "Lato")
    ),
    "report-zh": Report(
        "澜川仪器股份有限公司 2025年年度报告",
        "zh-CN",
        2,
        ("Noto Serif CJK SC", "Noto Sans CJK SC", "Liberation Serif"),
    ),
}


class Furniture(NamedTuple):
    """A running head or page number."""

    kind: str
    text: str
    page: int


def make_report(name: str, folder: Path) -> None:
    """Write one report and its truth into a folder."""
    report = REPORTS[name]
    book = Book(chinese=report.language == "zh-CN", contents_levels=report.contents_levels)
    book.add(parse((HERE / f"{name}.txt").read_text(encoding="utf-8")))
    document = _typeset(name, report, book)
    _note_pages(book, document.pages)
    labels = _labels(book, len(document.pages))
    for record in book.records:
        if record.heading:
            record.text += f" {labels[record.heading.pages[0] - 1]}"
    _write_pdf(folder / f"{name}.pdf", document, front=labels.index("1"))
    told = truth(book, f"{name}.pdf", labels, list(_furniture(document.pages)))
    text = json.dumps(told, ensure_ascii=False, indent=1)
    (folder / f"{name}.truth.json").write_text(text + "\n", encoding="utf-8")


def _typeset(name: str, report: Report, book: Book) -> Any:
    """The pages that WeasyPrint makes of a book."""
    from weasyprint import CSS, HTML

    head = f'<html lang="{report.language}"><head><title>{report.title}</title></head>'
    page = HTML(string=f"{head}<body>{book.html()}</body></html>")
    return page.render(stylesheets=[CSS(HERE / f"{name}.css"), CSS(HERE / "report.css")])


def _note_pages(book: Book, pages: Sequence[Any]) -> None:
    """Tells each record the pages on which the boxes of its element are."""
    for number, page in enumerate(pages, start=1):
        for box in page._page_box.descendants():
            element = getattr(box, "element", None)
            id = None if element is None else element.get("id")
            if id and number not in (found := book.records[int(id[1:])].pages):
                found.append(number)


def _labels(book: Book, count: int) -> list[str]:
    """The printed number of each page: roman up to the main matter, which begins with 1."""
    front = min(record.pages[0] for record in book.records if not record.in_front) - 1
    return [_roman(page) if page <= front else str(page - front) for page in range(1, count + 1)]


def _roman(number: int) -> str:
    text = ""
    for value, letters in ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")):
        while number >= value:
            text += letters
            number -= value
    return text


def _furniture(pages: Sequence[Any]) -> Iterator[Furniture]:
    """What stands in the margins of the pages."""
    for number, page in enumerate(pages, start=1):
        for box in page._page_box.children:
            at = getattr(box, "at_keyword", "")
            text = "".join(inner.text for inner in _texts(box)) if at.startswith("@") else ""
            if text.strip():
                kind = "header" if at.startswith("@top") else "page_number"
                yield Furniture(kind, text.strip(), number)


def _texts(box: Any) -> Iterator[Any]:
    return (inner for inner in box.descendants() if hasattr(inner, "text"))


def _write_pdf(path: Path, document: Any, *, front: int) -> None:
    """The PDF with labels of its pages, without bookmarks, the same bytes each time."""
    written = BytesIO()
    document.write_pdf(written, pdf_identifier=path.stem.encode())
    with pikepdf.open(written) as pdf:
        ranges = [0, pikepdf.Dictionary(S=pikepdf.Name.r), front, pikepdf.Dictionary(S=pikepdf.Name.D)]
        pdf.Root.PageLabels = pikepdf.Dictionary(Nums=pikepdf.Array(ranges))
        pdf.save(
            path,
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
            compress_streams=True,
            recompress_flate=True,
            deterministic_id=True,
        )


def truth(book: Book, source: str, labels: list[str], furniture: list[Furniture]) -> dict[str, Any]:
    """Headings, objects in reading order, and furniture, as JSON.

    An object's parent is the last heading before it in reading order (for a heading: the last one of a
    higher rank), as an index into the headings; null where there is none.
    """
    headings: list[dict[str, Any]] = []
    objects: list[dict[str, Any]] = []
    branch: list[tuple[int, int]] = []  # (level, index) of the headings that are open
    for record in (book.records[number] for number in book.order):
        entry: dict[str, Any] = {"kind": record.kind, "text": record.text, "pages": record.pages}
        if record.kind == "heading":
            branch = [item for item in branch if item[0] < record.level]
        entry["parent"] = branch[-1][1] if branch else None
        if record.rows:
            entry["rows"] = record.rows
        if record.kind == "heading":
            entry["heading"] = len(headings)
            branch.append((record.level, len(headings)))
            headings.append({"level": record.level, "text": record.text, "page": record.pages[0]})
        objects.append(entry)
    return {
        "source": source,
        "pages": len(labels),
        "labels": labels,
        "headings": headings,
        "objects": objects,
        "furniture": [one._asdict() for one in furniture],
    }


def missing_fonts() -> list[str]:
    """The families that the reports are set in and that are not installed."""
    wanted = sorted({font for report in REPORTS.values() for font in report.fonts})
    listed = subprocess.run(["fc-list", ":", "family"], capture_output=True, text=True, check=True).stdout
    return [font for font in wanted if font not in listed]


def ingredients() -> dict[str, str]:
    """What the bytes of the PDFs depend on besides this folder's files and the fonts."""
    return {
        name: version(name) for name in ("weasyprint", "pydyf", "fonttools", "pikepdf", "pillow", "pyphen")
    }


def main() -> None:
    """Write both reports, their truth, and what they were made with."""
    missing = missing_fonts()
    if missing:
        sys.exit(f"fonts missing: {', '.join(missing)} (apt-get install {' '.join(FONT_PACKAGES)})")
    for name in REPORTS:
        make_report(name, HERE)
    made_with = json.dumps(ingredients(), indent=1)
    (HERE / "made-with.json").write_text(made_with + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
