"""Which titles stand under which in other documents: "应收利息" under "其他应收款", "Trends" under "MD&A".

Each pair is counted once for each group of documents, and kept as a hash like the titles themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from held.features.columns import Columns
from held.features.texts import Floats
from held.tree import ROOT

Hashes = NDArray[np.uint64]

ANY, AT_ROOT, UNKNOWN = 0, 1, 2
"""In place of a parent's hash: any parent at all, the root, a parent whose title is no title."""
KINSHIP = Columns(("known_here", "known_share", "known_title"))
"""How many groups have a pair, which share of those that know the title, and how many know it."""
_UNKNOWN_SHARE = -1.0
# A pair is one number of 64 bits, the title's hash in the upper half and the parent's in the lower: sorting
# them is sorting by title, and the upper half alone is the title with `ANY` parent.
_HALF = 32
_UPPER_HALF = np.uint64(0xFFFFFFFF00000000)
_FEWEST = 2  # groups that must have used a title before anything is known of its place


@dataclass(frozen=True, slots=True)
class Kinship:
    """Known pairs: sorted hashes of a title over a parent's, and how many groups have each."""

    pairs: Hashes
    counts: NDArray[np.int64]


NOTHING = Kinship(np.zeros(0, np.uint64), np.zeros(0, np.int64))


def pair_hashes(titles: NDArray[np.uint32], parents: NDArray[np.uint32] | int) -> Hashes:
    """The hash of each title over its parent's."""
    upper = titles.astype(np.uint64) << np.uint64(_HALF)
    return upper | np.asarray(parents, np.uint64)


def parent_hashes(titles: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The hashes as those of parents: one that is no title must not be taken for any parent."""
    return np.where(titles == 0, np.uint32(UNKNOWN), titles)


def count_pairs(
    documents: Iterable[tuple[str, Mapping[int, int], NDArray[np.uint32]]],
) -> dict[str, Kinship]:
    """The pairs of each group, each counted once, from groups, parents of headings and hashes of titles."""
    found: dict[str, set[int]] = {}
    for group, parents, titles in documents:
        pairs = found.setdefault(group, set())
        for heading, parent in parents.items():
            title = int(titles[heading])
            if not title:
                continue
            above = AT_ROOT if parent == ROOT else int(titles[parent]) or UNKNOWN
            pairs.add(title << _HALF | above)
            pairs.add(title << _HALF | ANY)
    return {group: _once(pairs) for group, pairs in found.items()}


def all_pairs(groups: Iterable[Kinship]) -> Kinship:
    """The counts of all groups together; titles that are not known to enough of them are left out."""
    every_pair = [NOTHING.pairs, *(kinship.pairs for kinship in groups)]
    known, counts = np.unique(np.concatenate(every_pair), return_counts=True)
    titles_anywhere = known & _UPPER_HALF
    total = _counts(titles_anywhere, Kinship(known, counts))
    kept = total >= _FEWEST
    return Kinship(known[kept], counts[kept])


def kinship_features(
    titles: NDArray[np.uint32], parents: NDArray[np.uint32], known: Kinship, own: Kinship = NOTHING
) -> Floats:
    """KINSHIP for each pair of a title and a parent's; `own` uses are left out of the counts."""
    pairs = pair_hashes(titles, parents)
    anywhere = pair_hashes(titles, ANY)
    here = _counts(pairs, known) - _counts(pairs, own)
    total = _counts(anywhere, known) - _counts(anywhere, own)
    is_known = (total >= _FEWEST) & (titles > 0)
    matrix = KINSHIP.empty(len(titles))
    kin = KINSHIP.named(matrix)
    kin["known_here"] = np.log1p(np.maximum(here, 0) * is_known)
    kin["known_share"] = np.where(is_known, here / np.maximum(total, 1), _UNKNOWN_SHARE)
    kin["known_title"] = np.log1p(total * is_known)
    return matrix


def _once(pairs: set[int]) -> Kinship:
    return Kinship(np.array(sorted(pairs), np.uint64), np.ones(len(pairs), np.int64))


def _counts(hashes: Hashes, known: Kinship) -> NDArray[np.int64]:
    """How many groups have each pair."""
    if not len(known.pairs):
        return np.zeros(len(hashes), np.int64)
    place = np.searchsorted(known.pairs, hashes)
    # A hash above all others would be looked for behind the end: the last one is not it either.
    place = np.minimum(place, len(known.pairs) - 1)
    return np.where(known.pairs[place] == hashes, known.counts[place], 0)
