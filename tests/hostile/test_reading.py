"""Small files that ask for gigabytes or minutes: stopped by a limit, which is named, and never a scan."""

from __future__ import annotations

import json
import lzma
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from held.document_json import document_from_json
from held.errors import DamagedPdfError, FormatError, InputError
from held.extraction import read_file
from held.hierarchy.pipeline import TreeOptions, build_tree, heading_step
from held.integrations import from_docling
from held.models.inference import load_calibration
from held.models.store import WEIGHTS, Model, ModelKind, load_model, npz_part, save_model
from held.reading.read_pdf import read_pdf
from held.system import bounded_json as stored
from held.system import limits
from held.system.bounded_json import file_sha256, read_json_value
from tests.hostile import files
from tests.layout.make_pdfs import pdf, text

SMALL = limits.Limits(memory=250 << 20, page_seconds=20)


@pytest.mark.parametrize(
    "content",
    [
        files.form_that_draws_itself_twice(),
        files.forms_that_draw_ten_others(),
        files.page_that_unpacks_to(600 << 20),
    ],
    ids=["form-branch2-self", "form-laughs-9x10", "bomb-content"],
)
def test_a_page_that_would_take_gigabytes_is_lost_to_the_limit_on_memory(content: bytes) -> None:
    pytest.importorskip("resource")
    pages = read_pdf(content, jobs=1, limits=SMALL)
    assert pages.lost == (1,)
    assert "needs more than 250 MB of memory, the limit for a reader" in pages.notes[0].message


def test_a_page_of_a_billion_points_is_read_without_marking_each() -> None:
    # `slow-one-page`: a bit for every point of its width and height, 7 s of work. They need more than this.
    pytest.importorskip("resource")
    content = pdf(files.WORDS, page="/MediaBox [0 0 999999999 999999999]")
    pages = read_pdf(content, jobs=1, limits=limits.Limits(memory=128 << 20))
    assert pages.lost == ()
    assert pages.pages[0].runs[0].text == "1 Introduction"


def test_a_file_of_which_nothing_could_be_read_is_no_scan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("resource")
    monkeypatch.setenv("HELD_LIMITS", "memory=250M page_seconds=20")
    path = tmp_path / "twice.pdf"
    path.write_bytes(files.form_that_draws_itself_twice())
    with pytest.raises(DamagedPdfError, match="memory") as caught:
        read_file(path)
    assert "scan" not in str(caught.value)


@pytest.mark.parametrize("depth", [1, 3, 8])
def test_forms_in_forms_are_read_as_deep_as_people_go(depth: int) -> None:
    objects = {500 + level: files.form("/X Do ", 501 + level) for level in range(depth)}
    objects[500 + depth] = files.form(text("inmost"), None)
    content = pdf("/X Do", resources="/XObject << /X 500 0 R >>", objects=objects)
    assert [run.text for run in read_pdf(content, jobs=1).pages[0].runs] == ["inmost"]


@pytest.mark.parametrize("suffix", ["pdf", "json", "held"])
def test_a_pipe_is_refused_at_once(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"pipe.{suffix}"
    os.mkfifo(path)
    for reading in (read_file, read_pdf, read_json_value, file_sha256):
        with pytest.raises(InputError, match="is a pipe, not a file"):
            reading(path)


def test_a_device_is_refused_at_once() -> None:
    with pytest.raises(InputError, match="is a device, not a file"):
        read_file(Path("/dev/zero"))


def test_xz_is_unpacked_no_further_than_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "bomb.json.xz"
    path.write_bytes(files.xz_of_spaces(20 << 20))
    monkeypatch.setenv("HELD_LIMITS", "json_bytes=8M")
    with pytest.raises(FormatError, match="holds more than 8 MB"):
        read_json_value(path)


def test_a_large_file_is_refused_with_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELD_LIMITS", "json_bytes=1K")
    path = tmp_path / "large.json"
    path.write_text(json.dumps(["x" * 2000]))
    with pytest.raises(FormatError, match=r"holds more than 1 KB .*json_bytes"):
        read_json_value(path)


def test_values_are_counted_before_they_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "UNCOUNTED_BYTES", 0)
    monkeypatch.setenv("HELD_LIMITS", "memory=1M")
    path = tmp_path / "lists.json"
    path.write_text("[" + "[]," * 20_000 + "[]]")
    with pytest.raises(FormatError, match="would take more than 1 MB of memory"):
        read_json_value(path)


@pytest.mark.parametrize(
    ("content", "why"),
    [("[" * 50_000 + "]" * 50_000, "nested too deep"), ("9" * 5000, "thousands of digits")],
)
def test_json_that_python_will_not_read_says_why_in_plain_words(
    tmp_path: Path, content: str, why: str
) -> None:
    path = tmp_path / "odd.json"
    path.write_text(content)
    with pytest.raises(FormatError, match=why):
        read_json_value(path)


def test_xz_in_two_streams_and_an_end_that_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "two.json.xz"
    halves = [lzma.compress(half) for half in (b"[1, ", b"2]")]
    path.write_bytes(b"".join(halves))
    assert read_json_value(path) == [1, 2]
    path.write_bytes(halves[0] + halves[1][:-9])
    with pytest.raises(FormatError, match="its end is missing"):
        read_json_value(path)


def test_a_group_of_docling_that_holds_itself_is_refused() -> None:
    value = files.docling(groups=[files.group(0, 0, 0)], body=files.first_group())
    with pytest.raises(FormatError, match="leads back to itself"):
        from_docling(value)


def test_groups_of_docling_that_hold_ten_others_are_met_once_each() -> None:
    groups = [files.group(number, *[number + 1] * 10) for number in range(20)]
    value = files.docling(groups=[*groups, files.group(20)], body=files.first_group())
    assert from_docling(value).objects == ()


@pytest.mark.parametrize(
    "changes",
    [
        {"pages": {"900000000": {"size": {"width": 1, "height": 1}}}},
        {"pages": {"9" * 5000: {}}},
        {"pages": {"²": {}}},
    ],
)
def test_docling_may_claim_no_billion_of_pages(changes: dict[str, object]) -> None:
    with suppress(FormatError):
        assert len(from_docling(files.docling(**changes)).pages) < limits.MAX_PAGES


def test_objects_may_stand_on_no_billionth_page(tmp_path: Path) -> None:
    path = tmp_path / "far.json"
    path.write_text(json.dumps({"objects": [{"text": "x", "page": 10**9}]}))
    with pytest.raises(FormatError, match=r"objects\[0\].page must be a whole number up to"):
        read_file(path)


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": None},
        {"kind": ["headings"]},
        {"kind": "other"},
        {"preset": None},
        {"preset": []},
        {"settings": 3},
        {"scores": None},
        {"sha256": []},
    ],
)
def test_a_model_without_its_members_is_refused(tmp_path: Path, changes: dict[str, object]) -> None:
    path = files.model_of(tmp_path / "headings.held", {"model.json": files.metadata(**changes)})
    with pytest.raises(FormatError):
        load_model(path, ModelKind.HEADINGS)


def test_a_model_of_nothing_but_metadata_cannot_be_used(tmp_path: Path) -> None:
    from held.headings.object_features import FEATURES_VERSION

    content = files.metadata(settings={"features": FEATURES_VERSION})
    path = files.model_of(tmp_path / "headings.held", {"model.json": content})
    with pytest.raises(FormatError, match="cannot be used"):
        heading_step(path)


def short_counts(headings: Model, tree: Model) -> tuple[Model, Model]:
    """Fewer counts of known titles than there are titles."""
    titles = dict(headings.arrays("titles.npz"))
    titles["headings"] = titles["headings"][:1]
    parts = {**headings.parts, "titles.npz": npz_part(titles)}
    return replace(headings, parts=parts), tree


def trees_of_the_other_step(headings: Model, tree: Model) -> tuple[Model, Model]:
    """Trees that expect other features than the tree step computes."""
    parts = {**tree.parts, "trees.onnx": headings.parts["trees.onnx"]}
    return headings, replace(tree, parts=parts)


@pytest.mark.parametrize(
    ("change", "reason"),
    [(short_counts, r"cannot be used: .*differ in number"), (trees_of_the_other_step, r"features, not \d+")],
)
def test_a_model_whose_parts_do_not_fit_is_told_from_a_fault_of_held(
    tmp_path: Path, change: Callable[[Model, Model], tuple[Model, Model]], reason: str
) -> None:
    kinds = (ModelKind.HEADINGS, ModelKind.PUT_OR_SKIP)
    shipped = [load_model("base", kind) for kind in kinds]
    for kind, changed in zip(kinds, change(*shipped), strict=True):
        save_model(tmp_path / f"{kind}.held", changed)
    objects = [{"text": f"{number} Harbours", "page": 1, "kind": "heading"} for number in (1, 2, 3)]
    with pytest.raises(FormatError, match=reason):
        build_tree(document_from_json({"objects": objects}), TreeOptions(model=str(tmp_path)))


def test_a_model_says_before_it_unpacks_that_it_is_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HELD_LIMITS", "model_bytes=1M")
    entries = {"model.json": files.metadata(), "trees.onnx": bytes(2 << 20)}
    path = files.model_of(tmp_path / "headings.held", entries)
    with pytest.raises(FormatError, match="unpacks to more than 1 MB"):
        load_model(path, ModelKind.HEADINGS)


@pytest.mark.parametrize("content", [b"[" * 100_000, b"\xff", b"[]", b"3", b'{"format": "held.calibration"}'])
def test_a_broken_calibration_is_refused(tmp_path: Path, content: bytes) -> None:
    for path in (WEIGHTS / "base").glob("*.held"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "calibration.json").write_bytes(content)
    with pytest.raises(FormatError, match="not a calibration"):
        load_calibration(tmp_path)
