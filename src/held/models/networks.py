"""The networks of preset `paper` at inference, through ONNX Runtime.

Every object is encoded once; all positions of all questions go through in one call; the forward state over a
position's parent and siblings is kept, and a new sibling adds one step to it. `OneInquiryScorer` does what
the paper does, a whole network call for each inquiry, to compare with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from held.document import Document
from held.insertion.scorer import Question
from held.models.network_inputs import Floats, Ids, character_ids, format_vectors
from held.models.store import Model
from held.tree import ROOT, Position

ROOT_CODE, EMPTY_CODE, FIRST_OBJECT = 0, 1, 2
"""How a sequence names what is no object; object k of all is FIRST_OBJECT + k."""

_TEXTS_AT_ONCE = 256
_WINDOWS_AT_ONCE = 16
_LEAST_STATES = 4096
_SHORT = 4  # inquiries up to this long are worth a call of their own where there are many
_MANY = 48

Codes = tuple[int, ...]


def position_sequence(
    position: Position, offset: int, *, max_siblings: int, parent: bool, siblings: bool
) -> Codes:
    """The codes of what the network reads before the object: the parent, then siblings or an empty slot."""
    codes: list[int] = []
    if parent:
        codes.append(ROOT_CODE if position.parent == ROOT else position.parent + offset)
    if siblings:
        codes += [sibling + offset for sibling in position.siblings(max_siblings)] or [EMPTY_CODE]
    return tuple(codes)


class _Network:
    """The sessions of a put-or-skip model, and what it needs to make their inputs."""

    def __init__(self, model: Model, *, threads: int) -> None:
        self.settings = model.settings
        self.learned = model.arrays("learned.npz")
        self.strands = [name for name in ("text", "format") if model.settings[name]]
        self.encoder = (
            session(model.parts["encoder.onnx"], threads=threads) if "text" in self.strands else None
        )
        self._prefix = session(model.parts["prefix.onnx"], threads=threads)
        self._judge = session(model.parts["judge.onnx"], threads=threads)
        self.state_names = [f"{name}_{part}" for name in self.strands for part in ("h", "c")]
        sizes = {"text": model.settings["sequence_size"] // 2, "format": model.settings["format_size"] // 2}
        self.state_sizes = [sizes[name] for name in self.strands for _ in ("h", "c")]

    def sequence(self, question: Question, position: int, offset: int) -> Codes:
        """What the network reads before the question's object at one of its tree's positions."""
        return position_sequence(
            question.tree.positions[position],
            offset,
            max_siblings=self.settings["max_siblings"],
            parent=self.settings["parent"],
            siblings=self.settings["siblings"],
        )

    def tables(self, texts: Floats | None, formats: Floats) -> dict[str, Floats]:
        """For each strand a row for each code: those learned, then those of the objects."""
        rows = {"text": texts, "format": formats}
        return {name: np.concatenate([self.learned[name], rows[name]]) for name in self.strands}

    def advance(self, tables: Mapping[str, Floats], steps: Ids, states: Sequence[Floats]) -> list[Floats]:
        """The forward states after reading these steps, (B, L) codes, from these states."""
        inputs = {name: tables[name][steps] for name in self.strands}
        inputs |= {name: state[None] for name, state in zip(self.state_names, states, strict=True)}
        return [state[0] for state in self._prefix.run(None, inputs)]

    def judge(
        self, tables: Mapping[str, Floats], turned: Ids, lengths: Ids, states: Sequence[Floats]
    ) -> Floats:
        """The probability of put for sequences given from the object back to the parent, (B, L) codes."""
        inputs: dict[str, Any] = {name: tables[name][turned] for name in self.strands}
        inputs |= {name: state[None] for name, state in zip(self.state_names, states, strict=True)}
        found: Floats = self._judge.run(None, inputs | {"lengths": lengths})[0]
        return found

    def blank_states(self, count: int) -> list[Floats]:
        """The states before anything was read."""
        return [np.zeros((count, size), dtype=np.float32) for size in self.state_sizes]


class PutOrSkipScorer:
    """Scores questions about these documents; only the objects that will be asked about are encoded."""

    def __init__(
        self,
        model: Model,
        documents: Sequence[Document],
        objects: Sequence[Sequence[int]] | None = None,
        *,
        threads: int = 1,
    ) -> None:
        self._network = _Network(model, threads=threads)
        counts = [len(document.objects) for document in documents]
        self._offsets = [FIRST_OBJECT + int(start) for start in np.cumsum([0, *counts])]
        self._tables = self._network.tables(
            self._encoded(documents, objects), np.concatenate([format_vectors(d) for d in documents])
        )
        self._slots: dict[Codes, int] = {}
        self._states = self._network.blank_states(_LEAST_STATES)

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        """For each question the probability of put at each of its positions."""
        asked = [
            (self._network.sequence(question, position, offset), question.obj + offset)
            for question in questions
            for offset in (self._offsets[question.document],)
            for position in question.positions
        ]
        self._keep_states([before for before, _ in asked])
        scores = self._judged(asked).tolist()
        ends = np.cumsum([len(question.positions) for question in questions])
        return [scores[end - len(q.positions) : end] for q, end in zip(questions, ends, strict=True)]

    def _encoded(
        self, documents: Sequence[Document], objects: Sequence[Sequence[int]] | None
    ) -> Floats | None:
        """The text vectors of all objects, zeros for those that will not be asked about."""
        network = self._network
        if network.encoder is None:
            return None
        texts = [item.text for document in documents for item in document.objects]
        chosen = (
            np.arange(len(texts))
            if objects is None
            else np.array(
                [o + s - FIRST_OBJECT for own, s in zip(objects, self._offsets, strict=False) for o in own]
            )
        )
        vectors = np.zeros((len(texts), network.settings["text_size"]), dtype=np.float32)
        if len(chosen):
            vectors[chosen] = encode_texts(
                network.encoder,
                [texts[index] for index in chosen],
                network.learned["code_points"],
                cut=network.settings["text_length"],
                size=network.settings["text_size"],
            )
        return vectors

    def _keep_states(self, sequences: Sequence[Codes]) -> None:
        """Make sure that the forward state after each sequence is known."""
        if len(self._slots) + len(sequences) > len(self._states[0]):
            self._slots.clear()
            self._states = self._network.blank_states(max(_LEAST_STATES, 2 * len(sequences)))
        by_steps: dict[int, list[tuple[Codes, int | None]]] = {}
        for sequence in dict.fromkeys(sequences):
            if sequence and sequence not in self._slots:
                known = self._slots.get(sequence[:-1])
                steps = len(sequence) if known is None else 1
                by_steps.setdefault(steps, []).append((sequence, known))
        for steps, group in by_steps.items():
            self._read(steps, group)

    def _read(self, steps: int, group: list[tuple[Codes, int | None]]) -> None:
        """Read the last steps of some sequences, each from the state that is known or from nothing."""
        codes = np.array([sequence[-steps:] for sequence, _ in group], dtype=np.int64)
        before = self._network.blank_states(len(group))
        rows = [row for row, (_, known) in enumerate(group) if known is not None]
        slots = [known for _, known in group if known is not None]
        for state, stored in zip(before, self._states, strict=True):
            state[rows] = stored[slots]
        start = len(self._slots)
        for state, stored in zip(
            self._network.advance(self._tables, codes, before), self._states, strict=True
        ):
            stored[start : start + len(group)] = state
        self._slots.update({sequence: start + row for row, (sequence, _) in enumerate(group)})

    def _judged(self, asked: Sequence[tuple[Codes, int]]) -> Floats:
        """The probabilities of all inquiries; where there are many, the short ones apart."""
        lengths = np.array([len(before) + 1 for before, _ in asked], dtype=np.int64)
        turned = np.full((len(asked), int(lengths.max(initial=1))), EMPTY_CODE, dtype=np.int64)
        for row, (before, obj) in enumerate(asked):
            turned[row, : len(before) + 1] = (obj, *before[::-1])
        slots = np.array([self._slots.get(before, -1) for before, _ in asked], dtype=np.int64)
        found = np.empty(len(asked), dtype=np.float32)
        short = lengths <= _SHORT if len(asked) >= _MANY else np.zeros(len(asked), dtype=bool)
        for rows in (np.flatnonzero(short), np.flatnonzero(~short)):
            if len(rows):
                states = [np.where(slots[rows, None] < 0, 0, state[slots[rows]]) for state in self._states]
                reach = int(lengths[rows].max())
                found[rows] = self._network.judge(self._tables, turned[rows, :reach], lengths[rows], states)
        return found


class OneInquiryScorer:
    """The paper's way: each inquiry encodes all texts that it sees and is a call of its own."""

    def __init__(self, model: Model, documents: Sequence[Document], *, threads: int = 1) -> None:
        self._network = _Network(model, threads=threads)
        self._texts = [[item.text for item in document.objects] for document in documents]
        self._formats = [format_vectors(document) for document in documents]

    def score(self, questions: Sequence[Question]) -> list[list[float]]:
        """For each question the probability of put at each of its positions."""
        return [
            [self._inquire(question, position) for position in question.positions] for question in questions
        ]

    def _inquire(self, question: Question, position: int) -> float:
        network = self._network
        before = network.sequence(question, position, FIRST_OBJECT)
        objects = [
            code - FIRST_OBJECT for code in (*before, question.obj + FIRST_OBJECT) if code >= FIRST_OBJECT
        ]
        texts = None
        if network.encoder is not None:
            own = [self._texts[question.document][obj] for obj in objects]
            ids, lengths = character_ids(
                own, network.learned["code_points"], cut=network.settings["text_length"]
            )
            texts = network.encoder.run(None, {"ids": ids, "lengths": lengths})[0]
        tables = network.tables(texts, self._formats[question.document][objects])
        code_of = {obj: FIRST_OBJECT + row for row, obj in enumerate(objects)}
        steps = [code if code < FIRST_OBJECT else code_of[code - FIRST_OBJECT] for code in before]
        states = network.blank_states(1)
        if steps:
            states = network.advance(tables, np.array([steps], dtype=np.int64), states)
        turned = np.array([[code_of[question.obj], *steps[::-1]]], dtype=np.int64)
        return float(network.judge(tables, turned, np.array([turned.shape[1]], dtype=np.int64), states)[0])


def heading_probabilities(
    model: Model, documents: Sequence[Document], *, threads: int = 1
) -> list[NDArray[np.float32]]:
    """For each document the probability that each of its objects is a heading."""
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
    """The probability of each row, judged in the middle of a window."""
    found = np.empty(len(rows), dtype=np.float32)
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
        scores = labeller.run(None, {"x": x, "mask": mask})[0]
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
