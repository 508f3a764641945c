"""Plots: what is drawn can be read in the file, and is the same file every time."""

from xml.etree import ElementTree

from research.plots import Point, bars, points


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
