"""Many files into a folder: what is done already is skipped, what fails is told, and the others go on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from held.batch.plan import Item
from held.batch.request import Manner, Options, Task
from held.batch.results import Results, hash_of_options, results_in
from held.batch.summary import Account
from held.batch.task import Counts, Done, Outcome
from held.batch.work import Watch, accounts_of, settled


def extract_several(
    items: Sequence[Item],
    output: Path,
    options: Options,
    manner: Manner,
    watch: Watch,
    *,
    resume: bool = False,
) -> list[Account]:
    """What became of each file; the results of those that could be read are in the folder now."""
    options_hash = hash_of_options(options)
    with results_in(output, [item.target for item in items]) as results:
        before = {
            index: account
            for index, item in enumerate(items if resume else ())
            if (account := _before(item, results, options_hash)) is not None
        }

        def settle(index: int, outcome: Outcome) -> Account:
            return _settled(items[index], outcome, results, options_hash)

        tasks = [_task(item, output, options, manner.password) for item in items]
        return accounts_of(tasks, before, settle, manner, watch)


def _task(item: Item, output: Path, options: Options, password: str | None) -> Task:
    """The task that makes a target from its source; its images and tables get folders of their own."""
    own = item.target.relative_to(output).with_suffix("")
    images, tables = options.writing.images, options.writing.tables
    return Task(
        item.source,
        str(item.source),
        options,
        item.target,
        images=images and images / own,
        tables=tables and tables / own,
        password=password,
        jobs=1,
    )


def _account(item: Item, outcome: str) -> Account:
    return Account(str(item.source), str(item.target), outcome)


def _before(item: Item, results: Results, options_hash: str) -> Account | None:
    """The account of an item that an earlier run has done."""
    row = results.row_of(item.target, item.source, options_hash)
    if row is None:
        return None
    counts = Counts(*(int(row.get(name, 0)) for name in Counts._fields))
    return replace(_account(item, "skipped"), counts=counts, lost=tuple(row.get("lost", ())))


def _settled(item: Item, outcome: Outcome, results: Results, options_hash: str) -> Account:
    """The account of an item whose result is now written, or that has none."""
    if isinstance(outcome, Done):
        row = {"source": str(item.source), "source_hash": outcome.source_hash, "options_hash": options_hash}
        results.write(item.target, outcome.content, {**row, **outcome.counts._asdict(), "lost": outcome.lost})
    return settled(_account(item, "done"), outcome)
