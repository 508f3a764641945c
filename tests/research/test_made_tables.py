from research.tables.adjacency import relations_of
from research.tables.made.styles import Cell, Made, made_tables, page, true_cells

SPANNING = Made(
    "spans", ((Cell("Net", rows=2), Cell("Years", columns=2)), (Cell("2025"), Cell("2024"))), 2, ""
)


def test_cells_beside_one_that_spans_rows_stand_behind_it() -> None:
    assert [(cell.left, cell.text) for cell in true_cells(SPANNING)] == [
        (0, "net"),
        (1, "years"),
        (1, "2025"),
        (2, "2024"),
    ]


def test_a_sign_in_a_cell_of_its_own_belongs_to_its_number() -> None:
    made = Made("signs", ((Cell("Net"), Cell("12", sign="$"), Cell("3.1", sign="%")),), 0, "")
    assert [cell.text for cell in true_cells(made)] == ["net", "$12", "3.1%"]
    assert "<td>$</td>" in page(made)


def test_every_made_table_has_relations_and_a_name_of_its_own() -> None:
    tables = made_tables()
    assert len({made.name for made in tables}) == len(tables)
    assert all(relations_of([true_cells(made)]) for made in tables)
