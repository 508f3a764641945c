"""Text set in columns from top to bottom is read column by column from the right, and keeps its place."""

from dataclasses import replace

import pytest

from held.document import Document, PageContent, Pages, Run, Style
from held.layout.recognise import recognise
from held.layout.rotated_text import QUARTER, rotate_page
from tests.layout.conftest import Typesetter

TITLE = "第一章 公司概况"
TEXT = "公司的经营情况良好收入与利润均有较大幅度的增长" * 4


def set_vertically(sheet: Typesetter) -> Document:
    """What was set across, as columns: the upper edge of the sheet is the right edge of the page."""
    across = PageContent(600, 850, runs=tuple(sheet.pages[0]), rotation=QUARTER)
    page = replace(rotate_page(across, rotated_style=int), rotation=0)
    return recognise(Pages("test", tuple(sheet.styles), (page,)))


@pytest.fixture
def document(sheet: Typesetter) -> Document:
    sheet.put(TITLE, size=16, bold=True)
    sheet.skip(10)
    for start in range(0, len(TEXT), 46):
        sheet.put(TEXT[start : start + 46])
    return set_vertically(sheet)


def test_columns_are_read_from_the_right(document: Document) -> None:
    assert [item.text for item in document.objects] == [TITLE, TEXT]


def test_a_column_keeps_its_place_on_the_page(document: Document) -> None:
    title = document.objects[0]
    (page,) = document.pages
    assert (page.width, page.height) == (850, 600)
    assert title.box.height > title.box.width
    assert page.width - title.box.x1 == pytest.approx(80)


def test_a_note_says_that_text_runs_from_top_to_bottom(document: Document) -> None:
    assert [note.message for note in document.notes if "top to bottom" in note.message]


def test_a_few_columns_of_characters_beside_level_text_turn_no_page(sheet: Typesetter) -> None:
    sheet.put(TITLE, size=16)
    for _ in range(6):
        sheet.put(TEXT[:46])
    styles = (*sheet.styles, Style("Body", 10.0))
    beside = Run(20, 100, 30, 160, len(styles) - 1, "竖排的字")
    page = PageContent(600, 850, runs=(*sheet.pages[0], beside))
    document = recognise(Pages("test", styles, (page,)))
    assert not document.notes
    assert document.objects[0].text == TITLE


def test_short_names_from_top_to_bottom_are_those_of_a_chart(sheet: Typesetter) -> None:
    for place in range(12):
        sheet.put("董事会办公室", 100, 80 + 30 * place)
    assert not set_vertically(sheet).notes
