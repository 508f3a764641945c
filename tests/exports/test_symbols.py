from collections.abc import Callable
from io import BytesIO
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.document import Kind
from held.exports.chunking import to_json_lines
from held.exports.docx import to_docx
from held.exports.epub import to_epub
from held.exports.html import to_html
from held.exports.markdown import to_markdown
from held.exports.object_text import replace_symbols
from held.exports.tables import tables_of
from held.hierarchy import Hierarchy
from tests.exports.made_tables import below_heading, table_object, thing


def unpacked(archive: bytes) -> str:
    with ZipFile(BytesIO(archive)) as opened:
        return "".join(opened.read(name).decode() for name in opened.namelist() if name.endswith("ml"))


READ_BY_PEOPLE: dict[str, Callable[[Hierarchy], str]] = {
    "markdown": to_markdown,
    "html": to_html,
    "chunks": to_json_lines,
    "docx": lambda tree: unpacked(to_docx(tree)),
    "epub": lambda tree: unpacked(to_epub(tree)),
    "csv": lambda tree: "".join(table.to_csv() for table in tables_of(tree)),
}


@pytest.fixture
def ticked() -> Hierarchy:
    cells = [("Port", "Open"), ("Elbe", "\uf0fc"), ("Weser", "\uf052")]
    return below_heading(thing(Kind.PARAGRAPH, "\uf052适用"), table_object(cells))


@pytest.mark.parametrize("form", READ_BY_PEOPLE)
def test_every_form_that_people_read_shows_what_is_ticked(form: str, ticked: Hierarchy) -> None:
    written = READ_BY_PEOPLE[form](ticked)
    assert ("✓" in written, "☑" in written, "\uf052" in written) == (True, True, False)


def test_a_ticked_box_of_a_symbol_font_is_a_ticked_box() -> None:
    assert replace_symbols("\uf052适用 \uf0a3不适用") == "☑适用 ☐不适用"


def test_the_pieces_of_tall_brackets_stand_at_their_sides() -> None:
    assert replace_symbols("\uf8ee\uf8ef\uf8f0 \uf8f9\uf8fa\uf8fb") == "⎡⎢⎣ ⎤⎥⎦"
    assert replace_symbols("\uf8f1\uf8f2\uf8f3\uf8f4 \uf8fc\uf8fd\uf8fe") == "⎧⎨⎩⎪ ⎫⎬⎭"


@given(st.text(alphabet=st.characters(exclude_categories=["Co"])))
def test_all_other_text_stays(text: str) -> None:
    assert replace_symbols(text) == text


def test_signs_of_adobes_fonts_are_the_signs_of_others() -> None:
    assert replace_symbols("\uf6d9 2009 Harbour\uf6db") == "© 2009 Harbour™"
