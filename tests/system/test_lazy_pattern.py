import re

import pytest

from held.system.lazy_pattern import lazy_pattern


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
