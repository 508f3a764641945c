"""What is safe to print on a terminal, and how often progress is printed."""

from itertools import count

import pytest

from held.system import console
from held.system.console import printable, printable_values, throttle_progress


def test_codes_that_turn_text_around_are_replaced() -> None:
    assert printable("\u202egnp.exe\u2069") == "\ufffdgnp.exe\ufffd"


def test_text_of_right_to_left_scripts_stays() -> None:
    assert printable("שלום\n") == "שלום\n"


def test_half_a_character_is_replaced_as_no_output_can_encode_it() -> None:
    assert printable("a\ud800b") == "a\ufffdb"


def test_every_text_of_a_json_value_becomes_printable() -> None:
    value = {"a": ["\x1b", 1, None], "b": {"c": ("\u202e",)}}
    assert printable_values(value) == {"a": ["\ufffd", 1, None], "b": {"c": ["\ufffd"]}}


def test_progress_is_reported_no_faster_than_it_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    # A clock that goes on by less than half of the pause with each look: every third look comes after it.
    clock = count(1.0, 0.4 * console.SECONDS_BETWEEN_REPORTS)
    monkeypatch.setattr(console, "monotonic", lambda: next(clock))
    reported: list[int] = []
    report = throttle_progress(lambda stage, done, total: reported.append(done))
    for number in range(1, 13):
        report("reading", number, 12)
    assert reported == [1, 4, 7, 10, 12]
