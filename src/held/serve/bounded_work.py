"""Bounds on what requests may cost together: work in child processes, and bytes kept for the next request.

Page images and exports start processes. `WorkSlots` lets a few run and a few more wait, and refuses the rest
at once, so that many clients make each other wait but never exhaust the machine.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Generic, TypeVar

from fastapi import HTTPException

from held.system.atomic_write import make_folder, write_file

RETRY_AFTER_SECONDS = 10  # what a client is told to wait while the server is busy
# Old images are removed down to this share of the maximum, so that not every new image removes some.
_KEPT_SHARE = 0.8

Value = TypeVar("Value")


def busy(code: int, reason: str) -> HTTPException:
    """The refusal of a request that may succeed later."""
    return HTTPException(code, reason, {"Retry-After": str(RETRY_AFTER_SECONDS)})


class WorkSlots:
    """Lets `running` threads work and `waiting` more wait for their turn."""

    def __init__(self, *, running: int, waiting: int) -> None:
        self._free = threading.Semaphore(running)
        self._admitted = threading.Semaphore(running + waiting)

    @contextmanager
    def slot(self) -> Iterator[None]:
        """A turn to work; 503 if too many wait already."""
        if not self._admitted.acquire(blocking=False):
            raise busy(503, "the server is busy: too many pages, exports or searches wait")
        try:
            with self._free:
                yield
        finally:
            self._admitted.release()


class BoundedCache(Generic[Value]):
    """The values used last, up to a total size. Safe for any thread."""

    def __init__(self, max_size: int, *, size_of: Callable[[Value], int]) -> None:
        self._max_size = max_size
        self._size_of = size_of
        self._size = 0
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Value | None:
        """The value of a key, if it is still there."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: Hashable, value: Value) -> None:
        """Keeps a value, and drops those that were not used for longest."""
        with self._lock:
            if key in self._values:
                self._size -= self._size_of(self._values.pop(key))
            self._values[key] = value
            self._size += self._size_of(value)
            while self._size > self._max_size:
                _, dropped = self._values.popitem(last=False)
                self._size -= self._size_of(dropped)


class ImageFolder:
    """Page images on disk, up to so many bytes: those not used for longest are removed."""

    def __init__(self, folder: Path, max_bytes: int) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._size = sum(size for _, size, _ in self._images())

    def read(self, path: Path) -> bytes | None:
        """An image, which counts as used now; None if there is none."""
        try:
            content = path.read_bytes()
            os.utime(path)
        except OSError:  # never made, or removed just now
            return None
        return content

    def write(self, path: Path, content: bytes) -> None:
        """Keeps an image."""
        make_folder(path.parent)
        write_file(path, content)
        with self._lock:
            self._size += len(content)
            if self._size > self._max_bytes:
                self._remove_oldest()

    def _remove_oldest(self) -> None:
        images = sorted(self._images())
        # Counted again: images of deleted documents are gone.
        self._size = sum(size for _, size, _ in images)
        for _, size, path in images:
            if self._size <= _KEPT_SHARE * self._max_bytes:
                return
            path.unlink(missing_ok=True)
            self._size -= size

    def _images(self) -> Iterator[tuple[float, int, Path]]:
        """When each image was used last, its bytes, and its path."""
        for path in self._folder.rglob("*.png"):
            with suppress(OSError):
                status = path.stat()
                yield status.st_mtime, status.st_size, path
