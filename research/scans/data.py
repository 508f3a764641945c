"""Makes scans of PDFs whose outline is known: drawn, turned, blurred, compressed."""

from __future__ import annotations

import argparse
import json
import random
import zlib
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import numpy
import pikepdf
import pypdfium2
from PIL import Image, ImageFilter

from held.corpus.sources import load_corpus_json

DPI = 200
POINTS_PER_INCH = 72
MAX_PAGES = 14
MIN_ENTRIES = 8  # of the truth, on the pages that are kept
MAX_TURN_DEGREES = 0.8
JPEG_QUALITIES = (35, 50, 70)


class Damage(NamedTuple):
    """What happens to a page on its way through the scanner."""

    turn: float  # degrees
    blur: float  # pixels
    noise: float  # standard deviation of the grey values
    jpeg: int | None  # quality; None stores black and white


def main(arguments: Sequence[str]) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(prog="research.scans make", description=__doc__)
    parser.add_argument("pdfs", type=Path, nargs="+", metavar="PDF")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--documents", type=Path, required=True, help="folder `docs` of the corpus")
    options = parser.parse_args(arguments)
    options.output.mkdir(parents=True, exist_ok=True)
    for pdf in options.pdfs:
        document = load_corpus_json(options.documents / f"{pdf.stem}.json.xz")
        make_scan(pdf, document["outline"], options.output)
    return 0


def make_scan(pdf: Path, outline: Sequence[Sequence[object]], output: Path) -> None:
    """Write NAME.pdf (the scan), NAME.digital.pdf (the same pages) and NAME.gold.json."""
    chance = random.Random(pdf.stem)
    with pikepdf.open(pdf) as original:
        count = len(original.pages)
    first, gold = _densest_pages(outline, count)
    if len(gold) < MIN_ENTRIES:
        print(f"left out, as too few entries are on its pages: {pdf.name}")
        return
    pages = range(first, min(first + MAX_PAGES, count))
    (output / f"{pdf.stem}.gold.json").write_text(json.dumps(gold, ensure_ascii=False), encoding="utf-8")
    _write_digital(pdf, pages, output / f"{pdf.stem}.digital.pdf")
    is_grey = chance.random() < 0.5
    damage = Damage(
        turn=chance.uniform(-MAX_TURN_DEGREES, MAX_TURN_DEGREES),
        blur=chance.uniform(0.0, 0.9),
        noise=chance.uniform(0.0, 14.0),
        jpeg=chance.choice(JPEG_QUALITIES) if is_grey else None,
    )
    _write_scan(pdf, pages, damage, output / f"{pdf.stem}.pdf", chance)
    print(f"{pdf.stem}: pages {pages[0] + 1}-{pages[-1] + 1}, {len(gold)} entries, {damage}")


def _densest_pages(outline: Sequence[Sequence[object]], count: int) -> tuple[int, list[list[object]]]:
    """The first of the pages with the most entries, and these as rows of level, title and page from 1."""
    entries = [
        (int(str(level)), title, int(str(page))) for level, title, page, *_ in outline if page is not None
    ]
    starts = range(0, max(1, count - MAX_PAGES + 1))
    first = max(starts, key=lambda start: sum(start <= page < start + MAX_PAGES for _, _, page in entries))
    inside = [entry for entry in entries if first <= entry[2] < first + MAX_PAGES]
    top = min((level for level, _, _ in inside), default=1)
    return first, [[level - top + 1, title, page - first + 1] for level, title, page in inside]


def _write_digital(pdf: Path, pages: range, target: Path) -> None:
    with pikepdf.open(pdf) as original, pikepdf.new() as cut:
        for index in pages:
            cut.pages.append(original.pages[index])
        cut.save(target)


def _write_scan(pdf: Path, pages: range, damage: Damage, target: Path, chance: random.Random) -> None:
    with pypdfium2.PdfDocument(pdf) as original, pikepdf.new() as scan:
        for index in pages:
            page = original[index]
            width, height = page.get_size()
            picture = page.render(scale=DPI / POINTS_PER_INCH, grayscale=True).to_pil()
            turned = damage._replace(turn=damage.turn + chance.uniform(-0.2, 0.2))
            _append_page(
                scan, damage_page(picture, turned, chance.randrange(1 << 30)), (width, height), damage
            )
        scan.save(target)


def damage_page(picture: Image.Image, damage: Damage, seed: int) -> Image.Image:
    """The page as a scanner sees it."""
    picture = picture.convert("L").rotate(damage.turn, Image.Resampling.BICUBIC, fillcolor=255)
    picture = picture.filter(ImageFilter.GaussianBlur(damage.blur))
    grey = numpy.asarray(picture, float)
    noise = numpy.random.default_rng(seed).normal(0.0, damage.noise, grey.shape)
    return Image.fromarray((grey + noise).clip(0, 255).astype(numpy.uint8))


def _append_page(scan: pikepdf.Pdf, picture: Image.Image, size: tuple[float, float], damage: Damage) -> None:
    width, height = size
    scan.add_blank_page(page_size=(width, height))
    page = scan.pages[-1]
    if damage.jpeg is not None:
        content = BytesIO()
        picture.save(content, "JPEG", quality=damage.jpeg)
        data, bits, filters = content.getvalue(), 8, pikepdf.Name.DCTDecode
    else:
        black_and_white = numpy.asarray(picture) > 140
        data = zlib.compress(numpy.packbits(black_and_white, axis=1).tobytes())
        bits, filters = 1, pikepdf.Name.FlateDecode
    image = pikepdf.Stream(scan, data)
    image.Type, image.Subtype = pikepdf.Name.XObject, pikepdf.Name.Image
    image.Width, image.Height = picture.size
    image.ColorSpace, image.BitsPerComponent, image.Filter = pikepdf.Name.DeviceGray, bits, filters
    page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Im=scan.make_indirect(image)))
    page.Contents = pikepdf.Stream(scan, f"q {width} 0 0 {height} 0 0 cm /Im Do Q".encode())
