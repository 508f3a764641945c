"""Plots: what is drawn can be read in the file, and is the same file every time."""

from xml.etree import ElementTree

from research.plots import Point, bars, boxes, heat, lines, points


def texts(drawn: str) -> list[str]:
    """The texts of an SVG file."""
    found = ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")
    return [str(text.text).strip() for text in found]


def test_a_bar_carries_its_figure_and_what_has_no_value_leaves_a_gap() -> None:
    drawn = texts(bars("Accuracy", {"g": {"first": 0.25, "second": None}, "h": {"second": 0.75}}))
    assert [text for text in drawn if text.startswith(".")] == [".25", ".75"]
    assert {"Accuracy", "g", "h", "first", "second"} <= set(drawn)


def test_a_point_carries_its_name_and_both_figures() -> None:
    drawn = texts(points("Cost", [Point("a&b", 1000, 2)], x_name="inquiries", y_name="seconds"))
    assert {"Cost", "a&b (1,000; 2)", "inquiries", "seconds"} <= set(drawn)


def test_names_are_neither_markup_nor_formulas() -> None:
    drawn = texts(bars("<t>", {"$x_1$": {"a": 1.0}}))
    assert {"<t>", "$x_1$"} <= set(drawn)


def test_the_same_values_give_the_same_file() -> None:
    values = {"g": {"a": 0.5, "b": 0.75}}
    drawn = bars("T", values)
    assert drawn == bars("T", values)
    assert "date" not in drawn.lower()


def test_boxes_show_the_median_above_the_most() -> None:
    drawn = boxes("Depth", {"level 1": (1, 2, 7, 9, 12)})
    assert ">7</text>" in drawn
    assert "level 1" in drawn


def test_a_heat_map_leaves_out_the_figures_of_almost_nothing() -> None:
    drawn = heat("Patterns", {"level 1": [0.95, 0.001]}, ["0", "7"])
    assert ">.95</text>" in drawn
    assert ">.00</text>" not in drawn


def test_lines_have_a_name_each() -> None:
    drawn = lines("Curves", {"a network": [(1, 0.5), (2, 0.7)]}, x_name="batches", y_name="paths")
    assert "a network" in drawn
