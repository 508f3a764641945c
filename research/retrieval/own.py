"""Questions of our own about documents of all domains: does the first hit answer, does one of three?

They are kept as questions, page numbers and boxes on these pages (in points), never as text of the documents.
Of a question's content words at most a third may stand in the passage that answers it or in the heading above
that, for people do not know the words of a document that they have not read: `python -m
research.retrieval.own` measures that on the stored pages.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from research.retrieval.data import kept_entry

from held.corpus.sources import read_corpus_document
from held.document import Box, OutlineEntry, Pages, Run
from held.errors import InputError
from held.retrieval.engine import SingleDocument
from held.retrieval.search import search_documents
from held.retrieval.tokens import tokens

QUESTIONS = Path(__file__).with_name("own_questions.jsonl")
MOST_SAID = 1 / 3
"""The largest share of a question's content words that its answer may have."""
FIRST_HITS = 3  # that the command line shows

_FUNCTION_TEXT = """
a an the of in on at to for from by with as is are was were be been being and or not no if than that this
these those it its their them they there what which who whom how why when where while do does did done has
have had will would can could should may might about into over under during after before above below up down
out off any all some such only own same so too very i me my you your we our us one each other another
many much isn
"""
_FUNCTION_WORDS = frozenset(_FUNCTION_TEXT.split())
_FUNCTION_CHARACTERS = frozenset("的了是在吗么哪谁怎什多少几有没这那它们和与对会要能可到一个就才为给由")
_HAN = re.compile(r"[\u3400-\u9fff]")
_SPACE_IN_HAN = re.compile(r"(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])")


@dataclass(frozen=True, slots=True)
class Answer:
    """Where an answer stands: the page, from 1, and the box of the passage on it."""

    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class OwnQuestion:
    """A question, its document in the corpus, and every place that answers it, the best one first."""

    id: str
    document: str
    text: str
    answers: tuple[Answer, ...]

    @property
    def domain(self) -> str:
        return domain_of(self.document)

    @property
    def pages(self) -> frozenset[int]:
        return frozenset(answer.page for answer in self.answers)


def domain_of(document: str) -> str:
    """The domain that a document's id begins with."""
    return document.rpartition("-")[0]


def own_questions(path: Path = QUESTIONS) -> list[OwnQuestion]:
    """The questions of a file."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        OwnQuestion(
            row["id"],
            row["document"],
            row["question"],
            tuple(Answer(answer["page"], Box(*answer["box"])) for answer in row["answers"]),
        )
        for row in rows
    ]


def content_words(question: str) -> set[str]:
    """The words of a question that mean something; of Chinese the pairs without a function word in them."""
    words = {word for word in tokens(question) if word not in _FUNCTION_WORDS}
    return {word for word in words if not (_HAN.match(word) and _FUNCTION_CHARACTERS.intersection(word))}


def said_of(question: OwnQuestion, pages: Pages) -> float:
    """The share of the content words in the answer and the heading above it; of several, the largest."""
    words = content_words(question.text)
    found = [words.intersection(tokens(_said_with_heading(answer, pages))) for answer in question.answers]
    return max(map(len, found)) / len(words)


def _said_with_heading(answer: Answer, pages: Pages) -> str:
    return f"{_heading_above(answer, pages.outline)} {answer_text(answer, pages)}"


def answer_text(answer: Answer, pages: Pages) -> str:
    """What stands in the box of an answer."""
    runs = [run.text for run in pages.pages[answer.page - 1].runs if _inside(run, answer.box)]
    # A Chinese line ends anywhere: the pair of characters around its end is a word, too.
    return _SPACE_IN_HAN.sub("", " ".join(runs))


def _inside(run: Run, box: Box) -> bool:
    """Whether the middle of a run is in the box."""
    x, y = (run.x0 + run.x1) / 2, (run.y0 + run.y1) / 2
    return box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1


def _heading_above(answer: Answer, outline: Sequence[OutlineEntry]) -> str:
    """The last bookmark at or before the answer; empty without one."""
    before = [entry.title for entry in outline if _place(entry) <= (answer.page, answer.box.y1)]
    return before[-1] if before else ""


def _place(entry: OutlineEntry) -> tuple[float, float]:
    return (entry.page or 0, entry.y or 0.0)


def corpus_folder() -> Path:
    """The corpus that HELD_CORPUS names."""
    named = os.environ.get("HELD_CORPUS")
    if not named:
        raise InputError("no corpus", advice="name its folder with HELD_CORPUS")
    return Path(named)


def stored_path(document: str, corpus: Path) -> Path:
    """Where a document of the corpus is."""
    return corpus / "docs" / f"{document}.json.xz"


class PageQuestion(NamedTuple):
    """A question about a document of the corpus, and the pages that answer it."""

    id: str
    document: str
    text: str
    pages: frozenset[int]

    @property
    def domain(self) -> str:
        return domain_of(self.document)


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """The figures of the questions that do not use the words of their answers."""
    return answer_shares(own_page_questions(), options)


def own_page_questions() -> list[PageQuestion]:
    """The questions of our own with nothing but the pages that answer them."""
    return [PageQuestion(one.id, one.document, one.text, one.pages) for one in own_questions()]


def answer_shares(questions: Sequence[PageQuestion], options: argparse.Namespace) -> dict[str, Any]:
    """For each domain the share of questions that the first hit answers, and one of the first three."""
    rows = list(_answer_ranks(questions, corpus_folder(), options.cache))
    domains = sorted({row["domain"] for row in rows})
    groups = {domain: [row for row in rows if row["domain"] == domain] for domain in domains}
    return {
        "questions": len(rows),
        "all": _shares(rows),
        "domains": {domain: _shares(members) for domain, members in groups.items()},
        "each": {row["id"]: row["places"] for row in rows},
    }


def _answer_ranks(questions: Sequence[PageQuestion], corpus: Path, kept: Path) -> Iterator[dict[str, Any]]:
    """Each question with the places, from 1, of the hits that answer it."""
    entries: dict[str, SingleDocument] = {}
    for question in questions:
        if question.document not in entries:
            path = stored_path(question.document, corpus)
            entries[question.document] = SingleDocument(path, kept_entry(path, kept))
        hits = search_documents(entries[question.document], question.text, k=10)
        places = [place for place, hit in enumerate(hits, 1) if question.pages.intersection(hit.pages)]
        yield {"id": question.id, "domain": question.domain, "places": places}


def _shares(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    best = [min(row["places"], default=0) for row in rows]
    first = sum(place == 1 for place in best)
    in_three = sum(1 <= place <= FIRST_HITS for place in best)
    return {
        "questions": len(rows),
        "first": round(first / len(rows), 3),
        "in three": round(in_three / len(rows), 3),
    }


def said_in_corpus(corpus: Path) -> dict[str, float]:
    """For each question the share of its content words that its answer has."""
    questions = own_questions()
    pages = {id: read_corpus_document(stored_path(id, corpus)) for id in {q.document for q in questions}}
    return {question.id: said_of(question, pages[question.document]) for question in questions}


def main() -> int:
    """Prints the share for each question; 1 if one has too many words of its answer."""
    shares = said_in_corpus(corpus_folder())
    for id, share in shares.items():
        print(f"{share:.2f} {id}{'  too many' if share > MOST_SAID else ''}")
    return int(max(shares.values()) > MOST_SAID)


if __name__ == "__main__":
    raise SystemExit(main())
