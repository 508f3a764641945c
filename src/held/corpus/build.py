"""Labels many documents in parallel, and continues where an earlier build stopped.

The journal gets a row after a labelled file is written, so that every row belongs to a finished file, even if
the build is killed. A row is valid only for the same source file and the same code.
Headings come from the outline, or from the heading tags (H1 to H6) of a tagged PDF.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

from held.corpus.sources import CORPUS_SUFFIX, SourceFile, origin_of, read_corpus_document
from held.corpus.store import (
    LabelledDocument,
    Origin,
    label_document,
    labelled_content,
    labelled_path,
    store_labelled,
    truth,
)
from held.document import OutlineEntry
from held.errors import HeldError, InputError
from held.hierarchy.matching.nodes import MAX_CONTRADICTIONS, contradiction
from held.hierarchy.matching.outline import NO_PARENT, listed_headings
from held.hierarchy.matching.titles import bare_key
from held.reading.tags import HEADINGS, Tags
from held.system.atomic_write import open_journal, remove_stale_drafts
from held.system.bounded_json import Record, file_sha256
from held.system.console import Progress, StageProgress
from held.system.worker_main import Connection
from held.system.worker_pool import Answer, ProgressEvent, run_requests, serve_requests
from held.system.worker_process import WorkerLost, WorkerSpec

BUILD_JOURNAL = "build.jsonl"
SUMMARY = "summary.json"
LABELLED = ("kept", "dropped")
LABEL_OUTCOMES = (*LABELLED, "unusable")
LABELLER = WorkerSpec("held.corpus.build:serve", group=True)
# Modules whose changes do not make earlier labels outdated; see `code_files`.
_NO_EFFECT_ON_LABELS = frozenset({"build.py", "sources.py", "summary.py"})
_NO_PAGE_LIMIT = 10**9  # the outlines compared here need not fit the pages
_SWAPPED_LEVELS = {1: 2, 2: 1}
_NO_HEADINGS_ADVICE = "labels come from bookmarks or tags: export the PDF with either"

Outline = Sequence[OutlineEntry]


class Agreement(NamedTuple):
    """How many titles two outlines share, and how many of these have the same parent in both."""

    shared: int
    alike: int


def outline_of_tags(tags: Tags) -> tuple[OutlineEntry, ...]:
    """The headings that a PDF's tags declare, as an outline.

    Some report generators swap H1 and H2 throughout, so the levels are also tried swapped; the outline that
    contradicts the item numbers least wins.
    """
    declared = []
    for block in tags.blocks:
        if block.type in HEADINGS and block.pages:
            level = _tag_level(block.type, block.sections)
            declared.append(OutlineEntry(level, block.text, block.pages[0], None))
    swapped = []
    for entry in declared:
        level = _SWAPPED_LEVELS.get(entry.level, entry.level)
        swapped.append(entry._replace(level=level))
    least = swapped if _contradiction(swapped) < _contradiction(declared) else declared
    return tuple(least)


def _tag_level(tag: str, sections: int) -> int:
    # Plain "H" has no level of its own: it takes that of the nested sections around it.
    return int(tag[1:]) if len(tag) > 1 else max(sections, 1)


def _contradiction(outline: Outline) -> float:
    """The share of contradictions between an outline's levels and its item numbers, from 0 to 1."""
    headings = listed_headings(outline, last_page=_NO_PAGE_LIMIT, mend_by_numbers=False).headings
    return contradiction(headings)


def choose_outline(outline: Outline, tagged: Outline) -> tuple[str, Outline]:
    """The source of the labels and its entries.

    The outline is preferred; the tags are used if there is no outline, or if only the tags make sense.
    """
    if not outline:
        return "tags", tagged
    if tagged and _contradiction(outline) > MAX_CONTRADICTIONS >= _contradiction(tagged):
        return "tags", tagged
    return "outline", outline


def compare_outlines(outline: Outline, tagged: Outline) -> Agreement:
    """The agreement of a file's outline and tags; titles that repeat are left out."""
    first, second = _parents_by_title(outline), _parents_by_title(tagged)
    shared = first.keys() & second.keys()
    alike = [title for title in shared if first[title] == second[title]]
    return Agreement(len(shared), len(alike))


def _parents_by_title(outline: Outline) -> dict[str, str]:
    """The parent's title for each title that occurs once, both without item numbers."""
    headings = listed_headings(outline, last_page=_NO_PAGE_LIMIT).headings
    parents: dict[str, str] = {}
    repeated: set[str] = set()
    for heading in headings:
        title = bare_key(heading.title)
        if title in parents:
            repeated.add(title)
        has_parent = heading.parent != NO_PARENT
        parents[title] = bare_key(headings[heading.parent].title) if has_parent else ""
    return {title: parent for title, parent in parents.items() if title not in repeated}


def label_file(source: SourceFile) -> LabelledDocument:
    """Labels one file. Raises `InputError` if it has neither an outline nor tagged headings."""
    from held.layout.recognise import recognise

    origin = origin_of(source)
    if source.path.name.endswith(CORPUS_SUFFIX):
        pages = read_corpus_document(source.path)
        entries: Outline = pages.outline
        agreement = Agreement(0, 0)
    else:
        # Imported here because they load PDFium, which stored corpus documents don't need.
        from held.reading.read_pdf import read_pdf
        from held.reading.tags import read_tags

        pages = read_pdf(source.path, jobs=1)
        tagged = outline_of_tags(read_tags(source.path))
        labels_from, entries = choose_outline(pages.outline, tagged)
        origin = replace(origin, labels_from=labels_from)
        agreement = compare_outlines(pages.outline, tagged)
    if not entries:
        raise InputError(
            "has no outline and no tagged headings", file=source.path, advice=_NO_HEADINGS_ADVICE
        )
    labelled = label_document(recognise(pages), entries, origin)
    report = replace(labelled.report, in_tags=agreement.shared, alike_in_tags=agreement.alike)
    return replace(labelled, report=report)


def build(
    sources: Sequence[SourceFile], folder: Path, *, jobs: int = 2, progress: Progress | None = None
) -> list[Record]:
    """Labels all sources and returns a row for each, in order. Files of an earlier build are kept."""
    code = code_hash()
    with open_journal(folder / BUILD_JOURNAL, key="id") as journal:
        remove_stale_drafts(folder)
        done: dict[str, Record] = {}
        for source in sources:
            row = journal.rows.get(source.id)
            if row is not None and row.get("code") == code and _is_up_to_date(row, source.path, folder):
                done[source.id] = row
        waiting = [source for source in sources if source.id not in done]
        # A row is added after its file is written, so that a killed build loses no more than one document.
        for row in _label_all(waiting, folder, jobs):
            row["code"] = code
            done[row["id"]] = row
            journal.add(row)
            if progress:
                progress(len(done), len(sources))
    return [done[source.id] for source in sources]


def _is_up_to_date(row: Record, path: Path, folder: Path) -> bool:
    """Whether the labelled file of an earlier build exists and its source has not changed since."""
    return (
        row.get("outcome") in LABELLED
        and labelled_path(folder, row["id"]).is_file()
        and path.is_file()
        and row.get("source_hash") == file_sha256(path)
    )


def _label_all(sources: Sequence[SourceFile], folder: Path, jobs: int) -> Iterator[Record]:
    """Labels and stores each source; yields its row as soon as its file is written."""
    if jobs == 1 or len(sources) < 2:
        for source in sources:
            row, content = label_row(source)
            yield _store(row, content, source, folder)
        return
    requests = [_request(source) for source in sources]
    for index, event in run_requests(LABELLER, requests, jobs=jobs):
        if not isinstance(event, ProgressEvent):
            source = sources[index]
            row, content = _row_of_answer(event, source)
            yield _store(row, content, source, folder)


def serve(line: Connection) -> None:
    """The main loop of a worker process: labels each file that the build sends."""

    def answer(request: Any, _: StageProgress) -> Answer:
        origin = request["origin"] and Origin(**request["origin"])
        source = SourceFile(request["id"], Path(request["path"]), request["group"], origin)
        row, content = label_row(source)
        return Answer(row, () if content is None else (content,))

    serve_requests(line, answer)


def _request(source: SourceFile) -> Record:
    origin = source.origin and asdict(source.origin)
    return {"id": source.id, "group": source.group, "origin": origin, "path": os.path.abspath(source.path)}


def _row_of_answer(event: Answer | WorkerLost, source: SourceFile) -> tuple[Record, bytes | None]:
    """The row and the file content that a worker returned. An answer is untrusted, so it is checked."""
    if isinstance(event, WorkerLost):
        return _unusable(source, "internal error", f"{source.path}: {event}"), None
    row = event.value
    is_row = isinstance(row, dict) and row.get("id") == source.id and row.get("outcome") in LABEL_OUTCOMES
    if not is_row or len(event.parts) != (row["outcome"] in LABELLED):
        message = f"{source.path}: the answer of its process makes no sense"
        return _unusable(source, "internal error", message), None
    return dict(row), next(iter(event.parts), None)


def _store(row: Record, content: bytes | None, source: SourceFile, folder: Path) -> Record:
    """Writes the labelled file, or removes an outdated one, and returns the row to record."""
    try:
        if content is None:
            labelled_path(folder, source.id).unlink(missing_ok=True)
        else:
            store_labelled(folder, source.id, content)
    except HeldError as error:
        return _unusable(source, error.what, str(error))
    except OSError as error:
        return _unusable(source, "cannot be written", f"{source.path}: {error.strerror}")
    return row


def _unusable(source: SourceFile, reason: str, message: str, source_hash: str = "") -> Record:
    row: Record = {"id": source.id, "source_hash": source_hash, "outcome": "unusable", "seconds": 0.0}
    return row | {"reason": reason, "message": message}


def label_row(source: SourceFile) -> tuple[Record, bytes | None]:
    """Labels a source: its journal row, and the content of its labelled file unless it is unusable."""
    start = time.monotonic()
    source_hash = ""
    content = None
    try:
        source_hash = file_sha256(source.path)
        labelled = label_file(source)
        content = labelled_content(labelled)
        row = {"id": source.id, "source_hash": source_hash, **_counts(labelled)}
    except HeldError as error:
        row = _unusable(source, error.what, str(error), source_hash)
    except Exception as error:  # one document must not stop the others
        row = _unusable(source, "internal error", f"{source.path}: {error!r}", source_hash)
    return row | {"seconds": round(time.monotonic() - start, 2)}, content


def _counts(labelled: LabelledDocument) -> Record:
    return {
        "outcome": "kept" if labelled.dropped is None else "dropped",
        "reason": labelled.dropped,
        "domain": labelled.domain,
        "split": labelled.split,
        "pages": len(labelled.document.pages),
        "objects": len(labelled.labels),
        "pathless": len(truth(labelled).pathless),
        **labelled.report.counts(),
    }


def code_hash() -> str:
    """A hash of the code that decides the labels; files that other code built are built again."""
    digest = hashlib.sha256()
    for path in code_files():
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def code_files() -> list[Path]:
    """The modules that decide the labels."""
    package = Path(__file__).parents[1]
    paths = [package / "document.py", package / "document_json.py"]
    for folder in ("numbering", "reading", "layout", "hierarchy/matching", "corpus"):
        paths += sorted((package / folder).rglob("*.py"))
    return [path for path in paths if path.name not in _NO_EFFECT_ON_LABELS]
