"""Two trees compared: as a value, as text, as JSON and as a page."""

from __future__ import annotations

import json
from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st

from held.corpus.store import LabelledDocument, side_of_labelled
from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject
from held.exports.comparison import comparison_html, comparison_text, comparison_to_json, side_of_outline
from held.exports.outline import OutlineLine
from held.hierarchy.matching.nodes import MissingHeading
from held.metrics import FaultKind, Label
from held.metrics.compare import HeadingState, Side, compare, side_of_tree
from held.tree import Tree


def document(*texts: str) -> Document:
    box = Box(0, 0, 1, 1)
    objects = (PhysicalObject(Kind.PARAGRAPH, text, (PageRegion(1, box),)) for text in texts)
    return Document("made", (PageSize(600, 800),), tuple(objects))


def tree_side(tree: str, headings: set[int], *texts: str) -> Side:
    objects = document(*texts).objects
    return side_of_tree("tree", Tree.parse(tree), headings=headings, objects=objects)


TEXTS = ("1 Scope", "It says.", "1.1 Terms", "They mean.", "2 Rules")
GOLD = tree_side("(0 1 (2 3)) 4", {0, 2, 4}, *TEXTS)


def outline_side(*lines: tuple[int, str]) -> Side:
    return side_of_outline(
        "outline", [OutlineLine(n, level, 1, title) for n, (level, title) in enumerate(lines, 1)]
    )


def test_the_same_trees_have_no_faults() -> None:
    comparison = compare(GOLD, GOLD)
    assert comparison.faults == ()
    assert {pair.state for pair in comparison.pairs} == {HeadingState.RIGHT}
    assert "Both trees are the same." in comparison_text(comparison)


def test_a_fault_and_what_it_dragged_along_are_told() -> None:
    comparison = compare(GOLD, tree_side("(0 1 2 3) 4", {0, 4}, *TEXTS))
    (fault,) = comparison.faults
    assert fault.kind is FaultKind.MISSED
    assert [pair.state for pair in comparison.pairs] == [
        HeadingState.RIGHT,
        HeadingState.FAULT,
        HeadingState.RIGHT,
    ]
    text = comparison_text(comparison)
    assert "1. missed heading, the first - page 1: 1.1 Terms" in text
    assert "belongs under  1 Scope" in text
    assert "dragged along 1 object of the body" in text


def test_a_heading_that_one_side_alone_has_stands_where_it_is_read() -> None:
    comparison = compare(GOLD, tree_side("(0 (1 (2 3))) 4", {0, 1, 2, 4}, *TEXTS))
    shown = [(pair.gold and pair.gold.title, pair.found and pair.found.title) for pair in comparison.pairs]
    assert shown[1] == (None, "It says.")
    assert shown[0] == ("1 Scope", "1 Scope")


def test_objects_that_were_recognised_apart_are_matched_by_page_and_text() -> None:
    other = tree_side("0 (1 2 (3 4)) 5", {1, 3, 5}, "A line more", *(text + " " for text in TEXTS))
    assert compare(GOLD, other).faults == ()


def test_against_an_outline_headings_alone_are_compared() -> None:
    comparison = compare(GOLD, outline_side((1, "1 Scope"), (1, "1.1 Terms"), (1, "2 Rules")))
    assert comparison.counts.paths.total == 3
    assert [fault.kind for fault in comparison.faults] == [FaultKind.BESIDE_PARENT]
    assert "all objects" not in comparison_text(comparison)


def test_an_outline_can_be_the_gold_one() -> None:
    assert compare(outline_side((1, "1 Scope"), (2, "1.1 Terms"), (1, "2 Rules")), GOLD).faults == ()


def test_a_level_of_an_outline_that_jumps_hangs_under_the_entry_before() -> None:
    assert str(outline_side((1, "A"), (4, "B"), (2, "C"), (1, "D")).truth.tree) == "(0 1 2) 3"


def labelled() -> LabelledDocument:
    labels = (Label.HEADING, Label.UNKNOWN, Label.BODY)
    missing = (MissingHeading("Lost", 1, 2, 0, 1),)
    made = document("1 Scope", "Perhaps", "Text.")
    return LabelledDocument("made", made, labels, (-1, 0, 3), (0, -1, -1), missing)


def test_a_labelled_document_brings_its_unknowns_and_its_missing_headings() -> None:
    found = tree_side("0 (1 2)", {0, 1}, "1 Scope", "Perhaps", "Text.")
    comparison = compare(side_of_labelled(labelled()), found)
    assert [fault.kind for fault in comparison.faults] == [FaultKind.LOST]
    assert [pair.state for pair in comparison.pairs] == [
        HeadingState.RIGHT,
        HeadingState.UNKNOWN,
        HeadingState.FAULT,
    ]
    assert "no object, the first - Lost" in comparison_text(comparison)


def test_a_labelled_document_can_be_the_found_one() -> None:
    comparison = compare(outline_side((1, "1 Scope"), (2, "Lost")), side_of_labelled(labelled()))
    assert [fault.kind for fault in comparison.faults] == [FaultKind.LOST]


def test_the_json_has_scores_faults_and_headings() -> None:
    value = comparison_to_json(compare(GOLD, tree_side("(0 1 2 3) 4", {0, 4}, *TEXTS)))
    value = json.loads(json.dumps(value, allow_nan=False))
    assert value["scores"]["heading_paths"] == {"right": 2, "total": 3}
    assert value["faults"][0]["belongs_under"] == "1 Scope"
    assert [heading["state"] for heading in value["headings"]] == ["right", "fault", "right"]


class _Rows(HTMLParser):
    """The classes of the table's rows, and the tags that are still open."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[str] = []
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        if tag == "tr" and dict(attrs).get("class"):
            self.rows.append(dict(attrs)["class"] or "")


def test_the_page_has_a_row_for_each_heading_and_nothing_from_elsewhere() -> None:
    page = comparison_html(compare(GOLD, tree_side("(0 1 2 3) 4", {0, 4}, *TEXTS)))
    parser = _Rows()
    parser.feed(page)
    assert parser.rows == ["right", "fault", "right"]
    assert "http://" not in page
    assert "https://" not in page


def test_titles_cannot_become_marks_of_the_page() -> None:
    wicked = ("<script>alert(1)</script>", *TEXTS[1:])
    gold = tree_side("(0 1 (2 3)) 4", {0, 2, 4}, *wicked)
    parser = _Rows()
    parser.feed(comparison_html(compare(gold, tree_side("0 1 (2 3 4)", {2}, *wicked))))
    assert parser.scripts == 1


@st.composite
def sides(draw: st.DrawFn) -> Side:
    lines = draw(st.lists(st.tuples(st.integers(1, 4), st.sampled_from("ABCDE")), max_size=8))
    return outline_side(*lines)


@settings(max_examples=50)
@given(sides(), sides())
def test_any_two_outlines_can_be_compared(gold: Side, found: Side) -> None:
    comparison = compare(gold, found)
    assert sum(pair.gold is not None for pair in comparison.pairs) == len(gold.objects)
    assert sum(pair.found is not None for pair in comparison.pairs) == len(found.objects)
    assert comparison_text(comparison)
    assert comparison_html(comparison)
