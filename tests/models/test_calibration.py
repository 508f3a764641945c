"""Scores as probabilities that can be taken at their word."""

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.errors import FormatError
from held.models.inference import Calibration, calibrate, load_calibration, save_calibration
from held.models.store import WEIGHTS, ModelKind, load_model

CURVES = Calibration(heading=(0.5, 0.8), place=(-0.2, 0.7))


@pytest.fixture
def model(tmp_path: Path) -> Path:
    for file in (WEIGHTS / "base").glob("*.held"):
        shutil.copy(file, tmp_path)
    return tmp_path


@given(st.floats(0, 1))
def test_a_probability_is_one_whatever_the_score(score: float) -> None:
    assert 0 <= calibrate(CURVES.heading, score) <= 1


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_higher_score_never_gives_a_lower_probability(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert calibrate(CURVES.place, low) <= calibrate(CURVES.place, high)


@given(st.floats(0.001, 0.999))
def test_the_curve_of_weight_one_leaves_scores_as_they_are(score: float) -> None:
    assert calibrate((0.0, 1.0), score) == pytest.approx(score)


def test_a_calibration_is_found_beside_its_weights(model: Path) -> None:
    save_calibration(model, CURVES)
    assert load_calibration(model) == CURVES


def test_weights_without_calibration_have_none(model: Path) -> None:
    assert load_calibration(model) is None


def test_the_shipped_weights_and_their_calibration_are_those_that_were_saved(model: Path) -> None:
    # Where they are installed their hashes are not computed; in another folder they are.
    shutil.copy(WEIGHTS / "base" / "calibration.json", model)
    for kind in ModelKind:
        load_model(model, kind)
    assert load_calibration(model) == load_calibration("base") is not None


def test_a_calibration_of_other_weights_is_passed_over(model: Path) -> None:
    path = save_calibration(model, CURVES)
    with (model / "headings.held").open("ab") as file:
        file.write(b" ")
    assert path.exists()
    assert load_calibration(model) is None


@pytest.mark.parametrize("change", [{"heading": [1]}, {"place": ["a"]}, {"format": "other"}])
def test_a_broken_calibration_is_refused_with_its_file(model: Path, change: dict[str, object]) -> None:
    path = save_calibration(model, CURVES)
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(FormatError, match=r"calibration.json: not a calibration"):
        load_calibration(model)


def test_the_shipped_weights_are_calibrated() -> None:
    advice = "the weights changed: run `python -m research.calibration.run --data LABELLED`"
    assert load_calibration("base") is not None, advice


def test_a_limit_on_documents_in_json_does_not_refuse_a_models_own_calibration(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_calibration(model, CURVES)
    monkeypatch.setenv("HELD_LIMITS", "json_bytes=1")
    assert load_calibration(model) == CURVES


def test_a_calibration_is_as_large_as_a_model_may_be(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_calibration(model, CURVES)
    monkeypatch.setenv("HELD_LIMITS", "model_bytes=1")
    with pytest.raises(FormatError, match="not a calibration: holds more than 1 byte"):
        load_calibration(model)
