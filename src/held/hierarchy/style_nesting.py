"""Classes of headings that open others: what often stands right below, and never right above, lies under.

Where bold titles have italic ones below them, without a word between, several times, an italic title after
a bold one is hardly ever its sibling. Of 6,101 headings without numbers, after one of a class that theirs
opens, 6,064 lie under that one (train and valid, at most 250 documents of a domain).
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from held.headings.texts import Floats
from held.hierarchy.heading_features import CLASSES, IDS, HeadingFeatures

_OFTEN = 3
_FIRST_SEEN_LATER = 3.0  # of a class that is first seen after the one it opens
_SEEN_BEFORE = 1.0  # of one that also stands elsewhere, where nothing says how deep


def opening(outline: HeadingFeatures) -> Floats:
    """For two classes how much speaks against closing the first for the second, 0 if it does not open it.

    Rare classes share the last place, and open nothing.
    """
    found = np.zeros((CLASSES, CLASSES), np.float32)
    headings = outline.headings
    klass = IDS.named(outline.ids)["klass"].tolist()
    touching = [row for row in range(len(headings) - 1) if headings[row] + 1 == headings[row + 1]]
    count = Counter((klass[row], klass[row + 1]) for row in touching)
    for (above, below), often in count.items():
        if often >= _OFTEN and above != below and not count[below, above] and max(above, below) < CLASSES - 1:
            # Classes are numbered as they are first seen.
            found[above, below] = _FIRST_SEEN_LATER if above < below else _SEEN_BEFORE
    return found
