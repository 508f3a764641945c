"""Reads scans for `run`, and keeps what the engine answers, so that new measures of the ink need no engine.

`held` caches recognised pages with the sizes, strokes and slants of their words. After a change of these, the
engine would have to read every page again. This command keeps its answers by the hash of the image, and
writes the pages into the cache of `held` (HELD_OCR_CACHE), where `run` finds them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pypdfium2

from held.numbering.words import LANGUAGES, find_language
from held.reading.ocr.cache import VARIABLE, open_cache
from held.reading.ocr.engines import ENGINES, RAPIDOCR, TESSERACT, Engine, EngineWord, load_engine
from held.reading.ocr.images import Pixels
from held.reading.ocr.pool import RESOLUTION_DPI, Reading
from held.reading.ocr.worker import draw_page, read_image
from held.system.limits import limits

AUTO = "auto"
RAPIDOCR_LANGUAGES = ("zh", "ja")  # of `--engine auto`, as in `held`


class StoredEngine:
    """An engine whose answers are kept in a folder."""

    def __init__(self, name: str, folder: Path) -> None:
        self._name = name
        self._folder = folder / name
        self._engine: Engine | None = None

    def recognise(
        self, image: Pixels, languages: Sequence[str], *, dots_per_inch: float
    ) -> list[list[EngineWord]]:
        """What the engine reads, from the folder if it was asked before."""
        key = hashlib.sha256(image.tobytes())
        key.update(f"{image.shape} {'+'.join(languages)} {dots_per_inch}".encode())
        file = self._folder / f"{key.hexdigest()}.json"
        if file.exists():
            lines = json.loads(file.read_text(encoding="utf-8"))
            return [[EngineWord(*word) for word in line] for line in lines]
        if self._engine is None:
            self._engine = load_engine(ENGINES[self._name].factory)
        found = self._engine.recognise(image, languages, dots_per_inch=dots_per_inch)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")
        return found


def main(arguments: Sequence[str]) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(prog="research.scans read", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--answers", type=Path, required=True, metavar="DIR", help="what engines answered")
    parser.add_argument("--only", nargs="*", default=None, metavar="NAME", help="read these scans only")
    parser.add_argument("--engine", default=AUTO, choices=[AUTO, *ENGINES])
    options = parser.parse_args(arguments)
    if VARIABLE not in os.environ:
        parser.error(f"{VARIABLE} must name the cache that is filled")
    for gold in sorted(options.folder.glob("*.gold.json")):
        name = gold.name.removesuffix(".gold.json")
        if options.only is None or name in options.only:
            read_scan(options.folder / f"{name}.pdf", options.engine, options.answers)
    return 0


def read_scan(pdf: Path, engine: str, answers: Path) -> None:
    """Write the recognised pages of a scan into the cache."""
    language = find_language([heading[1] for heading in _gold(pdf)] + _digital_texts(pdf))
    if not language:
        print(f"{pdf.stem}: too little text to tell its language; `run` reads it", file=sys.stderr)
        return
    if engine == AUTO:
        engine = RAPIDOCR if language in RAPIDOCR_LANGUAGES else TESSERACT
    data = LANGUAGES[language].tesseract
    reading = Reading(engine, (data,) if engine == TESSERACT and data else ())
    cache = open_cache(pdf)
    stored = StoredEngine(engine, answers)
    with pypdfium2.PdfDocument(pdf) as document:
        for index in range(len(document)):
            image, dpi = draw_page(document, index, RESOLUTION_DPI, limits().ocr_pixels)
            page = read_image(image, dpi, stored, name=engine, languages=reading.languages)
            cache.store_page(reading.name, index, page)
    for key in (engine, f"{TESSERACT} {RAPIDOCR}"):  # the engines that may be installed
        cache.store_choice(key, engine, list(reading.languages))
    print(f"{pdf.stem}: {language}, {reading.name}", file=sys.stderr, flush=True)


def _gold(pdf: Path) -> list[tuple[int, str, int]]:
    rows: list[tuple[int, str, int]] = json.loads(pdf.with_suffix(".gold.json").read_text(encoding="utf-8"))
    return rows


def _digital_texts(pdf: Path) -> list[str]:
    """The text of the same pages born digital, by page; nothing if they are not there."""
    digital = pdf.with_suffix(".digital.pdf")
    if not digital.exists():
        return []
    with pypdfium2.PdfDocument(digital) as document:
        return [page.get_textpage().get_text_bounded() for page in document]
