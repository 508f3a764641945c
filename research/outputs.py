"""Writes every output of some documents into a folder, to compare two versions of the code with `diff -r`.

python -m research.outputs FOLDER report.pdf ...         # reads the PDFs
python -m research.outputs FOLDER report.json ...        # trees that were written before: exports only
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import held
from held.exports.formats import FORMATS, ExportOptions
from held.exports.tables import write_tables
from held.exports.xlsx import to_xlsx

QUESTIONS = ("revenue and profit", "What is defined as a person?", "风险 因素", "how to install")


def write_outputs(source: Path, folder: Path) -> None:
    """Write all exports of a PDF or a tree, its tables and the answers to some questions."""
    document = held.load(source) if source.suffix == ".json" else held.extract(source, jobs=0)
    folder.mkdir(parents=True, exist_ok=True)
    pdf = source if source.suffix == ".pdf" else None
    for entry in FORMATS.values():
        if entry.needs_pdf and pdf is None:
            continue
        try:
            content = entry.write(document, ExportOptions(source=pdf)).content
        except held.HeldError as error:
            content = str(error).encode()  # some PDFs do not allow bookmarks
        (folder / f"document{entry.suffix}").write_bytes(content)
    write_tables(document.tables, folder / "tables", source=source.name)
    (folder / "tables.xlsx").write_bytes(to_xlsx(document.tables))
    tree = folder / "document.json"
    answers = {}
    for question in QUESTIONS:
        hits = held.search(tree, question)
        answers[question] = [repr(replace(hit, source="")) for hit in hits]
    (folder / "search.json").write_text(json.dumps(answers, ensure_ascii=False, indent=1))


def main() -> None:
    """Write the outputs of the documents named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("sources", type=Path, nargs="+")
    arguments = parser.parse_args()
    for source in arguments.sources:
        write_outputs(source, arguments.folder / source.stem)


if __name__ == "__main__":
    main()
