"""A manifest, and the labels that are rebuilt from it."""

import hashlib
import json
from pathlib import Path

import pytest

from held.cli import main
from held.corpus.sources import manifest_rows, origin_of, read_manifest, sources_from_manifest, write_manifest
from held.errors import FormatError, InputError

ROW = {
    "id": "en_fin-1",
    "domain": "en_fin",
    "lang": "en",
    "source": "reports",
    "origin": "2020/harbour.pdf",
    "group": "harbour",
    "split": "test",
    "n_pages": 3,
    "sha1": hashlib.sha1(b"%PDF harbour").hexdigest(),
}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    by_hand = ROW | {"id": "en_fin-0", "outline_from": "manual"}
    (folder / "index.jsonl").write_text(f"{json.dumps(ROW)}\n{json.dumps(by_hand)}\n")
    return folder


def test_a_manifest_has_the_origin_of_each_document_and_no_text(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["corpus", "manifest", str(corpus), "-o", str(tmp_path / "m.jsonl")])
    assert ended.value.code == 0
    first, second = read_manifest(tmp_path / "m.jsonl")
    assert (first["id"], first["outline_from"]) == ("en_fin-0", "manual")
    assert second == {name: second[name] for name in second if name not in ("n_pages", "origin")}
    assert second["path"] == "2020/harbour.pdf"


def test_a_file_is_recognised_by_its_sha1_whatever_it_is_called(corpus: Path, tmp_path: Path) -> None:
    files = tmp_path / "files" / "deep"
    files.mkdir(parents=True)
    (files / "renamed.PDF").write_bytes(b"%PDF harbour")
    (files / "other.pdf").write_bytes(b"%PDF ships")
    (source,) = sources_from_manifest(manifest_rows(corpus), tmp_path / "files")
    origin = origin_of(source)
    assert (source.id, source.path.name) == ("en_fin-1", "renamed.PDF")
    assert (origin.domain, origin.split, origin.group, origin.lang) == ("en_fin", "test", "harbour", "en")


def test_a_folder_without_files_of_the_manifest_is_told(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no PDF that the manifest names"):
        sources_from_manifest(manifest_rows(corpus), tmp_path)


def test_a_line_that_names_no_document_is_told(tmp_path: Path) -> None:
    write_manifest(tmp_path / "m.jsonl", [{"id": "a"}])
    with pytest.raises(FormatError, match="line 1 names no document"):
        read_manifest(tmp_path / "m.jsonl")
