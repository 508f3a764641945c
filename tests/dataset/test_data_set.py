"""Data sets: whole after every kill, no document lost or doubled, readable by others."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="data sets need pyarrow: pip install 'held[parquet]'")

from held.dataset.parts import DataSet, LocalFolder, RemoteFolder, RunReplacedError, Storage, find_pdfs
from held.dataset.rows import (
    COLUMNS,
    DOCUMENTS,
    SECTIONS,
    Rows,
    hash_text,
    rows_from_parquet,
    rows_to_parquet,
    schema_of,
)
from held.errors import FormatError, HeldError


class Killed(BaseException):
    """The process ends here."""


class Failing:
    """A storage that is cut off after so many changes."""

    def __init__(self, storage: Storage, changes: int) -> None:
        self._storage, self._left = storage, changes

    def write(self, name: str, content: bytes) -> None:
        self._count()
        self._storage.write(name, content)

    def remove(self, name: str) -> None:
        self._count()
        self._storage.remove(name)

    def read(self, name: str) -> bytes:
        return self._storage.read(name)

    def names(self, folder: str) -> list[str]:
        return self._storage.names(folder)

    def _count(self) -> None:
        if self._left == 0:
            raise Killed
        self._left -= 1


def rows_for(*sources: str, status: str = "done") -> Rows:
    """Rows of documents with two sections each."""
    rows: Rows = {table: [] for table in COLUMNS}
    for source in sources:
        names = {"document": hash_text(source), "source": source}
        rows[SECTIONS] += [{**names, "section": n, "path": ["1 Ships"], "text": "They come."} for n in (0, 2)]
        rows[DOCUMENTS].append({**names, "status": status, "source_hash": "0", "options_hash": "1"})
    return rows


def sections_in(storage: Storage) -> list[str]:
    """The sources of all sections that a reader of the folder sees."""
    names = storage.names(SECTIONS)
    return sorted(row["source"] for name in names for row in rows_from_parquet(storage.read(name), file=name))


@pytest.fixture(params=["folder", "memory"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    if request.param == "folder":
        yield LocalFolder(tmp_path / "out")
        return
    yield RemoteFolder(f"memory://{tmp_path.name}/out")


def test_what_is_written_is_known(storage: Storage) -> None:
    data_set = DataSet.start_run(storage)
    data_set.write("aa", rows_for("/a.pdf", "/b.pdf"))
    known = data_set.documents()
    assert {own.source for own in known.values()} == {"/a.pdf", "/b.pdf"}
    assert sections_in(storage) == ["/a.pdf", "/a.pdf", "/b.pdf", "/b.pdf"]


def test_a_part_that_is_written_twice_is_there_once(storage: Storage) -> None:
    data_set = DataSet.start_run(storage)
    for _ in range(2):
        data_set.write("aa", rows_for("/a.pdf"))
    assert sections_in(storage) == ["/a.pdf", "/a.pdf"]


def test_a_forgotten_document_leaves_the_others_of_its_part(storage: Storage) -> None:
    data_set = DataSet.start_run(storage)
    data_set.write("aa", rows_for("/a.pdf", "/b.pdf"))
    known = data_set.documents()
    data_set.remove({id: own for id, own in known.items() if own.source == "/a.pdf"})
    assert sections_in(storage) == ["/b.pdf", "/b.pdf"]
    data_set.remove(data_set.documents())
    assert storage.names(DOCUMENTS) == []


def _write(data_set: DataSet) -> None:
    data_set.write("bb", rows_for("/c.pdf", "/a.pdf"))


def _forget(data_set: DataSet) -> None:
    known = data_set.documents()
    data_set.remove({id: own for id, own in known.items() if own.source == "/a.pdf"})


@pytest.mark.parametrize("work", [_write, _forget])
def test_whatever_is_killed_the_next_run_loses_nothing_and_doubles_nothing(
    work: Callable[[DataSet], None], tmp_path: Path
) -> None:
    for changes in itertools.count():
        storage = LocalFolder(tmp_path / str(changes))
        start = DataSet.start_run(storage)
        if work is _forget:
            start.write("aa", rows_for("/a.pdf", "/b.pdf"))
        try:
            work(DataSet(Failing(storage, changes), start.run))
            ended = True
        except Killed:
            ended = False
        second = DataSet.start_run(storage)
        sources = sorted(own.source for own in second.documents().values())
        assert sections_in(storage) == sorted(sources * 2)
        assert work is _write or "/b.pdf" in sources
        if ended:
            break
    assert changes > 3


def test_a_worker_of_a_run_that_was_given_up_writes_nothing_any_more(storage: Storage) -> None:
    first = DataSet.start_run(storage)
    DataSet.start_run(storage)
    with pytest.raises(RunReplacedError):
        first.write("aa", rows_for("/a.pdf"))
    assert DataSet.start_run(storage).documents() == {}


def test_half_a_character_can_be_written() -> None:
    content = rows_to_parquet(SECTIONS, [{"title": "broken \ud835 font", "path": ["\ud835"]}])
    (row,) = rows_from_parquet(content, file="x")
    assert row["title"] == "broken \\ud835 font"


def test_rows_of_other_types_are_refused() -> None:
    with pytest.raises(FormatError, match="sections"):
        rows_to_parquet(SECTIONS, [{"level": "deep"}])


def test_a_file_that_is_no_parquet_is_named() -> None:
    with pytest.raises(HeldError, match=r"x\.parquet"):
        rows_from_parquet(b"nothing", file="x.parquet")


@pytest.mark.parametrize("table", COLUMNS)
def test_every_table_says_of_which_document_and_of_which_version_it_is(table: str) -> None:
    schema = schema_of(table)
    assert schema.names[:2] == ["document", "source"]
    assert schema.metadata[b"held.dataset"] == b"1"


def test_pdfs_of_a_store_are_found_below_a_url() -> None:
    import fsspec

    files = fsspec.filesystem("memory")
    for name in ("/documents/a.pdf", "/documents/deep/B.PDF", "/documents/c.txt"):
        files.pipe_file(name, b"%PDF")
    found = find_pdfs("memory://documents")
    assert [url.rpartition("/")[2] for url in found] == ["a.pdf", "B.PDF"]
    assert all(url.startswith("memory://") for url in found)
