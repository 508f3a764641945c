"""Skip-gram embeddings of characters (Mikolov et al. 2013, with negative sampling).

With them the networks start out knowing which characters are interchangeable: digits, Chinese numerals,
brackets. Thousands of pairs are drawn at a time, so that a batch is a few gathers and one product.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from held.errors import FormatError, InputError
from held.models.store import npz_part
from held.paper.network_inputs import FIRST_CHARACTER, Floats, Ids, flat_character_ids
from held.system.atomic_write import write_file
from held.training.settings import EmbeddingSettings

_COMMON_SHARE = 1e-2  # characters more frequent than this are subsampled
_MAX_LENGTH = 256  # characters of a text that are read; titles are shorter
_START_SCALE = 0.1  # standard deviation of the initial vectors: small, so that no product saturates
# Negatives are drawn by frequency ** 0.75, as in word2vec's paper: this favours rare characters a little.
_NOISE_POWER = 0.75
# A batch draws 16 times the negatives of one pair, and all its pairs share them.
_SHARED_NEGATIVES = 16


@dataclass(frozen=True, slots=True)
class Embeddings:
    """The sorted code points of the known characters, and the vectors by id: padding, unknown, then those."""

    code_points: NDArray[np.int32]
    vectors: Floats


def learn_embeddings(texts: Iterable[str], settings: EmbeddingSettings) -> Embeddings:
    """The embeddings of the characters in these texts."""
    torch.set_num_threads(settings.threads)
    distinct = list(dict.fromkeys(text[:_MAX_LENGTH] for text in texts))  # a running head counts once
    code_points = known_characters(distinct, most=settings.characters, rare=settings.rare)
    stream, text_of = _stream(distinct, code_points)
    rng = np.random.default_rng(settings.seed)
    count = len(code_points) + FIRST_CHARACTER
    start = rng.normal(0, _START_SCALE, (count, settings.size)).astype(np.float32)
    centres = torch.from_numpy(start).requires_grad_()
    contexts = torch.zeros((count, settings.size), requires_grad=True)
    optimiser = torch.optim.Adam([centres, contexts], lr=settings.learning_rate)
    frequency = np.bincount(stream, minlength=count).astype(np.float64)
    noise = frequency**_NOISE_POWER
    batches = max(1, settings.pairs // settings.batch_size)
    for _ in range(batches):
        centre, context = _pairs(stream, text_of, rng, settings)
        negative_ids = rng.choice(count, size=settings.negatives * _SHARED_NEGATIVES, p=noise / noise.sum())
        negative = contexts[torch.from_numpy(negative_ids)]
        loss = _loss(centres[centre], contexts[context], negative, settings.negatives)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    return Embeddings(code_points, centres.detach().numpy())


def known_characters(texts: Sequence[str], *, most: int, rare: int) -> NDArray[np.int32]:
    """The sorted code points of at most `most` characters that occur at least `rare` times."""
    counts = Counter(character for text in texts for character in text)
    frequent = [character for character, count in counts.most_common(most) if count >= rare]
    if not frequent:
        raise InputError("no text to learn characters from", advice="check the folder and its splits")
    code_points = sorted(ord(character) for character in frequent)
    return np.array(code_points, dtype=np.int32)


def write_embeddings(path: Path, embeddings: Embeddings) -> None:
    """Write embeddings as npz, which cannot contain code."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, npz_part({"code_points": embeddings.code_points, "vectors": embeddings.vectors}))


def read_embeddings(path: Path) -> Embeddings:
    """The embeddings in a file."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            return Embeddings(stored["code_points"], stored["vectors"])
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=path) from error
    except (KeyError, ValueError, EOFError) as error:
        advice = "`held train embeddings` makes them"
        raise FormatError("not a file of embeddings", file=path, advice=advice) from error


def _stream(texts: Sequence[str], code_points: NDArray[np.int32]) -> tuple[Ids, Ids]:
    """The character ids of all texts, one text after another, and the index of each id's text."""
    ids, lengths = flat_character_ids(texts, code_points, cut=_MAX_LENGTH)
    return ids, np.repeat(np.arange(len(lengths)), lengths)


def _pairs(
    stream: Ids, text_of: Ids, rng: np.random.Generator, settings: EmbeddingSettings
) -> tuple[Tensor, Tensor]:
    """A batch of characters, each with one near it in the same text."""
    size = settings.batch_size
    positions = rng.integers(len(stream), size=size)
    distances = rng.integers(1, settings.window + 1, size=size)
    directions = rng.choice([-1, 1], size)
    near = np.clip(positions + distances * directions, 0, len(stream) - 1)
    centre, context = stream[positions], stream[near]
    shares = np.bincount(centre, minlength=int(stream.max()) + 1) / size
    # Subsampling as in the paper: a character four times as frequent as the limit is kept half of the time.
    kept_share = np.sqrt(_COMMON_SHARE / np.maximum(shares[centre], _COMMON_SHARE))
    is_kept = rng.random(size) < kept_share
    is_kept &= text_of[positions] == text_of[near]
    return torch.from_numpy(centre[is_kept]), torch.from_numpy(context[is_kept])


def _loss(centre: Tensor, context: Tensor, negative: Tensor, negatives: int) -> Tensor:
    """The skip-gram loss: high similarity to the context, low similarity to the shared negatives."""
    similarity = (centre * context).sum(1)
    positive = functional.logsigmoid(similarity).sum()
    weight = negatives / len(negative)  # the shared negatives count as `negatives` for each pair
    negative_sum = functional.logsigmoid(-centre @ negative.T).sum() * weight
    return -(positive + negative_sum) / max(1, len(centre))
