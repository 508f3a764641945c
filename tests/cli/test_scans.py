"""Scanned pages on the command line: what was not read is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from held.reading.ocr.cache import VARIABLE
from tests.cli.conftest import Held
from tests.reading.ocr.scans import page_image, scan, text_page


@pytest.fixture
def partly_scanned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    path = tmp_path / "mixed.pdf"
    path.write_bytes(scan(text_page(), page_image(), page_image()))
    return path


def test_scanned_pages_that_are_not_read_make_a_file_partial(held: Held, partly_scanned: Path) -> None:
    result = held("extract", partly_scanned, "--ocr", "never", "--format", "json")
    assert result.code == 3
    assert "partial: pages 2-3 could not be read" in result.err
    value = json.loads(result.out)
    assert value["status"] == "partial"
    assert value["document"]["lost"] == [2, 3]


def test_objects_of_a_partly_scanned_file_end_with_code_3(held: Held, partly_scanned: Path) -> None:
    result = held("objects", partly_scanned, "--ocr", "never", "--format", "text")
    assert result.code == 3
    assert "text that was not read" in result.err


def test_a_batch_lists_the_pages_that_were_not_read(held: Held, partly_scanned: Path) -> None:
    out = partly_scanned.parent / "out"
    summary = partly_scanned.parent / "summary.json"
    folder = partly_scanned.parent / "in"
    folder.mkdir()
    partly_scanned.rename(folder / "mixed.pdf")
    result = held("extract", folder, "--ocr", "never", "-o", out, "--summary", summary)
    assert result.code == 3
    (file,) = json.loads(summary.read_text())["files"]
    assert file["lost"] == [2, 3]


def test_an_index_lists_the_pages_that_were_not_read(held: Held, partly_scanned: Path) -> None:
    index = partly_scanned.parent / "index"
    assert held("index", partly_scanned, "--ocr", "never", "-o", index).code == 3
