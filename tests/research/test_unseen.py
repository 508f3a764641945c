"""Documents drawn by lot, and the page about them."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from research.unseen import fetch
from research.unseen.fetch import draw_packages, fetch_lot, is_wanted
from research.unseen.run import page, summary

RIGHT = {
    "pages": 9,
    "headings": 12,
    "headings F1": 1.0,
    "paths given": 1.0,
    "parents given": 1.0,
    "paths": 1.0,
    "parents": 1.0,
}
FOUND = {"ships__sails": RIGHT, "oars__rows": RIGHT | {"paths": 0.5}, "quays__all": RIGHT | {"paths": 0.96}}


def test_every_document_counts_once() -> None:
    found = summary(FOUND)
    assert (found["documents"], found["pages"], found["nearly right"]) == (3, 27, 2)
    assert (found["paths"], found["mean paths"]) == (0.96, 0.82)


def test_the_page_names_the_worst_first() -> None:
    lot = {"summary": summary(FOUND), "documents": FOUND}
    written = page({"first-lot": lot | {"documents": {}}, "second-lot": lot}, "What it says.")
    rows = [line.split(" | ")[0] for line in written.splitlines() if "__" in line]
    assert rows == ["| oars__rows", "| quays__all", "| ships__sails"]
    assert "| first lot | 3 | 27 | 2 |" in written
    assert "What it says." in written


def test_packages_of_the_corpus_and_their_translations_are_not_drawn(tmp_path: Path) -> None:
    listed = tmp_path / "pdfs.txt"
    names = ["ships", "sails", "sails", "debian-faq-de", "oars"]
    listed.write_text("".join(f"{name}: /usr/share/doc/a.pdf\n" for name in names))
    assert sorted(draw_packages(listed, {"oars"})) == ["sails", "ships"]
    assert draw_packages(listed, {"oars"}) == draw_packages(listed, {"oars"})


def test_a_file_that_is_no_pdf_is_not_wanted() -> None:
    assert not is_wanted(b"ships")


def test_a_lot_is_fetched_again_and_a_file_that_has_changed_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def pdfs(package: str, *, count: int | None) -> Iterator[tuple[str, bytes]]:
        yield "sails.pdf", b"sails"
        yield "masts.pdf", b"a new edition"

    monkeypatch.setattr(fetch, "package_pdfs", pdfs)
    wanted = {"ships__sails.pdf": b"sails", "ships__masts.pdf": b"masts"}
    lot = tmp_path / "lot.jsonl"
    with lot.open("w") as lines:
        for file, content in wanted.items():
            sha256 = hashlib.sha256(content).hexdigest()
            lines.write(json.dumps({"package": "ships", "file": file, "sha256": sha256}) + "\n")
    assert fetch_lot(lot, tmp_path) == 1
    assert (tmp_path / "ships__sails.pdf").read_bytes() == b"sails"
    assert not (tmp_path / "ships__masts.pdf").exists()
    assert "ships__masts.pdf" in capsys.readouterr().err
