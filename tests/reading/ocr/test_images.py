"""Skew, rules, ink and what tells text from pictures."""

from __future__ import annotations

import numpy
import pytest

from held.reading.ocr.images import (
    Ink,
    PixelBox,
    Pixels,
    estimate_skew,
    estimate_slant,
    find_ink,
    find_pictures,
    find_rules,
    looks_like_text,
    measure_ink,
    normalise_levels,
    straighten,
)
from tests.reading.ocr.scans import page_image


def tilt(slope: float) -> numpy.typing.NDArray[numpy.uint8]:
    return straighten(page_image(), -slope)


@pytest.mark.parametrize("slope", [-0.02, -0.004, 0.0, 0.008, 0.03])
def test_the_slope_of_the_lines_is_found(slope: float) -> None:
    assert estimate_skew(find_ink(tilt(slope))) == pytest.approx(slope, abs=0.0015)


def test_a_straightened_page_has_its_lines_in_few_rows() -> None:
    tilted = tilt(0.02)
    rows_before = find_ink(tilted).any(axis=1).sum()
    rows_after = find_ink(straighten(tilted, 0.02)).any(axis=1).sum()
    assert rows_after < 0.8 * rows_before


def test_a_blank_page_is_straight() -> None:
    blank = numpy.full((300, 200), 255, numpy.uint8)
    assert estimate_skew(find_ink(blank) & False) == 0.0


def test_long_thin_lines_are_rules_and_letters_are_not() -> None:
    image = page_image()
    image[50:53, 200:1200] = 0  # above the text
    image[900:1200, 1500:1503] = 0  # right of it
    rules = find_rules(find_ink(image), 300 / 72)
    across = [box for box in rules if box.x1 - box.x0 > box.y1 - box.y0]
    down = [box for box in rules if box.x1 - box.x0 < box.y1 - box.y0]
    assert [(box.x0, box.x1) for box in across] == [pytest.approx((200, 1200), abs=6)]
    assert [(box.y0, box.y1) for box in down] == [pytest.approx((900, 1200), abs=6)]


def test_a_page_of_text_looks_like_text() -> None:
    assert looks_like_text(page_image(), 300)


def test_a_gradient_does_not_look_like_text() -> None:
    row = numpy.linspace(0, 255, 1600).astype(numpy.uint8)
    assert not looks_like_text(numpy.tile(row, (1200, 1)), 300)


def test_ink_is_measured_in_its_tight_box() -> None:
    image = numpy.full((100, 100), 255, numpy.uint8)
    image[20:80, 40:46] = 0  # an upright stroke, six pixels wide
    measure = measure_ink(image, find_ink(image), PixelBox(10, 10, 90, 90))
    assert measure is not None
    assert measure.box == PixelBox(40, 20, 46, 80)
    assert measure.stroke == pytest.approx(6, rel=0.02)


def test_an_underline_is_no_ink_of_its_word() -> None:
    image = numpy.full((100, 200), 255, numpy.uint8)
    image[20:70, 30:170:10] = 0  # fourteen strokes, as of letters
    image[78:82, 30:170] = 0
    measure = measure_ink(image, find_ink(image), PixelBox(10, 10, 190, 90))
    assert measure is not None
    assert measure.box.y1 == 70
    assert measure.underline == PixelBox(30, 78, 170, 82)


def test_descenders_that_cross_an_underline_belong_to_their_word() -> None:
    image = numpy.full((100, 200), 255, numpy.uint8)
    image[20:70, 30:170:10] = 0
    image[72:75, 30:170] = 0
    image[70:84, 60] = 0  # the tail of a letter
    measure = measure_ink(image, find_ink(image), PixelBox(10, 10, 190, 90), descends=True)
    assert measure is not None
    assert measure.box.y1 == 84
    assert measure.stroke == pytest.approx(1, rel=0.1)


def test_the_edge_of_a_slanting_underline_is_no_descender() -> None:
    image = numpy.full((100, 200), 255, numpy.uint8)
    image[20:70, 30:170:10] = 0
    image[78:81, 30:170] = 0
    image[81, 30:70] = 0  # the line falls to the left
    measure = measure_ink(image, find_ink(image), PixelBox(10, 10, 190, 90))
    assert measure is not None
    assert measure.box.y1 == 70


def test_grey_paper_becomes_white() -> None:
    image = numpy.full((90, 90), 200, numpy.uint8)
    image[30:60:3, 30:60] = 40
    levels = normalise_levels(image)
    assert levels[0, 0] == 255
    assert levels[30, 30] == 0


def test_the_grey_of_thin_strokes_is_not_taken_for_black() -> None:
    image = numpy.full((90, 90), 255, numpy.uint8)
    image[::6, :60] = 120  # thin strokes of a coarse scan, most of the ink
    image[5:85, 66:78] = 0  # a wide stroke
    levels = normalise_levels(image)
    assert levels[40, 70] == 0
    assert levels[30, 30] == 120


def stems(slope: float) -> numpy.typing.NDArray[numpy.bool_]:
    """Five stems, each leaning to the right."""
    ink = numpy.zeros((40, 100), bool)
    for row in range(40):
        shift = round(slope * (40 - row))
        for stem in range(5):
            ink[row, 15 * stem + shift : 15 * stem + shift + 4] = True
    return ink


def test_upright_letters_have_no_slant() -> None:
    assert estimate_slant(stems(0.0)) == 0.0


def test_italic_letters_lean_to_the_right() -> None:
    assert estimate_slant(stems(0.25)) == pytest.approx(0.25, abs=0.05)


def grey(ink: Ink) -> Pixels:
    """An image of this ink on white paper."""
    image: Pixels = numpy.where(ink, 0, 255).astype(numpy.uint8)
    return image


def test_a_light_grey_area_is_a_picture_but_not_at_the_edge_of_the_page() -> None:
    ink = numpy.zeros((1200, 900), bool)
    image = grey(ink)
    image[300:700, 200:600] = 215
    image[:, :220] = 200  # the fold of a book
    image[800:1100, 400:800] = 215
    (picture,) = find_pictures(image, ink, [], [], 300 / 72)
    assert picture == pytest.approx((400, 800, 800, 1100), abs=30)


def test_ink_that_is_no_text_is_a_picture() -> None:
    ink = numpy.zeros((1200, 900), bool)
    ink[100:140, 100:800] = True  # a line of text
    ink[300:700, 200:600] = True
    (picture,) = find_pictures(grey(ink), ink, [PixelBox(100, 100, 800, 140)], [], 300 / 72)
    assert picture == pytest.approx((200, 300, 600, 700), abs=30)


def test_words_and_rules_are_no_pictures() -> None:
    ink = numpy.zeros((1200, 900), bool)
    ink[100:400, 100:800] = True
    ink[600:603, 100:800] = True
    words = [PixelBox(100, y, 800, y + 30) for y in range(100, 400, 30)]
    assert find_pictures(grey(ink), ink, words, [PixelBox(100, 600, 800, 603)], 300 / 72) == []


def test_specks_are_no_pictures() -> None:
    ink = numpy.zeros((1200, 900), bool)
    ink[500:520, 500:520] = True
    assert find_pictures(grey(ink), ink, [], [], 300 / 72) == []
