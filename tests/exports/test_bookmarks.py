"""Bookmarks as they are read back, by our reader and by PDFium itself."""

import ctypes
from collections.abc import Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from held.errors import DamagedPdfError, EncryptedPdfError, InputError, NotAPdfError, UsageError
from held.exports.bookmarks import KEPT_TITLE, Bookmark, bookmarks_of, write_bookmarks
from held.hierarchy.pipeline import build_tree
from held.layout.rotated_text import apply_rotation
from held.reading.read_pdf import read_pdf
from tests.layout.make_pdfs import MEDIA, encrypted, pdf, text

SAMPLES = Path(__file__).parents[2] / "samples"
THREE = pdf(text("One"), text("Two"), text("Three"))
OLD = {
    5: "<< /Type /Outlines /First 6 0 R /Last 7 0 R /Count 2 >>",
    6: "<< /Title (Old one) /Parent 5 0 R /Next 7 0 R /Dest [10 0 R /Fit] >>",
    7: "<< /Title (Old two) /Parent 5 0 R /Prev 6 0 R /Dest [20 0 R /Fit] /Next 6 0 R >>",  # a circle
}
WITH_OLD = pdf(text("One"), text("Two"), catalog="/Outlines 5 0 R", objects=OLD)
TITLES = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Cf", "Cn", "Zl", "Zp"]), min_size=1, max_size=30
)
ENTRIES = st.lists(
    st.builds(Bookmark, st.integers(1, 9), st.integers(1, 3), TITLES, st.none() | st.floats(0, 300)),
    max_size=12,
)
# All examples may share the one file; and what is slow is the machine's affair, here as elsewhere.
SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "harbour.pdf"
    path.write_bytes(THREE)
    return path


def add(pdf: Path, entries: Sequence[Bookmark], *, password: str | None = None, keep: bool = False) -> bytes:
    content, _ = write_bookmarks(pdf, entries, password=password, keep=keep)
    return content


def warnings(pdf: Path) -> list[str]:
    _, notes = write_bookmarks(pdf, [])
    return [note.message for note in notes]


def read_back(content: bytes) -> list[tuple[int, str, int | None]]:
    return [(entry.level, entry.title, entry.page) for entry in read_pdf(content, jobs=0).outline]


def depths(levels: Sequence[int]) -> list[int]:
    """How deep entries hang where each is below the nearest one before it with a lower level."""
    branch: list[int] = []
    found = []
    for level in levels:
        branch = [above for above in branch if above < level] + [level]
        found.append(len(branch))
    return found


@settings(max_examples=50, suppress_health_check=SHARED)
@given(ENTRIES)
def test_what_is_written_is_read_back(file: Path, entries: list[Bookmark]) -> None:
    outline = read_pdf(add(file, entries), jobs=0).outline
    expected = [
        (depth, " ".join(entry.title.split()), entry.page, pytest.approx(entry.y or 0, abs=0.11))
        for depth, entry in zip(depths([entry.level for entry in entries]), entries, strict=True)
    ]
    assert [(entry.level, entry.title, entry.page, entry.y) for entry in outline] == expected


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("boxes", [MEDIA, "/MediaBox [0 0 200 300] /CropBox [15 25 190 280]"])
def test_a_bookmark_leads_to_the_top_of_its_heading(tmp_path: Path, rotation: int, boxes: str) -> None:
    path = tmp_path / "turned.pdf"
    path.write_bytes(pdf(text("Boats", x=60, y=120), page=f"{boxes} /Rotate {rotation}"))
    top = apply_rotation(read_pdf(path, jobs=0)).pages[0].runs[0].y0
    content = add(path, [Bookmark(1, 1, "Boats", top)])
    assert viewed(content) == (pytest.approx(0, abs=0.2), pytest.approx(top, abs=0.2))
    assert read_pdf(content, jobs=0).outline[0].y == pytest.approx(top, abs=0.2)


def viewed(content: bytes) -> tuple[float, float]:
    """The point that the first bookmark leads to, from the top left of the page as PDFium draws it."""
    with pikepdf.open(BytesIO(content)) as opened:
        x, y = (float(number) for number in list(opened.Root.Outlines.First.Dest)[2:4])
    with pypdfium2.PdfDocument(content) as document:
        page = document[0]
        width, height = (round(10 * side) for side in page.get_size())
        found = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, *map(ctypes.byref, found))
    return found[0].value / 10, found[1].value / 10


def test_a_page_box_may_be_inherited_from_the_page_tree(tmp_path: Path) -> None:
    path = tmp_path / "inherited.pdf"
    path.write_bytes(pdf(text("Boats"), page="", pages="/MediaBox [0 0 100 400] /Rotate 90"))
    assert viewed(add(path, [Bookmark(1, 1, "Boats", 30.0)])) == (0, pytest.approx(30, abs=0.2))


def test_a_page_without_a_box_is_a_letter(tmp_path: Path) -> None:
    path = tmp_path / "boxless.pdf"
    path.write_bytes(pdf(text("Boats"), page="/MediaBox [0 0 0 0]"))
    assert viewed(add(path, [Bookmark(1, 1, "Boats", 30.0)])) == (0, pytest.approx(30, abs=0.2))


def test_the_sample_keeps_all_but_its_outline() -> None:
    sample = SAMPLES / "report-en.pdf"
    content = add(sample, [Bookmark(1, 3, "港口")])
    with pikepdf.open(sample) as before, pikepdf.open(BytesIO(content)) as after:
        assert [page.Contents.read_bytes() for page in before.pages] == [
            page.Contents.read_bytes() for page in after.pages
        ]
        assert [page.label for page in before.pages] == [page.label for page in after.pages]
        assert dict(before.docinfo) == dict(after.docinfo)
        assert set(after.Root.keys()) == set(before.Root.keys()) | {"/PageMode", "/Outlines"}


def test_the_tree_of_the_sample_is_read_back_from_its_bookmarks() -> None:
    sample = SAMPLES / "report-zh.pdf"
    hierarchy = build_tree(read_pdf(sample, jobs=0))
    entries = bookmarks_of(hierarchy)
    assert read_back(add(sample, entries)) == [(entry.level, entry.title, entry.page) for entry in entries]


def test_attachments_stay(tmp_path: Path, file: Path) -> None:
    with pikepdf.open(file) as opened:
        opened.attachments["boats.csv"] = b"Anna;1912"
        opened.save(tmp_path / "attached.pdf")
    content = add(tmp_path / "attached.pdf", [Bookmark(1, 1, "Boats")])
    with pikepdf.open(BytesIO(content)) as opened:
        assert opened.attachments["boats.csv"].get_file().read_bytes() == b"Anna;1912"


def test_the_same_input_gives_the_same_bytes(file: Path) -> None:
    assert add(file, [Bookmark(1, 1, "A")]) == add(file, [Bookmark(1, 1, "A")])


def test_a_viewer_opens_the_file_with_the_outline_shown(file: Path) -> None:
    with pikepdf.open(BytesIO(add(file, [Bookmark(1, 1, "A")]))) as opened:
        assert opened.Root.PageMode == "/UseOutlines"


def test_a_short_outline_is_shown_unfolded_and_a_long_one_by_its_top_level(file: Path) -> None:
    few = [Bookmark(1, 1, "A"), Bookmark(2, 1, "B"), Bookmark(3, 1, "C")]
    for entries, count in ((few, 3), ([Bookmark(1, 1, "A"), *[Bookmark(2, 1, "B")] * 50], 1)):
        with pikepdf.open(BytesIO(add(file, entries))) as opened:
            assert int(opened.Root.Outlines.Count) == count


def test_a_doubtful_bookmark_is_italic(file: Path) -> None:
    with pikepdf.open(BytesIO(add(file, [Bookmark(1, 1, "A", doubtful=True)]))) as opened:
        assert int(opened.Root.Outlines.First.F) == 1


def test_half_a_character_and_control_characters_do_no_harm(file: Path) -> None:
    assert read_back(add(file, [Bookmark(1, 1, "A\x00\x1b\ud800\tB")])) == [(1, "A ? B", 1)]


@pytest.mark.parametrize("entries", [[], [Bookmark(1, 1, "New")]])
def test_bookmarks_of_the_file_go(tmp_path: Path, entries: list[Bookmark]) -> None:
    (tmp_path / "old.pdf").write_bytes(WITH_OLD)
    assert read_back(add(tmp_path / "old.pdf", entries)) == [(1, "New", 1)] * len(entries)


def test_bookmarks_of_the_file_are_kept_folded_below(tmp_path: Path) -> None:
    (tmp_path / "old.pdf").write_bytes(WITH_OLD)
    content = add(tmp_path / "old.pdf", [Bookmark(1, 2, "New")], keep=True)
    kept = [(1, "New", 2), (1, KEPT_TITLE, 1), (2, "Old one", 1), (2, "Old two", 2)]
    assert read_back(content) == kept
    with pikepdf.open(BytesIO(content)) as opened:
        assert int(opened.Root.Outlines.Last.Count) == -2


def test_keeping_the_bookmarks_of_a_file_without_any_changes_nothing(file: Path) -> None:
    assert add(file, [Bookmark(1, 2, "New")], keep=True) == add(file, [Bookmark(1, 2, "New")])


def test_a_linearised_file_stays_so(tmp_path: Path, file: Path) -> None:
    with pikepdf.open(file) as opened:
        opened.save(tmp_path / "linear.pdf", linearize=True)
    with pikepdf.open(BytesIO(add(tmp_path / "linear.pdf", [Bookmark(1, 2, "New")]))) as opened:
        assert opened.is_linearized


def locked(source: Path, target: Path, **allowed: bool) -> Path:
    """The file encrypted by its owner, open to read for all."""
    encryption = pikepdf.Encryption(user="", owner="owner", allow=pikepdf.Permissions(**allowed))
    with pikepdf.open(source) as opened:
        opened.save(target, encryption=encryption)
    return target


def test_an_encrypted_file_stays_encrypted(tmp_path: Path, file: Path) -> None:
    path = locked(file, tmp_path / "locked.pdf", modify_assembly=True)
    content = add(path, [Bookmark(1, 2, "Boats 港")])
    with pikepdf.open(BytesIO(content), password="owner") as opened:
        assert opened.is_encrypted
        assert opened.owner_password_matched
    assert read_back(content) == [(1, "Boats 港", 2)]


def test_an_encrypted_file_needs_its_password(tmp_path: Path) -> None:
    path = tmp_path / "secret.pdf"
    path.write_bytes(encrypted(THREE, user="user"))
    with pytest.raises(EncryptedPdfError, match="give its password"):
        add(path, [])
    with pytest.raises(EncryptedPdfError, match="is wrong"):
        add(path, [], password="guess")


def test_an_owner_may_forbid_bookmarks(tmp_path: Path, file: Path) -> None:
    path = locked(file, tmp_path / "locked.pdf", modify_assembly=False)
    with pytest.raises(EncryptedPdfError, match="does not allow"):
        add(path, [Bookmark(1, 1, "A")])
    assert add(path, [Bookmark(1, 1, "A")], password="owner")


def test_a_signed_file_is_written_with_a_warning(tmp_path: Path, file: Path) -> None:
    signed = tmp_path / "signed.pdf"
    signed.write_bytes(pdf(text("One"), catalog="/AcroForm << /Fields [] /SigFlags 3 >>"))
    assert "signature" in warnings(signed)[0]
    assert read_back(add(signed, [Bookmark(1, 1, "A")])) == [(1, "A", 1)]
    assert warnings(file) == []


def test_a_page_that_is_not_there_is_refused(file: Path) -> None:
    with pytest.raises(UsageError, match=r"no page 4 \(pages 1-3 exist\)"):
        add(file, [Bookmark(1, 4, "A")])


@pytest.mark.parametrize(
    ("content", "error"),
    [(b"", NotAPdfError), (b"{}", NotAPdfError), (b"%PDF-1.7\n nothing", DamagedPdfError)],
)
def test_what_is_no_pdf_is_refused(tmp_path: Path, content: bytes, error: type[InputError]) -> None:
    (tmp_path / "x.pdf").write_bytes(content)
    with pytest.raises(error):
        add(tmp_path / "x.pdf", [])
    with pytest.raises(InputError, match="cannot be read"):
        add(tmp_path / "absent.pdf", [])


@settings(max_examples=60, suppress_health_check=SHARED)
@given(st.integers(0, len(WITH_OLD)), st.sampled_from([b"", b"null", b"(a)", b"[]", b"1.5", b"5 0 R", b"<<"]))
def test_a_damaged_file_is_repaired_or_refused(file: Path, place: int, damage: bytes) -> None:
    file.write_bytes(WITH_OLD[:place] + damage + WITH_OLD[place + 4 :])
    with suppress(InputError):
        assert (1, "A", 1) in read_back(add(file, [Bookmark(1, 1, "A")], keep=True))


@pytest.mark.parametrize("form", ["7", "[]", "<< /SigFlags (a) >>", "<< /SigFlags 3.0 >>"])
def test_a_broken_form_does_no_harm(file: Path, form: str) -> None:
    file.write_bytes(pdf(text("One"), catalog=f"/AcroForm {form}", page=f"{MEDIA} /Rotate 90.0"))
    assert len(warnings(file)) == ("3.0" in form)
    assert viewed(add(file, [Bookmark(1, 1, "A", 30.0)])) == (0, pytest.approx(30, abs=0.2))


def test_a_file_whose_cross_references_are_lost_is_written_anew(tmp_path: Path) -> None:
    (tmp_path / "cut.pdf").write_bytes(THREE[: THREE.index(b"xref")])
    assert read_back(add(tmp_path / "cut.pdf", [Bookmark(1, 3, "A")])) == [(1, "A", 3)]
