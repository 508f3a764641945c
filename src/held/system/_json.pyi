from typing import Any

INTERFACE_VERSION: int

def encode(value: dict[str, Any], /) -> bytes | None: ...
