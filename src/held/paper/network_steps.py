"""Both steps of a model with the published networks, as `held.hierarchy.pipeline` loads them.

The scorer encodes each text once and caches the encodings of positions, so that scoring a position again
costs one small matrix product.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.document import Document
from held.headings.object_features import DocumentFeatures
from held.hierarchy.insertion import Question
from held.models.store import Model
from held.numbering import parse_number
from held.paper.network_inputs import (
    FIRST_OBJECT,
    FORMAT_SIZE,
    ROOT_CODE,
    Codes,
    Floats,
    Ids,
    format_vectors,
    longest_sequence,
)
from held.paper.network_models import FORMAT, TEXT, HeadingNetwork, PutOrSkipNetwork
from held.tree import ROOT, Position

# The cache holds the states of a long document's headings. If they do not fit, the cache is cleared.
_MIN_STATES = 8192
_MAX_NUMBER_LENGTH = 64  # characters of a text that are searched for a number
_GATES = 4  # of an LSTM: input, forget, cell, output

Sequences = Iterable[tuple[int, ...]]


class NetworkTreeStep:
    """The tree step of a put-or-skip network.

    The paper's joint probability of a tree is the product of the network's outputs, one per insertion, so
    nothing is normalised.
    """

    normalise = False

    def __init__(self, network: PutOrSkipNetwork) -> None:
        self._network = network
        self.every_object = not network.settings["two_step"]

    def scorer(
        self, documents: Sequence[DocumentFeatures], objects: Sequence[Sequence[int]]
    ) -> PutOrSkipScorer:
        """A scorer for these objects of the documents."""
        return PutOrSkipScorer(self._network, [features.document for features in documents], objects)


class _Inquiry(NamedTuple):
    """May this object be put at this position? The codes are those of its document."""

    codes: Codes
    obj: int
    position: Position


class PutOrSkipScorer:
    """Scores the positions of `objects`, by default all objects, of these documents.

    At a position the network reads a sequence of codes, then the object's code. Each sequence has a slot in
    the cache, which holds the forward state after it, its codes from last to first, and its length.
    """

    def __init__(
        self,
        network: PutOrSkipNetwork,
        documents: Sequence[Document],
        objects: Sequence[Sequence[int]] | None = None,
    ) -> None:
        self._network = network
        self._documents = documents
        self._codes: list[dict[int, int]] = []
        texts: list[str] = []
        formats = [np.zeros((0, FORMAT_SIZE), dtype=np.float32)]
        everything: Sequence[Sequence[int]] = [range(len(document.objects)) for document in documents]
        for document, chosen in zip(documents, objects or everything, strict=True):
            first = FIRST_OBJECT + len(texts)
            codes = {obj: first + row for row, obj in enumerate(chosen)}
            self._codes.append({ROOT: ROOT_CODE} | codes)
            texts += [document.objects[obj].text for obj in chosen]
            formats.append(format_vectors(document, chosen))
        self._formats: Floats = np.concatenate(formats)
        self._ahead, self._back = network.gate_inputs(texts, self._formats)
        self._clear_cache(0)

    def kinds(self, document: int) -> dict[int, Hashable]:
        """The format of each object and the pattern of its number."""
        objects = self._documents[document].objects
        kinds: dict[int, Hashable] = {}
        for obj, code in self._codes[document].items():
            if obj == ROOT:
                continue
            number = parse_number(objects[obj].text[:_MAX_NUMBER_LENGTH])
            pattern = None if number is None else number.pattern
            format_bytes = self._formats[code - FIRST_OBJECT].tobytes()
            kinds[obj] = format_bytes, pattern
        return kinds

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        """For each question the probability of put at each of its positions."""
        inquiries = []
        for document, tree, obj, positions in questions:
            codes = self._codes[document]
            inquiries += [_Inquiry(codes, obj, tree.positions[position]) for position in positions]
        slots = self._slots_of(inquiries)
        keys = [(inquiry.codes[inquiry.obj], slot) for inquiry, slot in zip(inquiries, slots, strict=True)]
        new_keys = [key for key in dict.fromkeys(keys) if key not in self._probabilities]
        if new_keys:
            objects, new_slots = np.array(new_keys).T
            probabilities = self._put_probabilities(objects, new_slots)
            self._probabilities.update(zip(new_keys, probabilities, strict=True))
        scores = (self._probabilities[key] for key in keys)
        return [[next(scores) for _ in question.positions] for question in questions]

    def _clear_cache(self, sequences: int) -> None:
        """Clear the cache and make room for at least so many sequences."""
        size = self._network.size
        room = max(_MIN_STATES, 2 * sequences + 1)
        longest = longest_sequence(self._network.settings)
        # By slot: what the forward state adds to the next gates, its cell, and the codes from last to first.
        self._added = np.zeros((room, _GATES * size), dtype=np.float32)
        self._cells = np.zeros((room, size), dtype=np.float32)
        self._reversed_codes = np.zeros((room, longest), dtype=np.int64)
        self._lengths = np.zeros(room, dtype=np.int64)
        self._slots: dict[tuple[int, ...], int] = {(): 0}  # the state before the first code is all zeros
        self._slot_of_position: dict[Position, int] = {}
        self._probabilities: dict[tuple[int, int], float] = {}  # by the object's code and the slot

    def _slots_of(self, inquiries: Sequence[_Inquiry]) -> list[int]:
        """The slot of each inquiry's position; missing forward states are computed first."""
        new: dict[Position, tuple[int, ...]] = {}
        for codes, _, position in inquiries:
            if position not in self._slot_of_position:
                new[position] = self._network.sequence(position, codes)
        missing = self._missing_sequences(new.values())
        if len(self._slots) + len(missing) > len(self._cells):
            max_sequences = len(inquiries) * self._reversed_codes.shape[1]
            self._clear_cache(max_sequences)
            return self._slots_of(inquiries)
        self._store_states(missing)
        for position, sequence in new.items():
            self._slot_of_position[position] = self._slots[sequence]
        return [self._slot_of_position[inquiry.position] for inquiry in inquiries]

    def _missing_sequences(self, sequences: Sequences) -> list[tuple[int, ...]]:
        """The sequences and their prefixes that have no slot yet, the shortest first."""
        missing: dict[tuple[int, ...], None] = {}
        for sequence in sequences:
            while sequence not in self._slots and sequence not in missing:
                missing[sequence] = None
                sequence = sequence[:-1]
        return sorted(missing, key=len)

    def _store_states(self, sequences: Sequence[tuple[int, ...]]) -> None:
        """Compute the forward states after sequences, the shortest first, each from that of its prefix."""
        for length, group in groupby(sequences, key=len):
            same_length = list(group)
            prefix_slots = np.array([self._slots[sequence[:-1]] for sequence in same_length])
            last_codes = np.array([sequence[-1] for sequence in same_length])
            first_free = len(self._slots)
            new = slice(first_free, first_free + len(same_length))
            self._added[new], self._cells[new] = self._network.run(
                "ahead", self._added[prefix_slots], self._cells[prefix_slots], self._ahead[last_codes]
            )
            self._reversed_codes[new, 0] = last_codes
            self._reversed_codes[new, 1:] = self._reversed_codes[prefix_slots, :-1]
            self._lengths[new] = length
            self._slots.update(zip(same_length, range(new.start, new.stop), strict=True))

    def _put_probabilities(self, objects: Ids, slots: Ids) -> list[float]:
        """The probability of put for each object after the sequence in a slot."""
        # The longest sequences come first, so that the shorter ones drop out of later steps from the end.
        order = np.argsort(-self._lengths[slots], kind="stable")
        objects, slots = objects[order], slots[order]
        # The first backward step reads only the object, so it is computed once for each distinct object.
        distinct, index_of_distinct = np.unique(objects, return_inverse=True)
        codes = self._reversed_codes[slots]
        # counts[k] is how many sequences have more than k codes. `searchsorted` needs rising values, and
        # lengths fall, so both sides are negated.
        steps = np.arange(codes.shape[1])
        counts = np.searchsorted(-self._lengths[slots], -steps)
        cache = self._added, self._cells, self._ahead, self._back
        probabilities = np.empty(len(order))
        (probabilities[order],) = self._network.run(
            "inquire", *cache, objects, slots, distinct, index_of_distinct, codes, counts
        )
        return probabilities.tolist()


class OneInquiryScorer:
    """The paper's procedure: each inquiry encodes all texts that it reads, in a network call of its own."""

    def __init__(self, network: PutOrSkipNetwork, documents: Sequence[Document]) -> None:
        self._network = network
        self._texts = [[item.text for item in document.objects] for document in documents]
        self._formats = [format_vectors(document) for document in documents]

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        """For each question the probability of put at each of its positions."""
        return [
            [self._inquire(question, position) for position in question.positions] for question in questions
        ]

    def _inquire(self, question: Question, position: int) -> float:
        tree_position = question.tree.positions[position]
        siblings = tree_position.siblings(self._network.settings["max_siblings"])
        distinct = dict.fromkeys([tree_position.parent, *siblings, question.obj])
        objects = [obj for obj in distinct if obj != ROOT]
        codes = {ROOT: ROOT_CODE} | {obj: FIRST_OBJECT + row for row, obj in enumerate(objects)}
        sequence = (*self._network.sequence(tree_position, codes), codes[question.obj])
        inputs: list[NDArray[Any]] = [np.array([sequence])]
        if TEXT in self._network.strands:
            texts = self._texts[question.document]
            inputs += self._network.character_ids([texts[obj] for obj in objects])
        if FORMAT in self._network.strands:
            inputs.append(self._formats[question.document][objects])
        (probability,) = self._network.run("inquiry", *inputs)
        return float(probability[0])


__all__ = ["heading_step", "tree_step"]


def heading_step(model: Model, *, threads: int = 1, disabled: Collection[str] = ()) -> HeadingNetwork:
    """The heading step of a model; its exclusions cannot be disabled."""
    return HeadingNetwork(model, threads=threads)


def tree_step(model: Model, *, threads: int = 1, disabled: Collection[str] = ()) -> NetworkTreeStep:
    """The tree step of a model, one-step or two-step as it was trained; it has no constraints."""
    return NetworkTreeStep(PutOrSkipNetwork(model, threads=threads))
