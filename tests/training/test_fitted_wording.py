"""Titles learnt from labelled documents: what holds others lies higher, and no document teaches itself."""

from dataclasses import replace

import pytest

pytest.importorskip("sklearn", reason="training needs the extra `train`")

from held.headings.text_features import key
from held.training.boosted_data import (
    TrainingDocument,
    fit_wording,
    training_document,
    unseen_wordings,
)
from tests.training.test_boosted_training import labelled


def report(name: str, outer: str, inner: str) -> TrainingDocument:
    """Chapters with one title, each with a section of another title."""
    document = labelled(name, chapters=5)
    objects = []
    for obj in document.document.objects:
        title = inner if ".1" in obj.text else outer
        objects.append(replace(obj, text=obj.text.replace("Title", title)))
    return training_document(replace(document, document=replace(document.document, objects=tuple(objects))))


def reports(count: int = 8) -> list[TrainingDocument]:
    return [report(f"group {number}", "Directors’ report", "Dividends") for number in range(count)]


def test_titles_that_hold_others_are_expected_higher() -> None:
    wording = fit_wording(reports())
    titles = [key(title) for title in ("Report of the directors’", "Dividends paid")]
    (outer_level, outer_inner), (inner_level, inner_inner) = wording.features(titles).tolist()
    assert outer_level < inner_level
    assert outer_inner > inner_inner


def test_a_document_is_described_without_its_own_titles() -> None:
    documents = [*reports(), report("odd one", "Zyxwvutsr", "Qponmlkji")]
    *_, unseen = unseen_wordings(documents)
    everything = fit_wording(documents)
    titles = [key("Zyxwvutsr"), key("Qponmlkji")]
    outer, inner = everything.features(titles)[:, 0]
    outer_unseen, inner_unseen = unseen.features(titles)[:, 0]
    assert inner - outer > 0.3
    assert abs(inner_unseen - outer_unseen) < 0.05
