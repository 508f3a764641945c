"""Names of columns that stand above their table."""

from __future__ import annotations

import numpy as np
import pytest

from held.document import Box, Kind, PageRegion, PhysicalObject, Style
from held.headings.object_features import object_features
from held.headings.rules import RULES, apply_rules
from tests.headings.test_toc_features import document

RULE = [rule for rule in RULES if rule.name == "column header"]
BOLD = Style("Serif", 10.0, bold=True)


def over_a_table(text: str, *, x0: float = 400.0, gap: float = 2.0, centred: bool = False) -> float:
    """The probability of an object that was a likely heading, above a table from 72 to 540."""
    part = PageRegion(1, Box(x0, 100, x0 + 60, 112))
    head = PhysicalObject(Kind.PARAGRAPH, text, (part,), BOLD, centred=centred, gap_below=gap)
    below = PhysicalObject(Kind.TABLE, "", (PageRegion(1, Box(72, 112 + gap, 540, 300)),))
    table = object_features(document(head, below))
    return float(apply_rules(RULE, np.array([0.9, 0.0], np.float32), table, 0.35)[0])


def test_a_name_over_the_right_half_of_a_table_is_no_heading() -> None:
    assert over_a_table("Fiscal Year") == 0


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Fiscal Year", {"x0": 72.0}),
        ("Fiscal Year", {"gap": 30.0}),
        ("Fiscal Year", {"centred": True}),
        ("2. Fiscal Year", {}),
    ],
    ids=["at the left", "far above", "centred", "with a number"],
)
def test_a_title_above_a_table_stays_a_heading(text: str, place: dict[str, float]) -> None:
    assert over_a_table(text, **place) == pytest.approx(0.9)  # type: ignore[arg-type]


def test_an_empty_document_has_no_columns() -> None:
    table = object_features(document())
    assert not len(apply_rules(RULE, np.zeros(0, np.float32), table, 0.35))
