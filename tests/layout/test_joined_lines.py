"""Lines joined to the text of a paragraph, in scripts with and without spaces."""

from __future__ import annotations

import pytest

from held.layout.blocks import find_compounds, join_texts

NO_WORDS: frozenset[str] = frozenset()


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["The sails are", "white"], "The sails are white"),
        (["Die Segel-", "boote"], "Die Segelboote"),
        (["Vor-", "und Nachteile"], "Vor- und Nachteile"),
        (["on-", "and off-balance"], "on- and off-balance"),
        (["drag-", "and-drop"], "dragand-drop"),  # its hyphen stands inside no other line
        (["帆は白", "い。"], "帆は白い。"),
        (["ใบเรือ", "สีขาว"], "ใบเรือสีขาว"),
        (["돛은", "하얗다"], "돛은 하얗다"),
    ],
)
def test_lines_are_joined_as_their_script_asks(lines: list[str], text: str) -> None:
    assert join_texts(lines, NO_WORDS) == text


def test_a_korean_word_that_stands_inside_a_line_is_joined() -> None:
    words = find_compounds(["그 바람개비는 돈다"])
    assert join_texts(["작은 바람", "개비는 돈다"], words) == "작은 바람개비는 돈다"
