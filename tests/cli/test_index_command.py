"""`held index`: what is in the index afterwards, and what is said."""

import json
import shutil
from pathlib import Path

import pytest

from held.retrieval.index import Index
from held.retrieval.sqlite_engine import write_sqlite_index
from tests.cli.conftest import Held


@pytest.fixture
def library(tmp_path: Path, document_file: Path) -> Path:
    """A folder with a document of objects, twice."""
    folder = tmp_path / "library"
    folder.mkdir()
    for name in ("one.json", "two.json"):
        shutil.copy(document_file, folder / name)
    return folder


def sources(index: Path) -> list[str]:
    with Index.open(index) as opened:
        return sorted(Path(source.path).name for source in opened.sources())


def change(path: Path) -> None:
    value = json.loads(path.read_text(encoding="utf-8"))
    value["objects"][1]["text"] = "Lighthouses stand. " * 30
    path.write_text(json.dumps(value), encoding="utf-8")


def test_files_become_searchable(held: Held, library: Path, tmp_path: Path) -> None:
    index = tmp_path / "all.index"
    result = held("index", library / "one.json", library / "two.json", "-o", index)
    assert (result.code, result.out) == (0, "")
    assert "2 files done" in result.err
    assert sources(index) == ["one.json", "two.json"]


def test_only_what_has_changed_is_done_anew(held: Held, library: Path, tmp_path: Path) -> None:
    index = tmp_path / "all.index"
    held("index", library / "one.json", library / "two.json", "-o", index)
    change(library / "two.json")
    result = held("index", "-o", index, "-v")
    assert result.code == 0
    assert "1 file done, 1 done before" in result.err
    with Index.open(index) as opened:
        assert opened.search("lighthouses")


def test_a_bad_file_does_not_stop_the_others(held: Held, library: Path, tmp_path: Path) -> None:
    (library / "bad.pdf").write_bytes(b"%PDF-1.4 and nothing more")
    index = tmp_path / "all.index"
    files = [library / "bad.pdf", library / "one.json", library / "nowhere.pdf"]
    result = held("index", *files, "-o", index)
    assert result.code == 1
    assert "bad.pdf" in result.err
    assert "nowhere.pdf" in result.err
    assert sources(index) == ["one.json"]


def test_a_document_stays_when_its_file_is_gone_until_it_is_pruned(
    held: Held, library: Path, tmp_path: Path
) -> None:
    index = tmp_path / "all.index"
    held("index", library / "one.json", library / "two.json", "-o", index)
    (library / "two.json").unlink()
    kept = held("index", library / "one.json", "-o", index)
    assert (kept.code, sources(index)) == (0, ["one.json", "two.json"])
    assert "--prune" in kept.err
    held("index", "-o", index, "--prune")
    assert sources(index) == ["one.json"]


def test_a_second_run_is_refused(held: Held, library: Path, tmp_path: Path) -> None:
    index = tmp_path / "all.index"
    with write_sqlite_index(index):
        result = held("index", library / "one.json", "-o", index)
    assert result.code == 1
    assert "being written by another process" in result.err


def test_there_must_be_something_to_index(held: Held, tmp_path: Path) -> None:
    result = held("index", "-o", tmp_path / "all.index")
    assert result.code == 2
    assert "give a FILE" in result.err


def test_quiet_says_nothing(held: Held, library: Path, tmp_path: Path) -> None:
    assert held("index", library / "one.json", "-o", tmp_path / "all.index", "-q").err == ""


def test_the_empty_file_of_a_run_that_was_killed_at_once_is_made_an_index(
    held: Held, report: Path, tmp_path: Path
) -> None:
    (tmp_path / "new.index").touch()
    assert held("index", report, "-o", tmp_path / "new.index").code == 0


def test_where_no_file_could_be_read_no_index_is_left(held: Held, tmp_path: Path) -> None:
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.4 and nothing more")
    assert held("index", tmp_path / "bad.pdf", "-o", tmp_path / "all.index").code == 1
    assert [file.name for file in tmp_path.iterdir()] == ["bad.pdf"]


def test_a_file_that_fails_leaves_what_the_index_had_of_it(held: Held, library: Path, tmp_path: Path) -> None:
    index = tmp_path / "all.index"
    held("index", library / "one.json", "-o", index)
    before = index.read_bytes()
    (library / "one.json").write_text("{", encoding="utf-8")
    assert held("index", library / "one.json", "-o", index).code == 1
    assert index.read_bytes() == before


def test_an_index_whose_last_document_is_pruned_stays(held: Held, library: Path, tmp_path: Path) -> None:
    index = tmp_path / "all.index"
    held("index", library / "one.json", "-o", index)
    (library / "one.json").unlink()
    assert held("index", "-o", index, "--prune").code == 0
    assert sources(index) == []


def test_pages_that_could_not_be_read_are_remembered(held: Held, document_file: Path, tmp_path: Path) -> None:
    value = json.loads(document_file.read_text("utf-8")) | {"lost": [2]}
    document_file.write_text(json.dumps(value), encoding="utf-8")
    index = tmp_path / "all.index"
    for made in ("1 partial", "1 done before"):
        result = held("index", document_file, "-o", index)
        assert (result.code, made in result.err) == (3, True)
        assert "page 2 could not be read" in result.err
    with Index.open(index) as opened:
        assert [source.lost for source in opened.sources()] == [(2,)]
