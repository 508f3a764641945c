"""Measures the CPU seconds of recognising a page: the engine, and everything around it."""

from __future__ import annotations

import resource
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pypdfium2
from research.arguments import make_parser
from research.result_file import result_text

from held.reading.ocr.engines import ENGINES, Engine, EngineWord, load_engine
from held.reading.ocr.images import Pixels
from held.reading.ocr.worker import draw_page, read_image


class _TimedEngine:
    """An engine that adds up its CPU time, and that of the programs it starts."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.seconds = 0.0

    def recognise(
        self, image: Pixels, languages: Sequence[str], *, dots_per_inch: float
    ) -> list[list[EngineWord]]:
        before = cpu_seconds()
        found = self._engine.recognise(image, languages, dots_per_inch=dots_per_inch)
        self.seconds += cpu_seconds() - before
        return found


def cpu_seconds() -> float:
    """CPU time of this process and of the children that have ended."""
    total = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(who)
        total += usage.ru_utime + usage.ru_stime
    return total


def main(arguments: Sequence[str]) -> int:
    """Exit code of the command."""
    parser = make_parser(__doc__, prog="research.scans cost")
    parser.add_argument("pdf", type=Path, metavar="PDF")
    parser.add_argument("--engine", default="tesseract", choices=list(ENGINES))
    parser.add_argument("--languages", default="eng")
    parser.add_argument("--pages", type=int, default=8)
    parser.add_argument("--dpi", type=float, default=300.0)
    options = parser.parse_args(arguments)
    engine = _TimedEngine(load_engine(ENGINES[options.engine].factory))
    languages = options.languages.split("+")
    with pypdfium2.PdfDocument(options.pdf) as document:
        count = min(options.pages, len(document))
        with _measure_seconds() as whole:
            for index in range(count):
                image, dpi = draw_page(document, index, options.dpi, 40e6)
                read_image(image, dpi, engine, name=options.engine, languages=languages)
    around = whole[0] - engine.seconds
    result = {
        "pages": count,
        "engine seconds a page": round(engine.seconds / count, 3),
        "other seconds a page": round(around / count, 3),
        "other as a share of the engine": round(around / engine.seconds, 3),
    }
    print(result_text(result))
    return 0


@contextmanager
def _measure_seconds() -> Iterator[list[float]]:
    result: list[float] = []
    before = cpu_seconds()
    yield result
    result.append(cpu_seconds() - before)
