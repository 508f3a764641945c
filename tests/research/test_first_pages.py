from research.reading_order.choose import has_two_columns
from research.unmapped.run import add

from held.document import PageContent, Pages, Run, Style


def page(*columns: tuple[float, float], text: str = "boats on the water") -> PageContent:
    rows = range(300, 750, 10)
    runs = [Run(x0, y, x1, y + 9, 0, text) for y in rows for x0, x1 in columns]
    return PageContent(600, 800, tuple(runs))


def test_text_on_both_sides_of_the_middle_is_in_two_columns() -> None:
    assert has_two_columns(page((50, 290), (310, 550)))


def test_lines_across_the_page_are_one_column() -> None:
    assert not has_two_columns(page((50, 550)))


def test_a_page_with_few_words_is_no_page_in_two_columns() -> None:
    assert not has_two_columns(page((50, 290), (310, 550), text="boat"))


def test_unknown_characters_are_counted_with_their_font() -> None:
    counted: dict[str, dict[str, object]] = {"domains": {}, "documents": {}, "fonts": {}}
    runs = (Run(0, 0, 1, 1, 0, "a\ufffd\ue000"),)
    pages = Pages("a.pdf", (Style(font="ABCDEF+Nets"),), (PageContent(100, 100, runs),))
    add(counted, "made", "made-1", pages)
    assert counted["fonts"] == {"Nets": 1}
    assert counted["domains"]["made"] == {
        "documents": 1,
        "pages": 1,
        "characters": 3,
        "unknown": 1,
        "private": 1,
    }
