"""Every geometric threshold of the layout, named with its unit.

Units are in the names: `_PT` points, `_EM` multiples of the font size at hand, `_LINES` and `_ROWS` line and
row heights, `_SHARE` a part of a whole between 0 and 1, `_TIMES` a factor, `_COUNT` a number of things.
The comment beside a threshold says what it bounds and why that much. `python -m research.mutation` changes
each of them and reports which changes no test and no real document notices.
"""

from __future__ import annotations

# --- Lines: building lines from runs, gaps between words, scripts -------------------------------------------

# --- Running heads, page numbers, repeated images -----------------------------------------------------------

# --- Printed contents ---------------------------------------------------------------------------------------

# --- Strokes: rules and boxes that tables and figures share -------------------------------------------------

# --- Tables -------------------------------------------------------------------------------------------------

# --- Figures ------------------------------------------------------------------------------------------------

# --- Text blocks: paragraphs, run-ins, footnotes, code listings ---------------------------------------------

# --- Page: columns, reading order, turned text --------------------------------------------------------------
