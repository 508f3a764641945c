"""The coverage of the paper: every table and figure, where it is reproduced, and which cells are missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from research.markdown import head, line
from research.paper.plan import question_plan
from research.paper.verdicts import RETRIEVAL

Result = Mapping[str, Any]

_TABLES = (
    ("Table 1", "accuracy and F1 by level of 8 models, Chinese", "rq1", "zh_fin"),
    ("Table 2", "the same, English", "rq1", "en_fin"),
    ("Table 3", "accuracy and F1 by level of 6 models, arXiv", "rq1", "science"),
    ("Table 4", "without parent, without siblings, Chinese", "rq5", "zh_fin"),
    ("Table 5", "the same, English", "rq5", "en_fin"),
    ("Table 6", "beam 1 and 3, Chinese", "rq6", "zh_fin"),
    ("Table 7", "the same, English", "rq6", "en_fin"),
    ("Table 9", "labelled and recognised layout by level, Chinese", "rq7", "own_zh"),
    ("Table 10", "the same, English", "rq7", "own"),
)
"""The tables with F1 by level: the question and the domain that ours has them under."""
_FIGURES = (
    (
        "Fig. 1, 3 to 5",
        "how the method works",
        "[src/held/paper/README.md](../../src/held/paper/README.md), [inquiries.md](inquiries.md)",
    ),
    ("Fig. 2", "objects of a document, headings of each depth", "The corpus"),
    ("Fig. 6", "headings of a document by level", "The corpus, one picture of each domain"),
    ("Fig. 7", "item-number patterns by level", "The corpus, one picture of each domain"),
    ("Fig. 8", "the older measure against the new", "The paper's measure against the older one"),
    ("Fig. 9a", "inquiries and seconds of the orders", "RQ2"),
    ("Fig. 9b", "inquiries and seconds, one step and two", "RQ3"),
    ("Fig. 10", "case studies", "Case studies"),
    ("4.1", "documents of each split, headings, depth", "The corpus"),
    ("3.6", "closed forms of the inquiries", "[inquiries.md](inquiries.md), RQ2"),
)


def coverage_table(source: Path, found: Mapping[str, Result]) -> Iterator[str]:
    """The table; a cell that was not run is named."""
    yield "## What the paper prints, what we print\n"
    yield head(("the paper", "what", "here", "missing"))
    for table, what, question, domain in _TABLES:
        rows = found.get(question, {}).get("rows", {})
        wanted = question_plan(question).levels[domain]
        measured = {name: rows.get(name, {}).get("domains", {}).get(domain, {}) for name in wanted}
        missing = [name for name, own in measured.items() if not own]
        missing += [f"levels of {name}" for name, own in measured.items() if own and "by_level" not in own]
        yield line((table, what, f"{question.upper()}, F1 by level, {domain}", ", ".join(missing) or "-"))
    layout = found.get("rq7", {}).get("rows", {})
    absent = [name for name in ("layout precision", "layout recall", "layout F1") if name not in layout]
    yield line(("Table 8", "layout precision, recall, F1", "RQ7", ", ".join(absent) or "-"))
    shared = (source / RETRIEVAL["shared-queries"]).exists()
    yield line(
        ("Table 11", "retrieval: mAP, recall@1/5/10", "Passage retrieval", "-" if shared else "not run")
    )
    for name, what, where in _FIGURES:
        yield line((name, what, where, "-"))
    yield ""
