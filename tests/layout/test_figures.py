from collections.abc import Sequence

from held.document import Box, Kind, PageContent, Run
from held.layout.figures import Figure, find_figures
from held.layout.lines import Line
from held.layout.page_layout import find_page_items
from held.layout.strokes import cluster_strokes
from held.layout.tables.cells import Table
from tests.operations import operations


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


def test_four_times_the_strokes_are_some_four_times_the_work() -> None:
    def work(count: int) -> int:
        rules = [Box(i % 400, i % 600, i % 400 + i % 150, i % 600 + i % 170) for i in range(count)]
        return operations(lambda: figures_on(PARAGRAPH, rules=rules))

    assert work(2000) < 5 * work(500)


def test_a_listing_in_a_frame_with_gutters_is_no_figure() -> None:
    rows = [(100 + 13 * i, 113 + 13 * i) for i in range(6)]
    shades = [Box(x0, y0, x1, y1) for y0, y1 in rows for x0, x1 in ((60, 63), (63, 500), (500, 503))]
    code = [text_at(64, y0 + 6, f"print({y0})") for y0, _ in rows]
    assert (
        figures_on([*code, *PARAGRAPH], rules=[*shades, Box(59, 100, 59.8, 178), Box(503, 100, 503.8, 178)])
        == []
    )


GRID_LINES = [Box(90, 100 + 30 * i, 300, 100.4 + 30 * i) for i in range(5)]
SCALE = [text_at(70, 100 + 30 * i, str(40 - 10 * i), size=8) for i in range(5)]
YEARS = [text_at(100 + 50 * i, 234, str(2020 + i), size=8) for i in range(4)]
BOXES = [Box(60 + 100 * i, 100, 130 + 100 * i, 170) for i in range(4)]
ARROWS = [Box(135 + 100 * i, 134, 155 + 100 * i, 136) for i in range(3)]
STEPS = [text_at(70 + 100 * i, 130, f"step {i}") for i in range(4)]


def test_numbers_along_grid_lines_make_a_chart_with_what_stands_along_its_foot() -> None:
    lines = [*SCALE, *YEARS, *PARAGRAPH]
    (figure,) = figures_on(lines, rules=GRID_LINES)
    assert sorted(figure.lines) == list(range(9))


def test_a_lone_line_over_a_chart_that_is_set_like_the_text_stays_free() -> None:
    lines = [text_at(90, 85, "Results"), *SCALE, *YEARS, *PARAGRAPH]
    (figure,) = figures_on(lines, rules=GRID_LINES)
    assert 0 not in figure.lines


def test_the_caption_below_a_chart_and_its_second_line_stay_free() -> None:
    caption = [text_at(90, 250, "Figure 7: Sales", size=8), text_at(90, 260, "by year", size=8)]
    (figure,) = figures_on([*caption, *SCALE, *YEARS, *PARAGRAPH], rules=GRID_LINES)
    assert not {0, 1} & set(figure.lines)


def test_a_frame_around_a_chart_is_its_edge_and_holds_its_title() -> None:
    title = text_at(100, 80, "Comparison of the total returns of two companies", size=8)
    frame = Box(60, 70, 320, 250)
    (figure,) = figures_on([title, *SCALE, *PARAGRAPH], rules=[*GRID_LINES, frame])
    assert figure.box == frame
    assert 0 in figure.lines


def test_numbered_paragraphs_beside_rules_are_no_chart() -> None:
    numbers = [text_at(40, 500 + 24 * i, str(i + 1)) for i in range(4)]
    rules = [Box(60, 495 + 24 * i, 400, 495.5 + 24 * i) for i in range(4)]
    long_lines = [line._replace(text=line.text * 2) for line in PARAGRAPH]
    assert figures_on([*numbers, *long_lines], rules=rules) == []


def test_boxes_and_arrows_over_a_caption_are_one_figure_with_their_texts() -> None:
    caption = text_at(60, 190, "Figure 2: The way of an order")
    (figure,) = figures_on([*STEPS, caption, *PARAGRAPH], rules=[*BOXES, *ARROWS])
    assert figure == Figure(Box(60, 100, 430, 170), (0, 1, 2, 3))


def test_what_stands_beyond_the_text_above_a_caption_is_not_its_figure() -> None:
    lines = [*STEPS, text_at(60, 190, "a line of running text that goes on over the page")]
    assert figures_on([*lines, text_at(60, 210, "Figure 2: The way")], rules=[*BOXES, *ARROWS]) == []


def test_turned_labels_at_the_foot_of_a_chart_lie_within_it() -> None:
    runs = tuple(Run(100 + 40 * i, 225, 108 + 40 * i, 265, 0, "January") for i in range(4))
    (figure,) = find_figures(PageContent(595, 842, runs=runs, rules=tuple(GRID_LINES)), [*SCALE, *PARAGRAPH])
    assert figure.box.y1 == 265


def test_numbered_notes_with_underlined_links_are_no_chart() -> None:
    numbers = [text_at(85, 728 + 13 * i, str(i + 1), size=6) for i in range(4)]
    links = [text_at(99, 730 + 13 * i, "Rules of the harbour (harbour.example)", size=9) for i in range(4)]
    underlines = [Box(line.x0, line.y1 - 0.5, line.x1, line.y1) for line in links]
    assert figures_on([*PARAGRAPH, *numbers, *links], rules=underlines) == []


PORTS = [Box(x, 189, x + 36, 207) for x in (213, 265, 363)]
BOATS = [Box(x, 234, x + 36, 252) for x in (197, 243, 288, 379)]
BETWEEN_PORTS = [Box(250.5, 197, 264, 198), Box(302.6, 197, 320, 198), Box(346, 197, 361.6, 198)]
# Slanted strokes from ports to boats, of which the reader gives the boxes: (x0, y0, x1, y1).
TIES = [
    Box(216, 208, 231, 233),
    Box(217, 207, 282, 234),
    Box(217, 206, 379, 235),
    Box(232, 207, 260, 234),
    Box(261, 207.5, 283, 233.5),
    Box(262, 206.5, 379, 234.5),
    Box(232.5, 206.7, 305, 234),
    Box(284, 207.5, 305, 233.5),
    Box(307, 206.7, 379.5, 234),
    Box(233, 206, 395, 234.6),
    Box(285, 206.5, 395, 234.5),
    Box(381, 208, 396, 233),
]


def test_a_row_of_boxes_in_a_larger_drawing_is_no_table() -> None:
    ports = [text_at(box.x0 + 10, 198, "Port", size=8) for box in PORTS]
    boats = [text_at(box.x0 + 10, 243, "Boat", size=8) for box in BOATS]
    lines = [*ports, text_at(330, 198, "...", size=8), *boats, *PARAGRAPH]
    page = PageContent(595, 842, rules=(*BETWEEN_PORTS, *PORTS, *BOATS, *TIES))
    blocks = find_page_items(page, 1, lines, furniture={}, contents=()).blocks
    assert [block.kind for block in blocks if "Port" in block.text] == [Kind.FIGURE]


def cluster(*boxes: tuple[float, float, float, float]) -> list[int]:
    """The sizes of the groups of strokes on a page of 600 by 800 points."""
    page = PageContent(600.0, 800.0)
    return [len(group) for group in cluster_strokes([Box(*box) for box in boxes], page)]


def test_strokes_that_cross_are_one_group_however_they_bend() -> None:
    assert cluster((100, 100, 101, 300), (100, 300, 400, 301), (400, 100, 401, 300)) == [3]


def test_strokes_far_apart_are_groups_of_their_own() -> None:
    assert cluster((100, 100, 200, 101), (300, 100, 400, 101), (100, 500, 200, 501)) == [1, 1, 1]


def test_a_stroke_beyond_the_page_counts_at_its_edge() -> None:
    assert cluster((590, 790, 900, 900), (599, 799, 600, 800)) == [2]


def test_a_box_with_its_corners_swapped_is_a_point() -> None:
    assert cluster((300, 300, 100, 100), (100, 100, 101, 101)) == [1, 1]
