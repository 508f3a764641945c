"""Where results go: to stdout, or whole into a file."""

from __future__ import annotations

import sys
from pathlib import Path


def write_result(content: bytes, output: Path | None) -> None:
    """Writes a command's result to the file asked for, whole or not at all, or to stdout."""
    if output is None:
        sys.stdout.buffer.write(content)
        return
    from held.serial import write_whole

    write_whole(output, content)
