"""The commit that an experiment ran from: part of every result."""

from __future__ import annotations

import subprocess
from pathlib import Path


def short_commit() -> str:
    """The short hash of the current commit; empty outside of a repository."""
    return _git("rev-parse", "--short", "HEAD")


def exact_commit() -> str:
    """The full hash of the current commit, with a + if files were changed."""
    head = _git("rev-parse", "HEAD")
    return head + "+" if head and _git("status", "--porcelain", "--untracked-files=no") else head


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(Path(__file__).parent), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
