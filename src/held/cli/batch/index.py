"""Many files into an index: those that have not changed are skipped, what fails is told, the others go on."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic

from held.cli.batch.board import Board
from held.cli.batch.journal import hash_of_options
from held.cli.batch.request import Manner, Options, Task
from held.cli.batch.several import cores, reason
from held.cli.batch.summary import Account, failure_lines, summary_lines
from held.cli.batch.task import Failed, Outcome
from held.cli.batch.worker import events
from held.cli.talk import say, status_line
from held.errors import HeldError
from held.processes.pool import Reached
from held.retrieval.store import StoreWriter
from held.serial import hash_of

FORM = "index"


def index_several(
    writer: StoreWriter,
    files: Sequence[Path],
    manner: Manner,
    *,
    model: str = "base",
) -> list[Account]:
    """What became of each file; those that could be read are in the index now."""
    start = monotonic()
    options = Options(form=FORM, model=model)
    maker = hash_of_options(options)
    known = {source.path: (source.digest, source.maker) for source in writer.sources()}
    accounts = {file: _account(file, "skipped") for file in files if _is_known(file, known, maker)}
    waiting = [file for file in files if file not in accounts]
    tasks = [Task(file, str(file), options, password=manner.password, jobs=1) for file in waiting]
    with status_line() as show:
        board = Board(len(files), show, quiet=manner.quiet, verbose=manner.verbose, doing="indexing")
        for account in accounts.values():
            board.settle(account)
        jobs = min(manner.jobs or cores(), len(tasks) or 1)
        for index, event in events(tasks, jobs=jobs, timeout=manner.timeout):
            if isinstance(event, Reached):
                board.progress(index, event)
                continue
            accounts[waiting[index]] = account = _settled(waiting[index], event, writer, maker)
            board.settle(account, index, event.trace if isinstance(event, Failed) else None)
    ordered = [accounts[file] for file in files]
    for line in failure_lines(ordered):
        say(line)
    for line in () if manner.quiet else summary_lines(ordered, monotonic() - start):
        say(line)
    return ordered


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
    if isinstance(outcome, Failed):
        return replace(_account(file, "failed"), reason=reason(outcome.error))
    writer.put(name_of(file), outcome.content, digest=outcome.source_hash, maker=maker)
    seconds = round(sum(outcome.seconds.values()), 2)
    return replace(_account(file, "done"), counts=outcome.counts, seconds=seconds, notes=outcome.notes)
