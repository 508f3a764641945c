"""Files to label."""

import json
import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.corpus.sources import origin_of, sources_in, sources_of, split_of
from held.errors import FormatError, InputError
from held.system.bounded_json import file_sha256


def write(path: Path, content: bytes = b"x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def test_a_corpus_is_read_by_its_index(tmp_path: Path) -> None:
    row = {"id": "a-1", "domain": "word", "group": "g", "split": "valid", "lang": "zh", "suspect": "odd"}
    write(tmp_path / "index.jsonl", json.dumps(row).encode() + b"\n")
    write(tmp_path / "docs" / "a-1.json.xz")
    origin = origin_of(sources_in(tmp_path)[0])
    assert (origin.id, origin.domain, origin.group, origin.split) == ("a-1", "word", "g", "valid")
    assert (origin.suspect, origin.lang, len(origin.source_hash)) == ("suspect: odd", "zh", 64)


def test_corpus_documents_without_an_index_tell_their_origin(tmp_path: Path) -> None:
    write(
        tmp_path / "a-1.json.xz",
        lzma.compress(b'{"id": "x", "domain": "word", "group": "g", "split": "test"}'),
    )
    origin = origin_of(sources_in(tmp_path)[0])
    assert (origin.id, origin.domain, origin.group, origin.split) == ("a-1", "word", "g", "test")


def test_pdfs_of_one_folder_are_one_group(tmp_path: Path) -> None:
    for name in ("acme/2024.pdf", "acme/2025.PDF", "alone.pdf", "notes.txt"):
        write(tmp_path / name)
    assert [(s.id, s.group) for s in sources_in(tmp_path)] == [
        ("2024", "acme"),
        ("2025", "acme"),
        ("alone", "alone"),
    ]


def test_files_of_one_name_get_different_ids(tmp_path: Path) -> None:
    paths = [write(tmp_path / "a" / "r.pdf", b"1"), write(tmp_path / "b" / "r.pdf", b"2")]
    assert [source.id for source in sources_of(paths)] == [f"r-{file_sha256(path)[:8]}" for path in paths]


def test_an_empty_folder_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no PDF"):
        sources_in(tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        sources_in(tmp_path / "none")


def test_a_damaged_index_is_a_format_error(tmp_path: Path) -> None:
    write(tmp_path / "index.jsonl", b'{"id": "a"}\n{torn')
    with pytest.raises(FormatError, match=r"index\.jsonl: line 2"):
        sources_in(tmp_path)


@given(st.text())
def test_a_group_is_always_in_the_same_split(group: str) -> None:
    assert split_of(group) == split_of(group)


def test_most_groups_are_for_training() -> None:
    splits = [split_of(f"group {n}") for n in range(1000)]
    assert 750 < splits.count("train") < 850
    assert 60 < splits.count("valid") < 140
    assert 60 < splits.count("test") < 140
