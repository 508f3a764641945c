"""Reads and writes files in a local folder, or wherever fsspec reaches by a URL (S3, GCS, Azure, HDFS …)."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from held.errors import HeldError, InputError, UsageError
from held.system.atomic_write import make_folder, remove_stale_drafts, write_file

_SCHEME_END = "://"
# Object stores have no folders: making one there would turn a mistyped name into a bucket.
_STORES_WITHOUT_FOLDERS = {"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "oss"}
_COPY_BYTES = 1 << 20  # copied at a time


class Storage(Protocol):
    """A folder with one level of subfolders. File names are relative to it."""

    def write(self, name: str, content: bytes) -> None:
        """Write a file, whole or not at all."""
        ...

    def read(self, name: str) -> bytes:
        """Return a file's content; raise `FileNotFoundError` if it does not exist."""
        ...

    def names(self, folder: str) -> list[str]:
        """Return the names of the files in a subfolder; none if it does not exist."""
        ...

    def remove(self, name: str) -> None:
        """Remove a file if it exists."""
        ...


class LocalFolder:
    """Storage in a folder of this machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, name: str, content: bytes) -> None:
        """Write a file so that it survives a power cut."""
        path = self._folder / name
        make_folder(path.parent)
        write_file(path, content, durable=True)

    def read(self, name: str) -> bytes:
        """Return a file's content."""
        return (self._folder / name).read_bytes()

    def names(self, folder: str) -> list[str]:
        """Return the names of the files in a subfolder, after removing drafts of killed processes."""
        path = self._folder / folder
        remove_stale_drafts(path)
        try:
            found = sorted(os.listdir(path))
        except FileNotFoundError:
            return []
        return [f"{folder}/{name}" for name in found if not name.startswith(".")]

    def remove(self, name: str) -> None:
        """Remove a file if it exists."""
        (self._folder / name).unlink(missing_ok=True)


class RemoteFolder:
    """Storage in an object store, or in any other file system that fsspec supports."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._files, self._root = _open_url(url)

    def write(self, name: str, content: bytes) -> None:
        """Write a file. Object stores show it once it is complete."""
        path = f"{self._root}/{name}"
        folder = path.rpartition("/")[0]
        scheme = self._url.partition(_SCHEME_END)[0]
        try:
            with _errors_name_url(self._url, "written"):
                if scheme not in _STORES_WITHOUT_FOLDERS:
                    self._files.makedirs(folder, exist_ok=True)
                self._files.pipe_file(path, content)
        except FileNotFoundError as error:
            raise InputError(f"cannot be written: {error}", file=self._url) from error

    def read(self, name: str) -> bytes:
        """Return a file's content."""
        with _errors_name_url(self._url, "read"):
            content: bytes = self._files.cat_file(f"{self._root}/{name}")
        return content

    def names(self, folder: str) -> list[str]:
        """Return the names of the files in a subfolder."""
        self._files.invalidate_cache()  # other workers write there, too
        try:
            with _errors_name_url(self._url, "read"):
                found = self._files.ls(f"{self._root}/{folder}", detail=False)
        except FileNotFoundError:
            return []
        names = [str(path).rpartition("/")[2] for path in found]
        return sorted(f"{folder}/{name}" for name in names)

    def remove(self, name: str) -> None:
        """Remove a file if it exists."""
        with suppress(FileNotFoundError), _errors_name_url(self._url, "written"):
            self._files.rm_file(f"{self._root}/{name}")


def open_storage(location: str) -> Storage:
    """Return the storage at a path or URL."""
    return RemoteFolder(location) if is_url(location) else LocalFolder(Path(location))


def is_url(location: str) -> bool:
    """Whether a location is a URL such as `s3://bucket/folder`."""
    return _SCHEME_END in location


def find_pdfs(location: str) -> list[str]:
    """Return the PDF at a path or URL, or all PDFs below it if it is a folder."""
    if not is_url(location):
        path = Path(location)
        if not path.is_dir():
            return [location]
        pdfs = [file for file in path.rglob("*") if file.suffix.lower() == ".pdf"]
        return sorted(os.fspath(file) for file in pdfs if file.is_file())
    files, root = _open_url(location)
    with _errors_name_url(location, "read"):
        if not files.isdir(root):
            return [location]
        below = [str(path) for path in files.find(root)]
    remote_pdfs = [path for path in below if path.lower().endswith(".pdf")]
    scheme = location.partition(_SCHEME_END)[0]
    prefix = scheme + _SCHEME_END
    # Some file systems return paths with their scheme, others without.
    return sorted(prefix + path.removeprefix(prefix) for path in remote_pdfs)


@contextmanager
def local_copy(source: str, *, max_bytes: int | None = None) -> Iterator[Path]:
    """Provide a source as a local file; a URL is fetched into a temporary folder."""
    if not is_url(source):
        yield Path(source)
        return
    with tempfile.TemporaryDirectory(prefix="held-") as folder:
        path = Path(folder) / "source.pdf"
        _fetch(source, path, max_bytes)
        yield path


def _fetch(source: str, target: Path, max_bytes: int | None) -> None:
    files, path = _open_url(source)
    try:
        with _errors_name_url(source, "fetched"):
            size = files.size(path)  # None where the server does not tell
            if max_bytes is not None and size is not None and size > max_bytes:
                raise InputError(f"has {size:,} bytes, more than {max_bytes:,}", file=source)
            with files.open(path, "rb") as remote, target.open("wb") as local:
                while piece := remote.read(_COPY_BYTES):
                    local.write(piece)
    except FileNotFoundError as error:
        raise InputError("does not exist", file=source) from error


@contextmanager
def _errors_name_url(url: str, action: str) -> Iterator[None]:
    """Raise a store's errors as errors of ours that name the URL, except `FileNotFoundError`."""
    try:
        yield
    except (HeldError, FileNotFoundError):
        raise
    except Exception as error:  # every store has its own exceptions
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise InputError(f"cannot be {action}: {reason}", file=url) from error


def _open_url(url: str) -> tuple[Any, str]:
    """Return fsspec's file system for a URL, and the path in it."""
    try:
        import fsspec
    except ImportError as error:
        raise UsageError(f"{url} needs fsspec", advice="pip install 'held[parquet]'") from error
    try:
        files, path = fsspec.core.url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise UsageError(f"{url} cannot be opened: {error}") from error
    return files, path.rstrip("/")
