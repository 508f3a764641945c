"""The file and the pages that a command is given."""

from __future__ import annotations

import click

from held.errors import UsageError
from held.files import PageRange, is_pdf, pages_within, parse_page_range, read
from held.portions import cut

STDIN = "-"

__all__ = ["STDIN", "PageRange", "cut", "is_pdf", "page_range", "pages_within", "read"]


def page_range(ctx: click.Context, param: click.Parameter, value: str | None) -> PageRange | None:
    """The range that `3-9`, `5` or `12-` on the command line means: the callback of `--pages`."""
    try:
        return None if value is None else parse_page_range(value)
    except UsageError as error:
        raise click.BadParameter(error.what, ctx, param) from error
