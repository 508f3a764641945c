"""Skip-gram embeddings of characters (Mikolov et al. 2013, with negative samples), for a start that knows
which characters stand in for each other: digits, Chinese numerals, brackets.

Pairs are drawn at random places, thousands at a time, so that a batch is a few gathers and one product.
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

_COMMON = 1e-2  # a character more frequent than this is drawn less often
_LONGEST = 256  # characters of a text that are read: a title is over by then
_START_SCALE = 0.1  # of the vectors at the start: small enough that no product is sure of itself
_NOISE_POWER = (
    0.75  # of a frequency, as in the paper of word2vec: rare characters are drawn a little more often
)
_SHARED_NEGATIVES = 16  # times as many as a pair needs are drawn, and all pairs of a batch share them


@dataclass(frozen=True, slots=True)
class Embeddings:
    """The known characters, sorted, and the vectors of all ids: no character, unknown, then those."""

    code_points: NDArray[np.int32]
    vectors: Floats


def learn_embeddings(texts: Iterable[str], settings: EmbeddingSettings) -> Embeddings:
    """The embeddings of the characters in these texts."""
    torch.set_num_threads(settings.threads)
    kept = list(dict.fromkeys(text[:_LONGEST] for text in texts))  # a running head does not count twice
    code_points = known_characters(kept, most=settings.characters, rare=settings.rare)
    stream, text_of = _stream(kept, code_points)
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
        drawn = rng.choice(count, size=settings.negatives * _SHARED_NEGATIVES, p=noise / noise.sum())
        negative = contexts[torch.from_numpy(drawn)]
        loss = _loss(centres[centre], contexts[context], negative, settings.negatives)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    return Embeddings(code_points, centres.detach().numpy())


def known_characters(texts: Sequence[str], *, most: int, rare: int) -> NDArray[np.int32]:
    """The code points of the most frequent characters, sorted."""
    counts = Counter(character for text in texts for character in text)
    frequent = [character for character, count in counts.most_common(most) if count >= rare]
    if not frequent:
        raise InputError("no text to learn characters from", advice="check the folder and its splits")
    code_points = sorted(ord(character) for character in frequent)
    return np.array(code_points, dtype=np.int32)


def write_embeddings(path: Path, embeddings: Embeddings) -> None:
    """Write embeddings as npz, without anything that could run."""
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
        raise FormatError("no embeddings", file=path, advice="`held train embeddings` makes them") from error


def _stream(texts: Sequence[str], code_points: NDArray[np.int32]) -> tuple[Ids, Ids]:
    """The ids of all texts in one row, and the text that each is of."""
    ids, lengths = flat_character_ids(texts, code_points, cut=_LONGEST)
    return ids, np.repeat(np.arange(len(lengths)), lengths)


def _pairs(
    stream: Ids, text_of: Ids, rng: np.random.Generator, settings: EmbeddingSettings
) -> tuple[Tensor, Tensor]:
    """A batch of centres and of characters near them in the same text."""
    size = settings.batch_size
    places = rng.integers(len(stream), size=size)
    distances = rng.integers(1, settings.window + 1, size=size)
    directions = rng.choice([-1, 1], size)
    near = np.clip(places + distances * directions, 0, len(stream) - 1)
    centre, context = stream[places], stream[near]
    shares = np.bincount(centre, minlength=int(stream.max()) + 1) / size
    # As in the paper: what is four times as common as need be is kept every second time.
    kept_share = np.sqrt(_COMMON / np.maximum(shares[centre], _COMMON))
    kept = rng.random(size) < kept_share
    kept &= text_of[places] == text_of[near]
    return torch.from_numpy(centre[kept]), torch.from_numpy(context[kept])


def _loss(centre: Tensor, context: Tensor, negative: Tensor, negatives: int) -> Tensor:
    """Each centre near its context and away from the negatives, which a batch shares."""
    likeness = (centre * context).sum(1)
    near = functional.logsigmoid(likeness).sum()
    share_of_each = negatives / len(negative)
    away = functional.logsigmoid(-centre @ negative.T).sum() * share_of_each
    return -(near + away) / max(1, len(centre))
