"""The settings of a server and its limits on uploads and work."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

MEGABYTE = 1 << 20
DEFAULT_PORT = 8321
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """Limits on one document, and on all of them together.

    upload    bytes of a file
    pages     of a document
    seconds   to extract a document
    memory    bytes of a worker process; None: a share of the machine's memory
    queued    documents that may wait
    workers   documents that are processed at the same time
    """

    upload: int = 200 * MEGABYTE
    pages: int = 5_000
    seconds: float = 900.0
    memory: int | None = None
    queued: int = 200
    workers: int = 1


def new_token() -> str:
    """A token that nobody can guess."""
    import secrets  # slow to import, and the help of commands reads the limits above

    return secrets.token_urlsafe(24)


@dataclass(frozen=True, slots=True)
class Settings:
    """The work folder, the address and the token of a server.

    By default a token is made: other users of the machine can reach a loopback address, too. With None the
    server is open to all clients.
    """

    work: Path
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    token: str | None = field(default_factory=new_token)
    model: str = "base"
    limits: ServerLimits = field(default_factory=ServerLimits)

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.host in LOOPBACK
