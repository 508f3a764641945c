import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.cli.schema import LATEST
from held.document import (
    FURNITURE,
    Box,
    Document,
    Kind,
    Mark,
    Note,
    OutlineEntry,
    PageContent,
    PageRegion,
    Pages,
    PageSize,
    PhysicalObject,
    Run,
    Span,
    Style,
    TableCell,
    TableStructure,
)
from held.document_json import (
    document_from_json,
    document_to_json,
    pages_from_json,
    pages_to_json,
    read_document,
    read_pages,
)
from held.errors import FormatError, InputError, VersionError
from held.system.atomic_write import write_file
from held.system.bounded_json import encode_json, read_json, write_json

SCHEMAS = Path(__file__).parents[1] / "src" / "held" / "schemas"
PAGE_COUNT = 4

number = st.floats(-1e6, 1e6)
count = st.integers(0, 99)
text = st.text(max_size=12)
page_number = st.integers(1, PAGE_COUNT)
box = st.builds(Box, number, number, number, number)
colour = st.text("0123456789abcdef", min_size=6, max_size=6)
style = st.builds(Style, text, number, colour, st.booleans(), st.booleans(), st.integers(0, 7), st.booleans())
note = st.builds(Note, st.none() | page_number, text)

cell = st.builds(
    TableCell, count, count, text, st.integers(1, 9), st.integers(1, 9), st.booleans(), page_number, box
)
structure = st.builds(
    TableStructure,
    cells=st.lists(cell, max_size=3).map(tuple),
    caption=text,
    unit=text,
    notes=st.lists(text, max_size=2).map(tuple),
    doubtful=st.booleans(),
)


def objects(kinds: frozenset[Kind]) -> st.SearchStrategy[PhysicalObject]:
    return st.builds(
        PhysicalObject,
        kind=st.sampled_from(sorted(kinds)),
        text=text,
        parts=st.lists(st.builds(PageRegion, page_number, box), min_size=1, max_size=3).map(tuple),
        style=style,
        centred=st.booleans(),
        indent=number,
        caps=st.booleans(),
        lines=count,
        gap_above=st.none() | number,
        gap_below=st.none() | number,
        column=count,
        relative_size=number,
        rows=st.lists(st.lists(text, max_size=3).map(tuple), max_size=2).map(tuple),
        table=st.none() | structure,
    )


documents = st.builds(
    Document,
    source=text,
    pages=st.tuples(*[st.builds(PageSize, number, number, st.none() | text)] * PAGE_COUNT),
    objects=st.lists(objects(frozenset(Kind) - FURNITURE), max_size=4).map(tuple),
    furniture=st.lists(objects(FURNITURE), max_size=2).map(tuple),
    body=style,
    notes=st.lists(note, max_size=2).map(tuple),
)

words = st.lists(box, max_size=2).map(tuple)
run = st.builds(Run, number, number, number, number, st.integers(0, 1), text, words)
field = st.builds(Run, number, number, number, number, st.integers(0, 1), text, st.just(()))
contents = st.builds(
    PageContent,
    width=number,
    height=number,
    runs=st.lists(run, max_size=3).map(tuple),
    rules=st.lists(box, max_size=2).map(tuple),
    images=st.lists(box, max_size=2).map(tuple),
    fields=st.lists(field, max_size=2).map(tuple),
    rotation=st.sampled_from([0, 90, 180, 270]),
    label=st.none() | text,
    turn=st.sampled_from([0, 90, 180, 270]),
)
entry = st.builds(OutlineEntry, st.integers(1, 9), text, st.none() | page_number, st.none() | number)
pages_values = st.builds(
    Pages,
    source=text,
    styles=st.tuples(style, style),
    pages=st.lists(contents, max_size=3).map(tuple),
    outline=st.lists(entry, max_size=3).map(tuple),
    notes=st.lists(note, max_size=2).map(tuple),
    first_page=st.integers(1, 500),
)


def schema(name: str) -> jsonschema.Draft202012Validator:
    path = SCHEMAS / f"{name}-{LATEST[name]}.schema.json"
    return jsonschema.Draft202012Validator(json.loads(path.read_text("utf-8")))


def minimal(**changed: Any) -> dict[str, Any]:
    return {"objects": [{"text": "Risks", "page": 1}, {"text": "We face some.", "page": 2} | changed]}


@given(documents)
def test_a_document_read_back_is_the_same(document: Document) -> None:
    assert document_from_json(json.loads(encode_json(document_to_json(document)))) == document


@given(pages_values)
def test_pages_read_back_are_the_same(pages: Pages) -> None:
    assert pages_from_json(json.loads(encode_json(pages_to_json(pages)))) == pages


@given(documents)
def test_what_is_written_of_a_document_keeps_to_the_schema(document: Document) -> None:
    schema("document").validate(json.loads(encode_json(document_to_json(document))))


@given(pages_values)
def test_what_is_written_of_pages_keeps_to_the_schema(pages: Pages) -> None:
    schema("pages").validate(json.loads(encode_json(pages_to_json(pages))))


def test_the_schema_knows_every_kind() -> None:
    known: Any = schema("document").schema
    kinds = known["$defs"]["object"]["properties"]["kind"]["enum"]
    assert kinds == [kind.value for kind in Kind]


def test_text_and_page_are_enough_for_an_object() -> None:
    schema("document").validate(minimal())
    assert [item.text for item in document_from_json(minimal()).objects] == ["Risks", "We face some."]


def test_a_cell_with_its_place_and_text_is_enough() -> None:
    cells = [{"row": 0, "column": 1, "text": "2021", "column_span": 2}]
    table = document_from_json(minimal(kind="table", cells=cells)).objects[1].table
    assert table == TableStructure((TableCell(0, 1, "2021", column_span=2, page=2),))


def test_a_document_of_version_1_is_still_read() -> None:
    value = minimal(kind="table", rows=[["Nets", "4"]]) | {"format": "held.document", "version": 1}
    assert document_from_json(value).objects[1].table is None


def test_body_and_relative_size_are_computed_where_absent() -> None:
    value = minimal(style={"font": "Song", "size": 10})
    value["objects"][0]["style"] = {"font": "Hei", "size": 15}
    document = document_from_json(value)
    assert document.body == Style("Song", 10.0)
    assert [item.relative_size for item in document.objects] == [1.5, 1.0]


def test_pages_are_as_large_as_the_boxes_reach_where_absent() -> None:
    assert document_from_json(minimal(box=[10, 20, 500, 700])).pages == (PageSize(500.0, 700.0),) * 2


def test_furniture_among_the_objects_is_put_aside() -> None:
    document = document_from_json(minimal(kind="page_number"))
    assert [item.kind for item in document.furniture] == [Kind.PAGE_NUMBER]
    assert len(document.objects) == 1


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"page": "two"}, "objects[1].page"),
        ({"page": 0}, "objects[1].page"),
        ({"kind": "titel"}, "objects[1].kind"),
        ({"box": [1, 2, 3]}, "objects[1].box"),
        ({"style": {"size": "big"}}, "objects[1].style.size"),
        ({"style": {"colour": "red"}}, "objects[1].style.colour"),
        ({"style": {"bold": 1}}, "objects[1].style.bold"),
        ({"rows": [["a", 1]]}, "objects[1].rows[0][1]"),
        ({"parts": [{"page": 0}]}, "objects[1].parts[0].page"),
        ({"indent": 10**400}, "objects[1].indent"),
        ({"text": None}, "objects[1].text"),
    ],
)
def test_an_error_names_the_file_the_object_and_the_field(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(FormatError) as caught:
        document_from_json(minimal(**changed), file="engine.json")
    assert f"engine.json: {said} must be" in str(caught.value)


def test_a_missing_field_is_named() -> None:
    with pytest.raises(FormatError, match=r"objects\[0\]\.text is missing"):
        document_from_json({"objects": [{"page": 1}]})


def test_an_object_beyond_the_last_page_is_refused() -> None:
    with pytest.raises(FormatError, match=r"objects\[1\]\.page must be a page up to 1"):
        document_from_json(minimal() | {"pages": [{"width": 9, "height": 9}]})


def test_a_run_in_a_style_that_is_not_there_is_refused() -> None:
    page = {"width": 9, "height": 9, "runs": [[0, 0, 1, 1, 2, "a"]]}
    with pytest.raises(FormatError, match=r"pages\[0\]\.runs\[0\]"):
        pages_from_json({"styles": [{}], "pages": [page]})


def test_an_unknown_version_is_named_with_the_known_ones_and_what_to_do() -> None:
    with pytest.raises(VersionError) as caught:
        document_from_json(minimal() | {"version": 9}, file="new.json")
    assert str(caught.value) == (
        "new.json: held.document version 9 is not known, only 1, 2"
        " (update held, or write the file again with this version)"
    )


def test_another_format_is_refused() -> None:
    with pytest.raises(FormatError, match=r'format must be "held.document", found \'held.pages\''):
        document_from_json({"format": "held.pages", "objects": []})


@pytest.mark.parametrize("name", ["small.json", "small.json.xz"])
def test_files_are_read_back_plain_and_compressed(tmp_path: Path, name: str) -> None:
    write_json(tmp_path / name, minimal())
    assert read_json(tmp_path / name) == minimal()
    assert len(read_document(tmp_path / name).objects) == 2


def test_pages_are_read_from_a_file(tmp_path: Path) -> None:
    write_json(tmp_path / "pages.json", pages_to_json(Pages("a.pdf", (), ())))
    assert read_pages(tmp_path / "pages.json") == Pages("a.pdf", (), ())


def test_a_file_that_is_nested_too_deep_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_bytes(b"[" * 100_000)
    with pytest.raises(FormatError, match=r"bad\.json: its values are nested too deep"):
        read_json(tmp_path / "bad.json")


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"\xfd7zXZ\x00rubbish"])
def test_a_file_that_is_no_json_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.json").write_bytes(content)
    with pytest.raises(FormatError, match=r"bad\.json: not a JSON file"):
        read_json(tmp_path / "bad.json")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.json: cannot be read: No such file"):
        read_json(tmp_path / "none.json")


def test_spans_and_notes_are_read_back() -> None:
    emphasis = {"start": 0, "end": 2, "mark": "bold"}
    reference = {"start": 2, "end": 3, "mark": "superscript", "note": "1"}
    spans = [emphasis, reference]
    document = document_from_json({"objects": [{"text": "abc", "page": 1, "spans": spans, "note": "7"}]})
    assert document.objects[0].spans == (Span(0, 2, Mark.BOLD), Span(2, 3, Mark.SUPERSCRIPT, "1"))
    assert document_from_json(document_to_json(document)) == document


def test_a_span_that_ends_behind_the_text_is_refused() -> None:
    spans = [{"start": 0, "end": 4, "mark": "bold"}]
    with pytest.raises(FormatError, match=r"objects\[0\]\.spans\[0\]\.end must be at most 3"):
        document_from_json({"objects": [{"text": "abc", "page": 1, "spans": spans}]})


def test_a_lone_surrogate_survives() -> None:
    document = document_from_json({"objects": [{"text": "\ud83d", "page": 1}]})
    assert document_from_json(json.loads(encode_json(document_to_json(document)))) == document


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        write_file(tmp_path / "taken", b"content")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_the_examples_in_the_documentation_can_be_read() -> None:
    text = (Path(__file__).parents[1] / "docs" / "formats.md").read_text("utf-8")
    examples = [json.loads(block.split("```")[0]) for block in text.split("```json")[1:]]
    for example in examples:
        schema("document").validate(example)
    assert [len(document_from_json(example).objects) for example in examples] == [2, 2]
