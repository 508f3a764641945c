"""Finds the documents to label: PDFs, stored corpus documents, folders of either, or those of a manifest.

A corpus document holds what a PDF reader found on the pages; it becomes the same `Pages` that
`held.reading.read_pdf` returns. A document without a group belongs to the group of its folder. The split
follows from a hash of the group, so that it does not change as files are added.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from held.corpus.store import Origin
from held.document import Box, OutlineEntry, PageContent, Pages, Run, Style
from held.errors import FormatError, InputError
from held.system.bounded_json import file_sha256, read_json_value

CORPUS_SUFFIX = ".json.xz"
_SPLIT_ENDS = (("train", 0.8), ("valid", 0.9), ("test", 1.0))  # cumulative shares


def read_corpus_document(path: str | os.PathLike[str]) -> Pages:
    """The pages of the corpus document at `path`; its source is the document's id."""
    stored = load_corpus_json(path)
    try:
        styles = [_style(*style) for style in stored["styles"]]
        pages = [_page(page) for page in stored["pages"]]
        outline = [_entry(*entry) for entry in stored["outline"]]
        return Pages(stored["id"], tuple(styles), tuple(pages), tuple(outline))
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(f"not a corpus document: {error!r}", file=path) from error


def load_corpus_json(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The JSON object of a corpus document, with its domain, split and group."""
    stored = read_json_value(path)
    if not isinstance(stored, dict):
        raise FormatError("not a corpus document: no JSON object", file=path)
    return stored


def _style(
    font: str, size: float, colour: str, bold: int, italic: int, render_mode: int, upright: int
) -> Style:
    return Style(font, float(size), colour, bool(bold), bool(italic), render_mode, bool(upright))


def _page(page: dict[str, Any]) -> PageContent:
    runs = []
    for *corners, style, text in page["runs"]:
        x0, y0, x1, y1 = _points(corners)
        runs.append(Run(x0, y0, x1, y1, style, text))
    return PageContent(
        width=page["w"],
        height=page["h"],
        runs=tuple(runs),
        rules=_boxes(page["rules"]),
        images=_boxes(page["images"]),
        rotation=page.get("rotation", 0),
    )


def _boxes(boxes: list[list[int]]) -> tuple[Box, ...]:
    return tuple(Box(*_points(corners)) for corners in boxes)


def _points(tenths: Iterable[int]) -> Iterator[float]:
    """Coordinates in points; the corpus stores them as integers, tenths of a point."""
    return (length / 10 for length in tenths)


def _entry(level: int, title: str, page: int | None, y: int | None) -> OutlineEntry:
    page_number = None if page is None else page + 1  # stored from 0
    y_points = None if y is None else y / 10
    return OutlineEntry(level, title, page_number, y_points)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to label. Without an `origin` it is read from the file itself."""

    id: str
    path: Path
    group: str
    origin: Origin | None = None


def sources_in(folder: str | os.PathLike[str]) -> list[SourceFile]:
    """The documents of a folder: those of its index.jsonl, or without one all PDFs and corpus documents."""
    root = Path(folder)
    if not root.is_dir():
        raise InputError("no such folder", file=folder)
    if (root / "index.jsonl").is_file():
        return sorted(_sources_in_index(root), key=lambda source: source.id)
    paths = sorted(path for path in root.rglob("*") if _is_document(path))
    if not paths:
        raise InputError("has no PDF and no corpus document", file=folder)
    return sources_of(paths, root=root)


def sources_of(paths: Sequence[Path], *, root: Path | None = None) -> list[SourceFile]:
    """Sources with unique ids: the name of the file, plus a hash of its content if two files share a name."""
    name_counts = Counter(_name(path) for path in paths)
    sources = []
    for path in paths:
        id = _name(path)
        if name_counts[id] > 1:
            id = f"{id}-{file_sha256(path)[:8]}"
        folder = path.parent.relative_to(root).as_posix() if root else "."
        group = id if folder == "." else folder
        sources.append(SourceFile(id, path, group))
    return sources


def split_of(group: str) -> str:
    """The split of a group, from its hash: 80 % train, 10 % valid, 10 % test."""
    name = group.encode("utf-8", "surrogateescape")  # folder names need not be valid UTF-8
    digest = hashlib.sha256(name).digest()
    share = int.from_bytes(digest[:8]) / 2**64
    return next(split for split, end in _SPLIT_ENDS if share < end)


def origin_of(source: SourceFile) -> Origin:
    """The origin of a file, completed with the file's hash and a split."""
    origin = source.origin
    if origin is None:
        stored = load_corpus_json(source.path) if source.path.name.endswith(CORPUS_SUFFIX) else {}
        origin = origin_from_row({"group": source.group, **stored, "id": source.id})
    split = origin.split or split_of(origin.group)
    return replace(origin, source_hash=file_sha256(source.path), split=split)


def _sources_in_index(root: Path) -> Iterable[SourceFile]:
    for row in _read_lines(root / "index.jsonl", required=("id",)):
        id = str(row["id"])
        path = root / "docs" / f"{id}{CORPUS_SUFFIX}"
        group = str(row.get("group") or id)
        yield SourceFile(id, path, group, origin_from_row(row))


def origin_from_row(row: Mapping[str, Any]) -> Origin:
    """The origin of a document, from its row in an index or a manifest."""
    # Fields may be missing, or null.
    texts = {field: str(row.get(field) or "") for field in ("split", "group", "domain", "lang")}
    suspect = row.get("suspect")
    return Origin(
        str(row["id"]),
        **texts,
        suspect=f"suspect: {suspect}" if suspect else None,
        labels_from=str(row.get("outline_from") or "outline"),
    )


def _is_document(path: Path) -> bool:
    return path.is_file() and (_is_pdf(path) or path.name.endswith(CORPUS_SUFFIX))


def _is_pdf(path: Path) -> bool:
    return path.suffix.lower() == ".pdf"


def _name(path: Path) -> str:
    is_corpus_document = path.name.endswith(CORPUS_SUFFIX)
    return path.name.removesuffix(CORPUS_SUFFIX) if is_corpus_document else path.stem


# --- manifests ---
# A manifest has the source, path, sha1, domain, language, split and group of each document of a corpus, but
# no text. With it and the files, anyone can rebuild the labelled documents. A file is recognised by its sha1,
# not by its name. Labels come from the bookmarks or tags of the file, so documents whose outline was written
# by hand, or taken from elsewhere, cannot be rebuilt. The field `outline_from` marks them.

MANIFEST_FIELDS = (
    "id",
    "source",
    "path",
    "sha1",
    "domain",
    "lang",
    "split",
    "group",
    "outline_from",
    "suspect",
)
_IN_THE_FILE = frozenset({"", "outline", "tags"})  # outlines that the PDF itself has

ManifestRow = dict[str, str]  # a row of a manifest


def manifest_rows(corpus: str | os.PathLike[str]) -> list[ManifestRow]:
    """The rows of the manifest of a corpus, from its index."""
    index = Path(corpus) / "index.jsonl"
    rows = []
    for stored in _read_lines(index, required=("id", "sha1")):
        stored.setdefault("path", stored.get("origin"))
        row = {field: str(stored[field]) for field in MANIFEST_FIELDS if stored.get(field)}
        rows.append(row)
    return sorted(rows, key=lambda row: row["id"])


def write_manifest(path: Path, rows: Iterable[ManifestRow]) -> None:
    """Write the rows as JSON lines."""
    lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def read_manifest(path: str | os.PathLike[str]) -> list[ManifestRow]:
    """The rows of a manifest."""
    stored_rows = _read_lines(Path(path), required=("id", "sha1"))
    return [{key: str(value) for key, value in row.items()} for row in stored_rows]


def _read_lines(path: Path, *, required: Sequence[str]) -> list[dict[str, Any]]:
    """The JSON objects in the lines of a file, which must have the required fields."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error
    rows = []
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line)
            for field in required:
                row[field]
        except (ValueError, KeyError, TypeError) as error:
            message = f"line {number} names no document: {error!r}"
            advice = f"each line is a JSON object with {' and '.join(required)}"
            raise FormatError(message, file=path, advice=advice) from error
        rows.append(row)
    return rows


def sources_from_manifest(rows: Sequence[ManifestRow], folder: str | os.PathLike[str]) -> list[SourceFile]:
    """The PDFs of a folder that a manifest names and whose outline they contain, as sources to label."""
    root = Path(folder)
    if not root.is_dir():
        raise InputError("no such folder", file=folder)
    pdfs = filter(_is_pdf, sorted(root.rglob("*")))
    pdf_by_sha1 = {_sha1(path): path for path in pdfs}
    sources = []
    for row in rows:
        path = pdf_by_sha1.get(row["sha1"])
        if path is not None and row.get("outline_from", "") in _IN_THE_FILE:
            group = row.get("group") or row["id"]
            sources.append(SourceFile(row["id"], path, group, origin_from_row(row)))
    if not sources:
        advice = "files are recognised by their sha1; documents with another outline_from are left out"
        raise InputError("has no PDF that the manifest names", file=folder, advice=advice)
    return sources


def _sha1(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha1").hexdigest()
