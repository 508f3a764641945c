"""Many documents labelled, and taken up again."""

import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from held.corpus import build as building
from held.corpus.build import BUILD_JOURNAL, build, label_file
from held.corpus.sources import SourceFile, sources_in
from held.corpus.store import labelled_documents, read_labelled
from held.corpus.summary import summarise, summary_lines
from held.errors import InputError, UsageError
from held.system.atomic_write import open_journal
from held.system.worker_process import WorkerSpec


def stored(id: str, titles: tuple[str, ...] = ("1 Harbours", "2 Ships", "3 Tides")) -> dict[str, Any]:
    """A corpus document with a page for each title."""
    pages = [
        {
            "w": 595.0,
            "h": 842.0,
            "runs": [[720, 720, 2000, 860, 1, title], [720, 1000, 4000, 1100, 0, "Ships come and go."]],
            "rules": [],
            "images": [],
        }
        for title in titles
    ]
    styles = [["Serif", 10.0, "000000", 0, 0, 0, 1], ["Serif", 14.0, "000000", 1, 0, 0, 1]]
    outline = [[1, title, page, 700] for page, title in enumerate(titles)]
    return {"id": id, "domain": "word", "styles": styles, "outline": outline, "pages": pages}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for id in ("a", "b", "c"):
        (folder / f"{id}.json.xz").write_bytes(lzma.compress(json.dumps(stored(id)).encode()))
    return folder


def labelled_ids(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids that are labelled from now on."""
    ids: list[str] = []

    def counted(source: SourceFile) -> Any:
        ids.append(source.id)
        return label_file(source)

    monkeypatch.setattr(building, "label_file", counted)
    return ids


def test_every_document_becomes_a_file(corpus: Path, tmp_path: Path) -> None:
    rows = build(sources_in(corpus), tmp_path / "out", jobs=2)
    assert [(row["id"], row["outcome"], row["aligned"]) for row in rows] == [
        ("a", "kept", 3),
        ("b", "kept", 3),
        ("c", "kept", 3),
    ]
    assert [document.id for document in labelled_documents(tmp_path / "out")] == ["a", "b", "c"]


def test_what_was_built_is_not_built_again(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = build(sources_in(corpus), tmp_path / "out", jobs=1)
    again = labelled_ids(monkeypatch)
    assert build(sources_in(corpus), tmp_path / "out", jobs=1) == first
    assert again == []


def test_a_build_goes_on_after_a_kill(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    build(sources_in(corpus), out, jobs=1)
    lines = (out / BUILD_JOURNAL).read_text().splitlines(keepends=True)
    (out / BUILD_JOURNAL).write_text(lines[0] + lines[1][:30])  # killed while it wrote the second line
    (out / "c.held.json.xz").unlink()
    again = labelled_ids(monkeypatch)
    assert [row["outcome"] for row in build(sources_in(corpus), out, jobs=1)] == ["kept"] * 3
    assert again == ["b", "c"]
    build(sources_in(corpus), out, jobs=1)
    assert again == ["b", "c"]


def test_a_source_that_changed_is_built_again(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(sources_in(corpus), tmp_path / "out", jobs=1)
    (corpus / "b.json.xz").write_bytes(lzma.compress(json.dumps(stored("b") | {"lang": "en"}).encode()))
    again = labelled_ids(monkeypatch)
    build(sources_in(corpus), tmp_path / "out", jobs=1)
    assert again == ["b"]


def test_other_code_builds_anew(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build(sources_in(corpus), tmp_path / "out", jobs=1)
    monkeypatch.setattr(building, "code_hash", lambda: "other")
    again = labelled_ids(monkeypatch)
    build(sources_in(corpus), tmp_path / "out", jobs=1)
    assert again == ["a", "b", "c"]


def test_the_hash_of_the_code_covers_every_room_that_makes_labels() -> None:
    rooms = {path.parent.name for path in building.code_files()}
    assert rooms >= {"held", "numbering", "reading", "layout", "matching", "corpus"}


def test_a_corrupt_document_is_told_and_stops_nothing(corpus: Path, tmp_path: Path) -> None:
    (corpus / "b.json.xz").write_bytes(b"rubbish")
    rows = build(sources_in(corpus), tmp_path / "out", jobs=1)
    assert [row["outcome"] for row in rows] == ["kept", "unusable", "kept"]
    assert "b.json.xz: not a JSON file" in rows[1]["message"]


def test_an_error_of_ours_is_told_and_stops_nothing(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "label_file", lambda source: 1 / 0)
    rows = build(sources_in(corpus), tmp_path / "out", jobs=1)
    assert {row["reason"] for row in rows} == {"internal error"}


def test_a_process_that_dies_takes_one_document_with_it(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dying.py").write_text(
        "import os\nfrom held.corpus import build\nlabel_file, serve = build.label_file, build.serve\n"
        "build.label_file = lambda source: os.abort() if source.id == 'b' else label_file(source)"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(building, "LABELLER", WorkerSpec("dying:serve", group=True))
    rows = build(sources_in(corpus), tmp_path / "out", jobs=2)
    assert [row["outcome"] for row in rows] == ["kept", "unusable", "kept"]
    assert "crashed held (SIGABRT)" in rows[1]["message"]


def test_a_second_build_into_the_same_folder_is_refused(corpus: Path, tmp_path: Path) -> None:
    with (
        open_journal(tmp_path / "out" / BUILD_JOURNAL, key="id"),
        pytest.raises(UsageError, match="another run"),
    ):
        build(sources_in(corpus), tmp_path / "out", jobs=1)


def test_a_document_without_an_outline_is_refused(corpus: Path) -> None:
    (corpus / "a.json.xz").write_bytes(lzma.compress(json.dumps(stored("a") | {"outline": []}).encode()))
    with pytest.raises(InputError, match="no outline and no tagged headings"):
        label_file(sources_in(corpus)[0])


def test_a_labelled_file_knows_its_origin(corpus: Path, tmp_path: Path) -> None:
    build(sources_in(corpus), tmp_path / "out", jobs=1)
    found = read_labelled(tmp_path / "out" / "a.held.json.xz")
    assert (found.id, found.domain, found.group, found.split) == ("a", "word", "a", "train")
    assert len(found.source_hash) == 64


def test_the_summary_counts_by_domain(corpus: Path, tmp_path: Path) -> None:
    (corpus / "b.json.xz").write_bytes(b"rubbish")
    summary = summarise(build(sources_in(corpus), tmp_path / "out", jobs=1))
    assert summary["domains"]["word"]["aligned_share"] == 1.0
    assert (summary["all"]["kept"], summary["all"]["unusable"]) == (2, 1)
    assert any("left out: 1" in line for line in summary_lines(summary))
