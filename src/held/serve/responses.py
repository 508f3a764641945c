"""The JSON bodies of responses: jobs, documents with their headings, the objects of a page.

The page shows these texts, so control characters are replaced. Each character keeps its position: the
correction that splits an object refers to it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from held.hierarchy.edited_hierarchy import EditedHierarchy
from held.hierarchy.overrides import Override
from held.serve.correction_log import CorrectionLog
from held.serve.edit_sessions import CorrectedDocument
from held.serve.store import Job
from held.system.console import printable, printable_line, printable_values
from held.system.worker_pool import ProgressEvent

_MAX_TEXT_CHARACTERS = 300  # of an object on a page; its own route has the whole text

Json = dict[str, Any]


def job_json(job: Job, progress: ProgressEvent | None = None) -> Json:
    """A job, with its progress while it runs."""
    return {
        "id": job.id,
        "name": job.name,
        "kind": job.kind,
        "status": job.status,
        "created": job.created,
        "started": job.started,
        "finished": job.finished,
        "attempts": job.attempts,
        "reason": printable_values(job.reason),
        "pages": job.pages,
        "objects": job.objects,
        "headings": job.headings,
        "notes": printable_values(json.loads(job.notes)),
        "checked": bool(job.checked),
        "progress": None if progress is None else progress._asdict(),
    }


def document_json(job: Job, document: CorrectedDocument) -> Json:
    """A document with its pages and headings."""
    log, tree = document.log, document.tree
    pages = tree.edited.document.pages
    return {
        "id": job.id,
        "name": job.name,
        "checked": bool(job.checked),
        "version": log.version,
        "can_undo": log.in_force > 0,
        "can_redo": log.in_force < len(log.entries),
        "corrections": log.in_force,
        "pages": [
            {"width": page.width, "height": page.height, "label": printable_values(page.label)}
            for page in pages
        ],
        "first_page": tree.edited.document.first_page,
        "headings": _headings_json(tree),
        "doubted": tree.review_order(),
    }


def _headings_json(tree: EditedHierarchy) -> list[Json]:
    """The headings in reading order, by object number."""
    hierarchy = tree.hierarchy
    levels = hierarchy.tree.levels()
    doubtful = hierarchy.doubtful
    headings = []
    for number, parent in tree.parents.items():
        index = tree.edited.index_of[number]
        item = tree.item(number)
        is_corrected = number in tree.edited.overrides
        headings.append(
            {
                "object": number,
                "parent": parent,
                "level": levels[index],
                "title": printable_line(item.title),
                "page": item.page,
                "label": printable_line(hierarchy.page_name(item.page)),
                "probability": hierarchy.headings[index],
                "confidence": hierarchy.confidence[index],
                "certainty": hierarchy.certainty(index),
                "doubtful": index in doubtful and not is_corrected,
                "fixed": is_corrected,
                "look": tree.style(number),
                "alternatives": _alternatives_json(tree, index),
            }
        )
    return headings


def _alternatives_json(tree: EditedHierarchy, index: int) -> list[Json]:
    """The other parents that were likely."""
    alternatives = []
    for other in tree.hierarchy.alternatives.get(index, ()):
        parent = tree.edited.numbers[other.parent] if other.parent >= 0 else None
        alternatives.append({"parent": parent, "probability": other.probability})
    return alternatives


def page_json(document: CorrectedDocument, page: int) -> Json:
    """The objects on a page, with their boxes in points from its top left."""
    tree = document.tree
    objects = []
    for number, item in zip(tree.edited.numbers, tree.edited.document.objects, strict=True):
        # An object that continues on the next page has a box on both.
        boxes = [list(part.box) for part in item.parts if part.page == page]
        if boxes:
            objects.append(
                {
                    "object": number,
                    "kind": item.kind.value,
                    "heading": number in tree.parents,
                    "boxes": boxes,
                    "text": printable(item.text[:_MAX_TEXT_CHARACTERS]),
                }
            )
    return {"page": page, "objects": objects}


def alike_json(overrides: Mapping[int, Override], tree: EditedHierarchy) -> list[Json]:
    """The objects that a correction of their style would change, in reading order.

    `becomes` is the new parent, null for the top level, or "heading" or "text". `after` is the last heading
    before the object: where the page shows an object that is not in the tree yet.
    """
    changes = []
    last = None
    for number in tree.edited.numbers:
        if number in overrides:
            item = tree.item(number)
            change = {
                "object": number,
                "title": printable_line(item.title),
                "page": item.page,
                "label": printable_line(tree.hierarchy.page_name(item.page)),
                "becomes": overrides[number],
                "after": last,
            }
            changes.append(change)
        if number in tree.parents:
            last = number
    return changes


def moved_headings(
    before: CorrectedDocument, after: CorrectedDocument, *, besides: int | None = None
) -> list[int]:
    """The headings that a correction of another one has moved, added or removed."""
    missing = -1  # no object has this number
    old, new = before.tree.parents, after.tree.parents
    numbers = sorted({*old, *new} - {besides})
    return [number for number in numbers if old.get(number, missing) != new.get(number, missing)]


def log_json(log: CorrectionLog) -> Json:
    """The corrections of a document, including undone ones."""
    return {
        "version": log.version,
        "in_force": log.in_force,
        "corrections": [{**printable_values(entry.correction), "at": entry.at} for entry in log.entries],
    }
