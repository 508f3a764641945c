"""One file, extracted to a file or to standard output."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from held.cli.batch.request import Manner, Options, Task
from held.cli.batch.summary import counted
from held.cli.batch.task import Done, Failed, Outcome, carry_out
from held.cli.batch.worker import events
from held.cli.inputs import STDIN
from held.cli.lines import coloured_tree, wants_colour
from held.cli.outputs import write_result
from held.cli.talk import bar, say, status_line, warn
from held.processes.memory import memory_limited, memory_share
from held.processes.pool import Reached, paced

_UNITS = {"inserting": "headings"}


def extract_one(file: Path, output: Path | None, options: Options, manner: Manner) -> None:
    """Extracts a file to another, or to stdout; what cannot be done is an error."""
    if output is None and options.form == "pdf" and sys.stdout.isatty():
        raise click.UsageError("a PDF is nothing for a terminal: give -o OUT.pdf")
    with _as_file(file) as source:
        task = Task(source, str(file), options, output, options.images, manner.password, manner.jobs)
        outcome = _outcome(task, manner)
    if isinstance(outcome, Failed):
        if manner.verbose and outcome.trace:
            click.echo(outcome.trace, err=True, nl=False)
        raise outcome.error
    if not manner.quiet:
        warn(outcome.notes)
    to_screen = output is None and options.form == "tree" and wants_colour(sys.stdout)
    write_result(coloured_tree(outcome.content) if to_screen else outcome.content, output)
    if manner.verbose:
        sys.stdout.flush()
        say(_told(outcome))


@contextmanager
def _as_file(file: Path) -> Iterator[Path]:
    """The file itself, or a copy of standard input for as long as it is needed."""
    if str(file) != STDIN:
        yield file
        return
    with TemporaryDirectory(prefix="held-") as folder:
        copy = Path(folder, "stdin")
        copy.write_bytes(sys.stdin.buffer.read())
        yield copy


def _outcome(task: Task, manner: Manner) -> Outcome:
    """What becomes of the task, while a line tells how far it is.

    A process of its own takes as long to start as some ten pages take, so there is one only where it is
    needed: to be ended after a time, and for qpdf, which is no Python and writes bookmarks. PDFium, which
    bad files crash, works in processes of its own anyway.
    """
    with status_line() as show:

        def tell(stage: str, done: int, total: int) -> None:
            if not manner.quiet:
                show(bar(stage, done, total, _UNITS.get(stage, "pages")))

        if manner.timeout is None and task.options.form != "pdf":
            with memory_limited(memory_share(1)):
                return carry_out(task, paced(tell))
        for _, event in events([task], jobs=1, timeout=manner.timeout):
            if not isinstance(event, Reached):
                return event
            tell(*event)
    raise AssertionError("a task ends with an outcome")


def _told(done: Done) -> str:
    """What was done, and how long each stage took."""
    found = ", ".join(counted(n, name.removesuffix("s")) for name, n in done.counts._asdict().items())
    times = ", ".join(f"{stage} {seconds:.2f}" for stage, seconds in done.seconds.items())
    return f"{found} in {sum(done.seconds.values()):.2f} s ({times})"
