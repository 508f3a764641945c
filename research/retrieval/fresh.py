"""Questions about documents that the ranker was not tuned on, in ten languages: is the first hit right?

    python -m research.retrieval.fresh [--half develop|final] [--pdfs DIR] [-o results/fresh.json]
    python -m research.retrieval.fresh --questions SET.jsonl --half final [--rules]

Questions were written from the pages before any of them was asked: two each to twenty-four documents in the
first set, two to four each to twenty-two others in the second, two to five each to fourteen others in the
third, which judges rules that were chosen on the second: `--rules` asks without each of them as well. One
page was added to the answers of a question of half `develop` of the first set afterwards. That half was
looked at while the ranker changed; half `final` once, when it was done. Documents with a `package` are PDFs
of Debian's package of that name: unpack it with `dpkg-deb -x`, DIR is its folder `usr/share/doc`. The others
are train and valid documents of the corpus that HELD_CORPUS names.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from research.commit import short_commit
from research.result_file import write_result
from research.retrieval.data import kept_entry
from research.retrieval.own import FIRST_HITS, PageQuestion, corpus_folder, stored_path

from held.retrieval import definitions, ranker
from held.retrieval.engine import SingleDocument
from held.retrieval.search import search_documents

QUESTIONS = Path(__file__).with_name("fresh_questions.jsonl")
HALVES = ("develop", "final")
HITS = 10  # that are looked at
# Rules of the ranker, and the names that switch them off with their values.
RULES: dict[str, tuple[tuple[object, str, object], ...]] = {
    "words that stand together": (
        (ranker, "WEIGHTS", {**ranker.WEIGHTS, "near": 0.0}),
        (ranker, "SHORT_WEIGHTS", {**ranker.SHORT_WEIGHTS, "near": 0.0}),
    ),
    "the share cubed": ((ranker, "SHARE_POWER", 1),),
    "questions for a purpose": ((definitions, "PURPOSE_QUESTIONS", ()),),
}


class FreshQuestion(NamedTuple):
    """A question, where its document is, and the pages that answer it."""

    id: str
    half: str
    language: str
    document: str
    text: str
    pages: frozenset[int]
    file: str = ""


def fresh_questions(half: str, path: Path = QUESTIONS) -> list[FreshQuestion]:
    """The questions of one half."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        FreshQuestion(
            row["id"],
            row["half"],
            row["language"],
            row["document"],
            row["question"],
            frozenset(row["pages"]),
            row.get("file", ""),
        )
        for row in rows
        if row["half"] == half
    ]


def fresh_page_questions() -> list[PageQuestion]:
    """The questions of half `develop` with nothing but the pages that answer them."""
    questions = fresh_questions(HALVES[0])
    return [PageQuestion(one.id, one.document, one.text, one.pages) for one in questions]


def ask(
    questions: Sequence[FreshQuestion], pdfs: Path, kept: Path
) -> Iterator[tuple[FreshQuestion, list[int]]]:
    """Each question with the places, from 1, of the hits that answer it."""
    engines: dict[str, SingleDocument] = {}
    for question in questions:
        if question.document not in engines:
            path = pdfs / question.file if question.file else stored_path(question.document, corpus_folder())
            engines[question.document] = SingleDocument(path, kept_entry(path, kept))
        hits = search_documents(engines[question.document], question.text, k=HITS)
        places = [place for place, hit in enumerate(hits, 1) if question.pages.intersection(hit.pages)]
        yield question, places


def _ask_without(
    rule: str, questions: Sequence[FreshQuestion], pdfs: Path, kept: Path
) -> list[tuple[FreshQuestion, list[int]]]:
    """The answers without one of `RULES`."""
    with ExitStack() as switched:
        for module, name, value in RULES[rule]:
            switched.enter_context(patch.object(module, name, value))
        return list(ask(questions, pdfs, kept))


def summarise(answers: Sequence[tuple[FreshQuestion, list[int]]]) -> dict[str, Any]:
    """How many first hits are right, how many questions one of three answers, and the places of each."""
    best = {question.id: min(places, default=0) for question, places in answers}
    return {
        "questions": len(best),
        "first": sum(place == 1 for place in best.values()),
        "in three": sum(1 <= place <= FIRST_HITS for place in best.values()),
        "best place of each": best,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--questions", type=Path, default=QUESTIONS, help="file of the questions")
    parser.add_argument("--half", choices=HALVES, default=HALVES[0])
    parser.add_argument("--rules", action="store_true", help="ask without each rule as well")
    parser.add_argument("--pdfs", type=Path, default=Path("out/fresh"), help="folder of the unpacked PDFs")
    parser.add_argument("--cache", type=Path, default=Path("out/retrieval"), help="where trees are kept")
    parser.add_argument("-o", "--output", type=Path, help="file of the results")
    options = parser.parse_args(arguments)
    questions = fresh_questions(options.half, options.questions)
    answers = list(ask(questions, options.pdfs, options.cache))
    found: dict[str, Any] = {"half": options.half, **summarise(answers), "commit": short_commit()}
    for name in RULES if options.rules else ():
        found[f"without {name}"] = summarise(_ask_without(name, questions, options.pdfs, options.cache))
    for question, places in answers:
        print(f"{places[:1] or '-'} {question.id}: {question.text}", file=sys.stderr)
    print(f"{options.half}: first {found['first']}, one of three {found['in three']} of {found['questions']}")
    if options.output:
        write_result(options.output, found)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
