"""What is done, kept in the output folder, so that a run that was killed can be taken up again.

A row is written before the file that it tells of, and holds the hash of that file's content: whatever kills
the run, a file that fits its row is done, and all else is done anew. A row counts only for the same source,
options, model and version.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from held import __version__
from held.cli.batch.request import Options
from held.errors import InputError, UsageError
from held.serial import hash_of, write_whole

JOURNAL = "held-batch.jsonl"

_DRAFT = re.compile(r"\.(.+)\.\d+\.part", re.DOTALL)  # as `write_whole` names them

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Journal:
    """The rows of an output folder by the names of their files, and where new ones go."""

    folder: Path
    rows: dict[str, Row]
    file: IO[str]

    def row_of(self, target: Path, source: Path, options_hash: str) -> Row | None:
        """The row of a target that is done already, from this very source and with these options."""
        row = self.rows.get(self._name(target))
        if row is None or row.get("options_hash") != options_hash:
            return None
        same = row.get("content") == _hash(target) and row.get("source_hash") == _hash(source)
        return row if same else None

    def write(self, target: Path, content: bytes, row: Row) -> None:
        """Writes a target, whole or not at all, after its row."""
        row = {"output": self._name(target), **row, "content": hashlib.sha256(content).hexdigest()}
        self.file.write(json.dumps(row, ensure_ascii=False) + "\n")
        self.file.flush()
        write_whole(target, content)

    def _name(self, target: Path) -> str:
        return target.relative_to(self.folder).as_posix()


@contextmanager
def journal_of(folder: Path, targets: Iterable[Path]) -> Iterator[Journal]:
    """The journal of an output folder, which is made where there is none, and locked."""
    try:
        _make_folders(folder, set(targets))
        path = folder / JOURNAL
        with path.open("a+", encoding="utf-8", errors="surrogateescape") as file:
            _lock(file, folder)
            yield Journal(folder, {row["output"]: row for row in _rows(file)}, file)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=error.filename or folder) from error


def _make_folders(folder: Path, targets: set[Path]) -> None:
    """Makes the folders of the targets, and clears them of drafts that a killed run has left."""
    for parent in {folder, *(target.parent for target in targets)}:
        parent.mkdir(parents=True, exist_ok=True)
        for draft in parent.glob(".*.part"):
            of = _DRAFT.fullmatch(draft.name)
            if of and parent / of[1] in targets:
                draft.unlink(missing_ok=True)


def _lock(file: IO[str], folder: Path) -> None:
    """Keeps a second run out of the folder, where the system can."""
    with suppress(ImportError):
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(
                "another run writes into this folder", file=folder, advice="wait for it"
            ) from None


def _rows(file: IO[str]) -> Iterator[Row]:
    """The rows of a journal; a line that was torn when a run was killed is passed over, and ended."""
    file.seek(0)
    text = file.read()
    if text and not text.endswith("\n"):
        file.write("\n")
    for line in text.splitlines():
        with suppress(ValueError):
            row = json.loads(line)
            if isinstance(row, dict) and "output" in row:
                yield row


def _hash(path: Path) -> str | None:
    """The hash of a file's content, None where it cannot be read."""
    try:
        return hash_of(path)
    except InputError:
        return None


def hash_of_options(options: Options) -> str:
    """What the results depend on beside their sources: the options, the model and the version."""
    from held.models.calibration import load_calibration
    from held.models.store import ModelKind, model_path

    steps = ModelKind.HEADINGS, ModelKind.PUT_OR_SKIP
    models = [_hash(model_path(options.model, step)) for step in steps]
    all_of_it = options, models, load_calibration(options.model), __version__
    return hashlib.sha256(repr(all_of_it).encode()).hexdigest()
