"""The table by language: documents of other languages are summed up beside English and Chinese."""

from research.languages.run import Figures, by_language, table

from held.metrics import Matches, TreeCounts


def test_languages_without_a_row_are_the_rest() -> None:
    found = {
        "a": ("en", Figures(1, Matches(1, 1, 1), TreeCounts(), TreeCounts())),
        "b": ("sv", Figures(1, Matches(1, 2, 1), TreeCounts(), TreeCounts())),
        "c": ("de", Figures(1, Matches(1, 2, 1), TreeCounts(), TreeCounts())),
    }
    totals = by_language(found)
    assert list(totals) == ["en", "de", "rest", "all others"]
    assert totals["all others"].documents == 2
    assert table(totals).count("\n") == 5
