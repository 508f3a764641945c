"""What is wrong with a file is said in one line, or in a note when it can be read all the same."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from held.document import Note
from held.errors import (
    DamagedPdfError,
    EncryptedPdfError,
    HeldError,
    InputError,
    NoPagesError,
    NotAPdfError,
    NoTextError,
    UsageError,
)
from held.reading.read_pdf import read_pdf
from held.reading.text_checks import format_pages, require_text
from held.system import bounded_json
from tests.layout.make_pdfs import MEDIA, assemble, encrypted, font, pdf, stream, text
from tests.operations import operations

HELLO = pdf(text("Hello"))
SCAN = "q 200 0 0 300 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q"


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_pdf(tmp_path / "none.pdf")


def test_a_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="folder"):
        read_pdf(tmp_path)


@pytest.mark.parametrize("jobs", [0, 1])
@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", NotAPdfError),
        (b"just text", NotAPdfError),
        (b"PK\x03\x04" + bytes(5000), NotAPdfError),
        (b"%PDF-1.7\nnothing", DamagedPdfError),
        (HELLO[:200], DamagedPdfError),
        (pdf(), NoPagesError),
    ],
)
def test_a_file_without_pages_to_read_is_an_error(content: bytes, error: type[HeldError], jobs: int) -> None:
    with pytest.raises(error) as caught:
        read_pdf(content, jobs=jobs)
    assert "\n" not in str(caught.value)


def test_a_file_cut_near_its_end_is_read_as_far_as_it_goes() -> None:
    assert read_pdf(HELLO[: HELLO.index(b"startxref")]).pages[0].runs[0].text == "Hello"


def test_an_encrypted_file_asks_for_its_password() -> None:
    with pytest.raises(EncryptedPdfError, match="give its password"):
        read_pdf(encrypted(HELLO, user="secret"))


def test_a_wrong_password_is_called_wrong() -> None:
    with pytest.raises(EncryptedPdfError, match="wrong"):
        read_pdf(encrypted(HELLO, user="secret"), password="guess")


@pytest.mark.parametrize("password", ["secret", "geheimnis-密码"])
def test_the_right_password_opens(password: str) -> None:
    assert read_pdf(encrypted(HELLO, user=password), password=password).pages[0].runs[0].text == "Hello"


@pytest.mark.parametrize("jobs", [0, 1])
def test_an_empty_file_is_named(tmp_path: Path, jobs: int) -> None:
    (tmp_path / "empty.pdf").touch()
    with pytest.raises(NotAPdfError, match=r"empty\.pdf: is empty"):
        read_pdf(tmp_path / "empty.pdf", jobs=jobs)


@pytest.mark.parametrize("jobs", [0, 1])
def test_a_file_that_pdfium_cannot_open_is_read_once_more_for_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    path = tmp_path / "locked.pdf"
    path.write_bytes(b"no PDF")

    def refuse(*arguments: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(bounded_json, "open", refuse, raising=False)
    with pytest.raises(InputError, match=r"locked\.pdf: cannot be read: Permission denied"):
        read_pdf(path, jobs=jobs)


def test_an_empty_user_password_just_opens() -> None:
    assert read_pdf(encrypted(HELLO, user="")).pages[0].runs[0].text == "Hello"


@pytest.mark.parametrize("pages", [[], [0], [2], [1, 3], [1, 1]])
def test_pages_that_do_not_exist_are_an_error(pages: list[int]) -> None:
    with pytest.raises(UsageError):
        read_pdf(HELLO, pages=pages, jobs=0)


def test_fewer_processes_than_none_are_an_error() -> None:
    with pytest.raises(UsageError, match="jobs cannot be -1"):
        read_pdf(HELLO, jobs=-1)


def test_scanned_pages_are_named() -> None:
    pages = read_pdf(pdf(text("Hello"), SCAN, SCAN, SCAN, text("x"), SCAN), jobs=0)
    assert pages.notes == (Note(None, "pages 2-4, 6: no text, only images"),)
    assert require_text(pages) is pages


def test_a_scan_has_no_text_to_work_on() -> None:
    with pytest.raises(NoTextError, match="none of its 2 pages has text"):
        require_text(read_pdf(pdf(SCAN, SCAN), jobs=0))


CURVE = "{0} {1} m {0} 166 {2} 166 {2} {1} c f"  # a small arch, as "n" is one
LETTERS = "\n".join(CURVE.format(x, 160, x + 5) for x in range(10, 190, 4))


@pytest.mark.parametrize("jobs", [0, 1])
def test_pages_of_letters_drawn_as_curves_are_named(jobs: int) -> None:
    pages = read_pdf(pdf(text("Hello"), LETTERS), jobs=jobs)
    (note,) = pages.notes
    assert note.page == 2
    assert "only drawings" in note.message


def test_a_blank_page_is_not_worth_a_note() -> None:
    assert not read_pdf(pdf(text("Hello"), ""), jobs=0).notes


def test_a_file_of_drawn_letters_is_called_no_scan() -> None:
    with pytest.raises(NoTextError, match="drawn as curves"):
        require_text(read_pdf(pdf(LETTERS), jobs=0))


def test_fonts_without_a_unicode_map_are_noted() -> None:
    private = stream(
        "begincmap 1 begincodespacerange <00> <FF> endcodespacerange "
        "1 beginbfrange <20> <7e> <e020> endbfrange endcmap"
    )
    fonts = {"F1": font("Helvetica", "/ToUnicode 500 0 R"), "F2": font("Helvetica")}
    contents = text("no one knows what this says"), text("but this is known", name="F2")
    (note,) = read_pdf(pdf(*contents, fonts=fonts, objects={500: private}), jobs=0).notes
    assert note.page == 1
    assert "does not say which characters" in note.message


def crowded(count: int) -> bytes:
    """A page of so many words and so many boxes."""
    words = "".join(text("word", x=n % 7 * 28, y=n % 290, size=4) for n in range(count))
    boxes = "".join(f"{n % 190} {n % 290} 9 9 re f " for n in range(count))
    return pdf(words + boxes)


def test_twenty_thousand_objects_on_a_page_are_read() -> None:
    page = read_pdf(crowded(10_000), jobs=0).pages[0]
    assert sum(len(run.text.split()) for run in page.runs) > 1000


def test_four_times_the_objects_on_a_page_are_some_four_times_the_work() -> None:
    def work(count: int) -> int:
        content = crowded(count)
        return operations(lambda: read_pdf(content, jobs=0))

    assert work(2000) < 5 * work(500)


def test_a_page_tree_with_a_cycle_ends() -> None:
    bodies = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 9 >>",
        3: f"<< /Type /Page /Parent 2 0 R {MEDIA} >>".encode(),
    }
    pages = read_pdf(assemble(bodies))
    assert len(pages.pages) <= 9


def test_a_page_that_does_not_exist_in_the_tree_is_noted() -> None:
    bodies = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [3 0 R 77 0 R] /Count 2 >>",
        3: f"<< /Type /Page /Parent 2 0 R {MEDIA} >>".encode(),
    }
    pages = read_pdf(assemble(bodies))
    assert [note.message for note in pages.notes] == ["page 2: cannot be loaded; left empty"]


def test_a_file_that_claims_billions_of_pages_has_those_that_it_has() -> None:
    assert len(read_pdf(pdf(text("x")).replace(b"/Count 1 ", b"/Count 2000000000 ")).pages) == 1


@pytest.mark.parametrize(
    ("numbers", "listed"), [([4], "page 4"), ([1, 3, 4, 5], "pages 1, 3-5"), ([2, 1], "pages 1-2")]
)
def test_page_numbers_are_listed_in_short(numbers: list[int], listed: str) -> None:
    assert format_pages(numbers) == listed
