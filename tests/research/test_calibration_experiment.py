"""Fitting and measuring the calibration, on made-up scores and documents."""

import json
import random
import shutil
from pathlib import Path

import numpy as np
import pytest
from research.calibration.fit import brier, calibration_error, cross_validate, fit, wide_bins
from research.calibration.page import page
from research.calibration.plot import reliability_plot
from research.calibration.run import ROOT, main, measure, measure_fitted
from research.calibration.scored_headings import ScoredHeading, score_documents

from held.corpus.store import LabelledDocument, write_labelled
from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject, Style
from held.metrics import Label
from held.models.inference import calibrate, load_calibration
from held.models.store import WEIGHTS

RESULTS = ROOT / "research" / "calibration" / "results"
BODY, BOLD = Style("Serif", 10.0), Style("Serif", 14.0, bold=True)


def overconfident(count: int) -> list[ScoredHeading]:
    """Headings whose place is right in eight of ten cases although the score says 0.95 or 0.99."""
    rng = random.Random(0)
    return [
        ScoredHeading("science", rng.randrange(2), 0.999, rng.choice((0.95, 0.99)), True, rng.random() < 0.8)
        for _ in range(count)
    ]


def test_what_a_calibration_says_of_other_documents_is_held_against_what_is_right() -> None:
    curves = fit(overconfident(400))
    found = measure_fitted(overconfident(300), curves)["domains"]["science"]
    assert found["certainty"] == pytest.approx(0.8, abs=0.05)
    assert found["ece"] < found["ece before"]


def test_the_page_tells_of_test_only_where_that_was_judged() -> None:
    results = json.loads((RESULTS / "base.json").read_text(encoding="utf-8"))
    on_test = measure_fitted(overconfident(30), None) | {"documents": 7}
    assert "the 7 documents of test" in page(results, on_test)
    assert "documents of test" not in page(results)


def labelled(group: str = "g") -> LabelledDocument:
    """Chapters with a section and a text each; the first section is unknown, the last chapter body."""
    texts = [
        t for n in range(1, 9) for t in (f"{n} Chapter of things", f"{n}.1 Section of things", "Text. " * 30)
    ]
    labels = [Label.HEADING, Label.HEADING, Label.BODY] * 8
    labels[1], labels[21] = Label.UNKNOWN, Label.BODY
    objects = tuple(
        PhysicalObject(
            Kind.PARAGRAPH,
            text,
            (PageRegion(1 + n // 6, Box(72, 80 + 90 * (n % 6), 300, 95 + 90 * (n % 6))),),
            BODY if n % 3 == 2 else BOLD,
            relative_size=1.0 if n % 3 == 2 else 1.4,
            gap_above=14,
        )
        for n, text in enumerate(texts)
    )
    parents = tuple((-1, n - 1, n - 1)[n % 3] for n in range(24))
    parents = (*parents[:21], 19, 19, 22)
    document = Document("made up", (PageSize(595, 842),) * 4, objects, body=BODY)
    return LabelledDocument(
        f"en_fin-{group}",
        document,
        tuple(labels),
        parents,
        (-1,) * 24,
        split="valid",
        group=group,
        domain="en_fin",
    )


def test_overconfidence_is_mended() -> None:
    judged = overconfident(4000)
    right = np.array([one.place_is_right for one in judged], float)
    before = np.array([one.heading_score * one.place_score for one in judged])
    assert calibration_error(before, right) > 0.15
    assert calibration_error(cross_validate(judged), right) < 0.03


def test_the_curves_give_the_share_that_is_right() -> None:
    assert calibrate(fit(overconfident(4000)).place, 0.97) == pytest.approx(0.8, abs=0.03)


def test_a_perfect_forecast_has_no_error() -> None:
    right = np.array([0.0, 1.0, 1.0])
    assert calibration_error(right, right) == brier(right, right) == 0


def test_wide_bins_have_every_heading_once() -> None:
    certainties = np.linspace(0, 1, 57)
    assert sum(one.headings for one in wide_bins(certainties, np.ones(57))) == 57


def test_headings_are_judged_by_their_true_parents_and_unknown_ones_left_out() -> None:
    judged = score_documents([labelled()], "base")
    assert len(judged) >= 12
    assert [one.is_heading for one in judged].count(False) <= 1
    assert all(one.place_is_right for one in judged[:10])


def test_marking_below_a_least_certainty_finds_wrong_ones() -> None:
    judged = overconfident(400)
    marked = measure(judged, fit(judged))["thresholds"]["0.95"]
    assert marked["precision"] == pytest.approx(0.2, abs=0.06)
    assert marked["recall"] == 1.0


def test_the_plot_is_well_formed() -> None:
    from xml.etree import ElementTree

    bins = wide_bins(np.array([0.1, 0.9, 0.95]), np.array([0.0, 1.0, 1.0]))
    assert ElementTree.fromstring(reliability_plot(bins, bins)).tag.endswith("svg")


def test_one_command_writes_numbers_results_page_and_plot(tmp_path: Path) -> None:
    for group in ("a", "b", "c", "d"):
        write_labelled(tmp_path, labelled(group))
    model = tmp_path / "mine"
    shutil.copytree(WEIGHTS / "base", model, ignore=shutil.ignore_patterns("calibration.json"))
    options = [
        "--data",
        tmp_path,
        "--model",
        model,
        "--results",
        tmp_path / "results",
        "--docs",
        tmp_path / "docs",
    ]
    assert main([str(option) for option in options]) == 0
    assert load_calibration(model) is not None
    assert json.loads((tmp_path / "results" / "mine.json").read_text())["documents"] == 4
    assert "4 documents of valid" in (tmp_path / "docs" / "calibration.md").read_text()
