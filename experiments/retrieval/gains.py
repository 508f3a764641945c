"""What each of our features is worth, on the questions of split train: all of them, and all but some."""

from __future__ import annotations

import argparse
from typing import Any

from experiments.retrieval.data import cases_of, questions_in
from experiments.retrieval.figures import page_values, passage_values, summary
from experiments.retrieval.learn import ties_by, unseen_scores
from experiments.retrieval.tables import LISTWISE, POINTWISE

from held.retrieval.bm25 import Floats
from held.retrieval.features import FACTS, FEATURES, MATCHES, paper_features, ranker_features

WITHOUT = {
    "nothing left out": (),
    "without the path": ("with path", "path"),
    "without single headings": ("best heading", "parent", "heading asked for"),
    "without section and page": ("section", "page"),
    "without neighbours": ("neighbour",),
    "without the share of words": ("share",),
    "without the passage's kind": ("table", "digits", "length"),
    "without its place": ("SameWordAnc", "Pos", "PosRatio", "place", "depth", "siblings"),
    "without years": ("years",),
    "matches alone": FACTS,
    "nothing of the tree": (
        *("with path", "path", "best heading", "parent", "heading asked for", "section"),
        *("SameWordAnc", "Pos", "PosRatio", "depth", "siblings"),
    ),
}


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """The figures without each group of features, without synonyms, and learnt pointwise."""
    questions = [question for question in questions_in(options.data) if question.split == "train"]
    cases = cases_of(questions, options.data, options.cache)
    texts = [case.question.text for case in cases]
    first = [paper_features(text, case.document)[:, 0] for text, case in zip(texts, cases, strict=True)]
    tables = [ranker_features(text, case.document) for text, case in zip(texts, cases, strict=True)]
    plain = [ranker_features(t, case.document, synonyms=False) for t, case in zip(texts, cases, strict=True)]
    variants = [(name, tables, FEATURES, out, LISTWISE) for name, out in WITHOUT.items()]
    variants.append(("without synonyms", plain, FEATURES, (), LISTWISE))
    variants.append(("learnt pointwise", tables, FEATURES, (), POINTWISE))
    rows: dict[str, Any] = {"BM25": _figures(cases, first, None)}
    against = (passage_values(cases, first), page_values(cases, first))
    for name, features, names, out, learning in variants:
        kept = [i for i, feature in enumerate(names) if feature not in out]
        scores = unseen_scores(cases, [f[:, kept] for f in features], [names[i] for i in kept], learning)
        rows[name] = _figures(cases, list(map(ties_by, scores, first)), against)
    return {"questions": len(cases), "rows": rows, "matches": MATCHES}


def _figures(cases: Any, scores: list[Floats], against: Any) -> dict[str, Any]:
    passages, pages = against or (None, None)
    return {
        "passages": summary(passage_values(cases, scores), passages),
        "pages": summary(page_values(cases, scores), pages),
    }


def markdown(found: dict[str, Any]) -> str:
    """The gains as a table."""
    lines = ["| | passages: mAP | recall@10 | pages: mAP | recall@10 |", "| --- " * 5 + "|"]
    for name, row in found["rows"].items():
        cells = [
            f"{row[level][m]['mean']:.3f}" for level in ("passages", "pages") for m in ("mAP", "recall@10")
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)
