"""Which documents are left out."""

import pytest

from held.corpus.store import Origin, label_document
from held.document import OutlineEntry
from held.hierarchy.matching.nodes import contradiction, merged_list_share
from held.hierarchy.matching.outline import listed_headings
from tests.corpus.made_up import document, entry, item


def outline(*levelled: tuple[int, str]) -> list[OutlineEntry]:
    return [entry(title, level) for level, title in levelled]


def against(*levelled: tuple[int, str]) -> float:
    return contradiction(listed_headings(outline(*levelled), last_page=9, mend_by_numbers=False).headings)


def dropped(texts: list[str], entries: list[OutlineEntry]) -> str | None:
    objects = [item(text, page) for page, text in enumerate(texts, start=1)]
    return label_document(document(*objects), entries, Origin("made-up")).dropped


@pytest.mark.parametrize(
    "levelled",
    [
        ((1, "1 A"), (2, "1.1 B"), (3, "1.1.1 C"), (2, "1.2 D"), (1, "2 E")),
        ((1, "第一节 总"), (2, "一、甲"), (2, "二、乙"), (1, "第二节 分"), (2, "一、丙")),
        ((1, "第一章"), (2, "第一条"), (2, "第二条"), (1, "第二章"), (2, "第三条")),
        ((1, "1 A"), (1, "2 B"), (1, "References"), (1, "A Proofs"), (2, "A.1 Lemma")),
        ((1, "Introduction"), (1, "Methods")),
    ],
)
def test_levels_that_fit_the_numbers_do_not_contradict_them(levelled: tuple[tuple[int, str], ...]) -> None:
    assert against(*levelled) == 0.0


def test_a_dotted_number_beside_its_prefix_contradicts() -> None:
    assert against((1, "3 A"), (2, "3.1 B"), (2, "3.1.1 C"), (2, "3.1.2 D"), (2, "3.1.3 E")) == 0.6


def test_a_list_flattened_into_another_contradicts() -> None:
    levels = ((1, "第一节 总"), (1, "一、甲"), (1, "二、乙"), (1, "三、丙"), (1, "第二节 分"))
    assert against(*levels) == 0.6


def test_unnumbered_headings_flattened_into_a_list_contradict() -> None:
    assert against((1, "4 Sockets"), (1, "Accept"), (1, "Bind"), (1, "Connect"), (1, "5 Names")) == 0.6


def test_a_list_that_starts_again_among_the_same_siblings_contradicts() -> None:
    assert against(*((1, f"{letter}. Title") for letter in "ABCABC")) == 0.5


def test_one_or_two_contradictions_show_nothing() -> None:
    assert against((1, "4 Sockets"), (1, "Accept"), (1, "Bind"), (1, "5 Names")) == 0.0


def test_chapters_inside_the_chapter_before_them_contradict_with_all_below_them() -> None:
    levels = ((1, "1 A"), (2, "1.1 B"), (2, "2 C"), (3, "2.1 D"), (2, "3 E"), (3, "3.1 F"))
    assert against(*levels) == pytest.approx(4 / 6)


def test_an_inserted_item_below_its_item_contradicts_nothing() -> None:
    levels = ((1, "Item 7. A"), (2, "Item 7A. B"), (1, "Item 8. C"), (1, "Item 9. D"), (2, "Item 9A. E"))
    assert against(*levels) == 0.0


def test_a_number_that_goes_on_at_another_level_contradicts() -> None:
    levels = ((1, "1. A"), (2, "x"), (3, "2. B"), (1, "y"), (2, "3. C"), (3, "z"), (4, "4. D"))
    assert against(*levels) == 0.75


def test_a_document_that_is_in_order_is_kept() -> None:
    assert dropped(["1 A", "2 B", "3 C"], [entry(f"{n} {'ABC'[n - 1]}", page=n) for n in (1, 2, 3)]) is None


def test_a_document_with_hardly_any_heading_is_dropped() -> None:
    assert dropped(["1 A", "2 B"], [entry("1 A"), entry("2 B")]) == "fewer than three headings listed"


def test_an_outline_in_reverse_order_is_dropped() -> None:
    texts = ["Alpha", "Beta", "Gamma", "Delta"]
    entries = [entry(text, page=page) for page, text in enumerate(texts, start=1)]
    assert dropped(texts, entries[::-1]) == "outline not in reading order"


def test_a_document_whose_titles_are_elsewhere_is_dropped() -> None:
    entries = [entry(title) for title in ("One thing", "Two others", "Three more")]
    assert dropped(["Alpha", "Beta", "Gamma"], entries) == "too few entries aligned"


def test_levels_against_the_numbers_throughout_are_dropped() -> None:
    texts = ["3 A", "3.1 B", "3.1.1 C", "3.1.2 D", "3.1.3 E"]
    entries = outline(*zip((1, 2, 2, 2, 2), texts, strict=True))
    assert dropped(texts, entries) == "levels contradict the numbering"


def test_an_outline_of_table_cells_is_dropped() -> None:
    titles = [entry(text, page=page) for page, text in enumerate(("Alpha", "Beta", "Gamma"), start=1)]
    cells = [entry(f"1,002,934,775.{n}", page=3) for n in range(10, 20)]
    assert dropped(["Alpha", "Beta", "Gamma"], titles + cells) == "table cells listed as headings"


def test_an_outline_of_source_text_is_dropped() -> None:
    titles = ["Alpha", ":::{profile} Beta", "roles: | Gamma", "Delta"]
    entries = [entry(title) for title in titles]
    assert dropped(titles, entries) == "markup listed as headings"


def test_lists_of_two_levels_as_siblings_are_merged() -> None:
    titles = ((1, "第一节 甲"), (2, "（一）乙"), (2, "（二）丙"), (2, "二、丁"), (2, "三、戊"))
    assert merged_list_share(listed_headings(outline(*titles), last_page=9).headings) == pytest.approx(0.8)


def test_chapters_and_appendices_are_not_merged() -> None:
    titles = ((1, "1 One"), (1, "2 Two"), (1, "A Three"), (1, "B Four"))
    assert merged_list_share(listed_headings(outline(*titles), last_page=9).headings) == 0
