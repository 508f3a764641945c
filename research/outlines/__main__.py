"""Turns marked headings into stored outlines, and stored outlines into a corpus.

python -m research.outlines.show LABELLED ID      objects of a document, to mark headings in MARKS/ID.txt
python -m research.outlines check MARKS --labelled LABELLED    reports marks that fit nothing
python -m research.outlines store MARKS --labelled LABELLED    adds the documents to outlines.jsonl
python -m research.outlines agree MARKS --labelled LABELLED    compares marks with the corpus
python -m research.outlines corpus FOLDER         writes $HELD_CORPUS with the stored outlines
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from research.arguments import make_parser
from research.outlines.store import (
    OUTLINES,
    TENTHS,
    Heading,
    headings_of_marks,
    outline_entries,
    read_outlines,
    write_outlines,
)

from held.corpus.sources import CORPUS_SUFFIX, load_corpus_json
from held.corpus.store import Origin, label_document, labelled_path, read_labelled, truth
from held.document import OutlineEntry
from held.metrics import heading_matches

_NO_ORIGIN = Origin("", labels_from="manual")
READ = "read"  # `outline_from` of documents whose outline was written by reading them


def main() -> None:
    """Run the command that is named."""
    parser = make_parser(__doc__)
    commands = parser.add_subparsers(required=True)
    for name, run in (("store", store_marks), ("check", check_marks), ("agree", show_agreement)):
        command = commands.add_parser(name)
        command.add_argument("marks", type=Path)
        command.add_argument("--labelled", type=Path, required=True)
        command.set_defaults(run=run)
    corpus = commands.add_parser("corpus")
    corpus.add_argument("folder", type=Path)
    corpus.set_defaults(run=write_corpus)
    options = parser.parse_args()
    options.run(options)


def _corpus() -> Path:
    folder = os.environ.get("HELD_CORPUS")
    if not folder:
        raise SystemExit("set HELD_CORPUS to the folder of the corpus")
    return Path(folder)


def _read_stored(id: str) -> dict[str, Any]:
    return load_corpus_json(_corpus() / "docs" / f"{id}{CORPUS_SUFFIX}")


def store_marks(options: argparse.Namespace) -> None:
    """Add the marked documents to the stored outlines."""
    rows = {row["id"]: row for row in read_outlines()} if OUTLINES.exists() else {}
    for path in sorted(options.marks.glob("*.txt")):
        headings = _marked_headings(path, options.labelled)
        values = [[value for value in heading if value is not None] for heading in headings]
        rows[path.stem] = {"id": path.stem, "sha1": _read_stored(path.stem)["sha1"], "headings": values}
        print(f"{path.stem}: {len(headings)} headings, depth {max(heading.level for heading in headings)}")
    write_outlines(rows.values())


def write_corpus(options: argparse.Namespace) -> None:
    """Write a folder that links to the corpus, except for the documents with an outline of their own."""
    rows = {row["id"]: row for row in read_outlines()}
    shutil.rmtree(options.folder, ignore_errors=True)
    docs = options.folder / "docs"
    docs.mkdir(parents=True)
    index = []
    for line in (_corpus() / "index.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        name = f"{entry['id']}{CORPUS_SUFFIX}"
        row = rows.get(entry["id"])
        if row is None:
            (docs / name).symlink_to(_corpus().resolve() / "docs" / name)
        else:
            stored = _read_stored(entry["id"])
            headings = [Heading(*values) for values in row["headings"]]
            stored["outline"] = list(outline_entries(headings, stored))
            stored["outline_from"] = READ
            entry["outline_from"] = READ
            entry.pop("suspect", None)
            (docs / name).write_bytes(
                lzma.compress(json.dumps(stored, ensure_ascii=False).encode(), preset=1)
            )
        index.append(json.dumps(entry, ensure_ascii=False))
    (options.folder / "index.jsonl").write_text("\n".join(index) + "\n", encoding="utf-8")
    print(f"{len(index)} documents, {len(rows)} with an outline of their own")


def check_marks(options: argparse.Namespace) -> None:
    """Report marks that fit nothing, are out of order or skip a level."""
    for path in sorted(options.marks.glob("*.txt")):
        try:
            headings = _marked_headings(path, options.labelled)
        except ValueError as error:
            print(error)
            continue
        level_before = 0
        for heading in headings:
            if heading.level > level_before + 1:
                print(f"{path.stem}: level {heading.level} after {level_before} on page {heading.page + 1}")
            level_before = heading.level
        pages = [heading.page for heading in headings]
        if pages != sorted(pages):
            print(f"{path.stem}: pages are out of order")
        print(f"{path.stem}: {len(headings)} headings")


def show_agreement(options: argparse.Namespace) -> None:
    """Compare marks with the outlines of the corpus: headings, and parents of those found by both."""
    for path in sorted(options.marks.glob("*.txt")):
        labelled = read_labelled(labelled_path(options.labelled, path.stem))
        headings = _marked_headings(path, options.labelled)
        entries = outline_entries(headings, _read_stored(path.stem))
        outline = [OutlineEntry(level, title, page + 1, y / TENTHS) for level, title, page, y in entries]
        own = label_document(labelled.document, outline, replace(_NO_ORIGIN, id=path.stem))
        matches = heading_matches(truth(labelled), own.headings)
        both = sorted(set(labelled.headings) & set(own.headings))
        same_parent = sum(own.parents[index] == labelled.parents[index] for index in both)
        print(
            f"{path.stem}: headings P {matches.precision:.3f} R {matches.recall:.3f} F1 {matches.f1:.3f}, "
            f"same parent {same_parent} of {len(both)}"
        )
        levels, own_levels = labelled.levels(), own.levels()
        for index, item in enumerate(labelled.document.objects):
            is_heading, is_marked = index in labelled.headings, index in own.headings
            if is_heading or is_marked:
                true_level = levels[index] if is_heading else "-"
                marked_level = own_levels[index] if is_marked else "-"
                sign = " " if true_level == marked_level else "!"
                print(
                    f"{sign} {index} p{item.page} true {true_level} marked {marked_level} {item.text[:60]!r}"
                )


def _marked_headings(path: Path, folder: Path) -> list[Heading]:
    labelled = read_labelled(labelled_path(folder, path.stem))
    text = path.read_text(encoding="utf-8")
    return headings_of_marks(text, labelled, _read_stored(path.stem))


if __name__ == "__main__":
    main()
