"""How a server is set up, and what it lets others ask of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

MEGABYTE = 1 << 20
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


@dataclass(frozen=True, slots=True)
class Limits:
    """What one document, and all of them together, may cost.

    upload   bytes of a file                      memory   bytes of the process that reads one, None: a share
    pages    of a document                        queued   documents that may wait
    seconds  to extract a document                workers  documents at work at a time
    """

    upload: int = 200 * MEGABYTE
    pages: int = 5_000
    seconds: float = 900.0
    memory: int | None = None
    queued: int = 200
    workers: int = 1


@dataclass(frozen=True, slots=True)
class Settings:
    """Where a server keeps its work, where it listens, and who may ask it."""

    work: Path
    host: str = "127.0.0.1"
    port: int = 8321
    token: str | None = None
    model: str = "base"
    limits: Limits = field(default_factory=Limits)

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in LOOPBACK
