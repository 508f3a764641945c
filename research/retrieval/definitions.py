"""Questions for what a word means, made of tables that define words: does the first hit have the definition?

Tables under headings such as "Glossary" and 释义 are looked for in train and valid documents whose outline
has such a heading. Of each document a few of their rows are asked for, and the page of the row is the
answer, though another page may say as much. Nothing of the documents is stored.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from research.retrieval.data import kept_entry
from research.retrieval.own import PageQuestion, answer_shares, corpus_folder, stored_path

from held.corpus.sources import read_corpus_document
from held.retrieval.document_index import DocumentIndex
from held.retrieval.passages import Passage

DOMAINS = ("zh_fin", "reports", "manuals", "word")  # in which such tables are common
DOCUMENTS = 8  # of a domain: the first that have such tables
QUESTIONS = 5  # of a document, at equal distances
LONGEST_TERM = 40  # characters
MOST_VALUES = 2  # of a row: a table of more columns says more than what a word means
DEFINING = re.compile(
    r"glossar|acronym|abbreviation|^[\d.\s]*(?:terms and )?definitions$|释义|术语|缩略|缩写", re.IGNORECASE
)
_SEVERAL_NAMES = re.compile(r"[、/(（,]")


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """The share of questions that the first hit answers, and one of the first three."""
    return answer_shares(made_definitions(corpus_folder(), options.cache), options)


@cache
def made_definitions(corpus: Path, kept: Path) -> list[PageQuestion]:
    """The questions of the first documents of each domain that have any."""
    rows = [json.loads(line) for line in (corpus / "index.jsonl").read_text(encoding="utf-8").splitlines()]
    shown = [row for row in rows if row["split"] != "test"]
    domains = [[row["id"] for row in shown if row["domain"] == domain] for domain in DOMAINS]
    return [question for names in domains for question in _of_domain(names, corpus, kept)]


def _of_domain(names: Sequence[str], corpus: Path, kept: Path) -> Iterator[PageQuestion]:
    made = (_definition_questions(name, corpus, kept) for name in names)
    for questions in islice(filter(None, made), DOCUMENTS):
        yield from questions


def _definition_questions(name: str, corpus: Path, kept: Path) -> list[PageQuestion]:
    """The questions about a document; none if its outline has no heading over definitions."""
    outline = read_corpus_document(stored_path(name, corpus)).outline
    if not any(DEFINING.search(entry.title) for entry in outline):
        return []
    return _questions(name, kept_entry(stored_path(name, corpus), kept).document)


def _questions(name: str, document: DocumentIndex) -> list[PageQuestion]:
    rows = [row for passage in document.passages if _defines(passage) for row in _terms(passage)]
    chosen = rows[:: max(1, len(rows) // QUESTIONS)][:QUESTIONS]
    return [
        PageQuestion(f"{name}-{at}", name, _question(term), frozenset({page}))
        for at, (term, page) in enumerate(chosen, 1)
    ]


def _defines(passage: Passage) -> bool:
    """Whether a passage is a table of definitions."""
    return len(passage.rows) > 1 and any(map(DEFINING.search, passage.path[-1:]))


def _terms(passage: Passage) -> Iterator[tuple[str, int]]:
    """The words that a table defines, each with its page."""
    for row in passage.rows:
        term = _SEVERAL_NAMES.split(row.label)[0].strip("《》“” ")
        said = any(len(value) > 1 and any(map(str.isalpha, value)) for value in row.values)
        if 1 < len(term) <= LONGEST_TERM and said and row.part and len(row.values) <= MOST_VALUES:
            yield term, row.part.page


def _question(term: str) -> str:
    return f"{term}是什么意思？" if is_chinese(term) else f"What does {term} mean?"


def is_chinese(text: str) -> bool:
    """Whether a text has Chinese characters."""
    return any("\u3400" <= character <= "\u9fff" for character in text)
