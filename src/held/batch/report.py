"""Reports on the files of a run: lines for people, JSON for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from held.document import Note
from held.errors import HeldError
from held.file_task import Counts, FileTask, TaskResult
from held.reading.text_checks import format_pages

SUMMARY_FORMAT = "held.batch"
SUMMARY_VERSION = 1  # raised if a field changes its meaning
MAX_LISTED = 20  # files in the messages of a run; --summary lists all
OUTCOMES = ("done", "partial", "skipped", "failed", "unfinished")
_NO_COUNTS = Counts()


@dataclass(frozen=True, slots=True)
class FileReport:
    """The outcome of one file, one of `OUTCOMES`.

    A partial file has a result, but without its `lost` pages. A skipped file was done by an earlier run. An
    unfinished file was waiting or being worked on when the run was interrupted.
    """

    source: str
    output: str
    outcome: str
    reason: str | None = None
    counts: Counts = _NO_COUNTS
    seconds: float = 0.0
    notes: tuple[Note, ...] = ()
    lost: tuple[int, ...] = ()

    @property
    def status(self) -> str:
        """The state of the result, made by this run or an earlier one: `done`, `partial`, `failed` …"""
        if self.outcome in ("failed", "unfinished"):
            return self.outcome
        return "partial" if self.lost else "done"

    def to_json(self) -> dict[str, Any]:
        """Convert to a JSON object."""
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


def report_result(task: FileTask, result: TaskResult) -> FileReport:
    """Report a task that has a result."""
    seconds = sum(result.seconds.values())
    return FileReport(
        task.name,
        task.output,
        result.status,
        counts=result.counts,
        seconds=round(seconds, 2),
        notes=result.notes,
        lost=result.lost,
    )


def report_skipped(task: FileTask, *, counts: Counts = _NO_COUNTS, lost: Sequence[int] = ()) -> FileReport:
    """Report a task that an earlier run has done."""
    return FileReport(task.name, task.output, "skipped", counts=counts, lost=tuple(lost))


def report_failure(task: FileTask, reason: str) -> FileReport:
    """Report a task that has no result."""
    return FileReport(task.name, task.output, "failed", reason)


def reason_of(error: HeldError) -> str:
    """Return the error's message without the file, which reports name anyway."""
    without_file = HeldError(error.what, page=error.page, advice=error.advice)
    return str(without_file)


def count_noun(count: int, noun: str) -> str:
    """Format a count with its noun: 1 file, 1,200 pages."""
    plural = "" if count == 1 else "s"
    return f"{count:,} {noun}{plural}"


def summary_to_json(reports: Sequence[FileReport], seconds: float) -> dict[str, Any]:
    """Return the summary that `--summary` writes; docs/formats.md describes it."""
    pages = _count_pages(reports)
    counts = Counter(report.outcome for report in reports)
    return {
        "format": SUMMARY_FORMAT,
        "version": SUMMARY_VERSION,
        **{outcome: counts[outcome] for outcome in OUTCOMES},
        "pages": pages,
        "seconds": round(seconds, 2),
        "pages_per_second": round(pages / seconds, 2) if seconds else 0.0,
        "files": [report.to_json() for report in reports],
    }


def failure_lines(reports: Sequence[FileReport]) -> Iterator[str]:
    """Yield a line for each file that is partial or failed, up to a limit."""
    partial = [report for report in reports if report.status == "partial"]
    for report in partial[:MAX_LISTED]:
        lost = format_pages(report.lost)
        yield f"partial: {report.source}: {lost} could not be read"
    failed = [report for report in reports if report.outcome == "failed"]
    for report in failed[:MAX_LISTED]:
        yield f"failed: {report.source}: {report.reason}"
    if len(failed) > MAX_LISTED:
        yield f"failed: {len(failed) - MAX_LISTED} more (--summary FILE lists all)"


def summary_lines(reports: Sequence[FileReport], seconds: float) -> Iterator[str]:
    """Yield how many files have which outcome, and how fast they were done."""
    with_notes = sum(bool(report.notes) for report in reports)
    if with_notes:
        yield f"{count_noun(with_notes, 'file')} with warnings (-v or --summary FILE shows them)"
    pages = _count_pages(reports)
    speed = f", {pages / seconds:.1f} pages/s" if pages else ""
    counts = Counter(report.outcome for report in reports)
    yield f"{outcome_counts(counts)}; {count_noun(pages, 'page')} in {seconds:.1f} s{speed}"


def outcome_counts(counts: Counter[str]) -> str:
    """Format the outcomes: `9 files done, 3 failed`."""
    parts = [f"{count_noun(counts['done'], 'file')} done"]
    for outcome in OUTCOMES[1:]:
        if counts[outcome]:
            label = "done before" if outcome == "skipped" else outcome
            parts.append(f"{counts[outcome]:,} {label}")
    return ", ".join(parts)


def _count_pages(reports: Sequence[FileReport]) -> int:
    # Skipped files cost no time, so their pages must not count for the speed.
    done = [report for report in reports if report.outcome in ("done", "partial")]
    return sum(report.counts.pages for report in done)
