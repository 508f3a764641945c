"""Result files of experiments: JSON with a line for each value, so that a change shows line by line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from held.system.atomic_write import write_file


def result_text(result: Any) -> str:
    """A result as it is printed and stored."""
    return json.dumps(result, indent=1, ensure_ascii=False)


def write_result(path: Path, result: Any) -> None:
    """Write a result to its file, whole or not at all."""
    write_file(path, f"{result_text(result)}\n".encode())


def report_result(result: Any, output: Path | None) -> None:
    """Print a result, and write it to a file if one is given."""
    print(result_text(result))
    if output is not None:
        write_result(output, result)
