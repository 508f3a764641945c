"""`held schema`: the published JSON Schemas."""

from __future__ import annotations

from importlib import resources

import click


@click.command("schema", short_help="The JSON Schema of a format.")
@click.argument("form", type=click.Choice(["document", "pages", "tree"]))
def command(form: str) -> None:
    """Print the JSON Schema of a format.

    `document` is what `held objects` writes, `pages` what it can read, `tree` what `held extract` writes.
    """
    version = 2 if form == "tree" else 1
    schema = resources.files("held") / "schemas" / f"{form}-{version}.schema.json"
    click.echo(schema.read_text(encoding="utf-8"), nl=False)
