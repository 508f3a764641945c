"""Many files into an index: those that have not changed are skipped, what fails is told, the others go on.

The index is its own journal: each document is a transaction, with the hash of its file and of the options.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from held.batch.request import Manner, Options, Task
from held.batch.results import hash_of_options
from held.batch.summary import Account
from held.batch.task import INDEX, Failed, Outcome
from held.batch.work import Watch, accounts_of, done, failed
from held.errors import HeldError
from held.extraction import Extraction
from held.retrieval.store import StoreWriter
from held.serial import hash_of


def index_several(
    writer: StoreWriter, files: Sequence[Path], manner: Manner, watch: Watch, *, model: str = "base"
) -> list[Account]:
    """What became of each file; those that could be read are in the index now."""
    options = Options(form=INDEX.name, extraction=Extraction(model=model))
    maker = hash_of_options(options)
    known = {source.path: (source.digest, source.maker) for source in writer.sources()}
    skipped = {
        index: _account(file, "skipped") for index, file in enumerate(files) if _is_known(file, known, maker)
    }

    def settle(index: int, outcome: Outcome) -> Account:
        return _settled(files[index], outcome, writer, maker)

    tasks = [Task(file, str(file), options, password=manner.password, jobs=1) for file in files]
    return accounts_of(tasks, skipped, settle, manner, watch)


def name_of(file: Path) -> str:
    """What an index calls a source: its whole path."""
    return os.fsencode(os.path.abspath(file)).decode("utf-8", "backslashreplace")


def _account(file: Path, outcome: str) -> Account:
    return Account(str(file), str(file), outcome)


def _is_known(file: Path, known: dict[str, tuple[str, str]], maker: str) -> bool:
    """Whether the index has what the file holds, made with the same options, model and version."""
    name = name_of(file)
    try:
        return name in known and known[name] == (hash_of(file), maker)
    except HeldError:  # it will fail again where it is told
        return False


def _settled(file: Path, outcome: Outcome, writer: StoreWriter, maker: str) -> Account:
    """The account of a file that is in the index now, or that could not be read."""
    account = _account(file, "done")
    if isinstance(outcome, Failed):
        return failed(account, outcome.error)
    writer.put(name_of(file), outcome.content, digest=outcome.source_hash, maker=maker)
    return done(account, outcome)
