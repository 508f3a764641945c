"""A corrected document as a file: in the formats of `held extract`, or as a labelled document."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from held.corpus.store import NO_ENTRY, LabelledDocument, labelled_to_json
from held.errors import UsageError
from held.exports.formats import FORMATS, ExportOptions
from held.exports.tree_json import tree_to_json
from held.hierarchy import Hierarchy
from held.metrics import Label
from held.serve.bounded_work import BoundedCache, WorkSlots
from held.serve.edit_sessions import EditSessions
from held.serve.settings import MEGABYTE, ServerLimits
from held.serve.store import Job, JobStore
from held.serve.worker_client import export_with_pdf
from held.system.atomic_write import write_file
from held.system.bounded_json import encode_json

LABELLED = "labelled"
DOWNLOAD_FORMATS = (*FORMATS, LABELLED)
_LABELLED_SUFFIX = ".held.json"
_MAX_CACHED_BYTES = 64 * MEGABYTE


class Download(NamedTuple):
    """The bytes of a file, its media type, and its name."""

    content: bytes
    media_type: str
    name: str


class Downloads:
    """The files that clients download. The file of a version is cached for the next client."""

    def __init__(
        self, store: JobStore, sessions: EditSessions, limits: ServerLimits, slots: WorkSlots
    ) -> None:
        self._store = store
        self._sessions = sessions
        self._limits = limits
        self._slots = slots
        self._cache: BoundedCache[bytes] = BoundedCache(_MAX_CACHED_BYTES, size_of=len)

    def download(self, job: Job, format: str) -> Download:
        """A document after its corrections, in the format of this name."""
        if format not in DOWNLOAD_FORMATS:
            advice = f"there are {', '.join(DOWNLOAD_FORMATS)}"
            raise UsageError(f"no format is called {format!r}", advice=advice)
        # A corrected document has another version, and so another key.
        key = job.id, self._store.log_version(job.id), format
        content = self._cache.get(key)
        if content is None:
            with self._slots.slot():
                hierarchy = self._sessions.document(job.id).tree.hierarchy
                content = _make_content(job, hierarchy, format, self._store, self._limits)
            self._cache.put(key, content)
        stem = Path(job.name).stem
        if format == LABELLED:
            return Download(content, FORMATS["json"].media_type, stem + _LABELLED_SUFFIX)
        return Download(content, FORMATS[format].media_type, stem + FORMATS[format].suffix)


def _make_content(job: Job, hierarchy: Hierarchy, name: str, store: JobStore, limits: ServerLimits) -> bytes:
    if name == LABELLED:
        return encode_json(labelled_to_json(labelled_document(job, hierarchy)))
    if FORMATS[name].needs_pdf:
        return _export_in_worker(job, hierarchy, name, store, limits)
    return FORMATS[name].write(hierarchy, ExportOptions()).content


def _export_in_worker(
    job: Job, hierarchy: Hierarchy, name: str, store: JobStore, limits: ServerLimits
) -> bytes:
    """The document in a format that needs the PDF, which only a worker process may open."""
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
