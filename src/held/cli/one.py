"""What `held extract` says and writes for a single file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from held.batch.one import outcome_of_one
from held.batch.request import Manner, Options, Task
from held.batch.summary import counted
from held.batch.task import Done, Failed
from held.cli.inputs import STDIN
from held.cli.lines import coloured_tree, wants_colour
from held.cli.outputs import write_result
from held.cli.talk import bar, say, status_line, warn
from held.forms import FORMS

_UNITS = {"inserting": "headings"}


def extract_one(file: Path, output: Path | None, options: Options, manner: Manner) -> None:
    """Extracts a file to another, or to stdout; what cannot be done is an error."""
    form = FORMS[options.form]
    if output is None and not form.for_screen and sys.stdout.isatty():
        raise click.UsageError(f"a {form.name} is nothing for a terminal: give -o OUT{form.suffix}")
    with _as_file(file) as source, status_line() as show:

        def tell(stage: str, done: int, total: int) -> None:
            if not manner.quiet:
                show(bar(stage, done, total, _UNITS.get(stage, "pages")))

        images, tables = options.writing.images, options.writing.tables
        task = Task(source, str(file), options, output, images, manner.password, manner.jobs, tables)
        outcome = outcome_of_one(task, manner, tell)
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


def _told(done: Done) -> str:
    """What was done, and how long each stage took."""
    found = ", ".join(counted(n, name.removesuffix("s")) for name, n in done.counts._asdict().items())
    times = ", ".join(f"{stage} {seconds:.2f}" for stage, seconds in done.seconds.items())
    return f"{found} in {sum(done.seconds.values()):.2f} s ({times})"
