"""`held mcp`: documents for assistants, over the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from held.cli.paths import Command, InputPath
from held.errors import UsageError

_FOLDER = InputPath(exists=True, file_okay=False)


@click.command("mcp", cls=Command, short_help="Let assistants ask documents (Model Context Protocol).")
@click.argument("folders", type=_FOLDER, nargs=-1, required=True)
@click.option("--model", default="base", show_default=True, metavar="base|DIR", help="Model of both steps.")
def command(folders: tuple[Path, ...], model: str) -> None:
    """Serve the PDFs below FOLDERS to an assistant on stdin and stdout: outline, section, search, tables.

    Nothing outside of FOLDERS is read, whatever the assistant asks for.
    """
    from held.integrations.mcp import DocumentCache

    server = _server()
    documents = DocumentCache(folders, model=model)
    for tool in (documents.files, documents.outline, documents.section, documents.search, documents.tables):
        server.tool()(tool)
    server.run(transport="stdio")


def _server() -> Any:
    """A server of the installed version of the protocol's library, which renamed it."""
    try:
        try:
            from mcp.server.mcpserver import MCPServer as Server
        except ImportError:
            from mcp.server.fastmcp import FastMCP as Server
    except ImportError:
        raise UsageError("this needs mcp", advice="pip install 'held[mcp]'") from None
    return Server("held")
