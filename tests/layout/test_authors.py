"""The order of first pages: authors side by side above the text."""

from collections.abc import Sequence

from held.document import Box
from held.layout.page_layout import _centred_stacks
from tests.layout.conftest import Typesetter, width
from tests.operations import operations

TITLE = "On the tides of the harbour"
MIDDLES = (130.0, 300.0, 470.0)
FIRST = (("Anna Berg", "Institute of Tides"), ("Ole Dahl", "Harbour"), ("Eva Lind", "Office of the Sea"))
SECOND = (("Ida Holm", "Town Hall"), ("Per Lund", "Light House Road"), ("Kai Moe", "The Old Market"))


def centred(sheet: Typesetter, middle: float, top: float, lines: Sequence[str]) -> None:
    for place, text in enumerate(lines):
        sheet.put(text, middle - width(text, 10) / 2, top + 12 * place)


def two_columns(sheet: Typesetter, top: float) -> None:
    for x, word in ((60.0, "left"), (310.0, "right")):
        for place in range(12):
            sheet.put(f"{word} column of text goes on and on until its edge", x, top + 13 * place)


def in_order(texts: Sequence[str], *words: str) -> bool:
    text = " ".join(texts)
    places = [text.index(word) for word in words]
    return places == sorted(places)


def words(*authors: Sequence[str]) -> list[str]:
    return [line for author in authors for line in author]


def test_the_lines_of_each_author_are_read_together(sheet: Typesetter) -> None:
    sheet.put(TITLE, 200, 60, size=16)
    for middle, author in zip(MIDDLES, FIRST, strict=True):
        centred(sheet, middle, 100, author)
    two_columns(sheet, 160)
    assert in_order(sheet.texts(), TITLE, *words(*FIRST), "left column", "right column")


def test_authors_in_two_rows_are_read_row_by_row(sheet: Typesetter) -> None:
    for top, row in ((100, FIRST), (150, SECOND)):
        for middle, author in zip(MIDDLES, row, strict=True):
            centred(sheet, middle, top, author)
    two_columns(sheet, 220)
    assert in_order(sheet.texts(), *words(*FIRST, *SECOND), "left column", "right column")


def test_an_accent_stays_with_the_name_of_its_author(sheet: Typesetter) -> None:
    for middle, author in zip(MIDDLES, FIRST, strict=True):
        centred(sheet, middle, 100, author)
    sheet.put("´", 140, 99)
    two_columns(sheet, 160)
    assert sheet.texts()[0].startswith("Anna Berg´")


def test_twice_as_many_lines_are_not_four_times_the_work() -> None:
    def work(lines: int) -> int:
        boxes = [Box(100, 40 * i, 200, 40 * i + 10) for i in range(lines)]
        return operations(lambda: _centred_stacks(boxes, range(lines), 10.0))

    assert work(200) < 2.5 * work(100)
