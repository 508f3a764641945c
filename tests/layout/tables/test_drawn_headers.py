"""A header drawn as a grid of its own, over rows without any grid."""

from held.document import Box
from held.layout.lines import Line
from tests.layout.tables.test_page_tables import grid, tables_on, text_at

NAMES = ("In millions", "2022", "2021", "Change")


def header(left: float, top: float) -> tuple[list[Line], list[Box]]:
    """A header of two shaded rows: a name over all values, and one over each."""
    lines = [text_at(left + 130, top + 10, "Three months")]
    lines += [text_at(left + 5 + 60 * c + 30 * (c > 0), top + 30, name) for c, name in enumerate(NAMES)]
    edges = [left + 60 * c + 30 * (c > 0) for c in range(5)]
    return lines, grid(edges, [top, top + 20, top + 40])


def row(left: float, y: float, label: str, *values: str) -> list[Line]:
    return [
        text_at(left + 5, y, label),
        *[text_at(left + 140 + 60 * c, y, value, right=True) for c, value in enumerate(values)],
    ]


def test_a_single_row_below_a_drawn_header_belongs_to_it() -> None:
    lines, rules = header(50, 100)
    (table,) = tables_on([*lines, *row(50, 155, "Legal expense", "73", "185", "(61)")], rules)
    assert table.rows[-2:] == (NAMES, ("Legal expense", "73", "185", "(61)"))
    assert "Three months" in table.rows[0]


def test_a_second_drawn_header_begins_another_table() -> None:
    lines: list[Line] = []
    rules: list[Box] = []
    for top in (100, 200):
        names, drawn = header(50, top)
        lines += names
        rules += drawn
        for r in range(3):
            lines += row(50, top + 52 + 15 * r, f"Part {r}", f"{r}1", f"{r}2", f"{r}3")
    tables = tables_on(lines, rules)
    assert [len(table.rows) for table in tables] == [5, 5]


def test_words_in_a_grid_are_no_header_of_the_grid_below() -> None:
    lines = [text_at(55, 110, "Ship"), text_at(155, 110, "Port"), text_at(255, 110, "Cargo")]
    lines += [text_at(55, 130, "Aster"), text_at(155, 130, "Lakeside"), text_at(255, 130, "Grain")]
    lines += [text_at(55, 170, "Tons"), text_at(205, 170, "1,200"), text_at(55, 190, "Crew")]
    lines.append(text_at(205, 190, "14"))
    words, amounts = tables_on(
        lines, [*grid([50, 150, 250, 350], [100, 120, 140]), *grid([50, 200, 350], [160, 180, 200])]
    )
    assert words.rows == (("Ship", "Port", "Cargo"), ("Aster", "Lakeside", "Grain"))
    assert amounts.rows == (("Tons", "1,200"), ("Crew", "14"))


def test_wide_spaces_of_justified_text_are_no_columns_of_a_drawn_table() -> None:
    def words(y: float, *starts_and_words: tuple[float, str]) -> list[Line]:
        return [text_at(x, y, word) for x, word in starts_and_words]

    lines = [text_at(55, 110, "count"), text_at(55, 150, "name"), text_at(55, 190, "size")]
    lines += words(110, (155, "Number"), (220, "of parts"), (290, "1024"))
    lines += words(122, (155, "as they are in the whole document"))
    lines += words(150, (155, "A name"), (200, "and value"), (270, "2048"))
    lines += words(162, (155, "of at most so many characters here"))
    lines += words(190, (155, "The size of all that is in here now"))
    (table,) = tables_on(lines, grid([50, 150, 350], [100, 140, 180, 220]))
    assert [row[0] for row in table.rows] == ["count", "name", "size"]
