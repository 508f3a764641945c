import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject, Style
from held.paper.network_inputs import FORMAT_SIZE, NO_CHARACTER, UNKNOWN, character_ids, format_vectors

ABC = np.array([ord("a"), ord("b"), ord("c")], dtype=np.int32)
BODY = Style("Times-Roman", 10.0)


def document(*styles: Style, indent: float = 0.0, scale: float = 1.0) -> Document:
    scaled = [style._replace(size=style.size * scale) for style in (BODY, *styles)]
    place = (PageRegion(1, Box(0, 0, 1, 1)),)
    objects = tuple(PhysicalObject(Kind.PARAGRAPH, "a", place, s, indent=indent * scale) for s in scaled)
    return Document("d", (PageSize(600, 800),), objects, body=scaled[0])


def test_characters_become_their_place_among_the_known() -> None:
    ids, lengths = character_ids(["cab", "a"], ABC, cut=64)
    assert ids.tolist() == [[4, 2, 3], [2, NO_CHARACTER, NO_CHARACTER]]
    assert lengths.tolist() == [3, 1]


def test_an_unknown_character_has_an_id_of_its_own() -> None:
    assert character_ids(["a\ud800第z"], ABC, cut=64)[0].tolist() == [[2, UNKNOWN, UNKNOWN, UNKNOWN]]


def test_a_text_is_cut_after_its_white_space_is_folded() -> None:
    assert character_ids(["a \n b c"], ABC, cut=3)[0].tolist() == [[2, UNKNOWN, 3]]


def test_an_object_without_text_is_one_character_long() -> None:
    ids, lengths = character_ids(["", " "], ABC, cut=8)
    assert (ids.tolist(), lengths.tolist()) == ([[NO_CHARACTER], [NO_CHARACTER]], [1, 1])


@given(st.lists(st.text(), min_size=1))
def test_any_text_can_be_read(texts: list[str]) -> None:
    ids, lengths = character_ids(texts, ABC, cut=16)
    assert ids.shape == (len(texts), max(lengths))


@given(scale=st.floats(0.5, 4))
def test_the_format_does_not_depend_on_absolute_points(scale: float) -> None:
    styles = (Style("Times-Bold", 14.0, "ff0000", bold=True), Style("Arial", 20.0))
    plain, scaled = (format_vectors(document(*styles, indent=12.0, scale=s)) for s in (1.0, scale))
    assert plain == pytest.approx(scaled, abs=1e-5)


def test_bold_and_slant_do_not_make_another_family() -> None:
    vectors = format_vectors(document(Style("ABCDEF+Times-Bold", 10.0), Style("Courier", 10.0)))
    assert (vectors[0, :9] == vectors[1, :9]).all()
    assert (vectors[0, :9] != vectors[2, :9]).any()


def test_an_object_without_style_has_a_finite_format() -> None:
    vectors = format_vectors(document(Style()))
    assert vectors.shape == (2, FORMAT_SIZE)
    assert np.isfinite(vectors).all()


def test_a_document_without_objects_has_no_formats() -> None:
    assert format_vectors(Document("d", (), ())).shape == (0, FORMAT_SIZE)
