"""Questions as a newcomer puts them to real documents: does the first hit answer, does one of three?

Five questions each to fifteen train and valid documents: Chinese reports, a standard and a law, 10-Ks, the
accounts of a city, papers, manuals. They were written from the pages, before they were asked, with the
numbers of the pages that answer; further pages that answer seven of them were added after first runs. Unlike
those of `own`, they may use the document's words, as people do who know what they look for.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from research.retrieval.own import PageQuestion, answer_shares

QUESTIONS = Path(__file__).with_name("newcomer_questions.jsonl")


def newcomer_questions(path: Path = QUESTIONS) -> list[PageQuestion]:
    """The questions of a file."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        PageQuestion(row["id"], row["document"], row["question"], frozenset(row["pages"])) for row in rows
    ]


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """The figures of the newcomer's questions."""
    return answer_shares(newcomer_questions(), options)
