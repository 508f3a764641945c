"""Files that once broke something, each by the command that showed it: a limit, one line, no traceback."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from held.headings.object_features import FEATURES_VERSION
from held.models.store import WEIGHTS
from tests.hostile import files

Held = Callable[..., Any]
FAULTS = ("Traceback", "fault in held", "scan")


def refused(result: Any, why: str) -> None:
    """The command ended with one line that says why."""
    assert result.code == 1
    assert result.err.count("\n") == 1
    assert why in result.err
    assert not any(fault in result.err for fault in FAULTS)


@pytest.mark.parametrize(
    "content",
    [files.form_that_draws_itself_twice(), files.forms_that_draw_ten_others()],
    ids=["form-branch2-self", "form-laughs-9x10"],
)
def test_a_form_that_draws_itself_names_the_limit(held: Held, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "form.pdf").write_bytes(content)
    limits = ("--limit", "memory=200M", "--limit", "page_seconds=20")
    refused(held("extract", tmp_path / "form.pdf", *limits), "needs more than 200 MB of memory")


@pytest.mark.parametrize("call", [("search", "tax"), ("objects",), ("extract",)], ids=lambda call: call[0])
def test_groups_of_docling_in_a_circle(held: Held, tmp_path: Path, call: tuple[str, ...]) -> None:
    value = files.docling(groups=[files.group(0, 0, 0)], body=files.first_group())
    path = tmp_path / "cycle.json"
    path.write_text(json.dumps(value))
    refused(held(call[0], path, *call[1:]), "leads back to itself")


@pytest.mark.parametrize("call", [("search", "tax"), ("objects",), ("extract",)], ids=lambda call: call[0])
def test_a_bomb_of_xz_is_measured_while_it_unpacks(held: Held, tmp_path: Path, call: tuple[str, ...]) -> None:
    path = tmp_path / "bomb.json.xz"
    path.write_bytes(files.xz_of_spaces(20 << 20))
    refused(held(call[0], path, *call[1:], "--limit", "json_bytes=8M"), "holds more than 8 MB")


def test_a_model_without_its_members(held: Held, report: Path, tmp_path: Path) -> None:
    for name in ("headings", "put-or-skip"):
        content = files.metadata(kind=name, settings={"features": FEATURES_VERSION})
        files.model_of(tmp_path / "model" / f"{name}.held", {"model.json": content})
    refused(held("extract", report, "--model", tmp_path / "model"), "cannot be used")


def test_a_model_that_unpacks_to_too_much(held: Held, report: Path, tmp_path: Path) -> None:
    for name in ("headings", "put-or-skip"):
        entries = {"model.json": files.metadata(kind=name), "trees.onnx": bytes(2 << 20)}
        files.model_of(tmp_path / "model" / f"{name}.held", entries)
    call = ("extract", report, "--model", tmp_path / "model", "--limit", "model_bytes=1M")
    refused(held(*call), "unpacks to more than 1 MB")


def test_a_calibration_that_is_none(held: Held, report: Path, tmp_path: Path) -> None:
    for path in (WEIGHTS / "base").glob("*.held"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "calibration.json").write_text("[[]]")
    refused(held("extract", report, "--model", tmp_path), "not a calibration")


def test_a_bad_model_fails_a_batch_in_one_line(held: Held, report: Path, tmp_path: Path) -> None:
    for name in ("headings", "put-or-skip"):
        files.model_of(tmp_path / "model" / f"{name}.held", {"model.json": b"{}"})
    result = held("extract", report, report, "-o", tmp_path / "out", "--model", tmp_path / "model")
    assert result.code == 1
    assert not any(fault in result.err for fault in FAULTS)
