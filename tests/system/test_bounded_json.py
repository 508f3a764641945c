import json

from held.system.bounded_json import encode_json


def test_each_element_of_an_array_stands_on_its_own_line() -> None:
    assert (
        encode_json({"parents": [-1, 0], "name": "a"})
        == b'{\n "parents": [\n  -1,\n  0\n ],\n "name": "a"\n}\n'
    )


def test_control_characters_that_a_terminal_obeys_are_escaped() -> None:
    encoded = encode_json({"delete \x7f": ["\x80 and \x9f"], "kept": "\xa0 é 中"})
    assert not any(chr(code) in encoded.decode() for code in range(0x7F, 0xA0))
    assert json.loads(encoded) == {"delete \x7f": ["\x80 and \x9f"], "kept": "\xa0 é 中"}


def test_half_a_surrogate_pair_is_escaped() -> None:
    assert json.loads(encode_json({"text": ["\ud800"]})) == {"text": ["\ud800"]}
