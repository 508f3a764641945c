"""What `held extract` says and writes for many files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic

from held.batch import folder
from held.batch.plan import Item
from held.batch.request import Manner, Options
from held.batch.summary import Account, summary_json
from held.batch.work import Watch
from held.cli.board import board, exit_code, tell_all
from held.cli.messages import say
from held.cli.outputs import write_result
from held.system.json_values import encode_json


def extract_several(
    items: Sequence[Item],
    output: Path,
    options: Options,
    manner: Manner,
    *,
    resume: bool = False,
    summary: Path | None = None,
) -> int:
    """What is left to wish for, as an exit code: see `told`."""
    places = [(str(item.source), str(item.target)) for item in items]

    def work(watch: Watch) -> list[Account]:
        return folder.extract_several(items, output, options, manner, watch, resume=resume)

    return told(work, places, manner, summary)


def told(
    work: Callable[[Watch], list[Account]],
    places: Sequence[tuple[str, str]],
    manner: Manner,
    summary: Path | None,
) -> int:
    """What is left to wish for, as an exit code: nothing, some that failed, or else some that are partial.

    `places` has the source of each file and where its result goes. Work that is interrupted tells what it has
    done by then, and what not, before it ends.
    """
    start = monotonic()
    with board(len(places), manner) as watch:
        try:
            accounts = work(watch)
        except KeyboardInterrupt:
            accounts = [
                watch.accounts.get(index) or Account(source, target, "unfinished")
                for index, (source, target) in enumerate(places)
            ]
            _tell_what_became(accounts, monotonic() - start, manner, summary)
            say("the same command with --resume goes on where this one stopped")
            raise
    _tell_what_became(accounts, monotonic() - start, manner, summary)
    return exit_code(accounts)


def _tell_what_became(
    accounts: Sequence[Account], seconds: float, manner: Manner, summary: Path | None
) -> None:
    """Tells what became of all files, on stderr and in the summary."""
    tell_all(accounts, seconds, quiet=manner.quiet)
    if summary is not None:
        write_result(encode_json(summary_json(accounts, seconds)), summary)
