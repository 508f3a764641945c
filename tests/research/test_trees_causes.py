"""What paths are lost to, on trees of which one thing is wrong."""

from collections import Counter

import pytest
from research.trees import causes
from research.trees.causes import FALSE, MISSED, NUMBERS, OTHER, PARTS, RIGHT, STATEMENTS, TITLE, UNPRINTED
from research.trees.data import Case, prepare

from held.corpus.store import LabelledDocument
from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject, Style
from held.hierarchy.insertion import Insertion
from held.hierarchy.matching.nodes import MissingHeading
from held.metrics import Label
from held.tree import Tree

BODY = Style("Serif", 10.0)
TEXT = "Some text, as it goes."


def case(
    texts: list[str], parents: tuple[int, ...], *, domain: str = "manuals", missing: tuple[str, ...] = ()
) -> Case:
    """Headings and text; the parents of objects count on with headings that no object has."""
    objects = tuple(
        PhysicalObject(Kind.PARAGRAPH, text, (PageRegion(1, Box(72, 40, 300, 50)),), BODY, relative_size=1.0)
        for text in texts
    )
    labels = tuple(Label.BODY if text == TEXT else Label.HEADING for text in texts)
    document = Document("a", (PageSize(612, 792),), objects, body=BODY)
    gaps = tuple(MissingHeading(title, 1, 0, -1, 0) for title in missing)
    entries = (-1,) * len(objects)
    return prepare(
        LabelledDocument("a", document, labels, parents, entries, gaps, split="valid", domain=domain)
    )


def lost(one: Case, tree: str) -> Counter[str]:
    return causes.causes_of(one, Insertion(Tree.parse(tree), 0, 0.0, {}))


@pytest.mark.parametrize(
    ("texts", "parents", "tree", "expected"),
    [
        (["1 A", "1.1 B", TEXT], (-1, 0, 1), "(0 1)", {RIGHT: 3}),
        (["1 A", "1.1 B", TEXT], (-1, -1, 1), "(0 1)", {RIGHT: 1, NUMBERS: 2}),
        (["The whole", "1 A", TEXT], (-1, -1, 1), "(0 1)", {RIGHT: 1, TITLE: 2}),
        (["The whole", "1 A", TEXT], (-1, 0, 1), "0 1", {RIGHT: 1, TITLE: 2}),
        (["Part I A", "Chapter 1 B", TEXT], (-1, -1, 1), "(0 1)", {RIGHT: 1, PARTS: 2}),
        (["One", "Two", TEXT], (-1, -1, 1), "(0 1)", {RIGHT: 1, OTHER: 2}),
        (["One", "Two", TEXT], (-1, -1, 1), "0", {RIGHT: 1, MISSED: 2}),
        (["One", "Two", TEXT, TEXT], (-1, 0, 1, 1), "(0 (1 2))", {RIGHT: 3, FALSE: 1}),
    ],
)
def test_the_first_wrong_step_says_what_a_path_is_lost_to(
    texts: list[str], parents: tuple[int, ...], tree: str, expected: dict[str, int]
) -> None:
    assert lost(case(texts, parents), tree) == expected


def test_what_lies_under_a_heading_that_no_page_prints_is_lost_to_that() -> None:
    assert lost(case(["One", TEXT], (2, 0), missing=("Gone",)), "0") == {UNPRINTED: 3}


def test_statements_of_filings_are_told_from_other_titles() -> None:
    texts = ["Item 8. Statements", "Notes to Consolidated Financial Statements", TEXT]
    assert lost(case(texts, (-1, -1, 1), domain="en_fin"), "(0 1)") == {RIGHT: 1, STATEMENTS: 2}
    assert lost(case(texts, (-1, -1, 1)), "(0 1)") == {RIGHT: 1, OTHER: 2}


def test_the_table_has_the_share_of_each_kind() -> None:
    found = Insertion(Tree.parse("0"), 0, 0.0, {})
    table = causes.markdown(causes.causes([case(["One", TEXT], (-1, 0))], [found]))
    assert "| right | 1.000 |" in table
    assert f"| {MISSED} | .000 |" in table
