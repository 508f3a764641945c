import time
from collections.abc import Sequence

from held.document import Box, PageContent, Run
from held.pdf.cells import Table
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


def test_a_chapter_title_on_a_picture_stays_free() -> None:
    title = [text_at(120, 120, "Chapter 1"), text_at(120, 150, "The Market", size=24)]
    (figure,) = figures_on([*title, *PARAGRAPH], images=[Box(100, 100, 400, 200)])
    assert figure.lines == ()


def test_a_heading_that_a_picture_touches_stays_free() -> None:
    heading = text_at(60, 245, "3.2 Results of the trial")
    (figure,) = figures_on([heading, *PARAGRAPH], images=[Box(100, 100, 300, 250)])
    assert figure.lines == ()


def test_a_picture_in_a_table_is_no_figure() -> None:
    table = Table(Box(50, 50, 500, 300), (("a",),), (), (50, 500), True)
    page = PageContent(595, 842, images=(Box(100, 100, 300, 250),))
    assert find_figures(page, PARAGRAPH, tables=[table]) == []


def test_columns_of_text_on_panels_are_no_figure() -> None:
    panels = [Box(50 + 120 * i, 100, 160 + 120 * i, 300 - i) for i in range(4)]
    panels += [Box(55 + 120 * i, 130 + 5 * i, 155 + 120 * i, 131 + 5 * i) for i in range(4)]
    lines = [text_at(55 + 120 * c, 140 + 11 * r, "short lines in panels") for c in range(4) for r in range(9)]
    assert figures_on(lines, rules=panels) == []


def test_twenty_thousand_strokes_are_no_burden() -> None:
    rules = [Box(i % 400, i % 600, i % 400 + i % 150, i % 600 + i % 170) for i in range(20_000)]
    start = time.process_time()
    figures_on(PARAGRAPH, rules=rules)
    assert time.process_time() - start < 2


def test_a_listing_in_a_frame_with_gutters_is_no_figure() -> None:
    rows = [(100 + 13 * i, 113 + 13 * i) for i in range(6)]
    shades = [Box(x0, y0, x1, y1) for y0, y1 in rows for x0, x1 in ((60, 63), (63, 500), (500, 503))]
    code = [text_at(64, y0 + 6, f"print({y0})") for y0, _ in rows]
    assert (
        figures_on([*code, *PARAGRAPH], rules=[*shades, Box(59, 100, 59.8, 178), Box(503, 100, 503.8, 178)])
        == []
    )
