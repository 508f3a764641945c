"""Headings that nothing but the printed contents tells from the text: plain lines that its entries name.

Where a title is set like the text around it, the trees see a short paragraph. If an entry of the contents
has its words and points to its page, and no heading was found for that entry, then it is the heading. Of 62
such objects in documents of train and valid 52 are headings: all 36 in reports and filings, kinds that the
trees which missed them had not seen, and 8 of 18 in manuals, where the others are titles of examples.
"""

from __future__ import annotations

import numpy as np

from held.document import Kind
from held.headings.object_features import KINDS, ObjectFeatures
from held.headings.texts import Floats

LISTED = 0.84
"""How likely such an object is a heading."""

_CAPTION = KINDS.index(Kind.CAPTION)  # lists of figures and tables name these


def with_listed(probabilities: Floats, table: ObjectFeatures, threshold: float) -> Floats:
    """The probabilities of headings, where objects that the contents alone name are likely ones."""
    entries = table["contents_entry"]
    named = table.candidates & (entries > 0) & (probabilities < threshold)
    on_its_page = named & (table["contents_page"] == 0) & (table["kind"] != _CAPTION)
    taken = set(entries[probabilities >= threshold].tolist())
    raised = probabilities.copy()
    for place in np.flatnonzero(on_its_page).tolist():
        entry = float(entries[place])
        if entry not in taken:
            taken.add(entry)
            raised[place] = LISTED
    return raised
