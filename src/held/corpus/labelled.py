"""A document with its truth: which objects are headings, and what each object hangs under.

An outline may name a heading that was recognised as no object. It stays part of the truth as a
`MissingHeading`, a node like any other, so that nothing gets easier by failing to find it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

from held.document import Document
from held.errors import UsageError
from held.metrics import Label, Truth
from held.tree import ROOT, Tree

NO_ENTRY = -1


class MissingHeading(NamedTuple):
    """A true heading without an object. It stands before the object with index `before`."""

    title: str
    page: int | None
    before: int
    parent: int  # as in `LabelledDocument.parents`
    entry: int


@dataclass(frozen=True, slots=True)
class LabelReport:
    """What became of an outline's entries, step by step."""

    entries: int = 0
    junk: int = 0  # no headings: blank titles, bookmarks of a word processor, file names …
    joined: int = 0  # pieces of a heading that the outline lists by themselves: a label, its title
    lone_roots: int = 0  # a single entry above all others, which is no heading of the text
    levels_repaired: int = 0  # entries whose level jumped, or was that of their number's prefix
    out_of_order: int = 0  # entries that point to a page before the one that the entry before points to
    aligned: int = 0  # entries that are an object now
    in_pieces: int = 0  # of these, entries whose title stands in several objects
    inexact: int = 0  # of these, entries whose title only begins, ends or resembles the object
    missing: int = 0  # entries that are no object
    unknown: int = 0  # objects that may be headings the outline leaves out
    in_tags: int = 0  # titles that the file's tags and outline both have ...
    alike_in_tags: int = 0  # ... and of these, those that both put under the same title

    def counts(self) -> dict[str, int]:
        """The counts by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def headings(self) -> int:
        """How many entries are headings: the denominator of everything."""
        return self.aligned + self.missing


@dataclass(frozen=True, slots=True)
class LabelledDocument:
    """Objects with labels and parents.

    `parents` has an index for each object: -1 the root, below the number of objects the parent object, and
    from there on `missing[index - number of objects]`. `entries` has the outline entry that a heading came
    from, counted from 0 in the source's outline; -1 for other objects. `dropped` says why the labels
    cannot be trusted: such a document is for figures over all documents only.
    """

    id: str
    document: Document
    labels: tuple[Label, ...]
    parents: tuple[int, ...]
    entries: tuple[int, ...]
    missing: tuple[MissingHeading, ...] = ()
    split: str = ""
    group: str = ""
    domain: str = ""
    lang: str = ""
    source_hash: str = ""
    labels_from: str = "outline"  # or "tags"
    dropped: str | None = None
    report: LabelReport = LabelReport()

    def __post_init__(self) -> None:
        count = len(self.document.objects)
        if not count == len(self.labels) == len(self.parents) == len(self.entries):
            raise UsageError(f"labels, parents and entries do not fit {count} objects", file=self.id)
        nodes = count + len(self.missing)
        if not all(ROOT <= parent < nodes for parent in self.parents):
            raise UsageError(f"a parent is none of {nodes} nodes", file=self.id)

    @property
    def headings(self) -> tuple[int, ...]:
        """The objects that are headings."""
        return tuple(i for i, label in enumerate(self.labels) if label is Label.HEADING)

    def levels(self) -> tuple[int, ...]:
        """The level of each object, then of each missing heading: 1 right under the root."""
        found = truth(self).tree.levels()
        levels = [0] * (len(self.labels) + len(self.missing))
        for node, item in enumerate(_reading_order(self)):
            levels[item] = found[node]
        return tuple(levels)


def truth(labelled: LabelledDocument) -> Truth:
    """The truth that a prediction is measured against."""
    count = len(labelled.labels)
    order = _reading_order(labelled)
    node_of = {ROOT: ROOT} | {item: node for node, item in enumerate(order)}
    parents = (*labelled.parents, *(missing.parent for missing in labelled.missing))
    labels = (*labelled.labels, *(Label.HEADING for _ in labelled.missing))
    return Truth(
        Tree.from_parents([node_of[parents[item]] for item in order]),
        tuple(labels[item] for item in order),
        tuple(item if item < count else None for item in order),
    )


def _reading_order(labelled: LabelledDocument) -> list[int]:
    """All nodes in reading order, by the indices that `parents` uses."""
    count = len(labelled.labels)
    before: dict[int, list[int]] = {}
    for k, missing in enumerate(labelled.missing):
        before.setdefault(missing.before, []).append(count + k)
    order: list[int] = []
    for obj in range(count + 1):
        order += before.get(obj, ())
        order.append(obj)
    return order[:-1]
