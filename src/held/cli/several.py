"""What `held extract` says and writes for many files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import monotonic

from held.batch import folder
from held.batch.plan import Item
from held.batch.request import Manner, Options
from held.batch.summary import Account, summary_json
from held.cli.board import board, exit_code, tell_all
from held.cli.outputs import write_result
from held.cli.talk import say
from held.serial import dumps


def extract_several(
    items: Sequence[Item],
    output: Path,
    options: Options,
    manner: Manner,
    *,
    resume: bool = False,
    summary: Path | None = None,
) -> int:
    """What is left to wish for, as an exit code: nothing, some that failed, or else some that are partial.

    A run that is interrupted tells what it has done by then, and what not, before it ends.
    """
    start = monotonic()
    with board(len(items), manner) as watch:
        try:
            accounts = folder.extract_several(items, output, options, manner, watch, resume=resume)
        except KeyboardInterrupt:
            accounts = [watch.accounts.get(place) or _unfinished(item) for place, item in enumerate(items)]
            tell_what_became(accounts, monotonic() - start, manner, summary)
            say("the same command with --resume goes on where this one stopped")
            raise
    tell_what_became(accounts, monotonic() - start, manner, summary)
    return exit_code(accounts)


def tell_what_became(
    accounts: Sequence[Account], seconds: float, manner: Manner, summary: Path | None
) -> None:
    """Tells what became of all files, on stderr and in the summary."""
    tell_all(accounts, seconds, quiet=manner.quiet)
    if summary is not None:
        write_result(dumps(summary_json(accounts, seconds)), summary)


def _unfinished(item: Item) -> Account:
    return Account(str(item.source), str(item.target), "unfinished")
