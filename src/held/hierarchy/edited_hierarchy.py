"""A document with a person's corrections applied, and its heading tree rebuilt around them.

    document + effects ── apply_effects ──▶ EditedDocument     other objects, and overrides for some headings
    EditedDocument ── HierarchyEditor ──▶ EditedHierarchy      headings without an override are inserted again

The list of effects is the whole state, so undo leaves the last effect out. Object numbers are stable: an
object keeps its index in the recognised document, and the second half of a split object gets the next free
number. So an effect stays valid whatever is joined or split before it in reading order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from held.document import Document, PageRegion, PhysicalObject, bounding_box
from held.errors import UsageError
from held.hierarchy import Hierarchy
from held.hierarchy.insertion import Overrides
from held.hierarchy.overrides import HEADING, TEXT, Override, parse_overrides
from held.hierarchy.pipeline import (
    ScoredHeadings,
    TreeOptions,
    complete_tree,
    insert_headings,
    score_headings,
)
from held.system.bounded_json import JsonValue
from held.tree import ROOT, allowed_positions

Objects = dict[int, PhysicalObject]
"""Objects by number, in reading order."""

_FIRST_CJK = "\u2e80"  # East Asian scripts, which put no space between words, start here


class Join(NamedTuple):
    """Two objects that become one: the second is appended to the first."""

    first: int
    second: int


class Split(NamedTuple):
    """An object that becomes two: the text from character `at` on becomes object number `new`."""

    obj: int
    at: int
    new: int


@dataclass(frozen=True, slots=True)
class Effect:
    """What one correction changes, by object number.

    An override is the parent heading, None for the top level, or "heading" or "text".
    """

    overrides: Mapping[int, Override] = field(default_factory=dict)
    texts: Mapping[int, str] = field(default_factory=dict)
    joins: tuple[Join, ...] = ()
    splits: tuple[Split, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The effect as a JSON object, whose keys are texts."""
        return {
            "places": {str(obj): override for obj, override in self.overrides.items()},
            "texts": {str(obj): text for obj, text in self.texts.items()},
            "joins": [list(join) for join in self.joins],
            "splits": [list(split) for split in self.splits],
        }

    @staticmethod
    def from_json(value: JsonValue) -> Effect:
        """The effect that a JSON object describes."""
        overrides = value["places"].fields()
        texts = value["texts"].fields()
        joins = [Join(*join.value) for join in value["joins"].items()]
        splits = [Split(*split.value) for split in value["splits"].items()]
        return Effect(
            {int(obj): override for obj, override in overrides.items()},
            {int(obj): text for obj, text in texts.items()},
            tuple(joins),
            tuple(splits),
        )


@dataclass(frozen=True)
class EditedDocument:
    """A document after corrections: `numbers` has the number of each object, `overrides` go by number.

    `as_read` has the objects with a new title as they were before: the tree is built from these.
    """

    document: Document
    numbers: tuple[int, ...]
    overrides: Mapping[int, Override]
    as_read: Mapping[int, PhysicalObject] = field(default_factory=dict)

    @cached_property
    def document_as_read(self) -> Document:
        """The document without new titles.

        A new title changes what is shown and nothing else. If the model read it, another heading could
        move, or no longer be found.
        """
        if not self.as_read:
            return self.document
        pairs = zip(self.numbers, self.document.objects, strict=True)
        objects = [self.as_read.get(number, item) for number, item in pairs]
        return replace(self.document, objects=tuple(objects))

    @cached_property
    def index_of(self) -> dict[int, int]:
        """The index in the document of each object number."""
        return {number: index for index, number in enumerate(self.numbers)}

    def indexed_overrides(self) -> Overrides:
        """The overrides by index; if two contradict each other, the later one wins."""
        by_index: dict[int, Override] = {}
        for obj, override in self.overrides.items():
            index = self.index_of.get(obj)
            if index is None:
                continue  # a later join has removed the object
            if not isinstance(override, int):
                by_index[index] = override
            elif override in self.index_of:
                by_index[index] = self.index_of[override]
        resolved = resolve_conflicts(by_index)
        return parse_overrides(resolved, object_count=len(self.numbers))


class EditedHierarchy:
    """An edited document with its tree. `hierarchy` uses indices; the methods here use object numbers."""

    def __init__(self, edited: EditedDocument, scored: ScoredHeadings, hierarchy: Hierarchy) -> None:
        self.edited = edited
        self.scored = scored
        self.hierarchy = hierarchy

    @cached_property
    def parents(self) -> dict[int, int | None]:
        """The parent of each heading, None at the top level, in reading order."""
        numbers = self.edited.numbers
        parents = self.hierarchy.tree.parents()
        found: dict[int, int | None] = {}
        for heading in sorted(self.hierarchy.headings):
            parent = parents[heading]
            found[numbers[heading]] = None if parent == ROOT else numbers[parent]
        return found

    def style(self, number: int) -> int:
        """The style group of an object: equal for objects with the same type and kind of numbering."""
        groups = self.scored.features.objects.group
        return int(groups[self.edited.index_of[number]])

    def same_style(self, number: int) -> tuple[int, ...]:
        """The other objects with the style of this one, in reading order."""
        groups = self.scored.features.objects.group
        is_same = groups == self.style(number)
        indices = is_same.nonzero()[0].tolist()
        numbers = [self.edited.numbers[index] for index in indices]
        numbers.remove(number)
        return tuple(numbers)

    def item(self, number: int) -> PhysicalObject:
        """The object with this number."""
        index = self.edited.index_of[number]
        return self.edited.document.objects[index]

    def review_order(self) -> list[int]:
        """The doubtful headings that nobody has corrected, most worth a check first.

        A misplaced heading gives every heading below it a wrong path. So the worth of a check is the doubt
        times the number of paths that depend on the heading.
        """
        descendants = self._descendant_counts()
        worth: dict[int, float] = {}
        for heading in self.hierarchy.doubtful:
            number = self.edited.numbers[heading]
            if number not in self.edited.overrides:
                doubt = 1 - self.hierarchy.certainty(heading)
                dependent_paths = 1 + descendants[heading]
                worth[number] = doubt * dependent_paths
        return sorted(worth, key=lambda number: (-worth[number], number))

    def _descendant_counts(self) -> dict[int, int]:
        parents = self.hierarchy.tree.parents()
        counts = dict.fromkeys(self.hierarchy.headings, 0)
        for heading in sorted(counts, reverse=True):  # children come after their parent in reading order
            parent = parents[heading]
            if parent != ROOT:
                counts[parent] += counts[heading] + 1
        return counts


class HierarchyEditor:
    """A recognised document and the model that rebuilds its tree after each correction.

    Heading scores don't depend on overrides. They are kept until an object changes, so that the page answers
    within a key press.
    """

    def __init__(self, document: Document, *, model: str = "base") -> None:
        self._document = document
        self._options = TreeOptions(model=model)
        self._scored: ScoredHeadings | None = None

    def apply(self, effects: Sequence[Effect]) -> EditedHierarchy:
        """The document after these effects; headings without an override are inserted again."""
        edited = apply_effects(self._document, effects)
        scored = self._scored
        if scored is None or scored.features.document != edited.document_as_read:
            (scored,) = score_headings([edited.document_as_read], self._options)
            self._scored = scored
        overrides = edited.indexed_overrides()
        (built,) = insert_headings([scored], self._options, overrides=[overrides])
        hierarchy = replace(complete_tree(built), document=edited.document)
        return EditedHierarchy(edited, scored, hierarchy)


def apply_effects(document: Document, effects: Iterable[Effect]) -> EditedDocument:
    """The document after the effects, applied one after another."""
    objects = dict(enumerate(document.objects))
    overrides: dict[int, Override] = {}
    as_read: Objects = {}
    for effect in effects:
        objects = _join_and_split(objects, effect)
        # What was joined or split under its new title is a new text, which the model has to read.
        changed = {split.obj for split in effect.splits}.union(*effect.joins)
        for obj in changed:
            as_read.pop(obj, None)
        for obj, text in effect.texts.items():
            as_read.setdefault(obj, objects[obj])
            objects[obj] = replace(objects[obj], text=text)
        for obj, override in effect.overrides.items():
            overrides.pop(obj, None)  # a dict keeps the first position of a key; the latest must come last
            overrides[obj] = override
    edited = replace(document, objects=tuple(objects.values()))
    return EditedDocument(edited, tuple(objects), overrides, as_read)


def _join_and_split(objects: Objects, effect: Effect) -> Objects:
    changed = dict(objects)
    for first, second in effect.joins:
        changed[first] = join_objects(changed[first], changed.pop(second))
    for split in effect.splits:
        changed = _split(changed, split)
    return changed


def _split(objects: Objects, split: Split) -> Objects:
    before, after = split_object(objects[split.obj], split.at)
    # A new dict: the second half comes right after the first in reading order.
    changed: Objects = {}
    for number, item in objects.items():
        changed[number] = item
        if number == split.obj:
            changed[number], changed[split.new] = before, after
    return changed


def resolve_conflicts(overrides: Mapping[int, Override]) -> dict[int, Override]:
    """The overrides, in the order in which they were made, without contradictions.

    An override that a later one makes impossible keeps the object a heading, wherever it fits:
    {3: 1, 2: 0} becomes {3: "heading", 2: 0}, because under 0 object 2 closes the branch of 1 before 3.
    """
    if _allow_a_tree(overrides):  # nearly always
        return dict(overrides)
    kept: dict[int, Override] = {}
    for obj in reversed(list(overrides)):
        kept[obj] = overrides[obj]
        if not _allow_a_tree(kept):
            kept[obj] = HEADING
    return {obj: kept[obj] for obj in overrides}


def _allow_a_tree(overrides: Mapping[int, Override]) -> bool:
    """Whether some tree in reading order satisfies all overrides."""
    texts: set[int] = set()
    parents: dict[int, int] = {}
    for obj, override in overrides.items():
        if override == TEXT:
            texts.add(obj)
        elif override is None:
            parents[obj] = ROOT
        elif isinstance(override, int):
            parents[obj] = override
    above = set(parents.values())
    if above & texts:  # text has nothing below it
        return False
    involved = sorted(above.union(parents))
    try:
        allowed_positions(involved, parents)
    except UsageError:
        return False
    return True


def join_objects(first: PhysicalObject, second: PhysicalObject) -> PhysicalObject:
    """One object made of two neighbours, in the style of the first."""
    return replace(
        first,
        text=_join_texts(first.text, second.text),
        parts=_join_parts(first.parts, second.parts),
        lines=first.lines + second.lines,
        gap_below=second.gap_below,
    )


def _join_texts(first: str, second: str) -> str:
    before, after = first.rstrip(), second.lstrip()
    is_cjk = before[-1:] >= _FIRST_CJK and after[:1] >= _FIRST_CJK
    separator = "" if is_cjk or not before or not after else " "
    return f"{before}{separator}{after}"


def _join_parts(first: tuple[PageRegion, ...], second: tuple[PageRegion, ...]) -> tuple[PageRegion, ...]:
    """The parts of both objects; two that meet on one page become one part."""
    last, next_ = first[-1], second[0]
    if last.page != next_.page:
        return (*first, *second)
    merged = PageRegion(last.page, bounding_box([last.box, next_.box]))
    return (*first[:-1], merged, *second[1:])


def split_object(item: PhysicalObject, at: int) -> tuple[PhysicalObject, PhysicalObject]:
    """The two objects that a split at a character makes; both keep the boxes, as lines are not stored."""
    before = item.text[:at].rstrip()
    after = item.text[at:].lstrip()
    if not before or not after:
        raise UsageError(f"splitting at character {at} leaves one piece empty")
    first = replace(item, text=before, gap_below=0.0)
    second = replace(item, text=after, gap_above=0.0, indent=0.0)
    return first, second
