"""`held schema`: the published JSON Schemas."""

from __future__ import annotations

from importlib import resources

import click

from held.cli.paths import Command

LATEST = {"document": 2, "pages": 1, "tree": 2}  # versions


@click.command("schema", cls=Command, short_help="The JSON Schema of a format.")
@click.argument("form", type=click.Choice(list(LATEST)))
def command(form: str) -> None:
    """Print the JSON Schema of a format.

    `document` is what `held objects` writes, `pages` what it can read, `tree` what `held extract` writes.
    """
    version = LATEST[form]
    schema = resources.files("held") / "schemas" / f"{form}-{version}.schema.json"
    click.echo(schema.read_text(encoding="utf-8"), nl=False)
