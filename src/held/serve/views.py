"""What a browser is told: jobs, documents with their headings, and the objects of a page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from held.document import PhysicalObject
from held.hierarchy.edited_hierarchy import EditedHierarchy
from held.serve.correction_log import CorrectionLog
from held.serve.edit_sessions import Shown
from held.serve.jobs import Reached
from held.serve.store import Job

_MOST_TEXT = 300  # characters of an object that a browser is told


def job_view(job: Job, reached: Reached | None = None) -> dict[str, Any]:
    """A job, with how far it is where it is at work."""
    return {
        "id": job.id,
        "name": job.name,
        "kind": job.kind,
        "status": job.status,
        "created": job.created,
        "started": job.started,
        "finished": job.finished,
        "attempts": job.attempts,
        "reason": job.reason,
        "pages": job.pages,
        "objects": job.objects,
        "headings": job.headings,
        "notes": json.loads(job.notes),
        "checked": bool(job.checked),
        "progress": None if reached is None else reached._asdict(),
    }


def document_view(job: Job, shown: Shown) -> dict[str, Any]:
    """A document with its headings, by the numbers of objects."""
    document = shown.laid.edited.document
    return {
        "id": job.id,
        "name": job.name,
        "checked": bool(job.checked),
        "version": shown.log.version,
        "can_undo": shown.log.in_force > 0,
        "can_redo": shown.log.in_force < len(shown.log.entries),
        "corrections": shown.log.in_force,
        "pages": [_page(size.width, size.height, size.label) for size in document.pages],
        "first_page": document.first_page,
        "headings": _headings(shown.laid),
        "doubted": shown.laid.review_order(),
    }


def _page(width: float, height: float, label: str | None) -> dict[str, Any]:
    return {"width": width, "height": height, "label": label}


def _headings(laid: EditedHierarchy) -> list[dict[str, Any]]:
    """The headings in reading order."""
    hierarchy, index_of = laid.hierarchy, laid.edited.index_of
    levels = hierarchy.tree.levels()
    doubtful = hierarchy.doubtful
    found = []
    for number, parent in laid.parents.items():
        index = index_of[number]
        item = laid.edited.document.objects[index]
        found.append(
            {
                "object": number,
                "parent": parent,
                "level": levels[index],
                "title": title(item),
                "page": item.page,
                "label": hierarchy.page_name(item.page),
                "probability": hierarchy.headings[index],
                "confidence": hierarchy.confidence[index],
                "certainty": hierarchy.certainty(index),
                "doubtful": index in doubtful and number not in laid.edited.overrides,
                "fixed": number in laid.edited.overrides,
                "look": laid.style(number),
                "alternatives": _alternatives(laid, index),
            }
        )
    return found


def _alternatives(laid: EditedHierarchy, index: int) -> list[dict[str, Any]]:
    """The other parents that were close."""
    numbers = laid.edited.numbers
    return [
        {"parent": numbers[other.parent] if other.parent >= 0 else None, "probability": other.probability}
        for other in laid.hierarchy.alternatives.get(index, ())
    ]


def title(item: PhysicalObject) -> str:
    """A heading's text on one line."""
    return " ".join(item.text.split())


def page_view(shown: Shown, page: int) -> dict[str, Any]:
    """The objects that stand on a page, with their boxes."""
    laid = shown.laid
    found = [
        {
            "object": number,
            "kind": item.kind.value,
            "heading": number in laid.parents,
            "boxes": [list(part.box) for part in item.parts if part.page == page],
            "text": item.text[:_MOST_TEXT],
        }
        for number, item in zip(laid.edited.numbers, laid.edited.document.objects, strict=True)
        if any(part.page == page for part in item.parts)
    ]
    return {"page": page, "objects": found}


def moved(before: Shown, after: Shown, *, but: int | None = None) -> list[int]:
    """The headings that a correction of another one has moved, made or deleted."""
    old: Mapping[int, int | None] = before.laid.parents
    new = after.laid.parents
    return [
        n for n in sorted({*old, *new}) if n != but and (n not in old or n not in new or old[n] != new[n])
    ]


def log_view(log: CorrectionLog) -> dict[str, Any]:
    """The corrections of a document, the last of them perhaps undone."""
    return {
        "version": log.version,
        "in_force": log.in_force,
        "corrections": [{**entry.correction, "at": entry.at} for entry in log.entries],
    }
