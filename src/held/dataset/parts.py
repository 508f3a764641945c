"""A data set that stays consistent whenever a run is killed.

It consists of parts, and a part has one file in each table. The file of `documents` is written last: a part
without it is a leftover of a killed run, which the next run removes. To remove documents from a part, it is
written again as its next version; the last complete version counts. No step needs a rename, which object
stores do not have.

Each run writes its name into the data set. A worker of an older run finds another name there and stops
writing.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from held.dataset.parquet import rows_from_parquet, rows_to_parquet
from held.dataset.rows import COLUMNS, DOCUMENTS, Rows
from held.dataset.storage import Storage
from held.errors import UsageError
from held.system.json_values import Record

_PART = re.compile(r"(?P<table>\w+)/part-(?P<id>[0-9a-f]+)-(?P<version>\d{4})\.parquet")
_RUN_FILE = "run/name"
_DOCUMENT_COLUMNS = ("document", "source", "status", "source_hash", "options_hash")


class Part(NamedTuple):
    """A version of a part."""

    id: str
    version: int

    def file(self, table: str) -> str:
        """Return the name of the part's file in a table."""
        return f"{table}/part-{self.id}-{self.version:04}.parquet"


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """What a data set records of a document."""

    part: Part
    source: str
    status: str
    source_hash: str | None
    options_hash: str

    def is_done(self, options_hash: str) -> bool:
        """Whether the document did not fail and was made with these options, this model and version."""
        return self.status != "failed" and self.options_hash == options_hash


class RunReplacedError(UsageError):
    """Another run has started, so this one may not write any more."""


class DataSet:
    """A data set as one run sees it. The workers of a run share its name."""

    def __init__(self, storage: Storage, run: str) -> None:
        self._storage = storage
        self.run = run

    @classmethod
    def start_run(cls, storage: Storage) -> DataSet:
        """Open a data set for a new run and clean it up. Earlier runs can no longer write."""
        data_set = cls(storage, secrets.token_hex(8))
        storage.write(_RUN_FILE, data_set.run.encode())
        data_set._remove_leftovers()
        return data_set

    def write(self, id: str, rows: Rows) -> None:
        """Write a new part. Writing it twice does no harm."""
        self._write(Part(id, 0), rows)

    def documents(self) -> dict[str, StoredDocument]:
        """Return the documents in the data set by their IDs."""
        found: dict[str, StoredDocument] = {}
        for part in self._parts():
            for row in self._rows(part, DOCUMENTS, _DOCUMENT_COLUMNS):
                id = row.pop("document")
                found[id] = StoredDocument(part, **row)
        return found

    def remove(self, documents: Mapping[str, StoredDocument]) -> None:
        """Remove documents: their parts are written again without them."""
        by_part: dict[Part, set[str]] = {}
        for id, document in documents.items():
            by_part.setdefault(document.part, set()).add(id)
        for part, ids in by_part.items():
            self._write_without(part, ids)

    def _write_without(self, part: Part, ids: Collection[str]) -> None:
        kept = {}
        for table in COLUMNS:
            kept[table] = [row for row in self._rows(part, table) if row["document"] not in ids]
        if kept[DOCUMENTS]:
            next_version = part._replace(version=part.version + 1)
            self._write(next_version, kept)
        for table in reversed(COLUMNS):
            self._storage.remove(part.file(table))

    def _write(self, part: Part, rows: Rows) -> None:
        for table in COLUMNS:
            # `documents` comes last and makes the part count.
            if table == DOCUMENTS:
                self._require_current_run()
            content = rows_to_parquet(table, rows[table])
            self._storage.write(part.file(table), content)

    def _require_current_run(self) -> None:
        if self._storage.read(_RUN_FILE).decode() != self.run:
            raise RunReplacedError(
                "another run writes into the data set", advice="wait for it, then run again"
            )

    def _rows(self, part: Part, table: str, columns: tuple[str, ...] | None = None) -> list[Record]:
        name = part.file(table)
        content = self._storage.read(name)
        return rows_from_parquet(content, file=name, columns=columns)

    def _parts(self) -> list[Part]:
        names = self._storage.names(DOCUMENTS)
        return [part for _, part in _find_parts(names)]

    def _remove_leftovers(self) -> None:
        """Remove what killed runs have left: parts without documents, and old versions."""
        last: dict[str, int] = {}
        for part in self._parts():
            last[part.id] = max(part.version, last.get(part.id, 0))
        # Documents first: if this is killed, the rest of the part has no documents and goes next time.
        for table in reversed(COLUMNS):
            names = self._storage.names(table)
            for name, part in _find_parts(names):
                if last.get(part.id) != part.version:
                    self._storage.remove(name)


def _find_parts(names: Iterable[str]) -> Iterator[tuple[str, Part]]:
    """Yield the files that belong to parts. Other files are not ours, and stay."""
    for name in names:
        match = _PART.fullmatch(name)
        if match:
            yield name, Part(match["id"], int(match["version"]))
