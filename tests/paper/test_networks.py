import sys
from dataclasses import replace
from pathlib import Path

import pytest

from held.document import Document
from held.errors import VersionError
from held.headings.object_features import DocumentFeatures
from held.hierarchy.insertion import Order, Strategy, build, build_many
from held.models.store import ModelKind
from held.paper.network_models import HeadingNetwork, PutOrSkipNetwork
from held.paper.network_steps import OneInquiryScorer, PutOrSkipScorer

sys.path.append(str(Path(__file__).parents[1] / "training"))
from tests.training.small_corpus import small_document, untrained

LABELLED = tuple(small_document(seed) for seed in range(4))
DOCUMENTS = [labelled.document for labelled in LABELLED]
OBJECTS = [labelled.headings for labelled in LABELLED]


@pytest.fixture(scope="module")
def put_or_skip() -> PutOrSkipNetwork:
    return PutOrSkipNetwork(untrained(ModelKind.PUT_OR_SKIP, "max_siblings=2"))


@pytest.fixture(scope="module")
def headings() -> HeadingNetwork:
    return HeadingNetwork(untrained(ModelKind.HEADINGS))


@pytest.mark.parametrize(
    "strategy", [Strategy(), Strategy(Order.L2R), Strategy(Order.R2L), Strategy(width=3)]
)
def test_the_fast_way_gives_what_the_papers_way_gives(
    put_or_skip: PutOrSkipNetwork, strategy: Strategy
) -> None:
    fast = build_many(OBJECTS, PutOrSkipScorer(put_or_skip, DOCUMENTS, OBJECTS), strategy)
    slow = build_many(OBJECTS, OneInquiryScorer(put_or_skip, DOCUMENTS), strategy)
    assert [f.tree for f in fast] == [s.tree for s in slow]
    assert [f.log_probability for f in fast] == pytest.approx([s.log_probability for s in slow], abs=1e-4)


def test_a_model_without_the_graph_for_inquiries_is_refused() -> None:
    model = untrained(ModelKind.PUT_OR_SKIP)
    old = replace(model, parts={name: part for name, part in model.parts.items() if name != "inquire.onnx"})
    with pytest.raises(VersionError, match="another version"):
        PutOrSkipNetwork(old)


def test_documents_do_not_disturb_each_other(put_or_skip: PutOrSkipNetwork) -> None:
    together = build_many(OBJECTS, PutOrSkipScorer(put_or_skip, DOCUMENTS))
    for document, objects, found in zip(DOCUMENTS, OBJECTS, together, strict=True):
        alone = build(objects, PutOrSkipScorer(put_or_skip, [document]))
        assert alone.tree == found.tree
        assert alone.log_probability == pytest.approx(found.log_probability, abs=1e-4)


def test_forgetting_states_changes_nothing(
    put_or_skip: PutOrSkipNetwork, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = build_many(OBJECTS, PutOrSkipScorer(put_or_skip, DOCUMENTS))
    monkeypatch.setattr("held.paper.network_steps._MIN_STATES", 1)
    forgetful = build_many(OBJECTS, PutOrSkipScorer(put_or_skip, DOCUMENTS))
    assert [f.tree for f in forgetful] == [k.tree for k in known]


def test_a_document_with_no_objects_has_no_headings(
    headings: HeadingNetwork, put_or_skip: PutOrSkipNetwork
) -> None:
    empty = Document("d", (), ())
    assert headings.probabilities([DocumentFeatures(empty)])[0].shape == (0,)
    assert build([], PutOrSkipScorer(put_or_skip, [empty], [[]])).tree.size == 0


def test_every_object_gets_a_probability(headings: HeadingNetwork) -> None:
    found = headings.probabilities([DocumentFeatures(document) for document in DOCUMENTS])
    assert [len(row) for row in found] == [len(document.objects) for document in DOCUMENTS]
    assert all(((row > 0) & (row < 1)).all() for row in found)


def test_fifty_thousand_objects_are_judged(headings: HeadingNetwork) -> None:
    document = DOCUMENTS[0]
    many = replace(document, objects=(document.objects * 50_000)[:50_000])
    found = headings.probabilities([DocumentFeatures(many)])[0]
    period = len(document.objects)
    assert len(found) == 50_000
    assert found[10 * period : 11 * period] == pytest.approx(found[20 * period : 21 * period], abs=0.2)


def test_a_document_of_headings_alone_becomes_a_tree(put_or_skip: PutOrSkipNetwork) -> None:
    document = DOCUMENTS[0]
    many = replace(document, objects=document.objects * 20)
    found = build(range(len(many.objects)), PutOrSkipScorer(put_or_skip, [many]))
    assert found.tree.pre_order() == tuple(range(len(many.objects)))
