"""The tables of a document on a page for a browser, each below its headings and its page number."""

from __future__ import annotations

from collections.abc import Sequence

from held.exports.page import asset, escaped, page
from held.exports.tables.html import html_table
from held.exports.tables.table import Table

_STYLE = """
main { max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
main h2 { max-width: none; margin: 2.5em 0 .6em; font-size: .85rem; font-weight: 400; color: var(--quiet); }
"""


def tables_page(tables: Sequence[Table], *, title: str) -> str:
    """The whole page."""
    sections = "\n".join(map(_section, tables)) or "<p>No table was found.</p>"
    body = f"<main>\n<h1>{escaped(title)}</h1>\n{sections}\n</main>\n"
    return page(title, body, style=asset("page.css") + _STYLE, script="")


def _section(table: Table) -> str:
    where = f"p. {table.page}"
    path = " › ".join([*table.path, where])
    doubt = " (doubtful)" if table.doubtful else ""
    notes = "".join(f'\n<p class="footnote">{escaped(note)}</p>' for note in table.notes)
    markup = html_table(table.grid, caption=table.caption, unit=table.unit)
    return f'<h2 id="table-{table.number}">{table.number}. {escaped(path)}{doubt}</h2>\n{markup}{notes}'
