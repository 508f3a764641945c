import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from held.errors import DamagedPdfError
from held.system.optional_packages import install_command

Held = Callable[..., Any]


def test_each_page_becomes_a_picture_named_on_stdout(held: Held, document_file: Path, tmp_path: Path) -> None:
    result = held("draw", document_file, "-o", tmp_path / "out")
    paths = [tmp_path / "out" / f"page-000{page}.png" for page in (1, 2)]
    assert result.out.split() == [str(path) for path in paths]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths)


def test_the_scale_is_pixels_per_point(held: Held, document_file: Path, tmp_path: Path) -> None:
    held("draw", document_file, "--pages", "1", "--scale", "2", "-o", tmp_path)
    with Image.open(tmp_path / "page-0001.png") as picture:
        assert picture.width == 2 * 595


def test_without_pillow_the_error_says_what_to_install(
    held: Held, document_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    result = held("draw", document_file, "-o", tmp_path / "out")
    assert result.err == f"held: drawing needs Pillow ({install_command('draw')})\n"
    assert result.code == 2


def test_a_folder_that_cannot_be_made_is_one_line(held: Held, document_file: Path) -> None:
    result = held("draw", document_file, "-o", document_file)
    assert (result.code, result.err.count("\n")) == (2, 2)  # the usage, and the error


def test_a_page_that_cannot_be_drawn_costs_no_other(
    held: Held, report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from held.cli import draw

    draw_background = draw.background_of

    def fail_on_first_page(document: Any, source: Any, number: int, *rest: Any) -> Any:
        if number == 1:
            raise DamagedPdfError("drawing it crashes the PDF library", file=report, page=1)
        return draw_background(document, source, number, *rest)

    monkeypatch.setattr(draw, "background_of", fail_on_first_page)
    result = held("draw", report, "-o", tmp_path / "out")
    assert result.code == 3
    assert "page 1" in result.err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["page-0002.png"]
