"""The rules that correct the heading classifier: one table, applied in one loop.

A rule looks at the objects and at the probabilities so far, marks some objects, and bounds their probability
of being a heading. To add a rule, add an entry to RULES and a test. `python -m research.ablation` measures
what each entry is worth. `python -m research.ablation.evidence` counts its evidence: how many of the objects
that it marks are headings, by the labels of 556 documents of train and valid.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from held.document import Kind
from held.headings import Bools, Floats
from held.headings.object_features import KINDS, SAME_SIZE, ObjectFeatures

_CAPTION = KINDS.index(Kind.CAPTION)
_MIN_OBJECTS_BETWEEN = 2  # below a title; with fewer there is no section that could go on


class AtMost(NamedTuple):
    """Lowers a probability to at most this value."""

    probability: float

    def apply(self, probabilities: Floats) -> Floats:
        """The bounded probabilities."""
        return np.minimum(probabilities, np.float32(self.probability))


class AtLeast(NamedTuple):
    """Raises a probability to at least this value."""

    probability: float

    def apply(self, probabilities: Floats) -> Floats:
        """The bounded probabilities."""
        return np.maximum(probabilities, np.float32(self.probability))


NEVER = AtMost(0.0)

RulePredicate = Callable[[ObjectFeatures, Floats, float], Bools]
"""Given the objects, their probabilities and the threshold, says which objects a rule concerns."""


class Rule(NamedTuple):
    """A rule: its name, a one-sentence reason, the evidence for it, what it does and to which objects."""

    name: str
    reason: str
    evidence: str
    effect: AtMost | AtLeast
    predicate: RulePredicate


def apply_rules(
    rules: Sequence[Rule], probabilities: Floats, objects: ObjectFeatures, threshold: float
) -> Floats:
    """The probabilities of headings after the rules, applied in their order."""
    bounded = probabilities.copy()
    for rule in rules:
        marked = rule.predicate(objects, bounded, threshold)
        bounded[marked] = rule.effect.apply(bounded[marked])
    return bounded


def _repeats_last_page(objects: ObjectFeatures, probabilities: Floats, threshold: float) -> Bools:
    """A title at the head of a page that the page before has at its head, in the same style."""
    marked = np.zeros(len(objects), bool)
    size = objects["size"]
    latest: dict[int, int] = {}  # by style: the last heading, as long as no larger heading has followed
    for obj in np.flatnonzero(probabilities >= threshold).tolist():
        style = int(objects.style[obj])
        before = latest.get(style)
        marked[obj] = before is not None and _continues(objects, before, obj)
        min_size = size[obj] - SAME_SIZE
        latest = {own: at for own, at in latest.items() if size[at] >= min_size}
        latest[style] = obj
    return marked


def _continues(objects: ObjectFeatures, before: int, obj: int) -> bool:
    page, is_first, title = objects["page"], objects["first_on_page"], objects.keys
    is_next_page = page[obj] == page[before] + 1
    are_page_heads = is_first[before] and is_first[obj]
    same_words = title[obj] != "" and title[obj] == title[before]
    holds_a_section = obj - before > _MIN_OBJECTS_BETWEEN
    return bool(is_next_page and are_page_heads and same_words and holds_a_section)


def _is_only_listed(objects: ObjectFeatures, probabilities: Floats, threshold: float) -> Bools:
    """The first object on its page that an entry of the contents names, where no heading has that entry."""
    entries = objects["contents_entry"]
    is_heading = probabilities >= threshold
    is_listed = objects.candidates & (entries > 0) & ~is_heading
    is_on_listed_page = objects["contents_page"] == 0
    # Captions are named by lists of figures and tables.
    is_caption = objects["kind"] == _CAPTION
    found = set(entries[is_heading].tolist())
    marked = np.zeros(len(objects), bool)
    for obj in np.flatnonzero(is_listed & is_on_listed_page & ~is_caption).tolist():
        entry = float(entries[obj])
        marked[obj] = entry not in found
        found.add(entry)
    return marked


def _is_not_text(objects: ObjectFeatures, probabilities: Floats, threshold: float) -> Bools:
    return ~objects.candidates


def _is_continued(objects: ObjectFeatures, probabilities: Floats, threshold: float) -> Bools:
    return objects.continued


NOT_TEXT = Rule(
    "not text",
    "Tables, figures and empty texts head no section, whatever a model says.",
    "14 of 46,442 are headings",
    NEVER,
    _is_not_text,
)
CONTINUED = Rule(
    "continued title",
    'A title that ends in "(continued)" after the same title goes on with a section and starts none.',
    "0 of 109 are headings",
    NEVER,
    _is_continued,
)
RULES = (
    Rule(
        "repeated title",
        "A title repeated at the head of the next page continues a section and starts none.",
        "2 of 4 are headings; with earlier weights 2 of 14",
        AtMost(0.14),
        _repeats_last_page,
    ),
    Rule(
        "listed in contents",
        "A line that an entry of the printed contents names on its page is a heading, even if set like text.",
        "1 of 2 are headings; with earlier weights, which found fewer by themselves, 52 of 62",
        AtLeast(0.84),
        _is_only_listed,
    ),
    NOT_TEXT,
    CONTINUED,
)
EXCLUSIONS = (NOT_TEXT, CONTINUED)
"""The rules for models that have no others, such as the paper's networks."""
