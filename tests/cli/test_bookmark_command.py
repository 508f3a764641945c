import sys
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from held.reading.read_pdf import read_pdf
from tests.layout.make_pdfs import encrypted, pdf, text

Held = Callable[..., Any]
TWO_PAGES = pdf(text("1 Boats", y=200), text("2 Nets", y=150))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "harbour.pdf"
    path.write_bytes(TWO_PAGES)
    return path


@pytest.fixture
def outline(tmp_path: Path) -> Path:
    path = tmp_path / "outline.tsv"
    path.write_text("1\t1\tBoats\n3\t2\tNets\n", encoding="utf-8")
    return path


def entries(path: Path) -> list[tuple[int, str, int | None]]:
    return [(entry.level, entry.title, entry.page) for entry in read_pdf(path, jobs=0).outline]


def test_an_outline_becomes_bookmarks_at_the_titles(
    held: Held, file: Path, outline: Path, tmp_path: Path
) -> None:
    result = held("bookmark", file, outline, "-o", tmp_path / "out.pdf")
    assert (result.code, result.out, result.err) == (0, "", "")
    assert entries(tmp_path / "out.pdf") == [(1, "Boats", 1), (2, "Nets", 2)]
    tops = [entry.y for entry in read_pdf(tmp_path / "out.pdf", jobs=0).outline]
    assert tops == [pytest.approx(92, abs=3), pytest.approx(142, abs=3)]


def test_an_outline_can_come_from_a_pipe(
    held: Held, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(b"1\t2\tNets\n")))
    assert held("bookmark", file, "-", "-o", tmp_path / "out.pdf").code == 0
    assert entries(tmp_path / "out.pdf") == [(1, "Nets", 2)]


def test_a_file_can_be_written_over_and_its_bookmarks_kept(held: Held, file: Path, outline: Path) -> None:
    held("bookmark", file, outline, "-o", file)
    held("bookmark", file, outline, "-o", file, "--keep")
    assert [level for level, _, _ in entries(file)] == [1, 2, 1, 2, 3]


def test_titles_that_are_not_on_their_pages_are_told_by_line(held: Held, file: Path, outline: Path) -> None:
    outline.write_text("# by hand\n1\t1\tBoats\n1\t1\tNets\n", encoding="utf-8")
    result = held("bookmark", file, outline, "-o", file)
    assert result.code == 0
    assert "titles not found on their pages: 1 (line 3)" in result.err


def test_a_page_that_is_not_there_is_told_by_line(held: Held, file: Path, outline: Path) -> None:
    outline.write_text("1\t1\tBoats\n1\t9\tNets\n", encoding="utf-8")
    result = held("bookmark", file, outline, "-o", file)
    assert result.code == 1
    assert "outline.tsv: line 2: there is no page 9 (harbour.pdf has pages 1-2" in result.err
    assert file.read_bytes() == TWO_PAGES


def test_an_outline_that_is_not_there_is_told(held: Held, file: Path, tmp_path: Path) -> None:
    result = held("bookmark", file, tmp_path / "absent.tsv", "-o", file)
    assert (result.code, "absent.tsv: cannot be read" in result.err) == (1, True)


def test_a_password_opens_an_encrypted_file(held: Held, file: Path, outline: Path, tmp_path: Path) -> None:
    file.write_bytes(encrypted(TWO_PAGES, user="user", owner="owner"))
    assert "give its password" in held("bookmark", file, outline, "-o", tmp_path / "out.pdf").err
    result = held("bookmark", file, outline, "-o", tmp_path / "out.pdf", "--password", "owner")
    assert (result.code, result.err) == (0, "")
    assert len(read_pdf(tmp_path / "out.pdf", password="user", jobs=0).outline) == 2


def test_a_signed_file_is_cautioned_of(held: Held, file: Path, outline: Path) -> None:
    file.write_bytes(pdf(text("Boats"), text("Nets"), catalog="/AcroForm << /Fields [] /SigFlags 1 >>"))
    assert "signature is no longer valid" in held("bookmark", file, outline, "-o", file).err
