"""How far a file may go, and how people say otherwise."""

import pytest

from held.errors import UsageError
from held.system.limits import Limits, format_bytes, limits, override_limits, parse_limits


def test_what_is_not_said_is_as_usual() -> None:
    assert parse_limits("") == Limits()


def test_numbers_may_have_a_unit() -> None:
    assert parse_limits("memory=4G, page_seconds=2.5") == Limits(memory=4 << 30, page_seconds=2.5)
    assert parse_limits("memory=4gb") == Limits(memory=4 << 30)


def test_the_environment_says_which_are_in_force(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELD_LIMITS", "json_bytes=5M")
    assert limits().json_bytes == 5 << 20


@pytest.mark.parametrize("text", ["pages=3", "memory", "memory=-1", "memory=1e300", "page_seconds=nan"])
def test_what_is_no_limit_is_an_error(text: str) -> None:
    with pytest.raises(UsageError):
        parse_limits(text)


def test_an_error_in_the_environment_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELD_LIMITS", "memory=much")
    with pytest.raises(UsageError, match="HELD_LIMITS: the limit memory cannot be 'much'"):
        limits()


def test_limits_are_set_over_the_environment_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELD_LIMITS", "memory=2G page_seconds=5")
    with override_limits(("memory=3G",)):
        assert limits() == Limits(memory=3 << 30, page_seconds=5)
    assert limits() == Limits(memory=2 << 30, page_seconds=5)


def test_a_long_file_may_take_longer() -> None:
    assert Limits().seconds_for(10_000) > Limits().seconds_for(1)


def test_amounts_are_said_in_the_largest_unit() -> None:
    assert [format_bytes(1 << 30), format_bytes(200 << 20), format_bytes(12)] == [
        "1 GB",
        "200 MB",
        "12 bytes",
    ]
