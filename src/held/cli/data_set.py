"""What `held extract --format parquet` says and writes: on this machine, or on a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import click

from held.batch.dataset import extract_into
from held.batch.plan import sources_in
from held.batch.request import Manner, Options
from held.batch.summary import Account, counted
from held.batch.work import Watch
from held.cli.messages import bar, say, status_line
from held.cli.outputs import write_result
from held.cli.paths import FAILED, PARTIAL
from held.cli.several import told
from held.dataset.places import is_url
from held.system.json_values import encode_json

if TYPE_CHECKING:
    from held.distributed.run import Totals


def on_this_machine(
    files: Sequence[Path],
    output: str,
    options: Options,
    manner: Manner,
    *,
    resume: bool,
    summary: Path | None,
) -> int:
    """What is left to wish for, as an exit code."""
    if is_url(output):
        raise click.UsageError("a data set in a store is written by a cluster: give --on ray")
    folder = Path(output)
    sources = sources_in(files, folder)

    def work(watch: Watch) -> list[Account]:
        return extract_into(sources, folder, options, manner, watch, resume=resume)

    return told(work, [(str(source), output) for source in sources], manner, summary)


def on_ray(
    sources: Sequence[str],
    output: str,
    options: Options,
    manner: Manner,
    address: str | None,
    *,
    resume: bool,
    summary: Path | None,
) -> int:
    """What is left to wish for, as an exit code; the table `documents` says what became of each file."""
    from held.distributed.run import extract

    start = monotonic()
    with status_line() as show:
        totals = extract(
            sources,
            output,
            options.extraction,
            max_tokens=options.writing.max_tokens,
            address=address,
            workers=manner.jobs,
            timeout=manner.timeout,
            resume=resume,
            tell=lambda totals: show(_line(totals)),
        )
    seconds = monotonic() - start
    if not manner.quiet:
        say(_told(totals, seconds))
        if totals.failed:
            say(f"why they failed: column reason of the table {output.rstrip('/')}/documents")
    if summary is not None:
        write_result(encode_json({**asdict(totals), "seconds": round(seconds, 2)}), summary)
    return FAILED if totals.failed else PARTIAL if totals.partial else 0


def _line(totals: Totals) -> str:
    settled = totals.skipped + totals.done + totals.partial + totals.failed
    failed = f", {totals.failed} failed" if totals.failed else ""
    return bar("extracting", settled, totals.documents, "files") + failed


def _told(totals: Totals, seconds: float) -> str:
    parts = [f"{counted(totals.done, 'file')} done"]
    named = {"partial": totals.partial, "done before": totals.skipped, "failed": totals.failed}
    parts += [f"{count:,} {name}" for name, count in named.items() if count]
    return f"{', '.join(parts)}; {counted(totals.pages, 'page')} in {seconds:.1f} s"
