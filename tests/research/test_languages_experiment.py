"""The table by language: documents of other languages are summed up beside English and Chinese."""

from research.languages.fetch import packages_in_languages
from research.languages.run import Figures, by_language, half_of, table

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


def test_a_document_stays_in_its_half() -> None:
    names = [f"fr__package__{number}" for number in range(40)]
    halves = [half_of(name) for name in names]
    assert set(halves) == {"first", "second"}
    assert halves == [half_of(name) for name in names]


def test_packages_are_chosen_by_the_language_in_a_name() -> None:
    listed = [
        "maint-guide-fr: /usr/share/doc/maint-guide-fr/guide.pdf",
        "sails-doc: /usr/share/doc/sails/manual.de.pdf.gz",
        "boats-doc: /usr/share/doc/boats/manual.pdf",
        "installation-guide-i386: /usr/share/doc/guide/de/install.de.pdf",
    ]
    assert packages_in_languages(listed) == ["maint-guide-fr", "sails-doc"]
