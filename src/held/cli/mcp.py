"""`held mcp`: a Model Context Protocol server for documents."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import click

from held.cli.parameters import Command, InputPath, model_option
from held.system.optional_packages import missing_package

_FOLDER = InputPath(exists=True, file_okay=False)


@click.command("mcp", cls=Command, short_help="Give AI assistants access to PDFs (Model Context Protocol).")
@click.argument("folders", type=_FOLDER, nargs=-1, required=True)
@model_option()
def command(folders: tuple[Path, ...], model: str) -> None:
    """Serve the PDFs below FOLDERS to an AI assistant over stdin and stdout.

    The assistant can list files, outlines, sections and tables, and search. Nothing outside FOLDERS is read.
    """
    from held.integrations.mcp import DocumentCache, RequestStream, report_errors

    server_class, error_class = _import_library()
    server = server_class("held")
    # The library takes names, parameters and descriptions of the tools from the functions themselves.
    documents = DocumentCache(folders, model=model)
    for tool in (documents.files, documents.outline, documents.section, documents.search, documents.tables):
        server.tool()(report_errors(tool, error_class))
    # The library reads from the buffer of `sys.stdin`, whatever that is.
    requests = io.BufferedReader(RequestStream(sys.stdin.buffer))
    sys.stdin = io.TextIOWrapper(requests, encoding="utf-8")
    server.run(transport="stdio")


def _import_library() -> tuple[Any, type[Exception]]:
    """The classes of the server and of a tool's error; the `mcp` library renamed both between versions."""
    try:
        try:
            from mcp.server.mcpserver import MCPServer as Server
            from mcp.server.mcpserver.exceptions import ToolError
        except ImportError:
            from mcp.server.fastmcp import FastMCP as Server
            from mcp.server.fastmcp.exceptions import ToolError
    except ImportError:
        raise missing_package("this command needs the package mcp", "mcp") from None
    return Server, ToolError
