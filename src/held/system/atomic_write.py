"""Files that are written whole or not at all: whatever fails, what stood there before is still there.

The content goes into a draft beside its target, which then takes the target's place in one step. A draft has
a short name that nobody can guess and is never opened if it exists, so neither a long name nor a planted
link does harm. Whoever writes a draft holds its lock: one that nobody holds was left by a killed process,
and `clear_drafts` removes it. A symbolic link is written through, and a file that is replaced keeps its mode.
"""

from __future__ import annotations

import errno
import lzma
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from held.errors import InputError
from held.system.locks import holds

_DRAFT = re.compile(r"\.held-[0-9a-f]{16}\.part")
_NEW_FILE = 0o666  # the umask takes away from it what the user wants kept private
_ADVICE = {
    errno.ENOSPC: "free some space, or choose another place",
    errno.EDQUOT: "free some space, or choose another place",
    errno.EROFS: "choose another place",
    errno.EACCES: "choose another place",
    errno.EPERM: "choose another place",
    errno.ENAMETOOLONG: "choose a shorter name",
}


def write_whole(path: str | os.PathLike[str], content: bytes, *, lasting: bool = False) -> None:
    """Write a file whole or not at all: what stood there before stays until all is written.

    The content is compressed if the file's name ends in `.xz`. It is on the disk, whatever cuts the power
    afterwards, where it replaces something, or where it is `lasting`: somebody will rely on it being there.
    """
    write_pieces(path, (as_stored(path, content),), lasting=lasting)


def as_stored(path: str | os.PathLike[str], content: bytes) -> bytes:
    """What a file of this name holds that means the content: compressed where the name says so."""
    return lzma.compress(content) if os.fspath(path).endswith(".xz") else content


def write_pieces(path: str | os.PathLike[str], pieces: Iterable[bytes], *, lasting: bool = False) -> None:
    """Write a file piece by piece, and as they are, in the way of `write_whole`: all of them, or nothing."""
    try:
        _write(_behind_links(Path(path)), pieces, lasting=lasting)
    except OSError as error:
        raise cannot_be_written(path, error) from error


def cannot_be_written(path: str | os.PathLike[str], error: OSError) -> InputError:
    """The refusal of the system in the words of `held`, with what to do about it."""
    reason = error.strerror or type(error).__name__
    return InputError(f"cannot be written: {reason}", file=path, advice=_ADVICE.get(error.errno or 0))


def make_folder(folder: Path) -> None:
    """Makes a folder and those above it, where there are none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_be_written(error.filename or folder, error) from error


def clear_drafts(folder: Path) -> None:
    """Removes the drafts that killed processes have left in a folder; those at work are left alone."""
    with suppress(OSError):
        for name in os.listdir(folder):
            if _DRAFT.fullmatch(name):
                _clear(folder / name)


def same_file(one: Path, other: Path) -> bool:
    """Whether two names lead to one file: the same path, through links, or hard links of each other."""
    with suppress(OSError):
        return one.samefile(other)
    # One of them is not there yet, but its folder may be reached in several ways.
    return os.path.realpath(one) == os.path.realpath(other)


def _behind_links(path: Path) -> Path:
    """Where a file really stands: a link is written through, also one to nothing yet."""
    if not path.is_symlink():
        return path
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return target


def _write(target: Path, pieces: Iterable[bytes], *, lasting: bool) -> None:
    """Writes a draft, which takes the target's place when all of it is there."""
    before = _replaced(target)
    with _draft_for(target, before) as (draft, file):
        for piece in pieces:
            _write_all(file, piece)
        if before is not None:
            _take_over(file, before)
        if before is not None or lasting:
            os.fsync(file)
        os.replace(draft, target)
    if lasting:
        _sync_folder(target.parent)


def _replaced(target: Path) -> os.stat_result | None:
    """What stands where the target goes; None for nothing."""
    try:
        return os.stat(target)
    except FileNotFoundError:
        return None


@contextmanager
def _draft_for(target: Path, before: os.stat_result | None) -> Iterator[tuple[Path, int]]:
    """A new draft, open and locked; it is gone afterwards, unless it has become the target."""
    # Never more open to others than what it replaces.
    mode = _NEW_FILE if before is None else stat.S_IMODE(before.st_mode) & _NEW_FILE
    draft, file = _opened(target.parent, mode)
    try:
        yield draft, file
    except BaseException:
        _discard(draft, file)
        raise
    with suppress(OSError):  # the target is in its place
        os.close(file)


def _opened(folder: Path, mode: int) -> tuple[Path, int]:
    """A draft that did not exist before, and the file that it is."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    while True:
        draft = folder / f".held-{os.urandom(8).hex()}.part"
        file = os.open(draft, flags, mode)
        try:
            holds(file, wait=True)
            # Between its making and its locking a run that clears drafts may have taken it for a dead one.
            if os.fstat(file).st_nlink:
                return draft, file
        except BaseException:
            _discard(draft, file)
            raise
        os.close(file)


def _discard(draft: Path, file: int) -> None:
    """Removes a draft, or at least lets it go, so that the next run can."""
    with suppress(OSError):
        os.unlink(draft)
    with suppress(OSError):
        os.close(file)


def _write_all(file: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(file, rest) :]


def _take_over(file: int, before: os.stat_result) -> None:
    """Gives a draft the owner and the mode of the file that it replaces, as far as that is allowed."""
    if not hasattr(os, "fchmod"):
        return
    with suppress(OSError):
        os.fchown(file, before.st_uid, before.st_gid)
    with suppress(OSError):
        os.fchmod(file, stat.S_IMODE(before.st_mode))


def _sync_folder(folder: Path) -> None:
    """Makes sure that a new name outlasts a power cut, where folders can be synced."""
    with suppress(OSError):
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)


def _clear(draft: Path) -> None:
    """Removes a draft unless somebody holds it."""
    with suppress(OSError):
        file = os.open(draft, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        try:
            if holds(file, unsure=False):  # where nothing can be locked, drafts are left alone
                os.unlink(draft)
        finally:
            os.close(file)
