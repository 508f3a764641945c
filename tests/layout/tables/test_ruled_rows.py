"""Tables of words whose rows are ruled off and whose columns are only set apart by white."""

from held.document import Box
from tests.layout.tables.test_page_tables import tables_on, text_at

ROWS = [("Mooring", "Free for boats"), ("Towage", "By the hour"), ("Storage", "See the by-laws")]


def rules(count: int) -> list[Box]:
    return [Box(50, 120 + 30 * i, 400, 120.5 + 30 * i) for i in range(count)]


def test_what_stands_between_two_rules_is_a_row_of_wrapped_cells() -> None:
    lines = [text_at(55, 112, "Service"), text_at(200, 112, "Terms")]
    for r, (name, terms) in enumerate(ROWS):
        first, _, rest = terms.partition(" ")
        lines += [text_at(55, 134 + 30 * r, name)]
        lines += [text_at(200, 128 + 30 * r, first), text_at(200, 140 + 30 * r, rest)]
    (table,) = tables_on(lines, rules(4))
    assert [list(row) for row in table.rows] == [["Service", "Terms"], *map(list, ROWS)]


def test_paragraphs_between_rules_are_no_table() -> None:
    prose = "a line of running text that goes on over the page"
    lines = [text_at(55, 128 + 30 * r + 12 * k, prose) for r in range(3) for k in range(2)]
    assert not tables_on(lines, rules(4))


def test_text_of_one_column_beside_single_words_is_no_table() -> None:
    lines = [text_at(55, 130 + 30 * r, "A title alone") for r in range(3)]
    lines.append(text_at(200, 130, "Words"))
    assert not tables_on(lines, rules(4))
