"""The case studies as a section of docs/research/results.md: tables and figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from research.markdown import line
from research.paper import results
from research.paper.verdicts import format_commit
from research.twin_trees import Mark, Twin, twins

_MARKS = {
    "fault": Mark("the wrong insertion", "#cc3344", filled=True),
    "dragged": Mark("dragged along", "#dd8844"),
    "wrong before": Mark("wrong already", "#888888"),
}
_HEAD = """## Case studies

The paper's figure 10 on the two sample reports of this repository: one wrong insertion, and what it drags
along. All methods get the same recognised objects: first with the true headings, so that insertions alone
differ, then with those that `base` finds (TOC with its own), where a false or missed heading is a fault too.
`held compare` shows the same of any two trees. The reports are two and made, so the rates say little: the
tables above are the measure. Samples, recogniser and weights are those of commit {commit}.
"""


def case_studies(result: Path, images: Path) -> Iterator[str]:
    """The section, empty without a result; its figures are written into `images`."""
    stored = results.read(result)
    if stored is None:
        return
    yield _HEAD.format(commit=format_commit(stored["commit"]))
    for name, document in stored["documents"].items():
        yield f"### {name}: {document['headings']} headings, {document['objects']} objects\n"
        if document["case"]:
            yield from _figure(name, document["case"], images)
        for headings in ("true headings", "found headings"):
            yield from _table(headings, document[headings])


def _figure(name: str, case: Mapping[str, Any], images: Path) -> Iterator[str]:
    """The fault that drags most, as a sentence and as two trees."""
    title = f"{name}: a wrong insertion and what it drags along"
    nodes = [Twin("(the report)", (0, 0)), *map(_twin, case["branch"])]
    drawn = twins(title, ("the true tree", f"the tree of: {case['method']}"), nodes)
    (images / f"case-{name}.svg").write_text(drawn, encoding="utf-8")
    yield f"What drags most with true headings, *{case['method']}*: {_describe_fault(case)}.\n"
    yield f"![{title}](images/case-{name}.svg)\n"


def _twin(node: Mapping[str, Any]) -> Twin:
    levels = node["true_level"], node["found_level"]
    notes = (f"… {node['left_out']} more" if node["left_out"] else "",) * 2
    if node["state"] == "fault":
        notes = notes[0], f"at level {levels[1]} instead of {levels[0]} {notes[1]}"
    return Twin(node["heading"], levels, _MARKS.get(node["state"]), notes)


def _table(headings: str, rows: list[dict[str, Any]]) -> Iterator[str]:
    yield f"| {headings} | path accuracy | faults | the first | the one that drags most |"
    yield "| --- | --- | --- | --- | --- |"
    for row in rows:
        first, worst = row["first"], row["worst"]
        worst_cell = "the same" if first and first == worst else _describe_fault(worst)
        cells = (row["method"], f"{row['accuracy']:.4f}", row["faults"], _describe_fault(first), worst_cell)
        yield line(cells)
    yield ""


def _describe_fault(fault: Mapping[str, Any] | None) -> str:
    """A fault as a phrase: its heading, where it was put, where it belongs, and what it drags along."""
    if fault is None:
        return "-"
    words = f"{_quote(fault['heading'])} (page {fault['page']}), {fault['kind']}"
    belongs, put = fault["belongs_under"], fault["put_under"]
    if belongs != put:
        words += f", {_under(put)} instead of {_under(belongs)}"
    dragged = (
        _format_count(fault["dragged_headings"], "heading"),
        _format_count(fault["dragged_others"], "other object"),
    )
    return f"{words}; drags {' and '.join(dragged)}"


def _format_count(number: int, name: str) -> str:
    return f"{number or 'no'} {name}{'' if number == 1 else 's'}"


def _under(parent: str | None) -> str:
    if parent is None:
        return "nowhere"
    return f"under {_quote(parent)}" if parent else "at the top"


def _quote(title: str) -> str:
    """The title in quotes; it cannot end a cell."""
    return f'"{title}"'.replace("|", "\\|")
