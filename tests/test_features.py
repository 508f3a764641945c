"""The features of preset `base`, on small documents that are easy to read."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject, Style
from held.headings.features import classifier_features, matrix
from held.headings.object_features import ObjectFeatures, object_features
from held.headings.texts import CLOSING, COLLECTION, OPINION, STATEMENT, key, shapes, title_kind
from held.headings.titles import all_titles, count_titles, hashes_of, title_features
from held.hierarchy.heading_features import IDS, NEVER, heading_features
from held.hierarchy.pairs import FEATURES, PositionFeatures
from held.hierarchy.positions import Ask
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
    rows, _ = outlines.features([Ask(0, Tree.parse(tree), c)])
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
    rows, _ = outlines.features([Ask(0, Tree.parse("(3 4)"), 5)])
    found = [dict(zip(FEATURES, row.tolist(), strict=True)) for row in rows]
    assert [row["closed_holds"] for row in found] == [1, 0, 0]
    assert [row["parent_holds_right"] for row in found] == [-9, 1, 0]


def test_without_printed_contents_nothing_must_stay_open() -> None:
    rows = compare(numbered("A", "B", "C"), "(0 1)", 2)
    assert [row["branch_holds"] for row in rows] == [0, 0, 0]


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


def barred(table: ObjectFeatures, tree: str, c: int, headings: Sequence[int] = ()) -> list[bool]:
    """Whether object c is barred from each position of a tree of headings, or of all objects."""
    outlines = PositionFeatures([heading_features(table, headings or range(len(table)))])
    at = outlines.positions([Ask(0, Tree.parse(tree), c)])
    return [bool(own) for own in outlines.penalties(at, outlines.features_at(at))]


def test_the_notes_never_lie_under_an_opinion_or_what_it_holds() -> None:
    table = numbered("Item 8", "Report of Independent Auditors", "Basis", "Notes to the Financial Statements")
    assert barred(table, "(0 (1 2))", 3) == [False, False, True, True]


@pytest.mark.parametrize(
    ("chapter", "section", "next_one"),
    [
        ("Chapter 18", "§ 38-1800.03. Dates", "Subchapter I. Reform"),
        ("Part I A", "Section 3 B", "Chapter 2 C"),
        ("第一章 总则", "第三条 范围", "第二章 职责"),
    ],
)
def test_chapters_and_subchapters_never_lie_under_a_section(
    chapter: str, section: str, next_one: str
) -> None:
    assert barred(numbered(chapter, section, next_one), "(0 1)", 2)[-1]
    assert not barred(numbered(chapter, section, "Remarks"), "(0 1)", 2)[-1]


def test_signatures_never_lie_under_an_item() -> None:
    table = numbered("Part IV", "Item 16. Form 10-K Summary", "Signatures")
    assert barred(table, "(0 1)", 2) == [False, False, True]


def test_nothing_lies_under_the_title_of_printed_contents() -> None:
    assert barred(numbered("Report", "Contents", "Aim"), "(0 1)", 2) == [False, False, True]


@pytest.mark.parametrize("title", ["Foreword", "引 言", "Acknowledgements"])
def test_no_numbered_chapter_lies_under_what_stands_in_front(title: str) -> None:
    assert barred(numbered(title, "1 Aim"), "0", 1) == [False, True]


def test_a_title_between_an_item_and_the_one_inserted_after_it_does_not_close_their_part() -> None:
    table = numbered("Part II", "Item 7. Results", "Footnotes", "Item 7A. Risks", "Item 8. Statements")
    assert barred(table, "(0 1)", 2) == [True, False, False]


@pytest.mark.parametrize(
    ("part", "below"),
    [
        ("Part II", "Item 5"),
        ("Part One", "Chapter 3 Sails"),
        ("第二编 船", "第三章 帆"),
        ("Chapter 3 Sails", "Subchapter I. Jibs"),
    ],
)
def test_what_parts_are_made_of_stays_in_the_part_that_is_open(part: str, below: str) -> None:
    assert barred(numbered("Report", part, "Ships", below), "(0 (1 2))", 3) == [True, True, False, False]


def test_a_part_that_holds_items_lies_under_nothing() -> None:
    assert barred(numbered("Highlights", "Part I", "Item 1. Business"), "0", 1) == [False, True]
    assert barred(numbered("Highlights", "Part I", "Chapter 1 Business"), "0", 1) == [False, False]


def test_a_part_may_follow_a_part() -> None:
    assert barred(numbered("Part I", "Part II"), "0", 1) == [False, False]


@pytest.mark.parametrize("again", ["审 计 报 告", "审计"])
def test_a_title_that_repeats_the_one_before_stays_with_it(again: str) -> None:
    table = numbered("第十节 财务报告", "一、审计报告", again)
    assert barred(table, "(0 1)", 2) == [True, False, False]


def test_a_number_frees_a_title_from_the_one_it_repeats() -> None:
    table = numbered("第十节 财务报告", "一、审计报告", "二、审计报告")
    assert barred(table, "(0 1)", 2) == [False, False, False]


def test_titles_of_the_same_words_without_numbers_may_stand_apart() -> None:
    table = numbered("Team", "Tasks", "What they do.", "Tasks")
    assert barred(table, "(0 1)", 3, headings=(0, 1, 3)) == [False, False, False]


def test_what_stands_in_front_may_have_parts_without_numbers() -> None:
    assert barred(numbered("Foreword", "Thanks"), "0", 1) == [False, False]


def test_a_numbered_foreword_may_have_numbered_parts() -> None:
    assert barred(numbered("1 Foreword", "1.1 Thanks"), "0", 1) == [False, False]


def test_printed_contents_close_no_section_that_the_next_heading_lies_under() -> None:
    assert barred(numbered("2 Types", "Contents", "2.1 Aim"), "0", 1) == [True, False]


def test_a_chinese_opinion_may_hold_the_notes() -> None:
    assert barred(numbered("审计报告", "财务报表附注"), "0", 1) == [False, False]


def test_a_title_without_a_number_never_parts_the_items_of_a_part() -> None:
    table = numbered("Part II", "Item 7. Discussion", "Outlook", "Results", "Item 8. Statements")
    assert barred(table, "(0 (1 2))", 3) == [True, False, False, False]


def test_a_title_without_a_number_never_parts_the_notes_that_a_title_collects() -> None:
    table = numbered("Report", "Notes to Financial Statements", "1. Policies", "Leases", "2. Debt")
    assert barred(table, "(0 (1 2))", 3) == [True, True, False, False]


def test_a_title_may_part_numbers_that_nothing_collects() -> None:
    table = numbered("Report", "Ships", "1. Sails", "Harbours", "2. Oars")
    assert barred(table, "(0 (1 2))", 3) == [False] * 4


def test_a_title_may_follow_the_last_of_the_notes() -> None:
    table = numbered("Report", "Notes to Financial Statements", "1. Policies", "Leases")
    assert barred(table, "(0 (1 2))", 3) == [False] * 4


@pytest.mark.parametrize(("word", "inserted"), [("Item 1.", "Item 1A."), ("Note 1.", "Note 2.")])
def test_no_item_or_note_lies_within_another(word: str, inserted: str) -> None:
    table = numbered("Part I", f"{word} Ships", "Sails", f"{inserted} Storms")
    assert barred(table, "(0 (1 2))", 3)[-3:] == [False, True, True]


def on_pages(*titles: str, headed: bool = True) -> ObjectFeatures:
    """A title and a text on each page; `headed`: it stands at the top."""
    found = []
    for page, title in enumerate(titles, 1):
        pieces = [obj(title, BOLD, page=page), obj("Text.", page=page)]
        found += pieces if headed else pieces[::-1]
    return object_features(document(*found))


EXHIBITED = ("Signatures", "Exhibit 10.1", "Plan", "Exhibit 21", "Ships")


def test_an_exhibit_at_the_head_of_a_page_lies_at_the_top() -> None:
    assert barred(on_pages(*EXHIBITED), "0", 2, headings=(0, 2)) == [False, True]


def test_what_follows_an_exhibit_lies_below_it_until_the_next() -> None:
    table = on_pages(*EXHIBITED)
    assert barred(table, "0 2", 4, headings=(0, 2, 4)) == [True, False]
    assert barred(table, "0 (2 4)", 6, headings=(0, 2, 4, 6)) == [False, True, True]


def test_an_exhibit_further_down_a_page_is_a_title_as_others() -> None:
    assert barred(on_pages(*EXHIBITED, headed=False), "1", 3, headings=(1, 3)) == [False, False]


def test_an_exhibit_with_a_title_may_be_that_of_a_figure() -> None:
    assert barred(on_pages("Growth", "Exhibit 1 Sales"), "0", 2, headings=(0, 2)) == [False, False]


@pytest.mark.parametrize("title", ["Part II", "Exhibit 24 Powers", "Item 9. Ships"])
def test_an_exhibit_may_end_where_others_begin(title: str) -> None:
    assert barred(on_pages("Exhibit 1", title), "0", 2, headings=(0, 2)) == [False, False]


def test_a_part_may_part_items_that_go_on() -> None:
    table = numbered("Part I", "Item 1. Business", "Part II", "Item 2. Properties")
    assert not barred(table, "(0 1)", 2)[0]


def test_a_heading_that_says_nothing_of_its_place_is_barred_from_none() -> None:
    assert barred(numbered("Ships", "Sails", "Oars"), "(0 1)", 2) == [False, False, False]


ITALIC = Style("Serif", 10.0, bold=True, italic=True)
OPENED = [("Ships", BOLD), ("Sails", ITALIC), ("Text.", BODY)]
"""A bold title, an italic one right below it, and what that one heads."""


def barred_in_looks(*objects: tuple[str, Style], tree: str) -> list[bool]:
    """Whether the last object is barred from each position of a tree of those before it that are titles."""
    table = object_features(document(*(obj(text, style) for text, style in objects)))
    headings = [place for place, (_, style) in enumerate(objects) if style is not BODY]
    return barred(table, tree, headings[-1], headings)


def test_a_title_whose_look_opens_another_is_no_sibling_of_that_one() -> None:
    found = barred_in_looks(*OPENED * 3, ("Oars", ITALIC), tree="(0 1) (3 4) (6 7)")
    assert found == [True, False, False]


def test_what_opens_a_title_lies_below_it_also_after_text() -> None:
    found = barred_in_looks(
        *OPENED * 3, ("Oars", BOLD), ("Text.", BODY), ("Rows", ITALIC), tree="(0 1) (3 4) (6 7) 9"
    )
    assert found == [True, False]


def test_looks_that_come_in_either_order_open_nothing() -> None:
    found = barred_in_looks(("Oars", ITALIC), *OPENED * 3, ("Oars", ITALIC), tree="0 (1 2) (4 5) (7 8)")
    assert found == [False, False, False]


def test_looks_that_follow_each_other_seldom_open_nothing() -> None:
    assert barred_in_looks(*OPENED * 2, ("Oars", ITALIC), tree="(0 1) (3 4)") == [False, False, False]


def test_a_number_says_more_than_looks() -> None:
    found = barred_in_looks(*OPENED * 3, ("2. Oars", ITALIC), tree="(0 1) (3 4) (6 7)")
    assert found == [False, False, False]


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
    assert [row["parent_prefix"] for row in rows] == [-9, 1, 1]
    assert [row["parent_immediate"] for row in rows] == [-9, 0, 1]


def test_an_inserted_item_follows_the_whole_one_before_it() -> None:
    table = numbered("Item 7. A", "Item 7A. B", "Item 8. C")
    assert compare(table, "0", 1)[0]["last_follows"] == 1
    assert compare(table, "0 1", 2)[0]["last_follows"] == 1


def test_the_chain_counts_ancestors_and_what_a_put_would_close() -> None:
    rows = compare(numbered("A", "B", "C"), "(0 1)", 2)
    assert [row["above_look"] for row in rows] == [0, 1, 2]
    assert [row["closed_look"] for row in rows] == [2, 1, 0]


def test_the_style_table_says_what_stands_between_what() -> None:
    looks = [BOLD, BODY, BODY, BOLD, BODY]
    table = object_features(document(*(obj("Title", look) for look in looks)))
    between = heading_features(table, range(5)).between
    assert between[0, 1] == 1
    assert between[1, 0] == 0.5


def test_several_documents_are_compared_in_one_call_as_if_alone() -> None:
    tables = [numbered("1 A", "1.1 B", "2 C"), numbered("I. X", "Y", "II. Z")]
    outlines = [heading_features(table, range(3)) for table in tables]
    together, counts = PositionFeatures(outlines).features([Ask(d, Tree.parse("(0 1)"), 2) for d in (0, 1)])
    alone = [PositionFeatures([o]).features([Ask(0, Tree.parse("(0 1)"), 2)])[0] for o in outlines]
    assert counts.tolist() == [3, 3]
    assert np.array_equal(together, np.concatenate(alone))


def test_what_was_asked_before_changes_no_features() -> None:
    outline = heading_features(numbered("1 One", "1.1 Two", "1.2 Three", "2 Four", "2.1 Five"), range(5))
    known = PositionFeatures([outline])
    for tree in ("", "0", "(0 1)", "(0 1 2)", "(0 1 2) 3", "0 1 2 3"):
        ask = Ask(0, Tree.parse(tree), 4)
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
    ids = IDS.named(heading_features(object_features(document(centred, left, left, wide)), range(4)).ids)
    assert len(set(ids["klass"].tolist())) == 1
    first, *others = ids["aligned"].tolist()
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
    assert outline.after.tolist() == [1, NEVER, 3, 4, NEVER]
