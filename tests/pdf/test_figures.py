from collections.abc import Sequence

from held.document import Box, PageContent, Run
from held.pdf.figures import Figure, find_figures
from held.pdf.lines import Line


def text_at(x: float, y: float, text: str, *, size: float = 10.0) -> Line:
    box = (x, y - size / 2, x + len(text) * size / 2, y + size / 2)
    return Line(*box, text, 0, size, (Run(*box, 0, text),))


def figures_on(
    lines: Sequence[Line] = (), *, images: Sequence[Box] = (), rules: Sequence[Box] = ()
) -> list[Figure]:
    return find_figures(PageContent(595, 842, rules=tuple(rules), images=tuple(images)), lines)


PARAGRAPH = [text_at(60, 500 + 12 * i, "a line of running text that goes on over the page") for i in range(8)]
BARS = [Box(100 + 30 * i, 300 - 20 * i, 120 + 30 * i, 320) for i in range(6)]
AXES = [Box(90, 150, 90.5, 320), Box(90, 320, 300, 320.5)]


def test_a_bitmap_is_a_figure() -> None:
    (figure,) = figures_on(PARAGRAPH, images=[Box(100, 100, 300, 250)])
    assert figure == Figure(Box(100, 100, 300, 250), ())


def test_slices_of_a_picture_are_one_figure() -> None:
    slices = [Box(100, 100 + 10 * i, 300, 110 + 10 * i) for i in range(12)]
    (figure,) = figures_on(PARAGRAPH, images=slices)
    assert figure.box == Box(100, 100, 300, 220)


def test_an_icon_is_no_figure() -> None:
    assert figures_on(PARAGRAPH, images=[Box(60, 40, 85, 65)]) == []


def test_a_page_wide_ground_swallows_no_text() -> None:
    assert figures_on(PARAGRAPH, images=[Box(0, 0, 595, 842)]) == []


def test_a_picture_that_fills_a_page_without_text_is_a_figure() -> None:
    assert len(figures_on(images=[Box(0, 0, 595, 842)])) == 1


def test_a_panel_under_running_text_is_no_figure() -> None:
    assert figures_on(PARAGRAPH, images=[Box(50, 480, 400, 620)]) == []


def test_a_bar_chart_is_a_figure_with_its_labels() -> None:
    ticks = [text_at(75, 170 + 40 * i, str(40 - 10 * i)) for i in range(4)]
    caption = text_at(90, 345, "Figure 3: Sales by region")
    (figure,) = figures_on([*PARAGRAPH, *ticks, caption], rules=[*BARS, *AXES])
    assert figure.lines == (8, 9, 10, 11)


def test_a_heading_above_a_chart_stays_free() -> None:
    (figure,) = figures_on([text_at(90, 140, "Results", size=14), *PARAGRAPH], rules=[*BARS, *AXES])
    assert figure.lines == ()


def test_underlines_and_fraction_bars_are_no_figure() -> None:
    bars = [
        Box(60 + 40 * (i % 5), 100 + 12 * (i // 5), 90 + 40 * (i % 5), 100.5 + 12 * (i // 5))
        for i in range(30)
    ]
    assert figures_on(PARAGRAPH, rules=bars) == []


def test_a_listing_on_shaded_lines_is_no_figure() -> None:
    shades = [Box(60, 100 + 12 * i, 500, 112 + 12 * i) for i in range(12)]
    code = [text_at(62, 106 + 12 * i, f"x[{i}] = {i};") for i in range(12)]
    assert figures_on(code, rules=shades) == []
