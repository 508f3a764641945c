"""Teaching from corrections: both steps in one folder, judged on documents that were held out."""

from __future__ import annotations

from pathlib import Path

import pytest

from held.corpus.store import write_labelled
from held.errors import InputError
from held.hierarchy.pipeline import TreeOptions, build_tree
from held.training.corrections import REPORT, split_documents, teach
from tests.training.small_corpus import small_document


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("labelled")
    for number in range(30):
        write_labelled(made, small_document(number))
    return made


def test_both_steps_are_taught_and_judged_on_what_was_held_out(folder: Path, tmp_path: Path) -> None:
    summary: list[str] = []
    report = teach(folder, tmp_path / "model", log=summary.append)
    assert (report.learnt, report.held_out) == (24, 6)
    assert report.before is not None
    assert report.after is not None
    assert report.after.headings >= report.before.headings
    assert (tmp_path / "model" / REPORT).is_file()
    document = small_document(99).document
    assert build_tree(document, TreeOptions(model=str(tmp_path / "model"))).headings


def test_of_few_documents_none_is_held_out() -> None:
    few = [small_document(number) for number in range(4)]
    assert split_documents(few) == (few, [])


def test_too_little_to_learn_from_is_told(tmp_path: Path) -> None:
    write_labelled(tmp_path, small_document(1))
    with pytest.raises(InputError, match="too little"):
        teach(tmp_path, tmp_path / "model", log=lambda line: None)


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no labelled documents"):
        teach(tmp_path, tmp_path / "model")
