"""What a command is given and what it writes, said once by the types of its parameters.

Every command is a `Command`: before it works, it looks over its own parameters. No output may be an input,
whatever name or link leads there; two outputs may not be one; and a file that looks like nothing of `held`
is replaced only with --force. So no command has to think of it, and a test sees that none is left out.
"""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from held.errors import InputError, UsageError
from held.system.atomic_write import same_file
from held.system.bounded_input import require_regular_file
from held.system.console import printable
from held.system.limits import limit_names, override_limits

STDIN = "-"
FAILED, WRONG_CALL, PARTIAL = 1, 2, 3  # exit codes
_DEBUG = "held.debug"
_ADDRESS = re.compile(r"(?:https?|ftp|file|s3)://", re.IGNORECASE)
_STORE = re.compile(r"(?:lance:)?(?!https?:|ftp:|file:)[a-z][a-z\d+.-]*://", re.IGNORECASE)
_MOST_SECONDS = 31_536_000.0  # a year: the system's clocks take no number whatever


class InputPath(click.Path):
    """A file that is read, or a folder of them, or - for standard input; with `stores`, also `s3://…`."""

    def __init__(self, *, stores: bool = False, **options: Any) -> None:
        super().__init__(path_type=Path, allow_dash=True, **options)
        self.stores = stores

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path; an address of the web is none. Of several files a pipe fails where it is read, alone."""
        if self.stores and isinstance(value, str) and _STORE.match(value):
            return value
        if not os.fspath(value):  # which would mean the current folder
            self.fail("an empty name", param, ctx)
        if isinstance(value, str) and _ADDRESS.match(value):
            self.fail(f"{value} is an address; fetch it first: curl -LO {value}", param, ctx)
        alone = param is not None and param.nargs == 1
        if alone and os.path.exists(value) and not os.path.isdir(value):
            require_regular_file(value)
        return super().convert(value, param, ctx)


class OutputPath(click.Path):
    """A file that is written. What exists is replaced only with --force, unless it may be ours:

    its name ends with one of the suffixes, or it begins with the signature. `in_place` names the parameter
    whose file it may be.
    """

    def __init__(self, *suffixes: str, signature: bytes = b"", in_place: str = "", **options: Any) -> None:
        super().__init__(**{"path_type": Path, "allow_dash": True, **options})
        self.suffixes = suffixes
        self.signature = signature
        self.in_place = in_place


class OutputFolder(click.Path):
    """A folder that is written into, and made where there is none."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, which may not be that of a file."""
        if os.path.exists(value) and not os.path.isdir(value):
            self.fail(f"{value} is a file; a folder is needed", param, ctx)
        return super().convert(value, param, ctx)


class Seconds(click.ParamType[float]):
    """A time to wait: more than nothing, and at most a year."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number of seconds; more than a year is a year."""
        try:
            seconds = float(value)
        except ValueError:
            self.fail(f"{value!r} is no number of seconds", param, ctx)
        if not seconds > 0:  # not a number is not more than 0 either
            self.fail(f"{value} is not more than 0", param, ctx)
        return min(seconds, _MOST_SECONDS)


class Command(click.Command):
    """A command that spares its inputs, keeps limits that can be set, and shows faults if asked to.

    One that takes a password takes it in three ways.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if any(param.name == "password" for param in self.params):
            self.params.append(_password_file())
        self.params += [_limit(), _debug()]

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command after a look at its parameters."""
        debug = ctx.meta[_DEBUG] = ctx.params.pop("debug")
        try:
            with override_limits(ctx.params.pop("limit")):
                _take_password(ctx)
                check_outputs(ctx, force=ctx.params.pop("force", False))
                return super().invoke(ctx)
        except Exception as error:
            if debug and not isinstance(error, click.exceptions.Exit):
                click.echo(printable(traceback.format_exc()), err=True, nl=False)
            raise


def debugging() -> bool:
    """Whether the command at work was asked to show where errors come from."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_DEBUG))


def _password_file() -> click.Option:
    told = "A file whose first line is the password."
    return click.Option(["--password-file"], type=InputPath(), metavar="FILE", help=told)


def _limit() -> click.Option:
    told = f"How far a file may go, several times: {', '.join(limit_names())} (docs/security.md)."
    return click.Option(["--limit"], multiple=True, metavar="NAME=VALUE", help=told)


def _debug() -> click.Option:
    return click.Option(["--debug"], is_flag=True, help="Show where an error came from.")


def form_named(output: Path | None, forms: Mapping[str, str], otherwise: str) -> str:
    """The form that a file's suffix names; what none is known for is refused rather than guessed."""
    name = "" if output is None else output.name.lower().removesuffix(".xz")
    suffix = Path(name).suffix
    if suffix in forms:
        return forms[suffix]
    if suffix:
        known = ", ".join(forms)
        raise click.UsageError(f"-o {output}: no form ends in {suffix} ({known} do); or give --format")
    return otherwise


def _take_password(ctx: click.Context) -> None:
    """Takes the password from its file, where one is named."""
    file = ctx.params.pop("password_file", None)
    if file is None:
        return
    if ctx.get_parameter_source("password") is click.core.ParameterSource.COMMANDLINE:
        raise click.UsageError("--password and --password-file are two passwords: give one", ctx)
    try:
        content = sys.stdin.buffer.read() if str(file) == STDIN else file.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=file) from error
    ctx.params["password"] = content.split(b"\n")[0].removesuffix(b"\r").decode("utf-8", "surrogateescape")


def check_outputs(ctx: click.Context, *, force: bool) -> None:
    """Refuses outputs that would destroy an input, each other, or what is no result of `held`."""
    inputs = list(_given(ctx, InputPath))
    outputs = list(_given(ctx, OutputPath))
    for param, output in outputs:
        kind = param.type
        _spare(output, [path for other, path in inputs if other.name != kind.in_place])
        if not force and not _may_be_ours(kind, output):
            advice = "give another name, or --force" if _takes_force(ctx) else "give another name"
            raise UsageError("exists, and does not look like a result of held", file=output, advice=advice)
    for place, (_, output) in enumerate(outputs):
        if any(same_file(output, other) for _, other in outputs[:place]):
            raise UsageError("would be written twice", file=output, advice="give each result its own name")


def _given(ctx: click.Context, kind: type[click.Path]) -> Iterator[tuple[Any, Path]]:
    """The files that the parameters of a kind name, each with its parameter."""
    for param in ctx.command.params:
        value = ctx.params.get(param.name or "")
        if not isinstance(param.type, kind) or value is None:
            continue
        for path in value if isinstance(value, tuple) else (value,):
            if str(path) != STDIN:
                yield param, Path(path)


def _takes_force(ctx: click.Context) -> bool:
    return any(param.name == "force" for param in ctx.command.params)


def _spare(output: Path, inputs: list[Path]) -> None:
    """Refuses an output that is an input, or a file of a folder that is one."""
    if output.is_dir() or not os.path.lexists(output):
        return
    for given in inputs:
        if any(same_file(output, path) for path in _files_of(given)):
            raise UsageError("is an input and would be overwritten", file=output, advice="give another name")


def _files_of(given: Path) -> Iterator[Path]:
    """The file itself, or those in and below a folder."""
    yield given
    if given.is_dir():
        yield from given.rglob("*.[pP][dD][fF]")


def _may_be_ours(kind: OutputPath, output: Path) -> bool:
    """Whether a file may be a result of held, or is nobody's: there is none, it is empty, or a device."""
    if not output.is_file() or not output.stat().st_size:
        return True
    if kind.signature:
        with output.open("rb") as file:
            return file.read(len(kind.signature)) == kind.signature
    name = output.name.lower().removesuffix(".xz")
    return not kind.suffixes or name.endswith(kind.suffixes)
