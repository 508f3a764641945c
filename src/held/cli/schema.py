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
    click.echo(_tree_and_document() if form == "tree" else _published(form), nl=False)


def _published(form: str) -> str:
    schema = resources.files("held") / "schemas" / f"{form}-{LATEST[form]}.schema.json"
    return schema.read_text(encoding="utf-8")


def _tree_and_document() -> str:
    """The schema of a tree with that of its document inside, so that a validator needs nothing else."""
    import json

    # It is found by its `$id`, to which the tree's schema refers (JSON Schema 2020-12, section 9.3.1).
    tree = json.loads(_published("tree"))
    whole = tree | {"$defs": {"document": json.loads(_published("document"))}}
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"
