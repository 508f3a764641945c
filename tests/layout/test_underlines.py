"""Which texts have a stroke below them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.document import Box, Kind, PageContent, PageRegion, PhysicalObject, Style
from held.layout.rows import mark_underlined, thin_strokes

LINE = 12.0
LEFT, RIGHT, TOP = 60.0, 160.0, 100.0


def is_underlined(*strokes: Box, lines: int = 1, kind: Kind = Kind.PARAGRAPH) -> bool:
    """Whether a text from LEFT to RIGHT is taken for underlined, given what is drawn on its page."""
    box = Box(LEFT, TOP, RIGHT, TOP + lines * LINE)
    item = PhysicalObject(kind, "Harbours", (PageRegion(3, box),), style=Style("Body", 10.0), lines=lines)
    pages = [PageContent(600, 850), PageContent(600, 850, rules=strokes)]
    (found,) = mark_underlined([item], [thin_strokes(page) for page in pages], first_page=2)
    return found.style.underlined


def stroke(x0: float = LEFT, x1: float = RIGHT, *, y: float = TOP + LINE - 2, thick: float = 0.6) -> Box:
    return Box(x0, y, x1, y + thick)


def test_a_stroke_below_the_text_underlines_it() -> None:
    assert is_underlined(stroke())


def test_pieces_of_a_stroke_underline_together() -> None:
    assert is_underlined(stroke(LEFT, 95), stroke(97, 130))


def test_a_number_before_the_title_may_have_none() -> None:
    assert is_underlined(stroke(LEFT + 30))


@pytest.mark.parametrize(
    "drawn",
    [
        stroke(LEFT + 60),  # a word or two
        stroke(LEFT, 500),  # a rule across the page
        stroke(thick=9.0),  # a shade
        stroke(y=TOP + 3),  # struck out
        stroke(y=TOP + LINE + 8),  # something else's
    ],
)
def test_other_strokes_do_not(drawn: Box) -> None:
    assert not is_underlined(drawn)


def test_of_several_lines_each_has_its_stroke() -> None:
    first, last = stroke(), stroke(LEFT, LEFT + 20, y=TOP + 2 * LINE - 2)
    assert is_underlined(first, last, lines=2)
    assert not is_underlined(first, lines=2)
    assert not is_underlined(last, lines=2)


def test_a_long_text_and_a_table_are_not_asked() -> None:
    every = [stroke(y=TOP + line * LINE - 2) for line in range(1, 6)]
    assert not is_underlined(*every, lines=5)
    assert not is_underlined(stroke(), kind=Kind.TABLE)


def test_a_text_without_a_height_is_not_asked() -> None:
    item = PhysicalObject(Kind.PARAGRAPH, "Harbours", (PageRegion(1, Box(LEFT, TOP, RIGHT, TOP)),))
    strokes = thin_strokes(PageContent(600, 850, rules=(stroke(y=TOP + 1),)))
    (found,) = mark_underlined([item], [strokes], first_page=1)
    assert not found.style.underlined


@given(st.lists(st.builds(stroke, st.floats(0, 500), st.floats(0, 500), y=st.floats(0, 800)), max_size=5))
def test_whatever_is_drawn_nothing_else_of_the_object_changes(drawn: list[Box]) -> None:
    item = PhysicalObject(Kind.PARAGRAPH, "Harbours", (PageRegion(1, Box(LEFT, TOP, LEFT, TOP)),), lines=1)
    strokes = thin_strokes(PageContent(600, 850, rules=tuple(drawn)))
    (found,) = mark_underlined([item], [strokes], first_page=1)
    assert (found.text, found.parts, found.style.font) == (item.text, item.parts, item.style.font)
