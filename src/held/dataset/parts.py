"""A data set that stays consistent whenever a run is killed.

It consists of parts, and a part has one file in each table. The file of `documents` is written last: a part
without it is a leftover of a killed run, which the next run removes. To remove documents from a part, it is
written again as its next version; the last complete version counts. No step needs a rename, which object
stores do not have.

Each run writes its name into the data set. A worker of an older run finds another name there and stops
writing.
"""

from __future__ import annotations

import os
import re
import secrets
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from held.dataset.rows import COLUMNS, DOCUMENTS, Rows, rows_from_parquet, rows_to_parquet
from held.errors import HeldError, InputError, UsageError
from held.system.atomic_write import make_folder, remove_stale_drafts, write_file
from held.system.bounded_json import Record
from held.system.optional_packages import missing_package

# --- folders and object stores ---

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
        # fsspec uses slashes on every system.
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
    """Raise a store's errors as `InputError` with the URL, except `FileNotFoundError`."""
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
        raise missing_package(f"{url} needs fsspec", "parquet") from error
    try:
        files, path = fsspec.core.url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise UsageError(f"{url} cannot be opened: {error}") from error
    return files, path.rstrip("/")


_PART = re.compile(r"(?P<table>\w+)/part-(?P<id>[0-9a-f]+)-(?P<version>\d{4})\.parquet")
_RUN_FILE = "run/name"
_DOCUMENT_COLUMNS = ("document", "source", "status", "source_hash", "options_hash")


class Part(NamedTuple):
    """A version of a part."""

    id: str
    version: int

    def file(self, table: str) -> str:
        """Return the name of the part's file in a table."""
        return f"{table}/part-{self.id}-{self.version:04}.parquet"


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """The record of a document in a data set."""

    part: Part
    source: str
    status: str
    source_hash: str | None
    options_hash: str

    def is_done(self, options_hash: str) -> bool:
        """Whether the document did not fail and was made with these options, this model and version."""
        return self.status != "failed" and self.options_hash == options_hash


class RunReplacedError(UsageError):
    """Another run has started, so this one may not write any more."""


class DataSet:
    """A data set as one run sees it. The workers of a run share its name."""

    def __init__(self, storage: Storage, run: str) -> None:
        self._storage = storage
        self.run = run

    @classmethod
    def start_run(cls, storage: Storage) -> DataSet:
        """Open a data set for a new run and clean it up. Earlier runs can no longer write."""
        data_set = cls(storage, secrets.token_hex(8))
        storage.write(_RUN_FILE, data_set.run.encode())
        data_set._remove_leftovers()
        return data_set

    def write(self, id: str, rows: Rows) -> None:
        """Write a new part. Writing it twice does no harm."""
        self._write(Part(id, 0), rows)

    def documents(self) -> dict[str, StoredDocument]:
        """Return the documents in the data set by their IDs."""
        found: dict[str, StoredDocument] = {}
        for part in self._parts():
            for row in self._rows(part, DOCUMENTS, _DOCUMENT_COLUMNS):
                id = row.pop("document")
                found[id] = StoredDocument(part, **row)
        return found

    def remove(self, documents: Mapping[str, StoredDocument]) -> None:
        """Remove documents: their parts are written again without them."""
        by_part: dict[Part, set[str]] = {}
        for id, document in documents.items():
            by_part.setdefault(document.part, set()).add(id)
        for part, ids in by_part.items():
            self._write_without(part, ids)

    def _write_without(self, part: Part, ids: Collection[str]) -> None:
        kept = {}
        for table in COLUMNS:
            kept[table] = [row for row in self._rows(part, table) if row["document"] not in ids]
        if kept[DOCUMENTS]:
            next_version = part._replace(version=part.version + 1)
            self._write(next_version, kept)
        for table in reversed(COLUMNS):
            self._storage.remove(part.file(table))

    def _write(self, part: Part, rows: Rows) -> None:
        for table in COLUMNS:
            # `documents` comes last and makes the part count.
            if table == DOCUMENTS:
                self._require_current_run()
            content = rows_to_parquet(table, rows[table])
            self._storage.write(part.file(table), content)

    def _require_current_run(self) -> None:
        if self._storage.read(_RUN_FILE).decode() != self.run:
            raise RunReplacedError(
                "another run writes into the data set", advice="wait for it, then run again"
            )

    def _rows(self, part: Part, table: str, columns: tuple[str, ...] | None = None) -> list[Record]:
        name = part.file(table)
        content = self._storage.read(name)
        return rows_from_parquet(content, file=name, columns=columns)

    def _parts(self) -> list[Part]:
        names = self._storage.names(DOCUMENTS)
        return [part for _, part in _find_parts(names)]

    def _remove_leftovers(self) -> None:
        """Remove what killed runs have left: parts without documents, and old versions."""
        last: dict[str, int] = {}
        for part in self._parts():
            last[part.id] = max(part.version, last.get(part.id, 0))
        # Documents first: if this is killed, the rest of the part has no documents and goes next time.
        for table in reversed(COLUMNS):
            names = self._storage.names(table)
            for name, part in _find_parts(names):
                if last.get(part.id) != part.version:
                    self._storage.remove(name)


def _find_parts(names: Iterable[str]) -> Iterator[tuple[str, Part]]:
    """Yield the files that belong to parts. Other files are not ours, and stay."""
    for name in names:
        match = _PART.fullmatch(name)
        if match:
            yield name, Part(match["id"], int(match["version"]))
