"""Files of other parsers on the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Held = Callable[..., Any]
HARBOUR = Path(__file__).parents[1] / "integrations" / "harbour.docling.json"
ELEMENTS = [
    {"type": "Title", "element_id": "a", "text": "1 Boats", "metadata": {"page_number": 1}},
    {"type": "Title", "element_id": "b", "text": "1.1 Nets", "metadata": {"page_number": 2}},
]


def test_a_docling_document_gets_its_levels(held: Held) -> None:
    lines = held("extract", HARBOUR, "--format", "outline").out.splitlines()
    rows = [line.split("\t") for line in lines]
    assert [title for _, _, title in rows] == ["The harbour in winter", "1 Boats", "1.1 Nets", "2 Ice"]
    # Whether the title of the document stands above its sections or beside them is a matter of taste.
    _, boats, nets, ice = [int(level) for level, _, _ in rows]
    assert (nets - boats, ice - boats) == (1, 0)


@pytest.mark.parametrize("before", ["", "\n "])
def test_elements_of_unstructured_get_their_levels(held: Held, tmp_path: Path, before: str) -> None:
    file = tmp_path / "elements.json"
    file.write_text(before + json.dumps(ELEMENTS))
    assert held("extract", file, "--format", "outline").out == "1\t1\t1 Boats\n2\t2\t1.1 Nets\n"


def test_a_list_of_something_else_is_refused(held: Held, tmp_path: Path) -> None:
    file = tmp_path / "list.json"
    file.write_text("[1, 2]")
    assert "is neither a PDF nor JSON with pages or objects" in held("extract", file).err


def test_only_a_pdf_is_opened_to_be_edited(
    held: Held, document_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serving = pytest.importorskip("held.serve.app")
    monkeypatch.setattr(serving, "run_server", lambda *settings, **ready: None)
    result = held("edit", document_file)
    assert (result.code, result.err) == (1, f"held: {document_file}: is not a PDF\n")
