"""Reading in other processes: same result, and no crash or stall loses more than its page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from held.document import Note
from held.errors import DamagedPdfError
from held.reading import reader_process
from held.reading.read_pdf import read_pdf
from held.reading.text_checks import require_text
from held.system import worker_process
from held.system.limits import Limits, limits
from held.system.worker_process import WorkerProcess, WorkerSpec, acquire_worker, close_idle_workers
from tests.layout.make_pdfs import pdf, text

Sabotage = Callable[..., None]

SABOTAGE = """
import os, time
import held.reading.pdfium_reader as reader
from held.reading.pdfium_reader import serve
def crash(): os.abort()
def stall():
    while True: pass
read_raw_page, read_outline = reader.read_raw_page, reader.read_outline
def sabotaged(document, form, index, styles):
    {action}
    return read_raw_page(document, form, index, styles)
reader.read_raw_page = sabotaged
{setup}
"""

KNOWING_WHETHER_CAREFUL = """
answer = reader._answer_requests
def knowing(line, document, form, is_careful):
    global careful
    careful = is_careful
    answer(line, document, form, is_careful)
reader._answer_requests = knowing
"""

TEN = pdf(*(text(f"page {number}") for number in range(1, 11)))


@pytest.fixture
def sabotage(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Sabotage]:
    """Has workers do something else before they read a page, or at their start."""

    def sabotaged(*, action: str = "pass", setup: str = "") -> None:
        places = tmp_path / "places"
        places.mkdir()
        (places / "sabotage.py").write_text(SABOTAGE.format(action=action, setup=setup))
        monkeypatch.syspath_prepend(places)
        monkeypatch.setattr(reader_process, "SERVE", "sabotage:serve")
        for module in (worker_process, reader_process):  # however busy the machine is
            monkeypatch.setattr(module, "WALL_TIME_FACTOR", 1000.0)

    yield sabotaged
    close_idle_workers()


def first_texts(source: bytes, jobs: int = 1) -> list[str]:
    return [page.runs[0].text if page.runs else "" for page in read_pdf(source, jobs=jobs).pages]


@pytest.mark.parametrize("jobs", [1, 3, None])
def test_the_number_of_workers_does_not_change_the_result(jobs: int | None) -> None:
    assert read_pdf(TEN, jobs=jobs) == read_pdf(TEN, jobs=0)


def test_a_file_is_read_from_its_path(tmp_path: Path) -> None:
    path = tmp_path / "ein Bericht 年报.pdf"
    path.write_bytes(TEN)
    assert read_pdf(path).source == path.name


def test_progress_is_told_page_by_page() -> None:
    told: list[tuple[int, int]] = []
    read_pdf(TEN, progress=lambda done, total: told.append((done, total)))
    assert told == [(number, 10) for number in range(1, 11)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_page_that_crashes_the_library_loses_no_other_page(sabotage: Sabotage, jobs: int) -> None:
    sabotage(action="if index == 4: crash()")
    pages = read_pdf(TEN, jobs=jobs)
    assert [bool(page.runs) for page in pages.pages] == [True] * 4 + [False] + [True] * 5
    (note,) = pages.notes
    assert note.message.startswith("page 5: crashes the PDF library")


def test_a_page_that_stalls_loses_no_other_page_and_names_the_limit(sabotage: Sabotage) -> None:
    sabotage(action="if index == 9: stall()")
    pages = read_pdf(TEN, jobs=1, limits=Limits(page_seconds=0.4))
    assert [bool(page.runs) for page in pages.pages] == [True] * 9 + [False]
    assert pages.lost == (10,)
    assert pages.notes == (Note(None, "page 10: takes longer than 0.4 s, the limit for a page; left empty"),)


def test_memory_that_a_page_takes_is_limited_and_the_limit_named(sabotage: Sabotage) -> None:
    pytest.importorskip("resource")
    sabotage(action="if index == 2: held_back = bytes(300 << 20)")
    pages = read_pdf(TEN, jobs=1, limits=Limits(memory=200 << 20))
    assert pages.lost == (3,)
    assert "needs more than 200 MB of memory, the limit for a reader" in pages.notes[0].message


def test_a_library_that_aborts_at_its_memory_s_end_is_not_called_a_crash(sabotage: Sabotage) -> None:
    pytest.importorskip("resource")
    sabotage(
        action="if index == 2: held_back = bytearray(150 << 20); held_back[::4096] = bytes(38400); crash()"
    )
    pages = read_pdf(TEN, jobs=1, limits=Limits(memory=200 << 20))
    assert "needs more than 200 MB of memory" in pages.notes[0].message


def test_a_crash_is_not_laid_to_memory_alone_where_the_parent_took_as_much(sabotage: Sabotage) -> None:
    sabotage(action="if index == 2: crash()")
    held_back = bytearray(150 << 20)  # a child begins as a copy of this process, and is said to have taken it
    held_back[::4096] = bytes(38400)
    pages = read_pdf(TEN, jobs=1, limits=Limits(memory=150 << 20))
    assert "page 3: crashes the PDF library" in pages.notes[0].message


def test_a_file_on_which_every_page_stalls_ends_with_its_own_limit(sabotage: Sabotage) -> None:
    sabotage(action="stall()")
    pages = read_pdf(TEN, jobs=1, limits=Limits(page_seconds=0.4, file_seconds=1, seconds_per_page=0.01))
    assert pages.lost == tuple(range(1, 11))
    assert "the file takes longer than 1.1 s, the limit for a file" in pages.notes[-1].message


def test_what_was_stopped_is_not_called_a_scan(sabotage: Sabotage) -> None:
    sabotage(action="crash()")
    with pytest.raises(DamagedPdfError, match="crashes the PDF library"):
        require_text(read_pdf(pdf(text("x")), jobs=1))


def test_no_more_workers_are_started_than_there_are_pages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[WorkerSpec] = []

    def counted(program: WorkerSpec) -> WorkerProcess:
        started.append(program)
        return acquire_worker(program)

    monkeypatch.setattr(reader_process, "acquire_worker", counted)
    read_pdf(pdf(text("one"), text("two")), jobs=37)
    assert len(started) == 2


def test_a_reader_may_not_write_or_start_programs(sabotage: Sabotage, tmp_path: Path) -> None:
    sabotage(action=f"open({str(tmp_path / 'written')!r}, 'w')")
    assert read_pdf(pdf(text("x")), jobs=1).lost == (1,)
    assert not (tmp_path / "written").exists()


def test_a_reader_outside_the_sandbox_says_so_once(sabotage: Sabotage) -> None:
    setup = "import held.system.sandbox as sandbox; sandbox.enter = lambda **_: 'the kernel refuses'"
    sabotage(setup=setup)
    notes = read_pdf(TEN, jobs=1).notes
    assert [note.message for note in notes] == [
        "read in a process that is limited in memory and time alone, not shut in a sandbox: "
        "the kernel refuses"
    ]


def test_a_crash_that_does_not_repeat_costs_nothing(sabotage: Sabotage) -> None:
    sabotage(action="if index == 4 and not careful: crash()", setup=KNOWING_WHETHER_CAREFUL)
    assert read_pdf(TEN, jobs=1) == read_pdf(TEN, jobs=0)


def test_a_file_on_which_every_page_crashes_is_given_up_soon(
    monkeypatch: pytest.MonkeyPatch, sabotage: Sabotage
) -> None:
    monkeypatch.setattr(reader_process, "MAX_LOST_PAGES", 2)
    sabotage(action="crash()")
    pages = read_pdf(TEN, jobs=1)
    assert [note.message.split(":")[0] for note in pages.notes] == ["pages 1-2", "pages 3-10"]


def test_an_outline_that_crashes_is_left_out(sabotage: Sabotage) -> None:
    sabotage(setup="reader.read_outline = lambda document: crash()")
    pages = read_pdf(TEN, jobs=1)
    assert len(pages.pages) == 10
    assert "outline" in pages.notes[0].message


def test_a_crash_while_opening_is_an_error(sabotage: Sabotage) -> None:
    sabotage(setup="reader.open_document = lambda path, password: crash()")
    with pytest.raises(DamagedPdfError, match="crashes"):
        read_pdf(TEN)


def test_a_relative_path_is_read_from_where_the_caller_is_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = Path(__file__).parents[2] / "samples" / "report-en.pdf"
    read_pdf(sample, pages=[1], jobs=1)  # the worker that may stay was started in another folder
    (tmp_path / "moved.pdf").write_bytes(sample.read_bytes())
    monkeypatch.chdir(tmp_path)
    assert len(read_pdf("moved.pdf", pages=[1], jobs=1).pages) == 1


@pytest.mark.parametrize(
    "lie",
    [
        "line.send((PAGE, value, ()), *parts)",  # runs without styles
        "line.send((PAGE, value, styles), *parts[:5])",
        "line.send((PAGE, value, styles), parts[0] + bytes(4), *parts[1:])",
        "line.send((PAGE, (value[0], 7), styles), *parts)",
        "line.send((PAGE, value, [[1, 2, 3]]), *parts)",
        "line.send('page')",
        "line._answers.write(b'\\xff' * 99)",
        "line._answers.write(b'\\2\\0\\0\\0[[')",
    ],
)
def test_a_worker_that_lies_is_not_believed(sabotage: Sabotage, lie: str) -> None:
    liar = (
        "class Liar:\n"
        "    sandbox_failure = None\n"
        "    def __init__(self, line): self.line, self.receive = line, line.receive\n"
        "    def send(self, value, *parts, flush=True):\n"
        "        line, PAGE = self.line, reader.PAGE\n"
        "        if value[0] != PAGE: return line.send(value, *parts, flush=flush)\n"
        "        _, value, styles = value\n"
        f"        {lie}; line.flush()\n"
        "honest = serve\n"
        "def serve(line): honest(Liar(line))"
    )
    sabotage(setup=liar)
    pages = read_pdf(TEN, jobs=1)
    assert [bool(page.runs) for page in pages.pages] == [False] * 10
    assert "crashes the PDF library" in pages.notes[0].message


def test_a_reader_that_was_started_early_is_the_one_that_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    close_idle_workers()
    started: list[WorkerSpec] = []

    def counted(program: WorkerSpec) -> WorkerProcess:
        started.append(program)
        return WorkerProcess(program)

    monkeypatch.setattr(worker_process, "WorkerProcess", counted)
    reader_process.start_reader(limits())
    read_pdf(pdf(text("one page")), jobs=1)
    assert len(started) == 1
