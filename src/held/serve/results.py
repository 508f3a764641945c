"""A document as corrections leave it, in the forms that `held extract` writes, and as a labelled document."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from held.corpus.labelled import NO_ENTRY, LabelledDocument
from held.corpus.store import labelled_to_json
from held.errors import UsageError
from held.exports.formats import FORMATS, ExportOptions
from held.exports.tree_json import tree_to_json
from held.metrics import Label
from held.serial import dumps
from held.serve.edit_sessions import Shown
from held.serve.settings import Limits
from held.serve.store import Job, Store
from held.serve.work import form
from held.system.atomic_write import write_whole

LABELLED = "labelled"
_LABELLED_SUFFIX = ".held.json"
_TYPES: Mapping[str, str] = {
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".tsv": "text/tab-separated-values; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".pdf": "application/pdf",
    ".jsonl": "application/x-ndjson",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".epub": "application/epub+zip",
}


class Result(NamedTuple):
    """The bytes of a result, its type, and a name for the file."""

    content: bytes
    media_type: str
    name: str


def formats() -> tuple[str, ...]:
    """The names of all forms."""
    return (*FORMATS, LABELLED)


def result(job: Job, shown: Shown, name: str, store: Store, limits: Limits) -> Result:
    """A document in the form of this name."""
    if name not in formats():
        raise UsageError(f"no form is called {name!r}", advice=f"there are {', '.join(formats())}")
    stem = Path(job.name).stem
    if name == LABELLED:
        content = dumps(labelled_to_json(labelled(job, shown)))
        return Result(content, _TYPES[".json"], stem + _LABELLED_SUFFIX)
    chosen = FORMATS[name]
    hierarchy = shown.laid.hierarchy
    if chosen.needs_pdf:
        content = _with_pdf(job, shown, name, store, limits)
    else:
        content = chosen.write(hierarchy, ExportOptions()).content
    return Result(content, _TYPES.get(chosen.suffix, "application/octet-stream"), stem + chosen.suffix)


def _with_pdf(job: Job, shown: Shown, name: str, store: Store, limits: Limits) -> bytes:
    """A form that needs the PDF, which only a child may open."""
    with TemporaryDirectory(prefix="held-") as folder:
        tree = Path(folder, "tree.json")
        write_whole(tree, dumps(tree_to_json(shown.laid.hierarchy)))
        return form(name, store.file(job.id), tree, password=job.option("password"), limits=limits)


def labelled(job: Job, shown: Shown) -> LabelledDocument:
    """The document with its headings and their parents as the truth."""
    hierarchy = shown.laid.hierarchy
    parents = hierarchy.tree.parents()
    objects = range(len(hierarchy.document.objects))
    is_heading = [index in hierarchy.headings for index in objects]
    entries = {heading: entry for entry, heading in enumerate(sorted(hierarchy.headings))}
    return LabelledDocument(
        id=job.id,
        document=hierarchy.document,
        labels=tuple(Label.HEADING if heading else Label.BODY for heading in is_heading),
        parents=tuple(parents[index] for index in objects),
        entries=tuple(entries.get(index, NO_ENTRY) for index in objects),
        split="train",
        group=job.id,
        domain="corrected",
        source_hash=job.source_hash,
        labels_from="corrections",
    )
