"""The paper's four features on all questions that there are: those about filings, and our own.

A hundred questions are too few to tell what a feature brings. Ours are about documents of all domains; what
their boxes hold is the evidence, and the same rule says which passages are relevant. Every question is judged
by trees that know neither its company nor, of our own, its document. They are learnt passage by passage, as
in the paper, and once more by comparing the passages of one question: what a feature tells only of the
question helps the first and not the ranking.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from research.retrieval.data import Case, Question, cases_of, questions_in
from research.retrieval.figures import Values, passage_values, summary
from research.retrieval.learn import Learning
from research.retrieval.own import OwnQuestion, answer_text, corpus_folder, own_questions, stored_path
from research.retrieval.relevance import Evidence
from research.retrieval.tables import PAPERS_OWN, POINTWISE, WITHIN, scored_by_the_paper

from held.corpus.sources import read_corpus_document
from held.document import Pages

FILE = "paper-features.json"
OWN = "own"
GROUPS = ("all", "filings", OWN)
_SURE = 1.96 + 0.84  # standard errors: an interval of 95 % leaves out 0 in four of five trials


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Each row over all questions, over those about filings, and over our own."""
    corpus = corpus_folder()
    filings = cases_of(questions_in(options.data), options.data, options.cache)
    ours = cases_of(asked_of(own_questions(), corpus), corpus, options.cache)
    cases = [*filings, *ours]
    return {"questions": len(cases), "rows": rows_of(cases), "within": rows_of(cases, WITHIN)}


def asked_of(questions: Sequence[OwnQuestion], corpus: Path) -> list[Question]:
    """Our questions with the text of their boxes as evidence."""
    pages = {
        name: read_corpus_document(stored_path(name, corpus)) for name in {q.document for q in questions}
    }
    return [with_evidence(question, pages[question.document]) for question in questions]


def with_evidence(question: OwnQuestion, pages: Pages) -> Question:
    """A question of ours as those about filings are."""
    evidence = tuple(Evidence(answer.page, answer_text(answer, pages)) for answer in question.answers)
    return Question(question.id, question.text, question.document, question.document, OWN, evidence)


def rows_of(cases: Sequence[Case], learning: Learning = POINTWISE) -> dict[str, Any]:
    """For each row and group of questions its figures, paired against BM25."""
    own = [case.question.split == OWN for case in cases]
    which = dict(zip(GROUPS, ([True] * len(cases), [not one for one in own], own), strict=True))
    rows: dict[str, Any] = {}
    base: Values = {}
    for name, scores in scored_by_the_paper(cases, learning):
        values = passage_values(cases, scores)
        base = base or values
        rows[name] = {
            "passages": {group: summary(values, base, which=members) for group, members in which.items()}
        }
    return rows


def enough(questions: int, difference: Mapping[str, Any]) -> int:
    """How many questions would tell a difference as large as this one, four times of five."""
    low, high = difference["interval"]
    error = (high - low) / (2 * 1.96)
    factor: float = (_SURE * error / max(1e-9, abs(difference["mean"]))) ** 2
    return round(questions * factor)


def markdown(result: Mapping[str, Any]) -> str:
    """The table, the paper's mAP beside ours."""
    lines = ["**The paper's features on all questions** (passages, our tree; *needed* is how many questions"]
    lines += [
        "would tell such a difference four times of five; *within* are trees that compare the passages of"
    ]
    lines += ["one question, over all questions)", ""]
    counts = {name: own["questions"] for name, own in result["rows"]["BM25"]["passages"].items()}
    groups = " | ".join(f"{name}, {count} questions: mAP, against BM25" for name, count in counts.items())
    lines += [f"| | {groups} | needed | within | paper: mAP |", "| --- " * (len(counts) + 4) + "|"]
    lines += [f"| {name} | {' | '.join(_cells(name, result))} |" for name in result["rows"]]
    return "\n".join(lines)


def _cells(name: str, result: Mapping[str, Any]) -> Iterator[str]:
    """A row's figures by group, how many questions it needs, the other way of learning, and the paper's."""
    groups = result["rows"][name]["passages"]
    yield from (_cell(own["mAP"]) for own in groups.values())
    needed = enough(groups["all"]["questions"], groups["all"]["mAP"]["difference"])
    yield "" if name == "BM25" else str(needed)
    within = result.get("within", {}).get(name)
    yield _cell(within["passages"]["all"]["mAP"]) if within else "not run"
    yield f"{PAPERS_OWN[name][0]:.3f}"


def _cell(figure: Mapping[str, Any]) -> str:
    low, high = figure["difference"]["interval"]
    return f"{figure['mean']:.3f}, {figure['difference']['mean']:+.3f} ({low:+.3f} to {high:+.3f})"
