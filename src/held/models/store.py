"""Model files, and the presets that run them.

A file is a zip archive of metadata and of parts in formats that cannot contain code (ONNX, npz, JSON).
The metadata has the kind of the model, its settings, the hash of its training data, its scores, and the
sha256 of every part, so that a model that loads is the model that was saved. The same model always gives the
same bytes. A model folder has a file `<kind>.held` for each step; the shipped ones are in `weights/<name>`.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from held.errors import FormatError, HeldError, InputError, UsageError, VersionError
from held.system.bounded_json import JsonValue
from held.system.limits import format_bytes, limits

MODEL_FORMAT = "held.model"
MODEL_VERSION = 1  # of the file format
MODEL_SUFFIX = ".held"
WEIGHTS = Path(__file__).with_name("weights")

FEATURES_SETTING = "features"
"""The setting that holds the version of the features that a model needs."""
OUTDATED = "train it again with `held train`, or use the weights that ship with this version"

_METADATA = "model.json"
_GRAPH_SUFFIX = ".onnx"
_PACKED_SUFFIX = ".trees"  # the trees of the graph with the same name, as `_trees.c` packs them
_GET_AGAIN = "get the file again, or train the model again with `held train`"

# A RuntimeError is what zipfile raises for an encrypted entry.
_BROKEN_ARCHIVE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, RuntimeError)

Arrays = Mapping[str, NDArray[Any]]


class ModelKind(StrEnum):
    """The step of a model."""

    HEADINGS = "headings"
    PUT_OR_SKIP = "put-or-skip"


class BaselineKind(StrEnum):
    """The baseline of a model."""

    TOC = "toc"
    PEMBE = "pembe"


AnyKind = ModelKind | BaselineKind


def parse_kind(name: str) -> AnyKind:
    """The kind of model with this name; a ValueError if there is none."""
    return BaselineKind(name) if name in set(BaselineKind) else ModelKind(name)


@dataclass(frozen=True, slots=True)
class Model:
    """A trained model: its parts by file name, and its origin.

    settings    everything that is needed to run the model and to train it again
    data_hash   identifies the training data
    commit      the commit of the code that trained it
    scores      on the valid split, when the model was saved
    """

    kind: AnyKind
    preset: str
    parts: Mapping[str, bytes]
    settings: Mapping[str, Any] = field(default_factory=dict)
    data_hash: str = ""
    commit: str = ""
    scores: Mapping[str, Any] = field(default_factory=dict)

    def arrays(self, part: str) -> dict[str, NDArray[Any]]:
        """The arrays of an npz part."""
        with zipfile.ZipFile(io.BytesIO(self.parts[part])) as archive:
            _require_small(archive)
        with np.load(io.BytesIO(self.parts[part]), allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}

    def json(self, part: str) -> Any:
        """The value of a JSON part."""
        return json.loads(self.parts[part])

    def packed_trees(self, graph: str) -> bytes | None:
        """The trees of a graph in packed form; None where the file was saved without them."""
        return self.parts.get(_packed_part(graph))


def npz_part(arrays: Arrays) -> bytes:
    """The arrays as an npz part."""
    for name, array in arrays.items():
        if array.dtype.hasobject:
            raise UsageError(f"array {name} contains Python objects", advice="store only numbers or text")
    content = io.BytesIO()
    named: dict[str, Any] = dict(arrays)
    np.savez(content, **named)
    return content.getvalue()


def json_part(value: Any) -> bytes:
    """The value as a JSON part."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, indent=1).encode()


def _packed_part(graph: str) -> str:
    return graph.removesuffix(_GRAPH_SUFFIX) + _PACKED_SUFFIX


def _is_number_part(name: str) -> bool:
    return name.endswith((_GRAPH_SUFFIX, _PACKED_SUFFIX, ".npz"))


def _with_packed_trees(parts: Mapping[str, bytes]) -> dict[str, bytes]:
    """The parts, and the packed trees of each graph of boosted trees, which load in a fifth of the time."""
    from held.models.inference import pack_trees

    found = {name: part for name, part in parts.items() if not name.endswith(_PACKED_SUFFIX)}
    for name in [name for name in found if name.endswith(_GRAPH_SUFFIX)]:
        packed = pack_trees(found[name])
        if packed is not None:
            found[_packed_part(name)] = packed
    return found


def save_model(path: str | os.PathLike[str], model: Model) -> Path:
    """Write a model to a file and return its path."""
    from held.system.atomic_write import make_folder, remove_stale_drafts, write_file  # only after training

    parts = _with_packed_trees(model.parts)
    metadata = {
        "format": MODEL_FORMAT,
        "version": MODEL_VERSION,
        "kind": model.kind.value,
        "preset": model.preset,
        "settings": dict(model.settings),
        "data_hash": model.data_hash,
        "commit": model.commit,
        "scores": dict(model.scores),
        "sha256": {name: _sha256(part) for name, part in sorted(parts.items())},
    }
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in ((_METADATA, json_part(metadata)), *sorted(parts.items())):
            entry = zipfile.ZipInfo(name)  # without a time, so that equal models give equal bytes
            # Every command would pay for unpacking the numbers that it loads. Wheels are compressed.
            is_plain = _is_number_part(name) and _packed_part(name) not in parts
            entry.compress_type = zipfile.ZIP_STORED if is_plain else zipfile.ZIP_DEFLATED
            archive.writestr(entry, part)
    folder = Path(path).parent
    make_folder(folder)
    remove_stale_drafts(folder)
    write_file(path, content.getvalue())
    return Path(path)


def _sha256(part: bytes) -> str:
    import hashlib  # loads OpenSSL, which the shipped weights do not need

    return hashlib.sha256(part).hexdigest()


def is_shipped(path: Path) -> bool:
    """Whether a file ships with the package.

    The hashes of shipped weights are not computed whenever they are loaded, which takes as long as the layout
    of several pages: zipfile compares checksums, and a test compares the hashes.
    """
    return path.is_relative_to(WEIGHTS)


def load_model(name: str | os.PathLike[str], kind: AnyKind) -> Model:
    """Load the model of this kind with a shipped name ("base") or at a path, and check its contents."""
    path = model_path(name, kind)
    model = _parse_model(_read_archive(path), path)
    if model.kind is not kind:
        raise UsageError(f"is a model for {model.kind}, not for {kind}", file=path)
    return model


def _read_archive(path: Path) -> Mapping[str, bytes]:
    """The files in a model's archive. It declares their sizes, and zipfile unpacks no more than that."""
    try:
        if is_shipped(path):
            return _ShippedFiles(path)
        with zipfile.ZipFile(path) as archive:
            _require_small(archive, path)
            return {entry: archive.read(entry) for entry in archive.namelist()}
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=path) from error
    except _BROKEN_ARCHIVE as error:
        raise FormatError(f"not a complete model file: {error}", file=path, advice=_GET_AGAIN) from error


class _ShippedFiles(Mapping[str, bytes]):
    """The files in the archive of a shipped model, each read when it is asked for.

    Where packed trees can be used, nobody asks for the graphs, which are four times as large.
    """

    def __init__(self, path: Path) -> None:
        self._archive = zipfile.ZipFile(path)
        _require_small(self._archive, path)

    def __getitem__(self, name: str) -> bytes:
        return self._archive.read(name)

    def __contains__(self, name: object) -> bool:
        return name in self._archive.NameToInfo

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._archive.namelist() if name != _METADATA)

    def __len__(self) -> int:
        return len(self._archive.namelist()) - 1


def _require_small(archive: zipfile.ZipFile, path: Path | None = None) -> None:
    """Refuse an archive that unpacks to more than a model may have."""
    max_bytes = limits().model_bytes
    total = sum(entry.file_size for entry in archive.infolist())
    if total > max_bytes:
        advice = "--limit or HELD_LIMITS sets the limit: model_bytes"
        raise FormatError(f"unpacks to more than {format_bytes(max_bytes)}", file=path, advice=advice)


def model_path(name: str | os.PathLike[str], kind: AnyKind) -> Path:
    """The file of the model with a shipped name, in a folder, or at this path."""
    file_name = f"{kind}{MODEL_SUFFIX}"
    shipped = WEIGHTS / os.fspath(name)
    for path in (shipped / file_name, Path(name) / file_name, Path(name)):
        if path.is_file():
            return path
    if Path(name).is_dir():
        what = f"the folder has no {file_name}"
        advice = f"`held train {kind}` makes it"
    else:
        what = "no such model"
        shipped_names = sorted(path.parent.name for path in WEIGHTS.glob(f"*/{file_name}"))
        known = ", ".join(shipped_names) or "none"
        advice = f"give the folder of a model or the name of a shipped one: {known}"
    raise InputError(what, file=name, advice=advice)


def step_files(name: str | os.PathLike[str]) -> dict[AnyKind, Path]:
    """The files of a shipped model, or of the model or baseline in a folder, by kind."""
    kinds: tuple[AnyKind, ...] = (*ModelKind, *BaselineKind)
    for folder in (WEIGHTS / os.fspath(name), Path(name)):
        paths = {kind: folder / f"{kind}{MODEL_SUFFIX}" for kind in kinds}
        files = {kind: path for kind, path in paths.items() if path.is_file()}
        if files:
            return files
    return {}


def check_features(model: Model, version: int, *, default: int | None = None) -> None:
    """Raise a VersionError if a model needs another version of the features than this one.

    `default` is the version of a model whose settings do not have one.
    """
    needed = model.settings.get(FEATURES_SETTING, default)
    if needed != version:
        raise VersionError(
            f"the model for {model.kind} was trained on features of version {needed!r}, not {version}",
            advice=OUTDATED,
        )


def _parse_model(contents: Mapping[str, bytes], path: Path) -> Model:
    """The model in the contents of an archive, after checking its version and hashes."""
    # In a file that was cut, zipfile may find the end of an npz part, which is an archive of its own.
    if _METADATA not in contents:
        raise FormatError(f"not a complete model file: {_METADATA} is missing", file=path, advice=_GET_AGAIN)
    try:
        metadata = json.loads(contents[_METADATA])
        if metadata["format"] != MODEL_FORMAT:
            raise ValueError(metadata["format"])
        version, hashes = metadata["version"], metadata["sha256"]
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise FormatError(f"not a model of held: {error!r}", file=path, advice=_GET_AGAIN) from error
    if version != MODEL_VERSION:
        raise VersionError(
            f"{MODEL_FORMAT} version {version!r} is not known, only {MODEL_VERSION}",
            file=path,
            advice="use the version of held that made it, or train it again with `held train`",
        )
    if not isinstance(hashes, dict):
        raise FormatError("not a model of held: its hashes are missing", file=path, advice=_GET_AGAIN)
    actual = hashes
    if not is_shipped(path):
        contents = {name: part for name, part in contents.items() if name != _METADATA}
        actual = {name: _sha256(part) for name, part in contents.items()}
    if actual != hashes:
        names = {*actual, *hashes}
        wrong = sorted(name for name in names if actual.get(name) != hashes.get(name))
        raise FormatError(f"{', '.join(wrong)} is not what was saved", file=path, advice=_GET_AGAIN)
    root = JsonValue(metadata, file=os.fspath(path))
    try:
        kind = parse_kind(root["kind"].text())
    except ValueError as error:
        message = f"a model of an unknown kind: {error}"
        raise FormatError(message, file=path, advice=_GET_AGAIN) from error
    return Model(
        kind,
        root["preset"].text(),
        contents,
        root["settings"].fields(),
        root["data_hash"].text(),
        root["commit"].text(),
        root["scores"].fields(),
    )


def model_card(model: Model) -> str:
    """The model card in Markdown: kind, origin, settings and scores."""
    size = sum(map(len, model.parts.values()))
    parts = [f"{name} ({len(part):,} bytes)" for name, part in sorted(model.parts.items())]
    facts = {
        "step": model.kind.value,
        "preset": model.preset,
        "parts": ", ".join(parts),
        "size": f"{size / 1e6:.2f} MB",
        "training data (sha256)": model.data_hash or "unknown",
        "commit": model.commit or "unknown",
    }
    tables: tuple[tuple[str, Mapping[str, Any]], ...] = (
        ("", facts),
        ("\n## Settings", model.settings),
        ("\n## Scores on valid", model.scores),
    )
    lines = [f"# {model.preset}: {model.kind}"]
    for title, rows in tables:
        lines += [title, "", "| | |", "| --- | --- |"]
        lines += [f"| {name} | {_format_value(value)} |" for name, value in rows.items()]
    return "\n".join([*lines, ""])


def _format_value(value: object) -> str:
    """A value of a model card; a mapping becomes `name number, name number`."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {number:g}" for name, number in value.items())
    return str(value)


# --- presets ---
#
# The registry of presets: the functions that run the models of a preset, and the module that trains them.
#
# A preset is a type of model, such as boosted trees. Every model file names its preset. Functions are given
# by name, not imported, because each preset needs other libraries, and those for training are optional.

ModelFile = str | os.PathLike[str]

# Raised by numpy and ONNX Runtime for arrays of wrong sizes, and by insertion for probabilities that are NaN.
_MODEL_ERRORS = (LookupError, TypeError, ValueError, ArithmeticError, RuntimeError)


class Preset(NamedTuple):
    """The parts of a preset, each as "module:function"; None where it has no such step.

    heading_step   (model, *, threads, disabled) -> held.hierarchy.pipeline.HeadingStep
    tree_step      (model, *, threads, disabled) -> held.hierarchy.pipeline.TreeStep
    trainer        a module with `train(request)`: see `held.training.trainers`
    """

    heading_step: str | None
    tree_step: str | None
    trainer: str


PRESETS: dict[str, Preset] = {
    "boosted": Preset(
        "held.headings.classifier:heading_step",
        "held.hierarchy.boosted_step:boosted_tree_step",
        "held.training.boosted_trainer",
    ),
    "paper": Preset(
        "held.paper.network_steps:heading_step",
        "held.paper.network_steps:tree_step",
        "held.paper.training.network_trainer",
    ),
}
BASELINE_RULES = ("size", "numbers", "heps")
"""The baselines of the paper that are rules: the value of `--model` is their name."""
_BASELINE_STEPS = "held.paper.baselines:baseline_steps"
OLD_NAMES = {"base": "boosted"}
"""Earlier names of presets, which model files and commands may still use."""


def preset_name(name: str) -> str:
    """The current name of a preset; an unknown name stays as it is."""
    return OLD_NAMES.get(name, name)


def is_baseline(name: ModelFile) -> bool:
    """Whether this is the name of a rule, or a folder with the trained model of a baseline."""
    return name in BASELINE_RULES or not step_files(name).keys().isdisjoint(BaselineKind)


def make_baseline(name: ModelFile) -> Any:
    """The `held.hierarchy.pipeline.Steps` of a baseline."""
    return _import(_BASELINE_STEPS)(name)


def make_step(
    model: Model,
    *,
    file: ModelFile | None = None,
    threads: int = 1,
    disabled: Collection[str] = (),
) -> Any:
    """The step of a model, made by its preset.

    A model file may be damaged or hostile, so every error is reported as an error of the model.
    """
    make = _step_maker(model)
    try:
        return make(model, threads=threads, disabled=disabled)
    except (HeldError, ImportError, TimeoutError):  # a timeout is the caller's, not the model's
        raise
    except Exception as error:
        raise _unusable(f"the model for {model.kind}", error, file) from error


def _step_maker(model: Model) -> Callable[..., Any]:
    preset = PRESETS.get(preset_name(model.preset))
    if preset is None:
        raise VersionError(
            f"the model for {model.kind} is of preset {model.preset!r}, which this version does not know",
            advice=f"it knows {', '.join(PRESETS)}: use the version of held that made it",
        )
    path = preset.heading_step if model.kind is ModelKind.HEADINGS else preset.tree_step
    if path is None:
        raise UsageError(f"preset {model.preset} has no model for {model.kind}")
    return _import(path)


def _import(path: str) -> Callable[..., Any]:
    """The function at "module:function"."""
    module, _, name = path.partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return function


@contextmanager
def blame_model_errors(folder: ModelFile) -> Iterator[None]:
    """Report errors that a model raises as errors of that model, unless it is a shipped one.

    Arrays that do not fit together, or contain NaN, cause errors only when the model runs.
    """
    try:
        yield
    except _MODEL_ERRORS as error:
        if any(map(is_shipped, step_files(folder).values())):
            raise
        raise _unusable("the model", error, folder) from error


def _unusable(what: str, error: Exception, file: ModelFile | None) -> FormatError:
    first_line = str(error).partition("\n")[0]
    message = f"{what} cannot be used: {type(error).__name__}: {first_line}"
    return FormatError(message, file=file, advice="train it again with `held train`")
