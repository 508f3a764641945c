"""Atomic file writes: a file is written completely or not at all, and a failure leaves the old one in place.

The content goes into a draft, a temporary file beside the target, which then replaces the target in one step.
A draft has a short random name and is created exclusively, so neither long names nor planted links do harm.
Its writer holds a lock on it. A draft without a lock was left by a killed process, and `remove_stale_drafts`
removes it. Symbolic links are followed, and a replaced file keeps its mode and owner.
"""

from __future__ import annotations

import errno
import json
import lzma
import os
import re
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from io import FileIO
from pathlib import Path
from typing import Any

from held.errors import InputError, UsageError
from held.system.bounded_json import AnyPath, Record

_DRAFT_NAME = re.compile(r"\.held-[0-9a-f]{16}\.part")
_OPEN_FILES_STAY = sys.platform == "win32"  # Windows neither moves nor removes a file that is open
_LOCK_POLL_SECONDS = 0.05  # Windows cannot wait for a lock
_LOCKED_BYTE = 1 << 30
_NEW_FILE_MODE = 0o666  # the umask removes what the user keeps private
# O_BINARY exists only on Windows, O_CLOEXEC only elsewhere.
_DRAFT_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_ADVICE = {
    errno.ENOSPC: "free some space, or choose another place",
    errno.EDQUOT: "free some space, or choose another place",
    errno.EROFS: "choose another place",
    errno.EACCES: "choose another place",
    errno.EPERM: "choose another place",
    errno.ENAMETOOLONG: "choose a shorter name",
}


def write_file(path: AnyPath, content: bytes, *, durable: bool = False) -> None:
    """Write a file atomically, compressed if its name ends in `.xz`.

    The content is synced to disk if it replaces a file, or if it is `durable` because later steps rely on it.
    """
    write_chunks(path, (compress_for(path, content),), durable=durable)


def compress_for(path: AnyPath, content: bytes) -> bytes:
    """The content as a file of this name stores it: xz-compressed if the name ends in `.xz`."""
    return lzma.compress(content) if os.fspath(path).endswith(".xz") else content


def write_chunks(path: AnyPath, chunks: Iterable[bytes], *, durable: bool = False) -> None:
    """Write a file atomically, chunk by chunk and uncompressed."""
    try:
        target = _resolve_links(Path(path))
        replaced = _status(target)
        with _draft_for(target, replaced) as draft:
            for chunk in chunks:
                write_all(draft.file, chunk)
            if replaced is not None:
                _copy_owner_and_mode(draft.file, replaced)
            if replaced is not None or durable:
                os.fsync(draft.file)
            draft.move_to(target)
        if durable:
            _sync_folder(target.parent)
    except OSError as error:
        raise write_error(path, error) from error


def write_error(path: AnyPath, error: OSError) -> InputError:
    """The `InputError` for a failed write, with advice."""
    reason = error.strerror or type(error).__name__
    advice = _ADVICE.get(error.errno or 0)
    return InputError(f"cannot be written: {reason}", file=path, advice=advice)


def make_folder(folder: Path) -> None:
    """Create a folder and its parents, unless they exist."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(error.filename or folder, error) from error


def remove_stale_drafts(folder: Path) -> None:
    """Remove the drafts that killed processes left in a folder, but not those being written."""
    with suppress(OSError):
        for name in os.listdir(folder):
            if _DRAFT_NAME.fullmatch(name):
                _remove_unless_locked(folder / name)


def same_file(one: Path, other: Path) -> bool:
    """Whether two paths lead to the same file: equal, through links, or hard links of each other."""
    with suppress(OSError):
        return one.samefile(other)
    # One of them does not exist yet, but several paths may lead to its folder.
    return os.path.realpath(one) == os.path.realpath(other)


def lock_file(file: int, *, wait: bool = False, unsupported: bool = True) -> bool:
    """Lock an open file for this process until it ends; False if another process has the lock.

    `unsupported` is the result on a file system without locks. Workers do not inherit the lock: they are
    started as programs without open files.
    """
    if sys.platform == "win32":
        return _lock_on_windows(file, wait=wait, unsupported=unsupported)
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:
        return unsupported
    return True


def _lock_on_windows(file: int, *, wait: bool, unsupported: bool) -> bool:
    """Lock one byte far behind the end of a file, so that other processes can still read all of it."""
    msvcrt: Any = import_module("msvcrt")  # only Windows has it
    position = os.lseek(file, 0, os.SEEK_CUR)
    try:
        while True:
            os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)  # the lock begins where the file is read
            try:
                msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            except OSError as error:
                is_locked = error.errno in (errno.EACCES, errno.EDEADLOCK)
                if is_locked and wait:
                    time.sleep(_LOCK_POLL_SECONDS)
                    continue
                return False if is_locked else unsupported
            return True
    finally:
        os.lseek(file, position, os.SEEK_SET)


def write_all(file: int, content: bytes) -> None:
    """Write all bytes to an open file; the system may accept them in several pieces."""
    rest = memoryview(content)
    while rest:
        written = os.write(file, rest)
        rest = rest[written:]


def _resolve_links(path: Path) -> Path:
    """The target of a symbolic link, also if it does not exist yet."""
    if not path.is_symlink():
        return path
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return target


def _status(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


class _Draft:
    """A draft, open and locked."""

    def __init__(self, path: Path, file: int) -> None:
        self.path = path
        self.file = file
        self._is_open = True

    def move_to(self, target: Path) -> None:
        """Let the draft replace its target."""
        if _OPEN_FILES_STAY:
            # Without its lock, another process could take it for a stale draft in the moment before.
            self.close()
        os.replace(self.path, target)

    def close(self) -> None:
        """Close the file, which releases its lock."""
        if self._is_open:
            self._is_open = False
            with suppress(OSError):
                os.close(self.file)

    def discard(self) -> None:
        """Remove the draft, or at least release its lock so that a later run can remove it."""
        if _OPEN_FILES_STAY:
            self.close()
        with suppress(OSError):
            os.unlink(self.path)
        self.close()


@contextmanager
def _draft_for(target: Path, replaced: os.stat_result | None) -> Iterator[_Draft]:
    """A new draft; after an error it is removed."""
    mode = _NEW_FILE_MODE
    if replaced is not None:  # never readable for more people than the file that it replaces
        mode &= stat.S_IMODE(replaced.st_mode)
    draft = _open_draft(target.parent, mode)
    try:
        yield draft
    except BaseException:
        draft.discard()
        raise
    draft.close()


def _open_draft(folder: Path, mode: int) -> _Draft:
    while True:
        path = folder / f".held-{os.urandom(8).hex()}.part"
        draft = _Draft(path, os.open(path, _DRAFT_FLAGS, mode))
        try:
            lock_file(draft.file, wait=True)
            # Before it was locked, another process may have removed it as a stale one.
            if os.fstat(draft.file).st_nlink:
                return draft
        except BaseException:
            draft.discard()
            raise
        draft.close()


def _copy_owner_and_mode(file: int, replaced: os.stat_result) -> None:
    """Give a draft the owner and mode of the file that it replaces, as far as that is permitted."""
    if not hasattr(os, "fchmod"):
        return
    with suppress(OSError):
        os.fchown(file, replaced.st_uid, replaced.st_gid)
    with suppress(OSError):
        os.fchmod(file, stat.S_IMODE(replaced.st_mode))


def _sync_folder(folder: Path) -> None:
    """Make a new file name survive a power cut, on systems that can sync folders."""
    with suppress(OSError):
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)


def _remove_unless_locked(path: Path) -> None:
    with suppress(OSError):
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)
        draft = _Draft(path, os.open(path, flags))
        # Without locks, nobody knows which drafts are stale.
        if lock_file(draft.file, unsupported=False):
            draft.discard()
        draft.close()


# --- journals ---
#
# A journal of long-running work, one JSON object per line, so that a killed run can be resumed.
#
# A line that was torn when the process was killed is skipped and does not spoil later ones. The last row of
# a name counts. The journal is locked while it is open: a second run is refused before it changes anything.


@dataclass(frozen=True, slots=True)
class Journal:
    """The last row of each name, and the file that new rows go to. `key` is the field with a row's name."""

    rows: dict[str, Record]
    key: str
    file: FileIO

    def add(self, row: Record) -> None:
        """Append a row, or nothing if the disk is full."""
        size = os.fstat(self.file.fileno()).st_size
        try:
            write_all(self.file.fileno(), _encode_row(row))
        except OSError as error:
            with suppress(OSError):  # a torn line only means that its file is processed again
                self.file.truncate(size)
            raise write_error(self.file.name, error) from error
        self.rows[row[self.key]] = row


@contextmanager
def open_journal(path: Path, *, key: str) -> Iterator[Journal]:
    """The journal in a file, locked; the file and its folder are created if they do not exist."""
    make_folder(path.parent)
    try:
        # Unbuffered: a failed write must not be repeated when the file is closed.
        file = FileIO(os.fspath(path), "a+")
    except OSError as error:
        raise write_error(path, error) from error
    with file:
        if not lock_file(file.fileno()):
            reason = "another run writes into this folder"
            raise UsageError(reason, file=path.parent, advice="wait for it")
        named_rows = (row for row in _read_rows(file) if isinstance(row.get(key), str))
        yield Journal({row[key]: row for row in named_rows}, key, file)


def _encode_row(row: Record) -> bytes:
    try:
        # Surrogates are the bytes of a file name that is not UTF-8.
        return json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogateescape") + b"\n"
    except UnicodeEncodeError:  # a lone surrogate from a damaged font, which only an escape can express
        return json.dumps(row).encode() + b"\n"


def _read_rows(file: FileIO) -> Iterator[Record]:
    """The rows of a journal; a torn last line is terminated, so that the next row starts on its own line."""
    file.seek(0)
    content = file.readall()
    if content and not content.endswith(b"\n"):
        with suppress(OSError):  # if the disk is full, adding a row reports it
            write_all(file.fileno(), b"\n")
    # Not `splitlines`, which also splits at characters that names may contain, such as U+2028.
    for line in content.decode("utf-8", "surrogateescape").split("\n"):
        with suppress(ValueError):
            row = json.loads(line)
            if isinstance(row, dict):
                yield row
