"""For the originals in the corpus, our reader sees what the stored documents hold, run by run."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from held.corpus.sources import read_corpus_document
from held.document import Box, PageContent, Pages, Style
from held.reading.letter_spacing import LETTER_SPACED
from held.reading.read_pdf import read_pdf

CORPUS = Path(os.environ.get("HELD_CORPUS", Path(__file__).parents[3] / "shared" / "corpus"))
ORIGINALS = sorted((CORPUS / "pdfs").glob("*.pdf"))
PAGES = 16  # of each file at most, from its middle
LOST_GLYPH = re.compile("[\0\ufffd]")  # mapped to U+0000 by the file; stored as a hyphen, or not at all
LEAST_SHARE = 0.995

Piece = tuple[Box, Style, str]

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(not ORIGINALS, reason="needs the originals of the corpus: set HELD_CORPUS"),
]


def both(original: Path) -> tuple[Pages, Pages]:
    """Some pages as our reader sees them and as they are stored."""
    stored = read_corpus_document(CORPUS / "docs" / f"{original.stem}.json.xz")
    first = max(1, len(stored.pages) // 2 - PAGES // 2)
    numbers = range(first, min(first + PAGES, len(stored.pages) + 1))
    ours = read_pdf(original, pages=numbers, jobs=0)
    return ours, Pages(stored.source, stored.styles, stored.pages[first - 1 : numbers[-1]])


def pieces(pages: Pages, page: PageContent) -> list[Piece]:
    return [(Box(*run[:4]), pages.styles[run.style], run.text) for run in page.runs]


def lost_glyphs(page: PageContent) -> int:
    return sum(len(LOST_GLYPH.findall(run.text)) for run in page.runs)


def is_near(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(abs(a - b) <= 1 for a, b in zip(one, other, strict=True))


def agreeing_characters(ours: list[Piece], stored: list[Piece]) -> int:
    """How many stored characters are in a run that we have at the same place of the order."""
    return sum(
        len(text)
        for (box, style, text), (our_box, our_style, our_text) in zip(stored, ours, strict=False)
        if is_same_text(text, our_text) and style == our_style and is_near(box, our_box)
    )


def is_same_text(stored: str, ours: str) -> bool:
    """Whether two texts are equal; the stored ones have spaces between letter-spaced letters."""
    if LETTER_SPACED.search(stored):
        return stored.replace(" ", "") == ours.replace(" ", "")
    return stored == ours


@pytest.mark.parametrize("original", ORIGINALS, ids=lambda path: path.stem)
def test_runs_rules_and_images_are_those_of_the_stored_document(original: Path) -> None:
    ours, stored = both(original)
    agreeing = total = boxes = same_boxes = 0
    for our_page, page in zip(ours.pages, stored.pages, strict=True):
        assert (our_page.width, our_page.height, our_page.rotation) == (
            page.width,
            page.height,
            page.rotation,
        )
        if lost_glyphs(our_page) == lost_glyphs(page):
            agreeing += agreeing_characters(pieces(ours, our_page), pieces(stored, page))
            total += sum(len(run.text) for run in page.runs)
        for our_boxes, stored_boxes in ((our_page.rules, page.rules), (our_page.images, page.images)):
            boxes += max(len(our_boxes), len(stored_boxes))
            same_boxes += sum(any(is_near(box, ours) for ours in our_boxes) for box in stored_boxes)
    assert total > 0
    assert agreeing >= LEAST_SHARE * total
    assert same_boxes >= LEAST_SHARE * boxes
