"""Data sets: whole after every kill, no document lost or doubled, readable by others."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="data sets need pyarrow: pip install 'held[parquet]'")

from held.dataset.columns import COLUMNS, DOCUMENTS, SECTIONS
from held.dataset.parquet import parquet_of, rows_in, schema_of
from held.dataset.parts import DataSet, GivenUp
from held.dataset.places import Folder, Place, Remote, pdfs_below
from held.dataset.rows import Rows, document_id
from held.errors import FormatError, HeldError


class Killed(BaseException):
    """The process ends here."""


class Failing:
    """A place that is cut off after so many changes."""

    def __init__(self, place: Place, changes: int) -> None:
        self._place, self._left = place, changes

    def write(self, name: str, content: bytes) -> None:
        self._count()
        self._place.write(name, content)

    def remove(self, name: str) -> None:
        self._count()
        self._place.remove(name)

    def read(self, name: str) -> bytes:
        return self._place.read(name)

    def names(self, folder: str) -> list[str]:
        return self._place.names(folder)

    def _count(self) -> None:
        if self._left == 0:
            raise Killed
        self._left -= 1


def rows_for(*sources: str, status: str = "done") -> Rows:
    """Rows of documents with two sections each."""
    rows: Rows = {table: [] for table in COLUMNS}
    for source in sources:
        names = {"document": document_id(source), "source": source}
        rows[SECTIONS] += [{**names, "section": n, "path": ["1 Ships"], "text": "They come."} for n in (0, 2)]
        rows[DOCUMENTS].append({**names, "status": status, "source_hash": "0", "options_hash": "1"})
    return rows


def sections_in(place: Place) -> list[str]:
    """The sources of all sections that a reader of the folder sees."""
    names = place.names(SECTIONS)
    return sorted(row["source"] for name in names for row in rows_in(place.read(name), file=name))


@pytest.fixture(params=["folder", "memory"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    if request.param == "folder":
        yield Folder(tmp_path / "out")
        return
    yield Remote(f"memory://{tmp_path.name}/out")


def test_what_is_written_is_known(place: Place) -> None:
    data_set = DataSet.begun(place)
    data_set.write("aa", rows_for("/a.pdf", "/b.pdf"))
    known = data_set.documents()
    assert {own.source for own in known.values()} == {"/a.pdf", "/b.pdf"}
    assert sections_in(place) == ["/a.pdf", "/a.pdf", "/b.pdf", "/b.pdf"]


def test_a_part_that_is_written_twice_is_there_once(place: Place) -> None:
    data_set = DataSet.begun(place)
    for _ in range(2):
        data_set.write("aa", rows_for("/a.pdf"))
    assert sections_in(place) == ["/a.pdf", "/a.pdf"]


def test_a_forgotten_document_leaves_the_others_of_its_part(place: Place) -> None:
    data_set = DataSet.begun(place)
    data_set.write("aa", rows_for("/a.pdf", "/b.pdf"))
    known = data_set.documents()
    data_set.forget({id: own for id, own in known.items() if own.source == "/a.pdf"})
    assert sections_in(place) == ["/b.pdf", "/b.pdf"]
    data_set.forget(data_set.documents())
    assert place.names(DOCUMENTS) == []


def _write(data_set: DataSet) -> None:
    data_set.write("bb", rows_for("/c.pdf", "/a.pdf"))


def _forget(data_set: DataSet) -> None:
    known = data_set.documents()
    data_set.forget({id: own for id, own in known.items() if own.source == "/a.pdf"})


@pytest.mark.parametrize("work", [_write, _forget])
def test_whatever_is_killed_the_next_run_loses_nothing_and_doubles_nothing(
    work: Callable[[DataSet], None], tmp_path: Path
) -> None:
    for changes in itertools.count():
        place = Folder(tmp_path / str(changes))
        start = DataSet.begun(place)
        if work is _forget:
            start.write("aa", rows_for("/a.pdf", "/b.pdf"))
        try:
            work(DataSet(Failing(place, changes), start.run))
            ended = True
        except Killed:
            ended = False
        second = DataSet.begun(place)
        sources = sorted(own.source for own in second.documents().values())
        assert sections_in(place) == sorted(sources * 2)
        assert work is _write or "/b.pdf" in sources
        if ended:
            break
    assert changes > 3


def test_a_worker_of_a_run_that_was_given_up_writes_nothing_any_more(place: Place) -> None:
    first = DataSet.begun(place)
    DataSet.begun(place)
    with pytest.raises(GivenUp):
        first.write("aa", rows_for("/a.pdf"))
    assert DataSet.begun(place).documents() == {}


def test_half_a_character_can_be_written() -> None:
    content = parquet_of(SECTIONS, [{"title": "broken \ud835 font", "path": ["\ud835"]}])
    (row,) = rows_in(content, file="x")
    assert row["title"] == "broken \\ud835 font"


def test_rows_of_other_types_are_refused() -> None:
    with pytest.raises(FormatError, match="sections"):
        parquet_of(SECTIONS, [{"level": "deep"}])


def test_a_file_that_is_no_parquet_is_named() -> None:
    with pytest.raises(HeldError, match=r"x\.parquet"):
        rows_in(b"nothing", file="x.parquet")


@pytest.mark.parametrize("table", COLUMNS)
def test_every_table_says_of_which_document_and_of_which_version_it_is(table: str) -> None:
    schema = schema_of(table)
    assert schema.names[:2] == ["document", "source"]
    assert schema.metadata[b"held.dataset"] == b"1"


def test_pdfs_of_a_store_are_found_below_a_url() -> None:
    import fsspec

    files = fsspec.filesystem("memory")
    for name in ("/shelf/a.pdf", "/shelf/deep/B.PDF", "/shelf/c.txt"):
        files.pipe_file(name, b"%PDF")
    found = pdfs_below("memory://shelf")
    assert [url.rpartition("/")[2] for url in found] == ["a.pdf", "B.PDF"]
    assert all(url.startswith("memory://") for url in found)
