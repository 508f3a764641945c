"""The networks of preset `paper` at inference, through ONNX Runtime.

Every object is encoded once, and what it adds to the gates of the LSTMs is computed once; all positions of
all questions go through together, the same inquiry only once; the forward state over a position's parent and
siblings is kept, and a new sibling adds one step to it. `OneInquiryScorer` does what the paper does: one call
of the network for each inquiry.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from held.document import Document
from held.errors import VersionError
from held.insertion.scorer import Question
from held.models.network_inputs import FORMAT_SIZE, Floats, Ids, character_ids, format_vectors
from held.models.store import Model
from held.numbering import parse
from held.tree import ROOT, Position

ROOT_CODE, EMPTY_CODE, FIRST_OBJECT = 0, 1, 2
"""How a sequence names what is no object; object k of all is FIRST_OBJECT + k."""

_TEXTS_AT_ONCE = 32
_WINDOWS_AT_ONCE = 16
_LEAST_STATES = 8192

_NUMBER = 64  # characters of a text that are searched for a number

Codes = Mapping[int, int]
"""The code of each object of a document, and of its root."""


def position_sequence(
    position: Position, codes: Codes, *, max_siblings: int, parent: bool, siblings: bool
) -> tuple[int, ...]:
    """The codes of what the network reads before the object: the parent, then siblings or an empty slot."""
    before = (codes[position.parent],) if parent else ()
    if not siblings:
        return before
    own = position.siblings(max_siblings)
    return (*before, *[codes[sibling] for sibling in own]) if own else (*before, EMPTY_CODE)


def longest_sequence(settings: Mapping[str, Any]) -> int:
    """How many codes a network reads before the object at most."""
    return int(settings["parent"]) + (max(1, settings["max_siblings"]) if settings["siblings"] else 0)


class PutOrSkipNetwork:
    """A put-or-skip model, ready to run."""

    def __init__(self, model: Model, *, threads: int = 1) -> None:
        if "inquire.onnx" not in model.parts:
            raise VersionError(
                "the put-or-skip model was exported by another version of held",
                advice="train it again: `held train put-or-skip --from MODEL` begins at its weights",
            )
        self.settings = model.settings
        self._learned = model.arrays("learned.npz")
        self._graphs = {
            name.removesuffix(".onnx"): session(part, threads=threads)
            for name, part in model.parts.items()
            if name.endswith(".onnx")
        }
        self._inputs = {
            name: [wanted.name for wanted in graph.get_inputs()] for name, graph in self._graphs.items()
        }
        sizes = {"text": model.settings["sequence_size"] // 2, "format": model.settings["format_size"] // 2}
        self.strands = [name for name in sizes if model.settings[name]]
        self.size = sum(sizes[name] for name in self.strands)

    def sequence(self, position: Position, codes: Codes) -> tuple[int, ...]:
        """What the network reads before an object at this position."""
        return position_sequence(
            position,
            codes,
            max_siblings=self.settings["max_siblings"],
            parent=self.settings["parent"],
            siblings=self.settings["siblings"],
        )

    def run(self, graph: str, *inputs: NDArray[Any]) -> list[Floats]:
        """What a graph gives for its inputs in their order."""
        named = dict(zip(self._inputs[graph], inputs, strict=True))
        found: list[Floats] = self._graphs[graph].run(None, named)
        return found

    def character_ids(self, texts: Sequence[str]) -> tuple[Ids, Ids]:
        """The ids of the texts' characters, and the lengths."""
        return character_ids(texts, self._learned["code_points"], cut=self.settings["text_length"])

    def added_to_gates(self, texts: Sequence[str], formats: Floats) -> list[Floats]:
        """What each code adds to the gates: the root, the empty slot, then the objects."""
        rows = {"format": formats}
        if "text" in self.strands:
            rows["text"] = encode_texts(
                self._graphs["encoder"],
                texts,
                self._learned["code_points"],
                cut=self.settings["text_length"],
                size=self.settings["text_size"],
            )
        return self.run(
            "project", *(np.concatenate([self._learned[name], rows[name]]) for name in self.strands)
        )


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
        asked: list[str] = []
        formats = [np.zeros((0, FORMAT_SIZE), dtype=np.float32)]
        for document, own in zip(
            documents, objects or [range(len(d.objects)) for d in documents], strict=True
        ):
            first = FIRST_OBJECT + len(asked)
            self._codes.append({ROOT: ROOT_CODE} | {obj: first + row for row, obj in enumerate(own)})
            asked += [document.objects[obj].text for obj in own]
            formats.append(format_vectors(document, own))
        self._formats = np.concatenate(formats)
        self._ahead, self._back = network.added_to_gates(asked, self._formats)
        self._forget(0)

    def kinds(self, document: int) -> dict[int, Hashable]:
        """The format of each object and the pattern of its number."""
        objects = self._documents[document].objects
        found: dict[int, Hashable] = {}
        for obj, code in self._codes[document].items():
            if obj != ROOT:
                number = parse(objects[obj].text[:_NUMBER])
                look = self._formats[code - FIRST_OBJECT].tobytes()
                found[obj] = look, number and number.pattern
        return found

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        """For each question the probability of put at each of its positions."""
        asked = [
            (self._codes[document], obj, tree.positions[position])
            for document, tree, obj, positions in questions
            for position in positions
        ]
        slots = self._slots_of([(position, codes) for codes, _, position in asked])
        inquiries = [(codes[obj], slot) for (codes, obj, _), slot in zip(asked, slots, strict=True)]
        new = [inquiry for inquiry in dict.fromkeys(inquiries) if inquiry not in self._known]
        if new:
            objects, unknown = np.array(new).T
            self._known.update(zip(new, self._judged(objects, unknown), strict=True))
        scores = (self._known[inquiry] for inquiry in inquiries)
        return [[next(scores) for _ in question.positions] for question in questions]

    def _forget(self, needed: int) -> None:
        """Begin anew with room for the states after so many sequences at least."""
        size = self._network.size
        room = max(_LEAST_STATES, 2 * needed + 1)
        longest = longest_sequence(self._network.settings)
        self._added = np.zeros((room, 4 * size), dtype=np.float32)  # what a state adds to the next gates
        self._cells = np.zeros((room, size), dtype=np.float32)
        self._reads = np.zeros((room, longest), dtype=np.int64)
        self._lengths = np.zeros(room, dtype=np.int64)
        self._slots: dict[tuple[int, ...], int] = {(): 0}  # before anything was read, the state is blank
        self._places: dict[Position, int] = {}
        self._known: dict[tuple[int, int], float] = {}

    def _slots_of(self, asked: Sequence[tuple[Position, Codes]]) -> list[int]:
        """The slot of each position, once the forward states there are known."""
        new = {
            position: self._network.sequence(position, codes)
            for position, codes in asked
            if position not in self._places
        }
        unread = self._unread(new.values())
        if len(self._slots) + len(unread) > len(self._cells):
            self._forget(len(asked) * self._reads.shape[1])
            return self._slots_of(asked)
        self._read_ahead(unread)
        self._places |= {position: self._slots[sequence] for position, sequence in new.items()}
        return [self._places[position] for position, _ in asked]

    def _unread(self, sequences: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
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
            new = slice(len(self._slots), len(self._slots) + len(own))
            self._added[new], self._cells[new] = self._network.run(
                "ahead", self._added[before], self._cells[before], self._ahead[last]
            )
            self._reads[new, 0] = last
            self._reads[new, 1:] = self._reads[before, :-1]
            self._lengths[new] = length
            self._slots.update(zip(own, range(new.start, new.stop), strict=True))

    def _judged(self, objects: Ids, slots: Ids) -> list[float]:
        """The probability of put for each object after the sequence in a slot."""
        order = np.argsort(-self._lengths[slots], kind="stable")  # the shorter ones drop out of later steps
        objects, slots = objects[order], slots[order]
        once, of = np.unique(objects, return_inverse=True)
        reads = self._reads[slots]
        counts = np.searchsorted(-self._lengths[slots], -np.arange(reads.shape[1]))
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
        seen = [place.parent, *place.siblings(self._network.settings["max_siblings"]), question.obj]
        objects = [obj for obj in dict.fromkeys(seen) if obj != ROOT]
        codes = {ROOT: ROOT_CODE} | {obj: FIRST_OBJECT + row for row, obj in enumerate(objects)}
        sequence = (*self._network.sequence(place, codes), codes[question.obj])
        inputs: list[NDArray[Any]] = [np.array([sequence])]
        if "text" in self._network.strands:
            texts = self._texts[question.document]
            inputs += self._network.character_ids([texts[obj] for obj in objects])
        if "format" in self._network.strands:
            inputs.append(self._formats[question.document][objects])
        return float(self._network.run("inquiry", *inputs)[0][0])


def heading_probabilities(
    model: Model, documents: Sequence[Document], *, threads: int = 1
) -> list[NDArray[np.float32]]:
    """For each document the probability that each of its objects is a heading."""
    return label_probabilities(model, documents, threads=threads)


def label_probabilities(
    model: Model, documents: Sequence[Document], *, threads: int = 1
) -> list[NDArray[np.float32]]:
    """For each document what the network says of its objects: how likely a heading, or each depth."""
    settings, learned = model.settings, model.arrays("learned.npz")
    encoder = session(model.parts["encoder.onnx"], threads=threads)
    labeller = session(model.parts["labeller.onnx"], threads=threads)
    found = []
    for document in documents:
        texts = [item.text for item in document.objects]
        vectors = encode_texts(
            encoder,
            texts,
            learned["code_points"],
            cut=settings["text_length"],
            size=settings["text_size"],
        )
        rows = np.concatenate([vectors, format_vectors(document)], axis=1)
        found.append(_labelled(labeller, rows, window=settings["window"], margin=settings["margin"]))
    return found


def _labelled(labeller: Any, rows: Floats, *, window: int, margin: int) -> Floats:
    """The probabilities of each row, judged in the middle of a window."""
    found = np.empty((len(rows), *labeller.get_outputs()[0].shape[2:]), dtype=np.float32)
    stride = window - 2 * margin
    starts = range(0, len(rows), stride)
    for first in range(0, len(starts), _WINDOWS_AT_ONCE):
        chosen = starts[first : first + _WINDOWS_AT_ONCE]
        spans = [(max(0, start - margin), min(len(rows), start + stride + margin)) for start in chosen]
        x = np.zeros((len(spans), max(end - start for start, end in spans), rows.shape[1]), dtype=np.float32)
        mask = np.zeros(x.shape[:2], dtype=np.float32)
        for row, (start, end) in enumerate(spans):
            x[row, : end - start] = rows[start:end]
            mask[row, : end - start] = 1
        scores = labeller.run(None, {"objects": x, "mask": mask})[0]
        for row, (start, (left, _)) in enumerate(zip(chosen, spans, strict=True)):
            inner = found[start : start + stride]
            inner[:] = scores[row, start - left : start - left + len(inner)]
    return found


def encode_texts(
    encoder: Any, texts: Sequence[str], code_points: NDArray[np.int32], *, cut: int, size: int
) -> Floats:
    """The vectors of the texts, equal ones encoded once, those of like length together."""
    distinct = {text: row for row, text in enumerate(dict.fromkeys(texts))}
    ids, lengths = character_ids(list(distinct), code_points, cut=cut)
    vectors = np.empty((len(ids), size), dtype=np.float32)
    for rows in _by_length(lengths):
        inputs = {"ids": ids[rows, : lengths[rows].max()], "lengths": lengths[rows]}
        vectors[rows] = encoder.run(None, inputs)[0]
    return vectors[[distinct[text] for text in texts]]


def _by_length(lengths: Ids) -> Iterator[Ids]:
    """The rows from the shortest to the longest, some at a time."""
    order = np.argsort(lengths, kind="stable")
    for start in range(0, len(order), _TEXTS_AT_ONCE):
        yield order[start : start + _TEXTS_AT_ONCE]


def session(content: bytes, *, threads: int) -> Any:
    """An ONNX Runtime session on so many threads of the CPU."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
