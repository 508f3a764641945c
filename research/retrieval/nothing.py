"""How often nothing is found where there is nothing: questions put to documents that do not answer them.

Each question of our own is put to its own document and to all others in its language. A threshold that
would refuse more of the others is shown with what it would cost: how many questions it refuses whose
document was asked.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from research.retrieval.data import kept_entry
from research.retrieval.own import OwnQuestion, corpus_folder, own_questions, stored

from held.retrieval.index import OneFile
from held.retrieval.search import hits_in

COSTS = (0.05, 0.1, 0.2)  # shares of answerable questions that a threshold may refuse


class Asked(NamedTuple):
    """A question put to a document: the probability of the first hit, 0 without one; is it the right one?"""

    probability: float
    own: bool


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """The shares of nothing found, and what thresholds would refuse."""
    corpus = corpus_folder()
    questions = own_questions()
    paths = {name: stored(name, corpus) for name in {question.document for question in questions}}
    files = {n: OneFile(path, kept_entry(path, options.cache)) for n, path in paths.items()}
    return refusals(list(_asked(questions, files)))


def _asked(questions: Sequence[OwnQuestion], files: Mapping[str, OneFile]) -> Iterator[Asked]:
    chinese = {question.document for question in questions if is_chinese(question.text)}
    for question in questions:
        for name, file in files.items():
            if (name in chinese) == is_chinese(question.text):
                hits = hits_in(file, question.text, k=1)
                yield Asked(hits[0].score if hits else 0.0, name == question.document)


def is_chinese(text: str) -> bool:
    """Whether a question is asked in Chinese."""
    return any("\u3400" <= character <= "\u9fff" for character in text)


def refusals(asked: Sequence[Asked]) -> dict[str, Any]:
    """How many are refused now, and by thresholds that cost some of the answerable ones."""
    own = np.array([one.probability for one in asked if one.own])
    others = np.array([one.probability for one in asked if not one.own])
    thresholds = {f"{cost:.2f}": float(np.quantile(own, cost)) for cost in COSTS}
    return {
        "asked of their document": _shares(own),
        "asked of another": _shares(others),
        "a first hit of the right document is surer": round(_surer(own, others), 3),
        "refused of others, for the share of answerable ones refused": {
            cost: {"threshold": round(least, 3), "others": round(float(np.mean(others < least)), 3)}
            for cost, least in thresholds.items()
        },
    }


def _shares(probabilities: Any) -> dict[str, Any]:
    nothing = float(np.mean(probabilities == 0))
    return {
        "questions": len(probabilities),
        "nothing found": round(nothing, 3),
        "median probability": round(float(np.median(probabilities)), 3),
    }


def _surer(own: Any, others: Any) -> float:
    """How often one of the first is above one of the second, equal ones by half: 0.5 is chance."""
    above = own[:, None] > others[None, :]
    equal = own[:, None] == others[None, :]
    return float(np.mean(above + 0.5 * equal))
