"""The invisible text of recognised pages, found again where it is on the page."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pikepdf
import pytest

from held.document import Box, PageSize, Run
from held.exports.bookmarks import Bookmark, add_bookmarks
from held.exports.text_layer import LayerWord, PageLayer, page_layers, top_after_turn
from held.reading.ocr.page_text import RecognisedPage, RecognisedWord
from held.reading.read_pdf import read_pdf

WIDTH, HEIGHT = 600.0, 800.0
WORDS = (LayerWord(100, 200, 60, 12, "Boats"), LayerWord(170, 200, 90, 12, "harbours"))
HIDDEN = b"BT 3 Tr /F1 12 Tf 50 700 Td (old text) Tj ET"


def blank(tmp_path: Path, *, rotation: int = 0, content: bytes = b"", crop: bool = False) -> Path:
    pdf = pikepdf.new()
    size = (WIDTH, HEIGHT) if rotation % 180 == 0 else (HEIGHT, WIDTH)
    page = pdf.add_blank_page(page_size=size)
    page.Rotate = rotation
    if crop:
        page.MediaBox = [-50, -20, WIDTH + 100, HEIGHT + 70]
        page.CropBox = [0, 0, WIDTH, HEIGHT]
    font = pikepdf.Dictionary(
        Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica
    )
    page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F1=font))
    page.Contents = pdf.make_stream(content)
    path = tmp_path / "blank.pdf"
    pdf.save(path)
    return path


def runs_with_layer(path: Path, layer: PageLayer) -> tuple[Run, ...]:
    content, _ = add_bookmarks(path, [Bookmark(1, 1, "Boats")], layers={1: layer})
    from held.layout.rotated_text import apply_rotation

    return apply_rotation(read_pdf(content, jobs=0)).pages[0].runs


def words_of(runs: tuple[Run, ...]) -> str:
    return " ".join(run.text for run in runs)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_words_are_found_again_where_they_were_recognised(tmp_path: Path, rotation: int) -> None:
    runs = runs_with_layer(blank(tmp_path, rotation=rotation), PageLayer(0.0, WORDS))
    assert words_of(runs).replace(" ", "") == "Boatsharbours"
    assert min(run.x0 for run in runs) == pytest.approx(100, abs=1)
    assert max(run.x1 for run in runs) == pytest.approx(260, abs=1)
    assert runs[0].y0 < 200 < runs[0].y1


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_turned_scan_is_shown_upright_with_its_words(tmp_path: Path, turn: int) -> None:
    path = blank(tmp_path, rotation=turn)
    with pikepdf.open(path, allow_overwriting_input=True) as scan:
        scan.pages[0].Rotate = 0
        scan.save(path)
    content, _ = add_bookmarks(path, [], layers={1: PageLayer(0.0, WORDS, turn)})
    (page,) = read_pdf(content, jobs=0).pages
    assert page.rotation == turn
    runs = runs_with_layer(path, PageLayer(0.0, WORDS, turn))
    assert words_of(runs).replace(" ", "") == "Boatsharbours"
    assert min(run.x0 for run in runs) == pytest.approx(100, abs=1)
    assert runs[0].y0 < 200 < runs[0].y1


@pytest.mark.parametrize(("turn", "expected"), [(0, 20), (90, 10), (180, 760), (270, 550)])
def test_a_turn_moves_the_top_of_a_box(turn: int, expected: float) -> None:
    assert top_after_turn(Box(10, 20, 50, 40), PageSize(WIDTH, HEIGHT), turn) == expected


def test_a_crop_box_moves_the_words_with_the_page(tmp_path: Path) -> None:
    runs = runs_with_layer(blank(tmp_path, crop=True), PageLayer(0.0, WORDS))
    assert runs[0].x0 == pytest.approx(100, abs=1)
    assert runs[0].y0 < 200 < runs[0].y1


def test_words_of_all_scripts_keep_their_characters(tmp_path: Path) -> None:
    texts = ("第三章", "Größe", "глава", "a\U0001d400b")
    words = [LayerWord(100, 100 + 30 * index, 80, 12, text) for index, text in enumerate(texts)]
    runs = runs_with_layer(blank(tmp_path), PageLayer(0.0, words))
    assert [run.text for run in runs] == list(texts)


def test_lines_of_a_tilted_scan_are_tilted(tmp_path: Path) -> None:
    recognised = RecognisedPage(
        WIDTH, HEIGHT, 0.02, "fake", ((RecognisedWord(500, 390, 560, 400, "Boat", 0.9, 0.1),),)
    )
    ((_, layer),) = page_layers({1: recognised}).items()
    (word,) = layer.words
    assert word.y == pytest.approx(400 + 0.02 * (500 - WIDTH / 2), abs=0.5)  # lower than on the straight page
    runs = runs_with_layer(blank(tmp_path), layer)
    assert runs[0].x0 == pytest.approx(word.x, abs=1)


def test_an_older_hidden_layer_is_removed(tmp_path: Path) -> None:
    runs = runs_with_layer(blank(tmp_path, content=HIDDEN), PageLayer(0.0, WORDS))
    assert "old" not in words_of(runs)


def test_visible_text_stays(tmp_path: Path) -> None:
    visible = HIDDEN.replace(b"3 Tr", b"0 Tr")
    runs = runs_with_layer(blank(tmp_path, content=visible), PageLayer(0.0, WORDS))
    assert "old text" in words_of(runs)


def test_what_a_page_draws_does_not_move_the_words(tmp_path: Path) -> None:
    runs = runs_with_layer(blank(tmp_path, content=b"2 0 0 2 50 50 cm"), PageLayer(0.0, WORDS))
    assert runs[0].x0 == pytest.approx(100, abs=1)


def test_the_layer_is_invisible_and_its_font_embedded(tmp_path: Path) -> None:
    content, _ = add_bookmarks(blank(tmp_path), [], layers={1: PageLayer(0.0, WORDS)})
    with pikepdf.open(BytesIO(content)) as pdf:
        font = pdf.pages[0].Resources.Font["/HeldText"]
        descendant = font.DescendantFonts[0]
        assert font.Subtype == pikepdf.Name.Type0
        assert "/FontFile2" in descendant.FontDescriptor
        assert b"beginbfrange" in font.ToUnicode.read_bytes()
        streams = b"".join(stream.read_bytes() for stream in pdf.pages[0].Contents)
        assert b"3 Tr" in streams
