import pytest
from PIL import Image

from held.corpus.store import LabelledDocument
from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject
from held.exports.draw import MISSING_COLOUR, UNKNOWN_COLOUR, draw_labels, level_colour, path_text
from held.exports.draw_background import blank_page
from held.hierarchy.matching.nodes import MissingHeading
from held.metrics import Label

H, B, U = Label.HEADING, Label.BODY, Label.UNKNOWN


@pytest.fixture
def labelled() -> LabelledDocument:
    """Two headings, one below the other, body, an unknown object, and a missing heading before the last."""
    texts = ("1 港口", "1.1 Ships", "Some text.", "Maybe", "So.")
    objects = tuple(
        PhysicalObject(Kind.PARAGRAPH, text, (PageRegion(1, Box(40.0, y, 160.0, y + 12.0)),))
        for text, y in zip(texts, (20.0, 50.0, 80.0, 110.0, 170.0), strict=True)
    )
    document = Document("made up", (PageSize(400, 300),), objects)
    missing = (MissingHeading("2 Gone", 1, 4, -1, 2),)
    return LabelledDocument("a", document, (H, H, B, U, B), (-1, 0, 1, 1, 5), (0, 1, -1, -1, -1), missing)


def picture(labelled: LabelledDocument, page: int = 1) -> Image.Image:
    return draw_labels(labelled, page, blank_page(400, 300, 1.0), scale=1.0)


def pixel(picture: Image.Image, x: int, y: int) -> str:
    colour = picture.getpixel((x, y))
    assert isinstance(colour, tuple)
    return bytes(colour).hex()


def test_headings_are_framed_in_the_colour_of_their_level(labelled: LabelledDocument) -> None:
    drawn = picture(labelled)
    assert pixel(drawn, 100, 18) == level_colour(1)
    assert pixel(drawn, 100, 48) == level_colour(2)


def test_an_unknown_object_has_a_colour_of_its_own(labelled: LabelledDocument) -> None:
    assert pixel(picture(labelled), 100, 108) == UNKNOWN_COLOUR


def test_body_is_left_as_it_is(labelled: LabelledDocument) -> None:
    assert pixel(picture(labelled), 100, 78) == "ffffff"


def test_a_missing_heading_is_written_where_it_should_stand(labelled: LabelledDocument) -> None:
    red = int(MISSING_COLOUR[:2], 16)
    r, g, b = bytes.fromhex(pixel(picture(labelled), 41, 156))
    assert (r >= red - 10, g < 60, b < 60) == (True, True, True)


def test_another_page_stays_empty(labelled: LabelledDocument) -> None:
    assert len(picture(labelled, 2).getcolors() or []) == 1


def test_a_path_goes_from_the_top_and_through_missing_headings(labelled: LabelledDocument) -> None:
    assert path_text(labelled, 1) == "1 港口 › 1.1 Ships"
    assert path_text(labelled, 5) == "2 Gone"
