import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from held.cli.objects import truncate
from held.document_json import read_document

Held = Callable[..., Any]


def test_the_json_can_be_read_back(held: Held, document_file: Path, tmp_path: Path) -> None:
    assert held("objects", document_file, "-o", tmp_path / "out.json").code == 0
    assert read_document(tmp_path / "out.json") == read_document(document_file)


def test_the_output_is_compressed_if_named_xz(held: Held, document_file: Path, tmp_path: Path) -> None:
    held("objects", document_file, "-o", tmp_path / "out.json.xz")
    assert (tmp_path / "out.json.xz").read_bytes().startswith(b"\xfd7zXZ")


def test_results_go_to_stdout_and_warnings_to_stderr(held: Held, document_file: Path) -> None:
    result = held("objects", document_file)
    assert len(json.loads(result.out)["objects"]) == 3
    assert result.err == "held: warning: page 2: a font has no Unicode map\n"


def test_text_has_a_line_for_each_object_and_each_row(held: Held, document_file: Path) -> None:
    lines = held("objects", document_file, "--format", "text").out.splitlines()
    assert lines[0] == "   1  heading         14b     1 港口 Harbours"
    assert lines[1].endswith("Ships come. Shi…")
    assert [line.strip() for line in lines[2:]] == [
        "2  table                   2 rows",
        "Year | Ships",
        "1 | 7",
    ]


def test_a_range_keeps_the_objects_of_its_pages(held: Held, document_file: Path) -> None:
    value = json.loads(held("objects", document_file, "--pages", "2-").out)
    assert [item["kind"] for item in value["objects"]] == ["table"]
    assert (value["first_page"], len(value["pages"])) == (2, 1)


@pytest.mark.parametrize("pages", ["0", "5-3", "a-b", "", "3-4-5"])
def test_a_range_that_is_none_is_a_usage_error(held: Held, document_file: Path, pages: str) -> None:
    result = held("objects", document_file, "--pages", pages)
    assert (result.code, result.out) == (2, "")
    assert "Invalid value for '--pages'" in result.err


@pytest.mark.parametrize("pages", ["7", "7-", "2-7"])
def test_a_page_beyond_the_last_is_a_usage_error(held: Held, document_file: Path, pages: str) -> None:
    result = held("objects", document_file, "--pages", pages)
    assert result.code == 2
    assert result.err == f"held: {document_file}: there is no page 7 (pages 1-2 exist)\n"


def test_a_missing_file_is_one_line_and_exit_code_1(held: Held, tmp_path: Path) -> None:
    result = held("objects", tmp_path / "none.pdf")
    assert result.code == 1
    assert result.err == f"held: {tmp_path / 'none.pdf'}: cannot be read: No such file or directory\n"


@pytest.mark.parametrize(
    "content", [b"{", b'{"a": 1}', b'{"objects": [{}]}', b'{"format": "x"}', b"\xfd7zXZ\x00"]
)
def test_a_json_file_of_another_kind_is_one_line_and_exit_code_1(
    held: Held, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "odd.json").write_bytes(content)
    result = held("objects", tmp_path / "odd.json")
    assert (result.code, result.err.count("\n")) == (1, 1)
    assert result.err.startswith(f"held: {tmp_path / 'odd.json'}: ")


def test_an_unwritable_output_is_one_line(held: Held, document_file: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = held("objects", document_file, "-o", tmp_path / "file" / "out.json")
    assert result.code == 1
    assert "cannot be written: " in result.err


def test_half_a_character_does_not_break_the_text(held: Held, tmp_path: Path) -> None:
    path = tmp_path / "half.json"
    path.write_text(json.dumps({"objects": [{"text": "\ud83d!", "page": 1}]}))
    assert held("objects", path, "--format", "text").out.endswith("\ufffd!\n")


def test_many_warnings_are_cut_short(held: Held, tmp_path: Path) -> None:
    path = tmp_path / "noted.json"
    path.write_text(json.dumps({"objects": [], "notes": [{"message": "odd"}] * 50}))
    lines = held("objects", path).err.splitlines()
    assert len(lines) == 21
    assert lines[-1].startswith("held: warning: 30 more")


def test_a_reader_that_stops_early_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    path.write_text(json.dumps({"objects": [{"text": "Ships", "page": 1}] * 20_000}))
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = [sys.executable, "-m", "held", "objects", str(path), "--format", "text"]
    done = subprocess.run(command, stdout=write_end, stderr=subprocess.PIPE, check=False)
    os.close(write_end)
    assert done.stderr == b""


@pytest.mark.parametrize(("text", "fitted"), [("abcdef",) * 2, ("abcdefg", "abcde…"), ("港口口岸", "港口…")])
def test_text_is_cut_to_columns_with_chinese_counted_twice(text: str, fitted: str) -> None:
    assert truncate(text, 6) == fitted
