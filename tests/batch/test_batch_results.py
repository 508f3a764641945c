import errno
import os
from pathlib import Path

import pytest

from held.batch.request import Options
from held.batch.results import JOURNAL, hash_of_options, results_in
from held.errors import InputError, UsageError
from held.extraction import ExtractOptions
from held.system import journal
from held.system.bounded_input import file_sha256

NOW = "of these options"
DRAFT = ".held-0123456789abcdef.part"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.pdf"
    path.write_bytes(b"ships")
    return path


def write(folder: Path, source: Path, content: bytes = b"tree") -> Path:
    """The target of a source, written with its row."""
    target = folder / "a" / "source.json"
    with results_in(folder, [target]) as results:
        results.write(target, content, {"source_hash": file_sha256(source), "options_hash": NOW, "pages": 2})
    return target


def is_done(folder: Path, source: Path, options_hash: str = NOW) -> bool:
    target = folder / "a" / "source.json"
    with results_in(folder, [target]) as results:
        return results.row_of(target, source, options_hash) is not None


def test_a_target_that_was_written_is_done(tmp_path: Path, source: Path) -> None:
    write(tmp_path / "out", source)
    assert is_done(tmp_path / "out", source)


def test_other_options_make_it_undone(tmp_path: Path, source: Path) -> None:
    write(tmp_path / "out", source)
    assert not is_done(tmp_path / "out", source, "of others")


@pytest.mark.parametrize("changed", ["source", "target"])
def test_what_has_changed_since_is_not_done(tmp_path: Path, source: Path, changed: str) -> None:
    target = write(tmp_path / "out", source)
    (source if changed == "source" else target).write_bytes(b"other")
    assert not is_done(tmp_path / "out", source)


def test_a_row_whose_file_was_never_written_is_not_done(tmp_path: Path, source: Path) -> None:
    write(tmp_path / "out", source).unlink()
    assert not is_done(tmp_path / "out", source)


def test_a_torn_line_is_passed_over_and_spoils_none_after_it(tmp_path: Path, source: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / JOURNAL).write_text('{"output": "a/sour')
    write(tmp_path / "out", source)
    assert is_done(tmp_path / "out", source)


def test_the_latest_row_counts(tmp_path: Path, source: Path) -> None:
    write(tmp_path / "out", source, b"old")
    write(tmp_path / "out", source, b"new")
    assert is_done(tmp_path / "out", source)


def test_drafts_of_a_killed_run_are_removed(tmp_path: Path, source: Path) -> None:
    target = write(tmp_path / "out", source)
    draft, other = target.with_name(DRAFT), target.with_name(".mine.part")
    draft.touch()
    other.touch()
    assert is_done(tmp_path / "out", source)
    assert (draft.exists(), other.exists()) == (False, True)


def test_a_second_run_into_the_same_folder_is_refused(tmp_path: Path) -> None:
    with (
        results_in(tmp_path, []),
        pytest.raises(UsageError, match="another run writes into this folder"),
        results_in(tmp_path, []),
    ):
        pass


def test_a_run_that_is_refused_leaves_the_drafts_of_the_other_alone(tmp_path: Path) -> None:
    draft = tmp_path / DRAFT
    with results_in(tmp_path, []):
        draft.touch()
        with pytest.raises(UsageError), results_in(tmp_path, [tmp_path / "a.json"]):
            pass
    assert draft.exists()


def test_the_hash_of_options_tells_them_apart() -> None:
    assert hash_of_options(Options()) == hash_of_options(Options())
    assert hash_of_options(Options()) != hash_of_options(Options(extraction=ExtractOptions(max_depth=3)))


def test_a_name_with_a_line_separator_is_found_again(tmp_path: Path) -> None:
    source = tmp_path / "two\u2028lines\x85.pdf"
    source.write_bytes(b"ships")
    target = tmp_path / "two\u2028lines\x85.json"
    with results_in(tmp_path, [target]) as results:
        results.write(target, b"tree", {"source_hash": file_sha256(source), "options_hash": NOW})
    with results_in(tmp_path, [target]) as results:
        assert results.row_of(target, source, NOW) is not None


def test_a_row_that_finds_no_room_leaves_the_journal_as_it_was(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "out", source)
    before = (tmp_path / "out" / JOURNAL).read_bytes()

    def half_a_row(file: int, content: bytes) -> None:
        os.write(file, content[:9])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(journal, "write_all", half_a_row)
    with pytest.raises(InputError, match="No space left on device"):
        write(tmp_path / "out", source, b"new")
    assert (tmp_path / "out" / JOURNAL).read_bytes() == before
    assert is_done(tmp_path / "out", source)
