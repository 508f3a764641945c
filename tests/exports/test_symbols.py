from hypothesis import given
from hypothesis import strategies as st

from held.exports.symbols import readable


def test_a_ticked_box_of_a_symbol_font_is_a_ticked_box() -> None:
    assert readable("\uf052适用 \uf0a3不适用") == "☑适用 ☐不适用"


def test_the_pieces_of_tall_brackets_stand_at_their_sides() -> None:
    assert readable("\uf8ee\uf8ef\uf8f0 \uf8f9\uf8fa\uf8fb") == "⎡⎢⎣ ⎤⎥⎦"
    assert readable("\uf8f1\uf8f2\uf8f3\uf8f4 \uf8fc\uf8fd\uf8fe") == "⎧⎨⎩⎪ ⎫⎬⎭"


@given(st.text(alphabet=st.characters(exclude_categories=["Co"])))
def test_all_other_text_stays(text: str) -> None:
    assert readable(text) == text


def test_signs_of_adobes_fonts_are_the_signs_of_others() -> None:
    assert readable("\uf6d9 2009 Harbour\uf6db") == "© 2009 Harbour™"
