"""Write the sample reports and what is true of them: `python -m samples.make`.

Needs the Debian packages named in FONT_PACKAGES. The PDFs carry no bookmarks, being
samples for a tool that recovers them; `report-*.truth.json` tells every heading and every object.
"""

from __future__ import annotations

import json
import logging
import sys
import zlib
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from samples.blocks import Block, parse
from samples.canvas import write_pdf
from samples.flow import ContentsLine, Flow
from samples.fonts import Face, face_from_file, font_digests, missing_fonts
from samples.sheet import Sheet, chinese, english
from samples.slices import Book

HERE = Path(__file__).parent
FONT_PACKAGES = ("fonts-liberation", "fonts-lato", "fonts-noto-cjk")
REPORTS: dict[str, tuple[Callable[[Mapping[str, Face]], Sheet], tuple[str, ...]]] = {
    "report-en": (
        english,
        (
            "LiberationSerif",
            "LiberationSerif-Bold",
            "LiberationSerif-Italic",
            "LiberationSerif-BoldItalic",
            "Lato-Regular",
            "Lato-Bold",
        ),
    ),
    "report-zh": (
        chinese,
        ("NotoSerifCJKsc-Regular", "NotoSansCJKsc-Regular", "NotoSansCJKsc-Bold", "LiberationSerif"),
    ),
}


def make_report(name: str, folder: Path) -> None:
    """Write one report and its truth into a folder."""
    make_sheet, names = REPORTS[name]
    faces = {face: face_from_file(face) for face in names}
    sheet = make_sheet(faces)
    flow = typeset(sheet, parse((HERE / f"{name}.txt").read_text(encoding="utf-8")))
    write_pdf(
        folder / f"{name}.pdf",
        flow.canvases,
        faces,
        title=f"{sheet.company} {sheet.report}",
        front_pages=flow.front_pages,
        language="zh-CN" if sheet.chinese else "en-GB",
    )
    text = json.dumps(truth(flow, f"{name}.pdf"), ensure_ascii=False, indent=1)
    (folder / f"{name}.truth.json").write_text(text + "\n", encoding="utf-8")


def typeset(sheet: Sheet, blocks: tuple[Block, ...]) -> Flow:
    """The pages of a report, set as often as the printed contents need to have the right page numbers."""
    contents: list[ContentsLine] = []
    while True:
        flow = Flow(Book(sheet), contents)
        for block in blocks:
            flow.add(block)
        flow.finish()
        found = _contents_of(flow)
        if found == contents:
            return flow
        contents = found


def _contents_of(flow: Flow) -> list[ContentsLine]:
    records = [flow.book.records[number] for number in flow.order[flow.contents_at :]]
    deepest = flow.book.sheet.contents_levels
    headings = [r for r in records if r.kind == "heading" and r.level <= deepest and not r.run_in]
    return [ContentsLine(r.level, r.text, flow.label(r.pages[0])) for r in headings]


def truth(flow: Flow, source: str) -> dict[str, Any]:
    """Headings, objects in reading order, and furniture, as JSON.

    An object's parent is the last heading before it in reading order (for a heading: the last one of a
    higher rank), as an index into the headings; null where there is none.
    """
    headings: list[dict[str, Any]] = []
    objects: list[dict[str, Any]] = []
    branch: list[tuple[int, int]] = []  # (level, index) of the headings that are open
    for record in (flow.book.records[number] for number in flow.order):
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
        "pages": len(flow.canvases),
        "labels": [flow.label(page) for page in range(1, len(flow.canvases) + 1)],
        "headings": headings,
        "objects": objects,
        "furniture": [{"kind": f.kind, "text": f.text, "page": f.page} for f in flow.furniture],
    }


def ingredients() -> dict[str, Any]:
    """What the bytes of the PDFs depend on besides this folder's files."""
    packages = {name: version(name) for name in ("fonttools", "numpy", "pikepdf", "pyphen")}
    return {"fonts": font_digests(), "packages": packages, "zlib": zlib.ZLIB_RUNTIME_VERSION}


def main() -> None:
    """Write both reports, their truth, and what they were made with."""
    missing = missing_fonts()
    if missing:
        sys.exit(f"fonts missing: {', '.join(missing)} (apt-get install {' '.join(FONT_PACKAGES)})")
    logging.getLogger("fontTools").setLevel(logging.ERROR)  # it frets over the dates in Lato
    for name in REPORTS:
        make_report(name, HERE)
    made_with = json.dumps(ingredients(), indent=1)
    (HERE / "made-with.json").write_text(made_with + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
