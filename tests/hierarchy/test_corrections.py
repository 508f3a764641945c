"""What each operation does to a tree."""

from __future__ import annotations

import pytest

from held.errors import FormatError, UsageError
from held.hierarchy.corrections import OPERATIONS, Correction, effect_of
from held.hierarchy.edited_hierarchy import EditedHierarchy, Effect, HierarchyEditor, resolve_conflicts
from held.system.bounded_json import JsonValue
from tests.hierarchy.made_report import report

HARBOURS, DEPTH, DEPTH_TEXT, STAFF, STAFF_TEXT, TRAINS, TRACKS, _, SHEDS, _, NOTES, NOTES_TEXT = range(12)


@pytest.fixture(scope="module")
def editor() -> HierarchyEditor:
    return HierarchyEditor(report())


def corrected(editor: HierarchyEditor, *corrections: Correction) -> EditedHierarchy:
    effects: list[Effect] = []
    for correction in corrections:
        effects.append(effect_of(correction, editor.apply(effects)))
    return editor.apply(effects)


def test_the_report_is_read_as_it_is_meant(editor: HierarchyEditor) -> None:
    assert editor.apply([]).parents == {
        HARBOURS: None,
        DEPTH: HARBOURS,
        STAFF: HARBOURS,
        TRAINS: None,
        TRACKS: TRAINS,
        SHEDS: TRAINS,
    }


def test_a_promoted_heading_stands_beside_its_parent(editor: HierarchyEditor) -> None:
    assert corrected(editor, Correction("promote", STAFF)).parents[STAFF] is None


def test_a_demoted_heading_stands_below_the_one_before_it(editor: HierarchyEditor) -> None:
    assert corrected(editor, Correction("demote", STAFF)).parents[STAFF] == DEPTH


def test_what_is_promoted_and_demoted_again_is_where_it_was(editor: HierarchyEditor) -> None:
    there_and_back = corrected(editor, Correction("demote", SHEDS), Correction("promote", SHEDS))
    assert there_and_back.parents == editor.apply([]).parents


def test_a_moved_heading_stands_under_the_one_that_was_named(editor: HierarchyEditor) -> None:
    assert corrected(editor, Correction("move", SHEDS, under=HARBOURS)).parents[SHEDS] == HARBOURS


def test_a_deleted_heading_is_text_and_those_below_it_find_another_place(editor: HierarchyEditor) -> None:
    tree = corrected(editor, Correction("delete", TRAINS))
    assert TRAINS not in tree.parents
    assert {TRACKS, SHEDS} <= set(tree.parents)


def test_a_marked_object_is_a_heading(editor: HierarchyEditor) -> None:
    assert NOTES in corrected(editor, Correction("mark", NOTES)).parents


def test_marking_all_of_a_look_leaves_running_text_alone(editor: HierarchyEditor) -> None:
    tree = corrected(editor, Correction("mark", NOTES, same_style=True))
    assert set(tree.parents) - set(editor.apply([]).parents) == {NOTES}


def test_deleting_all_of_a_look_deletes_them_all(editor: HierarchyEditor) -> None:
    assert set(corrected(editor, Correction("delete", DEPTH, same_style=True)).parents) == {HARBOURS, TRAINS}


def test_moving_all_of_a_look_moves_each_under_a_parent_of_that_look(editor: HierarchyEditor) -> None:
    top = corrected(editor, Correction("move", DEPTH, same_style=True))
    assert all(parent is None for parent in top.parents.values())
    effect = effect_of(Correction("move", SHEDS, under=TRAINS, same_style=True), top)
    assert effect.overrides == {
        DEPTH: HARBOURS,
        STAFF: HARBOURS,
        TRACKS: TRAINS,
        SHEDS: TRAINS,
    }


def test_a_confirmed_heading_is_certain_where_it_stands(editor: HierarchyEditor) -> None:
    tree = corrected(editor, Correction("confirm", SHEDS))
    assert tree.parents == editor.apply([]).parents
    assert tree.hierarchy.certainty(SHEDS) == 1.0


def test_joined_pieces_are_one_heading(editor: HierarchyEditor) -> None:
    tree = corrected(editor, Correction("join", HARBOURS))
    assert tree.item(HARBOURS).text == "1 Harbours 1.1 Depth"
    assert DEPTH not in tree.edited.index_of
    assert tree.item(HARBOURS).box.y1 == report().objects[DEPTH].box.y1


def test_a_split_heading_is_followed_by_its_text(editor: HierarchyEditor) -> None:
    tree = corrected(editor, Correction("split", STAFF_TEXT, at=len("Forty pilots")))
    new = len(report().objects)
    assert (tree.item(STAFF_TEXT).text, tree.item(new).text[:13]) == ("Forty pilots", "work in shift")
    assert STAFF_TEXT in tree.parents
    assert new not in tree.parents
    assert tree.edited.numbers.index(new) == tree.edited.numbers.index(STAFF_TEXT) + 1


def test_a_renamed_heading_has_its_new_title_in_the_tree(editor: HierarchyEditor) -> None:
    assert corrected(editor, Correction("rename", SHEDS, text=" 2.2  Barns ")).item(SHEDS).text == "2.2 Barns"


def test_a_later_correction_wins_over_an_earlier_one(editor: HierarchyEditor) -> None:
    first = Correction("move", SHEDS, under=HARBOURS)
    tree = corrected(
        editor, first, Correction("move", TRAINS, under=None), Correction("move", TRACKS, under=TRAINS)
    )
    assert tree.parents[TRACKS] == TRAINS
    assert SHEDS in tree.parents


def test_of_two_places_that_contradict_each_other_the_later_holds() -> None:
    assert resolve_conflicts({3: 1, 2: 0}) == {3: "heading", 2: 0}
    assert resolve_conflicts({2: 0, 3: 1}) == {2: "heading", 3: 1}
    assert resolve_conflicts({1: 0, 0: "text"}) == {1: "heading", 0: "text"}


@pytest.mark.parametrize(
    ("correction", "message"),
    [
        (Correction("promote", HARBOURS), "at the top already"),
        (Correction("demote", HARBOURS), "no heading before it"),
        (Correction("demote", DEPTH_TEXT), "is not a heading"),
        (Correction("move", DEPTH, under=TRAINS), "comes before it"),
        (Correction("move", DEPTH, under=DEPTH_TEXT), "is not a heading"),
        (Correction("mark", DEPTH), "already"),
        (Correction("join", HARBOURS, other=TRAINS), "next one"),
        (Correction("join", NOTES_TEXT), "next one"),
        (Correction("split", DEPTH, at=0), "empty"),
        (Correction("split", DEPTH), "needs the character"),
        (Correction("rename", DEPTH, text="  "), "blank"),
        (Correction("delete", 99), "no object 99"),
    ],
)
def test_what_cannot_be_done_is_told(editor: HierarchyEditor, correction: Correction, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        effect_of(correction, editor.apply([]))


@pytest.mark.parametrize("op", OPERATIONS)
def test_a_correction_reads_back_as_it_was_written(op: str) -> None:
    correction = Correction(op, 3, under=1 if op == "move" else None, at=2, text="a", same_style=True)
    assert Correction.from_json(JsonValue(correction.to_json())) == correction


def test_an_unknown_operation_is_refused() -> None:
    with pytest.raises(FormatError, match="op must be one of promote"):
        Correction.from_json(JsonValue({"op": "explode", "object": 1}))


def test_a_corrected_heading_is_no_longer_up_for_review(editor: HierarchyEditor) -> None:
    delete = Correction("delete", TRAINS)
    for heading in corrected(editor, delete).review_order():
        confirmed = corrected(editor, delete, Correction("confirm", heading))
        assert heading not in confirmed.review_order()
