import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from held.document import Box, Document, Kind, PageContent, PageRegion, PageSize, PhysicalObject, Run, Style
from held.errors import DamagedPdfError
from held.exports.draw import colour_of, draw_objects
from held.exports.draw_background import blank_page, limit_scale, render_page, sketch_page

FRAME = Box(20.0, 20.0, 80.0, 40.0)


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour))


def drawn(kind: Kind, *, furniture: bool = False) -> Image.Image:
    item = PhysicalObject(kind, "a", (PageRegion(1, FRAME),))
    objects, others = ((), (item,)) if furniture else ((item,), ())
    document = Document("", (PageSize(100, 100),), objects, others)
    return draw_objects(document, 1, blank_page(100, 100, 1.0), scale=1.0)


def colours(picture: Image.Image) -> set[tuple[int, ...]]:
    return {colour for _, colour in picture.getcolors(100_000)}  # type: ignore[union-attr,misc]


def ink(page: PageContent, box: Box, style: Style | None = None) -> int:
    """How many pixels are not white within a box of the page's sketch."""
    region = sketch_page(page, (style or Style(),), 1.0).crop(box).convert("L")
    return int(np.count_nonzero(np.asarray(region) < 250))


@pytest.mark.parametrize("kind", [Kind.PARAGRAPH, Kind.TABLE, Kind.FIGURE])
def test_an_object_is_framed_in_the_colour_of_its_kind(kind: Kind) -> None:
    assert drawn(kind).getpixel((70, 18)) == rgb(colour_of(kind))


def test_furniture_is_framed_in_grey() -> None:
    assert drawn(Kind.HEADER, furniture=True).getpixel((70, 18)) == rgb("757575")


def test_every_kind_of_object_has_its_own_colour() -> None:
    kinds = list(Kind)[:9]
    assert len({colour_of(kind) for kind in kinds}) == len(kinds)


def test_an_object_on_another_page_is_not_drawn() -> None:
    item = PhysicalObject(Kind.TABLE, "a", (PageRegion(2, FRAME),))
    picture = draw_objects(Document("", (), (item,)), 1, blank_page(100, 100, 1.0), scale=1.0)
    assert rgb(colour_of(Kind.TABLE)) not in colours(picture)


def test_a_box_that_is_inside_out_is_still_drawn() -> None:
    item = PhysicalObject(Kind.TABLE, "a", (PageRegion(1, Box(80.0, 40.0, 20.0, 20.0)),))
    picture = draw_objects(Document("", (), (item,)), 1, blank_page(100, 100, 1.0), scale=1.0)
    assert picture.getpixel((70, 18)) == rgb(colour_of(Kind.TABLE))


@pytest.mark.parametrize("text", ["Harbour", "港口", "g", "."])
def test_a_run_is_written_into_its_box(text: str) -> None:
    page = PageContent(100, 100, runs=(Run(*FRAME, 0, text),))
    assert ink(page, FRAME) > 20
    assert ink(page, Box(0, 50, 100, 100)) == 0


@pytest.mark.parametrize("text", ["", " ", "\ud83d", "\x00"])
def test_a_run_without_ink_does_no_harm(text: str) -> None:
    sketch_page(PageContent(100, 100, runs=(Run(*FRAME, 0, text),)), (Style(),), 1.0)


def test_white_text_stays_visible_on_the_sketch() -> None:
    page = PageContent(100, 100, runs=(Run(*FRAME, 0, "Harbour"),))
    assert ink(page, FRAME, Style(colour="ffffff")) > 20


def test_text_that_stands_on_end_is_turned() -> None:
    tall = Box(40.0, 10.0, 50.0, 90.0)
    page = PageContent(100, 100, runs=(Run(*tall, 0, "Harbours"),))
    assert ink(page, Box(40, 10, 50, 40), Style(upright=False)) > 20


def test_a_slanted_watermark_does_not_bury_the_page() -> None:
    page = PageContent(100, 100, runs=(Run(0, 0, 100, 100, 0, "DRAFT"),))
    assert 0 < ink(page, Box(0, 0, 100, 100), Style(size=10.0, upright=False)) < 1500


def test_rules_and_images_are_drawn() -> None:
    assert ink(PageContent(100, 100, rules=(Box(20, 30, 80, 31),)), FRAME) > 50
    assert ink(PageContent(100, 100, images=(FRAME,)), FRAME) > 500


def test_a_huge_page_is_drawn_smaller() -> None:
    assert limit_scale(600, 800, 1.5) == 1.5
    assert 200_000 * limit_scale(200_000, 100, 1.5) == pytest.approx(4000)


def test_a_page_of_a_pdf_is_rendered(tmp_path: Path) -> None:
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(tmp_path / "a.pdf"), pagesize=(200, 100))
    canvas.rect(50, 0, 100, 100, fill=1)
    canvas.save()
    picture = render_page(tmp_path / "a.pdf", 1, 2.0)
    assert (picture.size, picture.getpixel((200, 100)), picture.getpixel((10, 10))) == (
        (400, 200),
        (0, 0, 0),
        (255, 255, 255),
    )


def test_a_pdf_that_cannot_be_drawn_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.pdf").write_bytes(io.BytesIO(b"%PDF-1.7 rubbish").getvalue())
    with pytest.raises(DamagedPdfError, match=r"bad\.pdf, page 1: cannot be drawn"):
        render_page(tmp_path / "bad.pdf", 1, 1.0)
