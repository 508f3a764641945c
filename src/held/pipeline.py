"""From a document to its tree, on one screen: find the headings, put them in place, hang the rest below.

Many documents are advanced together, so that one call of the model serves all of them. Torch and LightGBM
are for training: nothing here needs them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import NamedTuple, TypedDict, Unpack

from held.document import Document, Kind, Pages
from held.features import Table, table_of
from held.features.outline import outline_of
from held.fixed import NOTHING_FIXED, Fixed
from held.insertion import (
    Alternative,
    Alternatives,
    Insertion,
    Question,
    Scorer,
    Strategy,
    hang_rest,
    taught_insertions,
)
from held.models.boosted import HeadingModel, PutOrSkip, PutOrSkipModel, load_headings, load_put_or_skip
from held.models.calibration import Calibration, load_calibration, on_curve
from held.progress import Progress
from held.tree import Tree

BASE = Strategy(normalise=True)
DOUBTFUL = 0.5
CLOSE = 0.05  # the least probability of an alternative
_DIGITS = 4  # of a probability: more would be pretence, and what is written is what was meant
_GIVEN = 1.0  # a heading that another engine has found is taken for one


class Headings(StrEnum):
    """Which objects are headings: those that the model finds, those that the document calls so.

    AUTO takes those of the document where it has any: ours never calls an object a heading.
    """

    AUTO = "auto"
    FOUND = "found"
    GIVEN = "given"


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """A document's tree over all of its objects.

    `headings` has for each heading the probability that it is one, `confidence` the probability that it
    stands in its place if it is; `calibrated` says whether they can be taken at their word. `alternatives`
    has the other parents that were close. A document without a heading has all objects under the root.
    Where pages were cut out, `names_outside` names those before them that have the headings above.
    """

    document: Document
    tree: Tree
    headings: Mapping[int, float]
    confidence: Mapping[int, float]
    inquiries: int
    log_probability: float
    alternatives: Mapping[int, Alternatives] = field(default_factory=dict)
    calibrated: bool = False
    min_confidence: float | None = None
    names_outside: Mapping[int, str] = field(default_factory=dict)

    def certainty(self, heading: int) -> float:
        """The probability that a heading is one and stands in its place."""
        return round(self.headings[heading] * self.confidence[heading], _DIGITS)

    @property
    def doubtful(self) -> frozenset[int]:
        """The headings with a certainty below `min_confidence`, or below a half where none was asked for."""
        least = DOUBTFUL if self.min_confidence is None else self.min_confidence
        return frozenset(heading for heading in self.headings if self.certainty(heading) < least)

    def page_name(self, page: int) -> str:
        """What a page is called to people: its printed label, or else its number."""
        place = page - self.document.first_page
        known = 0 <= place < len(self.document.pages)
        label = self.document.pages[place].label if known else self.names_outside.get(page)
        return label or str(page)


class Way(TypedDict, total=False):
    """How trees are made; what is left out is as `scored_trees_of` has it."""

    model: str
    strategy: Strategy
    headings: Headings
    fixed: Sequence[Fixed]
    progress: Progress | None


def tree_of(document: Document | Pages, **way: Unpack[Way]) -> Hierarchy:
    """The hierarchy of a document, or of pages as they were read."""
    return trees_of([document], **way)[0]


def trees_of(documents: Sequence[Document | Pages], **way: Unpack[Way]) -> list[Hierarchy]:
    """The hierarchies of several documents, advanced together."""
    return [hierarchy_of(found) for found in scored_trees_of(documents, **way)]


class Judged(NamedTuple):
    """A document after the heading step: its table, and a score for each heading in reading order."""

    document: Document
    table: Table
    headings: Mapping[int, float]


class Scored(NamedTuple):
    """What both steps say of a document: a score for each heading, and the tree of the headings alone."""

    document: Document
    headings: Mapping[int, float]
    insertion: Insertion
    calibration: Calibration | None
    fixed: Fixed = NOTHING_FIXED


def scored_trees_of(
    documents: Sequence[Document | Pages],
    *,
    model: str = "base",
    strategy: Strategy = BASE,
    headings: Headings = Headings.AUTO,
    fixed: Sequence[Fixed] = (),
    progress: Progress | None = None,
) -> list[Scored]:
    """The trees of headings with the scores of both steps, as the models give them.

    `fixed` has for each document what is known of its headings, where anything is. `progress` is called with
    the headings that are inserted and the headings in all.
    """
    judged = judged_headings(documents, model=model, headings=headings)
    return inserted(judged, model=model, strategy=strategy, fixed=fixed, progress=progress)


def judged_headings(
    documents: Sequence[Document | Pages], *, model: str = "base", headings: Headings = Headings.AUTO
) -> list[Judged]:
    """The documents with their headings: what stays the same however often their trees are built."""
    finder = _models(model).finder
    recognised = [_objects(document) for document in documents]
    tables = [table_of(document) for document in recognised]
    return [
        Judged(document, table, _heading_scores(finder, document, table, headings))
        for document, table in zip(recognised, tables, strict=True)
    ]


def inserted(
    documents: Sequence[Judged],
    *,
    model: str = "base",
    strategy: Strategy = BASE,
    fixed: Sequence[Fixed] = (),
    progress: Progress | None = None,
) -> list[Scored]:
    """The trees of headings of documents whose headings are found; `fixed` and `progress` as above."""
    if not documents:
        return []
    known = fixed or [NOTHING_FIXED] * len(documents)
    scores = [
        said.headings_among(judged.headings, score=_GIVEN)
        for said, judged in zip(known, documents, strict=True)
    ]
    outlines = [outline_of(judged.table, tuple(own)) for judged, own in zip(documents, scores, strict=True)]
    _, placer, calibration = _models(model)
    scorer = placer.scorer(outlines)
    asked: Scorer = scorer if progress is None else _TellingScorer(scorer, progress, sum(map(len, scores)))
    parents = [said.parents for said in known]
    insertions = taught_insertions([tuple(own) for own in scores], asked, strategy, parents)
    found = zip(documents, scores, insertions, known, strict=True)
    return [Scored(judged.document, own, tree, calibration, said) for judged, own, tree, said in found]


class _TellingScorer:
    """A scorer that tells how many of all headings it was asked about."""

    def __init__(self, scorer: PutOrSkip, progress: Progress, headings: int) -> None:
        self._scorer, self._progress, self._headings = scorer, progress, headings
        self._asked: set[tuple[int, int]] = set()
        progress(0, headings)
        self.kinds = scorer.kinds

    def score(self, questions: Sequence[Question]) -> Sequence[Sequence[float]]:
        """What the scorer itself says."""
        self._asked.update((question.document, question.obj) for question in questions)
        self._progress(len(self._asked), self._headings)
        return self._scorer.score(questions)


def _heading_scores(
    finder: HeadingModel, document: Document, table: Table, which: Headings
) -> dict[int, float]:
    """The headings in reading order, each with the score that it is one."""
    given = [i for i, item in enumerate(document.objects) if item.kind is Kind.HEADING]
    if which is Headings.GIVEN or (which is Headings.AUTO and given):
        return dict.fromkeys(given, _GIVEN)
    scores = finder.probabilities(table)
    return {heading: float(scores[heading]) for heading in finder.headings(scores)}


def hierarchy_of(scored: Scored) -> Hierarchy:
    """The tree of all objects, with probabilities in place of scores where these are calibrated."""
    document, scores, insertion, calibration, fixed = scored
    headings, confidence = scores, insertion.confidence
    if calibration is not None:
        headings = {h: s if s == _GIVEN else on_curve(calibration.heading, s) for h, s in scores.items()}
        confidence = {
            h: s if h in fixed.parents else on_curve(calibration.place, s) for h, s in confidence.items()
        }
    close = {
        heading: close_alternatives(others, insertion.confidence[heading], confidence[heading])
        for heading, others in insertion.alternatives.items()
    }
    return Hierarchy(
        document,
        hang_rest(insertion.tree, len(document.objects)),
        {heading: round(p, _DIGITS) for heading, p in headings.items()},
        {heading: round(p, _DIGITS) for heading, p in confidence.items()},
        insertion.inquiries,
        round(insertion.log_probability, _DIGITS),
        {heading: others for heading, others in close.items() if others},
        calibrated=calibration is not None,
    )


def close_alternatives(others: Alternatives, score: float, probability: float) -> Alternatives:
    """The alternatives that are close, each with its part of what the place's probability leaves to them."""
    left = (1 - probability) / (1 - score) if score < 1 else 0.0
    shares = (Alternative(parent, round(p * left, _DIGITS)) for parent, p in others)
    return tuple(other for other in shares if other.probability >= CLOSE)


def _objects(document: Document | Pages) -> Document:
    if isinstance(document, Document):
        return document
    from held.pdf.recognise import recognise

    return recognise(document)


class _Models(NamedTuple):
    finder: HeadingModel
    placer: PutOrSkipModel
    calibration: Calibration | None


@cache
def _models(name: str) -> _Models:
    return _Models(load_headings(name), load_put_or_skip(name), load_calibration(name))
