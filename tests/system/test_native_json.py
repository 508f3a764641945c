"""The native writer of JSON gives every byte that the Python one gives, or leaves the value to it."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from held.system import NATIVE_VARIABLE, compiled_module
from held.system.bounded_json import encode_json

_json = pytest.importorskip("held.system._json", reason="the native modules were not built")

lengths = st.builds(round, st.floats(-2e9, 2e9), st.integers(0, 4))  # most numbers of a document are such
any_float = st.integers(0, 2**64 - 1).map(lambda bits: struct.unpack("d", bits.to_bytes(8, "little"))[0])
# Half characters too, and those that are escaped: controls, quotes, the signs around U+0080.
texts = st.text(st.characters() | st.sampled_from('"\\\x00\x1f\x7f\x80\x9f\xa0Â\ud800'), max_size=12)
scalars = st.none() | st.booleans() | st.integers() | lengths | any_float | texts
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(texts, inner),
    max_leaves=20,
)


def encode_in_python(value: dict[str, Any]) -> bytes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(NATIVE_VARIABLE, "off")
        return encode_json(value)


@given(st.dictionaries(texts, values, max_size=5))
@example({"": [0.0, -0.0, 1e9, 999999999.999, 0.001, 0.0005, 1e16, 5e-324, 0.1 + 0.2]})
@example({"empty": [], "nested": [[], {}, (), [[]]], "tuple": (1, 2)})
def test_both_writers_give_the_same_bytes(value: dict[str, Any]) -> None:
    native = _json.encode(value)
    if native is not None:
        assert native == encode_in_python(value)


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), 1 << 63, "\ud800", {1: 2}, object(), b"bytes", {"a": {2, 3}}]
)
def test_what_only_python_can_write_is_left_to_it(value: object) -> None:
    assert _json.encode({"value": [value]}) is None


def test_deep_values_are_left_to_python() -> None:
    deep: list[Any] = []
    for _ in range(100):
        deep = [deep]
    assert _json.encode({"deep": deep}) is None
    assert encode_json({"deep": deep}) == encode_in_python({"deep": deep})


def test_only_an_object_is_encoded() -> None:
    with pytest.raises(TypeError, match="a JSON object is a dict"):
        _json.encode([1])


def test_an_older_compiled_file_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_json, "INTERFACE_VERSION", 0)
    assert compiled_module("held.system._json", 1) is None
