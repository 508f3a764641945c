"""Pages around their text: boxes, rotation, rules, images, fields, labels, outline."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest

from held.document import Box, Metadata, OutlineEntry, PageContent, Pages
from held.layout.rotated_text import apply_rotation
from held.reading.read_pdf import read_pdf
from tests.layout.make_pdfs import MEDIA, pdf, stream, text

SAMPLES = Path(__file__).parents[2] / "samples"

PIXEL = stream(
    "x", "/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray"
)


def page(content: str, **options: object) -> PageContent:
    return read_pdf(pdf(content, **options), jobs=0).pages[0]  # type: ignore[arg-type]


def test_a_page_box_is_inherited_from_the_page_tree() -> None:
    found = page(text("x"), page="", pages="/MediaBox [0 0 321 123]")
    assert (found.width, found.height) == (321.0, 123.0)


def test_a_page_measures_what_its_crop_box_shows() -> None:
    found = page(text("x"), page="/MediaBox [0 0 200 300] /CropBox [10 20 190 280]")
    assert (found.width, found.height) == (180.0, 260.0)


def test_a_crop_box_is_inherited_too() -> None:
    found = page(text("x", x=50), page=MEDIA, pages="/CropBox [10 20 190 280]")
    assert (found.width, found.runs[0].x0) == (180.0, 40.0)


@pytest.mark.parametrize(
    "box", ["[0 0 0 0]", "[200 300 0 0]", "[0 0 99999999 99999999]", "[/a /b /c /d]", "[1 2]", "(x)"]
)
def test_an_absurd_page_box_still_gives_a_page(box: str) -> None:
    found = page(text("x"), page=f"/MediaBox {box}")
    assert found.width > 0
    assert found.height > 0


def test_a_turned_page_keeps_its_stored_coordinates() -> None:
    straight, turned = page(text("x")), page(text("x"), page=f"{MEDIA} /Rotate 90")
    assert (turned.rotation, turned.width, turned.runs) == (90, straight.width, straight.runs)


@pytest.mark.parametrize(
    ("rotation", "box"),
    [(90, Box(250, 20, 270, 30)), (180, Box(170, 250, 180, 270)), (270, Box(30, 170, 50, 180))],
)
def test_a_turned_page_is_shown_as_viewers_show_it(rotation: int, box: Box) -> None:
    content = f"q 10 0 0 20 20 250 cm /X Do Q {text('x')}"
    options = {"resources": "/XObject << /X 500 0 R >>", "objects": {500: PIXEL}}
    pages = read_pdf(pdf(content, page=f"{MEDIA} /Rotate {rotation}", **options), jobs=0)  # type: ignore[arg-type]
    assert pages.pages[0].images == (Box(20, 30, 30, 50),)
    shown = apply_rotation(pages).pages[0]
    assert shown.images == (box,)
    assert shown.rotation == 0
    assert (shown.width, shown.height) == ((200, 300) if rotation == 180 else (300, 200))


def test_text_set_for_a_turned_page_is_upright_when_viewed() -> None:
    content = "BT /F1 10 Tf 0 1 -1 0 100 100 Tm (across) Tj ET"
    pages = apply_rotation(read_pdf(pdf(content, page=f"{MEDIA} /Rotate 90"), jobs=0))
    run = pages.pages[0].runs[0]
    assert pages.styles[run.style].upright
    assert run.x1 - run.x0 > run.y1 - run.y0


def test_pages_that_are_not_turned_are_viewed_as_they_are() -> None:
    pages = read_pdf(pdf(text("x")), jobs=0)
    assert apply_rotation(pages) is pages


def test_a_stroked_line_is_a_rule() -> None:
    (rule,) = page("1 w 20 250 m 120 250 l S").rules
    assert rule.y0 <= 50 <= rule.y1
    assert rule.width > 99


def test_a_thin_filled_rectangle_is_a_rule() -> None:
    assert page("20 250 100 0.5 re f").rules == (Box(20, 49.5, 120, 50),)


def test_pieces_of_one_line_are_joined() -> None:
    assert page("20 250 50 1 re f 71 250 50 1 re f").rules == (Box(20, 49, 121, 50),)
    assert page("20 20 1 50 re f 20 71 1 50 re f").rules == (Box(20, 179, 21, 280),)


def test_level_lines_come_before_upright_ones_and_boxes_last() -> None:
    drawn = page("20 20 60 60 re f 20 20 1 60 re f 20 20 60 1 re f")
    assert [(rule.width, rule.height) for rule in drawn.rules] == [(60, 1), (1, 60), (60, 60)]


def test_tiny_and_stout_paths_are_no_rules() -> None:
    assert page("20 20 5 1 re f 20 40 5 5 re f 20 60 60 5 re f").rules == ()


def test_paths_and_images_in_forms_lie_where_the_page_shows_them() -> None:
    form = stream(
        "0 0 50 1 re f q 10 0 0 10 0 20 cm /Y Do Q",
        "/Type /XObject /Subtype /Form /BBox [0 0 99 99] /Resources << /XObject << /Y 501 0 R >> >>",
    )
    options = {"resources": "/XObject << /X 500 0 R >>", "objects": {500: form, 501: PIXEL}}
    drawn = page("q 2 0 0 2 30 100 cm /X Do Q", **options)
    assert drawn.rules == (Box(30, 198, 130, 200),)
    assert drawn.images == (Box(30, 140, 50, 160),)


def test_a_form_that_draws_itself_ends() -> None:
    form = stream("0 0 50 1 re f /X Do", "/Type /XObject /Subtype /Form /BBox [0 0 99 99] /Resources 3 0 R")
    assert page("/X Do", resources="/XObject << /X 500 0 R >>", objects={500: form}).width == 200


def field(kind: str, rect: str = "[20 200 120 240]", extra: str = "") -> PageContent:
    annotation = f"<< /Type /Annot /Rect {rect} {kind} /DA (/Helv 9 Tf 1 0 0 rg) {extra} >>"
    form = "/AcroForm << /Fields [500 0 R] /DA (/Helv 0 Tf 0 g) /DR << /Font << /Helv 400 0 R >> >> >>"
    helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    return page(
        text("x"),
        page=f"{MEDIA} /Annots [500 0 R]",
        catalog=form,
        objects={500: annotation, 400: helvetica},
    )


def test_a_text_field_gives_its_value() -> None:
    (run,) = field("/Subtype /Widget /FT /Tx /T (name) /V (Jane Doe)").fields
    assert run[:4] == (20, 60, 120, 100)
    assert run.text == "Jane Doe"


def test_the_lines_of_a_field_share_its_box() -> None:
    found = field("/Subtype /Widget /FT /Tx /T (name) /V (one\\ntwo)").fields
    assert [(run.text, run.y0, run.y1) for run in found] == [("one", 60, 80), ("two", 80, 100)]


def test_a_free_text_annotation_gives_its_contents() -> None:
    assert [run.text for run in field("/Subtype /FreeText /Contents (see here)").fields] == ["see here"]


def test_a_field_has_the_style_of_its_appearance_string() -> None:
    annotation = "<< /Subtype /FreeText /Rect [0 0 9 9] /Contents (x) /DA (/Helv 9 Tf 1 0 0 rg) >>"
    pages = read_pdf(pdf("", page=f"{MEDIA} /Annots [500 0 R]", objects={500: annotation}), jobs=0)
    style = pages.styles[pages.pages[0].fields[0].style]
    assert (style.font, style.size, style.colour) == ("Helv", 9.0, "ff0000")


@pytest.mark.parametrize(
    "kind",
    ["/Subtype /Link", "/Subtype /Widget /FT /Btn /T (b) /V /Yes", "/Subtype /FreeText /Contents (x) /F 2"],
)
def test_links_buttons_and_hidden_annotations_give_nothing(kind: str) -> None:
    assert field(kind).fields == ()


def test_page_labels_are_read() -> None:
    labels = "/PageLabels << /Nums [0 << /S /r >> 2 << /S /D /St 1 >>] >>"
    pages = read_pdf(pdf("", "", "", catalog=labels), jobs=0)
    assert [found.label for found in pages.pages] == ["i", "ii", "1"]


def outlined(*items: str, names: str = "") -> Pages:
    """A file of two pages whose outline items are objects 500, 501, …, the first of them the root."""
    objects = {500 + n: f"<< {item} >>" for n, item in enumerate(items)}
    return read_pdf(
        pdf("", "", page="/MediaBox [0 0 200 300]", catalog=f"/Outlines 500 0 R {names}", objects=objects),
        jobs=0,
    )


def test_an_outline_gives_levels_pages_and_heights() -> None:
    pages = outlined(
        "/First 501 0 R",
        "/Title (One) /Dest [10 0 R /XYZ 0 280 0] /First 502 0 R /Next 503 0 R",
        "/Title (Inner) /A << /S /GoTo /D [20 0 R /FitH 250] >>",
        "/Title (Nowhere)",
    )
    assert pages.outline == (
        OutlineEntry(1, "One", 1, 20.0),
        OutlineEntry(2, "Inner", 2, 50.0),
        OutlineEntry(1, "Nowhere", None, None),
    )


@pytest.mark.parametrize(("rotation", "below"), [(0, 260), (90, 20), (180, 40), (270, 170)])
def test_a_bookmark_on_a_turned_page_says_how_far_below_its_top_it_leads(rotation: int, below: float) -> None:
    source = pdf(
        "",
        page=f"/MediaBox [10 0 200 300] /Rotate {rotation}",
        catalog="/Outlines 500 0 R",
        objects={500: "<< /First 501 0 R >>", 501: "<< /Title (T) /Dest [10 0 R /XYZ 30 40 0] >>"},
    )
    assert read_pdf(source, jobs=0).outline == (OutlineEntry(1, "T", 1, below),)


def test_a_bookmark_that_says_no_place_along_a_turned_page_has_none() -> None:
    source = pdf(
        "",
        page="/MediaBox [0 0 200 300] /Rotate 90",
        catalog="/Outlines 500 0 R",
        objects={500: "<< /First 501 0 R >>", 501: "<< /Title (T) /Dest [10 0 R /FitH 40] >>"},
    )
    assert read_pdf(source, jobs=0).outline == (OutlineEntry(1, "T", 1, None),)


def test_named_destinations_are_followed() -> None:
    names = "/Names << /Dests << /Names [(there) [20 0 R /XYZ 0 290 0]] >> >>"
    pages = outlined("/First 501 0 R", "/Title (T) /Dest (there)", names=names)
    assert pages.outline == (OutlineEntry(1, "T", 2, 10.0),)


def test_an_outline_that_bites_its_tail_ends() -> None:
    pages = outlined(
        "/First 501 0 R",
        "/Title (A) /Dest [10 0 R /Fit] /First 501 0 R /Next 502 0 R",
        "/Title (B) /Dest [10 0 R /Fit] /Next 501 0 R",
    )
    assert [entry.title for entry in pages.outline] == ["A", "B"]


def test_a_range_of_pages_keeps_its_numbers() -> None:
    source = pdf(text("one"), text("two"), text("three"))
    pages = read_pdf(source, pages=range(2, 4), jobs=0)
    assert pages.first_page == 2
    assert [found.runs[0].text for found in pages.pages] == ["two", "three"]


def test_the_metadata_of_a_file_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    with pikepdf.open(SAMPLES / "report-en.pdf") as file:
        file.docinfo["/Title"] = "Ice"
        file.docinfo["/Author"] = "Ada Holm; Ben Wick"
        file.docinfo["/CreationDate"] = "D:20250331120000Z"
        file.Root.Lang = pikepdf.String("en-GB")
        file.save(path)
    expected = Metadata("Ice", ("Ada Holm", "Ben Wick"), "en-GB", "2025-03-31")
    assert read_pdf(path, pages=[1]).metadata == read_pdf(path, pages=[1], jobs=0).metadata == expected
