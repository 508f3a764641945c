import errno
import os
from pathlib import Path

import pytest

from held.batch.sinks import RUN_JOURNAL, FolderSink, folder_sink
from held.errors import InputError, UsageError
from held.exports.formats import ExportOptions
from held.extraction import ExtractOptions
from held.file_task import Counts, FileTask, TaskOptions, TaskResult, hash_options
from held.system import atomic_write
from held.system.bounded_json import file_sha256

NOW = TaskOptions()
DRAFT = ".held-0123456789abcdef.part"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.pdf"
    path.write_bytes(b"ships")
    return path


def task_for(source: Path, target: Path) -> FileTask:
    options = TaskOptions(export=ExportOptions(target=target))
    return FileTask(source, str(source), options, str(target))


def store(sink: FolderSink, task: FileTask, content: bytes = b"tree") -> None:
    sink.store(task, TaskResult(content, Counts(pages=2), (), {}, source_hash=file_sha256(task.source)))


def write(folder: Path, source: Path, content: bytes = b"tree") -> Path:
    """Store the result of a source and return its file."""
    target = folder / "a" / "source.json"
    task = task_for(source, target)
    with folder_sink(folder, [task], NOW) as sink:
        store(sink, task, content)
    return target


def is_done(folder: Path, source: Path, options: TaskOptions = NOW) -> bool:
    task = task_for(source, folder / "a" / "source.json")
    with folder_sink(folder, [task], options, resume=True) as sink:
        return bool(sink.find_done([task]))


def test_a_target_that_was_written_is_done(tmp_path: Path, source: Path) -> None:
    write(tmp_path / "out", source)
    assert is_done(tmp_path / "out", source)


def test_other_options_make_it_undone(tmp_path: Path, source: Path) -> None:
    write(tmp_path / "out", source)
    assert not is_done(tmp_path / "out", source, TaskOptions("outline"))


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
    (tmp_path / "out" / RUN_JOURNAL).write_text('{"output": "a/sour')
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
        folder_sink(tmp_path, [], NOW),
        pytest.raises(UsageError, match="another run writes into this folder"),
        folder_sink(tmp_path, [], NOW),
    ):
        pass


def test_a_run_that_is_refused_leaves_the_drafts_of_the_other_alone(tmp_path: Path) -> None:
    draft = tmp_path / DRAFT
    with folder_sink(tmp_path, [], NOW):
        draft.touch()
        with pytest.raises(UsageError), folder_sink(tmp_path, [task_for(tmp_path, tmp_path / "a.json")], NOW):
            pass
    assert draft.exists()


def test_the_hash_of_options_tells_them_apart() -> None:
    assert hash_options(TaskOptions()) == hash_options(TaskOptions())
    assert hash_options(TaskOptions()) != hash_options(TaskOptions(extract=ExtractOptions(max_depth=3)))


def test_a_name_with_a_line_separator_is_found_again(tmp_path: Path) -> None:
    source = tmp_path / "two\u2028lines\x85.pdf"
    source.write_bytes(b"ships")
    target = tmp_path / "two\u2028lines\x85.json"
    task = task_for(source, target)
    with folder_sink(tmp_path, [task], NOW) as sink:
        store(sink, task)
    with folder_sink(tmp_path, [task], NOW, resume=True) as sink:
        assert sink.find_done([task])


def test_without_resume_nothing_counts_as_done(tmp_path: Path, source: Path) -> None:
    task = task_for(source, write(tmp_path / "out", source))
    with folder_sink(tmp_path / "out", [task], NOW) as sink:
        assert not sink.find_done([task])


def test_a_skipped_file_keeps_its_counts(tmp_path: Path, source: Path) -> None:
    task = task_for(source, write(tmp_path / "out", source))
    with folder_sink(tmp_path / "out", [task], NOW, resume=True) as sink:
        assert sink.find_done([task])[0].counts.pages == 2


def test_a_row_that_finds_no_room_leaves_the_journal_as_it_was(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "out", source)
    before = (tmp_path / "out" / RUN_JOURNAL).read_bytes()

    def half_a_row(file: int, content: bytes) -> None:
        os.write(file, content[:9])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(atomic_write, "write_all", half_a_row)
    with pytest.raises(InputError, match="No space left on device"):
        write(tmp_path / "out", source, b"new")
    assert (tmp_path / "out" / RUN_JOURNAL).read_bytes() == before
    assert is_done(tmp_path / "out", source)
