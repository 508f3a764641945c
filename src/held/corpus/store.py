"""Documents with their ground truth: which objects are headings, the parent of each object, and their files.

A labelled document is a file `<id>.held.json.xz`. Training reads thousands of them repeatedly, so the format
is compact: an object is a row of plain values, and its style is an index into a table of styles.
"""

from __future__ import annotations

import hashlib
import lzma
import os
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import starmap
from pathlib import Path
from typing import Any

from held.document import Box, Document, Kind, Note, OutlineEntry, PageRegion, PageSize, PhysicalObject, Style
from held.errors import FormatError, HeldError, InputError, UsageError, VersionError
from held.hierarchy.matching.nodes import (
    LabelReport,
    MissingHeading,
    match_outline,
    reading_order,
    reason_for_distrust,
    tree_of_nodes,
)
from held.metrics import Label, Truth
from held.metrics.compare import Side
from held.system.atomic_write import compress_for, write_chunks
from held.system.bounded_json import encode_json, read_json
from held.tree import ROOT

# --- labelled documents ---
# A heading that the outline lists but the layout did not recognise as an object stays in the ground truth as
# a `MissingHeading`: failing to recognise a heading must not make the task easier.

NO_ENTRY = -1  # of an object that no entry of the outline names
_BY_HAND = "manual"
_COMPLETE = (_BY_HAND, "read")  # sources that list every heading: all other objects are surely none
_GUESSED = ("html-style",)  # sources whose lower levels were guessed from the typography
_NO_REPORT = LabelReport()


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a document comes from, with its split, domain and language."""

    id: str
    split: str = ""
    group: str = ""
    domain: str = ""
    lang: str = ""
    source_hash: str = ""
    suspect: str | None = None  # why the corpus distrusts its outline
    labels_from: str = "outline"


@dataclass(frozen=True, slots=True)
class LabelledDocument:
    """Objects with labels and parents.

    labels    a label for each object
    parents   an index for each object: -1 is the root, i < number of objects is object i, and a larger
              index is `missing[index - number of objects]`
    entries   the entry of the source's outline that each heading comes from, -1 for other objects
    dropped   why the labels cannot be trusted, None if they can; such a document is not trained on
    """

    id: str
    document: Document
    labels: tuple[Label, ...]
    parents: tuple[int, ...]
    entries: tuple[int, ...]
    missing: tuple[MissingHeading, ...] = ()
    split: str = ""
    group: str = ""
    domain: str = ""
    lang: str = ""
    source_hash: str = ""
    labels_from: str = "outline"  # or "tags", or what the corpus says
    dropped: str | None = None
    report: LabelReport = _NO_REPORT

    def __post_init__(self) -> None:
        count = len(self.document.objects)
        if not count == len(self.labels) == len(self.parents) == len(self.entries):
            raise UsageError(f"labels, parents and entries do not fit {count} objects", file=self.id)
        nodes = count + len(self.missing)
        if not all(ROOT <= parent < nodes for parent in self.parents):
            raise UsageError(f"a parent is none of {nodes} nodes", file=self.id)

    @property
    def complete(self) -> bool:
        """Whether the outline lists every heading."""
        return self.labels_from in _COMPLETE

    @property
    def by_hand(self) -> bool:
        """Whether a person wrote the complete outline."""
        return self.labels_from == _BY_HAND

    @property
    def silver(self) -> bool:
        """Whether part of the outline was guessed from the page: good for training, never for scoring."""
        return self.labels_from in _GUESSED

    @property
    def headings(self) -> tuple[int, ...]:
        """The objects that are headings."""
        return tuple(i for i, label in enumerate(self.labels) if label is Label.HEADING)

    def levels(self) -> tuple[int, ...]:
        """The level of each object, then of each missing heading; children of the root have level 1."""
        level_of_node = truth(self).tree.levels()
        order = reading_order(self.missing, len(self.labels))
        levels = [0] * (len(self.labels) + len(self.missing))
        for node, item in enumerate(order):
            levels[item] = level_of_node[node]
        return tuple(levels)


def label_document(document: Document, outline: Sequence[OutlineEntry], origin: Origin) -> LabelledDocument:
    """The document with the labels that follow from its outline."""
    found = match_outline(document, outline, complete=origin.labels_from in _COMPLETE)
    labels = [Label.BODY] * len(document.objects)
    entries = [NO_ENTRY] * len(document.objects)
    for i in found.unknown:
        labels[i] = Label.UNKNOWN
    for i, heading in found.headings.items():
        labels[i] = Label.HEADING
        entries[i] = heading.entry
    return LabelledDocument(
        id=origin.id,
        document=document,
        labels=tuple(labels),
        parents=found.parents,
        entries=tuple(entries),
        missing=found.missing,
        split=origin.split,
        group=origin.group,
        domain=origin.domain,
        lang=origin.lang,
        source_hash=origin.source_hash,
        labels_from=origin.labels_from,
        dropped=origin.suspect or reason_for_distrust(found.report, document, outline),
        report=found.report,
    )


def truth(labelled: LabelledDocument) -> Truth:
    """The ground truth that a prediction is measured against."""
    count = len(labelled.labels)
    order = reading_order(labelled.missing, count)
    tree = tree_of_nodes(labelled.parents, labelled.missing, order)
    labels = [*labelled.labels, *[Label.HEADING] * len(labelled.missing)]
    objects = [item if item < count else None for item in order]
    return Truth(tree, tuple(labels[item] for item in order), tuple(objects))


def side_of_labelled(labelled: LabelledDocument) -> Side:
    """A labelled document as a side of a comparison; headings without an object are nodes of it."""
    true = truth(labelled)
    nodes = [node for node, obj in enumerate(true.objects or ()) if obj is None]
    in_order = sorted(labelled.missing, key=lambda missing: missing.before)
    titles = {node: missing.title for node, missing in zip(nodes, in_order, strict=True)}
    return Side(labelled.id, true, labelled.document.objects, titles, whole=True)


LABELLED_FORMAT = "held.labelled"
LABELLED_VERSION = 1  # of the file format
LABELLED_SUFFIX = ".held.json.xz"

# The beginning of a file as far as the split, enough to skip files of other splits and domains.
_HEAD_BYTES = 400
_HEAD = re.compile(
    rb'\{\s*"format": "[^"]*",\s*"version": \d+,\s*"id": "[^"]*",\s*"domain": "(\w*)",'
    rb'\s*"lang": "[^"]*",\s*"split": "(\w*)"'
)

_LABEL_OF = {label.value[0]: label for label in Label}


def labelled_path(folder: str | os.PathLike[str], id: str) -> Path:
    """The path of the labelled document with this id."""
    return Path(folder) / f"{id}{LABELLED_SUFFIX}"


def write_labelled(folder: str | os.PathLike[str], labelled: LabelledDocument) -> Path:
    """Writes the document into the folder and returns the path of its file."""
    return store_labelled(folder, labelled.id, labelled_content(labelled))


def labelled_content(labelled: LabelledDocument) -> bytes:
    """The content of a labelled document's file."""
    return compress_for(LABELLED_SUFFIX, encode_json(labelled_to_json(labelled)))


def store_labelled(folder: str | os.PathLike[str], id: str, content: bytes) -> Path:
    """Writes a document's `labelled_content` into the folder and returns the path of its file."""
    path = labelled_path(folder, id)
    # Durable, because the build's journal then lists the file: it must survive a power cut.
    write_chunks(path, (content,), durable=True)
    return path


def read_labelled(path: str | os.PathLike[str]) -> LabelledDocument:
    """The labelled document in a file."""
    return labelled_from_json(read_json(path), file=path)


def labelled_documents(
    folder: str | os.PathLike[str],
    *,
    splits: Collection[str] | None = None,
    domains: Collection[str] | None = None,
    dropped: bool = False,
) -> Iterator[LabelledDocument]:
    """The labelled documents of a folder by id; dropped ones only if `dropped` is true."""
    if not Path(folder).is_dir():
        raise InputError("no such folder", file=folder, advice="`held corpus build` makes one")
    for path in sorted(Path(folder).glob(f"*{LABELLED_SUFFIX}")):
        if not _may_match(path, splits, domains):
            continue
        value = read_json(path)
        _check_format(value, path)
        if splits is not None and value.get("split") not in splits:
            continue
        if domains is not None and value.get("domain") not in domains:
            continue
        if dropped or value.get("dropped") is None:
            yield labelled_from_json(value, file=path)


def _may_match(path: Path, splits: Collection[str] | None, domains: Collection[str] | None) -> bool:
    """False if the beginning of a file names another split or domain, so that it need not be read whole.

    A file that begins differently or cannot be read is left to the caller, who reads it and reports errors.
    """
    if splits is None and domains is None:
        return True
    try:
        with lzma.open(path) as file:
            head = file.read(_HEAD_BYTES)
    except (OSError, EOFError, lzma.LZMAError):
        return True
    found = _HEAD.match(head)
    if found is None:
        return True
    domain, split = (part.decode() for part in found.groups())
    return (splits is None or split in splits) and (domains is None or domain in domains)


def data_hash(folder: Path) -> str:
    """The sha256 of all labelled documents of a folder."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob(f"*{LABELLED_SUFFIX}")):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def labelled_to_json(labelled: LabelledDocument) -> dict[str, Any]:
    """The labelled document as a JSON object."""
    document = labelled.document
    styles: dict[Style, int] = {}
    objects = [_row(item, styles) for item in document.objects]
    furniture = [_row(item, styles) for item in document.furniture]
    body = styles.setdefault(document.body, len(styles))
    return {
        "format": LABELLED_FORMAT,
        "version": LABELLED_VERSION,
        "id": labelled.id,
        "domain": labelled.domain,
        "lang": labelled.lang,
        "split": labelled.split,
        "group": labelled.group,
        "source_hash": labelled.source_hash,
        "labels_from": labelled.labels_from,
        "dropped": labelled.dropped,
        "report": labelled.report.counts(),
        "source": document.source,
        "first_page": document.first_page,
        "body": body,
        "pages": [list(page) for page in document.pages],
        "notes": [list(note) for note in document.notes],
        "styles": [_style_row(style) for style in styles],
        "objects": objects,
        "labels": "".join(label.value[0] for label in labelled.labels),
        "parents": list(labelled.parents),
        "entries": list(labelled.entries),
        "missing": [list(missing) for missing in labelled.missing],
        "furniture": furniture,
    }


def labelled_from_json(
    value: dict[str, Any], *, file: str | os.PathLike[str] | None = None
) -> LabelledDocument:
    """The labelled document of a JSON object; `file` is for error messages."""
    _check_format(value, file)
    try:
        return _document_from_json(value)
    except (LookupError, TypeError, ValueError, AttributeError, HeldError) as error:
        raise FormatError(
            f"not a labelled document: {error!r}",
            file=file,
            advice="docs/research/labels.md describes the format",
        ) from error


def _check_format(value: dict[str, Any], file: str | os.PathLike[str] | None) -> None:
    if value.get("format") != LABELLED_FORMAT:
        raise FormatError("not a labelled document", file=file, advice="`held label` makes one of a PDF")
    if value.get("version") != LABELLED_VERSION:
        raise VersionError(
            f"{LABELLED_FORMAT} version {value.get('version')!r} is not known, only {LABELLED_VERSION}",
            file=file,
            advice="update held, or build the corpus again with this version",
        )


def _document_from_json(value: dict[str, Any]) -> LabelledDocument:
    styles = tuple(starmap(Style, value["styles"]))
    document = Document(
        source=value["source"],
        pages=tuple(starmap(PageSize, value["pages"])),
        objects=tuple(_object(styles, row) for row in value["objects"]),
        furniture=tuple(_object(styles, row) for row in value["furniture"]),
        body=styles[value["body"]],
        notes=tuple(starmap(Note, value["notes"])),
        first_page=value["first_page"],
    )
    return LabelledDocument(
        id=value["id"],
        document=document,
        labels=tuple(_LABEL_OF[initial] for initial in value["labels"]),
        parents=tuple(value["parents"]),
        entries=tuple(value["entries"]),
        missing=tuple(starmap(MissingHeading, value["missing"])),
        split=value["split"],
        group=value["group"],
        domain=value["domain"],
        lang=value["lang"],
        source_hash=value["source_hash"],
        labels_from=value["labels_from"],
        dropped=value["dropped"],
        report=LabelReport(**value["report"]),
    )


def _style_row(style: Style) -> list[Any]:
    return [
        style.font,
        style.size,
        style.colour,
        style.bold,
        style.italic,
        style.render_mode,
        style.upright,
        style.underlined,
    ]


def _row(item: PhysicalObject, styles: dict[Style, int]) -> list[Any]:
    """An object as a row; a new style is added to the table of styles.

    Table structure, emphasis and references to notes are left out: no model uses them.
    """
    return [
        item.kind.value,
        item.text,
        [[part.page, *part.box] for part in item.parts],
        styles.setdefault(item.style, len(styles)),
        item.centred,
        item.indent,
        item.caps,
        item.lines,
        item.gap_above,
        item.gap_below,
        item.column,
        item.relative_size,
        [list(row) for row in item.rows],
    ]


def _object(styles: tuple[Style, ...], row: list[Any]) -> PhysicalObject:
    (kind, text, parts, style, centred, indent, caps, lines, above, below, column, relative_size, rows) = row
    return PhysicalObject(
        Kind(kind),
        text,
        tuple(PageRegion(page, Box(x0, y0, x1, y1)) for page, x0, y0, x1, y1 in parts),
        styles[style],
        centred,
        indent,
        caps,
        lines,
        above,
        below,
        column,
        relative_size,
        tuple(map(tuple, rows)),
    )
