"""`held train ranker`: the boosted trees of the paper's section 6, trained on your own questions.

A file of questions has a JSON object on each line:

    {"document": "report.pdf", "question": "Who owns it?", "pages": [12, 13]}
    {"document": "report.json", "question": "What are the risks?", "under": "Risk factors"}

The passages on these pages, or under headings that contain the title, are relevant. A document is a PDF or
the JSON of `held extract`; its path is relative to the file. As in the paper, each passage is one training
example, and the folds of the cross-validation split questions by their text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import lightgbm
import numpy as np
from numpy.typing import NDArray

from held.errors import FormatError, InputError
from held.extraction import ExtractOptions, extract
from held.metrics import mean
from held.paper.ranker import PAPER_FEATURES, order_by, paper_features
from held.retrieval.bm25 import Floats
from held.retrieval.document_index import DocumentIndex, index_passages
from held.retrieval.passages import Passage, split_into_passages
from held.training.boosted_export import to_onnx

FOLDS = 5
_MONOTONE = frozenset({"BM25", "BM25AncMax"})  # a higher value may not lower the score
_RECALL_AT = (1, 5, 10)
_TREES = 100

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question with its answers: the passages on these pages, or under headings with this title."""

    document: Path
    text: str
    pages: frozenset[int]
    under: str

    def is_answered_by(self, passage: Passage) -> bool:
        """Whether a passage is an answer."""
        titles = "\n".join(passage.path).casefold()
        if self.under and self.under.casefold() in titles:
            return True
        return not self.pages.isdisjoint(passage.pages or (passage.page,))


class _Example(NamedTuple):
    question: str
    features: Floats
    relevant: Flags


class TrainedRanker(NamedTuple):
    """The trees as ONNX, and the cross-validated measures of BM25 and of the ranker."""

    onnx: bytes
    scores: dict[str, dict[str, float]]


def read_questions(path: Path) -> list[AnsweredQuestion]:
    """The questions of a file."""
    questions = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            row = json.loads(line)
            pages = frozenset(int(page) for page in row.get("pages", ()))
            under = str(row.get("under", ""))
            question = AnsweredQuestion(path.parent / row["document"], row["question"], pages, under)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            advice = 'a line is {"document": …, "question": …, "pages": […]}'
            raise FormatError(f"line {number} is no question: {error!r}", file=path, advice=advice) from error
        if not (pages or under):
            raise FormatError(
                f"line {number} does not say what answers it", file=path, advice="give pages or under"
            )
        questions.append(question)
    return questions


def train_ranker(path: Path, *, model: str = "base", log: Callable[[str], None]) -> TrainedRanker:
    """Train a ranker on a file of questions; documents are extracted with this model."""
    indexes: dict[Path, DocumentIndex] = {}
    examples: list[_Example] = []
    for question in read_questions(path):
        if question.document not in indexes:
            log(f"reading {question.document.name}")
            is_tree = question.document.suffix == ".json"
            options = ExtractOptions() if is_tree else ExtractOptions(model=model)
            passages = split_into_passages(extract(question.document, options))
            indexes[question.document] = index_passages(passages)
        index = indexes[question.document]
        relevant = np.array([question.is_answered_by(passage) for passage in index.passages], bool)
        if relevant.any():
            features = paper_features(question.text, index)
            examples.append(_Example(question.text, features, relevant))
        else:
            log(f"nothing in {question.document.name} answers: {question.text}")
    texts = sorted({example.question for example in examples})
    if len(texts) < 2:
        message = f"{len(texts)} questions with an answer are too few to learn from"
        raise InputError(message, file=path, advice="give 20 and more, about several documents")
    return TrainedRanker(to_onnx(_grow(examples)), _cross_validate(examples, texts))


def _cross_validate(examples: Sequence[_Example], texts: Sequence[str]) -> dict[str, dict[str, float]]:
    """The measures of BM25 and of the ranker on questions whose text is not in the training folds."""
    fold_of = {text: number % FOLDS for number, text in enumerate(texts)}
    by_bm25: list[tuple[Floats, Flags]] = []
    by_ranker: list[tuple[Floats, Flags]] = []
    for fold in range(min(FOLDS, len(texts))):
        training = [example for example in examples if fold_of[example.question] != fold]
        held_out = [example for example in examples if fold_of[example.question] == fold]
        booster = _grow(training)
        for example in held_out:
            bm25 = example.features[:, 0]
            by_bm25.append((bm25, example.relevant))
            scores = np.asarray(booster.predict(example.features), np.float32)
            by_ranker.append((order_by(scores, bm25), example.relevant))
    return {"BM25": _measures(by_bm25), "ranker": _measures(by_ranker)}


def _measures(ranked: Sequence[tuple[Floats, Flags]]) -> dict[str, float]:
    """The mean average precision, and the recall among the first 1, 5 and 10 passages."""
    precisions = []
    recalls: dict[int, list[float]] = {k: [] for k in _RECALL_AT}
    for scores, relevant in ranked:
        in_order = relevant[np.argsort(-scores, kind="stable")]
        ranks = np.flatnonzero(in_order) + 1
        # The precision at the rank of each relevant passage: how many up to there are relevant.
        precision_at_ranks = np.arange(1, len(ranks) + 1) / ranks
        precisions.append(float(np.mean(precision_at_ranks)))
        for k in _RECALL_AT:
            recalls[k].append(float(in_order[:k].sum() / len(ranks)))
    measures = {"mAP": mean(precisions)}
    for k, values in recalls.items():
        measures[f"recall@{k}"] = mean(values)
    return measures


def _grow(examples: Sequence[_Example]) -> Any:
    parameters = {
        "objective": "binary",  # passage by passage, as in the paper
        "num_leaves": 4,
        "learning_rate": 0.05,
        "min_data_in_leaf": 20,
        "lambda_l2": 10.0,
        "monotone_constraints": [int(name in _MONOTONE) for name in PAPER_FEATURES],
        "num_threads": 1,
        "deterministic": True,
        "force_row_wise": True,
        "verbose": -1,
    }
    features = np.concatenate([example.features for example in examples])
    labels = np.concatenate([example.relevant for example in examples]).astype(np.float32)
    return lightgbm.train(parameters, lightgbm.Dataset(features, labels), _TREES)
