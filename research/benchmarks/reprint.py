"""Prints documents of the corpus as PDFs again, for tools that read PDFs, where no original is kept.

Every run of text stands where it stood, in its size, colour, weight and slant; the typefaces are Liberation's
(and a standard Chinese one), each run stretched to its width. Rules are drawn and images become grey boxes.

    python -m research.benchmarks.reprint en_fin-108157ed -o out/reprinted
"""

from __future__ import annotations

import argparse
import os
import re
import unicodedata
from pathlib import Path
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from held.corpus.sources import load_corpus_json

FONTS = Path(os.environ.get("HELD_FONTS", "/usr/share/fonts/truetype/liberation"))
CHINESE = "STSong-Light"  # one of the fonts that PDF viewers bring; it needs no file
UNITS = 10.0  # the corpus counts tenths of a point
DESCENT = 0.22  # of the size: how far the box of a run reaches below its baseline
STROKED = 2  # the text render mode that emboldens by stroking
HAIRLINE = 0.5
THIN = 2.0  # points: a box thinner than this is a line
_SERIF = re.compile(
    r"times|serif|roman|garamond|minion|georgia|palatino|cmr|caslon|baskerville|song|sun", re.I
)
_MONO = re.compile(r"courier|mono|consolas|cmtt|typewriter", re.I)


def reprint(document: dict[str, Any], path: Path) -> None:
    """Write the stored pages of a corpus document as a PDF without bookmarks."""
    _register_fonts()
    canvas = Canvas(str(path), pageCompression=1)
    for page in document["pages"]:
        height = page["h"]
        canvas.setPageSize((page["w"], height))
        for box in page["images"]:
            _draw_box(canvas, box, height, grey=True)
        for box in page["rules"]:
            _draw_box(canvas, box, height, grey=False)
        for run in page["runs"]:
            _draw_run(canvas, run, document["styles"], height)
        canvas.showPage()
    canvas.save()


def _register_fonts() -> None:
    if CHINESE in pdfmetrics.getRegisteredFontNames():
        return
    pdfmetrics.registerFont(UnicodeCIDFont(CHINESE))
    for family in ("Sans", "Serif", "Mono"):
        for weight in ("Regular", "Bold", "Italic", "BoldItalic"):
            name = f"Liberation{family}-{weight}"
            pdfmetrics.registerFont(TTFont(name, FONTS / f"{name}.ttf"))


def _draw_box(canvas: Canvas, box: list[float], height: float, *, grey: bool) -> None:
    x0, y0, x1, y1 = (value / UNITS for value in box)
    canvas.setLineWidth(HAIRLINE)
    canvas.setStrokeColor(HexColor("#000000"))
    if grey:
        canvas.setFillColor(HexColor("#dddddd"))
        canvas.rect(x0, height - y1, x1 - x0, y1 - y0, stroke=0, fill=1)
    elif y1 - y0 < THIN:
        middle = height - (y0 + y1) / 2
        canvas.line(x0, middle, x1, middle)
    elif x1 - x0 < THIN:
        middle = (x0 + x1) / 2
        canvas.line(middle, height - y0, middle, height - y1)
    else:
        canvas.rect(x0, height - y1, x1 - x0, y1 - y0, stroke=1, fill=0)


def _draw_run(canvas: Canvas, run: list[Any], styles: list[list[Any]], height: float) -> None:
    x0, _, x1, y1, style, text = run
    font, size, colour, bold, italic, mode, upright = styles[style]
    visible = "".join(c for c in text if unicodedata.category(c) != "Cs")
    if not upright or not visible.strip() or size <= 0:
        return  # turned text is furniture of figures and margins
    chinese = any(ord(c) >= 0x2E80 for c in visible)
    name = CHINESE if chinese else _typeface(font, bold=bool(bold), italic=bool(italic))
    width = pdfmetrics.stringWidth(visible, name, size)
    line = canvas.beginText(x0 / UNITS, height - y1 / UNITS + DESCENT * size)
    line.setFont(name, size)
    line.setFillColor(HexColor(f"#{colour}"))
    if width > 0 and x1 > x0:
        line.setHorizScale(100 * (x1 - x0) / UNITS / width)
    is_stroked = mode == STROKED or (chinese and bold)
    line.setTextRenderMode(2 if is_stroked else 0)
    line.textOut(visible)
    canvas.drawText(line)


def _typeface(font: str, *, bold: bool, italic: bool) -> str:
    family = "Mono" if _MONO.search(font) else "Serif" if _SERIF.search(font) else "Sans"
    weight = ("Bold" if bold else "") + ("Italic" if italic else "")
    return f"Liberation{family}-{weight or 'Regular'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("ids", nargs="+", help="ids of corpus documents")
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder of the PDFs")
    settings = parser.parse_args()
    corpus = Path(os.environ["HELD_CORPUS"])
    settings.output.mkdir(parents=True, exist_ok=True)
    for name in settings.ids:
        document = load_corpus_json(corpus / "docs" / f"{name}.json.xz")
        reprint(document, settings.output / f"{name}.pdf")
        print(settings.output / f"{name}.pdf")


if __name__ == "__main__":
    main()
