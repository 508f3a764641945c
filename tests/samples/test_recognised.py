"""What is recognised on the sample reports, against what their maker says is there."""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest
from samples.make import HERE, REPORTS

from held.document import Document, Kind, PhysicalObject
from held.layout.recognise import recognise
from held.reading.read_pdf import read_pdf

both = pytest.mark.parametrize("name", list(REPORTS))

# Covers are set in lines that the truth joins; captions without a number look like paragraphs.
SHARES = {
    "report-en": {"paragraph": 0.96, "list_item": 1.0, "footnote": 1.0, "caption": 0.54, "table": 1.0},
    "report-zh": {"paragraph": 0.95, "list_item": 0.86, "footnote": 1.0, "caption": 0.64, "table": 0.92},
}


@cache
def recognised(name: str) -> Document:
    return recognise(read_pdf(HERE / f"{name}.pdf"))


@cache
def truth_of(name: str) -> list[dict[str, Any]]:
    objects: list[dict[str, Any]] = json.loads((HERE / f"{name}.truth.json").read_text("utf-8"))["objects"]
    return objects


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text))


def likeness(text: str, page: int, rows: Iterable[Iterable[str]]) -> tuple[object, ...]:
    """What two objects that are the same have in common; a table's empty cells count."""
    return squeezed(text), page, tuple(tuple(map(squeezed, row)) for row in rows)


def of_object(found: PhysicalObject) -> tuple[object, ...]:
    return likeness(found.text, found.page, found.rows)


def of_truth(entry: dict[str, Any]) -> tuple[object, ...]:
    return likeness(entry["text"], entry["pages"][0], entry.get("rows", ()))


@both
def test_each_heading_is_exactly_one_object(name: str) -> None:
    found = Counter(map(of_object, recognised(name).objects))
    headings = [entry for entry in truth_of(name) if entry["kind"] == "heading"]
    assert [entry["text"] for entry in headings if found[of_truth(entry)] != 1] == []


@both
@pytest.mark.parametrize("kind", ["paragraph", "list_item", "footnote", "caption", "table"])
def test_most_objects_are_recognised_exactly(name: str, kind: str) -> None:
    found = {of_object(one) for one in recognised(name).objects if one.kind == kind}
    expected = [of_truth(entry) for entry in truth_of(name) if entry["kind"] == kind]
    assert sum(one in found for one in expected) / len(expected) >= SHARES[name][kind]


@both
def test_each_figure_is_one_object_on_its_page(name: str) -> None:
    found = Counter(one.page for one in recognised(name).objects if one.kind is Kind.FIGURE)
    expected = Counter(entry["pages"][0] for entry in truth_of(name) if entry["kind"] == "figure")
    assert found & expected == expected


@both
def test_the_words_of_a_figure_are_in_it(name: str) -> None:
    for entry in truth_of(name):
        if entry["kind"] == "figure":
            on_page = [
                squeezed(one.text)
                for one in recognised(name).objects
                if one.kind is Kind.FIGURE and one.page == entry["pages"][0]
            ]
            assert all(word in "".join(on_page) for word in map(squeezed, entry["text"].split()))
