"""Where a data set stands, and where sources come from: a folder, or whatever fsspec reaches by a URL."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from held.errors import HeldError, InputError, UsageError
from held.system.atomic_write import make_folder, remove_stale_drafts, write_file

_SCHEME = "://"
# Object stores: whoever makes folders there makes a bucket out of a name that was mistyped.
_WITHOUT_FOLDERS = {"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "oss"}
_PIECE = 1 << 20  # bytes that are copied at a time


class Place(Protocol):
    """A folder of files, each in one folder below it, whatever keeps them."""

    def write(self, name: str, content: bytes) -> None:
        """Writes a file whole or not at all."""
        ...

    def read(self, name: str) -> bytes:
        """What a file holds; `FileNotFoundError` where there is none."""
        ...

    def names(self, folder: str) -> list[str]:
        """The files in a folder below the place, by their names in the place; none where it is not there."""
        ...

    def remove(self, name: str) -> None:
        """Takes a file away, if it is still there."""
        ...


class Folder:
    """A folder of this machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, name: str, content: bytes) -> None:
        """Writes a file that is there after a power cut, too."""
        path = self._folder / name
        make_folder(path.parent)
        write_file(path, content, durable=True)

    def read(self, name: str) -> bytes:
        """What a file holds."""
        return (self._folder / name).read_bytes()

    def names(self, folder: str) -> list[str]:
        """The files in a folder; drafts of killed processes are cleared away."""
        remove_stale_drafts(self._folder / folder)
        try:
            found = sorted(os.listdir(self._folder / folder))
        except FileNotFoundError:
            return []
        return [f"{folder}/{name}" for name in found if not name.startswith(".")]

    def remove(self, name: str) -> None:
        """Takes a file away."""
        (self._folder / name).unlink(missing_ok=True)


class Remote:
    """A folder of an object store, or of any other file system that fsspec knows."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._files, self._root = _reached(url)

    def write(self, name: str, content: bytes) -> None:
        """Writes a file; object stores show it when all of it is there."""
        path = f"{self._root}/{name}"
        try:
            with _refusals_named(self._url, "written"):
                if self._url.partition(_SCHEME)[0] not in _WITHOUT_FOLDERS:
                    self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
                self._files.pipe_file(path, content)
        except FileNotFoundError as error:
            raise InputError(f"cannot be written: {error}", file=self._url) from error

    def read(self, name: str) -> bytes:
        """What a file holds."""
        with _refusals_named(self._url, "read"):
            content: bytes = self._files.cat_file(f"{self._root}/{name}")
        return content

    def names(self, folder: str) -> list[str]:
        """The files in a folder."""
        self._files.invalidate_cache()  # others write there, too
        try:
            with _refusals_named(self._url, "read"):
                found = self._files.ls(f"{self._root}/{folder}", detail=False)
        except FileNotFoundError:
            return []
        return sorted(f"{folder}/{str(path).rpartition('/')[2]}" for path in found)

    def remove(self, name: str) -> None:
        """Takes a file away."""
        with suppress(FileNotFoundError), _refusals_named(self._url, "written"):
            self._files.rm_file(f"{self._root}/{name}")


def place_of(where: str) -> Place:
    """The place that a path or a URL names."""
    return Remote(where) if is_url(where) else Folder(Path(where))


def is_url(where: str) -> bool:
    """Whether this is for fsspec, as `s3://bucket/folder`."""
    return _SCHEME in where


def pdfs_below(where: str) -> list[str]:
    """The PDFs that a path or a URL stands for, each as it will be opened: itself, or all below it."""
    if not is_url(where):
        path = Path(where)
        if not path.is_dir():
            return [where]
        found = (file for file in path.rglob("*") if file.suffix.lower() == ".pdf" and file.is_file())
        return sorted(os.fspath(file) for file in found)
    files, root = _reached(where)
    with _refusals_named(where, "read"):
        if not files.isdir(root):
            return [where]
        below = [str(path) for path in files.find(root)]
    scheme = where.partition(_SCHEME)[0]
    return sorted(_url(scheme, path) for path in below if path.lower().endswith(".pdf"))


def _url(scheme: str, path: str) -> str:
    return f"{scheme}{_SCHEME}{path.removeprefix(scheme + _SCHEME)}"


@contextmanager
def at_hand(source: str, *, most_bytes: int | None = None) -> Iterator[Path]:
    """A source as a file of this machine, fetched for as long as it is needed where it is none."""
    if not is_url(source):
        yield Path(source)
        return
    with tempfile.TemporaryDirectory(prefix="held-") as folder:
        path = Path(folder) / "source.pdf"
        _fetch(source, path, most_bytes)
        yield path


def _fetch(source: str, target: Path, most_bytes: int | None) -> None:
    files, path = _reached(source)
    try:
        with _refusals_named(source, "fetched"):
            size = files.size(path)
            if most_bytes is not None and size is not None and size > most_bytes:
                raise InputError(f"has {size:,} bytes, more than {most_bytes:,}", file=source)
            with files.open(path, "rb") as remote, target.open("wb") as local:
                while piece := remote.read(_PIECE):
                    local.write(piece)
    except FileNotFoundError as error:
        raise InputError("is not there", file=source) from error


@contextmanager
def _refusals_named(url: str, what: str) -> Iterator[None]:
    """Says of which URL it is that a store refuses something; that a file is not there is for the caller."""
    try:
        yield
    except (HeldError, FileNotFoundError):
        raise
    except Exception as error:  # every store has errors of its own
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise InputError(f"cannot be {what}: {reason}", file=url) from error


def _reached(url: str) -> tuple[Any, str]:
    """The file system that a URL names, and the path in it."""
    try:
        import fsspec
    except ImportError as error:
        raise UsageError(f"{url} needs fsspec", advice="pip install 'held[parquet]'") from error
    try:
        files, path = fsspec.core.url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise UsageError(f"{url} cannot be reached: {error}") from error
    return files, path.rstrip("/")
