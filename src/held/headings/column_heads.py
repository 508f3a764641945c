"""Names of columns that the layout left above their table: they head no section.

"Fiscal Year" in bold over the last two columns of a table has all that a short title has but its place: no
title begins over the right half of the table that it stands close above. Of 7 such objects in documents of
train and valid that trees took for headings which had not seen these documents, outlines list none.
"""

from __future__ import annotations

import numpy as np

from held.document import Kind
from held.headings.object_features import KINDS, ObjectFeatures
from held.headings.texts import Floats

_TABLE = KINDS.index(Kind.TABLE)
_CLOSE = 1.0  # ems above the table
_RIGHT_HALF = 0.45  # of the table's width, from which on an object stands over its columns of values


def without_column_heads(probabilities: Floats, table: ObjectFeatures) -> Floats:
    """The probabilities of headings, where names of columns are none."""
    above = np.arange(len(table) - 1)
    below = above + 1
    left, wide, gap = table["left"], table["wide"], table["gap_below"]
    is_above_table = (table["kind"][below] == _TABLE) & (table["page"][above] == table["page"][below])
    is_close = np.abs(gap[above]) <= _CLOSE
    is_over_columns = left[above] >= left[below] + _RIGHT_HALF * wide[below]
    is_title = (table["pattern"][above] > 0) | (table["centred"][above] > 0)
    lowered = probabilities.copy()
    lowered[above[is_above_table & is_close & is_over_columns & ~is_title]] = 0
    return lowered
