"""`held label` and `held corpus build`."""

import json
import lzma
from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from held.corpus.store import read_labelled
from held.metrics import Label

TITLES = ("1 Harbours", "2 Ships", "3 Tides")


@pytest.fixture
def bookmarked(tmp_path: Path) -> Path:
    """A PDF of three pages with a bookmark for each."""
    return pdf(tmp_path / "harbour.pdf", TITLES)


def pdf(path: Path, bookmarks: tuple[str, ...]) -> Path:
    canvas = Canvas(str(path))
    for title in TITLES:
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(72, 700, title)
        canvas.setFont("Helvetica", 10)
        canvas.drawString(72, 650, "Ships come and go with the tide, and nobody counts them.")
        if title in bookmarks:
            canvas.bookmarkPage(title, fit="XYZ", top=720)
            canvas.addOutlineEntry(title, title)
        canvas.showPage()
    canvas.save()
    return path


def test_a_bookmarked_pdf_is_labelled(held: Any, bookmarked: Path, tmp_path: Path) -> None:
    result = held("label", bookmarked, "-o", tmp_path / "out")
    assert (result.code, result.err) == (0, "")
    assert "harbour.held.json.xz  3 of 3 headings" in result.out
    found = read_labelled(tmp_path / "out" / "harbour.held.json.xz")
    assert [found.document.objects[i].text for i in found.headings] == list(TITLES)
    assert found.labels.count(Label.BODY) == 3


def test_a_pdf_without_bookmarks_and_tags_is_refused(held: Any, tmp_path: Path) -> None:
    result = held("label", pdf(tmp_path / "plain.pdf", ()), "-o", tmp_path / "out")
    assert result.code == 1
    assert "plain.pdf: has no outline and no tagged headings" in result.err


def test_one_bad_file_does_not_keep_the_others_from_being_labelled(
    held: Any, bookmarked: Path, tmp_path: Path
) -> None:
    (tmp_path / "bad.pdf").write_bytes(b"rubbish")
    result = held("label", tmp_path / "bad.pdf", bookmarked, "-o", tmp_path / "out")
    assert result.code == 1
    assert "bad.pdf" in result.err
    assert (tmp_path / "out" / "harbour.held.json.xz").is_file()


def test_labels_that_cannot_be_trusted_are_told(held: Any, tmp_path: Path) -> None:
    result = held("label", pdf(tmp_path / "few.pdf", TITLES[:2]), "-o", tmp_path / "out")
    assert (result.code, "labels are not trustworthy: fewer than three" in result.err) == (0, True)


def test_a_folder_is_built_and_summed_up(held: Any, bookmarked: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.json.xz").write_bytes(lzma.compress(b"{}"))
    result = held("corpus", "build", tmp_path, "-o", tmp_path / "out", "--jobs", 1)
    assert result.code == 0
    assert "broken.json.xz: not a corpus document" in result.err
    assert "left out: 1" in result.out
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert (summary["all"]["kept"], summary["all"]["unusable"]) == (1, 1)


def test_a_folder_that_is_not_there_is_told(held: Any, tmp_path: Path) -> None:
    result = held("corpus", "build", tmp_path / "none", "-o", tmp_path / "out")
    assert (result.code, "no such folder" in result.err) == (1, True)


def test_labels_are_drawn(held: Any, bookmarked: Path, tmp_path: Path) -> None:
    result = held("draw", bookmarked, "--labels", "--pages", "2", "-o", tmp_path / "pictures")
    assert (result.code, result.out.strip()) == (0, str(tmp_path / "pictures" / "page-0002.png"))


def test_labels_of_a_file_without_an_outline_cannot_be_drawn(held: Any, tmp_path: Path) -> None:
    result = held("draw", pdf(tmp_path / "plain.pdf", ()), "--labels", "-o", tmp_path / "pictures")
    assert (result.code, "has no outline to take labels from" in result.err) == (1, True)


def test_a_corpus_is_described_as_table_and_numbers(held: Any, bookmarked: Path, tmp_path: Path) -> None:
    held("label", bookmarked, "-o", tmp_path / "out")
    result = held("corpus", "stats", tmp_path / "out", "-o", tmp_path / "report.json")
    title, total, *_, path = result.out.splitlines()
    assert title.split()[:4] == ["documents", "objects", "headings", "unknown"]
    assert total.split()[:2] == ["all", "1"]
    assert path == str(tmp_path / "report.json")
    assert json.loads((tmp_path / "report.json").read_text())["corpora"]["all"]["headings"] == 3


def test_the_statistics_of_a_corpus_are_json(held: Any, tmp_path: Path) -> None:
    result = held("corpus", "stats", tmp_path, "-o", tmp_path / "report.html")
    assert (result.code, "use -o FILE.json" in result.err) == (2, True)


def test_an_empty_corpus_cannot_be_described(held: Any, tmp_path: Path) -> None:
    result = held("corpus", "stats", tmp_path, "-o", tmp_path / "report.json")
    assert (result.code, "contains no labelled documents" in result.err) == (1, True)
