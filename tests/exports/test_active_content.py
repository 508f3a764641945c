"""What acts by itself is gone from a PDF, wherever it was hidden; what leads to other places stays."""

from io import BytesIO
from pathlib import Path

import pikepdf
import pytest

from held.errors import EncryptedPdfError
from held.exports.bookmarks import Bookmark, add_bookmarks, write_bookmarks
from tests.layout.make_pdfs import pdf, text

SCRIPT = "<< /S /JavaScript /JS (app.alert\\(1\\)) >>"
LAUNCH = "<< /S /Launch /F (calc.exe) >>"
FILE = "<< /Type /Filespec /F (a.exe) /EF << /F 8 0 R >> >>"
NO_CHANGES = pikepdf.Permissions(modify_other=False, modify_assembly=True)  # but bookmarks
ATTACHED = {8: "<< /Type /EmbeddedFile /Length 0 >>\nstream\n\nendstream"}


def strip(content: bytes, path: Path) -> tuple[pikepdf.Pdf, list[str]]:
    """The file without active content, and what was said about it."""
    path.write_bytes(content)
    written, notes = write_bookmarks(path, [Bookmark(1, 1, "One")], strip_active=True)
    return pikepdf.open(BytesIO(written)), [note.message for note in notes]


def all_bytes(file: pikepdf.Pdf) -> bytes:
    """The file with all its objects readable."""
    out = BytesIO()
    file.save(out, qdf=True, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    return out.getvalue()


@pytest.mark.parametrize(
    ("catalog", "objects"),
    [
        (f"/OpenAction {SCRIPT}", {}),
        ("/OpenAction 5 0 R", {5: SCRIPT}),
        (f"/OpenAction << /S /GoTo /D [3 0 R /Fit] /Next {SCRIPT} >>", {}),
        (f"/OpenAction << /S /GoTo /D [3 0 R /Fit] /Next [{LAUNCH} {SCRIPT}] >>", {}),
        (f"/AA << /WC {SCRIPT} >>", {}),
        (f"/Names << /JavaScript << /Names [(a) {SCRIPT}] >> >>", {}),
        (f"/AcroForm << /Fields [<< /T (t) /AA << /K {SCRIPT} >> /A {LAUNCH} >>] >>", {}),
        ("/AcroForm << /Fields [] /XFA (<script>app.alert\\(1\\)</script>) >>", {}),
        (f"/Names << /EmbeddedFiles << /Names [(a) {FILE}] >> >>", ATTACHED),
        (f"/AF [{FILE}]", ATTACHED),
        ("/OpenAction 5 0 R", {5: f"{LAUNCH[:-2]} /Length 0 >>\nstream\n\nendstream"}),
        (f"/PresSteps << /Type /NavNode /NA {LAUNCH} /PA {LAUNCH} >>", {}),
        ("/URI << /Base (javascript:app.alert) >>", {}),
        (f"/Strange [[<< /A {LAUNCH} >>] {FILE}]", ATTACHED),
    ],
)
def test_nothing_active_is_left_of_a_catalog(catalog: str, objects: dict[int, str], tmp_path: Path) -> None:
    file, notes = strip(pdf(text("One"), catalog=catalog, objects=objects), tmp_path / "a.pdf")
    content = all_bytes(file)
    for trace in (b"app.alert", b"calc.exe", b"EmbeddedFile", b"/Launch", b"/JavaScript"):
        assert trace not in content
    assert notes[0].startswith("removed active content: ")


def with_annotation(annotation: str) -> bytes:
    content = pdf(text("One"), objects={5: annotation, **ATTACHED})
    with pikepdf.open(BytesIO(content)) as file:
        found = next(
            item for item in file.objects if isinstance(item, pikepdf.Dictionary) and "/Rect" in item
        )
        file.pages[0].Annots = pikepdf.Array([found])
        out = BytesIO()
        file.save(out)
    return out.getvalue()


@pytest.mark.parametrize("kind", ["FileAttachment", "RichMedia", "Movie", "Sound", "Screen", "3D"])
def test_annotations_that_play_or_open_something_are_removed(kind: str, tmp_path: Path) -> None:
    content = with_annotation(f"<< /Subtype /{kind} /Rect [0 0 9 9] /FS {FILE} >>")
    file, _ = strip(content, tmp_path / "a.pdf")
    assert len(file.pages[0].Annots) == 0
    assert b"EmbeddedFile" not in all_bytes(file)


@pytest.mark.parametrize(
    ("address", "stays"),
    [
        ("https://harbour.example/", True),
        ("mailto:office@harbour.example", True),
        ("chapter-2.html", True),
        ("javascript:alert(1)", False),
        ("FILE:///etc/passwd", False),
        ("http://[", False),
        ("//server/share/a.exe", False),
        (r"\\\\server\\share\\a.exe", False),
    ],
)
def test_links_to_the_web_stay_and_links_to_files_and_scripts_do_not(
    address: str, stays: bool, tmp_path: Path
) -> None:
    written = address.replace("(", "\\(").replace(")", "\\)")
    link = f"<< /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI ({written}) >> >>"
    file, _ = strip(with_annotation(link), tmp_path / "a.pdf")
    assert ("/A" in file.pages[0].Annots[0]) is stays


def test_destinations_and_structure_attributes_stay(tmp_path: Path) -> None:
    catalog = "/OpenAction [3 0 R /Fit] /StructTreeRoot << /K << /S /P /A << /O /Layout >> >> >>"
    file, notes = strip(pdf(text("One"), catalog=catalog), tmp_path / "a.pdf")
    assert "/OpenAction" in file.Root
    assert "/A" in file.Root.StructTreeRoot.K
    assert notes == []


def test_without_the_option_everything_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf(text("One"), catalog=f"/OpenAction {SCRIPT}"))
    content, _ = add_bookmarks(path, [])
    assert "/OpenAction" in pikepdf.open(BytesIO(content)).Root


def test_what_the_owner_forbids_to_change_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    locked = pikepdf.Encryption(owner="o", user="", allow=NO_CHANGES)
    with pikepdf.open(BytesIO(pdf(text("One"), catalog=f"/OpenAction {SCRIPT}"))) as file:
        file.save(path, encryption=locked)
    with pytest.raises(EncryptedPdfError, match="does not allow active content to be removed"):
        write_bookmarks(path, [], strip_active=True)
    content, _ = write_bookmarks(path, [], strip_active=True, password="o")
    assert "/OpenAction" not in pikepdf.open(BytesIO(content), password="o").Root
