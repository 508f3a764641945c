"""Outlines written by reading: marks, the boxes that are stored, and the titles that are read again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from research.outlines.store import Heading, headings_of_marks, outline_entries

from held.corpus.store import LabelledDocument
from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject
from held.metrics import Label
from held.tree import ROOT

STORED = {
    "pages": [
        {
            "runs": [
                [720, 1000, 2000, 1120, 0, "Chapter 1"],
                [720, 1200, 2000, 1320, 0, "Key  risks"],
                [720, 1400, 5000, 1520, 1, "Credit risk. Customers may"],
                [720, 1540, 5000, 1660, 1, "not pay."],
            ]
        }
    ]
}


def _object(text: str, y0: float, y1: float, x1: float = 500) -> PhysicalObject:
    return PhysicalObject(Kind.PARAGRAPH, text, (PageRegion(1, Box(72, y0, x1, y1)),))


@pytest.fixture
def labelled() -> LabelledDocument:
    objects = (
        _object("Chapter 1", 100, 112),
        _object("Key risks", 120, 132),
        _object("Credit risk. Customers may not pay.", 140, 166),
    )
    document = Document("made-up", (PageSize(595, 842),), objects)
    labels = (Label.BODY,) * len(objects)
    return LabelledDocument("made-up", document, labels, (ROOT,) * 3, (-1,) * 3)


def _entries(marks: str, labelled: LabelledDocument) -> list[list[object]]:
    headings = headings_of_marks(marks, labelled, STORED)
    return list(outline_entries(headings, STORED))


def test_a_title_is_read_from_the_runs_in_the_box_of_its_object(labelled: LabelledDocument) -> None:
    assert _entries("1 2\n", labelled) == [[2, "Key risks", 0, 1200]]


def test_objects_joined_by_a_plus_are_one_heading(labelled: LabelledDocument) -> None:
    assert _entries("0+1 1\n", labelled) == [[1, "Chapter 1 Key risks", 0, 1000]]


def test_a_run_in_title_is_the_beginning_of_its_paragraph(labelled: LabelledDocument) -> None:
    assert _entries("2 3 Credit risk.\n", labelled) == [[3, "Credit risk.", 0, 1400]]


def test_a_title_without_an_object_is_found_among_the_runs_of_its_page(labelled: LabelledDocument) -> None:
    assert _entries("@1 1 Key risks\n", labelled) == [[1, "Key risks", 0, 1200]]


def test_stored_headings_have_numbers_and_no_text(labelled: LabelledDocument) -> None:
    (heading,) = headings_of_marks("2 3 Credit risk.", labelled, STORED)
    assert heading == Heading(3, 0, 720, 1400, 5000, 1660, length=len("Creditrisk."))


@pytest.mark.parametrize("mark", ["2 3 Market risk", "9 1", "@1 1 Market risk", "@1 1", "one 1"])
def test_a_mark_that_fits_nothing_is_refused_with_its_line(mark: str, labelled: LabelledDocument) -> None:
    with pytest.raises(ValueError, match="made-up, line 2"):
        headings_of_marks(f"# a comment\n{mark}\n", labelled, STORED)


def test_outlines_written_by_reading_count_as_complete(labelled: LabelledDocument) -> None:
    assert replace(labelled, labels_from="read").complete
