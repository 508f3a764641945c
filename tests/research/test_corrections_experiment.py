"""The person who corrects outlines by script."""

from research.corrections.person import Effort, correction_for, highest_wrong, wrong_headings
from research.corrections.run import Person, correct_all
from research.corrections.strategies import KeepRest, ReinsertRest

from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject, Style
from held.hierarchy.corrections import Correction

TRUE = {0: None, 1: 0, 2: 1, 5: None}
BODY, HEAD = Style("Serif", 10.0), Style("Sans", 14.0, bold=True)


def document(*texts: str) -> Document:
    objects = [
        PhysicalObject(
            Kind.PARAGRAPH,
            text,
            (PageRegion(1, Box(72, 40.0 * place, 300, 40.0 * place + 14)),),
            HEAD if text[0].isdigit() else BODY,
            relative_size=1.4 if text[0].isdigit() else 1.0,
            lines=1 if text[0].isdigit() else 4,
        )
        for place, text in enumerate(texts, start=1)
    ]
    return Document("a.pdf", (PageSize(612, 792),), tuple(objects), body=BODY)


def test_a_heading_below_a_wrong_one_is_wrong() -> None:
    assert wrong_headings({0: None, 1: None, 2: 1, 5: None}, TRUE) == [1, 2]


def test_an_unlisted_heading_does_not_count() -> None:
    assert wrong_headings({0: None, 1: 0, 2: 1, 3: 1, 4: None, 5: 4}, TRUE) == []


def test_a_heading_that_is_missing_is_marked_and_a_misplaced_one_moved() -> None:
    assert correction_for(2, {0: None, 1: 0}, TRUE) == Correction("mark", 2)
    assert correction_for(2, {0: None, 1: 0, 2: None}, TRUE) == Correction("move", 2, under=1)


def test_what_is_above_is_corrected_first() -> None:
    assert highest_wrong(2, TRUE, [1, 2]) == 1


def test_an_effort_counts_keys() -> None:
    effort = Effort().after(Correction("mark", 1), 3).after(Correction("mark", 2, same_style=True), 0)
    assert (effort.corrections, effort.of_a_look, effort.keys, effort.left) == (2, 1, 5, (3, 0))


def test_both_ways_reach_a_perfect_outline() -> None:
    text = "A paragraph that goes on for some lines, as the text of a report does, before the next heading."
    outline = document("1 One", text, "1.1 Depth", text, "2 Two", text, "2.1 Tracks", text)
    true = {0: None, 2: None, 4: None, 6: 4}
    for strategy in (ReinsertRest(outline), KeepRest(outline)):
        effort = correct_all(strategy, strategy.start(), true, Person(type(strategy)))
        assert effort.left[-1:] in ((), (0,))
