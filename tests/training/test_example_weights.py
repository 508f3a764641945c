"""What is learnt from: all methods leave out the same headings and weigh documents down alike."""

from dataclasses import replace

import numpy as np
import pytest

from held.corpus.store import LabelledDocument
from held.hierarchy.matching.nodes import MissingHeading
from held.paper.training.embeddings import known_characters
from held.paper.training.examples import (
    InsertionTuples,
    TrainingArrays,
    epoch_tuples,
    epoch_windows,
    gather,
    training_arrays,
    window_batch,
)
from held.paper.training.pembe import tuples_of
from held.training.boosted_data import training_document
from held.training.settings import PembeSettings, PutOrSkipSettings, WindowSettings
from held.training.trainers import (
    WeightSettings,
    document_weights,
    excluded_headings,
    length_weight,
    orphan_headings,
)
from held.tree import ROOT
from tests.training.small_corpus import small_document

FAIR = PembeSettings(power=0.5, balance=0.5, astray=False)


def with_a_missing_part() -> LabelledDocument:
    """A document whose second chapter hangs under a part that was recognised as no object."""
    labelled = small_document(0)
    chapters = [place for place, parent in enumerate(labelled.parents) if parent == ROOT]
    parents = list(labelled.parents)
    parents[chapters[1]] = len(parents)
    missing = MissingHeading("Part Two", None, chapters[1], ROOT, 0)
    return replace(labelled, parents=tuple(parents), missing=(missing,))


def of_domain(labelled: LabelledDocument, domain: str) -> LabelledDocument:
    return replace(labelled, domain=domain)


def test_a_heading_under_a_missing_one_is_astray() -> None:
    labelled = with_a_missing_part()
    (astray,) = orphan_headings(labelled)
    assert labelled.parents[astray] == len(labelled.labels)
    assert excluded_headings(labelled, WeightSettings(astray=True)) == frozenset()
    assert (
        excluded_headings(labelled, WeightSettings(astray=False))
        == {astray}
        == training_document(labelled).astray
    )


def test_without_balance_and_power_all_documents_count_alike() -> None:
    documents = [of_domain(small_document(seed), domain) for seed, domain in enumerate("aab")]
    assert document_weights(documents, WeightSettings()) == [1.0, 1.0, 1.0]


def test_with_full_balance_all_domains_count_alike() -> None:
    documents = [of_domain(small_document(seed), domain) for seed, domain in enumerate("aaab")]
    first, second, third, rare = document_weights(documents, WeightSettings(balance=1.0))
    assert first + second + third == pytest.approx(rare)


def test_with_full_power_a_long_document_counts_as_much_as_a_short_one() -> None:
    assert 200 * length_weight(200, 1.0) == pytest.approx(10 * length_weight(10, 1.0))


def test_the_regression_and_the_network_learn_from_the_same_headings() -> None:
    documents = [with_a_missing_part(), small_document(1)]
    taught = sum(len(labelled.headings) for labelled in documents) - 1
    assert tuples_of(documents, FAIR).labels.sum() == taught
    assert network_tuples(documents).labels.sum() == taught


def test_the_regression_and_the_network_weigh_documents_alike() -> None:
    documents = [of_domain(small_document(seed), domain) for seed, domain in enumerate("aab")]
    expected = set(np.asarray(document_weights(documents, FAIR), np.float32))
    assert set(tuples_of(documents, FAIR).weights) == expected
    assert set(network_tuples(documents).weights) == expected


def test_the_objects_of_a_window_count_as_much_as_their_document() -> None:
    arrays = arrays_of([small_document(0), small_document(1)])
    windows = epoch_windows(arrays, WindowSettings(window=64, margin=2), 0)
    batch = window_batch(arrays, windows, arrays.labels, np.arange(2), weights=[1.0, 3.0])
    assert [float(row.max()) for row in batch.weights] == [1.0, 3.0]


def arrays_of(documents: list[LabelledDocument]) -> TrainingArrays:
    gathered = gather(documents, cut=12)
    return training_arrays(gathered, known_characters(gathered.distinct, most=50, rare=1), cut=12)


def network_tuples(documents: list[LabelledDocument]) -> InsertionTuples:
    settings = PutOrSkipSettings(tolerance=False, power=0.5, balance=0.5, astray=False)
    return epoch_tuples(arrays_of(documents), settings, 0)
