"""Labelled documents written to files and read back."""

from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.corpus.store import (
    LabelledDocument,
    labelled_documents,
    labelled_from_json,
    labelled_to_json,
    read_labelled,
    truth,
    write_labelled,
)
from held.document import Box, Document, Kind, Note, PageRegion, PageSize, PhysicalObject, Style
from held.errors import FormatError, InputError, VersionError
from held.hierarchy.matching.nodes import LabelReport, MissingHeading
from held.metrics import Label
from held.system.bounded_json import read_json, write_json

H, B, U = Label.HEADING, Label.BODY, Label.UNKNOWN
BOLD = Style("Serif", 14.0, "1a3c6e", True, True, 2, False)
RICH = PhysicalObject(
    Kind.TABLE,
    "甲\ud83d",
    (PageRegion(1, Box(1, 2, 3.5, 4)), PageRegion(2, Box(0, 0, 1, 1))),
    BOLD,
    centred=True,
    indent=2.5,
    caps=True,
    lines=3,
    gap_above=4.5,
    column=1,
    relative_size=1.25,
    rows=(("a", "b"), ("c",)),
)


def labelled(id: str = "harbour", **changes: object) -> LabelledDocument:
    """Four objects; a missing heading stands over the last two."""
    plain = PhysicalObject(Kind.PARAGRAPH, "Ships come.", (PageRegion(1, Box(0, 0, 9, 9)),))
    document = Document("harbour.pdf", (PageSize(595, 842, "i"),), (plain, RICH, plain, plain), (plain,))
    missing = (MissingHeading("2 Tides", None, 2, -1, 5),)
    document = replace(document, body=BOLD, notes=(Note(None, "torn"),), first_page=3)
    made = LabelledDocument(id, document, (H, B, B, U), (-1, 0, 4, 4), (0, -1, -1, -1), missing)
    return replace(made, report=LabelReport(entries=6, missing=1), **changes)  # type: ignore[arg-type]


def test_a_labelled_document_reads_back_as_it_was_written(tmp_path: Path) -> None:
    path = write_labelled(tmp_path, labelled(split="train", dropped="too few entries aligned"))
    assert path.name == "harbour.held.json.xz"
    assert read_labelled(path) == labelled(split="train", dropped="too few entries aligned")


def test_every_field_of_an_object_is_stored_that_models_look_at() -> None:
    stored = [field for field in fields(RICH) if field.name not in ("table", "spans", "note")]
    assert all(getattr(RICH, field.name) not in (field.default, None) for field in stored[:-4])
    assert len(stored) == len(labelled_to_json(labelled())["objects"][0])


def test_a_missing_heading_is_a_node_of_the_truth() -> None:
    found = truth(labelled())
    assert str(found.tree) == "(0 1) (2 3 4)"
    assert found.objects == (0, 1, None, 2, 3)
    assert found.labels == (H, B, H, B, U)


def test_levels_count_missing_headings() -> None:
    assert labelled().levels() == (1, 2, 2, 2, 1)


def test_a_file_of_an_unknown_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "new.held.json.xz"
    write_json(path, labelled_to_json(labelled()) | {"version": 2})
    with pytest.raises(VersionError, match=r"new\.held\.json\.xz: held\.labelled version 2 is not known"):
        read_labelled(path)


def test_another_json_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.held.json.xz"
    write_json(path, {"objects": []})
    with pytest.raises(FormatError, match="not a labelled document"):
        read_labelled(path)


@given(st.data())
def test_a_damaged_file_is_a_format_error(data: st.DataObject) -> None:
    value = labelled_to_json(labelled())
    name = data.draw(st.sampled_from(["objects", "labels", "parents", "styles", "report", "missing", "body"]))
    value[name] = data.draw(st.sampled_from([None, [[1]], "x", 77, ["a"]]))
    with pytest.raises(FormatError):
        labelled_from_json(value)


def test_a_folder_is_streamed_by_split_and_domain(tmp_path: Path) -> None:
    for id, split, domain in (("b", "train", "word"), ("a", "valid", "word"), ("c", "train", "science")):
        write_labelled(tmp_path, labelled(id, split=split, domain=domain))
    assert [d.id for d in labelled_documents(tmp_path)] == ["a", "b", "c"]
    assert [d.id for d in labelled_documents(tmp_path, splits=["train"])] == ["b", "c"]
    assert [d.id for d in labelled_documents(tmp_path, splits=["train"], domains=["word"])] == ["b"]


def test_a_document_of_another_split_is_not_read_to_its_end(tmp_path: Path) -> None:
    write_labelled(tmp_path, labelled("a", split="train"))
    other = write_labelled(tmp_path, labelled("b", split="test"))
    other.write_bytes(other.read_bytes()[:-40])
    assert [d.id for d in labelled_documents(tmp_path, splits=["train"])] == ["a"]
    with pytest.raises(FormatError):
        list(labelled_documents(tmp_path, splits=["test"]))


def test_dropped_documents_are_streamed_on_request_only(tmp_path: Path) -> None:
    write_labelled(tmp_path, labelled(dropped="suspect"))
    assert not list(labelled_documents(tmp_path))
    assert [d.dropped for d in labelled_documents(tmp_path, dropped=True)] == ["suspect"]


def test_a_missing_folder_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        list(labelled_documents(tmp_path / "none"))


def test_the_stored_form_names_its_format(tmp_path: Path) -> None:
    value = read_json(write_labelled(tmp_path, labelled()))
    assert (value["format"], value["version"]) == ("held.labelled", 1)
