"""Pages whose text runs up or down the page, without the page being turned."""

from dataclasses import replace

import pytest

from held.document import Document, Kind, PageContent, Pages, Style
from held.layout.recognise import recognise
from held.layout.rotated_text import QUARTER, THREE_QUARTERS, rotate_page
from tests.layout.conftest import Typesetter

ROWS = [("Region", "2023", "2022"), ("North of the river", "1,204", "998"), ("South of it", "311", "(402)")]
ROWS += [("East and west together", "77", "68"), ("All regions of the country", "1,592", "664")]


def statement() -> Typesetter:
    sheet = Typesetter()
    sheet.put("Table 4: Sales by region in millions", 200)
    sheet.skip(8)
    for label, new, old in ROWS:
        y = sheet.y
        sheet.put(label, 80, y)
        sheet.put(new, 400 - 5 * len(new), y)
        sheet.put(old, 500 - 5 * len(old), y)
        sheet.skip(14)
    return sheet


def set_sideways(sheet: Typesetter, rotation: int) -> Document:
    page = PageContent(600, 850, runs=tuple(sheet.pages[0]), rotation=rotation)
    aside = replace(rotate_page(page, rotated_style=int), rotation=0)
    styles = tuple(style._replace(upright=False) for style in sheet.styles)
    return recognise(Pages("test", styles, (aside,)))


@pytest.mark.parametrize("rotation", [QUARTER, THREE_QUARTERS], ids=["downwards", "upwards"])
def test_a_table_set_sideways_has_its_rows(rotation: int) -> None:
    document = set_sideways(statement(), rotation)
    (table,) = [item for item in document.objects if item.kind is Kind.TABLE]
    assert list(table.rows) == ROWS


@pytest.mark.parametrize("rotation", [QUARTER, THREE_QUARTERS], ids=["downwards", "upwards"])
def test_what_is_set_sideways_keeps_its_place_on_the_page(rotation: int) -> None:
    sheet = statement()
    document = set_sideways(sheet, rotation)
    (page,) = document.pages
    assert (page.width, page.height) == (850, 600)
    caption = next(item for item in document.objects if item.kind is Kind.CAPTION)
    assert caption.box.height > caption.box.width
    near_edge = caption.box.x0 if rotation == THREE_QUARTERS else page.width - caption.box.x1
    assert near_edge == pytest.approx(80)


def test_a_cell_of_a_table_set_sideways_lies_inside_the_table() -> None:
    document = set_sideways(statement(), QUARTER)
    (table,) = [item for item in document.objects if item.kind is Kind.TABLE]
    assert table.table is not None
    for cell in table.table.cells:
        assert table.box.x0 <= cell.box.x0 < cell.box.x1 <= table.box.x1


def test_labels_along_an_axis_stay_the_text_of_a_figure() -> None:
    sheet = Typesetter()
    for place in range(12):
        sheet.put(f"label {place}", 100, 100 + 30 * place)
    document = set_sideways(sheet, QUARTER)
    assert [item.kind for item in document.objects] == [Kind.FIGURE]


def test_style_of_sideways_text_is_told_as_it_is() -> None:
    document = set_sideways(statement(), QUARTER)
    caption = next(item for item in document.objects if item.kind is Kind.CAPTION)
    assert caption.style == Style("Body", 10.0, upright=False)
