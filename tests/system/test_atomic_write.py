"""The file layer: whatever call fails, nothing old is lost, and no draft stays for good."""

import errno
import lzma
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from held.errors import InputError
from held.system import atomic_write as writing
from held.system.atomic_write import remove_stale_drafts, same_file, write_file

CALLS = ("open", "write", "fchown", "fchmod", "fsync", "replace", "close", "unlink", "fstat", "stat")


@contextmanager
def failing(monkeypatch: pytest.MonkeyPatch, name: str, at: int, error: int) -> Iterator[list[int]]:
    """The calls of a function of the system so far, of which one fails, and all after it on the way out."""
    calls: list[int] = []
    real: Callable[..., Any] = getattr(os, name)

    def called(*arguments: Any, **options: Any) -> Any:
        calls.append(len(calls))
        if len(calls) > at:
            raise OSError(error, os.strerror(error))
        return real(*arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(os, name, called)
        yield calls


def drafts(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.endswith(".part")]


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EROFS, errno.EIO])
@pytest.mark.parametrize("before", [b"old", None])
def test_whatever_call_fails_the_file_is_the_old_or_the_new_one_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, error: int, before: bytes | None
) -> None:
    target = tmp_path / "tree.json"
    for at in range(20):
        target.unlink(missing_ok=True)
        if before is not None:
            target.write_bytes(before)
        with failing(monkeypatch, name, at, error) as calls:
            try:
                write_file(target, b"new" * 1000, durable=True)
                expected: tuple[bytes | None, ...] = (b"new" * 1000,)
            except InputError:
                expected = (before, b"new" * 1000)
        assert (target.read_bytes() if target.exists() else None) in expected
        remove_stale_drafts(tmp_path)
        assert drafts(tmp_path) == []
        if len(calls) <= at:
            return
    pytest.fail(f"{name} is called without end")


def test_a_failing_write_names_the_file_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        failing(monkeypatch, "write", 0, errno.ENOSPC),
        pytest.raises(InputError, match=r"a\.json: cannot be written: No space left on device \(free some"),
    ):
        write_file(tmp_path / "a.json", b"new")


def test_a_name_of_255_bytes_can_be_written(tmp_path: Path) -> None:
    target = tmp_path / f"{'n' * 250}.json"
    write_file(target, b"tree")
    assert target.read_bytes() == b"tree"


def test_a_planted_link_at_any_name_that_a_draft_once_had_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine")
    (tmp_path / f".a.json.{os.getpid()}.part").symlink_to(victim)
    write_file(tmp_path / "a.json", b"tree")
    assert victim.read_bytes() == b"mine"


def test_a_draft_is_never_opened_where_something_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine")
    monkeypatch.setattr(os, "urandom", bytes)
    (tmp_path / f".held-{'0' * 16}.part").symlink_to(victim)
    with pytest.raises(InputError, match="File exists"):
        write_file(tmp_path / "a.json", b"tree")
    assert victim.read_bytes() == b"mine"


def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_file(tmp_path / "a.json", b"tree")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.json").stat().st_mode) == 0o640


@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755])
def test_a_file_that_is_replaced_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    target = tmp_path / "a.json"
    target.write_bytes(b"old")
    target.chmod(mode)
    write_file(target, b"new")
    assert stat.S_IMODE(target.stat().st_mode) == mode


def test_a_draft_is_never_more_open_than_what_it_replaces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "a.json"
    target.write_bytes(b"old")
    target.chmod(0o600)
    modes = []

    def looked_at(file: int, content: bytes) -> None:
        modes.append(stat.S_IMODE(os.fstat(file).st_mode))

    monkeypatch.setattr(writing, "write_all", looked_at)
    write_file(target, b"new")
    assert modes == [0o600]


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_is_written_through(tmp_path: Path, exists: bool) -> None:
    (tmp_path / "far").mkdir()
    real, link = tmp_path / "far" / "real.json", tmp_path / "link.json"
    if exists:
        real.write_bytes(b"old")
    link.symlink_to(real)
    write_file(link, b"new")
    assert (link.is_symlink(), real.read_bytes()) == (True, b"new")


def test_a_link_that_leads_to_itself_is_refused(tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(link)
    with pytest.raises(InputError, match="cannot be written"):
        write_file(link, b"new")


def test_a_name_that_ends_in_xz_is_compressed(tmp_path: Path) -> None:
    write_file(tmp_path / "a.json.xz", b"tree")
    assert lzma.decompress((tmp_path / "a.json.xz").read_bytes()) == b"tree"


def test_the_draft_of_a_writer_at_work_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "write_all", lambda file, content: remove_stale_drafts(tmp_path))
    write_file(tmp_path / "a.json", b"")
    assert os.listdir(tmp_path) == ["a.json"]


def test_one_file_is_known_by_all_its_names(tmp_path: Path) -> None:
    real, link, hard = (tmp_path / name for name in ("real", "link", "hard"))
    real.touch()
    link.symlink_to(real)
    hard.hardlink_to(real)
    assert same_file(real, link)
    assert same_file(real, hard)
    assert same_file(tmp_path / "none", tmp_path / "." / "none")
    assert not same_file(real, tmp_path / "none")
