"""Which printed contents are counted, and which of them as found."""

from __future__ import annotations

from research.contents.measure import Coverage, coverage
from research.contents.run import counts

from held.document import OutlineEntry, PageContent, Pages, Run, Style

TITLES = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon")


def line(text: str, y: float, x: float = 72.0) -> Run:
    return Run(x, y, x + 5 * len(text), y + 10, 0, text)


def document(first: list[Run]) -> Pages:
    pages = [first, *([line(title, 100)] for title in TITLES)]
    content = tuple(PageContent(600.0, 800.0, tuple(runs)) for runs in pages)
    outline = tuple(OutlineEntry(1, title, page, None) for page, title in enumerate(TITLES, start=2))
    return Pages("test", (Style("Text", 10.0),), content, outline=outline)


def test_a_list_with_leaders_is_printed_and_found() -> None:
    rows = [line(f"{title} {'.' * 40} {page}", 100 + 20 * page) for page, title in enumerate(TITLES, start=2)]
    assert coverage(document([line("Contents", 60), *rows])) == Coverage(5, 5, 5)


def test_titles_in_running_text_are_printed_and_not_found() -> None:
    rows = [line(title, 100 + 90 * place, 72 + 60 * place) for place, title in enumerate(TITLES)]
    assert coverage(document(rows)) == Coverage(5, 5, 0)


def test_only_documents_that_print_a_list_count() -> None:
    found = counts([Coverage(10, 9, 9), Coverage(10, 9, 2), Coverage(10, 2, 0)])
    assert (found["print a list"], found["lists found"], found["entries found"]) == (2, 1, 11)
