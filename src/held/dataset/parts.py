"""A data set that stays whole: parts that are written once, and are there or not.

A part has a file in each table. That of `documents` is written last, so a part without it is what a killed
run has left, and is swept away by the next one. A part that has to lose documents is written again as its
next version; of several versions the last whole one counts. So nothing is lost or doubled, on stores without
a rename, too. Who runs writes a name of its own into the data set: a worker of a run that was given up, and
that does not know it yet, finds another name there and writes nothing any more.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from held.dataset.columns import COLUMNS, DOCUMENTS
from held.dataset.parquet import parquet_of, rows_in
from held.dataset.places import Place
from held.dataset.rows import Rows
from held.errors import UsageError
from held.system.json_values import Record

_PART = re.compile(r"(?P<table>\w+)/part-(?P<id>[0-9a-f]+)-(?P<version>\d{4})\.parquet")
_RUN = "run/name"
_NAMES = ("document", "source", "status", "source_hash", "options_hash")


class Part(NamedTuple):
    """A version of a part."""

    id: str
    version: int

    def file(self, table: str) -> str:
        """The name of its file of a table."""
        return f"{table}/part-{self.id}-{self.version:04}.parquet"


@dataclass(frozen=True, slots=True)
class Known:
    """What a data set says of a document that is in it."""

    part: Part
    source: str
    status: str
    source_hash: str | None
    options_hash: str

    def is_done_with(self, options_hash: str) -> bool:
        """Whether the document did not fail, and was made with the same options, model and version."""
        return self.status != "failed" and self.options_hash == options_hash


class GivenUp(UsageError):
    """Another run has begun, so this one may not write any more."""


class DataSet:
    """The data set at a place, for one run, or for one of its workers: they share the run's name."""

    def __init__(self, place: Place, run: str) -> None:
        self._place, self._run = place, run

    @classmethod
    def begun(cls, place: Place) -> DataSet:
        """The data set for a new run, swept; runs that were begun before may not write any more."""
        found = cls(place, secrets.token_hex(8))
        place.write(_RUN, found._run.encode())
        found._sweep()
        return found

    @property
    def run(self) -> str:
        """The name of the run, for its workers."""
        return self._run

    def write(self, id: str, rows: Rows) -> None:
        """Writes a new part; doing the same twice does no harm."""
        self._write(Part(id, 0), rows)

    def documents(self) -> dict[str, Known]:
        """The documents that are in the data set, by their ids."""
        found: dict[str, Known] = {}
        for part in self._parts():
            for row in self._rows(part, DOCUMENTS, _NAMES):
                found[row["document"]] = _known(row, part)
        return found

    def forget(self, documents: Mapping[str, Known]) -> None:
        """Takes documents out: the parts that they are in are written again without them."""
        by_part: dict[Part, set[str]] = {}
        for id, known in documents.items():
            by_part.setdefault(known.part, set()).add(id)
        for part, ids in by_part.items():
            self._shrink(part, ids)

    def _shrink(self, part: Part, without: Collection[str]) -> None:
        left = {
            table: [row for row in self._rows(part, table) if row["document"] not in without]
            for table in COLUMNS
        }
        if left[DOCUMENTS]:
            self._write(part._replace(version=part.version + 1), left)
        self._remove(part)

    def _write(self, part: Part, rows: Rows) -> None:
        for table in COLUMNS:
            if table == DOCUMENTS:
                self._require_to_be_current()
            self._place.write(part.file(table), parquet_of(table, rows[table]))

    def _require_to_be_current(self) -> None:
        if self._place.read(_RUN).decode() != self._run:
            raise GivenUp("another run writes into the data set", advice="wait for it, then run again")

    def _rows(self, part: Part, table: str, columns: tuple[str, ...] | None = None) -> list[Record]:
        name = part.file(table)
        return rows_in(self._place.read(name), file=name, columns=columns)

    def _parts(self) -> Iterator[Part]:
        return (part for _, part in _parts_named(self._place.names(DOCUMENTS)))

    def _sweep(self) -> None:
        """Removes what killed runs have left: parts without documents, and versions before the last."""
        last: dict[str, int] = {}
        for part in self._parts():
            last[part.id] = max(part.version, last.get(part.id, 0))
        for table in reversed(COLUMNS):  # documents first: what is left of a part is then swept next time
            for name, part in list(_parts_named(self._place.names(table))):
                if last.get(part.id) != part.version:
                    self._place.remove(name)

    def _remove(self, part: Part) -> None:
        for table in reversed(COLUMNS):
            self._place.remove(part.file(table))


def _parts_named(names: Iterable[str]) -> Iterator[tuple[str, Part]]:
    """The files that are of parts, each with its part; what others have put there is left alone."""
    for name in names:
        found = _PART.fullmatch(name)
        if found:
            yield name, Part(found["id"], int(found["version"]))


def _known(row: Record, part: Part) -> Known:
    return Known(part, row["source"], row["status"], row["source_hash"], row["options_hash"])
