"""Figures as PNG files, drawn by PDFium."""

import struct
import zlib
from pathlib import Path

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from held.document import Box, Document, Kind, PageRegion, PhysicalObject
from held.errors import DamagedPdfError, InputError
from held.exports import images
from held.exports.images import encode_png, relative_links, write_images
from tests.layout.make_pdfs import pdf

RED = "1 0 0 rg 20 200 60 40 re f\n"  # on a page of 200 x 300: from 60 to 100 below its top
RED_BOX = Box(20, 60, 80, 100)
GREY = "0.5 g 20 200 60 40 re f\n"


def figures(*places: tuple[int, Box], kind: Kind = Kind.FIGURE) -> Document:
    objects = tuple(PhysicalObject(kind, "", (PageRegion(page, box),)) for page, box in places)
    return Document("a.pdf", (), objects)


def decoded(path: Path) -> numpy.ndarray:
    from PIL import Image

    return numpy.asarray(Image.open(path))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf(RED, RED + "0 0 1 rg 100 100 50 50 re f", GREY))
    return path


def test_figures_are_named_by_page_and_place(file: Path, tmp_path: Path) -> None:
    document = figures((1, RED_BOX), (2, RED_BOX), (2, Box(100, 150, 150, 200)))
    names = write_images(file, document, tmp_path / "out")
    assert names == {0: "fig-p001-1.png", 1: "fig-p002-1.png", 2: "fig-p002-2.png"}
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(names.values())


def test_a_figure_is_drawn_with_a_margin_at_150_dpi(file: Path, tmp_path: Path) -> None:
    name = write_images(file, figures((1, RED_BOX)), tmp_path)[0]
    picture = decoded(tmp_path / name)
    height, width, _ = picture.shape
    assert abs(width - 64 * 150 / 72) <= 2
    assert abs(height - 44 * 150 / 72) <= 2
    assert tuple(picture[height // 2, width // 2]) == (255, 0, 0)
    assert tuple(picture[0, 0]) == (255, 255, 255)


def test_the_caption_on_the_foot_of_a_figure_is_not_drawn_with_it(tmp_path: Path) -> None:
    file = tmp_path / "a.pdf"
    file.write_bytes(pdf(RED + "0 0 1 rg 20 180 60 10 re f"))  # blue from 110 to 120 below the top
    figure, caption = (
        figures((1, Box(20, 60, 80, 125))),
        figures((1, Box(20, 110, 80, 120)), kind=Kind.CAPTION),
    )
    both = Document("a.pdf", (), figure.objects + caption.objects)
    picture = decoded(tmp_path / write_images(file, both, tmp_path)[0])
    assert (picture == (255, 0, 0)).all(axis=2).any()
    assert not (picture == (0, 0, 255)).all(axis=2).any()


def test_a_turned_page_is_drawn_as_it_is_viewed(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf(RED, page="/MediaBox [0 0 200 300] /Rotate 90"))
    name = write_images(tmp_path / "a.pdf", figures((1, Box(200, 20, 240, 80))), tmp_path)[0]
    height, width, _ = decoded(tmp_path / name).shape
    assert height > width
    assert tuple(decoded(tmp_path / name)[height // 2, width // 2]) == (255, 0, 0)


def test_the_parts_of_a_figure_stand_below_each_other(file: Path, tmp_path: Path) -> None:
    parts = (PageRegion(1, RED_BOX), PageRegion(2, Box(100, 150, 150, 200)))
    document = Document("a.pdf", (), (PhysicalObject(Kind.FIGURE, "", parts),))
    picture = decoded(tmp_path / write_images(file, document, tmp_path)[0])
    assert tuple(picture[40, 60]) == (255, 0, 0)
    assert tuple(picture[-40, 60]) == (0, 0, 255)


@pytest.mark.parametrize(
    "box", [Box(0, 0, 0, 0), Box(20, 60, 80, 61), Box(120, 20, 180, 40), Box(900, 900, 990, 990)]
)
def test_what_is_not_to_be_seen_is_left_out(file: Path, tmp_path: Path, box: Box) -> None:
    assert write_images(file, figures((1, box)), tmp_path / "out") == {}
    assert list((tmp_path / "out").iterdir()) == []


def test_only_figures_are_written(file: Path, tmp_path: Path) -> None:
    assert write_images(file, figures((1, RED_BOX), kind=Kind.TABLE), tmp_path) == {}


def test_a_huge_figure_is_drawn_smaller(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf(RED, page="/MediaBox [0 0 200 14000]"))
    name = write_images(tmp_path / "a.pdf", figures((1, Box(0, 0, 200, 14000))), tmp_path)[0]
    assert 2900 <= decoded(tmp_path / name).shape[0] <= 3001


def test_a_grey_figure_takes_one_byte_a_pixel(file: Path, tmp_path: Path) -> None:
    assert decoded(tmp_path / write_images(file, figures((3, RED_BOX)), tmp_path)[0]).ndim == 2


def test_the_same_figure_gives_the_same_bytes(file: Path, tmp_path: Path) -> None:
    names = [write_images(file, figures((2, RED_BOX)), tmp_path / folder)[0] for folder in "ab"]
    assert (tmp_path / "a" / names[0]).read_bytes() == (tmp_path / "b" / names[1]).read_bytes()


def test_a_figure_that_crashes_pdfium_is_left_out_and_the_rest_goes_on(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crash_on_page_2 = (
        "import os; from held.exports import images as worker\n"
        "render, serve = worker.render_figure, worker.serve_figures\n"
        "worker.render_figure = lambda pdf, areas: os.abort() if areas[0][0] == 2 else render(pdf, areas)"
    )
    (tmp_path / "crashing_worker.py").write_text(crash_on_page_2)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(images, "FIGURE_WORKER", "crashing_worker:serve")
    document = figures((1, RED_BOX), (2, RED_BOX), (3, RED_BOX))
    assert write_images(file, document, tmp_path) == {0: "fig-p001-1.png", 2: "fig-p003-1.png"}


def test_a_file_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7\nnothing")
    with pytest.raises(DamagedPdfError, match="draw its figures"):
        write_images(tmp_path / "a.pdf", figures((1, RED_BOX)), tmp_path)


def test_a_relative_path_is_found_after_the_current_folder_has_changed(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_images(file, figures((1, RED_BOX)), tmp_path / "first")  # its worker stays for the next call
    monkeypatch.chdir(file.parent)
    assert write_images(Path(file.name), figures((1, RED_BOX)), tmp_path / "second")


def test_a_folder_that_cannot_be_made_is_refused(file: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_images(file, figures((1, RED_BOX)), file / "out")


def test_links_are_relative_to_the_document_that_has_them(tmp_path: Path) -> None:
    names = {3: "fig-p001-1.png"}
    linked = relative_links(names, tmp_path / "my images (1)", tmp_path / "text" / "a.md")
    assert linked == {3: "../my%20images%20%281%29/fig-p001-1.png"}
    assert relative_links(names, Path("images"), None) == {3: "images/fig-p001-1.png"}


@given(arrays(numpy.uint8, st.tuples(st.integers(1, 5), st.integers(1, 5), st.just(3))))
def test_a_png_has_all_pixels(pixels: numpy.ndarray) -> None:
    from io import BytesIO

    from PIL import Image

    picture = encode_png(pixels)
    assert numpy.array_equal(numpy.asarray(Image.open(BytesIO(picture)).convert("RGB")), pixels)
    assert struct.unpack(">I", picture[-4:])[0] == zlib.crc32(b"IEND")
