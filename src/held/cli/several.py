"""What `held extract` says and writes for many files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import monotonic

from held.batch import folder
from held.batch.plan import Item
from held.batch.request import Manner, Options
from held.batch.summary import summary_json
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
    """What is left to wish for, as an exit code: nothing, some that failed, or else some that are partial."""
    start = monotonic()
    try:
        with board(len(items), manner) as watch:
            accounts = folder.extract_several(items, output, options, manner, watch, resume=resume)
    except KeyboardInterrupt:
        say("the same command with --resume goes on where this one stopped")
        raise
    seconds = monotonic() - start
    tell_all(accounts, seconds, quiet=manner.quiet)
    if summary is not None:
        write_result(dumps(summary_json(accounts, seconds)), summary)
    return exit_code(accounts)
