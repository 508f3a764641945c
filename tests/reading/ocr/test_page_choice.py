"""Which pages need text recognition."""

from __future__ import annotations

import pytest

from held.document import Box, PageContent, Run, Style
from held.reading.text_checks import choose_pages, is_garbage, is_wordlike

STYLES = (Style(size=10), Style(size=10, render_mode=3))
SENTENCE = "The boats of the harbour are counted every year by those who sail them home. "
WHOLE = Box(0, 0, 600, 800)


def page(text: str = "", *, style: int = 0, images: tuple[Box, ...] = (), rotation: int = 0) -> PageContent:
    runs = (Run(50, 100, 500, 112, style, text),) if text else ()
    return PageContent(600, 800, runs, images=images, rotation=rotation)


def test_a_page_with_an_image_and_no_text_is_chosen() -> None:
    chosen = choose_pages([page(SENTENCE), page(images=(WHOLE,)), page()], STYLES, ())
    assert chosen.empty == (1,)


def test_a_page_of_drawings_is_chosen() -> None:
    assert choose_pages([page(), page()], STYLES, [1]).empty == (1,)


def test_a_scan_with_a_stamp_is_chosen() -> None:
    stamped = page("Downloaded from the library", images=(WHOLE,))
    assert choose_pages([stamped], STYLES, ()).stamped == (0,)


def test_a_page_with_text_and_a_picture_is_not_chosen() -> None:
    chosen = choose_pages([page(SENTENCE, images=(Box(0, 0, 300, 300),))], STYLES, ())
    assert not chosen.without_text()
    assert not chosen.layered


def test_hidden_text_behind_an_image_is_a_layer() -> None:
    layered = page(SENTENCE * 5, style=1, images=(WHOLE,))
    assert choose_pages([layered], STYLES, ()).layered == (0,)


def test_text_that_is_painted_on_an_image_is_no_layer() -> None:
    assert choose_pages([page(SENTENCE * 5, images=(WHOLE,))], STYLES, ()).layered == ()


@pytest.mark.parametrize(
    "text",
    [
        SENTENCE * 5,
        "Die Boote des Hafens werden jedes Jahr von denen gezählt, die sie heimsegeln. " * 5,
        "Лодки гавани считают каждый год те, кто на них плавает. " * 5,
        "Những chiếc thuyền của bến cảng được đếm mỗi năm bởi những người lái chúng về nhà. " * 8,
        "港口的船只每年由驾驶它们回家的人清点一次。 " * 40,
        "1,234 5,678 (9.1) 12 % 14.5 " * 20,
        "HTTP GET /index.html 200 OK mkdir -p src/held && cd src " * 6,
        "A17 VSS B12 CAD03P 16B DQ54 rs7538876 rs1092 3A6000 MC0 " * 20,
        "其中权重为零的观测值不参与计算。 x y v w z k x v " * 60,
        "Revenue 1,234 1,111 Cost of sales (567) (432) Gross profit 667 679 " * 5,
    ],
)
def test_text_of_all_kinds_is_no_garbage(text: str) -> None:
    assert not is_garbage(text)


@pytest.mark.parametrize(
    "text",
    [
        "7KH ERDWV RI WKH KDUERXU DUH FRXQWHG HYHU\\ \\HDU E\\ WKRVH ZKR VDLO WKHP KRPH ".lower() * 5,
        "\ufffd\ufffd\ufffd \ufffd\ufffd \ufffd\ufffd\ufffd\ufffd the " * 20,
        ("Лодки гавани считают каждый год те, кто на них плавает. " * 10).encode("cp1251").decode("latin-1"),
        "tIi3 b0^t$ 0f th3 h~rb0ur ~r3 c0vnt~d ~v3ry y3~r b7 th0s3 wh0 s~1l " * 5,
    ],
)
def test_text_that_says_nothing_is_garbage(text: str) -> None:
    assert is_garbage(text)


def test_short_texts_are_not_judged() -> None:
    assert not is_garbage("qxv zzt 0O0 ~~~")


@pytest.mark.parametrize(
    ("token", "expected"), [("boats", True), ("café", True), ("xkqzt", False), ("b0^t", False)]
)
def test_words_look_like_words(token: str, expected: bool) -> None:
    assert is_wordlike(token) == expected
