"""Random pages: whatever stands on them, the layout raises nothing and loses no text.

The invariant, blanks aside: if no two runs have the same text, every printed character is in exactly one
object or furniture item. Runs with equal texts on one spot are one text painted twice and count once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from held.document import Box, Document, Kind, PageContent, Pages, Run, Style
from held.layout.recognise import recognise

STYLES = (
    Style("Body", 10.0),
    Style("Body-Bold", 10.0, bold=True),
    Style("Courier", 9.0),
    Style("Body", 20.0, italic=True),
    Style("CMMI10", 7.0),
    Style("Body", 0.0),
)
# Coordinates lie on and off a page of 600 by 800 points; some are equal, so that boxes meet and coincide.
COORDINATES = st.one_of(st.floats(-200, 1000), st.sampled_from([0.0, 72.0, 72.5, 300.0, 540.0, 800.0]))
SIZES = st.one_of(st.just(0.0), st.floats(0, 20), st.floats(0, 700))
WORDS = (
    "1",
    "2.1",
    "(3)",
    "•",
    "Table 1",
    "Figure 2",
    "Chapter",
    "the",
    "harbour",
    "=",
    "1,204",
    "港口",
    "שלום",
)
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    x0, y0 = draw(COORDINATES), draw(COORDINATES)
    return Box(x0, y0, x0 + draw(SIZES), y0 + draw(SIZES))


@st.composite
def runs(draw: st.DrawFn) -> Run:
    return Run(*draw(boxes()), draw(st.integers(0, len(STYLES) - 1)), draw(TEXTS))


CONTENTS = st.builds(
    PageContent,
    width=st.just(600.0),
    height=st.just(800.0),
    runs=st.lists(runs(), max_size=30).map(tuple),
    rules=st.lists(boxes(), max_size=30).map(tuple),
    images=st.lists(boxes(), max_size=3).map(tuple),
)
PAGES = st.lists(CONTENTS, min_size=1, max_size=3).map(lambda pages: Pages("random", STYLES, tuple(pages)))


def characters(texts: list[str]) -> Counter[str]:
    """How often each character occurs, blanks aside."""
    return Counter(character for text in texts for character in text if not character.isspace())


def recognised_texts(document: Document) -> list[str]:
    texts = []
    for item in (*document.objects, *document.furniture):
        # A contents entry has its printed page number in its row only.
        texts += [" ".join(item.rows[0])] if item.kind is Kind.CONTENTS_ENTRY else [item.text]
    return texts


def with_distinct_texts(pages: Pages) -> Pages:
    """The pages with a number at the end of each run."""
    count = 0
    content = []
    for page in pages.pages:
        numbered = []
        for run in page.runs:
            count += 1
            numbered.append(run._replace(text=f"{run.text} w{count}x"))
        content.append(replace(page, runs=tuple(numbered)))
    return replace(pages, pages=tuple(content))


@settings(max_examples=150, deadline=None)
@given(PAGES.map(with_distinct_texts))
def test_every_character_is_in_exactly_one_object_or_furniture_item(pages: Pages) -> None:
    printed = characters([run.text for page in pages.pages for run in page.runs])
    assert characters(recognised_texts(recognise(pages))) == printed


@settings(max_examples=150, deadline=None)
@given(PAGES)
def test_no_character_is_recognised_more_often_than_it_is_printed(pages: Pages) -> None:
    printed = characters([run.text for page in pages.pages for run in page.runs])
    assert characters(recognised_texts(recognise(pages))) <= printed


@settings(max_examples=100, deadline=None)
@given(runs(), st.integers(2, 3000))
def test_equal_runs_on_one_spot_are_recognised_once(run: Run, count: int) -> None:
    pages = Pages("random", STYLES, (PageContent(600.0, 800.0, runs=(run,) * count),))
    assert characters(recognised_texts(recognise(pages))) == characters([run.text])
