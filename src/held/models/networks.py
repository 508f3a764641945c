"""The networks of preset `paper` at inference, through ONNX Runtime.

Every object is encoded once, and what it adds to the gates of the LSTMs is computed once; all positions of
all questions go through together; the forward state over a position's parent and siblings is kept, and a new
sibling adds one step to it. `OneInquiryScorer` does what the paper does: a network call for each inquiry.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from held.document import Document
from held.insertion.scorer import Question
from held.models.network_inputs import FORMAT_SIZE, Floats, Ids, character_ids, format_vectors
from held.models.store import Model
from held.tree import ROOT, Position

ROOT_CODE, EMPTY_CODE, FIRST_OBJECT = 0, 1, 2
"""How a sequence names what is no object; object k of all is FIRST_OBJECT + k."""

_TEXTS_AT_ONCE = 256
_WINDOWS_AT_ONCE = 16
_LEAST_STATES = 4096

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


class PutOrSkipNetwork:
    """A put-or-skip model, ready to run."""

    def __init__(self, model: Model, *, threads: int = 1) -> None:
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

    def sequence(self, question: Question, position: int, codes: Codes) -> tuple[int, ...]:
        """What the network reads before the question's object at one of its tree's positions."""
        return position_sequence(
            question.tree.positions[position],
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
    """Scores questions about these documents; `objects` are those to be asked about, all by default."""

    def __init__(
        self,
        network: PutOrSkipNetwork,
        documents: Sequence[Document],
        objects: Sequence[Sequence[int]] | None = None,
    ) -> None:
        self._network = network
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
        self._ahead, self._back = network.added_to_gates(asked, np.concatenate(formats))
        self._slots: dict[tuple[int, ...], int] = {}
        self._added, self._cells = self._blank_states(_LEAST_STATES)

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        """For each question the probability of put at each of its positions."""
        read = [
            [self._network.sequence(question, position, codes) for position in question.positions]
            for question in questions
            for codes in (self._codes[question.document],)
        ]
        asked = [before for own in read for before in own]
        self._keep_states(asked)
        objects = np.array([self._codes[question.document][question.obj] for question in questions])
        of = np.repeat(np.arange(len(questions)), [len(own) for own in read])
        slots = [self._slots[before] for before in asked]
        (found,) = self._network.run(
            "judge",
            self._added[slots],
            self._cells[slots],
            self._ahead[objects[of]],
            self._read_back(asked, objects, of),
        )
        scores = iter(found.tolist())
        return [[next(scores) for _ in own] for own in read]

    def _blank_states(self, count: int) -> tuple[Floats, Floats]:
        """Forward states before anything was read: what they add to the gates, and the cells."""
        size = self._network.size
        return np.zeros((count, 4 * size), dtype=np.float32), np.zeros((count, size), dtype=np.float32)

    def _keep_states(self, sequences: Sequence[tuple[int, ...]]) -> None:
        """Make sure that the forward state after each sequence is known."""
        new = [sequence for sequence in dict.fromkeys(sequences) if sequence not in self._slots]
        if len(self._slots) + len(new) + 1 > len(self._cells):
            new = list(dict.fromkeys(sequences))
            self._slots = {}
            self._added, self._cells = self._blank_states(max(_LEAST_STATES, 2 * len(new)))
        self._slots.setdefault((), len(self._slots))  # before anything was read, the state is blank
        # A sequence goes on from its beginning where that is known, which saves all steps but one.
        unread = [(sequence[-1:] if sequence[:-1] in self._slots else sequence, sequence) for sequence in new]
        unread.sort(key=lambda pair: len(pair[0]))
        self._read_ahead([pair for pair in unread if pair[1]])

    def _read_ahead(self, unread: list[tuple[tuple[int, ...], tuple[int, ...]]]) -> None:
        """Store the states after sequences, each given with what is unread of it, the shortest first."""
        before = [self._slots[whole[: len(whole) - len(rest)]] for rest, whole in unread]
        added, cells = self._added[before], self._cells[before]
        lengths = [len(rest) for rest, _ in unread]
        for step in range(max(lengths, default=0)):
            first = bisect_right(lengths, step)
            codes = [rest[step] for rest, _ in unread[first:]]
            added[first:], cells[first:] = self._network.run(
                "ahead", added[first:], cells[first:], self._ahead[codes]
            )
        start, end = len(self._slots), len(self._slots) + len(unread)
        self._added[start:end], self._cells[start:end] = added, cells
        self._slots.update({whole: start + row for row, (_, whole) in enumerate(unread)})

    def _read_back(self, sequences: list[tuple[int, ...]], objects: Ids, of: Ids) -> Floats:
        """The backward outputs after reading from the object back to the parent.

        The first step is the object's alone, so it is done once for all positions; then the longest
        sequences go first and the shorter ones drop out of the steps.
        """
        blank = np.zeros((len(objects), self._network.size), dtype=np.float32)
        first, first_cells = self._network.run("back", blank, blank, self._back[objects])
        order = sorted(range(len(sequences)), key=lambda row: -len(sequences[row]))
        outputs, cells = first[of[order]], first_cells[of[order]]
        longest = [sequences[row] for row in order]
        found = np.empty_like(outputs)
        for step in range(1, len(longest[0]) + 1 if longest else 1):
            codes = [sequence[-step] for sequence in longest if len(sequence) >= step]
            count = len(codes)
            found[order[count : len(outputs)]] = outputs[count:]
            outputs, cells = self._network.run("back", outputs[:count], cells[:count], self._back[codes])
        found[order[: len(outputs)]] = outputs
        return found


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
        sequence = (*self._network.sequence(question, position, codes), codes[question.obj])
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
