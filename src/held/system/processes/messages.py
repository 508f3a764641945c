"""What processes say to each other: a JSON value, and bytes beside it.

Reading a message can run no code and build nothing but plain data, whatever the sender made of it:
that is why it is neither pickle nor marshal. Bulk, such as the runs of a page or a PNG, goes in the parts,
which are bytes and cost nothing to read. A message is four bytes with the length of its JSON, the JSON,
which is the value and the lengths of the parts, and the parts.

Imports are few: a child must start fast.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` itself takes time to import
    from collections.abc import Callable, Sequence
    from typing import Any

    Read = Callable[[int], bytes]

Message = tuple["Any", tuple[bytes, ...]]  # a value and the parts beside it

LENGTH_BYTES = 4
# No honest message comes near: the pages of a book take some hundred megabytes in all, and come one by one.
MOST_JSON_BYTES = 1 << 28
MOST_PART_BYTES = 1 << 31

# One encoder for all: `json.dumps` makes a new one for every call that is not plain. Values are trees.
_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


class Garbled(Exception):
    """What came is no message, or not the one that was due."""


def packed(value: Any, parts: Sequence[bytes] = ()) -> bytes:
    """A message as bytes."""
    text = _encode((value, [len(part) for part in parts])).encode("ascii")
    return b"".join((len(text).to_bytes(LENGTH_BYTES, "little"), text, *parts))


def read_message(read: Read) -> Message:
    """The next message; `read(n)` gives the next n bytes. `Garbled` if it is none."""
    size = int.from_bytes(read(LENGTH_BYTES), "little")
    if size > MOST_JSON_BYTES:
        raise Garbled(f"a message of {size} bytes")
    try:
        value, sizes = json.loads(read(size))
    except (ValueError, TypeError, RecursionError) as error:
        raise Garbled("no message") from error
    if not isinstance(sizes, list) or not all(type(size) is int and size >= 0 for size in sizes):
        raise Garbled("parts without lengths")
    if sum(sizes) > MOST_PART_BYTES:
        raise Garbled(f"parts of {sum(sizes)} bytes")
    return value, tuple([read(size) for size in sizes])
