"""Options that several commands have: the same name, the same words and the same meaning in each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def force_option() -> Callable[[F], F]:
    """`--force`, for commands that write one file."""
    return click.option("--force", is_flag=True, help="Replace a file that held would not have written.")


def password_option(help: str = "The password of an encrypted PDF.") -> Callable[[F], F]:
    """`--password`, which the environment may have too."""
    return click.option("--password", envvar="HELD_PASSWORD", help=f"{help}  [env: HELD_PASSWORD]")


def form_option(forms: Mapping[str, str], usual: str) -> Callable[[F], F]:
    """`--format`, for commands whose forms have a suffix each; without suffix and option it is `usual`."""
    help = f"Else what OUT ends with says it ({' '.join(forms)}), else {usual}."
    return click.option("--format", "form", type=click.Choice([*forms.values()]), help=help)


def model_option(help: str = "A model that ships, or the path of one.") -> Callable[[F], F]:
    """`--model`, the model of both steps."""
    return click.option("--model", default="base", show_default=True, help=help)


def jobs_option(help: str = "Processes that read pages.") -> Callable[[F], F]:
    """`--jobs`, how many processes work at a time."""
    return click.option("--jobs", type=click.IntRange(1), metavar="N", help=help)


def verbose_option(help: str = "Tell the progress even if stderr is no terminal.") -> Callable[[F], F]:
    """`--verbose`."""
    return click.option("-v", "--verbose", is_flag=True, help=help)
