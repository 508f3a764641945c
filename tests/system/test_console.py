"""What is safe to print on a terminal."""

from held.system.console import printable, printable_values


def test_codes_that_turn_text_around_are_replaced() -> None:
    assert printable("\u202egnp.exe\u2069") == "\ufffdgnp.exe\ufffd"


def test_text_of_right_to_left_scripts_stays() -> None:
    assert printable("שלום\n") == "שלום\n"


def test_half_a_character_is_replaced_as_no_output_can_encode_it() -> None:
    assert printable("a\ud800b") == "a\ufffdb"


def test_every_text_of_a_json_value_becomes_printable() -> None:
    value = {"a": ["\x1b", 1, None], "b": {"c": ("\u202e",)}}
    assert printable_values(value) == {"a": ["\ufffd", 1, None], "b": {"c": ["\ufffd"]}}
