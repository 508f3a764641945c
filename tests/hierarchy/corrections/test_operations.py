"""What each operation does to a tree."""

from __future__ import annotations

import pytest

from held.errors import FormatError, UsageError
from held.hierarchy.corrections.desk import Desk, Laid
from held.hierarchy.corrections.doubts import by_cost_of_doubt
from held.hierarchy.corrections.effects import Effect, consistent
from held.hierarchy.corrections.operations import OPERATIONS, Correction, resolved
from held.system.json_values import JsonValue
from tests.hierarchy.corrections.made_report import report

HARBOURS, DEPTH, DEPTH_TEXT, STAFF, STAFF_TEXT, TRAINS, TRACKS, _, SHEDS, _, NOTES, NOTES_TEXT = range(12)


@pytest.fixture(scope="module")
def desk() -> Desk:
    return Desk(report())


def corrected(desk: Desk, *corrections: Correction) -> Laid:
    effects: list[Effect] = []
    for correction in corrections:
        effects.append(resolved(correction, desk.after(effects)))
    return desk.after(effects)


def test_the_report_is_read_as_it_is_meant(desk: Desk) -> None:
    assert desk.after([]).parents == {
        HARBOURS: None,
        DEPTH: HARBOURS,
        STAFF: HARBOURS,
        TRAINS: None,
        TRACKS: TRAINS,
        SHEDS: TRAINS,
    }


def test_a_promoted_heading_stands_beside_its_parent(desk: Desk) -> None:
    assert corrected(desk, Correction("promote", STAFF)).parents[STAFF] is None


def test_a_demoted_heading_stands_below_the_one_before_it(desk: Desk) -> None:
    assert corrected(desk, Correction("demote", STAFF)).parents[STAFF] == DEPTH


def test_what_is_promoted_and_demoted_again_is_where_it_was(desk: Desk) -> None:
    there_and_back = corrected(desk, Correction("demote", SHEDS), Correction("promote", SHEDS))
    assert there_and_back.parents == desk.after([]).parents


def test_a_moved_heading_stands_under_the_one_that_was_named(desk: Desk) -> None:
    assert corrected(desk, Correction("move", SHEDS, under=HARBOURS)).parents[SHEDS] == HARBOURS


def test_a_deleted_heading_is_text_and_those_below_it_find_another_place(desk: Desk) -> None:
    laid = corrected(desk, Correction("delete", TRAINS))
    assert TRAINS not in laid.parents
    assert {TRACKS, SHEDS} <= set(laid.parents)


def test_a_marked_object_is_a_heading(desk: Desk) -> None:
    assert NOTES in corrected(desk, Correction("mark", NOTES)).parents


def test_marking_all_of_a_look_leaves_running_text_alone(desk: Desk) -> None:
    laid = corrected(desk, Correction("mark", NOTES, alike=True))
    assert set(laid.parents) - set(desk.after([]).parents) == {NOTES}


def test_deleting_all_of_a_look_deletes_them_all(desk: Desk) -> None:
    assert set(corrected(desk, Correction("delete", DEPTH, alike=True)).parents) == {HARBOURS, TRAINS}


def test_moving_all_of_a_look_moves_each_under_a_parent_of_that_look(desk: Desk) -> None:
    top = corrected(desk, Correction("move", DEPTH, alike=True))
    assert all(parent is None for parent in top.parents.values())
    effect = resolved(Correction("move", SHEDS, under=TRAINS, alike=True), top)
    assert effect.places == {
        DEPTH: HARBOURS,
        STAFF: HARBOURS,
        TRACKS: TRAINS,
        SHEDS: TRAINS,
    }


def test_a_confirmed_heading_is_certain_where_it_stands(desk: Desk) -> None:
    laid = corrected(desk, Correction("confirm", SHEDS))
    assert laid.parents == desk.after([]).parents
    assert laid.hierarchy.certainty(SHEDS) == 1.0


def test_joined_pieces_are_one_heading(desk: Desk) -> None:
    laid = corrected(desk, Correction("join", HARBOURS))
    assert laid.item(HARBOURS).text == "1 Harbours 1.1 Depth"
    assert DEPTH not in laid.edited.index_of
    assert laid.item(HARBOURS).box.y1 == report().objects[DEPTH].box.y1


def test_a_split_heading_is_followed_by_its_text(desk: Desk) -> None:
    laid = corrected(desk, Correction("split", STAFF_TEXT, at=len("Forty pilots")))
    new = len(report().objects)
    assert (laid.item(STAFF_TEXT).text, laid.item(new).text[:13]) == ("Forty pilots", "work in shift")
    assert STAFF_TEXT in laid.parents
    assert new not in laid.parents
    assert laid.edited.numbers.index(new) == laid.edited.numbers.index(STAFF_TEXT) + 1


def test_a_renamed_heading_has_its_new_title_in_the_tree(desk: Desk) -> None:
    assert corrected(desk, Correction("rename", SHEDS, text=" 2.2  Barns ")).item(SHEDS).text == "2.2 Barns"


def test_a_later_correction_wins_over_an_earlier_one(desk: Desk) -> None:
    first = Correction("move", SHEDS, under=HARBOURS)
    laid = corrected(
        desk, first, Correction("move", TRAINS, under=None), Correction("move", TRACKS, under=TRAINS)
    )
    assert laid.parents[TRACKS] == TRAINS
    assert SHEDS in laid.parents


def test_of_two_places_that_contradict_each_other_the_later_holds() -> None:
    assert consistent({3: 1, 2: 0}) == {3: "heading", 2: 0}
    assert consistent({2: 0, 3: 1}) == {2: "heading", 3: 1}
    assert consistent({1: 0, 0: "text"}) == {1: "heading", 0: "text"}


@pytest.mark.parametrize(
    ("correction", "message"),
    [
        (Correction("promote", HARBOURS), "at the top already"),
        (Correction("demote", HARBOURS), "no heading before it"),
        (Correction("demote", DEPTH_TEXT), "is no heading"),
        (Correction("move", DEPTH, under=TRAINS), "comes before it"),
        (Correction("move", DEPTH, under=DEPTH_TEXT), "is no heading"),
        (Correction("mark", DEPTH), "already"),
        (Correction("join", HARBOURS, other=TRAINS), "next one"),
        (Correction("join", NOTES_TEXT), "next one"),
        (Correction("split", DEPTH, at=0), "empty"),
        (Correction("split", DEPTH), "needs the character"),
        (Correction("rename", DEPTH, text="  "), "blank"),
        (Correction("delete", 99), "no object 99"),
    ],
)
def test_what_cannot_be_done_is_told(desk: Desk, correction: Correction, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        resolved(correction, desk.after([]))


@pytest.mark.parametrize("op", OPERATIONS)
def test_a_correction_reads_back_as_it_was_written(op: str) -> None:
    correction = Correction(op, 3, under=1 if op == "move" else None, at=2, text="a", alike=True)
    assert Correction.from_json(JsonValue(correction.to_json())) == correction


def test_an_unknown_operation_is_refused() -> None:
    with pytest.raises(FormatError, match="op must be one of promote"):
        Correction.from_json(JsonValue({"op": "explode", "object": 1}))


def test_fixed_headings_are_doubted_no_more(desk: Desk) -> None:
    marked = corrected(desk, Correction("delete", TRAINS))
    for heading in by_cost_of_doubt(marked):
        assert heading not in by_cost_of_doubt(
            corrected(desk, Correction("delete", TRAINS), Correction("confirm", heading))
        )
