"""Both steps of a model with the published networks, as `held.hierarchy.steps` loads them.

The scorer encodes each text once and caches the encodings of positions, so that a position that is asked
about again costs one small matrix product.
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

# Room for the states of a long document's headings; where it does not suffice, all are forgotten.
_LEAST_STATES = 8192
_NUMBER = 64  # characters of a text that are searched for a number
_GATES = 4  # of an LSTM: enter, forget, new, leave

Sequences = Iterable[tuple[int, ...]]


class NetworkTreeStep:
    """The tree step: its network, which `scorer` makes serve some documents.

    The paper's joint probability of a tree is the product of what the network says of each insertion, so
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
        return PutOrSkipScorer(self._network, [seen.document for seen in documents], objects)


class _Asked(NamedTuple):
    """An inquiry: may this object be put at this position? The codes are those of its document."""

    codes: Codes
    obj: int
    position: Position


class PutOrSkipScorer:
    """Scores questions about these documents; `objects` are those to be asked about, all by default.

    What is read before the object is a sequence of codes, and each sequence has a slot: for the forward state
    after it, for its codes from the last to the first, and for their number.
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
        for document, own in zip(documents, objects or everything, strict=True):
            first = FIRST_OBJECT + len(texts)
            codes = {obj: first + row for row, obj in enumerate(own)}
            self._codes.append({ROOT: ROOT_CODE} | codes)
            texts += [document.objects[obj].text for obj in own]
            formats.append(format_vectors(document, own))
        self._formats: Floats = np.concatenate(formats)
        # What each code adds to the gates, in either direction.
        self._ahead, self._back = network.added_to_gates(texts, self._formats)
        self._forget(0)

    def kinds(self, document: int) -> dict[int, Hashable]:
        """The format of each object and the pattern of its number."""
        objects = self._documents[document].objects
        found: dict[int, Hashable] = {}
        for obj, code in self._codes[document].items():
            if obj == ROOT:
                continue
            number = parse_number(objects[obj].text[:_NUMBER])
            pattern = None if number is None else number.pattern
            look = self._formats[code - FIRST_OBJECT].tobytes()
            found[obj] = look, pattern
        return found

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        """For each question the probability of put at each of its positions."""
        asked = [
            _Asked(self._codes[document], obj, tree.positions[position])
            for document, tree, obj, positions in questions
            for position in positions
        ]
        slots = self._slots_of(asked)
        inquiries = [(each.codes[each.obj], slot) for each, slot in zip(asked, slots, strict=True)]
        new = [inquiry for inquiry in dict.fromkeys(inquiries) if inquiry not in self._known]
        if new:
            objects, states = np.array(new).T
            probabilities = self._judged(objects, states)
            self._known.update(zip(new, probabilities, strict=True))
        scores = (self._known[inquiry] for inquiry in inquiries)
        return [[next(scores) for _ in question.positions] for question in questions]

    def _forget(self, needed: int) -> None:
        """Begin anew with room for the states after so many sequences at least."""
        size = self._network.size
        room = max(_LEAST_STATES, 2 * needed + 1)
        longest = longest_sequence(self._network.settings)
        # By slot: what the state after a sequence adds to the next gates, its cells, and the sequence itself.
        self._added = np.zeros((room, _GATES * size), dtype=np.float32)
        self._cells = np.zeros((room, size), dtype=np.float32)
        self._reads = np.zeros((room, longest), dtype=np.int64)
        self._lengths = np.zeros(room, dtype=np.int64)
        self._slots: dict[tuple[int, ...], int] = {(): 0}  # before anything was read, the state is blank
        self._places: dict[Position, int] = {}  # the slot of each position that was asked about
        self._known: dict[tuple[int, int], float] = {}  # the probability by code and slot

    def _slots_of(self, asked: Sequence[_Asked]) -> list[int]:
        """The slot of each position, once the forward states there are known."""
        new = {
            position: self._network.sequence(position, codes)
            for codes, _, position in asked
            if position not in self._places
        }
        unread = self._unread(new.values())
        if len(self._slots) + len(unread) > len(self._cells):
            most_sequences = len(asked) * self._reads.shape[1]
            self._forget(most_sequences)
            return self._slots_of(asked)
        self._read_ahead(unread)
        self._places |= {position: self._slots[sequence] for position, sequence in new.items()}
        return [self._places[each.position] for each in asked]

    def _unread(self, sequences: Sequences) -> list[tuple[int, ...]]:
        """The sequences, and those they grow out of, whose states are not known, the shortest first."""
        unread: dict[tuple[int, ...], None] = {}
        for sequence in sequences:
            while sequence not in self._slots and sequence not in unread:
                unread[sequence] = None
                sequence = sequence[:-1]
        return sorted(unread, key=len)

    def _read_ahead(self, sequences: Sequence[tuple[int, ...]]) -> None:
        """Store the states after sequences, the shortest first; each is one step from a shorter one."""
        for length, alike in groupby(sequences, key=len):
            own = list(alike)
            before = np.array([self._slots[sequence[:-1]] for sequence in own])
            last = np.array([sequence[-1] for sequence in own])
            first_free = len(self._slots)
            new = slice(first_free, first_free + len(own))
            self._added[new], self._cells[new] = self._network.run(
                "ahead", self._added[before], self._cells[before], self._ahead[last]
            )
            # The network reads back from the last code, so a longer sequence begins with its own last one.
            self._reads[new, 0] = last
            self._reads[new, 1:] = self._reads[before, :-1]
            self._lengths[new] = length
            self._slots.update(zip(own, range(new.start, new.stop), strict=True))

    def _judged(self, objects: Ids, slots: Ids) -> list[float]:
        """The probability of put for each object after the sequence in a slot."""
        # The longest sequences come first: the shorter ones drop out of later steps from the end.
        order = np.argsort(-self._lengths[slots], kind="stable")
        objects, slots = objects[order], slots[order]
        # The first step back is over the object alone, so it is done once for each of them.
        once, of = np.unique(objects, return_inverse=True)
        reads = self._reads[slots]
        # How many sequences are longer than each number of steps; lengths fall, and negated they rise.
        steps = np.arange(reads.shape[1])
        counts = np.searchsorted(-self._lengths[slots], -steps)
        known = self._added, self._cells, self._ahead, self._back
        found = np.empty(len(order))
        (found[order],) = self._network.run("inquire", *known, objects, slots, once, of, reads, counts)
        return found.tolist()


class OneInquiryScorer:
    """The paper's way: each inquiry encodes all texts that it sees and is a network call of its own."""

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
        place = question.tree.positions[position]
        siblings = place.siblings(self._network.settings["max_siblings"])
        read = dict.fromkeys([place.parent, *siblings, question.obj])
        objects = [obj for obj in read if obj != ROOT]
        codes = {ROOT: ROOT_CODE} | {obj: FIRST_OBJECT + row for row, obj in enumerate(objects)}
        sequence = (*self._network.sequence(place, codes), codes[question.obj])
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
