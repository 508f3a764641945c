"""What points elsewhere weighs less."""

import pytest

from held.document import Kind
from held.retrieval.page_types import BACK_MATTER, NOTE, prominence
from held.retrieval.passages import Passage

INDEX = "anchor, 12\nbasin, 4, 17\nharbour, 3\npilot, 21-23\ntide, 9"
TABLE = "anchor, 12\tbasin\t4, 17\nharbour\t3\tpilot, large\t21\ntide\t9\twreck\t30"
CONTENTS = "Tides . . . . . . . 3\nPilots . . . . . . . 9\nBasins . . . . . . . 14\nFees . . . . . . . 20"


@pytest.mark.parametrize(
    ("passage", "expected"),
    [
        (Passage("The tide is high.", Kind.PARAGRAPH, 1), 1.0),
        (Passage("Harbour dues\t120", Kind.TABLE, 1), 1.0),
        (Passage("See the tide tables.", Kind.FOOTNOTE, 1), NOTE),
        (Passage("Figure 3: The tide", Kind.CAPTION, 1), NOTE),
        (Passage("The tide, 2011.", Kind.PARAGRAPH, 1, path=("9 References",)), BACK_MATTER),
        (Passage("[4] J. Low. Tides. Journal of Harbours, 2011.", Kind.LIST_ITEM, 1), BACK_MATTER),
        (Passage("4. In 2011 the harbour was dredged.", Kind.LIST_ITEM, 1), 1.0),
        (Passage(INDEX, Kind.PARAGRAPH, 1), BACK_MATTER),
        (Passage(TABLE, Kind.TABLE, 1, path=("C Index", "B")), BACK_MATTER),
        (Passage(TABLE, Kind.TABLE, 1, path=("Fees",)), 1.0),
        (Passage(CONTENTS, Kind.PARAGRAPH, 1), BACK_MATTER),
    ],
)
def test_a_passage_has_this_factor(passage: Passage, expected: float) -> None:
    assert prominence(passage) == expected
