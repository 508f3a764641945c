"""What is shown while many files are at work: a status line, and a line for each file if verbose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic

import click

from held.batch.request import Manner
from held.batch.summary import Account, counted, failure_lines, summary_lines
from held.cli.messages import bar, say, status_line, warn
from held.cli.paths import FAILED, PARTIAL, debugging
from held.system.console import printable
from held.system.worker_pool import ProgressEvent


class Board:
    """How many files are done, and how many pages of those at work."""

    def __init__(
        self,
        files: int,
        show: Callable[[str], None],
        *,
        quiet: bool,
        verbose: bool,
        doing: str = "extracting",
    ) -> None:
        self._doing = doing
        self._files, self._show, self._quiet, self._verbose = files, show, quiet, verbose
        self._settled = self._failed = self._pages = 0
        self._at_work: dict[int, int] = {}
        self._start = monotonic()
        self.accounts: dict[int, Account] = {}  # of the files that are settled, by their place

    def progress(self, index: int, progress: ProgressEvent) -> None:
        """Counts the pages of a file at work."""
        if progress.stage == "recognising":
            self._at_work[index] = progress.done
        self._draw()

    def settle(self, account: Account, index: int, trace: str | None = None) -> None:
        """Counts a file that is done, skipped or failed, and tells what is worth it."""
        self._at_work.pop(index, None)
        self.accounts[index] = account
        self._settled += 1
        self._failed += account.outcome == "failed"
        self._pages += account.counts.pages if account.outcome in ("done", "partial") else 0
        if self._verbose:
            _tell(account)
        if trace and (self._verbose or debugging()):
            click.echo(printable(trace), err=True, nl=False)
        self._draw()

    def _draw(self) -> None:
        if self._quiet:
            return
        pages = self._pages + sum(self._at_work.values())
        speed = pages / max(monotonic() - self._start, 0.1)
        line = bar(self._doing, self._settled, self._files, "files")
        failed = f", {self._failed} failed" if self._failed else ""
        so_far = f", {counted(pages, 'page')}, {speed:.0f} pages/s" if pages else ""
        self._show(line + failed + so_far)


@contextmanager
def board(files: int, manner: Manner, doing: str = "extracting") -> Iterator[Board]:
    """A board for so many files, drawn where somebody looks."""
    with status_line() as show:
        yield Board(files, show, quiet=manner.quiet, verbose=manner.verbose, doing=doing)


def tell_all(accounts: Sequence[Account], seconds: float, *, quiet: bool) -> None:
    """Says what failed, and how many files came out."""
    for line in (*failure_lines(accounts), *(() if quiet else summary_lines(accounts, seconds))):
        say(line)


def exit_code(accounts: Sequence[Account]) -> int:
    """0 where all files are whole, 1 where some failed, else 3 where some lack pages."""
    statuses = {account.status for account in accounts}
    if "failed" in statuses:
        return FAILED
    return PARTIAL if "partial" in statuses else 0


def _tell(account: Account) -> None:
    match account.outcome:
        case "failed":
            say(f"failed: {account.source}: {account.reason}")
        case "done" | "partial":
            pages = counted(account.counts.pages, "page")
            say(f"{account.outcome}: {account.output}: {pages} in {account.seconds:.1f} s")
        case _:
            say(f"done before: {account.output}")
    warn(account.notes, account.source)
