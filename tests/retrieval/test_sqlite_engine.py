import gc
import io
import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from held.errors import InputError, VersionError
from held.retrieval import sqlite_engine
from held.retrieval.document_index import entry_from_bytes, entry_to_bytes
from held.retrieval.engine import build_sections
from held.retrieval.index import Index
from held.retrieval.ranker import score_passages
from held.retrieval.sqlite_engine import SQLiteEngine, write_sqlite_index
from tests.retrieval.harbours import CHINESE, HARBOUR, RAILWAY, content, entry_of_rows


def test_an_entry_comes_back_as_it_was_packed() -> None:
    entry = entry_of_rows(HARBOUR, labels=("i", "1", None))
    again = entry_from_bytes(entry_to_bytes(entry))
    assert tuple(again.document.passages) == entry.document.passages
    assert (again.pages, again.labels, again.label(2)) == (3, ("i", "1", None), "1")
    assert again.document.texts.words == entry.document.texts.words
    np.testing.assert_array_equal(again.document.texts.counts, entry.document.texts.counts)
    np.testing.assert_array_equal(again.document.below, entry.document.below)
    np.testing.assert_array_equal(again.document.prominence, entry.document.prominence)
    assert again.document.language == entry.document.language == "en"


def test_passages_are_read_when_one_is_shown_and_not_to_rank_them() -> None:
    looks: list[str] = []

    @contextmanager
    def watch() -> Iterator[None]:
        looks.append("read")
        yield

    document = entry_from_bytes(content(HARBOUR), watch).document
    score_passages("pilots", document)
    assert (len(document.passages), looks) == (3, [])
    assert [document.passages[place].page for place in range(3)] == [1, 2, 3]
    assert looks == ["read"]


def test_passages_that_are_damaged_are_named_when_one_is_to_be_shown(index_file: Path) -> None:
    with sqlite3.connect(index_file) as connection:
        for number, whole in connection.execute("SELECT id, content FROM documents").fetchall():
            broken = with_other_passages(whole, b"{}")
            connection.execute("UPDATE documents SET content = ? WHERE id = ?", (broken, number))
    connection.close()
    with Index.open(index_file) as index, pytest.raises(InputError, match="the index is damaged"):
        index.search("pilots")


def with_other_passages(whole: bytes, passages: bytes) -> bytes:
    with np.load(io.BytesIO(whole)) as parts:
        kept = dict(parts) | {"passages": np.frombuffer(passages, np.uint8)}
    changed = io.BytesIO()
    np.savez(changed, **kept)
    return changed.getvalue()


def test_half_a_character_survives_packing() -> None:
    entry = entry_of_rows([((), "broken \ud835 font", 1)])
    assert tuple(entry_from_bytes(entry_to_bytes(entry)).document.passages) == entry.document.passages


def test_a_document_without_passages_can_be_kept(tmp_path: Path) -> None:
    with write_sqlite_index(tmp_path / "x.index") as writer:
        writer.put("/empty.pdf", content([((), "1", 1)]))
        writer.put("/empty.pdf", content([((), "…", 1)]))
        assert [source.passages for source in writer.sources()] == [1]


def test_a_section_has_the_words_of_its_headings_and_of_its_passages() -> None:
    first, second = build_sections(entry_of_rows(HARBOUR).document)
    assert sorted(first.path.split()) == ["1", "1.1", "depth", "harbour"]
    assert {"basin", "deep", "dredging", "2.5"} < set(first.body.split())
    assert "pilot" in second.body


def test_a_changed_document_replaces_the_one_before(index_file: Path, folder: Path) -> None:
    path = str(folder / "railway.pdf")
    with write_sqlite_index(index_file) as writer:
        writer.put(path, content([((), "Now there are buses.", 1)]), digest="other")
    with Index.open(index_file) as index:
        assert index.search("track") == []
        assert [hit.text for hit in index.search("buses")] == ["Now there are buses."]
        assert len(index.sources()) == 3


def test_the_full_text_index_forgets_a_document_wholly(index_file: Path) -> None:
    with write_sqlite_index(index_file) as writer:
        for source in writer.sources():
            writer.remove(source.path)
        assert writer.query("SELECT * FROM vocabulary") == []
        assert writer.query("SELECT * FROM sections") == []


def test_a_failed_change_leaves_all_as_it_was(index_file: Path) -> None:
    with write_sqlite_index(index_file) as writer:
        before = writer.sources()
        with pytest.raises(InputError, match="damaged"):
            writer.put(before[0].path, b"no entry")
        assert writer.sources() == before


def test_a_killed_writer_loses_only_what_it_was_adding(index_file: Path) -> None:
    code = f"""
import os, sys
from pathlib import Path
from held.retrieval.sqlite_engine import write_sqlite_index
with write_sqlite_index(Path({str(index_file)!r})) as writer:
    writer._connection.execute("PRAGMA cache_size = 1"), writer._connection.execute("PRAGMA cache_spill = ON")
    with writer._transaction():
        writer._connection.execute("DELETE FROM documents")
        writer._connection.execute("CREATE TABLE filler AS SELECT zeroblob(1000000)")
        os._exit(9)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 9
    with Index.open(index_file) as index:
        assert len(index.sources()) == 3
        assert index.search("pilots")
    with write_sqlite_index(index_file) as writer:
        assert len(writer.sources()) == 3


def test_a_second_writer_is_refused_while_searching_goes_on(index_file: Path) -> None:
    with write_sqlite_index(index_file) as writer:
        with (
            pytest.raises(InputError, match="being written by another process"),
            write_sqlite_index(index_file),
        ):
            pass
        with writer._transaction(), Index.open(index_file) as index:
            writer._delete(writer.sources()[0].path)
            assert len(index.sources()) == 3
            assert index.search("pilots")
    with Index.open(index_file) as index:
        assert len(index.sources()) == 2


def test_nothing_but_the_index_is_left_behind(made_once: Path) -> None:
    assert [path.name for path in made_once.parent.iterdir()] == ["all.index"]


def test_an_index_of_another_version_is_named(index_file: Path) -> None:
    with sqlite3.connect(index_file) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(VersionError, match=r"version 99.*make it anew"):
        SQLiteEngine.open(index_file)
    with pytest.raises(VersionError), write_sqlite_index(index_file):
        pass


def test_another_database_is_no_index(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(InputError, match="no index of held"):
        SQLiteEngine.open(path)


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_a_truncated_index_is_damaged(index_file: Path, share: float) -> None:
    whole = index_file.read_bytes()
    index_file.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(InputError, match=r"damaged \(delete it and make it anew"):
        SQLiteEngine.open(index_file)
    with pytest.raises(InputError, match="damaged"), write_sqlite_index(index_file):
        pass


def test_an_empty_file_is_no_index_but_can_become_one(tmp_path: Path) -> None:
    path = tmp_path / "empty.index"
    path.touch()
    with pytest.raises(InputError, match="is empty"):
        SQLiteEngine.open(path)
    with write_sqlite_index(path):  # left by a writer that was killed before its first commit
        pass


def _killed_in_the_first_commit(path: Path) -> None:
    """Leaves what a process leaves that dies when some pages of a new index are written, and some not."""
    code = f"""
import os, sqlite3
connection = sqlite3.connect({str(path)!r}, isolation_level=None)
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN")
connection.execute("CREATE TABLE filler AS SELECT zeroblob(1000000)")
os._exit(9)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 9
    assert path.stat().st_size


def test_an_index_whose_first_commit_was_killed_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "new.index"
    _killed_in_the_first_commit(path)
    with pytest.raises(InputError, match="is empty"):
        SQLiteEngine.open(path)


def test_an_index_whose_first_commit_was_killed_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "new.index"
    _killed_in_the_first_commit(path)
    with write_sqlite_index(path) as writer:
        writer.put("/harbour.pdf", content(HARBOUR))
        assert len(writer.sources()) == 1


@pytest.mark.parametrize("seed", range(12))
def test_random_bytes_give_a_clear_error_or_the_right_answer(index_file: Path, seed: int) -> None:
    content = bytearray(index_file.read_bytes())
    chance = random.Random(seed)
    start = chance.randrange(100, len(content) - 600)
    content[start : start + 600] = chance.randbytes(600)
    index_file.write_bytes(content)
    try:
        with Index.open(index_file) as index:
            found = [hit.text for hit in index.search("pilots")]
    except InputError as error:
        found = [str(error)]
    assert found == [HARBOUR[2][1]] or "damaged" in found[0]


def test_a_file_of_anything_else_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "report.pdf"
    path.write_bytes(b"%PDF-1.4 my only copy")
    with pytest.raises(InputError, match="no index of held"), write_sqlite_index(path):
        pass
    assert path.read_bytes() == b"%PDF-1.4 my only copy"


def test_an_index_that_cannot_be_made_says_why(tmp_path: Path) -> None:
    with (
        pytest.raises(InputError, match="cannot be written"),
        write_sqlite_index(tmp_path / "no" / "folder" / "x.index"),
    ):
        pass


def test_a_python_without_full_text_search_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sqlite_engine, "_TABLES", sqlite_engine._TABLES.replace("USING fts5(", "USING no_such_fts5(")
    )
    with pytest.raises(InputError, match="no full-text search"), write_sqlite_index(tmp_path / "x.index"):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the superuser may write everything")
def test_an_index_that_may_only_be_read_can_be_searched(index_file: Path) -> None:
    index_file.chmod(0o400)
    index_file.parent.chmod(0o500)
    try:
        with Index.open(index_file) as index:
            assert index.search("pilots")
    finally:
        index_file.parent.chmod(0o700)


def test_documents_that_say_more_of_it_come_first(index_file: Path) -> None:
    with SQLiteEngine.open(index_file) as store:
        names = [source.path for source in store.sources()]
        found = [names[document - 1] for document in store.candidates(["million", "track"])]
    assert [Path(name).stem for name in found] == ["railway", "harbour"]


def test_documents_are_selected_by_another_form_of_a_word_that_they_lack(index_file: Path) -> None:
    with SQLiteEngine.open(index_file) as engine:
        assert engine.candidates(["dredged"]) == engine.candidates(["dredging"]) != {}
        assert engine.candidates(["dreadful"]) == {}


def test_chinese_is_found_by_pairs_of_characters(index_file: Path) -> None:
    with Index.open(index_file) as index:
        (hit,) = index.search("港口水深")
    assert (hit.text, hit.path) == (CHINESE[0][1], ("一、港口",))
    assert RAILWAY[0][1] != hit.text


def test_an_index_that_nobody_closes_is_closed_when_it_is_gone(index_file: Path) -> None:
    store = SQLiteEngine.open(index_file)
    connection = store._connection
    store.sources()
    del store
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")
