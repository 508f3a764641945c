import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf

from held.document import PageContent, Pages, Run, Style
from held.document_json import pages_to_json
from held.system.bounded_json import write_json

Held = Callable[..., Any]
SAMPLE = Path(__file__).parents[2] / "samples" / "report-en.pdf"


def test_pages_are_recognised_and_keep_their_numbers(held: Held, pages_file: Path) -> None:
    value = json.loads(held("objects", pages_file, "--pages", "2-3").out)
    assert {item["page"] for item in value["objects"]} <= {2, 3}
    assert value["first_page"] == 2


def test_only_the_pages_asked_for_are_drawn(held: Held, pages_file: Path, tmp_path: Path) -> None:
    held("draw", pages_file, "--pages", "2-3", "-o", tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["page-0002.png", "page-0003.png"]


def test_a_pdf_is_read_and_recognised(held: Held) -> None:
    value = json.loads(held("objects", SAMPLE, "--pages", "3-4").out)
    assert {item["page"] for item in value["objects"]} == {3, 4}
    assert value["first_page"] == 3


def test_an_open_range_of_a_pdf_goes_to_its_end(held: Held) -> None:
    whole = json.loads(held("objects", SAMPLE).out)
    last = len(whole["pages"])
    value = json.loads(held("objects", SAMPLE, "--pages", f"{last}-").out)
    assert (value["first_page"], len(value["pages"])) == (last, 1)


def test_a_page_of_a_pdf_that_is_not_there_is_a_usage_error(held: Held) -> None:
    result = held("objects", SAMPLE, "--pages", "900")
    assert result.code == 2
    assert "there is no page 900 (pages 1-" in result.err


def test_a_pdf_is_drawn(held: Held, tmp_path: Path) -> None:
    result = held("draw", SAMPLE, "--pages", "5", "-o", tmp_path)
    assert result.out == f"{tmp_path / 'page-0005.png'}\n"


def test_something_else_is_said_to_be_no_pdf(held: Held, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("hello")
    result = held("objects", tmp_path / "note.txt")
    assert (result.code, result.err) == (1, f"held: {tmp_path / 'note.txt'}: is not a PDF\n")


def test_an_encrypted_pdf_opens_with_its_password(held: Held, tmp_path: Path) -> None:
    locked = tmp_path / "locked.pdf"
    with pikepdf.open(SAMPLE) as pdf:
        pdf.save(locked, encryption=pikepdf.Encryption(owner="owner", user="harbour"))
    refused = held("objects", locked)
    assert (refused.code, refused.err.count("\n")) == (1, 1)
    assert held("draw", locked, "--pages", "5", "--password", "harbour", "-o", tmp_path).code == 0


def test_a_turned_page_is_recognised_as_a_viewer_shows_it(held: Held, tmp_path: Path) -> None:
    styles = (Style("Serif", 10.0, upright=False),)
    page = PageContent(595.0, 842.0, runs=(Run(100, 400, 110, 600, 0, "Ships come and go."),), rotation=90)
    write_json(tmp_path / "turned.json", pages_to_json(Pages("a.pdf", styles, (page,))))
    value = json.loads(held("objects", tmp_path / "turned.json").out)
    assert (value["pages"][0]["width"], value["pages"][0]["height"]) == (842.0, 595.0)
    assert value["objects"][0]["box"] == [242.0, 100.0, 442.0, 110.0]


def test_a_scan_is_refused_with_advice(held: Held, tmp_path: Path) -> None:
    scan = pikepdf.new()
    page = scan.add_blank_page()
    page.obj.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(I=_grey(scan)))
    page.obj.Contents = scan.make_stream(b"600 0 0 700 0 0 cm /I Do")
    scan.save(tmp_path / "scan.pdf")
    result = held("objects", tmp_path / "scan.pdf")
    assert result.code == 1
    assert "none of its 1 pages has text" in result.err


def _grey(pdf: pikepdf.Pdf) -> pikepdf.Stream:
    return pdf.make_stream(
        b"\x80",
        Type=pikepdf.Name.XObject,
        Subtype=pikepdf.Name.Image,
        Width=1,
        Height=1,
        ColorSpace=pikepdf.Name.DeviceGray,
        BitsPerComponent=8,
    )
