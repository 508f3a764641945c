"""What is done, kept in the output folder, so that a run that was killed can be taken up again.

A row is written before the file that it tells of, and holds the hash of that file's content: whatever kills
the run, a file that fits its row is done, and all else is done anew. A row counts only for the same source,
options, model and version.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from held import __version__
from held.batch.request import Options
from held.errors import InputError
from held.system.atomic_write import make_folder, remove_stale_drafts, write_file
from held.system.bounded_input import file_sha256
from held.system.journal import Journal, open_journal
from held.system.json_values import Record

JOURNAL = "held-batch.jsonl"


@dataclass(frozen=True, slots=True)
class Results:
    """The results in an output folder, and the journal that tells how they came about."""

    folder: Path
    journal: Journal

    def row_of(self, target: Path, source: Path, options_hash: str) -> Record | None:
        """The row of a target that is done already, from this very source and with these options."""
        row = self.journal.rows.get(self._name(target))
        if row is None or row.get("options_hash") != options_hash:
            return None
        same = row.get("content") == _hash(target) and row.get("source_hash") == _hash(source)
        return row if same else None

    def write(self, target: Path, content: bytes, row: Record) -> None:
        """Writes a target, whole or not at all, after its row."""
        make_folder(target.parent)
        content_hash = hashlib.sha256(content).hexdigest()
        self.journal.add({"output": self._name(target), **row, "content": content_hash})
        write_file(target, content)

    def _name(self, target: Path) -> str:
        return target.relative_to(self.folder).as_posix()


@contextmanager
def results_in(folder: Path, targets: Iterable[Path]) -> Iterator[Results]:
    """The results in an output folder, which is made where there is none; nobody else writes there."""
    with open_journal(folder / JOURNAL, key="output") as journal:
        for parent in {folder, *(target.parent for target in targets)}:
            remove_stale_drafts(parent)
        yield Results(folder, journal)


def _hash(path: Path) -> str | None:
    """The hash of a file's content, None where it cannot be read."""
    try:
        return file_sha256(path)
    except InputError:
        return None


def hash_of_options(options: Options) -> str:
    """What the results depend on beside their sources: the options, the model and the version."""
    from held.models.calibration import load_calibration
    from held.models.store import step_files

    model = options.extraction.model
    models = [_hash(path) for path in step_files(model).values()]
    all_of_it = options, models, load_calibration(model), __version__
    return hashlib.sha256(repr(all_of_it).encode()).hexdigest()
