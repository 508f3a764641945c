"""Many files on the command line: into a folder or a data set, on this machine or on a Ray cluster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import click

from held.batch.report import (
    FileReport,
    count_noun,
    failure_lines,
    outcome_counts,
    summary_lines,
    summary_to_json,
)
from held.batch.runner import run
from held.batch.sinks import RUN_JOURNAL, PlannedFile, find_sources, folder_sink, folder_tasks, plan_files
from held.cli import format_bar, print_message, print_warnings, status_line, write_result
from held.cli.parameters import FAILED, PARTIAL, STDIN, is_debugging
from held.errors import UsageError
from held.exports.formats import FORMATS
from held.file_task import FileTask, RunOptions, TaskOptions
from held.system.atomic_write import same_file
from held.system.bounded_json import encode_json
from held.system.console import printable
from held.system.worker_pool import ProgressEvent

if TYPE_CHECKING:
    from held.distributed import Totals


class BatchProgress:
    """Shows how many files and pages of a run are done; with --verbose, also a line for each file."""

    def __init__(
        self, files: int, show: Callable[[str], None], options: RunOptions, label: str = "extracting"
    ) -> None:
        self._files = files
        self._show = show
        self._options = options
        self._label = label
        self._failed = 0
        self._pages = 0  # of the files that have ended
        self._pages_in_work: dict[int, int] = {}  # by the index of the file
        self._start = monotonic()
        self.reports: dict[int, FileReport] = {}  # of the files that have ended

    def report_progress(self, index: int, progress: ProgressEvent) -> None:
        """Count the pages of a file in work."""
        # Only one stage counts pages, or each page would count several times.
        if progress.stage == "recognising":
            self._pages_in_work[index] = progress.done
        self._draw()

    def report_file(self, index: int, report: FileReport, trace: str | None = None) -> None:
        """Count a file that has ended."""
        self._pages_in_work.pop(index, None)
        self.reports[index] = report
        self._failed += report.outcome == "failed"
        if report.outcome in ("done", "partial"):
            self._pages += report.counts.pages
        if self._options.verbose:
            _print_report(report)
        if trace and (self._options.verbose or is_debugging()):
            click.echo(printable(trace), err=True, nl=False)
        self._draw()

    def _draw(self) -> None:
        if self._options.quiet:
            return
        line = format_bar(self._label, len(self.reports), self._files, "files")
        if self._failed:
            line += f", {self._failed} failed"
        pages = self._pages + sum(self._pages_in_work.values())
        if pages:
            seconds = max(monotonic() - self._start, 0.1)
            speed = pages / seconds
            line += f", {count_noun(pages, 'page')}, {speed:.0f} pages/s"
        self._show(line)


def _print_report(report: FileReport) -> None:
    match report.outcome:
        case "failed":
            print_message(f"failed: {report.source}: {report.reason}")
        case "done" | "partial":
            pages = count_noun(report.counts.pages, "page")
            print_message(f"{report.outcome}: {report.output}: {pages} in {report.seconds:.1f} s")
        case _:
            print_message(f"done before: {report.output}")
    print_warnings(report.notes, report.source)


@contextmanager
def batch_progress(files: int, options: RunOptions, label: str = "extracting") -> Iterator[BatchProgress]:
    """Provide the progress display of a run."""
    with status_line() as show:
        yield BatchProgress(files, show, options, label)


# --- The end of a run ---


def print_summary(reports: Sequence[FileReport], seconds: float, *, quiet: bool) -> None:
    """Print the files that failed and, unless quiet, how many were done."""
    for line in failure_lines(reports):
        print_message(line)
    if not quiet:
        for line in summary_lines(reports, seconds):
            print_message(line)


def exit_code(reports: Sequence[FileReport]) -> int:
    """Return 1 if a file failed, 3 if one lacks pages, otherwise 0."""
    statuses = {report.status for report in reports}
    if "failed" in statuses:
        return FAILED
    return PARTIAL if "partial" in statuses else 0


# --- One function for each target: a folder, a data set, a cluster ---


def extract_to_folder(
    files: Sequence[Path], output: Path | None, options: TaskOptions, run_options: RunOptions
) -> int:
    """Extract files into a folder and return the exit code."""
    if output is None:
        raise click.UsageError("several files, or a folder, need a folder for their results; use -o FOLDER")
    if Path(STDIN) in files:
        raise click.UsageError("standard input (-) cannot be combined with other files")
    if output.exists() and not output.is_dir():
        raise click.UsageError(f"-o {output} is a file; several files need a folder")
    planned = plan_files(files, output, FORMATS[options.format].suffix)
    if run_options.summary is not None:
        _check_summary(run_options.summary, planned, output)
    tasks = folder_tasks(planned, output, options, run_options)

    def work(progress: BatchProgress) -> list[FileReport]:
        with folder_sink(output, tasks, options, resume=run_options.resume) as sink:
            return run(tasks, sink, run_options, progress)

    return _run_and_report(work, tasks, run_options)


def _check_summary(summary: Path, planned: Sequence[PlannedFile], output: Path) -> None:
    """Refuse a summary that would overwrite a source, a result or the journal."""
    taken = [output / RUN_JOURNAL]
    for source, target in planned:
        taken += source, target
    if any(same_file(summary, path) for path in taken):
        raise UsageError("would be overwritten by the summary", file=summary, advice="choose another name")


def extract_to_dataset(
    files: Sequence[Path], output: str, options: TaskOptions, run_options: RunOptions
) -> int:
    """Extract files into a data set on this machine and return the exit code."""
    from held.batch.sinks import dataset_sink, file_tasks
    from held.dataset.parts import is_url
    from held.file_task import ROWS

    if is_url(output):
        raise click.UsageError("only a cluster writes a data set to an object store; use --on ray")
    folder = Path(output)
    row_options = replace(options, format=ROWS.name)
    sources = find_sources(files, folder)
    tasks = file_tasks(sources, row_options, run_options, output=folder)

    def work(progress: BatchProgress) -> list[FileReport]:
        with dataset_sink(folder, row_options, resume=run_options.resume) as sink:
            return run(tasks, sink, run_options, progress)

    return _run_and_report(work, tasks, run_options)


def _run_and_report(
    work: Callable[[BatchProgress], list[FileReport]], tasks: Sequence[FileTask], options: RunOptions
) -> int:
    """Run the work, print and write its summary even if it is interrupted, and return the exit code."""
    start = monotonic()
    with batch_progress(len(tasks), options) as progress:
        try:
            reports = work(progress)
        except KeyboardInterrupt:
            # The summary lists every file: those that have ended, and the others as unfinished.
            reports = []
            for index, task in enumerate(tasks):
                unfinished = FileReport(task.name, task.output, "unfinished")
                reports.append(progress.reports.get(index, unfinished))
            _write_summary(reports, monotonic() - start, options)
            print_message("the same command with --resume continues where this one stopped")
            raise
    _write_summary(reports, monotonic() - start, options)
    return exit_code(reports)


def _write_summary(reports: Sequence[FileReport], seconds: float, options: RunOptions) -> None:
    print_summary(reports, seconds, quiet=options.quiet)
    if options.summary is not None:
        value = summary_to_json(reports, seconds)
        write_result(encode_json(value), options.summary)


def extract_on_ray(
    sources: Sequence[str],
    output: str,
    options: TaskOptions,
    run_options: RunOptions,
    address: str | None,
) -> int:
    """Extract files into a data set on a Ray cluster and return the exit code."""
    from held.distributed import extract

    start = monotonic()
    with status_line() as show:
        totals = extract(
            sources,
            output,
            options.extract,
            max_tokens=options.export.max_tokens,
            address=address,
            workers=run_options.jobs,
            timeout=run_options.timeout,
            resume=run_options.resume,
            progress=lambda totals: show(_format_totals_bar(totals)),
        )
    seconds = monotonic() - start
    if not run_options.quiet:
        counts = outcome_counts(Counter(asdict(totals)))
        print_message(f"{counts}; {count_noun(totals.pages, 'page')} in {seconds:.1f} s")
        if totals.failed:
            table = f"{output.rstrip('/')}/documents"
            print_message(f"the column `reason` of the table {table} says why files failed")
    if run_options.summary is not None:
        value = asdict(totals) | {"seconds": round(seconds, 2)}
        write_result(encode_json(value), run_options.summary)
    if totals.failed:
        return FAILED
    return PARTIAL if totals.partial else 0


def _format_totals_bar(totals: Totals) -> str:
    ended = totals.skipped + totals.done + totals.partial + totals.failed
    failed = f", {totals.failed} failed" if totals.failed else ""
    return format_bar("extracting", ended, totals.documents, "files") + failed
