"""The rule of docs/research/retrieval.md, with its examples."""

import pytest
from research.retrieval.relevance import Evidence, relevant_passages

from held.document import Kind
from held.retrieval.passages import Passage

SENTENCE = "At the end of the year we ran 120 stores, after 118 the year before."
EVIDENCE = Evidence(7, f"Store count. {SENTENCE} Openings 5. Closures 3.")
CHANCE = "The year after, we want to open stores in the west and close some of the old ones in the north."


def passage(text: str, page: int = 7) -> Passage:
    return Passage(text, Kind.PARAGRAPH, page, pages=(page,))


@pytest.mark.parametrize(
    ("found", "relevant"),
    [
        (passage(SENTENCE), True),
        (passage("Closures 3"), False),
        (passage(CHANCE), False),
        (passage(f"{EVIDENCE.text} {'Other words of this page. ' * 60}"), True),
        (passage("At the end of the year we ran 120 stores", page=8), False),
    ],
)
def test_a_passage_is_judged_as_the_rule_says(found: Passage, relevant: bool) -> None:
    other = passage(EVIDENCE.text)
    assert relevant_passages([other, found], [EVIDENCE]).tolist() == [True, relevant]


def test_a_small_piece_of_long_evidence_is_not_relevant() -> None:
    long = Evidence(7, f"{EVIDENCE.text} {' '.join(map(str, range(200)))} see the notes to these statements")
    pieces = [passage("See the notes to these statements"), passage(" ".join(map(str, range(200))))]
    assert relevant_passages(pieces, [long]).tolist() == [False, True]


def test_where_nothing_fits_the_passage_with_most_of_the_evidence_is_relevant() -> None:
    found = [passage("Closures 3"), passage("Openings 5 Closures 3"), passage(SENTENCE, page=8)]
    assert relevant_passages(found, [EVIDENCE]).tolist() == [False, True, False]
