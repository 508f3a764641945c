"""The marks of symbol fonts as characters that other fonts have.

PDFs name the glyphs of Symbol and Wingdings by code points for private use, which a reader shows as empty
boxes. The pieces of tall brackets are Adobe's; of the Wingdings only what reports tick and list with stands
here. Where the fonts differ, the box wins: no report prints the sun of Wingdings.
"""

from __future__ import annotations

_BRACKETS = dict(zip(range(0xF8EB, 0xF8FF), "⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭", strict=True))
_BULLETS = {0xF06C: "●", 0xF06E: "■", 0xF075: "◆", 0xF076: "❖", 0xF0A7: "▪", 0xF0B7: "•"}
_ARROWS = {0xF0D8: "➢", 0xF0E0: "→", 0xF0E8: "➔"}
_BOXES = {0xF052: "☑", 0xF054: "☒", 0xF0A3: "☐", 0xF06F: "□", 0xF0A8: "◻", 0xF0FD: "☒", 0xF0FE: "☑"}
_TICKS = {0xF050: "✓", 0xF0FC: "✓", 0xF0FB: "✗"}
_SIGNS = {0xF6D9: "©", 0xF6DA: "®", 0xF6DB: "™", 0xF8E8: "®", 0xF8E9: "©", 0xF8EA: "™"}  # Adobe's
_READABLE = _BRACKETS | _SIGNS | _BULLETS | _ARROWS | _BOXES | _TICKS


def readable(text: str) -> str:
    """The text with the known marks of symbol fonts replaced, each by one character."""
    return text.translate(_READABLE) if not text.isascii() else text
