"""`held compare` on files of every form it takes."""

import json
from pathlib import Path

import pytest

from held.cli import main

OUTLINE = "1\t1\tScope\n2\t1\tTerms\n1\t2\tRules\n"
OTHER = "1\t1\tScope\n1\t1\tTerms\n1\t2\tRules\n"


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.fixture
def outlines(tmp_path: Path) -> tuple[Path, Path]:
    for name, content in (("gold.tsv", OUTLINE), ("found.tsv", OTHER)):
        (tmp_path / name).write_text(content, "utf-8")
    return tmp_path / "gold.tsv", tmp_path / "found.tsv"


def test_the_text_goes_to_stdout(outlines: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert run("compare", *outlines) == 0
    out = capsys.readouterr().out
    assert "1 of 3 headings are wrong, by 1 wrong step:" in out
    assert "put beside its parent, the first - page 1: Terms" in out
    assert "paths right, headings                    66.7 %  (2 of 3)" in out


def test_the_page_and_the_json_go_into_files(outlines: tuple[Path, Path], tmp_path: Path) -> None:
    assert run("compare", *outlines, "--format", "html", "-o", tmp_path / "page.html") == 0
    assert (tmp_path / "page.html").read_text("utf-8").startswith("<!doctype html>")
    assert run("compare", *outlines, "--format", "json", "-o", tmp_path / "value.json") == 0
    value = json.loads((tmp_path / "value.json").read_text("utf-8"))
    assert [fault["kind"] for fault in value["faults"]] == ["put beside its parent"]


def test_a_tree_of_held_extract_is_the_same_as_its_own_outline(tmp_path: Path) -> None:
    sample = Path(__file__).parents[2] / "samples" / "report-en.pdf"
    for form in ("json", "outline"):
        assert run("extract", sample, "--format", form, "-o", tmp_path / form) == 0
    assert run("compare", tmp_path / "json", tmp_path / "outline", "-o", tmp_path / "same.txt") == 0
    assert "Both trees are the same." in (tmp_path / "same.txt").read_text("utf-8")


def test_a_pdf_is_told_how_to_become_a_tree(
    outlines: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "report.pdf").write_bytes(b"%PDF-1.7")
    assert run("compare", outlines[0], tmp_path / "report.pdf") == 2
    assert "is a PDF, not a tree (`held extract FILE -o tree.json`" in capsys.readouterr().err


def test_a_file_that_holds_no_tree_is_one_line(
    outlines: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "odd.json").write_text('{"format": "odd"}')
    assert run("compare", outlines[0], tmp_path / "odd.json") == 1
    assert "contains no tree, labelled document or outline" in capsys.readouterr().err
    assert run("compare", outlines[0], tmp_path / "nowhere") == 1
    assert "cannot be read" in capsys.readouterr().err
