"""The language of an extracted document: told by its text, or given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import held
from held.cli.objects import command
from held.document import Box, Kind, Metadata, PageRegion, PhysicalObject
from held.errors import UsageError
from held.layout.title import find_metadata

GERMAN = "Der Wind war schwach, und das Boot trieb auf den Hafen zu, den es in der Nacht verlassen hatte."


def paragraph(text: str) -> PhysicalObject:
    return PhysicalObject(Kind.PARAGRAPH, text, (PageRegion(1, Box(0, 0, 1, 1)),))


@pytest.mark.parametrize(
    ("text", "declared", "language"),
    [
        (GERMAN, "", "de"),
        (GERMAN, "en", "de"),
        (GERMAN, "de-CH", "de-CH"),
        ("12 34", "fr", "fr"),
        ("12", "", ""),
    ],
)
def test_the_text_tells_the_language_before_the_file(text: str, declared: str, language: str) -> None:
    found = find_metadata([paragraph(text)], [], Metadata(language=declared))
    assert found.language == language


def objects_file(folder: Path) -> Path:
    path = folder / "objects.json"
    value = {
        "format": "held.document",
        "version": 2,
        "objects": [{"kind": "paragraph", "text": "Segel", "page": 1, "box": [0, 0, 10, 10]}],
    }
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_a_given_language_overrides_the_text(tmp_path: Path) -> None:
    assert held.extract(objects_file(tmp_path), language="nl").language == "nl"


def test_what_is_no_language_code_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="language code"):
        held.extract(objects_file(tmp_path), language="Deutsch!")


def test_the_command_line_takes_a_language(tmp_path: Path) -> None:
    path = objects_file(tmp_path)
    result = CliRunner().invoke(command, [str(path), "--language", "nl"])
    assert '"language": "nl"' in result.output.replace('":"', '": "')
