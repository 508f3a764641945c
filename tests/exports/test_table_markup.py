"""Tables as HTML and Markdown: heads, spans, scopes, captions."""

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from held.document import TableCell, TableStructure
from held.exports.html_blocks import html_table
from held.exports.markdown import markdown_table
from held.layout.tables.logical_grid import Grid, grid_of
from tests.exports.made_tables import CATCH, CATCH_ROWS, catch, table_object

BESIDE = TableStructure(
    (
        TableCell(0, 0, "Port", row_span=2),
        TableCell(0, 1, "Anna"),
        TableCell(1, 1, "Berta"),
        TableCell(2, 0, "All boats are wood", column_span=2),
    )
)
ROWS = st.lists(st.lists(st.text(max_size=5), max_size=4), max_size=5)


class Cells(HTMLParser):
    """Counts the places that the cells of a table take."""

    def __init__(self) -> None:
        super().__init__()
        self.places = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("td", "th"):
            spans = dict(attrs)
            self.places += int(spans.get("colspan") or 1) * int(spans.get("rowspan") or 1)


def beside() -> Grid:
    return grid_of(table_object((("Port", "Anna"), ("", "Berta"), ("All boats are wood", "")), BESIDE))


def test_html_has_caption_unit_head_spans_and_scopes() -> None:
    assert catch().to_html() == (
        '<div class="table"><table><caption>Table 1: The catch <small>in tons</small></caption>'
        "<thead><tr><td><th scope=colgroup colspan=2>Nine months ended"
        "<tr><th scope=col>Boat<th scope=col class=n>2025<th scope=col class=n>2024"
        "<tbody><tr><th scope=row>Anna<td class=n>1,234<td class=n>(7)"
        "<tr><th scope=row>Berta<td class=n>—<td class=n>12.5%</table></div>"
    )


def test_a_unit_that_the_caption_says_is_not_said_twice() -> None:
    grid = grid_of(table_object(CATCH_ROWS, CATCH))
    found = html_table(grid, caption="Catch (in tons)", unit="in tons")
    assert "<caption>Catch (in tons)</caption>" in found


def test_a_cell_over_two_rows_takes_its_place_in_both() -> None:
    assert "<tr><td rowspan=2>Port<td>Anna<tr><td>Berta<tr><td colspan=2>" in html_table(beside())


@given(ROWS)
def test_any_rows_fill_the_whole_grid_in_html(rows: list[list[str]]) -> None:
    grid = grid_of(table_object(rows))
    counter = Cells()
    counter.feed(html_table(grid))
    assert counter.places == grid.height * grid.width


def test_markdown_gives_every_column_its_full_name() -> None:
    assert catch().to_markdown().splitlines()[0] == (
        "| Boat | Nine months ended 2025 | Nine months ended 2024 |"
    )


def test_markdown_repeats_a_label_down_its_rows_and_says_a_remark_once() -> None:
    assert markdown_table(beside()).splitlines()[2:] == [
        "| Port | Anna |",
        "| Port | Berta |",
        "| All boats are wood |  |",
    ]
