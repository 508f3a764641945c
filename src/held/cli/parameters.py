"""Parameter types, shared options and the base class of all commands.

Every command is a `Command`. Before it runs, it checks its own parameters: no output may be an input, under
whatever name or link; two outputs may not be the same file; and a file that does not look like a result of
`held` is only replaced with --force. A test checks that every command uses these types.
"""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import click

from held.errors import InputError, UnexpectedError, UsageError
from held.extraction import PageRange, check_language, parse_page_range
from held.system import lazy_pattern
from held.system.bounded_json import require_regular_file
from held.system.console import printable
from held.system.limits import MAX_BEAM, override_limits

STDIN = "-"
FAILED, WRONG_CALL, PARTIAL = 1, 2, 3  # exit codes
_DEBUG = "held.debug"  # key of `click.Context.meta`
_WEB_URL = lazy_pattern(r"(?:https?|ftp|file|s3)://", re.IGNORECASE)
_STORE_URL = lazy_pattern(r"(?:lance:)?(?!https?:|ftp:|file:)[a-z][a-z\d+.-]*://", re.IGNORECASE)
_MAX_SECONDS = 31_536_000.0  # a year: the system's clocks do not take every number

F = TypeVar("F", bound=Callable[..., Any])


class InputPath(click.Path):
    """A file or folder to read, or - for standard input; with `stores` also a URL such as `s3://…`."""

    def __init__(self, *, stores: bool = False, **options: Any) -> None:
        super().__init__(path_type=Path, allow_dash=True, **options)
        self.stores = stores

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert to a path, or to a URL as it is."""
        if self.stores and isinstance(value, str) and _STORE_URL.match(value):
            return value
        if not os.fspath(value):  # `Path("")` is the current folder
            self.fail("an empty name is not a file", param, ctx)
        if isinstance(value, str) and _WEB_URL.match(value):
            self.fail(f"{value} is a URL; download it first: curl -LO {value}", param, ctx)
        # A pipe among several files fails when it is read, so that the others are still done.
        is_only_file = param is not None and param.nargs == 1
        if is_only_file and os.path.exists(value) and not os.path.isdir(value):
            require_regular_file(value)
        return super().convert(value, param, ctx)


class OutputPath(click.Path):
    """A file to write. An existing file is replaced without --force only if it may be a result of held:

    its name ends with one of the suffixes, or its content starts with the signature. `in_place` names the
    input parameter that may be the same file.
    """

    def __init__(self, *suffixes: str, signature: bytes = b"", in_place: str = "", **options: Any) -> None:
        super().__init__(**{"path_type": Path, "allow_dash": True, **options})
        self.suffixes = suffixes
        self.signature = signature
        self.in_place = in_place


class OutputFolder(click.Path):
    """A folder to write into, created if needed."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert to a path, which may not be a file."""
        if os.path.exists(value) and not os.path.isdir(value):
            self.fail(f"{value} is a file, not a folder", param, ctx)
        return super().convert(value, param, ctx)


class Seconds(click.ParamType[float]):
    """A number of seconds above 0. More than a year counts as a year."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Convert to a number of seconds."""
        try:
            seconds = float(value)
        except ValueError:
            self.fail(f"{value!r} is not a number of seconds", param, ctx)
        if not seconds > 0:  # also refuses nan
            self.fail(f"{value} is not above 0", param, ctx)
        return min(seconds, _MAX_SECONDS)


def pages_option(help: str) -> Callable[[F], F]:
    """Add `--pages`."""

    def parse(ctx: click.Context, param: click.Parameter, value: str | None) -> PageRange | None:
        try:
            return None if value is None else parse_page_range(value)
        except UsageError as error:
            raise click.BadParameter(error.what, ctx, param) from error

    return click.option("--pages", callback=parse, metavar="3-9", help=help)


def force_option() -> Callable[[F], F]:
    """Add `--force`, for commands that write one file."""
    help = "Overwrite OUT even if it does not look like a result of held."
    return click.option("--force", is_flag=True, help=help)


def password_option(help: str = "Password of an encrypted PDF.") -> Callable[[F], F]:
    """Add `--password`, which may also come from the environment."""
    return click.option("--password", envvar="HELD_PASSWORD", help=f"{help}  [env: HELD_PASSWORD]")


def ocr_options() -> Callable[[F], F]:
    """Add `--ocr`, `--ocr-engine` and `--ocr-languages`."""
    mode = click.option(
        "--ocr",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        show_default=True,
        help="Read scanned pages: auto, if an OCR engine is installed; always, all pages.",
    )
    engine = click.option(
        "--ocr-engine",
        type=click.Choice(["auto", "tesseract", "rapidocr"]),
        default="auto",
        show_default=True,
        help="OCR engine; auto: the installed one that suits the language.",
    )
    languages = click.option(
        "--ocr-languages",
        default="",
        metavar="NAMES",
        help="Languages of scanned pages as Tesseract names them, such as deu or deu+eng.  "
        "[default: found from a sample]",
    )
    return lambda command: mode(engine(languages(command)))


def search_options() -> Callable[[F], F]:
    """Add `--order` and `--beam`, the options of the tree search."""
    order = click.option(
        "--order",
        type=click.Choice(["ta", "r2l", "l2r"]),
        default="ta",
        show_default=True,
        help="Traversal order of the insertion positions: ta scores all of them; r2l goes from the root, "
        "l2r from the leaf, to the first that fits.",
    )
    beam = click.option(
        "--beam",
        type=click.IntRange(1, MAX_BEAM),
        default=1,
        metavar="N",
        help="Beam width of the tree search; only with --order ta.",
    )
    return lambda command: order(beam(command))


def language_option() -> Callable[[F], F]:
    """Add `--language`."""
    help = "Language of the document (en, de, zh …); default: detected in its text."
    return click.option("--language", metavar="CODE", callback=_language, help=help)


def _language(_context: click.Context, _parameter: click.Parameter, code: str | None) -> str | None:
    if code is not None:
        check_language(code)
    return code


def format_option(formats: Mapping[str, str], default: str) -> Callable[[F], F]:
    """Add `--format`; `formats` maps file suffixes to names."""
    suffixes = " ".join(formats)
    choice = click.Choice([*formats.values()])
    help = f"Default: taken from OUT's extension ({suffixes}), otherwise {default}."
    return click.option("--format", "format_name", type=choice, help=help)


def model_option(help: str = "Name of a shipped model, or the folder of another one.") -> Callable[[F], F]:
    """Add `--model`."""
    return click.option("--model", default="base", metavar="base|DIR", show_default=True, help=help)


def jobs_option(help: str = "Number of processes that read pages.") -> Callable[[F], F]:
    """Add `--jobs`."""
    return click.option("--jobs", type=click.IntRange(1), metavar="N", help=help)


def reading_options() -> Callable[[F], F]:
    """Add the options of commands that read one file: `--password`, `--jobs` and `--verbose`."""
    return lambda command: password_option()(jobs_option()(verbose_option()(command)))


def refuse_idle_options(values: object, format_name: str, formats: Mapping[str, Sequence[str]]) -> None:
    """Refuse options that the format would ignore; `formats` has the formats that support each option."""
    for name, supporting in formats.items():
        is_given = getattr(values, name) not in (None, False)
        if is_given and format_name not in supporting:
            flag = name.replace("_", "-")
            known = " and ".join(supporting)
            raise click.UsageError(f"--{flag} works only with --format {known}, not {format_name}")


def timeout_option() -> Callable[[F], F]:
    """Add `--timeout`."""
    return click.option("--timeout", type=Seconds(), metavar="SECONDS", help="Time limit per file.")


def quiet_option() -> Callable[[F], F]:
    """Add `--quiet`."""
    return click.option("-q", "--quiet", is_flag=True, help="Print only errors.")


def verbose_option(help: str = "Print progress even if stderr is not a terminal.") -> Callable[[F], F]:
    """Add `--verbose`."""
    return click.option("-v", "--verbose", is_flag=True, help=help)


def format_for_path(output: Path | None, formats: Mapping[str, str], default: str) -> str:
    """Return the format for a file's suffix, or the default without a suffix; refuse unknown suffixes."""
    name = "" if output is None else output.name.lower().removesuffix(".xz")
    suffix = Path(name).suffix
    if suffix in formats:
        return formats[suffix]
    if suffix:
        known = ", ".join(formats)
        what = f"-o {output}: no format has the extension {suffix}; use {known}, or give --format"
        raise click.UsageError(what)
    return default


class Command(click.Command):
    """A command that checks its outputs, applies limits, and shows tracebacks with --debug.

    values    parameters that gather several options: the name of each with its dataclass, whose fields are
              named like the options
    sections  titles in the help with the options below each; the others come last
    """

    def __init__(
        self,
        *arguments: Any,
        values: Mapping[str, type[Any]] | None = None,
        sections: Mapping[str, tuple[str, ...]] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*arguments, **options)
        self._values = values or {}
        self._sections = sections or {}
        # Every command gets --limit and --debug, and those with --password also --password-file.
        names = [param.name for param in self.params]
        if "password" in names:
            # Other users of the machine see a command's arguments, but not this file.
            help = "File whose first line is the password."
            file = click.Option(["--password-file"], type=InputPath(), metavar="FILE", help=help)
            self.params.insert(names.index("password") + 1, file)
        help = "Change a limit on what a file may use, such as memory=2GB; repeatable (docs/security.md)."
        limit = click.Option(["--limit"], multiple=True, metavar="NAME=VALUE", help=help)
        debug = click.Option(["--debug"], is_flag=True, help="Show the traceback of an error.")
        self.params += [limit, debug]

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command after checking its parameters."""
        # The options that this class adds are removed from the parameters: commands do not declare them.
        ctx.meta[_DEBUG] = ctx.params.pop("debug")
        is_verbose = ctx.params.get("verbose")
        try:
            with override_limits(ctx.params.pop("limit")):
                _read_password_file(ctx)
                check_outputs(ctx, force=ctx.params.pop("force", False))
                self._gather_values(ctx.params)
                return super().invoke(ctx)
        except click.exceptions.Exit:
            raise
        except Exception as error:
            # The message alone does not help with a bug, so --verbose shows the traceback of one, too.
            is_fault = isinstance(error, UnexpectedError)
            if ctx.meta[_DEBUG] or (is_fault and is_verbose):
                click.echo(printable(traceback.format_exc()), err=True, nl=False)
            raise

    def _gather_values(self, params: dict[str, Any]) -> None:
        """Replace the options that are fields of a dataclass by one value of it."""
        for name, kind in self._values.items():
            values = {}
            for field in fields(kind):
                if field.name in params:
                    values[field.name] = params.pop(field.name)
            params[name] = kind(**values)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options below the titles of their sections."""
        section_of = {name: title for title, names in self._sections.items() for name in names}
        rows: dict[str, list[tuple[str, str]]] = {title: [] for title in self._sections}
        others = "Other options" if rows else "Options"
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and not isinstance(param, click.Argument):
                title = section_of.get(param.name or "", others)
                names, help = record
                # Nobody expects to give 0 processes or level 0.
                rows.setdefault(title, []).append((names, help.removesuffix("  [x>=1]")))
        for title, records in rows.items():
            with formatter.section(title):
                formatter.write_dl(records)


def is_debugging() -> bool:
    """Whether the current command runs with --debug."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_DEBUG))


def _read_password_file(ctx: click.Context) -> None:
    file = ctx.params.pop("password_file", None)
    if file is None:
        return
    if ctx.get_parameter_source("password") is click.core.ParameterSource.COMMANDLINE:
        raise click.UsageError("give either --password or --password-file, not both", ctx)
    try:
        content = sys.stdin.buffer.read() if str(file) == STDIN else file.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=file) from error
    first_line = content.split(b"\n")[0].removesuffix(b"\r")
    # Old PDFs have passwords in other encodings, so the bytes are kept as they are.
    ctx.params["password"] = first_line.decode("utf-8", "surrogateescape")


def check_outputs(ctx: click.Context, *, force: bool) -> None:
    """Refuse outputs that would overwrite an input, each other, or a file that is not a result of held."""
    inputs = list(_given_paths(ctx, InputPath))
    outputs = list(_given_paths(ctx, OutputPath))
    if not outputs:
        return
    from held.system.atomic_write import same_file  # most commands write to standard output

    takes_force = any(param.name == "force" for param in ctx.command.params)
    for param, output in outputs:
        kind = param.type
        others = [path for other, path in inputs if other.name != kind.in_place]
        _refuse_input(output, others)
        if not force and not _may_be_result(kind, output):
            advice = "choose another name, or use --force" if takes_force else "choose another name"
            raise UsageError("exists and does not look like a result of held", file=output, advice=advice)
    for index, (_, output) in enumerate(outputs):
        if any(same_file(output, other) for _, other in outputs[:index]):
            raise UsageError("would be written twice", file=output, advice="choose different names")


def _given_paths(ctx: click.Context, kind: type[click.Path]) -> Iterator[tuple[Any, Path]]:
    """Yield the paths that were given for parameters of a type, with the parameter."""
    for param in ctx.command.params:
        value = ctx.params.get(param.name or "")
        if not isinstance(param.type, kind) or value is None:
            continue
        paths = value if isinstance(value, tuple) else (value,)
        for path in paths:
            if str(path) != STDIN:
                yield param, Path(path)


def _refuse_input(output: Path, inputs: list[Path]) -> None:
    """Refuse an output that is an input, or a PDF below an input folder."""
    if output.is_dir() or not os.path.lexists(output):
        return  # a file that does not exist yet cannot be an input
    from held.system.atomic_write import same_file

    for given in inputs:
        below = given.rglob("*.[pP][dD][fF]") if given.is_dir() else ()
        paths = (given, *below)
        if any(same_file(output, path) for path in paths):
            raise UsageError(
                "is an input and would be overwritten", file=output, advice="choose another name"
            )


def _may_be_result(kind: OutputPath, output: Path) -> bool:
    """Whether a file may be a result of held, or has no content to lose: missing, empty or a device."""
    if not output.is_file() or not output.stat().st_size:
        return True
    if kind.signature:
        with output.open("rb") as file:
            return file.read(len(kind.signature)) == kind.signature
    name = output.name.lower().removesuffix(".xz")
    return not kind.suffixes or name.endswith(kind.suffixes)
