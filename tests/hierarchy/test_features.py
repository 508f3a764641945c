"""The features of preset `base`, on small documents that are easy to read."""

from dataclasses import replace

import numpy as np
import pytest

from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject, Style
from held.headings.classifier import classifier_features, matrix
from held.headings.object_features import ObjectFeatures, object_features
from held.headings.text_features import (
    CLOSING,
    COLLECTION,
    OPINION,
    STATEMENT,
    all_titles,
    count_titles,
    hashes_of,
    key,
    shapes,
    title_features,
    title_kind,
)
from held.hierarchy.heading_features import IDS, NO_NEXT_ROW, heading_features
from held.hierarchy.insertion import Question
from held.hierarchy.position_features import FEATURES, PositionFeatures
from held.tree import Tree

BODY = Style("Serif", 10.0)
BOLD = Style("Serif", 12.0, bold=True)


def obj(
    text: str, style: Style = BODY, *, kind: Kind = Kind.PARAGRAPH, page: int = 1, x0: float = 72.0
) -> PhysicalObject:
    part = PageRegion(page, Box(x0, 100, 400, 112))
    return PhysicalObject(kind, text, (part,), style, relative_size=style.size / 10)


def document(*objects: PhysicalObject) -> Document:
    return Document("test", (PageSize(612, 792),) * 9, objects, body=BODY)


def numbered(*texts: str) -> ObjectFeatures:
    return object_features(document(*(obj(text, BOLD) for text in texts)))


def compare(table: ObjectFeatures, tree: str, c: int) -> list[dict[str, float]]:
    """The features of object c at each position of a tree of the objects before it."""
    outlines = PositionFeatures([heading_features(table, range(len(table)))])
    rows, _ = outlines.features([Question.about(0, Tree.parse(tree), c)])
    return [dict(zip(FEATURES, row.tolist(), strict=True)) for row in rows]


def test_titles_are_compared_by_letters_and_digits_alone() -> None:
    assert key("１.2  The “End”") == key("1.2 the end")


def test_the_shape_of_a_text_is_counted_by_character_class() -> None:
    columns = shapes(["ABC def 12", "目录"])
    assert columns["upper_share"][0] == pytest.approx(0.3)
    assert columns["cjk_share"][1] == 1


def test_an_empty_text_has_a_shape() -> None:
    assert all(np.isfinite(column).all() for column in shapes(["", "a"]).values())


def test_an_object_named_by_the_printed_contents_knows_its_entry_and_level() -> None:
    entries = [obj("1 Start", kind=Kind.CONTENTS_ENTRY), obj("1.1 Aim", kind=Kind.CONTENTS_ENTRY, x0=90)]
    table = object_features(document(*entries, obj("1 Start", BOLD), obj("Aim", BOLD), obj("Other")))
    assert table["in_contents"].tolist() == [0, 0, 2, 1, 0]
    assert table["contents_level"].tolist() == [0, 0, 1, 2, 0]


def listed(*entries: tuple[str, float], headings: tuple[str, ...]) -> ObjectFeatures:
    """The table of some headings after the entries of printed contents, which are no headings."""
    contents = [obj(text, kind=Kind.CONTENTS_ENTRY, x0=x0) for text, x0 in entries]
    return object_features(document(*contents, *(obj(text, BOLD) for text in headings)))


def test_what_holds_the_next_listed_heading_by_the_contents_must_stay_open() -> None:
    table = listed(("Ships", 72), ("Sails", 90), ("Oars", 90), headings=("Ships", "Sails", "Rigging", "Oars"))
    outlines = PositionFeatures([heading_features(table, range(3, 7))])
    rows, _ = outlines.features([Question.about(0, Tree.parse("(3 4)"), 5)])
    found = [dict(zip(FEATURES, row.tolist(), strict=True)) for row in rows]
    assert [row["closed_must_stay_open"] for row in found] == [1, 0, 0]
    assert [row["parent_must_stay_open_first"] for row in found] == [-9, 1, 0]


def test_without_printed_contents_nothing_must_stay_open() -> None:
    rows = compare(numbered("A", "B", "C"), "(0 1)", 2)
    assert [row["branch_must_stay_open"] for row in rows] == [0, 0, 0]


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Notes to the Consolidated Financial Statements", COLLECTION),
        ("财务报表附注", COLLECTION),
        ("Report of Independent Registered Public Accounting Firm", OPINION),
        ("Consolidated Balance Sheets", STATEMENT),
        ("Power of Attorney", CLOSING),
        ("Notation", 0),
    ],
)
def test_a_title_can_say_what_it_heads(title: str, kind: int) -> None:
    assert title_kind(key(title)) == kind


def test_the_chain_knows_a_collection_above_a_position() -> None:
    rows = compare(numbered("Notes to the Statements", "Note 1 Basis", "Note 2 Revenue"), "(0 1)", 2)
    assert [row["above_collects"] for row in rows] == [0, 1, 1]


def test_a_running_head_names_the_heading_that_it_repeats() -> None:
    head = PhysicalObject(Kind.HEADER, "12 Results", (PageRegion(2, Box(72, 20, 200, 30)),))
    base = document(obj("Results", BOLD), obj("Text."))
    table = object_features(Document("test", base.pages, base.objects, (head, head), BODY))
    assert table["in_running_head"].tolist() == [2, 0]


def test_numbers_know_how_far_the_number_before_them_is() -> None:
    table = numbered("1. A", "text", "text", "2. B")
    assert table["before_same"][3] == pytest.approx(np.log(3))
    assert table["after_any"][0] == pytest.approx(np.log(3))


def test_a_table_is_no_candidate_for_a_heading() -> None:
    table = object_features(document(obj("1. A"), obj("1. A", kind=Kind.TABLE)))
    assert table.candidates.tolist() == [True, False]


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_documents_of_any_length_have_finite_features(count: int) -> None:
    table = numbered(*["1.1 Title"] * count)
    found = matrix(classifier_features(table))
    assert found.shape[0] == count
    assert np.isfinite(found).all()


def test_a_number_follows_the_last_sibling_of_the_right_position_only() -> None:
    rows = compare(numbered("1 A", "1.1 B", "2 C"), "(0 1)", 2)
    assert [row["last_follows"] for row in rows] == [1, 0, -9]


def test_a_dotted_number_lies_under_its_prefix() -> None:
    rows = compare(numbered("1 A", "1.1 B", "1.1.1 C"), "(0 1)", 2)
    assert [row["parent_number_under"] for row in rows] == [-9, 1, 1]
    assert [row["parent_number_right_under"] for row in rows] == [-9, 0, 1]


def test_an_inserted_item_follows_the_whole_one_before_it() -> None:
    table = numbered("Item 7. A", "Item 7A. B", "Item 8. C")
    assert compare(table, "0", 1)[0]["last_follows"] == 1
    assert compare(table, "0 1", 2)[0]["last_follows"] == 1


def test_the_chain_counts_ancestors_and_what_a_put_would_close() -> None:
    rows = compare(numbered("A", "B", "C"), "(0 1)", 2)
    assert [row["above_same_style"] for row in rows] == [0, 1, 2]
    assert [row["closed_same_style"] for row in rows] == [2, 1, 0]


def test_the_style_table_says_what_stands_between_what() -> None:
    looks = [BOLD, BODY, BODY, BOLD, BODY]
    table = object_features(document(*(obj("Title", look) for look in looks)))
    between = heading_features(table, range(5)).between
    assert between[0, 1] == 1
    assert between[1, 0] == 0.5


def test_several_documents_are_compared_in_one_call_as_if_alone() -> None:
    tables = [numbered("1 A", "1.1 B", "2 C"), numbered("I. X", "Y", "II. Z")]
    outlines = [heading_features(table, range(3)) for table in tables]
    together, counts = PositionFeatures(outlines).features(
        [Question.about(d, Tree.parse("(0 1)"), 2) for d in (0, 1)]
    )
    alone = [PositionFeatures([o]).features([Question.about(0, Tree.parse("(0 1)"), 2)])[0] for o in outlines]
    assert counts.tolist() == [3, 3]
    assert np.array_equal(together, np.concatenate(alone))


def test_what_was_asked_before_changes_no_features() -> None:
    outline = heading_features(numbered("1 One", "1.1 Two", "1.2 Three", "2 Four", "2.1 Five"), range(5))
    known = PositionFeatures([outline])
    for tree in ("", "0", "(0 1)", "(0 1 2)", "(0 1 2) 3", "0 1 2 3"):
        ask = Question.about(0, Tree.parse(tree), 4)
        np.testing.assert_array_equal(
            known.features([ask, ask])[0], PositionFeatures([outline]).features([ask, ask])[0]
        )


def test_features_do_not_depend_on_how_large_the_document_is_printed() -> None:
    small = numbered("1 A", "1.1 B")
    large = object_features(
        Document(
            "test",
            (PageSize(612, 792),) * 9,
            tuple(obj(t, Style("Serif", 24.0, bold=True)) for t in ("1 A", "1.1 B")),
            body=Style("Serif", 20.0),
        )
    )
    assert small["heavier"].tolist() == large["heavier"].tolist()
    assert small["pattern"].tolist() == large["pattern"].tolist()


def test_a_title_that_other_groups_use_is_known_and_ones_own_use_does_not_count() -> None:
    hashes = hashes_of(numbered("1 Scope", "2 Terms"))
    labels = np.array([1, 0], np.int8)
    groups = count_titles((name, hashes, labels) for name in "abc")
    titles = all_titles(groups.values())
    assert title_features(hashes, titles)["title_as_heading"].tolist() == pytest.approx([np.log(4), 0])
    own = title_features(hashes, titles, groups["a"])
    assert own["title_as_heading"].tolist() == pytest.approx([np.log(3), 0])
    assert own["title_as_text"].tolist() == pytest.approx([0, np.log(3)])


def test_without_known_titles_nothing_is_known() -> None:
    found = title_features(hashes_of(numbered("1 Scope")), all_titles([]))
    assert found["title_as_heading"].tolist() == [0]


def test_titles_set_alike_are_told_apart_by_their_side_and_a_wide_one_is_as_most_are() -> None:
    wide = obj("Duties", BOLD)
    centred = replace(wide, centred=True)
    left = replace(wide, parts=(PageRegion(1, Box(72, 100, 172, 112)),))
    ids = IDS.records(heading_features(object_features(document(centred, left, left, wide)), range(4)).ids)
    assert len(set(ids["style_class"].tolist())) == 1
    first, *others = ids["class_by_side"].tolist()
    assert first not in others
    assert len(set(others)) == 1


def test_a_part_ranks_above_a_chapter_that_is_set_alike() -> None:
    rows = compare(numbered("Part I A", "Chapter 1 B"), "0", 1)
    assert [row["parent_rank_step"] for row in rows] == [-9, 1]
    assert [row["last_rank_step"] for row in rows] == [1, -9]


def test_a_put_that_would_break_a_list_or_part_the_next_heading_from_its_chapter_is_seen() -> None:
    rows = compare(numbered("1 A", "1.1 B", "Contents", "1.2 C"), "(0 1)", 2)
    assert [row["closed_goes_on"] for row in rows] == [1, 1, 0]
    assert [row["closed_next_under"] for row in rows] == [1, 0, 0]


def test_a_list_that_starts_anew_does_not_go_on_in_the_new_one() -> None:
    outline = heading_features(numbered("1. A", "2. B", "1. C", "2. D", "3. E"), range(5))
    assert outline.after.tolist() == [1, NO_NEXT_ROW, 3, 4, NO_NEXT_ROW]
