"""Where results go: to stdout, or whole into a file."""

from __future__ import annotations

import sys
from pathlib import Path

from held.errors import InputError


def write_result(content: bytes, output: Path | None) -> None:
    """Writes a command's result to the file asked for, whole or not at all, or to stdout.

    A device or a pipe, such as /dev/null, is written to and not replaced.
    """
    if output is None:
        sys.stdout.buffer.write(content)
        return
    if output.exists() and not output.is_file():
        try:
            output.write_bytes(content)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", file=output) from error
        return
    from held.writing import write_whole

    write_whole(output, content)
