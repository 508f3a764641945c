"""From a document to its tree, on one screen: find the headings, put them in place, hang the rest below.

Many documents are advanced together, so that one call of the model serves all of them. Torch and LightGBM
are for training: nothing here needs them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from held.document import Document, Pages
from held.features import table_of
from held.features.outline import outline_of
from held.insertion import Strategy, hang_rest
from held.insertion.build import build_many
from held.models.boosted import HeadingModel, PutOrSkipModel, load_headings, load_put_or_skip
from held.tree import Tree

BASE = Strategy(normalise=True)


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """A document's tree over all of its objects.

    `headings` has for each heading the probability that it is one, `confidence` the probability of its
    place; a document without a heading has all objects under the root.
    """

    document: Document
    tree: Tree
    headings: Mapping[int, float]
    confidence: Mapping[int, float]
    inquiries: int
    log_probability: float


def tree_of(document: Document | Pages, *, model: str = "base", strategy: Strategy = BASE) -> Hierarchy:
    """The hierarchy of a document, or of pages as they were read."""
    return trees_of([document], model=model, strategy=strategy)[0]


def trees_of(
    documents: Sequence[Document | Pages], *, model: str = "base", strategy: Strategy = BASE
) -> list[Hierarchy]:
    """The hierarchies of several documents, advanced together."""
    if not documents:
        return []
    finder, placer = _models(model)
    recognised = [_objects(document) for document in documents]
    tables = [table_of(document) for document in recognised]
    probabilities = [finder.probabilities(table) for table in tables]
    headings = [finder.headings(found) for found in probabilities]
    outlines = [outline_of(table, found) for table, found in zip(tables, headings, strict=True)]
    insertions = build_many(headings, placer.scorer(outlines), strategy)
    return [
        Hierarchy(
            document,
            hang_rest(insertion.tree, len(document.objects)),
            {heading: float(found[heading]) for heading in insertion.confidence},
            insertion.confidence,
            insertion.inquiries,
            insertion.log_probability,
        )
        for document, found, insertion in zip(recognised, probabilities, insertions, strict=True)
    ]


def _objects(document: Document | Pages) -> Document:
    if isinstance(document, Document):
        return document
    from held.pdf.recognise import recognise

    return recognise(document)


@cache
def _models(name: str) -> tuple[HeadingModel, PutOrSkipModel]:
    return load_headings(name), load_put_or_skip(name)
