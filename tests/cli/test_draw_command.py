import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

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
    assert result.err == "held: drawing needs Pillow (pip install 'held[draw]')\n"
    assert result.code == 2


def test_a_folder_that_cannot_be_made_is_one_line(held: Held, document_file: Path) -> None:
    result = held("draw", document_file, "-o", document_file)
    assert (result.code, result.err.count("\n")) == (2, 2)  # the usage, and the error
