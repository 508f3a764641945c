"""What became of many files: for people on stderr, for programs as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from held.batch.task import Counts
from held.document import Note
from held.reading.text_checks import format_pages

SUMMARY_FORMAT = "held.batch"
VERSION = 1
MOST_FAILURES = 20
OUTCOMES = ("done", "partial", "skipped", "failed", "unfinished")


_NOTHING = Counts()


@dataclass(frozen=True, slots=True)
class Account:
    """What became of one file: done, partial, skipped because it was done before, or failed for a reason.

    A file is partial whose result is there, but without the pages that are `lost`. One is unfinished that was
    waiting or at work when the run was interrupted.
    """

    source: str
    output: str
    outcome: str
    reason: str | None = None
    counts: Counts = _NOTHING
    seconds: float = 0.0
    notes: tuple[Note, ...] = ()
    lost: tuple[int, ...] = ()

    @property
    def status(self) -> str:
        """What there is of the file's result, made now or before: done, partial, failed or unfinished."""
        if self.outcome in ("failed", "unfinished"):
            return self.outcome
        return "partial" if self.lost else "done"

    def to_json(self) -> dict[str, Any]:
        """The account as a JSON object."""
        return {
            "source": self.source,
            "output": self.output,
            "outcome": self.outcome,
            "status": self.status,
            "reason": self.reason,
            **self.counts._asdict(),
            "lost": list(self.lost),
            "seconds": self.seconds,
            "notes": [note._asdict() for note in self.notes],
        }


def counted(count: int, noun: str) -> str:
    """A number with its noun: 1 file, 1,200 pages."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def summary_json(accounts: Sequence[Account], seconds: float) -> dict[str, Any]:
    """The summary as a JSON object."""
    pages = _pages(accounts)
    return {
        "format": SUMMARY_FORMAT,
        "version": VERSION,
        **{outcome: _count(accounts, outcome) for outcome in OUTCOMES},
        "pages": pages,
        "seconds": round(seconds, 2),
        "pages_per_second": round(pages / seconds, 2) if seconds else 0.0,
        "files": [account.to_json() for account in accounts],
    }


def failure_lines(accounts: Sequence[Account]) -> Iterator[str]:
    """The files that are partial, with what they lack, and those that failed, with their reasons."""
    partial = [account for account in accounts if account.status == "partial"]
    for account in partial[:MOST_FAILURES]:
        yield f"partial: {account.source}: {format_pages(account.lost)} could not be read and stand empty"
    failures = [account for account in accounts if account.outcome == "failed"]
    for account in failures[:MOST_FAILURES]:
        yield f"failed: {account.source}: {account.reason}"
    if len(failures) > MOST_FAILURES:
        yield f"failed: {len(failures) - MOST_FAILURES} more (--summary FILE has all)"


def summary_lines(accounts: Sequence[Account], seconds: float) -> Iterator[str]:
    """How many files came out, and how fast."""
    noted = sum(bool(account.notes) for account in accounts)
    if noted:
        yield f"{counted(noted, 'file')} with warnings (-v or --summary FILE tells them)"
    done, partial, skipped, failed, unfinished = (_count(accounts, outcome) for outcome in OUTCOMES)
    pages = _pages(accounts)
    parts = [f"{counted(done, 'file')} done"]
    parts += [f"{partial:,} partial"] if partial else []
    parts += [f"{skipped:,} done before"] if skipped else []
    parts += [f"{failed:,} failed"] if failed else []
    parts += [f"{unfinished:,} unfinished"] if unfinished else []
    speed = f", {pages / seconds:.1f} pages/s" if pages else ""
    yield f"{', '.join(parts)}; {counted(pages, 'page')} in {seconds:.1f} s{speed}"


def _pages(accounts: Sequence[Account]) -> int:
    return sum(account.counts.pages for account in accounts if account.outcome in ("done", "partial"))


def _count(accounts: Sequence[Account], outcome: str) -> int:
    return sum(account.outcome == outcome for account in accounts)
