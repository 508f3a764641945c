"""The tables of preset `base`, on a made corpus with the weights that ship."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from research.trees import decoding, measure
from research.trees.data import Case, load, prepare
from research.trees.run import main

from held.corpus.store import LabelledDocument, data_hash, write_labelled
from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject, Style
from held.errors import UsageError
from held.hierarchy.pipeline import TreeStep, heading_step, tree_step
from held.metrics import Label

BODY, BOLD = Style("Serif", 10.0), Style("Serif", 14.0, bold=True)


def shipped_placer() -> TreeStep:
    return tree_step("base")


def labelled(name: str, split: str = "valid", chapters: int = 4) -> LabelledDocument:
    """Chapters with two sections and a paragraph each."""
    texts: list[tuple[str, Style]] = []
    labels, parents = [], []
    for chapter in range(1, chapters + 1):
        top = len(texts)
        texts.append((f"{chapter} Chapter of things", BOLD))
        parents.append(-1)
        labels.append(Label.HEADING)
        for section in (1, 2):
            texts += [(f"{chapter}.{section} Section of things", BOLD), ("Some text, as it goes.", BODY)]
            parents += [top, len(texts) - 2]
            labels += [Label.HEADING, Label.BODY]
    objects = tuple(
        PhysicalObject(
            Kind.PARAGRAPH, text, (PageRegion(1, Box(72, 40, 300, 50)),), style, relative_size=style.size / 10
        )
        for text, style in texts
    )
    document = Document(name, (PageSize(612, 792),), objects, body=BODY)
    entries = (-1,) * len(objects)
    return LabelledDocument(
        name, document, tuple(labels), tuple(parents), entries, split=split, group=name, domain="manuals"
    )


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return [prepare(labelled(name)) for name in "ab"]


def test_a_folder_is_read_by_split_and_prepared_once(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    for name, split in (("manuals-a", "train"), ("manuals-b", "valid"), ("manuals-c", "test")):
        write_labelled(tmp_path / "data", labelled(name, split))
    found = [load(tmp_path / "data", tmp_path / "cache", splits=("valid",)) for _ in range(2)]
    assert [[case.known.id for case in cases] for cases in found] == [["manuals-b"]] * 2
    assert len(list((tmp_path / "cache").iterdir())) == 1


def test_test_documents_are_not_read_together_with_others(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        load(tmp_path, tmp_path, splits=("valid", "test"))


def test_the_hash_of_the_data_changes_with_it(tmp_path: Path) -> None:
    empty = data_hash(tmp_path)
    write_labelled(tmp_path, labelled("a"))
    assert data_hash(tmp_path) != empty


def test_a_case_serves_models_that_look_at_columns_and_refuses_those_that_read_the_document(
    cases: list[Case],
) -> None:
    assert measure.found_headings(cases, heading_step("base")) == measure.true_headings(cases)
    with pytest.raises(UsageError, match="columns were kept"):
        _ = cases[0].seen.document


def test_true_headings_alone_make_a_perfect_table(cases: list[Case]) -> None:
    assert measure.heading_table(cases, measure.true_headings(cases))["manuals"].f1 == 1


def test_an_unknown_object_counts_against_precision_only_where_it_is_not_masked() -> None:
    whole = labelled("a")
    case = prepare(replace(whole, labels=(*whole.labels[:-1], Label.UNKNOWN)))
    found = [(*case.known.headings, len(whole.labels) - 1)]
    assert measure.heading_table([case], found)["manuals"].precision == 1
    assert measure.heading_table([case], found, masked=False)["manuals"].precision < 1


def test_the_test_split_is_measured_once_over_trusted_and_over_all_documents(tmp_path: Path) -> None:
    write_labelled(tmp_path, labelled("a"))
    write_labelled(tmp_path, replace(labelled("b"), dropped="levels contradict the numbering"))
    command = ["test", "--data", str(tmp_path), "--cache", f"{tmp_path}/c", "--results", f"{tmp_path}/r"]
    assert main([*command, "--split", "valid"]) == 0
    found = json.loads((tmp_path / "r" / "test.json").read_text())
    assert [found[name]["documents"] for name in ("trusted documents", "all documents")] == [1, 2]
    assert found["all documents"]["both steps, unmasked"]["manuals"]["all right"] == 1
    with pytest.raises(SystemExit, match="run once"):
        main(command)


def test_numbered_sections_are_put_right(cases: list[Case]) -> None:
    found = measure.insertions(cases, measure.true_headings(cases), shipped_placer())
    assert measure.tree_table(cases, found)["manuals"].paths.value == 1
    assert measure.reachable(cases, found)["manuals"].value == 1


def test_every_way_of_decoding_is_compared(cases: list[Case], capsys: pytest.CaptureFixture[str]) -> None:
    certain = [np.ones(len(case.known.labels), np.float32) for case in cases]
    rows = decoding.compare(cases, measure.true_headings(cases), certain, shipped_placer())
    assert rows.keys() == decoding.WAYS.keys()
    assert all(row["paths"] == {"manuals": 1.0} for row in rows.values())
    assert "greedy" in capsys.readouterr().out


def test_a_heading_with_headings_below_is_deleted_and_their_paths_compared_without_it(
    cases: list[Case],
) -> None:
    rows = decoding.compare_with_one_deleted(cases, shipped_placer())
    assert set(rows["greedy"]) == {"manuals"}
    assert 0 <= rows["greedy"]["manuals"] <= 1
