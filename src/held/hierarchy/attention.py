"""A network that reads all headings of a document together, in numpy.

Each heading attends to all others of its document, biased by how two headings stand to each other, so that
what decides may stand far from it: that chapters set alike hang below the part before, that a list goes on
after what looks like its end. Encodings are made once for a document; a position is then scored from those
of the heading, the parent and the last sibling, along with the features that boosted trees see.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.headings.columns import Columns, Floats
from held.hierarchy.heading_features import (
    BEFORE_IDS,
    HELD,
    IDS,
    OWN,
    OWN_IDS,
    PREFIXES,
    VALUES,
    HeadingFeatures,
)

Flags = NDArray[np.bool_]

RELATIONS = Columns(
    (
        "same_look",
        "same_form",
        "same_class",
        "same_aligned",
        "follows",
        "followed_by",
        "under",
        "over",
        "right_under",
        "before",
        "next_to",
        "near",
        "larger",
        "smaller",
        "same_size",
        "same_capitals",
        "deeper_in_contents",
        "higher_in_contents",
        "same_in_contents",
        "held_by_contents",
        "between",
        "between_back",
    )
)
"""Of one heading to another: `larger` is that the other is; `between` are shares, all else is yes or no."""
_NEAR = 8  # headings
_SIZE_STEP = 0.01  # of the body's size: less is a rounding of the file


def relations(document: HeadingFeatures, start: int, end: int) -> Floats:
    """Each heading of the rows from `start` to `end` against each: (W, W, RELATIONS)."""
    ids = document.ids[start:end]
    count = end - start
    found = np.empty((len(RELATIONS), count, count), np.float32)
    related = dict(zip(RELATIONS, found, strict=True))
    _fill_numbers(related, ids)
    _fill_places(related, count)
    _fill_styles(related, ids, VALUES.named(document.values[start:end]), document)
    _fill_contents(related, VALUES.named(document.values[start:end]), OWN.named(document.own[start:end]))
    return np.ascontiguousarray(np.moveaxis(found, 0, 2))


def _fill_numbers(related: dict[str, Floats], ids: NDArray[np.int64]) -> None:
    """How the numbers of two headings stand to each other."""
    named = IDS.named(np.ascontiguousarray(ids))
    follows = _any_same(ids[:, BEFORE_IDS], ids[:, OWN_IDS])
    under = np.zeros_like(follows)
    for prefix in ids[:, PREFIXES].T:
        under |= prefix[:, None] == named["value"][None, :]
    related["same_form"][:] = _same(named["form"]) & (named["form"] > 0)[:, None]
    related["follows"][:] = follows
    related["followed_by"][:] = follows.T
    related["under"][:] = under
    related["over"][:] = under.T
    held = np.zeros_like(follows)
    for above in ids[:, HELD].T:
        held |= above[:, None] == named["entry"][None, :]
    related["held_by_contents"][:] = held
    related["right_under"][:] = named["immediate"][:, None] == named["value"][None, :]


def _fill_places(related: dict[str, Floats], count: int) -> None:
    """How far apart two headings are."""
    rows = np.arange(count)
    apart = rows[:, None] - rows[None, :]
    related["before"][:] = apart > 0
    related["next_to"][:] = np.abs(apart) == 1
    related["near"][:] = np.abs(apart) <= _NEAR


def _fill_styles(
    related: dict[str, Floats], ids: NDArray[np.int64], values: NDArray[np.void], document: HeadingFeatures
) -> None:
    """How two headings are set, and what the style table says of their classes."""
    named = IDS.named(np.ascontiguousarray(ids))
    size = values["size"]
    growth = size[None, :] - size[:, None]
    related["same_look"][:] = _same(named["look"])
    related["same_class"][:] = _same(named["klass"])
    related["same_aligned"][:] = _same(named["aligned"])
    related["larger"][:] = growth > _SIZE_STEP
    related["smaller"][:] = growth < -_SIZE_STEP
    related["same_size"][:] = np.abs(growth) <= _SIZE_STEP
    related["same_capitals"][:] = _same(values["caps"])
    last_class = len(document.between) - 1  # rarer classes share the last place of the style table
    klass = np.minimum(named["klass"], last_class)
    between = document.between[klass[:, None], klass[None, :]]
    related["between"][:] = between
    related["between_back"][:] = between.T


def _fill_contents(related: dict[str, Floats], values: NDArray[np.void], own: NDArray[np.void]) -> None:
    """How the printed contents nest two headings, where they list both."""
    listed = own["in_contents"] > 0
    both_listed = listed[:, None] & listed[None, :]
    level = values["contents_level"]
    deeper = level[:, None] - level[None, :]
    related["deeper_in_contents"][:] = both_listed & (deeper > 0)
    related["higher_in_contents"][:] = both_listed & (deeper < 0)
    related["same_in_contents"][:] = both_listed & (deeper == 0)


def _any_same(ids: NDArray[np.int64], others: NDArray[np.int64]) -> Flags:
    """Whether any id of each row is that of each other row in the same place."""
    found = np.zeros((len(ids), len(others)), bool)
    for mine, its in zip(ids.T, others.T, strict=True):
        found |= mine[:, None] == its[None, :]
    return found


def _same(column: NDArray[np.generic]) -> Flags:
    return np.asarray(column[:, None] == column[None, :], bool)


WINDOW = 256  # headings that are read together ...
MARGIN = 64  # ... with so many on both sides, so that none stands at an edge
CLIP = 4.0  # standard deviations
_PATTERN = OWN.index("pattern")
_TINY = 1e-5  # keeps a norm from dividing by nothing, as torch has it


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of a network."""

    width: int = 96
    heads: int = 4
    layers: int = 3
    between: int = 192  # of the layers between
    scorer: int = 128  # of the layer that scores


class Sides(NamedTuple):
    """The encodings of headings as heading, as parent and as sibling: a row for each heading.

    The last row, which -1 finds, is the root in `parent`, and nobody in `sibling`.
    """

    heading: Floats
    parent: Floats
    sibling: Floats


class Window(NamedTuple):
    """Headings read together: `low` to `high`, of which `start` to `end` are kept, and their relations."""

    start: int
    end: int
    low: int
    high: int
    related: Floats  # (W * W, RELATIONS)


def read_windows(document: HeadingFeatures) -> list[Window]:
    """The windows of a document, made once for all networks."""
    windows_read = []
    for start, end, low, high in windows(len(document.headings)):
        related = relations(document, low, high).reshape(-1, len(RELATIONS))
        windows_read.append(Window(start, end, low, high, related))
    return windows_read


@dataclass(frozen=True, slots=True)
class Network:
    """The weights by name, as training wrote them."""

    shape: Shape
    weights: Mapping[str, Floats]

    def sides(self, documents: Sequence[HeadingFeatures], windows_read: Sequence[Sequence[Window]]) -> Sides:
        """The headings of all documents, one document after another."""
        pairs = zip(documents, windows_read, strict=True)
        encoded = np.concatenate([self.encodings(document, own) for document, own in pairs])
        parents = self._linear("scorer.parent", encoded)
        siblings = self._linear("scorer.sibling", encoded)
        return Sides(
            self._linear("scorer.heading", encoded),
            np.vstack([parents, self.weights["scorer.root"]]),
            np.vstack([siblings, self.weights["scorer.nobody"]]),
        )

    def encodings(self, document: HeadingFeatures, windows_read: Sequence[Window]) -> Floats:
        """A row for each heading of a document: (N, width)."""
        encoded = np.zeros((len(document.headings), self.shape.width), np.float32)
        for window in windows_read:
            start, end, low, high, related = window
            read = self._read(document.own[low:high], related)
            encoded[start:end] = read[start - low : end - low]
        return encoded

    def score(self, sides: Sides, heading: Any, parent: Any, sibling: Any, rows: Floats) -> Floats:
        """The score of each position, with `rows` as features; the others are rows of the sides."""
        seen = normalised(rows, self.weights["row_mean"], self.weights["row_scale"])
        hidden = self._linear("scorer.rows", seen)
        hidden += sides.heading.take(heading, axis=0)
        hidden += sides.parent.take(parent, axis=0)
        hidden += sides.sibling.take(sibling, axis=0)
        return self._linear("scorer.last", np.maximum(hidden, 0))[:, 0]

    def _read(self, own: Floats, related: Floats) -> Floats:
        """The encodings of a window's headings: (W, width)."""
        seen = normalised(own, self.weights["own_mean"], self.weights["own_scale"])
        patterns = own[:, _PATTERN].astype(np.int64)
        x = self._linear("embed", seen) + self.weights["pattern.weight"][patterns]
        for layer in range(self.shape.layers):
            name = f"layers.{layer}"
            bias = self.weights[f"{name}.relate.weight"] @ related.T  # (heads, W * W)
            x = x + self._attended(name, x, bias)
            x = x + self._between(name, x)
        return self._norm("last", x)

    def _attended(self, name: str, x: Floats, bias: Floats) -> Floats:
        """The output of attention: (W, width)."""
        heads = self.shape.heads
        each = self.shape.width // heads
        inside = self._norm(f"{name}.norm_1", x)
        q, k, v = np.split(self._linear(f"{name}.qkv", inside), 3, axis=1)
        taken = np.empty_like(x)
        # Head by head and in place, to keep one matrix of scores in memory at a time.
        for head in range(heads):
            part = slice(head * each, (head + 1) * each)
            scores = q[:, part] @ k[:, part].T
            scores /= np.sqrt(np.float32(each))
            scores += bias[head].reshape(len(x), len(x))
            taken[:, part] = _softmax(scores) @ v[:, part]
        return self._linear(f"{name}.out", taken)

    def _between(self, name: str, x: Floats) -> Floats:
        inside = self._linear(f"{name}.widen", self._norm(f"{name}.norm_2", x))
        return self._linear(f"{name}.narrow", np.maximum(inside, 0))

    def _norm(self, name: str, x: Floats) -> Floats:
        centred = x - x.mean(axis=1, keepdims=True)
        variance = (centred**2).mean(axis=1, keepdims=True)
        spread = np.sqrt(variance + _TINY)
        weight, bias = self._weights(name)
        return np.asarray(centred / spread * weight + bias)

    def _linear(self, name: str, x: Floats) -> Floats:
        weight, bias = self._weights(name)
        return np.asarray(x @ weight.T + bias, np.float32)

    def _weights(self, name: str) -> tuple[Floats, Floats]:
        return self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]


def windows(count: int) -> Iterator[tuple[int, int, int, int]]:
    """Ranges of headings (start, end), each with the wider range (low, high) that it is read in."""
    if 0 < count <= WINDOW + 2 * MARGIN:
        yield 0, count, 0, count
        return
    for start in range(0, count, WINDOW):
        end = min(start + WINDOW, count)
        yield start, end, max(0, start - MARGIN), min(count, end + MARGIN)


def normalised(values: Floats, mean: Floats, scale: Floats) -> Floats:
    """The values in standard deviations from the mean, clipped."""
    deviations = (values - mean) / scale
    return np.asarray(np.clip(deviations, -CLIP, CLIP), np.float32)


def _softmax(scores: Floats) -> Floats:
    """The scores of each row as shares; they are overwritten."""
    # Without the largest taken away first, the exponential of a large score would be infinite.
    scores -= scores.max(axis=1, keepdims=True)
    np.exp(scores, out=scores)
    return np.asarray(scores / scores.sum(axis=1, keepdims=True), np.float32)
