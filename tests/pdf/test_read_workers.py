"""Reading in other processes: same result, and no crash or stall loses more than its page."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from held.document import Note
from held.errors import DamagedPdfError
from held.pdf.reader import workers
from held.pdf.reader.read import read_pdf
from tests.pdf.make_pdfs import pdf, text

SABOTAGE = """
import os, time
import held.pdf.reader.serve as workers
def crash(): os.abort()
def stall(): time.sleep(60)
read_raw_page, read_outline = workers.read_raw_page, workers.read_outline
def sabotaged(document, form, index, styles):
    {action}
    return read_raw_page(document, form, index, styles)
workers.read_raw_page = sabotaged
{setup}
workers.serve()
"""

TEN = pdf(*(text(f"page {number}") for number in range(1, 11)))


def sabotage(monkeypatch: pytest.MonkeyPatch, *, action: str = "pass", setup: str = "") -> None:
    monkeypatch.setattr(workers, "_idle", [])
    monkeypatch.setattr(
        workers, "COMMAND", [sys.executable, "-S", "-c", SABOTAGE.format(action=action, setup=setup)]
    )


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
def test_a_page_that_crashes_the_library_loses_no_other_page(
    monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    sabotage(monkeypatch, action="if index == 4: crash()")
    pages = read_pdf(TEN, jobs=jobs)
    assert [bool(page.runs) for page in pages.pages] == [True] * 4 + [False] + [True] * 5
    assert pages.notes == (Note(None, "page 5: crashes or stalls the PDF library; left empty"),)


def test_a_page_that_stalls_loses_no_other_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PAGE_SECONDS", 1.0)
    sabotage(monkeypatch, action="if index == 9: stall()")
    assert first_texts(TEN) == [*(f"page {number}" for number in range(1, 10)), ""]


def test_a_crash_that_does_not_repeat_costs_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mark = tmp_path / "crashed before"
    once = f"if index == 4 and not os.path.exists({str(mark)!r}): open({str(mark)!r}, 'w'); crash()"
    sabotage(monkeypatch, action=once)
    assert read_pdf(TEN, jobs=1) == read_pdf(TEN, jobs=0)


def test_a_file_on_which_every_page_crashes_is_given_up_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "MOST_LOST_PAGES", 2)
    sabotage(monkeypatch, action="crash()")
    pages = read_pdf(TEN, jobs=1)
    assert [note.message.split(":")[0] for note in pages.notes] == ["pages 1-2", "pages 3-10"]


def test_an_outline_that_crashes_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    sabotage(monkeypatch, setup="workers.read_outline = lambda document: crash()")
    pages = read_pdf(TEN, jobs=1)
    assert len(pages.pages) == 10
    assert "outline" in pages.notes[0].message


def test_a_crash_while_opening_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    sabotage(monkeypatch, setup="workers.open_document = lambda path, password: crash()")
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
