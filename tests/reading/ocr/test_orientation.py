"""Pages that lie on their side or upside down."""

from __future__ import annotations

from collections.abc import Sequence

import numpy
import pytest

from held.reading.ocr.engines import EngineWord
from held.reading.ocr.images import Pixels
from held.reading.ocr.orientation import (
    densest_part,
    find_turn,
    is_upright,
    turn_image,
    upright_confidence,
)
from tests.reading.ocr.scans import page_image

DPI = 300


def lines(confidence: float, *, high: bool = False) -> list[list[EngineWord]]:
    width, height = (20, 100) if high else (100, 20)
    return [[EngineWord(0, 0, width, height, "harbours", confidence)] for _ in range(10)]


class Reader:
    """Reads with confidence only the image that is turned by `upright` degrees, and counts its work."""

    def __init__(self, page: Pixels, upright: int) -> None:
        self._expected = turn_image(densest_part(page, DPI), upright)
        self.count = 0

    def __call__(self, image: Pixels) -> Sequence[Sequence[EngineWord]]:
        self.count += 1
        is_same = image.shape == self._expected.shape and bool((image == self._expected).all())
        return lines(0.9 if is_same else 0.2)


def test_a_page_that_is_read_with_confidence_is_upright() -> None:
    assert is_upright(lines(0.9))
    assert not is_upright(lines(0.5))
    assert not is_upright([])


def test_lines_that_are_higher_than_wide_count_as_wrong() -> None:
    assert upright_confidence(lines(0.9, high=True)) == 0.0


def test_short_lines_may_be_higher_than_wide() -> None:
    assert upright_confidence([[EngineWord(0, 0, 10, 20, "I", 0.9)]]) == pytest.approx(0.9)


@pytest.mark.parametrize("turn", [90, 270])
def test_lines_on_their_side_have_the_page_read_from_both_sides(turn: int) -> None:
    page = page_image()
    reader = Reader(page, turn)
    assert find_turn(page, DPI, lines(0.9, high=True), reader) == turn
    assert reader.count == 2


def test_lines_without_confidence_have_the_page_read_upside_down() -> None:
    page = page_image()
    reader = Reader(page, 180)
    assert find_turn(page, DPI, lines(0.3), reader) == 180
    assert reader.count == 1


def test_a_page_without_words_is_read_in_all_directions() -> None:
    page = page_image()
    assert find_turn(page, DPI, [], Reader(page, 270)) == 270


def test_a_page_that_reads_badly_in_each_direction_stays() -> None:
    page = page_image()
    assert find_turn(page, DPI, lines(0.3), lambda _: lines(0.4)) == 0


def test_few_characters_do_not_turn_a_page() -> None:
    assert find_turn(page_image(), DPI, lines(0.3), lambda _: lines(0.9)[:1]) == 0


def test_a_turn_is_clockwise() -> None:
    image = numpy.array([[1, 2], [3, 4]], numpy.uint8)
    assert turn_image(image, 90).tolist() == [[3, 1], [4, 2]]
    assert turn_image(image, 270).tolist() == [[2, 4], [1, 3]]


def test_the_densest_part_has_the_text_and_not_the_picture() -> None:
    image = numpy.full((3000, 2000), 255, numpy.uint8)
    image[0:900] = 0  # a dark picture
    image[2000:2900:8, 300:1700] = 0  # an eighth of the pixels, as in text
    part = densest_part(image, DPI)
    assert part.shape == (1200, 1200)
    assert 0.05 < (part < 128).mean() < 0.13


def test_a_page_smaller_than_the_part_is_taken_whole() -> None:
    assert densest_part(numpy.full((160, 320), 255, numpy.uint8), DPI).shape == (150, 300)
