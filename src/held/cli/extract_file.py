"""What `held extract` says and writes for a single file."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from held.batch.one import outcome_of_one
from held.batch.request import Manner, Options, Task
from held.batch.task import Done, Failed, Outcome
from held.cli.inputs import as_file
from held.cli.lines import coloured_tree, wants_colour
from held.cli.messages import bar, say, status_line, warn
from held.cli.outputs import write_result
from held.cli.paths import debugging
from held.exports.formats import FORMATS
from held.reading.text_checks import format_pages

_UNITS = {"inserting": "headings"}


def extract_one(file: Path, output: Path | None, options: Options, manner: Manner) -> bool:
    """Extracts a file to another, or to stdout: whether whole. What cannot be done is an error."""
    form = FORMATS[options.form]
    if output is None and not form.is_text and sys.stdout.isatty():
        raise click.UsageError(f"a {form.name} is nothing for a terminal: give -o OUT{form.suffix}")
    outcome = _outcome(file, output, options, manner)
    if isinstance(outcome, Failed):
        if (manner.verbose or debugging()) and outcome.trace:
            click.echo(outcome.trace, err=True, nl=False)
        raise outcome.error
    if not manner.quiet:
        warn(outcome.notes)
    to_screen = output is None and options.form == "tree" and wants_colour(sys.stdout)
    content = coloured_tree(outcome.content) if to_screen else outcome.content
    write_result(content, output, coloured=to_screen)
    if manner.verbose:
        sys.stdout.flush()
        say(_told(outcome))
    if outcome.lost:
        say(f"partial: {format_pages(outcome.lost)} could not be read and stand empty")
    return not outcome.lost


def _outcome(file: Path, output: Path | None, options: Options, manner: Manner) -> Outcome:
    """What becomes of the file, told on the way unless nobody is to hear it."""
    with as_file(file) as source, status_line() as show:

        def tell(stage: str, done: int, total: int) -> None:
            if not manner.quiet:
                show(bar(stage, done, total, _UNITS.get(stage, "pages")))

        images, tables = options.writing.images, options.writing.tables
        task = Task(source, str(file), options, output, images, manner.password, manner.jobs, tables)
        return outcome_of_one(task, manner, tell)


def _told(done: Done) -> str:
    """What was done, and how long each stage took."""
    from held.batch.summary import counted

    found = ", ".join(counted(n, name.removesuffix("s")) for name, n in done.counts._asdict().items())
    times = ", ".join(f"{stage} {seconds:.2f}" for stage, seconds in done.seconds.items())
    return f"{found} in {sum(done.seconds.values()):.2f} s ({times})"
