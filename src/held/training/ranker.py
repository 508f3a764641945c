"""`held train ranker`: boosted trees that order passages, learnt from questions made from documents.

Passages of one question are compared with each other (LambdaMART). A match can only raise a score: the
questions are made, and what people ask differs from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from held.corpus.store import data_hash, labelled_documents
from held.errors import UsageError
from held.metrics.ranking import average_precision, ranked, recall_at
from held.models.store import Model, RetrievalKind
from held.pipeline import Hierarchy, tree_of
from held.retrieval.bm25 import Floats
from held.retrieval.features import FEATURES, MATCHES, ranker_features
from held.retrieval.ranker import VERSION, Ranker
from held.training.boosted_export import to_onnx
from held.training.made_questions import Asking, MadeQuestion, made_questions
from held.training.settings import plain, settings_for
from held.training.trainers import TrainingRequest, current_commit


@dataclass(frozen=True, slots=True, kw_only=True)
class RankerSettings(Asking):
    """How the ranker learns.

    domains         the domains of the documents that questions are made from
    others          how many passages that do not answer a question are learnt from: the best matches and,
                    as many, any
    unseen          features that are left out: made questions say nothing true about them
    matches_weight  what the sum of all matches adds to the trees' score
    """

    domains: tuple[str, ...] = ("en_fin", "zh_fin")
    others: int = 120
    unseen: tuple[str, ...] = ("place", "depth", "siblings")
    matches_weight: float = 0.5
    trees: int = 400
    leaves: int = 7
    learning_rate: float = 0.05
    smallest_leaf: int = 100
    l2: float = 10.0
    seed: int = 0
    threads: int = 1


def train(request: TrainingRequest) -> Model:
    """The model that the request asks for, with its scores on questions made from valid documents."""
    settings = settings_for(  # type: ignore[type-var]
        RankerSettings, "ranker", preset=request.preset, config=request.config, changes=request.changes
    )
    model = train_ranker(_hierarchies(request, "train", settings), settings)
    model = replace(model, data_hash=data_hash(request.data), commit=current_commit())
    return replace(
        model, scores=made_scores(Ranker(model), _hierarchies(request, "valid", settings), settings)
    )


def _hierarchies(request: TrainingRequest, split: str, settings: RankerSettings) -> Iterator[Hierarchy]:
    """The documents under the tree that search meets them under: the one that is found."""
    for labelled in labelled_documents(request.data, splits=[split], domains=settings.domains):
        yield tree_of(labelled.document)


def train_ranker(hierarchies: Iterable[Hierarchy], settings: RankerSettings) -> Model:
    """The ranker that has learnt from questions made from these documents."""
    rows: list[Floats] = []
    relevant: list[Floats] = []
    rng = np.random.default_rng(settings.seed)
    for hierarchy in hierarchies:
        document, questions = made_questions(hierarchy, settings, seed=settings.seed)
        for question in questions:
            features = ranker_features(question.query, document)
            kept = _kept(features, question, settings.others, rng)
            rows.append(features[kept])
            relevant.append(question.relevant[kept].astype(np.float32))
    if not rows:
        raise UsageError("nothing to learn from: no document gives a question")
    trees = to_onnx(_grown(rows, relevant, settings))
    known = plain(settings) | {"features": VERSION, "questions": len(rows)}  # type: ignore[type-var]
    return Model(RetrievalKind.RANKER, "base", {"trees.onnx": trees}, known)


def _kept(features: Floats, question: MadeQuestion, others: int, rng: np.random.Generator) -> Any:
    """Which passages are learnt from: all that answer, the best matches of the others, and some of any."""
    matches = features[:, FEATURES.index("with path")]
    kept = question.relevant.copy()
    kept[np.argsort(-matches, kind="stable")[: others // 2]] = True
    kept[rng.permutation(len(kept))[: others // 2]] = True
    return kept


def _grown(rows: list[Floats], relevant: list[Floats], settings: RankerSettings) -> Any:
    import lightgbm

    table = np.concatenate(rows)
    table[:, [FEATURES.index(name) for name in settings.unseen]] = 0
    parameters = {
        "objective": "lambdarank",
        "num_leaves": settings.leaves,
        "learning_rate": settings.learning_rate,
        "min_data_in_leaf": settings.smallest_leaf,
        "lambda_l2": settings.l2,
        "monotone_constraints": [int(name in MATCHES) for name in FEATURES],
        "max_bin": 63,
        "num_threads": settings.threads,
        "seed": settings.seed,
        "deterministic": True,
        "force_row_wise": True,
        "use_missing": False,
        "verbose": -1,
    }
    data = lightgbm.Dataset(table, np.concatenate(relevant), group=[len(part) for part in rows])
    return lightgbm.train(parameters, data, settings.trees)


def made_scores(ranker: Ranker, hierarchies: Iterable[Hierarchy], settings: Asking) -> dict[str, float]:
    """How the ranker does on made questions, beside the match that counts most."""
    rankings: dict[str, list[list[bool]]] = {"ranker": [], "with path": []}
    for hierarchy in hierarchies:
        document, questions = made_questions(hierarchy, settings)
        for query, relevant in questions:
            matches = ranker_features(query, document)[:, FEATURES.index("with path")]
            rankings["ranker"].append(ranked(ranker.scores(query, document), relevant))
            rankings["with path"].append(ranked(matches, relevant))
    return {
        f"{measure} of {name}": float(np.mean([figure(ranking) for ranking in found]))
        for name, found in rankings.items()
        if found
        for measure, figure in (("mAP", average_precision), ("recall@10", lambda r: recall_at(r, 10)))
    }
