"""Many files into a folder: what is done already is skipped, what fails is told, and the others go on."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic

from held.cli.batch.board import Board
from held.cli.batch.journal import Results, hash_of_options, results_in
from held.cli.batch.plan import Item
from held.cli.batch.request import Manner, Options, Task
from held.cli.batch.summary import Account, Counts, failure_lines, summary_json, summary_lines
from held.cli.batch.task import Failed, Outcome
from held.cli.batch.worker import events
from held.cli.talk import say, status_line
from held.errors import HeldError
from held.processes.pool import Reached
from held.serial import dumps, write_whole


def extract_several(
    items: Sequence[Item],
    output: Path,
    options: Options,
    manner: Manner,
    *,
    resume: bool = False,
    summary: Path | None = None,
) -> bool:
    """Whether all files were extracted, now or before."""
    start = monotonic()
    options_hash = hash_of_options(options)
    with results_in(output, [item.target for item in items]) as results, status_line() as show:
        board = Board(len(items), show, quiet=manner.quiet, verbose=manner.verbose)
        accounts: dict[Item, Account] = {}
        for item in items if resume else ():
            account = _before(item, results, options_hash)
            if account is not None:
                accounts[item] = account
                board.settle(account)
        waiting = [item for item in items if item not in accounts]
        tasks = [_task(item, output, options, manner.password) for item in waiting]
        jobs = min(manner.jobs or cores(), len(tasks) or 1)
        try:
            for index, event in events(tasks, jobs=jobs, timeout=manner.timeout):
                if isinstance(event, Reached):
                    board.progress(index, event)
                    continue
                accounts[waiting[index]] = account = _settled(waiting[index], event, results, options_hash)
                trace = event.trace if isinstance(event, Failed) else None
                board.settle(account, index, trace)
        except KeyboardInterrupt:
            say("the same command with --resume goes on where this one stopped")
            raise
    ordered = [accounts[item] for item in items]
    _tell(ordered, monotonic() - start, summary, quiet=manner.quiet)
    return all(account.outcome != "failed" for account in ordered)


def _task(item: Item, output: Path, options: Options, password: str | None) -> Task:
    """The task that makes a target from its source; its images get a folder of their own."""
    images = options.images and options.images / item.target.relative_to(output).with_suffix("")
    return Task(item.source, str(item.source), options, item.target, images, password, jobs=1)


def cores() -> int:
    """How many processes this one may keep busy."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _before(item: Item, results: Results, options_hash: str) -> Account | None:
    """The account of an item that an earlier run has done."""
    row = results.row_of(item.target, item.source, options_hash)
    if row is None:
        return None
    counts = Counts(*(int(row.get(name, 0)) for name in Counts._fields))
    return Account(str(item.source), str(item.target), "skipped", counts=counts)


def _settled(item: Item, outcome: Outcome, results: Results, options_hash: str) -> Account:
    """The account of an item whose result is now written, or that has none."""
    account = Account(str(item.source), str(item.target), "done")
    if isinstance(outcome, Failed):
        return replace(account, outcome="failed", reason=reason(outcome.error))
    counts = outcome.counts
    row = {"source": str(item.source), "source_hash": outcome.source_hash, "options_hash": options_hash}
    try:
        results.write(item.target, outcome.content, {**row, **counts._asdict()})
    except HeldError as error:
        return replace(account, outcome="failed", reason=str(error))
    seconds = round(sum(outcome.seconds.values()), 2)
    return replace(account, counts=counts, seconds=seconds, notes=outcome.notes)


def reason(error: HeldError) -> str:
    """What is wrong, without the file, which stands before it anyway."""
    return str(HeldError(error.what, page=error.page, advice=error.advice))


def _tell(accounts: Sequence[Account], seconds: float, summary: Path | None, *, quiet: bool) -> None:
    if summary is not None:
        write_whole(summary, dumps(summary_json(accounts, seconds)))
    for line in (*failure_lines(accounts), *(() if quiet else summary_lines(accounts, seconds))):
        say(line)
