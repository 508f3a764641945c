"""Font sizes and weights from the heights of words and the widths of strokes."""

from __future__ import annotations

import pytest

from held.reading.ocr.page_text import RecognisedPage, RecognisedWord
from held.reading.ocr.styles import cluster_sizes, style_lines, text_extent, weighted_median


def word(
    text: str,
    size: float,
    *,
    y: float = 100.0,
    x: float = 50.0,
    stroke: float = 0.09,
    confidence: float = 0.9,
    slant: float = 0.0,
) -> RecognisedWord:
    """A word on the baseline `y`; `stroke` is a share of the size."""
    extent = text_extent(text)
    top, bottom = y - extent.top * size, y + extent.bottom * size
    return RecognisedWord(x, top, x + 0.5 * size * len(text), bottom, text, confidence, stroke * size, slant)


def page(*lines: tuple[RecognisedWord, ...]) -> RecognisedPage:
    return RecognisedPage(600, 800, 0.0, "fake", lines)


BODY = tuple((word("several", 10, y=100 + 12 * i), word("happy", 10, y=100 + 12 * i)) for i in range(20))


def test_words_of_any_letters_tell_the_same_size() -> None:
    lines = [(word(text, 12),) for text in ("even", "Even", "every", "Every", "1999", "第三章")]
    (styled,) = style_lines([page(*lines)])
    assert [line.size for line in styled] == [pytest.approx(12, rel=0.02)] * len(lines)


def test_the_baseline_is_where_letters_without_descenders_stand() -> None:
    (styled,) = style_lines([page((word("every", 12, y=200),))])
    assert styled[0].baseline == pytest.approx(200)


def test_sizes_that_differ_by_noise_become_one() -> None:
    sizes = [10.0, 10.1, 9.9, 10.05, 14.0, 14.2]
    clustered = cluster_sizes(sizes, [50, 50, 50, 50, 20, 20])
    assert len(set(clustered[:4])) == 1
    assert len(set(clustered[4:])) == 1
    assert clustered[0] == pytest.approx(10, rel=0.01)


def test_sizes_that_differ_by_a_point_stay_apart() -> None:
    clustered = cluster_sizes([10.0, 10.0, 11.2], [500, 500, 20])
    assert clustered[0] != clustered[2]


def test_no_sizes_are_no_clusters() -> None:
    assert cluster_sizes([], []) == []


def test_wide_strokes_are_bold_whatever_the_size() -> None:
    heading = (word("Harbours", 16, y=50, stroke=0.16), word("and", 16, y=50, stroke=0.16))
    plain = (word("Title", 16, y=70, stroke=0.09),)
    (styled,) = style_lines([page(heading, plain, *BODY)])
    assert styled[0].bold == (True, True)
    assert styled[1].bold == (False,)


def test_a_short_word_takes_the_weight_of_its_neighbours() -> None:
    heading = (word("Boats", 10, stroke=0.16), word("in", 10, stroke=0.1), word("harbours", 10, stroke=0.16))
    (styled,) = style_lines([page(heading, *BODY)])
    assert styled[0].bold == (True, True, True)


def test_bold_words_at_the_start_of_a_line_are_kept_apart() -> None:
    line = (word("Interest.", 10, stroke=0.16), word("We", 10), word("pay", 10), word("interest", 10))
    (styled,) = style_lines([page(line, *BODY)])
    assert styled[0].bold == (True, False, False, False)


def spaced(text: str, y: float, advances: list[float]) -> tuple[RecognisedWord, ...]:
    """The words of a line whose characters are as wide as `advances` says, in turn."""
    words = []
    x = 50.0
    number = 0
    for part in text.split():
        width = sum(advances[(number + i) % len(advances)] for i in range(len(part)))
        words.append(word(part, 10, y=y, x=x)._replace(x1=x + width))
        x += width + advances[0]
        number += len(part) + 1
    return tuple(words)


CODE = ("for boat in harbour:", "count = count + 1", "print(count, harbour)", "return count or None") * 3


def test_lines_of_equally_wide_characters_are_monospaced() -> None:
    (styled,) = style_lines([page(*(spaced(text, 100 + 12 * i, [6.0]) for i, text in enumerate(CODE)))])
    assert all(line.mono for line in styled)


def test_lines_of_letters_of_different_widths_are_not() -> None:
    widths = [2.8, 5.0, 7.8, 5.5, 4.4, 3.3, 5.0, 7.2, 4.9]
    lines = [spaced(text, 100 + 12 * i, widths[i % 5 :]) for i, text in enumerate(CODE)]
    (styled,) = style_lines([page(*lines)])
    assert not any(line.mono for line in styled)


def test_lines_that_the_engine_doubts_are_left_out() -> None:
    (styled,) = style_lines([page((word("~;:", 10, confidence=0.1),), *BODY)])
    assert len(styled) == len(BODY)


def test_the_weighted_median_counts_weights() -> None:
    assert weighted_median([1.0, 2.0, 3.0], [1, 1, 5]) == 3.0


def test_a_line_that_leans_more_than_the_body_is_italic() -> None:
    (styled,) = style_lines([page(*BODY, (word("Leaning", 10, y=400, slant=0.2),))])
    assert [line.italic for line in styled] == [False] * len(BODY) + [True]


def test_a_document_whose_letters_all_lean_has_no_italics() -> None:
    lines = [(word("several", 10, y=100 + 12 * i, slant=0.2),) for i in range(20)]
    (styled,) = style_lines([page(*lines)])
    assert not any(line.italic for line in styled)


def test_a_few_leaning_letters_are_no_italics() -> None:
    (styled,) = style_lines([page(*BODY, (word("xyz", 10, y=400, slant=0.2),))])
    assert not styled[-1].italic
