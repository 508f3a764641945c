"""A value read from a JSON file, with the way to it, so that an error can say where it stands.

Just enough checking for the forms in `held.serial`: the schemas say the same to other programs, but
reading must not need a schema library.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

from held.errors import FormatError

_SHOWN = 40

Record = dict[str, Any]
"""A JSON object: a line of a journal, a row of a data set."""


@dataclass(frozen=True, slots=True)
class JsonValue:
    """A JSON value, the way to it (`objects[3].box`), and the file it came from."""

    value: Any
    way: str = ""
    file: str | None = None

    def fail(self, wanted: str) -> NoReturn:
        """Raise the error that this value is not what was wanted."""
        found = repr(self.value)
        found = found if len(found) <= _SHOWN else found[: _SHOWN - 1] + "…"
        raise FormatError(
            f"{self.way or 'the file'} must be {wanted}, found {found}",
            file=self.file,
            advice="docs/formats.md describes the form",
        )

    def fields(self) -> dict[str, Any]:
        """The value as a JSON object."""
        if not isinstance(self.value, dict):
            self.fail("an object")
        return self.value

    def __contains__(self, name: str) -> bool:
        return self.fields().get(name) is not None

    def __getitem__(self, name: str) -> JsonValue:
        """The field of that name, which must be there."""
        fields = self.fields()
        if name not in fields:
            raise FormatError(
                f"{self._to(name)} is missing", file=self.file, advice="docs/formats.md describes the form"
            )
        return JsonValue(fields[name], self._to(name), self.file)

    def get(self, name: str, default: Any) -> JsonValue:
        """The field of that name, or the default where it is absent."""
        return JsonValue(self.fields().get(name, default), self._to(name), self.file)

    def items(self) -> list[JsonValue]:
        """The elements of a JSON array."""
        if not isinstance(self.value, list | tuple):
            self.fail("an array")
        return [JsonValue(item, f"{self.way}[{n}]", self.file) for n, item in enumerate(self.value)]

    def text(self) -> str:
        if not isinstance(self.value, str):
            self.fail("a string")
        return self.value

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            self.fail("true or false")
        return self.value

    def whole(self, *, least: int = 0, most: int | None = None) -> int:
        if not isinstance(self.value, int) or isinstance(self.value, bool) or self.value < least:
            self.fail(f"a whole number from {least}")
        if most is not None and self.value > most:
            self.fail(f"a whole number up to {most}")
        return self.value

    def number(self) -> float:
        if not is_number(self.value):
            self.fail("a number")
        return float(self.value)

    def _to(self, name: str) -> str:
        return f"{self.way}.{name}" if self.way else name


def is_number(value: object) -> bool:
    """Whether a JSON value is a finite number."""
    # No measure is that large, and a larger whole number would not fit a float.
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300
