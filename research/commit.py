"""Which commit an experiment ran from: part of every result."""

from __future__ import annotations

import subprocess
from pathlib import Path


def short_commit() -> str:
    """The short name of the commit that is checked out; empty where there is none."""
    return _git("rev-parse", "--short", "HEAD")


def exact_commit() -> str:
    """The whole name of the commit that is checked out, with a + where files were changed."""
    head = _git("rev-parse", "HEAD")
    return head + "+" if head and _git("status", "--porcelain", "--untracked-files=no") else head


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(Path(__file__).parent), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
