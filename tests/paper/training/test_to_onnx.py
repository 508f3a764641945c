from itertools import pairwise

import numpy as np
import pytest
import torch

from held.headings.object_features import DocumentFeatures
from held.hierarchy.insertion import Question
from held.hierarchy.oracle import Example, examples
from held.models.store import Model, ModelKind
from held.paper.network_models import HeadingNetwork, PutOrSkipNetwork
from held.paper.network_steps import PutOrSkipScorer
from held.paper.training.embeddings import Embeddings, known_characters
from held.paper.training.examples import (
    TrainingWindow,
    epoch_tuples,
    gather,
    heading_batch,
    put_or_skip_batch,
    training_arrays,
)
from held.paper.training.networks import Headings, PutOrSkip
from held.paper.training.to_onnx import heading_parts, put_or_skip_parts
from held.training.settings import HeadingSettings, PutOrSkipSettings, plain, settings_for
from tests.training.small_corpus import HEADINGS, PUT_OR_SKIP, small_document

LABELLED = [small_document(seed) for seed in range(3)]
DOCUMENTS = [labelled.document for labelled in LABELLED]
TEXTS = [item.text for document in DOCUMENTS for item in document.objects]
CODE_POINTS = known_characters(TEXTS, most=50, rare=3)
VECTORS = np.random.default_rng(0).normal(size=(len(CODE_POINTS) + 2, 4)).astype(np.float32)
EMBEDDINGS = Embeddings(CODE_POINTS, VECTORS)


@pytest.mark.parametrize(
    "changes", [(), ("parent=false",), ("siblings=false",), ("text=false",), ("format=false",)]
)
def test_the_exported_network_gives_the_numbers_of_torch(changes: tuple[str, ...]) -> None:
    once = (*PUT_OR_SKIP, "tolerance=false", "max_siblings=2", *changes)
    form = settings_for(PutOrSkipSettings, "put-or-skip", preset="paper", changes=once)
    network = PutOrSkip(form, torch.from_numpy(VECTORS))
    arrays = training_arrays(gather(LABELLED, cut=64), CODE_POINTS, cut=form.text_length)
    tuples = epoch_tuples(arrays, form, 0)
    with torch.no_grad():
        batch = put_or_skip_batch(arrays, tuples, np.arange(len(tuples.labels)))
        wanted = torch.sigmoid(network(batch)).numpy()
    model = Model(ModelKind.PUT_OR_SKIP, "paper", put_or_skip_parts(network, EMBEDDINGS, form), plain(form))
    scorer = PutOrSkipScorer(PutOrSkipNetwork(model), DOCUMENTS)
    found = [
        score
        for index, tree in enumerate(arrays.documents)
        for example in examples(tree.tree, tree.headings)
        for score in scorer.score([question(index, example)])[0]
    ]
    assert found == pytest.approx(wanted, abs=1e-5)


def question(document: int, example: Example) -> Question:
    return Question(document, example.tree, example.obj, range(len(example.tree.positions)))


def test_the_exported_heading_network_gives_the_numbers_of_torch() -> None:
    form = settings_for(HeadingSettings, "headings", preset="paper", changes=(*HEADINGS, "window=64"))
    network = Headings(form, torch.from_numpy(VECTORS)).train()
    arrays = training_arrays(gather(LABELLED, cut=64), CODE_POINTS, cut=form.text_length)
    starts = [*(document.start for document in arrays.documents), len(arrays.texts)]
    windows = [TrainingWindow(i, a, b) for i, (a, b) in enumerate(pairwise(starts))]
    with torch.no_grad():
        network(heading_batch(arrays, windows, np.arange(3)))  # moves the running averages
        network.eval()
        wanted = torch.sigmoid(network(heading_batch(arrays, windows, np.arange(3))))
    model = Model(ModelKind.HEADINGS, "paper", heading_parts(network, EMBEDDINGS, form), plain(form))
    step = HeadingNetwork(model)
    for found, row in zip(
        step.probabilities([DocumentFeatures(document) for document in DOCUMENTS]), wanted, strict=True
    ):
        assert found == pytest.approx(row[: len(found)].numpy(), abs=1e-5)
