"""Many files into an index: those that have not changed are skipped, what fails is told, the others go on.

The index is its own journal: each document is a transaction, with the hash of its file and of the options.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from held.batch.request import Manner, Options, Task
from held.batch.results import hash_of_options
from held.batch.summary import Account
from held.batch.task import INDEX, Done, Outcome
from held.batch.work import Watch, accounts_of, settled
from held.errors import HeldError
from held.extraction import ExtractOptions
from held.retrieval.engine import IndexWriter, Source, source_name
from held.system.bounded_input import file_sha256


def index_several(
    writer: IndexWriter, files: Sequence[Path], manner: Manner, watch: Watch, *, model: str = "base"
) -> list[Account]:
    """What became of each file; those that could be read are in the index now."""
    options = Options(form=INDEX.name, extraction=ExtractOptions(model=model))
    maker = hash_of_options(options)
    known = {source.path: source for source in writer.sources()}
    before = {index: _before(file, known.get(source_name(file)), maker) for index, file in enumerate(files)}
    skipped = {index: account for index, account in before.items() if account is not None}

    def settle(index: int, outcome: Outcome) -> Account:
        return _settled(files[index], outcome, writer, maker)

    tasks = [Task(file, str(file), options, password=manner.password, jobs=1) for file in files]
    return accounts_of(tasks, skipped, settle, manner, watch)


def _account(file: Path, outcome: str) -> Account:
    return Account(str(file), str(file), outcome)


def _before(file: Path, source: Source | None, maker: str) -> Account | None:
    """The account of a file that the index has as it is, made with the same options, model and version."""
    try:
        if source is None or (source.digest, source.maker) != (file_sha256(file), maker):
            return None
    except HeldError:  # it will fail again where it is told
        return None
    return replace(_account(file, "skipped"), lost=source.lost)


def _settled(file: Path, outcome: Outcome, writer: IndexWriter, maker: str) -> Account:
    """The account of a file that is in the index now, or that could not be read."""
    if isinstance(outcome, Done):
        digest, lost = outcome.source_hash, outcome.lost
        writer.put(source_name(file), outcome.content, digest=digest, maker=maker, lost=lost)
    return settled(_account(file, "done"), outcome)
