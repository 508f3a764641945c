"""The scans that are judged: made from PDFs with bookmarks, or given with the pages they come from.

A scan NAME has three files: NAME.pdf, NAME.gold.json (rows of level, title and page, from 1) and the same
pages born digital, NAME.digital.pdf or NAME.digital.json.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import zlib
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import numpy
import pikepdf
import pypdfium2
from PIL import Image, ImageFilter

from held.corpus.sources import CORPUS_SUFFIX, read_corpus_document
from held.document import Pages
from held.document_json import pages_to_json
from held.reading.read_pdf import read_pdf
from held.reading.text_checks import OcrOptions
from held.system.bounded_json import encode_json

RESOLUTIONS = (150, 200, 300)  # dots per inch
POINTS_PER_INCH = 72
DEFAULT_PAGES = 14
MIN_ENTRIES = 8  # of the truth, on the pages that are kept
MAX_TURN_DEGREES = 0.8
MAX_PAGE_TURN_DEGREES = 0.2  # of a page against the others
JPEG_QUALITIES = (35, 50, 70)
BLACK = 140  # grey values below are ink in black and white
MISREAD = dict(zip("leotSniBar", "1c0f5ul8on", strict=True))  # of a text layer
MISREAD_SHARE = 0.015  # of these characters
DESCENT = 0.22  # of the font size, below the baseline


class Damage(NamedTuple):
    """What happens to a page on its way through the scanner."""

    turn: float  # degrees
    blur: float  # pixels
    noise: float  # standard deviation of the grey values
    jpeg: int | None  # quality; None stores black and white
    dpi: int


class Entry(NamedTuple):
    """A bookmark: level and page from 1."""

    level: int
    title: str
    page: int


def make_main(arguments: Sequence[str]) -> int:
    """Exit code of `make`: makes scans of PDFs with bookmarks."""
    parser = _parser("make", "Makes scans of PDFs with bookmarks: drawn, turned, blurred, compressed.")
    parser.add_argument("pdfs", type=Path, nargs="+", metavar="PDF")
    parser.add_argument("--pages", type=int, default=DEFAULT_PAGES, help="of each scan at most")
    parser.add_argument("--layer", action="store_true", help="add a text layer with misread characters")
    options = parser.parse_args(arguments)
    options.output.mkdir(parents=True, exist_ok=True)
    for pdf in options.pdfs:
        make_scan(pdf, options.output, max_pages=options.pages, layer=options.layer)
    return 0


def link_main(arguments: Sequence[str]) -> int:
    """Exit code of `link`: links scans that exist, with the original pages of the corpus beside them."""
    parser = _parser("link", "Links scans with index.jsonl, and writes their original pages beside them.")
    parser.add_argument("scans", type=Path, metavar="FOLDER")
    parser.add_argument("--documents", type=Path, required=True, help="folder `docs` of the corpus")
    options = parser.parse_args(arguments)
    options.output.mkdir(parents=True, exist_ok=True)
    for line in (options.scans / "index.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        for file in options.scans.glob(f"{row['id']}.*"):
            link = options.output / file.name
            link.unlink(missing_ok=True)
            link.symlink_to(file.resolve())
        original = options.documents / f"{Path(row['from']).name.removesuffix('.pdf')}{CORPUS_SUFFIX}"
        if original.exists():
            _write_corpus_pages(original, row["pages"], options.output / f"{row['id']}.digital.json")
    return 0


def _parser(command: str, description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"research.scans {command}", description=description)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER")
    return parser


def _write_corpus_pages(original: Path, numbers: Sequence[int], target: Path) -> None:
    """Write a range of a document's pages, which become the pages from 1, without its outline."""
    first, last = numbers
    pages = read_corpus_document(original)
    cut = replace(pages, pages=pages.pages[first - 1 : last], outline=())
    target.write_bytes(encode_json(pages_to_json(cut)))


# --- making scans ---


def make_scan(pdf: Path, output: Path, *, max_pages: int, layer: bool = False) -> None:
    """Write the scan of the pages of a PDF that have the most bookmarks, with a text layer or without."""
    chance = random.Random(pdf.stem)
    with pypdfium2.PdfDocument(pdf) as original:
        count = len(original)
        entries = bookmarks(original)
    first, gold = densest_pages(entries, count, max_pages)
    if len(gold) < MIN_ENTRIES:
        print(f"left out, as too few entries are on its pages: {pdf.name}")
        return
    pages = range(first - 1, min(first - 1 + max_pages, count))
    (output / f"{pdf.stem}.gold.json").write_text(json.dumps(gold, ensure_ascii=False), encoding="utf-8")
    digital = output / f"{pdf.stem}.digital.pdf"
    _write_digital(pdf, pages, digital)
    is_grey = chance.random() < 0.5
    damage = Damage(
        turn=chance.uniform(-MAX_TURN_DEGREES, MAX_TURN_DEGREES),
        blur=chance.uniform(0.0, 0.9),
        noise=chance.uniform(0.0, 14.0),
        jpeg=chance.choice(JPEG_QUALITIES) if is_grey else None,
        dpi=chance.choice(RESOLUTIONS),
    )
    texts = read_pdf(digital, ocr=OcrOptions("never")) if layer else None
    _write_scan(pdf, pages, damage, output / f"{pdf.stem}.pdf", chance, texts=texts)
    print(f"{pdf.stem}: pages {pages[0] + 1}-{pages[-1] + 1}, {len(gold)} entries, {damage}")


def bookmarks(document: pypdfium2.PdfDocument) -> list[Entry]:
    """The bookmarks that lead to a page."""
    entries = []
    for item in document.get_toc():
        target = item.get_dest()
        page = target.get_index() if target is not None else None
        if page is not None:
            entries.append(Entry(item.level + 1, single_title(item.get_title()), page + 1))
    return entries


def single_title(title: str) -> str:
    """The title once, if it is there twice: Chromium doubles the titles at the top of a page."""
    half = title[: len(title) // 2]
    return half if half and title == half * 2 else title


def densest_pages(entries: Sequence[Entry], count: int, max_pages: int) -> tuple[int, list[Entry]]:
    """The first of the pages with the most entries, and these, with levels and pages from 1."""
    starts = range(1, max(1, count - max_pages + 1) + 1)
    first = max(starts, key=lambda start: sum(start <= entry.page < start + max_pages for entry in entries))
    inside = [entry for entry in entries if first <= entry.page < first + max_pages]
    top = min((entry.level for entry in inside), default=1)
    return first, [Entry(level - top + 1, title, page - first + 1) for level, title, page in inside]


def _write_digital(pdf: Path, pages: range, target: Path) -> None:
    """Write some pages of a PDF, without its bookmarks."""
    with pikepdf.open(pdf) as original, pikepdf.new() as cut:
        for index in pages:
            cut.pages.append(original.pages[index])
        cut.save(target)


def _write_scan(
    pdf: Path,
    pages: range,
    damage: Damage,
    target: Path,
    chance: random.Random,
    *,
    texts: Pages | None = None,
) -> None:
    with pypdfium2.PdfDocument(pdf) as original, pikepdf.new() as scan:
        for number, index in enumerate(pages):
            page = original[index]
            picture = page.render(scale=damage.dpi / POINTS_PER_INCH, grayscale=True).to_pil()
            turn = damage.turn + chance.uniform(-MAX_PAGE_TURN_DEGREES, MAX_PAGE_TURN_DEGREES)
            damaged = damage_page(picture, damage._replace(turn=turn), chance.randrange(1 << 30))
            append_picture(scan, damaged, page.get_size(), jpeg=damage.jpeg)
            if texts is not None:
                append_layer(scan, texts, number, turn, chance)
        scan.save(target)


def damage_page(picture: Image.Image, damage: Damage, seed: int) -> Image.Image:
    """The page as a scanner sees it."""
    picture = picture.convert("L").rotate(damage.turn, Image.Resampling.BICUBIC, fillcolor=255)
    picture = picture.filter(ImageFilter.GaussianBlur(damage.blur))
    grey = numpy.asarray(picture, float)
    noise = numpy.random.default_rng(seed).normal(0.0, damage.noise, grey.shape)
    return Image.fromarray((grey + noise).clip(0, 255).astype(numpy.uint8))


def append_picture(
    scan: pikepdf.Pdf, picture: Image.Image, size: tuple[float, float], *, jpeg: int | None
) -> None:
    """Append a page that shows a grey picture: as JPEG of this quality, or else in black and white."""
    width, height = size
    scan.add_blank_page(page_size=(width, height))
    page = scan.pages[-1]
    if jpeg is not None:
        content = BytesIO()
        picture.save(content, "JPEG", quality=jpeg)
        data, bits, filters = content.getvalue(), 8, pikepdf.Name.DCTDecode
    else:
        black_and_white = numpy.asarray(picture) > BLACK
        data = zlib.compress(numpy.packbits(black_and_white, axis=1).tobytes())
        bits, filters = 1, pikepdf.Name.FlateDecode
    image = pikepdf.Stream(scan, data)
    image.Type, image.Subtype = pikepdf.Name.XObject, pikepdf.Name.Image
    image.Width, image.Height = picture.size
    image.ColorSpace, image.BitsPerComponent, image.Filter = pikepdf.Name.DeviceGray, bits, filters
    page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Im=scan.make_indirect(image)))
    page.Contents = pikepdf.Stream(scan, f"q {width} 0 0 {height} 0 0 cm /Im Do Q".encode())


def append_layer(scan: pikepdf.Pdf, texts: Pages, number: int, turn: float, chance: random.Random) -> None:
    """Write the text of a page invisibly onto the last page of a scan, with misread characters.

    As in many such layers, each run is set in one font, so that it ends before or behind the printed text.
    """
    page, content = scan.pages[-1], texts.pages[number]
    font = pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name.Type1,
        BaseFont=pikepdf.Name.Helvetica,
        Encoding=pikepdf.Name.WinAnsiEncoding,
    )
    page.Resources.Font = pikepdf.Dictionary(F=scan.make_indirect(font))
    angle = math.radians(turn)
    cosine, sine = math.cos(angle), math.sin(angle)
    middle_x, middle_y = content.width / 2, content.height / 2
    operators = []
    for run in content.runs:
        size = texts.styles[run.style].size
        if not texts.styles[run.style].upright:  # labels of axes
            continue
        x, y = run.x0 - middle_x, middle_y - (run.y1 - DESCENT * size)
        placed = (x * cosine - y * sine + middle_x, x * sine + y * cosine + middle_y)
        matrix = " ".join(f"{value:.4f}" for value in (cosine, sine, -sine, cosine, *placed))
        read = "".join(
            MISREAD.get(character, character) if chance.random() < MISREAD_SHARE else character
            for character in run.text
        )
        shown = read.encode("cp1252", "replace").hex()
        operators.append(f"BT 3 Tr /F {size:.2f} Tf {matrix} Tm <{shown}> Tj ET")
    page.contents_add("\n".join(operators).encode())
