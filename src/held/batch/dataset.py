"""Many files into a data set: what is done already is skipped, what fails is a row with its reason.

Results are gathered into parts, for a file of Parquet for each document would serve nobody. What is gathered
and not yet written when the run is killed is done again by the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from held import __version__
from held.batch.request import Manner, Options, Task
from held.batch.results import hash_of_options
from held.batch.summary import Account
from held.batch.task import ROWS, Counts, Done, Failed, Outcome
from held.batch.work import Watch, accounts_of, settled
from held.dataset.columns import COLUMNS, DOCUMENTS
from held.dataset.parquet import require_pyarrow
from held.dataset.parts import DataSet, Known
from held.dataset.places import place_of
from held.dataset.rows import Rows, document_id, id_of, rows_from_json
from held.document import Note
from held.errors import HeldError
from held.system.bounded_input import file_sha256
from held.system.journal import open_journal
from held.system.json_values import Record

_DOCUMENTS_OF_A_PART = 100
_BYTES_OF_A_PART = 64 << 20  # of rows before they are packed: what a kill may cost, and memory must hold
_JOURNAL = "run/journal.jsonl"


def extract_into(
    sources: Sequence[Path],
    output: Path,
    options: Options,
    manner: Manner,
    watch: Watch,
    *,
    resume: bool = False,
) -> list[Account]:
    """What became of each file; all of them are in the data set of a folder now, also those that failed."""
    require_pyarrow()
    rows_wanted = Options(ROWS.name, options.extraction, options.writing)
    maker = hash_of_options(rows_wanted)
    with open_journal(output / _JOURNAL, key="run"):  # its lock keeps a second run out
        data_set = DataSet.begun(place_of(str(output)))
        known = data_set.documents()
        before = {
            index: _before(source, own)
            for index, source in enumerate(sources)
            if resume and (own := known.get(document_id(str(source)))) and _is_done(own, source, maker)
        }
        to_do = {document_id(str(source)) for index, source in enumerate(sources) if index not in before}
        data_set.forget({id: own for id, own in known.items() if id in to_do})
        tasks = [
            Task(source, str(source), rows_wanted, password=manner.password, jobs=1) for source in sources
        ]
        with gathering(data_set) as gathered:

            def settle(index: int, outcome: Outcome) -> Account:
                source = str(sources[index])
                gathered.add(document_rows(source, outcome, model=options.extraction.model, maker=maker))
                return settled(Account(source, str(output), "done"), outcome)

            return accounts_of(tasks, before, settle, manner, watch)


def _is_done(known: Known, source: Path, maker: str) -> bool:
    """Whether a data set has what the file holds, made with the same options, model and version."""
    if not known.is_done_with(maker):
        return False
    try:
        return known.source_hash == file_sha256(source)
    except HeldError:  # it will fail again where it is told
        return False


def _before(source: Path, known: Known) -> Account:
    return Account(str(source), known.part.file(DOCUMENTS), "skipped", counts=Counts())


class Gathered:
    """Rows that are not written yet."""

    def __init__(self, data_set: DataSet, *, documents: int = _DOCUMENTS_OF_A_PART) -> None:
        self._data_set, self._most = data_set, documents
        self._rows: Rows = {table: [] for table in COLUMNS}
        self._bytes = 0

    def add(self, rows: Rows) -> None:
        """Takes the rows of a document in; a part that is full is written."""
        for table, found in rows.items():
            self._rows[table] += found
            self._bytes += sum(len(row.get("text") or "") for row in found)
        if len(self._rows[DOCUMENTS]) >= self._most or self._bytes >= _BYTES_OF_A_PART:
            self.write()

    def write(self) -> None:
        """Writes what is gathered as a part."""
        if not self._rows[DOCUMENTS]:
            return
        self._data_set.write(part_id(row["document"] for row in self._rows[DOCUMENTS]), self._rows)
        self._rows, self._bytes = {table: [] for table in COLUMNS}, 0


@contextmanager
def gathering(data_set: DataSet) -> Iterator[Gathered]:
    """Gathers rows, and writes what is left at the end, also when the run is interrupted."""
    gathered = Gathered(data_set)
    try:
        yield gathered
    finally:
        gathered.write()


def part_id(documents: Iterable[str]) -> str:
    """The name of a part, made of its documents: whoever does the same again, writes the same file again."""
    return id_of(" ".join(documents))


def document_rows(source: str, outcome: Outcome, *, model: str, maker: str) -> Rows:
    """All rows of a document, its own among them, from what became of its task."""
    found: Rows = {}
    if isinstance(outcome, Done):
        try:
            found = rows_from_json(outcome.content, file=source)
        except HeldError as error:
            outcome = Failed(error)
    own: Record = {
        "finished": datetime.now(UTC),
        "model": model,
        "held": __version__,
        "options_hash": maker,
        **_became(outcome),
    }
    names = {"document": document_id(source), "source": source}
    every = {**found, DOCUMENTS: [own]}
    return {table: [names | row for row in every.get(table, [])] for table in COLUMNS}


def _became(outcome: Outcome) -> Record:
    """What a document's own row says of its task; of one that failed there is nothing else to say."""
    if isinstance(outcome, Failed):
        return {"status": "failed", "reason": outcome.reason}
    return {
        "status": outcome.status,
        "lost_pages": list(outcome.lost),
        **outcome.counts._asdict(),
        "notes": [_told(note) for note in outcome.notes],
        "seconds": round(sum(outcome.seconds.values()), 3),
        "source_hash": outcome.source_hash,
    }


def _told(note: Note) -> str:
    return note.message if note.page is None else f"page {note.page}: {note.message}"
