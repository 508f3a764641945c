"""One file, extracted to a file or to standard output."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from held.cli.batch.request import Manner, Options, Task
from held.cli.batch.run import Progress, events
from held.cli.batch.summary import counted
from held.cli.batch.task import Done, Failed, Outcome
from held.cli.inputs import STDIN
from held.cli.lines import coloured_tree, wants_colour
from held.cli.outputs import write_result
from held.cli.talk import bar, say, status_line, warn

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
    with status_line() as show:
        for _, event in events([task], jobs=1, timeout=manner.timeout):
            if not isinstance(event, Progress):
                return event
            if not manner.quiet:
                show(bar(event.stage, event.done, event.total, _UNITS.get(event.stage, "pages")))
    raise AssertionError("a task ends with an outcome")


def _told(done: Done) -> str:
    """What was done, and how long each stage took."""
    found = ", ".join(counted(n, name.removesuffix("s")) for name, n in done.counts._asdict().items())
    times = ", ".join(f"{stage} {seconds:.2f}" for stage, seconds in done.seconds.items())
    return f"{found} in {sum(done.seconds.values()):.2f} s ({times})"
