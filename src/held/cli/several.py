"""What `held extract` says and writes for many files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import monotonic

from held.batch import folder
from held.batch.plan import Item
from held.batch.request import Manner, Options
from held.batch.summary import summary_json
from held.cli.board import board, tell_all
from held.cli.talk import say
from held.serial import dumps
from held.writing import write_whole


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
    try:
        with board(len(items), manner) as watch:
            accounts = folder.extract_several(items, output, options, manner, watch, resume=resume)
    except KeyboardInterrupt:
        say("the same command with --resume goes on where this one stopped")
        raise
    seconds = monotonic() - start
    if summary is not None:
        write_whole(summary, dumps(summary_json(accounts, seconds)))
    tell_all(accounts, seconds, quiet=manner.quiet)
    return all(account.outcome != "failed" for account in accounts)
