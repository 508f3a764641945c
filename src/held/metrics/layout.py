"""How well physical objects are recognised: exact match, one to one, by kind.

Two objects are the same if they begin on the same page and have the same text. PDFs draw spaces or leave
them out, and readers guess them: white space, and what NFKC folds, does not count.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Sequence

from held.document import Kind, PhysicalObject
from held.metrics.averages import Matches

KindOf = Callable[[PhysicalObject], Kind]


def reading_kind(obj: PhysicalObject) -> Kind:
    """The kind of an object, headings being paragraphs: telling them apart is the heading step's work."""
    return Kind.PARAGRAPH if obj.kind is Kind.HEADING else obj.kind


def match_objects(
    true: Sequence[PhysicalObject], found: Sequence[PhysicalObject], *, kind_of: KindOf | None = None
) -> dict[int, int]:
    """The index of the found object for each true one that has its like among them.

    With `kind_of` the kinds must agree too. Equal objects of a page, such as figures without text, are
    matched in order.
    """
    waiting: defaultdict[Hashable, deque[int]] = defaultdict(deque)
    for index, obj in enumerate(found):
        waiting[_key(obj, kind_of)].append(index)
    matched = {}
    for index, obj in enumerate(true):
        same = waiting.get(_key(obj, kind_of))
        if same:
            matched[index] = same.popleft()
    return matched


def layout_matches(
    true: Sequence[PhysicalObject], found: Sequence[PhysicalObject], *, kind_of: KindOf = reading_kind
) -> dict[Kind, Matches]:
    """Exact matches by kind, for the kinds that occur; their sum is the micro average over all kinds."""
    counts: defaultdict[Kind, Matches] = defaultdict(Matches)
    for obj in true:
        counts[kind_of(obj)] += Matches(true=1)
    for obj in found:
        counts[kind_of(obj)] += Matches(found=1)
    for index in match_objects(true, found, kind_of=kind_of):
        counts[kind_of(true[index])] += Matches(both=1)
    return dict(counts)


def _key(obj: PhysicalObject, kind_of: KindOf | None) -> Hashable:
    text = "".join(unicodedata.normalize("NFKC", obj.text).split())
    return (obj.page, text, kind_of(obj) if kind_of else None)
