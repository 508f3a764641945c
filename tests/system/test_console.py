"""What is safe to print on a terminal."""

from held.system.console import printable


def test_codes_that_turn_text_around_are_replaced() -> None:
    assert printable("\u202egnp.exe\u2069") == "\ufffdgnp.exe\ufffd"


def test_text_of_right_to_left_scripts_stays() -> None:
    assert printable("שלום\n") == "שלום\n"
