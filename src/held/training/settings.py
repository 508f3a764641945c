"""Settings of a training run: those of a preset, overridden by a TOML file and by `--set key=value`.

Settings are stored in the model file. Unknown keys and invalid values raise an error before training starts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from held.errors import FormatError, InputError, UsageError
from held.models.store import PRESETS, preset_name
from held.training.trainers import WeightSettings

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopSettings(WeightSettings):
    """Settings of every network's training.

    batches    the largest number of batches, 0 for no limit
    patience   training ends after so many evaluations without improvement
    sample     the share of the training documents to use, drawn by their ids
    bfloat16   compute products in bfloat16: faster where the processor knows it; weights stay 32-bit
    device     cpu or cuda
    """

    seed: int = 0  # of the first weights and of the order
    epochs: int = 10  # passes over the training documents
    batches: int = 0
    batch_size: int = 128  # tuples in a batch
    learning_rate: float = 5e-5  # of Adam
    evaluate_every: int = 1000  # batches
    patience: int = 5
    checkpoint_every: int = 200  # batches
    log_every: int = 20  # batches
    sample: float = 1.0
    valid_documents: int = 40  # of split valid to evaluate on
    threads: int = 1  # of torch
    bfloat16: bool = False
    device: str = "cpu"
    characters: int = 6000  # known to the embeddings; rarer ones share one vector
    embedding_size: int = 24  # numbers of a character's vector
    text_length: int = 64  # characters of a text that are read
    text_size: int = 128  # numbers of a text's vector


@dataclass(frozen=True, slots=True, kw_only=True)
class PutOrSkipSettings(LoopSettings):
    """The put-or-skip network, its inputs, and the errors it is trained to tolerate.

    parent, siblings, text, format   inputs, to be switched off in ablations
    two_step                         insert headings only, or every object
    tolerance                        add examples from trees with earlier errors, at the rates `misplaced`,
                                     `dropped` and `false`
    chunk                            adjacent tuples that stay together in a batch and share their texts
    """

    sequence_size: int = 512
    format_size: int = 64
    hidden_size: int = 128
    max_siblings: int = 8
    parent: bool = True
    siblings: bool = True
    text: bool = True
    format: bool = True
    two_step: bool = True
    tolerance: bool = True
    misplaced: float = 0.1
    dropped: float = 0.0
    false: float = 0.0
    chunk: int = 32

    def __post_init__(self) -> None:
        if not (self.text or self.format):
            raise UsageError("a network without text and without format has no input", advice="keep one")


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowSettings(LoopSettings):
    """Convolutions over sequences of objects. `batch_size` counts windows of `window` adjacent objects.

    At inference, windows overlap by `margin` on each side, so that every object has context on both sides.
    """

    batch_size: int = 4
    kernels: tuple[int, ...] = (5, 1, 5, 5, 1, 5, 5, 1, 5)
    channels: tuple[int, ...] = (128, 64, 128, 256, 128, 256, 512, 256, 512)
    window: int = 128
    margin: int = 16

    def __post_init__(self) -> None:
        if len(self.kernels) != len(self.channels):
            raise UsageError(f"{len(self.kernels)} kernels do not fit {len(self.channels)} channels")
        if any(kernel % 2 == 0 for kernel in self.kernels):
            raise UsageError("a kernel must be odd, to be centred on its object")
        if not 0 <= 2 * self.margin < self.window:
            raise UsageError(f"margins of {self.margin} leave nothing of a window of {self.window}")


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingSettings(WindowSettings):
    """The heading network: self-attention with `heads` heads, and the decision threshold."""

    heads: int = 8
    threshold: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class TocSettings(WindowSettings):
    """The baseline that labels depths: 0 for body, then 1 to `deepest`, which stands for all deeper ones."""

    deepest: int = 11


@dataclass(frozen=True, slots=True, kw_only=True)
class PembeSettings(WeightSettings):
    """The logistic regression: its L2 penalty, and the largest number of solver steps."""

    penalty: float = 1.0
    steps: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingSettings:
    """The skip-gram embeddings of characters. Characters that occur less than `rare` times are unknown."""

    seed: int = 0
    size: int = 24
    characters: int = 6000
    rare: int = 5
    window: int = 5
    negatives: int = 5
    pairs: int = 20_000_000
    batch_size: int = 8192
    learning_rate: float = 0.01
    threads: int = 1


S = TypeVar("S", bound="DataclassInstance")  # the settings of any trainer


def settings_for(
    kind: type[S], table: str, *, preset: str, config: Path | None = None, changes: Sequence[str] = ()
) -> S:
    """The settings of the preset's table, overridden by the file and then by each "key=value"."""
    values = _read_preset(preset).get(table, {})
    if config is not None:
        values |= _read_file(config).get(table, {})
    values |= dict(_parse_change(change) for change in changes)
    return settings_from(kind, values)


def settings_from(kind: type[S], values: Mapping[str, Any]) -> S:
    """The settings with these values, which are checked; other settings keep their defaults."""
    types = get_type_hints(kind)
    unknown = sorted(values.keys() - types.keys())
    if unknown:
        names = ", ".join(field.name for field in fields(kind))
        raise UsageError(f"no such setting: {', '.join(unknown)}", advice=f"there are {names}")
    return kind(**{key: _convert(key, value, types[key]) for key, value in values.items()})


def plain(settings: S) -> dict[str, Any]:
    """The settings as a JSON object."""
    values = asdict(settings)
    return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}


def _convert(key: str, value: Any, kind: Any) -> Any:
    """The value as its setting's type; raises `UsageError` if it does not fit."""
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if isinstance(value, list):
        value = tuple(value)
    wanted = kind if isinstance(kind, type) else tuple
    # A bool is an int in Python, but `epochs = true` is a mistake.
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
        raise UsageError(f"{key} = {value!r} is no {wanted.__name__}")
    if isinstance(value, int | float) and value < 0:
        raise UsageError(f"{key} = {value!r} is below 0")
    return value


def _parse_change(change: str) -> tuple[str, Any]:
    """The key and the value of "key=value"; the value is TOML."""
    key, equals, value = change.partition("=")
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"] if equals else None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(
            f"{change!r} is not key=value", advice='write values as in TOML: 3, 0.5, true, "x"'
        ) from error


def _read_preset(name: str) -> dict[str, Any]:
    """The tables of a preset; a preset without a file uses the defaults of the settings."""
    name = preset_name(name)
    if name not in PRESETS:
        raise UsageError(f"no preset {name}", advice=f"there are {', '.join(PRESETS)}")
    path = resources.files("held.training") / "presets" / f"{name}.toml"
    if not path.is_file():
        return {}
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _read_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"not a TOML file: {error}", file=path) from error
