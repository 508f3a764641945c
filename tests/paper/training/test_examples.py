from dataclasses import replace

import numpy as np
import pytest

from held.corpus.store import LabelledDocument
from held.hierarchy.matching.nodes import MissingHeading
from held.metrics import Label
from held.paper.network_inputs import EMPTY_CODE, FIRST_OBJECT, ROOT_CODE
from held.paper.training.examples import (
    TrainingArrays,
    epoch_tuples,
    epoch_windows,
    gather,
    heading_batch,
    put_or_skip_batch,
    put_or_skip_epoch,
    training_arrays,
)
from held.paper.training.network_trainer import is_sampled
from held.training.settings import HeadingSettings, PutOrSkipSettings
from tests.training.small_corpus import small_document

CODE_POINTS = np.array(sorted(map(ord, "0123456789. ")), dtype=np.int32)
QUIET = PutOrSkipSettings(tolerance=False)


def arrays_of(*documents: LabelledDocument) -> TrainingArrays:
    found = gather(documents or [small_document(0), small_document(1)], cut=64)
    return training_arrays(found, CODE_POINTS, cut=64)


def sequences_of(settings: PutOrSkipSettings) -> list[list[int]]:
    tuples = epoch_tuples(arrays_of(small_document(0)), settings, 0)
    rows = zip(tuples.sequences, tuples.lengths, strict=True)
    return [sequence[:length].tolist() for sequence, length in rows]


def test_a_sequence_is_parent_siblings_object() -> None:
    first, second = FIRST_OBJECT, FIRST_OBJECT + 1
    assert sequences_of(QUIET)[:3] == [
        [ROOT_CODE, EMPTY_CODE, first],
        [ROOT_CODE, first, second],
        [first, EMPTY_CODE, second],
    ]


def test_without_parent_and_siblings_the_object_is_alone() -> None:
    alone = replace(QUIET, parent=False, siblings=False)
    assert {len(sequence) for sequence in sequences_of(alone)} == {1}


def test_only_the_last_siblings_are_read() -> None:
    assert max(map(len, sequences_of(replace(QUIET, max_siblings=1)))) == 3


def test_each_heading_is_put_once() -> None:
    arrays = arrays_of()
    tuples = epoch_tuples(arrays, QUIET, 0)
    assert tuples.labels.sum() == sum(len(document.headings) for document in arrays.documents)


def test_one_step_puts_every_object() -> None:
    arrays = arrays_of()
    tuples = epoch_tuples(arrays, replace(QUIET, two_step=False), 0)
    assert tuples.labels.sum() == len(arrays.texts)


def test_errors_differ_from_epoch_to_epoch_and_repeat_with_the_seed() -> None:
    noisy = PutOrSkipSettings(misplaced=0.5, dropped=0.1, false=0.1)
    first, again, second = (epoch_tuples(arrays_of(), noisy, number) for number in (0, 0, 1))
    assert np.array_equal(first.sequences, again.sequences)
    assert first.sequences.shape != second.sequences.shape or (first.sequences != second.sequences).any()


def test_an_epoch_has_every_tuple_once() -> None:
    settings = replace(QUIET, batch_size=7, chunk=3)
    arrays = arrays_of()
    rows = np.concatenate(put_or_skip_epoch(arrays, settings, 0).rows)
    assert sorted(rows) == list(range(len(epoch_tuples(arrays, settings, 0).labels)))


def test_a_batch_holds_every_text_once() -> None:
    arrays = arrays_of(small_document(0), small_document(0))
    tuples = epoch_tuples(arrays, QUIET, 0)
    batch = put_or_skip_batch(arrays, tuples, np.arange(len(tuples.labels)))
    texts = {tuple(row) for row in batch.ids.tolist()}
    assert len(texts) == len(batch.ids) < len(batch.texts)


def test_a_batch_refers_to_the_same_objects_as_its_tuples() -> None:
    arrays = arrays_of()
    tuples = epoch_tuples(arrays, QUIET, 0)
    rows = np.array([20, 3, 11])
    batch = put_or_skip_batch(arrays, tuples, rows)
    for row, sequence in zip(rows, batch.sequences, strict=True):
        last = batch.lengths[list(rows).index(row)] - 1
        obj = tuples.sequences[row, tuples.lengths[row] - 1] - FIRST_OBJECT
        assert batch.formats[sequence[last] - FIRST_OBJECT].tolist() == arrays.formats[obj].tolist()


def test_a_heading_without_object_is_spliced_out() -> None:
    labelled = small_document(0)
    count = len(labelled.labels)
    parents = tuple(count if parent == 0 else parent for parent in labelled.parents)
    missing = MissingHeading("lost", 1, before=1, parent=0, entry=0)
    tree = arrays_of(replace(labelled, parents=parents, missing=(missing,))).documents[0].tree
    assert list(tree.parents().values()) == list(labelled.parents)


@pytest.mark.parametrize("number", range(3))
def test_windows_cover_every_object_once(number: int) -> None:
    arrays = arrays_of()
    windows = epoch_windows(arrays, HeadingSettings(window=8, margin=1), number)
    covered = sorted(obj for window in windows for obj in range(window.start, window.end))
    assert covered == list(range(len(arrays.texts)))


def test_the_loss_looks_away_from_unknown_objects_and_padding() -> None:
    labelled = small_document(0)
    arrays = arrays_of(replace(labelled, labels=(Label.UNKNOWN, *labelled.labels[1:])), small_document(1))
    windows = epoch_windows(arrays, HeadingSettings(window=64), 0)
    batch = heading_batch(arrays, windows, np.arange(len(windows)))
    assert batch.weights[0, 0] == 0
    assert batch.weights.sum() == len(arrays.texts) - 1


def test_a_larger_sample_has_the_documents_of_a_smaller_one() -> None:
    names = [f"science-{number:08x}" for number in range(400)]
    half, tenth = ({name for name in names if is_sampled(name, share)} for share in (0.5, 0.1))
    assert tenth < half
    assert 150 < len(half) < 250
    assert all(is_sampled(name, 1.0) for name in names)
