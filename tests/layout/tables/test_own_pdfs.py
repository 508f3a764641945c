"""Tables in PDFs of our own, from the file to the cells: the faults that unseen documents showed."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from held.document import Document, Kind, PhysicalObject
from held.layout.recognise import recognise
from held.layout.tables.logical_grid import grid_of
from held.reading.read_pdf import read_pdf
from tests.layout.make_pdfs import HELVETICA, font, pdf

PAGE = "/MediaBox [0 0 612 792]"
FONTS = {"F1": HELVETICA, "F2": font("Helvetica-Bold"), "F3": font("Courier")}
AMOUNTS = [("Ice", "120", "95"), ("Nets", "48", "51"), ("Salt", "310", "288"), ("Total", "478", "434")]
PROSE = "The boats came in before the ice had closed the port and"


def word(x: float, y: float, content: str, name: str = "F1") -> str:
    """The operators that show a text; y points down from the top of the page."""
    escaped = content.replace("(", r"\(").replace(")", r"\)")
    return f"BT /{name} 10 Tf {x} {792 - y} Td ({escaped}) Tj ET\n"


def fill(x0: float, y0: float, x1: float, y1: float, grey: float = 0.8) -> str:
    return f"{grey} g {x0} {792 - y1} {x1 - x0} {y1 - y0} re f 0 g\n"


def rows_at(rows: Sequence[Sequence[str]], xs: Sequence[float], top: float = 120, name: str = "F1") -> str:
    """Rows of words 20 points apart."""
    return "".join(
        word(x, top + 20 * r, content, name)
        for r, row in enumerate(rows)
        for x, content in zip(xs, row, strict=True)
        if content
    )


def grid(xs: Sequence[float], ys: Sequence[float]) -> str:
    """The rules of a grid."""
    across = "".join(f"{xs[0]} {792 - y} m {xs[-1]} {792 - y} l S\n" for y in ys)
    return across + "".join(f"{x} {792 - ys[0]} m {x} {792 - ys[-1]} l S\n" for x in xs)


def recognised(tmp_path: Path, content: str) -> Document:
    path = tmp_path / "own.pdf"
    path.write_bytes(pdf(content, page=PAGE, fonts=FONTS))
    return recognise(read_pdf(path, jobs=0))


def tables(document: Document) -> list[PhysicalObject]:
    return [item for item in document.objects if item.kind is Kind.TABLE]


def prose(x: float, top: float, lines: int) -> str:
    return "".join(word(x, top + 13 * k, PROSE) for k in range(lines))


def test_a_ruled_table_in_a_fixed_width_font_is_no_listing(tmp_path: Path) -> None:
    rows = [("Item", "2025", "2024"), *AMOUNTS]
    drawn = grid([60, 200, 300, 400], [107 + 20 * r for r in range(6)])
    (table,) = tables(
        recognised(tmp_path, prose(60, 60, 2) + rows_at(rows, [65, 210, 310], name="F3") + drawn)
    )
    assert table.rows == tuple(rows)


def test_numbers_that_a_typewriter_sets_in_one_text_are_cells(tmp_path: Path) -> None:
    rows = ["20-29  0.2650  0.1200  0.0310", "30-39  0.3110  0.1470  0.0290", "40-49  0.2980  0.1620  0.0250"]
    lines = "".join(word(100, 120 + 13 * r, row, "F3") for r, row in enumerate([*rows, *rows]))
    (table,) = tables(recognised(tmp_path, prose(60, 60, 2) + lines))
    assert table.rows[1] == ("30-39", "0.3110", "0.1470", "0.0290")


def test_a_table_over_both_columns_of_a_page_is_whole(tmp_path: Path) -> None:
    rows = [("Item", "2025", "2024"), *AMOUNTS]
    table_over_both = rows_at(rows, [60, 330, 480], top=80)
    columns = prose(40, 240, 20) + prose(330, 240, 20)
    (table,) = tables(recognised(tmp_path, table_over_both + columns))
    assert table.rows == tuple(rows)


def test_names_on_three_levels_span_the_columns_below_them(tmp_path: Path) -> None:
    rows = [
        ("", "All ports", "", "", ""),
        ("", "2025", "", "2024", ""),
        ("Item", "Sold", "Left", "Sold", "Left"),
        ("Ice", "120", "12", "95", "8"),
        ("Nets", "48", "5", "51", "4"),
    ]
    ys = [107 + 20 * r for r in range(6)]
    across = [(60 if y in (ys[0], *ys[3:]) else 160, y) for y in ys]
    down = [(60, 0), (160, 0), (240, 2), (320, 1), (400, 2), (480, 0)]  # and the row that the bar begins at
    content = "".join(f"{x} {792 - y} m 480 {792 - y} l S\n" for x, y in across)
    content += "".join(f"{x} {792 - ys[r]} m {x} {792 - ys[-1]} l S\n" for x, r in down)
    (table,) = tables(recognised(tmp_path, content + rows_at(rows, [65, 170, 250, 330, 410])))
    found = grid_of(table)
    assert found.head == 3
    assert found.names()[1:] == [
        "All ports 2025 Sold",
        "All ports 2025 Left",
        "All ports 2024 Sold",
        "All ports 2024 Left",
    ]


def test_a_shaded_bar_over_all_columns_is_a_row_of_its_own(tmp_path: Path) -> None:
    rows = [
        ("Item", "2025", "2024"),
        ("Cold goods", "", ""),
        *AMOUNTS[:2],
        ("Dry goods", "", ""),
        *AMOUNTS[2:],
    ]
    bars = fill(55, 127, 420, 145) + fill(55, 187, 420, 205)
    (table,) = tables(recognised(tmp_path, bars + rows_at(rows, [65, 240, 340])))
    assert table.rows == tuple(rows)


def test_shades_behind_half_of_the_columns_are_no_figure(tmp_path: Path) -> None:
    rows = [(label, now, before, now, before) for label, now, before in AMOUNTS]
    rows = [("Item", "2025", "2024", "2023", "2022"), *rows]
    shades = fill(150, 107, 230, 210) + fill(310, 107, 390, 210, 0.9)
    document = recognised(tmp_path, shades + rows_at(rows, [65, 170, 250, 330, 410]))
    (table,) = tables(document)
    assert table.rows == tuple(rows)
    assert not [item for item in document.objects if item.kind is Kind.FIGURE]


def test_a_ruled_row_below_its_names_is_a_table(tmp_path: Path) -> None:
    rows = [("Port", "Boats", "Nets"), ("Hull", "12", "48")]
    drawn = grid([60, 200, 300, 400], [107, 127, 147])
    (table,) = tables(recognised(tmp_path, drawn + rows_at(rows, [65, 210, 310])))
    assert table.rows == tuple(rows)


def test_dark_bars_over_keys_and_values_leave_the_pairs_apart(tmp_path: Path) -> None:
    pairs = [("Name", "Anna Berg", "Age", "47"), ("Licence", "Master", "Hours", "1,204")]
    bars = fill(60, 107, 460, 127, 0.2) + fill(60, 167, 460, 187, 0.2)
    ys = [107 + 20 * r for r in range(7)]
    drawn = f"60 {792 - ys[0]} 400 -120 re S\n" + "".join(
        grid([60, 160, 260, 360, 460], ys[start : start + 3]) for start in (1, 4)
    )
    words = "1 g\n" + word(65, 120, "Pilot Information", "F2") + word(65, 180, "Second Pilot", "F2") + "0 g\n"
    words += rows_at(pairs, [65, 165, 265, 365], top=140) + rows_at(pairs, [65, 165, 265, 365], top=200)
    document = recognised(tmp_path, bars + drawn + words)
    rows = [row for table in tables(document) for row in table.rows]
    assert [row for row in rows if all(row)] == [*pairs, *pairs]
    texts = [item.text for item in document.objects if item.kind is not Kind.TABLE]
    for title in ("Pilot Information", "Second Pilot"):
        assert title in texts or any(row[0] == title and not any(row[1:]) for row in rows)


def test_a_label_and_a_unit_above_the_amounts_name_no_column(tmp_path: Path) -> None:
    rows = [
        ("", "2025", "2024"),
        ("(In millions, except par value)", "", ""),
        ("ASSETS", "", ""),
        ("Cash and equivalents", "1,204", "998"),
        *AMOUNTS,
    ]
    (table,) = tables(recognised(tmp_path, rows_at(rows, [65, 300, 400])))
    assert grid_of(table).names()[1:] == ["2025", "2024"]


def broken_rows(xs: Sequence[float], tops: Sequence[float], height: float) -> str:
    """Rows whose vertical lines stop short of the next row: each has lines of its own, and a rule below."""
    ends = [792 - y - height for y in tops]
    across = "".join(f"{xs[0]} {y} m {xs[-1]} {y} l S\n" for y in [792 - tops[0], *ends])
    return across + "".join(f"{x} {y + height} m {x} {y} l S\n" for x in xs for y in ends)


def test_rows_whose_lines_do_not_touch_are_one_table(tmp_path: Path) -> None:
    drawn = broken_rows([60, 200, 300, 400], [105, 151, 197], 40)
    words = [
        *[("Item", "Use", "2025"), ("", "", "tons")],
        *[("Ice", "cools the", "120"), ("", "catch", "")],
        *[("Nets", "mended in", "48"), ("", "spring", "")],
    ]
    printed = "".join(rows_at(words[r : r + 2], [64, 204, 304], 118 + 23 * r) for r in (0, 2, 4))
    (table,) = tables(recognised(tmp_path, drawn + printed))
    assert [row[0] for row in table.rows] == ["Item", "Ice", "Nets"]
    assert [row[1].split() for row in table.rows] == [
        ["Use"],
        ["cools", "the", "catch"],
        ["mended", "in", "spring"],
    ]


def test_shades_behind_the_names_of_several_tables_belong_to_their_tables(tmp_path: Path) -> None:
    rows = [("Item", "Catch", "Price"), *AMOUNTS[:2]]
    xs = [60, 200, 300, 400]
    content = ""
    for top in (100, 190, 280):  # so near each other that the shades look like bands of one table
        content += "".join(fill(x0, top, x1, top + 27, 0.9) for x0, x1 in pairwise(xs))
        content += grid(xs, [top + 30 + 20 * r for r in range(3)])
        content += rows_at(rows[:1], [65, 210, 310], top=top + 20)
        content += rows_at(rows[1:], [65, 210, 310], top=top + 43)
    assert [table.rows for table in tables(recognised(tmp_path, content))] == 3 * [tuple(rows)]


def test_rules_below_each_row_leave_the_names_above_them_in_the_table(tmp_path: Path) -> None:
    rows = [("Port", "Trade"), ("Hull", "Cod and herring"), ("Leith", "Coal for the north"), ("Wick", "Salt")]
    ys = [127 + 20 * r for r in range(4)]
    across = "".join(f"60 {792 - y} m 400 {792 - y} l S\n" for y in ys)
    bar = f"200 {792 - 107} m 200 {792 - ys[-1]} l S\n"
    (table,) = tables(recognised(tmp_path, across + bar + rows_at(rows, [65, 210])))
    assert table.rows == tuple(rows)
