from research.benchmarks.tools.markdown import Heading
from research.benchmarks.tools.score import (
    Listed,
    TrueHeadings,
    Unlisted,
    ancestors_of,
    is_excused,
    matches,
    score,
    true_headings,
)

from held.corpus.store import Origin, label_document
from held.document import Box, Document, Kind, OutlineEntry, PageRegion, PageSize, PhysicalObject
from held.hierarchy.matching.outline import listed_headings
from held.metrics import Matches

TRUTH = TrueHeadings(
    (
        Listed(("1 Markets",), 1, -1),
        Listed(("1.1 Prices",), 2, 0),
        Listed(("1.2 Costs",), 4, 0),
        Listed(("2 Outlook",), 5, -1),
    ),
    (Unlisted("Prices of raw materials", 2),),
)
PERFECT = [
    Heading(1, "1 Markets", 1),
    Heading(2, "1.1 Prices", 2),
    Heading(2, "1.2 Costs", 4),
    Heading(1, "2 Outlook", 5),
]


def test_a_perfect_outline_scores_all() -> None:
    assert score(PERFECT, TRUTH) == (Matches(4, 4, 4), Matches(4, 4, 4))


def test_nothing_found_is_all_missed() -> None:
    assert score([], TRUTH) == (Matches(0, 4, 0), Matches(0, 4, 0))


def test_headings_of_one_level_are_found_but_have_no_path() -> None:
    flat = [heading._replace(level=2) for heading in PERFECT]
    assert score(flat, TRUTH) == (Matches(4, 4, 4), Matches(2, 4, 4))


def test_levels_count_by_their_order_not_by_their_number() -> None:
    deeper = [heading._replace(level=heading.level * 2 + 1) for heading in PERFECT]
    assert score(deeper, TRUTH).paths.f1 == 1


def test_a_missed_heading_spoils_the_paths_below_it() -> None:
    assert score(PERFECT[1:], TRUTH) == (Matches(3, 4, 3), Matches(1, 4, 3))


def test_a_false_heading_spoils_the_paths_below_it() -> None:
    found = [PERFECT[0], Heading(2, "see the next page", 1), Heading(3, "1.1 Prices", 2), *PERFECT[2:]]
    assert score(found, TRUTH) == (Matches(4, 4, 5), Matches(3, 4, 5))


def test_an_unlisted_heading_counts_against_nobody_and_is_in_no_path() -> None:
    found = [*PERFECT[:2], Heading(2, "Prices of raw materials", 2), Heading(3, "1.2 Costs", 4), PERFECT[3]]
    assert score(found, TRUTH) == (Matches(4, 4, 4), Matches(4, 4, 4))


def test_number_case_and_spaces_are_aside() -> None:
    found = [Heading(1, "MARKETS", 1), Heading(1, "1.1Prices", 2)]
    assert matches(found, TRUTH.listed) == {0: 0, 1: 1}


def test_another_number_is_another_heading() -> None:
    assert matches([Heading(1, "1.3 Costs", 4)], TRUTH.listed) == {}


def test_a_page_before_or_after_is_near_enough_and_two_are_not() -> None:
    assert matches([Heading(1, "1.2 Costs", 3)], TRUTH.listed) == {0: 2}
    assert matches([Heading(1, "1.2 Costs", 2)], TRUTH.listed) == {}


def test_a_tool_that_tells_no_pages_may_match_on_any() -> None:
    assert matches([Heading(1, "1.2 Costs", None)], TRUTH.listed) == {0: 2}


def test_a_heading_counts_once_and_on_its_own_page_first() -> None:
    assert matches([Heading(1, "2 Outlook", 6), Heading(1, "2 Outlook", 5)], TRUTH.listed) == {1: 3}


def test_a_piece_of_a_listed_heading_on_its_page_is_excused() -> None:
    assert is_excused(Heading(1, "Mar", 1), TRUTH)
    assert not is_excused(Heading(1, "Mar", 2), TRUTH)


def test_a_listed_heading_given_twice_is_not_excused() -> None:
    assert not is_excused(Heading(1, "1 Markets", 1), TRUTH)


def test_a_paragraph_is_not_excused_by_an_unlisted_heading_that_it_holds() -> None:
    assert not is_excused(Heading(1, "Prices of raw materials " + "rose again " * 5, 2), TRUTH)


def test_ancestors_are_the_nearest_with_smaller_levels() -> None:
    assert ancestors_of([2, 4, 3, 1, 6]) == [[], [0], [0], [], [3]]


def test_the_first_pages_keep_only_their_truth() -> None:
    assert TRUTH.up_to(2) == TrueHeadings(TRUTH.listed[:2], TRUTH.unlisted)


def test_a_heading_is_cut_with_the_one_above_it_and_places_move_up() -> None:
    listed = (Listed(("A",), 9, -1), Listed(("A.1",), 1, 0), Listed(("B",), 1, -1), Listed(("B.1",), None, 2))
    assert TrueHeadings(listed).up_to(3).listed == (Listed(("B",), 1, -1), Listed(("B.1",), None, 0))


def test_the_truth_has_the_listed_and_the_printed_title_and_the_page_of_the_object() -> None:
    parts = (PageRegion(2, Box(0, 10, 100, 20)),)
    document = Document("a", (PageSize(600, 800),) * 2, (PhysicalObject(Kind.PARAGRAPH, "3 Costs", parts),))
    outline = [OutlineEntry(1, "Costs", 1, None), OutlineEntry(2, "Lost words", 2, None)]
    listed = listed_headings([*outline, OutlineEntry(1, "Gone", 2, None)], last_page=2).headings
    labelled = label_document(document, [*outline, OutlineEntry(1, "Gone", 2, None)], Origin("a"))
    assert true_headings(labelled, listed).listed == (
        Listed(("Costs", "3 Costs"), 2, -1),
        Listed(("Lost words",), 2, 0),
        Listed(("Gone",), 2, -1),
    )
