import re
import statistics

import pytest

from held.system import lazy_pattern, median


def test_an_expression_is_compiled_when_it_is_first_used() -> None:
    wrong = lazy_pattern("(")
    with pytest.raises(re.error):
        wrong.match("(")


def test_a_lazy_pattern_finds_what_the_compiled_one_finds() -> None:
    lazy, compiled = lazy_pattern(r"note\s+(\d)", re.IGNORECASE), re.compile(r"note\s+(\d)", re.IGNORECASE)
    text = "Note 1 and note  2"
    assert lazy.findall(text) == compiled.findall(text) == ["1", "2"]
    assert lazy.sub("*", text) == compiled.sub("*", text)
    assert lazy.fullmatch(text) is None


def test_a_lazy_pattern_has_no_attributes_of_its_own() -> None:
    assert not hasattr(lazy_pattern("x"), "groups")


@pytest.mark.parametrize("numbers", [[3.0], [2.0, 1.0], [5.0, 1.0, 2.0], [0.1, 0.7, 0.2, 0.6]])
def test_the_median_is_that_of_the_standard_library(numbers: list[float]) -> None:
    assert median(iter(numbers)) == statistics.median(numbers)
