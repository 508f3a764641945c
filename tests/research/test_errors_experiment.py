"""Faults counted by kind and domain, on a made corpus with the weights that ship."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from research.errors.run import count_faults, main, with_table

from held.corpus.store import write_labelled
from held.metrics import Label
from tests.research.test_trees_tables import labelled


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    for name in ("a", "b"):
        write_labelled(folder, labelled(name))
    # A document whose outline leaves out a chapter, which is found all the same.
    odd = labelled("c", chapters=4)
    labels = (*odd.labels[:-5], *[Label.BODY] * 5)
    last = max(i for i, label in enumerate(labels) if label is Label.HEADING)
    write_labelled(folder, replace(odd, labels=labels, parents=(*odd.parents[:-5], *[last] * 5)))
    write_labelled(folder, labelled("t", split="test"))
    return folder


def test_results_have_ids_and_counts_and_no_text(corpus: Path, tmp_path: Path) -> None:
    page = tmp_path / "errors.md"
    page.write_text("# Errors\n<!-- table -->\nold\n<!-- end of table -->\nRest.\n")
    arguments = ["--data", str(corpus), "--result", str(tmp_path / "result.json"), "--page", str(page)]
    assert main(arguments) == 0
    written = (tmp_path / "result.json").read_text("utf-8")
    result = json.loads(written)
    assert result["domains"]["manuals"]["kinds"]["false heading"]["faults"] >= 1
    assert "Chapter of things" not in written
    assert "false heading" in page.read_text("utf-8")
    assert "old" not in page.read_text("utf-8")


def test_faults_of_a_domain_are_summed_by_kind_the_commonest_first() -> None:
    fault = {"dragged_headings": 2, "dragged_body": 1, "numbered": True}
    faults = [{"kind": "put too deep", **fault}, *[{"kind": "missed heading", **fault}] * 2]
    found = count_faults([{"domain": "word", "headings": 9, "faults": faults}], "word")
    assert list(found["kinds"]) == ["missed heading", "put too deep"]
    assert found["kinds"]["missed heading"]["dragged_headings"] == 4
    assert found["kinds"]["missed heading"]["documents"] == 1
    assert count_faults([], "word") == {}


def test_the_rest_of_a_page_stays() -> None:
    page = with_table("A\n<!-- table -->x<!-- end of table -->\nB", "new")
    assert page == "A\n<!-- table -->\nnew\n<!-- end of table -->\nB"
