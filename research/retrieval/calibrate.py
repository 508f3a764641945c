"""How sure an answer is: the curve of `held.retrieval.ranker`, fitted on questions of our own of three kinds.

Each question is put to its own document and to others, which do not answer it. The best passages of the
first pages are what is learnt from. The curve is judged on documents that it was not fitted on, and on
questions about filings (split train), which it has never seen.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np
from research.retrieval.data import cases_of, kept_entry, questions_in
from research.retrieval.fresh import fresh_page_questions
from research.retrieval.newcomer import newcomer_questions
from research.retrieval.own import corpus_folder, own_page_questions, stored_path

from held.retrieval.document_index import DocumentIndex
from held.retrieval.query import parse_question
from held.retrieval.ranker import CalibrationCurve, collect_evidence, match_passages, rank_passages

PAGES = 3  # the first of an answer, of which the signs are taken
OTHERS = 2  # documents that a question is put to in vain
FOLDS = 6
BINS = ((0.0, 0.1), (0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 1.01))


class Example(NamedTuple):
    """The signs of one page of an answer, whether it is right, and which document was asked about."""

    signs: Any
    right: bool
    group: str
    first: bool


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """The curve, and how it does on documents and filings that it was not fitted on."""
    examples = list(_own_examples(options))
    filings = list(_filing_examples(options))
    curve = _fit_curve(examples)
    unseen = _held_out_probabilities(examples)
    answered = [example for example in examples if example.first]
    return {
        "examples": len(examples),
        "curve": dict(zip((field.name for field in fields(CalibrationCurve)), curve, strict=True)),
        "own questions, unseen documents": _reliability(unseen, [e.right for e in examples]),
        "filings": _reliability(_probable(filings, curve), [e.right for e in filings]),
        "first pages": {
            "answered": _quantiles([e for e in answered if not e.group.startswith("other ")], curve),
            "of other documents": _quantiles([e for e in answered if e.group.startswith("other ")], curve),
        },
    }


def _own_examples(options: argparse.Namespace) -> Iterator[Example]:
    corpus = corpus_folder()
    questions = [*own_page_questions(), *newcomer_questions(), *fresh_page_questions()]
    names = sorted({question.document for question in questions})
    documents = {name: kept_entry(stored_path(name, corpus), options.cache).document for name in names}
    for question in questions:
        yield from _examples(question.text, documents[question.document], question.pages, question.document)
        place = names.index(question.document)
        others = [name for name in (*names[place + 1 :], *names) if name.split("-")[0] != question.domain]
        for other in others[:OTHERS]:
            yield from _examples(question.text, documents[other], frozenset(), f"other {question.document}")


def _filing_examples(options: argparse.Namespace) -> Iterator[Example]:
    questions = [question for question in questions_in(options.data) if question.split == "train"]
    for case in cases_of(questions, options.data, options.cache):
        right = frozenset((np.flatnonzero(case.answers) + 1).tolist())
        yield from _examples(case.question.text, case.document, right, case.question.company)


def _examples(text: str, document: DocumentIndex, right: frozenset[int], group: str) -> Iterator[Example]:
    """The best passages of the first pages, for one question."""
    question = parse_question(text)
    matches = match_passages(question, document)
    scores = rank_passages(question, document).scores
    signs = collect_evidence(question, matches, scores, document)
    seen: list[int] = []
    for passage in np.argsort(-scores, kind="stable").tolist():
        page = int(document.page[passage])
        if page not in seen and scores[passage] > 0:
            found = not right.isdisjoint(document.passages[passage].pages)
            yield Example(signs[passage], found, group, not seen)
            seen.append(page)
        if len(seen) == PAGES:
            return


def _fit_curve(examples: Sequence[Example]) -> list[float]:
    """The constant and the worth of each sign."""
    from sklearn.linear_model import LogisticRegression

    signs = np.stack([example.signs for example in examples])
    model = LogisticRegression(C=1.0).fit(signs, [example.right for example in examples])
    return [round(float(value), 2) for value in (*model.intercept_, *model.coef_[0])]


def _probable(examples: Sequence[Example], curve: Sequence[float]) -> list[float]:
    signs = np.stack([example.signs for example in examples])
    probable: list[float] = (1 / (1 + np.exp(-(curve[0] + signs @ np.array(curve[1:]))))).tolist()
    return probable


def _held_out_probabilities(examples: Sequence[Example]) -> list[float]:
    """The probability of each example by a curve that knows nothing of its document."""
    groups = sorted({example.group.removeprefix("other ") for example in examples})
    fold = {group: place % FOLDS for place, group in enumerate(groups)}
    of = [fold[example.group.removeprefix("other ")] for example in examples]
    found = [0.0] * len(examples)
    for left_out in range(FOLDS):
        curve = _fit_curve([example for example, its in zip(examples, of, strict=True) if its != left_out])
        for place, probability in enumerate(_probable(examples, curve)):
            if of[place] == left_out:
                found[place] = probability
    return found


def _reliability(probable: Sequence[float], right: Sequence[bool]) -> dict[str, Any]:
    """For each bin of probabilities what they say and how many are right; and the score of Brier."""
    pairs = list(zip(probable, right, strict=True))
    bins = {}
    for low, high in BINS:
        members = [(p, r) for p, r in pairs if low <= p < high]
        if members:
            said, was = np.mean(np.array(members, float), axis=0)
            bins[f"{low:.1f}"] = {"pages": len(members), "said": round(said, 3), "right": round(was, 3)}
    brier = float(np.mean([(p - r) ** 2 for p, r in pairs]))
    return {"pages": len(pairs), "Brier": round(brier, 4), "bins": bins}


def _quantiles(examples: Sequence[Example], curve: Sequence[float]) -> dict[str, float]:
    """How probable first pages are: the least, a tenth from below, the middle."""
    values = np.quantile(_probable(examples, curve), (0, 0.1, 0.5, 0.9))
    return dict(zip(("least", "10 %", "median", "90 %"), np.round(values, 3).tolist(), strict=True))
