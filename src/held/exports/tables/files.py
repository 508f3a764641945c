"""The tables of a document in a folder: a CSV file for each, and an index that says what each is."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from held.exports.tables.table import Table, described
from held.system.atomic_write import make_folder, remove_stale_drafts, write_file

INDEX = "index.json"
FORMAT, VERSION = "held.tables", 1


def write_tables(
    tables: Sequence[Table], folder: Path, *, source: str, as_csv: Callable[[Table], str] = Table.to_csv
) -> None:
    """Writes `table-001-p012.csv` … and `index.json` into a folder, which is made where it is not there."""
    make_folder(folder)
    remove_stale_drafts(folder)
    entries = []
    for table in tables:
        name = f"table-{table.number:03}-p{table.page:03}.csv"
        write_file(folder / name, encoded(as_csv(table)))
        entries.append({"file": name, **described(table)})
    index = {"format": FORMAT, "version": VERSION, "source": source, "tables": entries}
    write_file(folder / INDEX, encoded(json.dumps(index, ensure_ascii=False, indent=1) + "\n"))


def encoded(text: str) -> bytes:
    """The text as UTF-8; half a character, from a damaged font, is written as its number."""
    return text.encode("utf-8", "backslashreplace")
