"""A corrected document as a file: in the formats of `held extract`, or as a labelled document."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from held.corpus.labelled import NO_ENTRY, LabelledDocument
from held.corpus.store import labelled_to_json
from held.errors import UsageError
from held.exports.formats import FORMATS, ExportOptions
from held.exports.tree_json import tree_to_json
from held.hierarchy.hierarchy import Hierarchy
from held.metrics import Label
from held.serve.settings import Limits
from held.serve.store import Job, JobStore
from held.serve.worker_client import export_with_pdf
from held.system.atomic_write import write_file
from held.system.json_values import encode_json

LABELLED = "labelled"
DOWNLOAD_FORMATS = (*FORMATS, LABELLED)
_LABELLED_SUFFIX = ".held.json"


class Download(NamedTuple):
    """The bytes of a file, its media type, and its name."""

    content: bytes
    media_type: str
    name: str


def make_download(job: Job, hierarchy: Hierarchy, name: str, store: JobStore, limits: Limits) -> Download:
    """A document in the format of this name."""
    if name not in DOWNLOAD_FORMATS:
        raise UsageError(f"no format is called {name!r}", advice=f"there are {', '.join(DOWNLOAD_FORMATS)}")
    stem = Path(job.name).stem
    if name == LABELLED:
        labelled = labelled_document(job, hierarchy)
        content = encode_json(labelled_to_json(labelled))
        return Download(content, FORMATS["json"].media_type, stem + _LABELLED_SUFFIX)
    format = FORMATS[name]
    if format.needs_pdf:
        content = _export_in_worker(job, hierarchy, name, store, limits)
    else:
        content = format.write(hierarchy, ExportOptions()).content
    return Download(content, format.media_type, stem + format.suffix)


def _export_in_worker(job: Job, hierarchy: Hierarchy, name: str, store: JobStore, limits: Limits) -> bytes:
    """A format that needs the PDF, which only a worker process may open."""
    with TemporaryDirectory(prefix="held-") as folder:
        tree = Path(folder, "tree.json")
        write_file(tree, encode_json(tree_to_json(hierarchy)))
        pdf = store.pdf_path(job.id)
        return export_with_pdf(name, pdf, tree, password=job.option("password"), limits=limits)


def labelled_document(job: Job, hierarchy: Hierarchy) -> LabelledDocument:
    """The document with its headings and their parents as ground truth."""
    parents = hierarchy.tree.parents()
    entries = {heading: entry for entry, heading in enumerate(sorted(hierarchy.headings))}
    objects = range(len(hierarchy.document.objects))
    labels = [Label.HEADING if index in entries else Label.BODY for index in objects]
    return LabelledDocument(
        id=job.id,
        document=hierarchy.document,
        labels=tuple(labels),
        parents=tuple(parents[index] for index in objects),
        entries=tuple(entries.get(index, NO_ENTRY) for index in objects),
        split="train",
        group=job.id,
        domain="corrected",
        source_hash=job.source_hash,
        labels_from="corrections",
    )
