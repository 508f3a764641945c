"""Section 6 as the paper has it: one kind of document, queries that all of them share, split by query.

    python -m research.retrieval.run shared-queries --corpus LABELLED
    python -m research.retrieval.shared_queries --corpus LABELLED --look 40     # a sample, to check by eye

The documents are the Chinese annual and half-year reports of the corpus, the queries those of
shared_queries.toml. Which passages are relevant is derived from the true headings above them; the features
come from the tree that the shipped model builds. Every query is judged by trees that were learnt from other
queries (five folds). A query's figure is its mean over the documents that answer it, and queries are what is
resampled.
"""

from __future__ import annotations

import argparse
import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from research.arguments import make_parser
from research.retrieval.figures import MEASURES, Values, summary
from research.retrieval.learn import Learning, grow_trees, ties_by
from research.retrieval.ranking import relevance_by_rank
from research.retrieval.tables import BASE, PAPERS_OWN, columns_of

from held.corpus.store import LabelledDocument, labelled_documents
from held.hierarchy.pipeline import build_tree
from held.paper.ranker import PAPER_FEATURES, paper_features
from held.retrieval.bm25 import Floats
from held.retrieval.document_index import index_passages
from held.retrieval.passages import split_into_passages
from held.tree import ROOT

FILE = "shared-queries.json"
QUERIES = Path(__file__).with_name("shared_queries.toml")
DOMAIN = "zh_fin"
LEAST_ANSWERED = 15  # queries: a document that answers fewer is no report of this kind
FOLDS = 5
LEARNING = Learning(others=0.05, smallest_leaf=200)
_NUMBER = re.compile(r"^[\s\d一二三四五六七八九十百（）()、.．第节章条①-⑳⑴-⒇]+")

Flags = NDArray[np.bool_]


class Query(NamedTuple):
    """A query, and the titles that stand above what answers it."""

    text: str
    under: re.Pattern[str]
    not_under: re.Pattern[str]


class Answered(NamedTuple):
    """A query asked of one document that answers it."""

    query: int
    features: Floats  # (P, PAPER_FEATURES)
    relevant: Flags  # (P,)


def read_queries(path: Path = QUERIES) -> list[Query]:
    """The queries of a file."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    not_under = re.compile(table["policies"])
    return [Query(row["ask"], re.compile(row["under"]), not_under) for row in table["queries"]]


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Each row over all queries, paired against BM25."""
    queries = read_queries()
    documents = 0
    answered: list[Answered] = []
    for labelled in reports(options.corpus):
        own = list(asked_of(labelled, queries))
        if len(own) >= LEAST_ANSWERED:
            documents += 1
            answered += own
    rows: dict[str, Any] = {}
    base: Values = {}
    for name, scores in row_scores(answered, len(queries)):
        values = values_by_query(answered, scores)
        base = base or values
        rows[name] = {"passages": {"all": summary(values, base)}}
    relevant = [int(one.relevant.sum()) for one in answered]
    return {
        "documents": documents,
        "queries": len({one.query for one in answered}),
        "pairs": len(answered),
        "relevant": round(float(np.mean(relevant)), 1),
        "passages": round(float(np.mean([len(one.relevant) for one in answered]))),
        "rows": rows,
    }


def reports(corpus: Path) -> Iterator[LabelledDocument]:
    """The Chinese reports whose outline is no guess."""
    for labelled in labelled_documents(corpus):
        if labelled.domain == DOMAIN and not labelled.silver:
            yield labelled


def asked_of(labelled: LabelledDocument, queries: Sequence[Query]) -> Iterator[Answered]:
    """The queries that a document answers."""
    document = index_passages(split_into_passages(build_tree(labelled.document)))
    titles = [_titles_above(labelled, passage.object) for passage in document.passages]
    for number, query in enumerate(queries):
        relevant = np.array([answers(query, above) for above in titles], bool)
        if relevant.any():
            yield Answered(number, paper_features(query.text, document), relevant)


def answers(query: Query, titles: Sequence[str]) -> bool:
    """Whether what stands under these titles answers a query."""
    if any(query.not_under.search(title) for title in titles):
        return False
    return any(query.under.search(title) for title in titles)


def _titles_above(labelled: LabelledDocument, obj: int) -> list[str]:
    """The true titles above an object, without numbers and white space, the nearest first."""
    objects = labelled.document.objects
    titles = []
    parent = labelled.parents[obj]
    while parent != ROOT:
        if parent < len(objects):
            title, above = objects[parent].text, labelled.parents[parent]
        else:  # a heading that is no object
            missing = labelled.missing[parent - len(objects)]
            title, above = missing.title, missing.parent
        titles.append("".join(_NUMBER.sub("", title).split()))
        parent = above
    return titles


def row_scores(answered: Sequence[Answered], queries: int) -> Iterator[tuple[str, list[Floats]]]:
    """BM25, each feature of the paper beside it, and all of them: each row with its scores."""
    first = [columns_of(one.features, [BASE])[:, 0] for one in answered]
    yield BASE, first
    with_another = {f"+ {name}": (BASE, name) for name in PAPER_FEATURES if name != BASE}
    for name, columns in (with_another | {"+ all four": PAPER_FEATURES}).items():
        learnt = _unseen_scores(answered, columns, queries)
        yield name, [ties_by(own, bm25) for own, bm25 in zip(learnt, first, strict=True)]


def _unseen_scores(answered: Sequence[Answered], columns: Sequence[str], queries: int) -> list[Floats]:
    """The scores of each pair by trees that have not seen its query."""
    rng = np.random.default_rng(LEARNING.seed)
    fold_of = rng.permutation(queries) % FOLDS
    kept = [one.relevant | (rng.random(len(one.relevant)) < LEARNING.others) for one in answered]
    scores: list[Floats] = [np.zeros(0, np.float32)] * len(answered)
    for fold in range(FOLDS):
        seen = [index for index, one in enumerate(answered) if fold_of[one.query] != fold]
        rows = [columns_of(answered[index].features[kept[index]], columns) for index in seen]
        labels = [answered[index].relevant[kept[index]] for index in seen]
        booster = grow_trees(rows, labels, columns, LEARNING)
        for index, one in enumerate(answered):
            if fold_of[one.query] == fold:
                scores[index] = booster.predict(columns_of(one.features, columns))
    return scores


def values_by_query(answered: Sequence[Answered], scores: Sequence[Floats]) -> Values:
    """For each measure one figure for each query: the mean over the documents that answer it."""
    rankings: dict[int, list[list[bool]]] = {}
    for one, own in zip(answered, scores, strict=True):
        rankings.setdefault(one.query, []).append(relevance_by_rank(own, one.relevant))
    values: Values = {}
    for name, of_ranking in MEASURES.items():
        means = [np.mean([of_ranking(ranking) for ranking in own]) for _, own in sorted(rankings.items())]
        values[name] = [float(value) for value in means]
    return values


def markdown(result: Mapping[str, Any]) -> str:
    """The table, the paper's figures beside ours."""
    shown = ("mAP", "recall@1", "recall@5", "recall@10")
    lines = [
        f"**Queries that all reports share** ({result['queries']} queries, {result['documents']} Chinese"
        f" reports, {result['pairs']:,} pairs with an answer, {result['relevant']} of {result['passages']:,}"
        " passages relevant on average; each query judged by trees learnt from other queries; the paper: 138"
        " queries, 110 prospectuses)",
        "",
        "| | mAP | against BM25 | recall@1 | recall@5 | recall@10 | paper: mAP, recall@1/5/10 |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, row in result["rows"].items():
        own = row["passages"]["all"]
        low, high = own["mAP"]["difference"]["interval"]
        against = f"{own['mAP']['difference']['mean']:+.3f} ({low:+.3f} to {high:+.3f})"
        mean_ap, *recalls = (f"{own[key]['mean']:.3f}" for key in shown)
        paper = " / ".join(f"{value:.3f}" for value in PAPERS_OWN[name])
        lines.append(f"| {name} | {mean_ap} | {against} | {' | '.join(recalls)} | {paper} |")
    return "\n".join(lines)


def main() -> None:
    """Print relevant passages drawn at random from train and valid, with the titles above them."""
    parser = make_parser(__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--look", type=int, default=40)
    options = parser.parse_args()
    queries = read_queries()
    found = []
    for labelled in reports(options.corpus):
        if labelled.split == "test":
            continue
        titles = {obj: _titles_above(labelled, obj) for obj in range(len(labelled.document.objects))}
        for number, query in enumerate(queries):
            relevant = [obj for obj, above in titles.items() if answers(query, above)]
            if relevant:
                found.append((number, labelled, relevant, titles))
    for number, labelled, relevant, titles in random.Random(0).sample(found, min(options.look, len(found))):
        obj = random.Random(number).choice(relevant)
        text = " ".join(labelled.document.objects[obj].text.split())[:60]
        print(f"{queries[number].text}\t{' < '.join(titles[obj][:3])}\t{text}")


if __name__ == "__main__":
    main()
