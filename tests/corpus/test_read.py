"""Corpus documents read into `Pages`."""

import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from held.corpus.sources import read_corpus_document
from held.document import Box, OutlineEntry, Run, Style
from held.errors import FormatError, InputError

STORED: dict[str, Any] = {
    "id": "made-up",
    "styles": [["SimSun", 10.5, "ff0000", 1, 0, 2, 1]],
    "outline": [[1, "Cover", 0, 450], [2, "Nowhere", None, None]],
    "pages": [
        {
            "w": 595.2,
            "h": 841.9,
            "rotation": 90,
            "runs": [[10, 20, 35, 41, 0, "一"]],
            "rules": [[0, 5, 100, 5]],
            "images": [[1, 2, 3, 4]],
        },
        {"w": 612.0, "h": 792.0, "runs": [], "rules": [], "images": []},
    ],
}


def write(path: Path, stored: object) -> Path:
    path.write_bytes(lzma.compress(json.dumps(stored).encode()))
    return path


def test_tenths_of_a_point_become_points(tmp_path: Path) -> None:
    page = read_corpus_document(write(tmp_path / "d.json.xz", STORED)).pages[0]
    assert page.runs == (Run(1.0, 2.0, 3.5, 4.1, 0, "一"),)
    assert page.rules == (Box(0, 0.5, 10, 0.5),)
    assert page.images == (Box(0.1, 0.2, 0.3, 0.4),)


def test_styles_and_page_measures_are_kept(tmp_path: Path) -> None:
    pages = read_corpus_document(write(tmp_path / "d.json.xz", STORED))
    assert pages.styles == (Style("SimSun", 10.5, "ff0000", True, False, 2, True),)
    assert [(p.width, p.height, p.rotation) for p in pages.pages] == [(595.2, 841.9, 90), (612.0, 792.0, 0)]


def test_outline_pages_count_from_one(tmp_path: Path) -> None:
    pages = read_corpus_document(write(tmp_path / "d.json.xz", STORED))
    assert pages.outline == (OutlineEntry(1, "Cover", 1, 45.0), OutlineEntry(2, "Nowhere", None, None))


def test_a_missing_document_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_corpus_document(tmp_path / "none.json.xz")


@pytest.mark.parametrize("stored", [[], {}, {**STORED, "pages": [{"w": 1}]}, {**STORED, "styles": [[1]]}])
def test_another_json_form_is_a_format_error(tmp_path: Path, stored: object) -> None:
    with pytest.raises(FormatError, match="not a corpus document"):
        read_corpus_document(write(tmp_path / "d.json.xz", stored))


def test_a_file_that_is_not_compressed_is_a_format_error(tmp_path: Path) -> None:
    path = tmp_path / "d.json.xz"
    path.write_text("{}")
    with pytest.raises(FormatError, match="xz"):
        read_corpus_document(path)
