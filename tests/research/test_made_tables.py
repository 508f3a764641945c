from random import Random

import pytest
from research.tables.adjacency import relations_of
from research.tables.made.contents import HARBOUR, Cell, Content, amounts
from research.tables.made.stand_in_font import font_face
from research.tables.made.styles import (
    STYLES,
    Style,
    document,
    html_table,
    made_tables,
    true_cells,
    typewriter_table,
)

SPANNING = Content(((Cell("Net", rows=2), Cell("Years", columns=2)), (Cell("2025"), Cell("2024"))), 2)


def test_cells_beside_one_that_spans_rows_stand_behind_it() -> None:
    assert [(cell.left, cell.text) for cell in true_cells(SPANNING)] == [
        (0, "net"),
        (1, "years"),
        (1, "2025"),
        (2, "2024"),
    ]


def test_a_sign_in_a_cell_of_its_own_belongs_to_its_number() -> None:
    content = Content(((Cell("Net"), Cell("12", sign="$"), Cell("3.1", sign="%")),), 0)
    assert [cell.text for cell in true_cells(content)] == ["net", "$12", "3.1%"]
    assert "<td>$</td>" in html_table(content)


def test_every_style_has_a_name_of_its_own() -> None:
    assert len({style.name for style in STYLES}) == len(STYLES)


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_every_made_table_has_relations_and_is_the_same_each_time(style: Style) -> None:
    tables = made_tables(style)
    assert all(relations_of([true_cells(made.content)]) for made in tables)
    assert document(tables) == document(made_tables(style))


def test_totals_are_the_sums_of_their_columns() -> None:
    content = amounts(3)(Random(1), HARBOUR)
    for column in (1, 2, 3):
        *items, total = [int(row[column].text.replace(",", "")) for row in content.rows[1:]]
        assert sum(items) == total


def test_a_typewritten_table_sets_numbers_below_each_other() -> None:
    content = Content(((Cell("Age"), Cell("Rate")), (Cell("20-29"), Cell("0.2"))), 1)
    assert typewriter_table(content) == "Age    Rate\n-----------\n20-29   0.2"


def test_no_paragraph_stands_on_two_pages_of_a_document() -> None:
    pages = document(made_tables(STYLES[0])).split("<section>")[1:]
    paragraphs = [text for page in pages for text in page.split("<p>")[1:]]
    assert len(set(paragraphs)) == len(paragraphs)


def test_the_stand_in_font_is_a_rule_with_its_data() -> None:
    rule = "font-family: 'Stand-in'; font-weight: bold; src: url(data:font/ttf;base64,"
    assert rule in font_face("Stand-in", "合计 12", weight="bold")
