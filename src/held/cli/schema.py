"""`held schema`: the JSON Schemas of the file formats."""

from __future__ import annotations

from importlib import resources

import click

from held.cli.parameters import Command

LATEST = {"document": 2, "pages": 1, "tree": 2}  # versions


@click.command("schema", cls=Command, short_help="Print the JSON Schema of a file format.")
@click.argument("name", type=click.Choice(list(LATEST)))
def command(name: str) -> None:
    """Print the JSON Schema of a file format.

    `document` is the output of `held objects`, `tree` that of `held extract`. `pages` is a format that both
    can read.
    """
    click.echo(_tree_schema() if name == "tree" else _read_schema(name), nl=False)


def _read_schema(name: str) -> str:
    schema = resources.files("held") / "schemas" / f"{name}-{LATEST[name]}.schema.json"
    return schema.read_text(encoding="utf-8")


def _tree_schema() -> str:
    """Return the schema of a tree with that of its document inside, so that validators need no other."""
    import json

    # The tree's schema refers to it by its `$id` (JSON Schema 2020-12, section 9.3.1).
    tree = json.loads(_read_schema("tree"))
    document = json.loads(_read_schema("document"))
    tree["$defs"] = {"document": document}
    return json.dumps(tree, indent=2, ensure_ascii=False) + "\n"
