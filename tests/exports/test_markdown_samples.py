"""The samples as Markdown, with their true headings: golden files, and what a renderer makes of them.

`HELD_GOLDEN=write` writes the golden files anew, and the tests fail, so that it is never left on.
"""

import json
import os
from functools import cache
from pathlib import Path

import pytest

from held.document import Kind
from held.exports.markdown import to_markdown
from held.hierarchy import Hierarchy
from held.layout.recognise import recognise
from held.reading.read_pdf import read_pdf
from held.tree import Tree
from tests.exports.markdown_reader import all_text, headings, tables

SAMPLES = Path(__file__).parents[2] / "samples"
GOLDEN = Path(__file__).parents[1] / "golden"
LIST_MARKS = "•–●0123456789.)"  # a renderer makes them anew
NAMES = ["report-en", "report-zh"]


@cache
def true_hierarchy(name: str) -> Hierarchy:
    """The sample's tree, from its truth: no model has a part in it."""
    document = recognise(read_pdf(SAMPLES / f"{name}.pdf", jobs=0))
    truth = json.loads((SAMPLES / f"{name}.truth.json").read_text(encoding="utf-8"))["headings"]
    parents: list[int] = []
    branch: list[int] = []
    found: dict[int, float] = {}
    for index, item in enumerate(document.objects):
        title = "".join(item.text.split())
        if truth and (truth[0]["page"], "".join(truth[0]["text"].split())) == (item.page, title):
            branch = branch[: truth.pop(0)["level"] - 1]
            found[index] = 1.0
        parents.append(branch[-1] if branch else -1)
        branch = [*branch, index] if index in found else branch
    assert not truth
    return Hierarchy(document, Tree.from_parents(parents), found, found, 0, 0.0)


@pytest.mark.parametrize("name", NAMES)
def test_the_markdown_of_a_sample_is_the_golden_one(name: str) -> None:
    written, golden = to_markdown(true_hierarchy(name)), GOLDEN / f"{name}.md"
    if os.environ.get("HELD_GOLDEN") == "write":
        golden.write_text(written, encoding="utf-8")
        pytest.fail(f"{golden.name} is written: look at its changes, and run without HELD_GOLDEN")
    assert written == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_the_rendered_headings_of_a_sample_are_its_tree(name: str) -> None:
    truth = json.loads((SAMPLES / f"{name}.truth.json").read_text(encoding="utf-8"))["headings"]
    rendered = headings(to_markdown(true_hierarchy(name), no_title=True))
    assert [(level, "".join(title.split())) for level, title in rendered] == [
        (heading["level"], "".join(heading["text"].split())) for heading in truth
    ]


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_of_a_sample_is_rendered(name: str) -> None:
    hierarchy = true_hierarchy(name)
    written = to_markdown(hierarchy)
    cells = {"".join(cell.split()) for found in tables(written) for row in found for cell in row}
    body = [
        cell
        for item in hierarchy.document.objects
        if item.kind is Kind.TABLE
        for row in item.rows[3:]
        for cell in row
    ]
    assert {"".join(cell.split()) for cell in body} <= cells


@pytest.mark.parametrize("name", NAMES)
def test_no_text_of_a_sample_is_lost(name: str) -> None:
    hierarchy = true_hierarchy(name)
    shown = all_text(to_markdown(hierarchy))
    texts = ("".join(item.text.split()) for item in hierarchy.document.objects if item.kind is not Kind.TABLE)
    assert [text for text in texts if text.lstrip(LIST_MARKS) not in shown] == []
