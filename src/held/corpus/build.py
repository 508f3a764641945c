"""Labels many documents in parallel, and continues where an earlier build stopped.

The journal gets a line after a labelled file is written, never before: whatever kills the build, a line
stands for a finished file. A line counts only for the same source and the same code. Headings come from the
outline or from the structure tree of a tagged PDF (H1 to H6); since whole families of reports swap H1 and H2,
the reading that contradicts the item numbers least is taken.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

from held.corpus.labelled import LabelledDocument, Origin, label_document, truth
from held.corpus.sources import CORPUS_SUFFIX, SourceFile, origin_of
from held.corpus.store import labelled_content, labelled_path, store_labelled
from held.document import OutlineEntry
from held.errors import HeldError, InputError
from held.hierarchy.matching.outline import NO_PARENT, ListedHeading, listed_headings
from held.hierarchy.matching.titles import bare_key
from held.hierarchy.matching.trust import MOST_CONTRADICTIONS, contradiction
from held.reading.tags import HEADINGS, Tags
from held.system.atomic_write import remove_stale_drafts
from held.system.bounded_input import file_sha256
from held.system.console import Progress, StageProgress
from held.system.journal import open_journal
from held.system.json_values import Record
from held.system.worker_main import Connection
from held.system.worker_pool import Answer, ProgressEvent, run_requests, serve_requests
from held.system.worker_process import WorkerLost, WorkerSpec

_NO_LIMIT = 10**9
_SWAPPED = {1: 2, 2: 1}


class Agreement(NamedTuple):
    """How many titles two outlines share, and how many of these lie under the same title in both."""

    shared: int
    alike: int


def outline_of_tags(tags: Tags) -> tuple[OutlineEntry, ...]:
    """The headings that a file's tags declare, as an outline with the levels that fit their numbers best."""
    declared = tuple(
        OutlineEntry(_level(block.type, block.sections), block.text, block.pages[0], None)
        for block in tags.blocks
        if block.type in HEADINGS and block.pages
    )
    swapped = tuple(entry._replace(level=_SWAPPED.get(entry.level, entry.level)) for entry in declared)
    return min((declared, swapped), key=_misfit)


def _level(type: str, sections: int) -> int:
    return int(type[1:]) if len(type) > 1 else max(sections, 1)


def _misfit(outline: Sequence[OutlineEntry]) -> float:
    """How much an outline's levels contradict its numbers, from 0 to 1."""
    return contradiction(listed_headings(outline, last_page=_NO_LIMIT, mend_by_numbers=False).headings)


def choose(
    outline: Sequence[OutlineEntry], tagged: Sequence[OutlineEntry]
) -> tuple[str, Sequence[OutlineEntry]]:
    """Where labels come from, and the entries: the outline, but the tags if it is none or makes no sense."""
    if not outline or (tagged and _misfit(outline) > MOST_CONTRADICTIONS >= _misfit(tagged)):
        return "tags", tagged
    return "outline", outline


def agreement(outline: Sequence[OutlineEntry], tagged: Sequence[OutlineEntry]) -> Agreement:
    """How far an outline and the tags of the same file agree; titles that repeat are passed over."""
    first, second = _parents_by_title(outline), _parents_by_title(tagged)
    shared = first.keys() & second.keys()
    return Agreement(len(shared), sum(first[title] == second[title] for title in shared))


def _parents_by_title(outline: Sequence[OutlineEntry]) -> dict[str, str]:
    """The title above each title that the outline has once, item numbers aside."""
    headings = listed_headings(outline, last_page=_NO_LIMIT).headings
    found: dict[str, str] = {}
    repeated: set[str] = set()
    for heading in headings:
        title = bare_key(heading.title)
        repeated |= {title} & found.keys()
        found[title] = _title_above(heading, headings)
    return {title: parent for title, parent in found.items() if title not in repeated}


def _title_above(heading: ListedHeading, headings: Sequence[ListedHeading]) -> str:
    return "" if heading.parent == NO_PARENT else bare_key(headings[heading.parent].title)


JOURNAL = "build.jsonl"
SUMMARY = "summary.json"
LABELLED = ("kept", "dropped")
OUTCOMES = (*LABELLED, "unusable")
LABELLER = WorkerSpec("held.corpus.build:serve", group=True)
_NO_PART_IN_LABELS = frozenset(
    {"build.py", "sources.py", "summary.py", "statistics.py", "statistics_page.py"}
)


def label_file(source: SourceFile) -> LabelledDocument:
    """The labelled document of a file; one without outline and tags is refused."""
    from held.layout.recognise import recognise

    origin = origin_of(source)
    if source.path.name.endswith(CORPUS_SUFFIX):
        from held.corpus.sources import read_corpus_document

        pages = read_corpus_document(source.path)
        entries: Sequence[OutlineEntry] = pages.outline
        agreed = (0, 0)
    else:
        from held.corpus.build import agreement, choose, outline_of_tags
        from held.reading.read_pdf import read_pdf
        from held.reading.tags import read_tags

        pages = read_pdf(source.path, jobs=1)
        tagged = outline_of_tags(read_tags(source.path))
        labels_from, entries = choose(pages.outline, tagged)
        origin = replace(origin, labels_from=labels_from)
        agreed = agreement(pages.outline, tagged)
    if not entries:
        raise InputError("has no outline and no tagged headings", file=source.path, advice=_ADVICE)
    labelled = label_document(recognise(pages), entries, origin)
    report = replace(labelled.report, in_tags=agreed[0], alike_in_tags=agreed[1])
    return replace(labelled, report=report)


_ADVICE = "labels come from bookmarks or tags: export the PDF with either"


def build(
    sources: Sequence[SourceFile], folder: Path, *, jobs: int = 2, progress: Progress | None = None
) -> list[Record]:
    """A row for each source, in order: what became of it. What was built before is not built again."""
    code = code_hash()
    with open_journal(folder / JOURNAL, key="id") as journal:
        remove_stale_drafts(folder)
        known = _still_good(journal.rows, sources, folder)
        done = {id: row for id, row in known.items() if row.get("code") == code}
        waiting = [source for source in sources if source.id not in done]
        for row in _rows(waiting, folder, jobs):
            row["code"] = code
            done[row["id"]] = row
            journal.add(row)
            if progress:
                progress(len(done), len(sources))
    return [done[source.id] for source in sources]


def _rows(sources: Sequence[SourceFile], folder: Path, jobs: int) -> Iterator[Record]:
    """What becomes of each source, as they get done; what was labelled is in the folder then."""
    if jobs == 1 or len(sources) < 2:
        yield from (_stored(*labelled_row(source), source, folder) for source in sources)
        return
    for index, event in run_requests(LABELLER, [_request(source) for source in sources], jobs=jobs):
        if not isinstance(event, ProgressEvent):
            yield _stored(*_told(event, sources[index]), sources[index], folder)


def serve(line: Connection) -> None:
    """Labels what the build asks for: what its processes run."""

    def answer(request: Any, _: StageProgress) -> Answer:
        origin = request["origin"] and Origin(**request["origin"])
        source = SourceFile(request["id"], Path(request["path"]), request["group"], origin)
        row, content = labelled_row(source)
        return Answer(row, () if content is None else (content,))

    serve_requests(line, answer)


def _request(source: SourceFile) -> Record:
    """A source as plain data."""
    origin = source.origin and asdict(source.origin)
    return {"id": source.id, "group": source.group, "origin": origin, "path": os.path.abspath(source.path)}


def _told(event: Answer | WorkerLost, source: SourceFile) -> tuple[Record, bytes | None]:
    """What became of a source, from what its process said, which is checked, or did not."""
    if isinstance(event, WorkerLost):
        return _unusable(source, "internal error", f"{source.path}: {event}"), None
    said = event.value
    known = isinstance(said, dict) and said.get("id") == source.id and said.get("outcome") in OUTCOMES
    if not known or len(event.parts) != (said["outcome"] in LABELLED):
        nonsense = f"{source.path}: the answer of its process makes no sense"
        return _unusable(source, "internal error", nonsense), None
    return dict(said), next(iter(event.parts), None)


def _stored(row: Record, content: bytes | None, source: SourceFile, folder: Path) -> Record:
    """The row of a source whose file is now in the folder, or of which there is none."""
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


def labelled_row(source: SourceFile) -> tuple[Record, bytes | None]:
    """What became of a source, and what its file is to hold, if there is one."""
    start = time.monotonic()
    source_hash = ""
    content = None
    try:
        source_hash = file_sha256(source.path)
        labelled = label_file(source)
        content = labelled_content(labelled)
        row = {"id": source.id, "source_hash": source_hash, **_account(labelled)}
    except HeldError as error:
        row = _unusable(source, error.what, str(error), source_hash)
    except Exception as error:  # one document must not stop the others
        row = _unusable(source, "internal error", f"{source.path}: {error!r}", source_hash)
    return row | {"seconds": round(time.monotonic() - start, 2)}, content


def _account(labelled: LabelledDocument) -> Record:
    found = truth(labelled)
    return {
        "outcome": "kept" if labelled.dropped is None else "dropped",
        "reason": labelled.dropped,
        "domain": labelled.domain,
        "split": labelled.split,
        "pages": len(labelled.document.pages),
        "objects": len(labelled.labels),
        "pathless": len(found.pathless),
        **labelled.report.counts(),
    }


def _still_good(rows: dict[str, Record], sources: Sequence[SourceFile], folder: Path) -> dict[str, Record]:
    """The rows of the sources that were built before from the same files."""
    known = [source for source in sources if source.id in rows]
    return {
        source.id: rows[source.id] for source in known if _still_holds(rows[source.id], source.path, folder)
    }


def _still_holds(row: Record, path: Path, folder: Path) -> bool:
    return (
        row.get("outcome") in LABELLED
        and labelled_path(folder, row["id"]).is_file()
        and path.is_file()
        and row.get("source_hash") == file_sha256(path)
    )


def code_hash() -> str:
    """A hash of the code that labels depend on, so that files built by other code are built anew."""
    digest = hashlib.sha256()
    for path in code_files():
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def code_files() -> list[Path]:
    """The modules that labels depend on."""
    package = Path(__file__).parents[1]
    paths = [package / "document.py", package / "document_json.py"]
    for folder in ("numbering", "reading", "layout", "hierarchy/matching", "corpus"):
        paths += sorted((package / folder).rglob("*.py"))
    return [path for path in paths if path.name not in _NO_PART_IN_LABELS]
