"""Whether two rows are set so differently that they cannot be one paragraph."""

from __future__ import annotations

from held.layout.characters import is_cjk
from held.layout.rows import Row
from held.layout.tolerances import MAX_PARAGRAPH_SIZE_CHANGE_SHARE


def changes_look(above: Row, row: Row) -> bool:
    """Whether two rows are set so differently that they cannot be one paragraph."""
    if len(row.text) < 2 or len(above.text) < 2:
        return above.bold != row.bold
    a, b = above.style, row.style
    if abs(a.size - b.size) > MAX_PARAGRAPH_SIZE_CHANGE_SHARE * max(a.size, b.size):
        return True
    if above.bold != row.bold and a.bold != b.bold:
        return True
    if above.colour and row.colour and above.colour != row.colour:
        return True
    if a.family == b.family:
        return False
    same_script = is_cjk(above.text[0]) == is_cjk(row.text[0])
    return same_script and _single_font(above, row)


def _single_font(above: Row, row: Row) -> bool:
    """Whether both rows are set in one font each, so that a change of font is no change of script or term."""
    fonts_above = {run.style for run in above.line.runs}
    fonts = {run.style for run in row.line.runs}
    return len(fonts_above) == len(fonts) == 1
