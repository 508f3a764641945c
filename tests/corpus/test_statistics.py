"""What a labelled corpus is like."""

from held.corpus.store import LabelledDocument, Origin, label_document
from held.corpus.summary import statistics_lines, statistics_of
from tests.corpus.made_up import document, entry, item


def labelled(domain: str = "word", extra: int = 0) -> LabelledDocument:
    """Three headings on two levels, the last without an object, and some text."""
    texts = ["1 Harbours", "some text.", "1.1 Ships", *(["more text."] * (1 + extra))]
    objects = [item(text, y=100.0 + 20.0 * n) for n, text in enumerate(texts)]
    entries = [entry("1 Harbours"), entry("1.1 Ships", 2), entry("Lost & gone")]
    return label_document(document(*objects), entries, Origin("a", domain=domain))


def test_headings_are_counted_by_level_with_those_that_are_no_object() -> None:
    values = statistics_of([labelled()])["corpora"]["all"]
    assert values["headings_by_level"] == {"1": 2, "2": 1}
    assert (values["documents"], values["objects"], values["headings"]) == (1, 4, 3)
    assert values["documents_by_depth"] == {"2": 1}


def test_objects_per_document_are_spread_and_binned() -> None:
    objects = statistics_of([labelled(), labelled(extra=2), labelled(extra=56)])["corpora"]["all"]
    spread = objects["objects_per_document"]
    assert (spread["least"], spread["median"], spread["most"], spread["mean"]) == (4, 6, 60, 23.33)
    assert [bar["documents"] for bar in spread["histogram"][:3]] == [2, 1, 0]


def test_patterns_are_counted_by_level() -> None:
    patterns = statistics_of([labelled()])["corpora"]["all"]["patterns_by_level"]
    assert patterns == {"1": {"0": 1, "29": 1}, "2": {"25": 1}}


def test_domains_are_counted_apart() -> None:
    corpora = statistics_of([labelled("word"), labelled("science"), labelled("word")])["corpora"]
    assert {name: values["documents"] for name, values in corpora.items()} == {
        "all": 3,
        "science": 1,
        "word": 2,
    }


def test_the_table_has_a_line_for_all_documents_and_for_each_domain() -> None:
    title, everything, word = statistics_lines(statistics_of([labelled()]))
    assert title.split() == ["documents", "objects", "headings", "unknown", "deepest", "median"]
    assert everything.split() == ["all", "1", "4", "3", "0", "2", "4"]
    assert word.split()[0] == "word"
