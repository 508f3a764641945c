"""The process that draws pages and reads their text: PDFium, numpy and the engine, in the sandbox.

It may start programs, because Tesseract is one; what it starts inherits the sandbox. Requests name a page
and what to do with it: `check` tells whether it looks like text, `read` returns the text, and `measure`
returns the given words with the measures of their ink.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby
from typing import Any

import numpy
import pypdfium2

from held.document import Box
from held.reading.ocr.engines import RAPIDOCR, Engine, EngineError, EngineTimeout, EngineWord, load_engine
from held.reading.ocr.images import (
    Ink,
    PixelBox,
    Pixels,
    estimate_skew,
    find_ink,
    find_line_box,
    find_pictures,
    find_rules,
    looks_like_text,
    measure_ink,
    normalise_levels,
    straighten,
)
from held.reading.ocr.orientation import find_turn, is_upright, turn_image
from held.reading.ocr.page_text import RecognisedPage, RecognisedWord, page_to_json
from held.reading.ocr.styles import text_extent
from held.system.worker_main import OUT_OF_TIME, Connection

POINTS_PER_INCH = 72
CHECK_DPI = 100
MIN_DPI = 50.0  # a page of several square metres is drawn no coarser
MIN_TEXT_CONFIDENCE = 0.5  # of a word; engines take parts of pictures for words with less
MAX_CLIMB_SHARE = 0.7  # of the height of a run's box in a text layer
LAYER = "layer"  # the engine of pages whose text was there before
OPENED, FAILED, DONE = "opened", "failed", "done"


def serve(connection: Connection) -> None:
    """Open the files that the parent names, and answer requests for their pages until None arrives."""
    while True:
        (path, password), _ = connection.receive()
        try:
            document = pypdfium2.PdfDocument(path, password=password)
        except pypdfium2.PdfiumError as error:
            connection.send((FAILED, f"cannot be opened: {error}"))
            continue
        with document:
            document.init_forms()
            connection.send((OPENED, connection.sandbox_failure))
            _answer_requests(connection, document)


def _answer_requests(connection: Connection, document: pypdfium2.PdfDocument) -> None:
    while True:
        request, _ = connection.receive()
        if request is None:
            return
        try:
            connection.send((DONE, _answer(document, request)))
        except EngineError as error:
            connection.send((FAILED, str(error)))
        except EngineTimeout:
            os._exit(OUT_OF_TIME)
        except pypdfium2.PdfiumError:
            connection.send((FAILED, "cannot be drawn"))


def _answer(document: pypdfium2.PdfDocument, request: Any) -> Any:
    index, max_pixels = request["page"], request["pixels"]
    if request["do"] == "check":
        image, dpi = draw_page(document, index, CHECK_DPI, max_pixels)
        return looks_like_text(image, dpi)
    image, dpi = draw_page(document, index, request["dpi"], max_pixels)
    if request["do"] == "measure":
        return page_to_json(measure_layer(image, dpi, request["lines"]))
    engine = _engine(request["engine"])
    page = read_image(image, dpi, engine, name=request["name"], languages=request["languages"])
    return page_to_json(page)


@cache
def _engine(factory: str) -> Engine:
    return load_engine(factory)


def draw_page(
    document: pypdfium2.PdfDocument, index: int, dpi: float, max_pixels: float
) -> tuple[Pixels, float]:
    """A page as a grey image with the levels of black ink on white paper, and its resolution."""
    page = document[index]
    width, height = page.get_size()
    square_inches = width * height / POINTS_PER_INCH**2
    dpi = max(MIN_DPI, min(dpi, (max_pixels / square_inches) ** 0.5))
    if square_inches * dpi**2 > 2 * max_pixels:
        raise EngineError("is too large to be drawn")
    image: Pixels = page.render(scale=dpi / POINTS_PER_INCH, grayscale=True).to_numpy()
    return normalise_levels(numpy.ascontiguousarray(image.reshape(image.shape[:2]))), dpi


def read_image(
    image: Pixels, dpi: float, engine: Engine, *, name: str, languages: Sequence[str]
) -> RecognisedPage:
    """The text of a page's image, with the boxes and strokes of its ink.

    A page that lies on its side or upside down is turned.
    """

    def read(image: Pixels) -> list[list[EngineWord]]:
        return engine.recognise(image, languages, dots_per_inch=dpi)

    straight, skew = _straighten(image)
    found = read(straight)
    turn = 0
    if not is_upright(found) and _may_be_text(image, dpi):
        turn = find_turn(image, dpi, found, lambda part: read(_straighten(part)[0]))
    if turn:
        straight, skew = _straighten(turn_image(image, turn))
        found = read(straight)
    ink = find_ink(straight)
    if name == RAPIDOCR:
        found = fit_rows(found, ink)
    ruled = find_rules(ink, dpi / POINTS_PER_INCH)
    page = _measure_page(straight, dpi, found, ink=ink, ruled=ruled, skew=skew, name=name)
    return replace(page, turn=turn)


def _straighten(image: Pixels) -> tuple[Pixels, float]:
    """The image with its lines horizontal, and the slope that they had."""
    skew = estimate_skew(find_ink(image))
    return straighten(image, skew), skew


def _may_be_text(image: Pixels, dpi: float) -> bool:
    """Whether an image has lines of text, across or down the page."""
    return looks_like_text(image, dpi) or looks_like_text(image.T, dpi)


def measure_layer(image: Pixels, dpi: float, lines: Sequence[Sequence[Sequence[Any]]]) -> RecognisedPage:
    """The words of a text layer (`pool.LayerWord`) with their ink measured."""
    image, skew = _straighten(image)
    pixels_per_point = dpi / POINTS_PER_INCH
    middle = image.shape[1] / pixels_per_point / 2
    split = [[list(run) for _, run in groupby(line, key=lambda word: word[5:])] for line in lines]
    straight = [[_straight_run(run, skew, middle, pixels_per_point) for run in line] for line in split]
    ink = find_ink(image)
    ruled = find_rules(ink, pixels_per_point)
    fitted = iter(fit_runs([run for line in straight for run in line], ink))
    found = [[word for _ in line for word in next(fitted)] for line in straight]
    return _measure_page(image, dpi, found, ink=ink, ruled=ruled, skew=skew, name=LAYER)


def _straight_run(
    words: Sequence[Sequence[Any]], skew: float, middle: float, pixels_per_point: float
) -> list[EngineWord]:
    """The words of a run of a text layer on the straightened page, in pixels; `middle` is that of the page.

    The box of a run that lies askew is higher than its words: they climb from one of its edges to the other.
    By now the page is straight, and so are they.
    """
    straight = []
    for x0, y0, x1, y1, text, run_x0, run_x1 in words:
        climb = min(abs(skew) * (run_x1 - run_x0), MAX_CLIMB_SHARE * (y1 - y0))
        run_middle = (y0 + y1) / 2 - skew * ((run_x0 + run_x1) / 2 - middle)
        half = (y1 - y0 - climb) / 2
        left, right = x0 * pixels_per_point, x1 * pixels_per_point
        top, bottom = (run_middle - half) * pixels_per_point, (run_middle + half) * pixels_per_point
        straight.append(EngineWord(left, top, right, bottom, text, 1.0))
    return straight


def fit_runs(runs: Sequence[list[EngineWord]], ink: Ink) -> list[list[EngineWord]]:
    """The words of runs of a text layer, with boxes that fit the ink of their lines.

    Many programs set each line of a layer in a font of its own, narrower or lower than the printed one.
    """
    fitted = []
    for run in runs:
        left, right = run[0].x0, run[-1].x1
        top, bottom = run[0].y0, run[0].y1
        beside = [
            other[0].x0
            for other in runs
            if other[0].x0 > left and other[0].y0 < (top + bottom) / 2 < other[0].y1
        ]
        box = PixelBox(*(max(0, round(side)) for side in (left, top, right, bottom)))
        line = find_line_box(ink, box, limit=round(min(beside, default=ink.shape[1])))
        if line is not None and right > left:
            scale = (line.x1 - line.x0) / (right - left)
            run = [
                word._replace(
                    x0=line.x0 + (word.x0 - left) * scale,
                    y0=line.y0,
                    x1=line.x0 + (word.x1 - left) * scale,
                    y1=line.y1,
                )
                for word in run
            ]
        fitted.append(run)
    return fitted


def fit_rows(lines: Sequence[list[EngineWord]], ink: Ink) -> list[list[EngineWord]]:
    """The words of lines with boxes as high as the ink of their lines; RapidOCR's boxes cut characters."""
    fitted = []
    for line in lines:
        sides = line[0].x0, line[0].y0, line[-1].x1, line[0].y1
        box = PixelBox(*(max(0, round(side)) for side in sides))
        rows = find_line_box(ink, box, limit=box.x1)
        fitted.append([word._replace(y0=rows.y0, y1=rows.y1) for word in line] if rows else line)
    return fitted


def _measure_page(
    image: Pixels,
    dpi: float,
    found: Sequence[Sequence[EngineWord]],
    *,
    ink: Ink,
    ruled: list[PixelBox],
    skew: float,
    name: str,
) -> RecognisedPage:
    """The words with the boxes and strokes of their ink, and the rules and pictures of the page."""
    pixels_per_point = dpi / POINTS_PER_INCH
    lines = []
    text_boxes = []
    for line in found:
        words = []
        for word in line:
            descends = text_extent(word.text).bottom > 0
            measure = measure_ink(image, ink, _pixel_box(word, image), descends=descends)
            if measure is None:
                continue
            x0, y0, x1, y1 = (side / pixels_per_point for side in measure.box)
            stroke = measure.stroke / pixels_per_point
            words.append(RecognisedWord(x0, y0, x1, y1, word.text, word.confidence, stroke, measure.slant))
            if word.confidence >= MIN_TEXT_CONFIDENCE:
                text_boxes.append(measure.box)
            if measure.underline is not None and not _is_ruled(measure.underline, ruled):
                ruled.append(measure.underline)
        lines.append(tuple(words))
    rules = [Box(*(side / pixels_per_point for side in box)) for box in ruled]
    drawn = find_pictures(image, ink, text_boxes, ruled, pixels_per_point)
    pictures = tuple(Box(*(side / pixels_per_point for side in box)) for box in drawn)
    height, width = (side / pixels_per_point for side in image.shape)
    kept = tuple(line for line in lines if line)
    return RecognisedPage(width, height, skew, name, kept, tuple(rules), pictures=pictures)


def _pixel_box(word: EngineWord, image: Pixels) -> PixelBox:
    """The box of a word in whole pixels within the image."""
    height, width = image.shape
    return PixelBox(
        max(0, int(word.x0)),
        max(0, int(word.y0)),
        min(width, int(word.x1) + 1),
        min(height, int(word.y1) + 1),
    )


def _is_ruled(line: PixelBox, ruled: Sequence[PixelBox]) -> bool:
    """Whether a rule was found where a line is."""
    return any(
        rule.x0 < line.x1 and line.x0 < rule.x1 and rule.y0 <= line.y1 and line.y0 <= rule.y1
        for rule in ruled
    )
