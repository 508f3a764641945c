"""From a document to its tree, on one screen: find the headings, put them in place, hang the rest below.

Which model does either step is the business of `held.hierarchy.steps`. Many documents are advanced
together, so that one call of the model serves all of them. Torch and LightGBM
are for training: nothing here needs them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import NamedTuple, TypedDict, Unpack

from held.document import Document, Kind, Pages, PhysicalObject
from held.errors import UsageError
from held.headings.object_features import TEXT_KINDS
from held.hierarchy.document_features import Seen
from held.hierarchy.insertion import (
    Alternative,
    Alternatives,
    Insertion,
    Question,
    Scorer,
    Strategy,
    hang_rest,
    taught_insertions,
)
from held.hierarchy.insertion.scorer import Drafting
from held.hierarchy.overrides import NOTHING_FIXED, Fixed
from held.hierarchy.steps import Steps, at_work, load_steps
from held.models.calibration import Calibration, on_curve
from held.numbering.titles import find_continued_titles
from held.system.progress import Progress
from held.tree import ROOT, Tree

BASE = Strategy(normalise=True)
DOUBTFUL = 0.5
CLOSE = 0.05  # the least probability of an alternative
_DIGITS = 4  # of a probability: more would be pretence, and what is written is what was meant
_TAKEN = 1.0  # the score of what is taken for a heading: another engine found it, or the tree step by itself


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
        if heading not in self.headings:
            raise UsageError(f"object {heading} is no heading", file=self.document.source)
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


HeadingScores = dict[int, float]
"""The headings of a document in reading order, each with the score that it is one."""


class Judged(NamedTuple):
    """A document after the heading step; None where the tree step finds headings by inserting all objects."""

    seen: Seen
    headings: HeadingScores | None


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
    seen = [Seen(_objects(document)) for document in documents]
    steps = _steps(model)
    with at_work(model):
        scores = _heading_scores(steps, seen, headings)
    return [Judged(own, found) for own, found in zip(seen, scores, strict=True)]


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
    steps = _steps(model)
    seen = [judged.seen for judged in documents]
    known = fixed or [NOTHING_FIXED] * len(documents)
    scores = [_with_fixed(said, judged.headings) for said, judged in zip(known, documents, strict=True)]
    objects = [_to_insert(own, document) for own, document in zip(scores, seen, strict=True)]
    parents = [said.parents for said in known]
    with at_work(model):
        scorer = steps.tree.scorer(seen, objects)
        if progress is not None:
            scorer = _TellingScorer(scorer, progress, sum(map(len, objects)))
        trees = taught_insertions(objects, scorer, strategy, parents)
    return [
        Scored(document.document, _headings(own, tree), tree, steps.calibration, said)
        for document, own, tree, said in zip(seen, scores, trees, known, strict=True)
    ]


def _heading_scores(steps: Steps, documents: Sequence[Seen], which: Headings) -> list[HeadingScores | None]:
    """The headings of each document; None where the tree step is to find them by inserting every object."""
    found: list[HeadingScores | None] = [_given(seen.document, which) for seen in documents]
    unknown = [place for place, headings in enumerate(found) if headings is None]
    if steps.tree.every_object or steps.heading is None:
        return found
    probabilities = steps.heading.probabilities([documents[place] for place in unknown])
    for place, scores in zip(unknown, probabilities, strict=True):
        headings = steps.heading.headings(scores)
        objects = documents[place].document.objects
        continued = find_continued_titles(objects)
        heading = [obj for obj in headings if _may_head(objects[obj]) and obj not in continued]
        found[place] = {obj: float(scores[obj]) for obj in heading}
    return found


def _may_head(item: PhysicalObject) -> bool:
    """Whether an object can head a section: whatever a model says, no table, no figure and no empty text."""
    return item.kind in TEXT_KINDS and item.text != ""


def _given(document: Document, which: Headings) -> HeadingScores | None:
    """The headings that the document names, where these are to be taken."""
    if which is Headings.FOUND:
        return None
    given = [obj for obj, item in enumerate(document.objects) if item.kind is Kind.HEADING]
    if which is Headings.AUTO and not given:
        return None
    return dict.fromkeys(given, _TAKEN)


def _to_insert(headings: HeadingScores | None, seen: Seen) -> Sequence[int]:
    return range(len(seen)) if headings is None else tuple(headings)


def _with_fixed(said: Fixed, found: HeadingScores | None) -> HeadingScores | None:
    """The headings that were found, and those that are known to be some."""
    if found is not None:
        return said.headings_among(found, score=_TAKEN)
    if said != NOTHING_FIXED:
        raise UsageError(
            "a model that inserts every object cannot keep headings in fixed places",
            advice="use one with a heading step, such as base",
        )
    return None


def _headings(scores: HeadingScores | None, insertion: Insertion) -> HeadingScores:
    """The headings with their scores; where every object was inserted, those that have others below them."""
    if scores is not None:
        return scores
    inner = set(insertion.tree.parents().values()) - {ROOT}
    return dict.fromkeys(sorted(inner), _TAKEN)


class _TellingScorer:
    """A scorer that tells how many of all objects to insert it was asked about."""

    def __init__(self, scorer: Scorer, progress: Progress, objects: int) -> None:
        self._scorer, self._progress, self._objects = scorer, progress, objects
        self._asked: set[tuple[int, int]] = set()
        progress(0, objects)
        if isinstance(scorer, Drafting):  # then it can be asked ahead, and so can this one
            self.kinds = scorer.kinds

    def score(self, questions: Sequence[Question]) -> Sequence[Sequence[float]]:
        """What the scorer itself says."""
        self._asked.update((question.document, question.obj) for question in questions)
        self._progress(len(self._asked), self._objects)
        return self._scorer.score(questions)


def hierarchy_of(scored: Scored) -> Hierarchy:
    """The tree of all objects, with probabilities in place of scores where these are calibrated."""
    document, scores, insertion, calibration, fixed = scored
    headings: Mapping[int, float] = scores
    places = {heading: p for heading, p in insertion.confidence.items() if heading in scores}
    confidence = places
    if calibration is not None:
        headings = {h: s if s == _TAKEN else on_curve(calibration.heading, s) for h, s in scores.items()}
        confidence = {
            h: s if h in fixed.parents else on_curve(calibration.place, s) for h, s in places.items()
        }
    close = {
        heading: close_alternatives(_under_headings(others, scores), places[heading], confidence[heading])
        for heading, others in insertion.alternatives.items()
        if heading in scores
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


def _under_headings(others: Alternatives, headings: Collection[int]) -> Alternatives:
    """The alternatives that are headings or the root: what has nothing below it heads no section."""
    return tuple(other for other in others if other.parent == ROOT or other.parent in headings)


def close_alternatives(others: Alternatives, score: float, probability: float) -> Alternatives:
    """The alternatives that are close, each with its part of what the place's probability leaves to them."""
    left = (1 - probability) / (1 - score) if score < 1 else 0.0
    shares = (Alternative(parent, round(p * left, _DIGITS)) for parent, p in others)
    return tuple(other for other in shares if other.probability >= CLOSE)


def _objects(document: Document | Pages) -> Document:
    if isinstance(document, Document):
        return document
    from held.layout.recognise import recognise

    return recognise(document)


@cache
def _steps(model: str) -> Steps:
    """The steps of a model, loaded once."""
    return load_steps(model)
