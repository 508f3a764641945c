"""Many documents labelled, in parallel, and taken up again where it was stopped.

A line in the folder's journal follows each labelled file, never the other way round: whatever kills the
build, what the journal has is done, and what it has not is done again. A line counts only for the same
source and the same code.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from held.corpus.labelled import LabelledDocument, truth
from held.corpus.labels import Origin, label_document
from held.corpus.sources import CORPUS_SUFFIX, SourceFile, origin_of
from held.corpus.store import labelled_path, write_labelled
from held.document import OutlineEntry
from held.errors import HeldError, InputError
from held.journal import Row, journal_at
from held.processes.child import Line
from held.processes.parent import Lost, Program
from held.processes.pool import Answer, Reached, Tell, answering, events
from held.progress import Progress
from held.serial import hash_of
from held.writing import clear_drafts

JOURNAL = "build.jsonl"
SUMMARY = "summary.json"
OUTCOMES = ("kept", "dropped", "unusable")
LABELLER = Program("held.corpus.build:serve", group=True)
_NO_PART_IN_LABELS = frozenset(
    {"build.py", "sources.py", "summary.py", "statistics.py", "statistics_page.py"}
)


def label_file(source: SourceFile) -> LabelledDocument:
    """The labelled document of a file; one without outline and tags is refused."""
    from held.pdf.recognise import recognise

    origin = origin_of(source)
    if source.path.name.endswith(CORPUS_SUFFIX):
        from held.corpus.read import read_corpus_document

        pages = read_corpus_document(source.path)
        entries: Sequence[OutlineEntry] = pages.outline
        agreed = (0, 0)
    else:
        from held.corpus.tagged import agreement, choose, outline_of_tags
        from held.pdf.reader.read import read_pdf
        from held.pdf.reader.tagging import read_tags

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
) -> list[Row]:
    """A row for each source, in order: what became of it. What was built before is not built again."""
    code = code_hash()
    with journal_at(folder / JOURNAL, key="id") as journal:
        clear_drafts(folder)
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


def _rows(sources: Sequence[SourceFile], folder: Path, jobs: int) -> Iterator[Row]:
    """What becomes of each source, as they get done."""
    if jobs == 1 or len(sources) < 2:
        yield from (label_into(source, folder) for source in sources)
        return
    requests = [_request(source, folder) for source in sources]
    for index, event in events(LABELLER, requests, jobs=jobs):
        if not isinstance(event, Reached):
            yield _row(event, sources[index])


def serve(line: Line) -> None:
    """Labels what the build asks for: what its processes run."""

    def answer(request: Any, _: Tell) -> Answer:
        origin = request["origin"] and Origin(**request["origin"])
        source = SourceFile(request["id"], Path(request["path"]), request["group"], origin)
        return Answer(label_into(source, Path(request["folder"])))

    answering(line, answer)


def _request(source: SourceFile, folder: Path) -> Row:
    """A source as plain data."""
    origin = source.origin and asdict(source.origin)
    here = {"path": os.path.abspath(source.path), "folder": os.path.abspath(folder)}
    return {"id": source.id, "group": source.group, "origin": origin, **here}


def _row(event: Answer | Lost, source: SourceFile) -> Row:
    """What became of a source, from what its process said, which is checked, or did not."""
    row: Row = {"id": source.id, "source_hash": "", "outcome": "unusable", "seconds": 0.0}
    if isinstance(event, Lost):
        return row | {"reason": "internal error", "message": f"{source.path}: {event}"}
    said = event.value
    known = isinstance(said, dict) and said.get("id") == source.id and said.get("outcome") in OUTCOMES
    if not known:
        nonsense = f"{source.path}: the answer of its process makes no sense"
        return row | {"reason": "internal error", "message": nonsense}
    return dict(said)


def label_into(source: SourceFile, folder: Path) -> Row:
    """What became of a source: a file in the folder, or the reason why there is none."""
    start = time.monotonic()
    row: Row = {"id": source.id, "source_hash": "", "outcome": "unusable"}
    try:
        row["source_hash"] = hash_of(source.path)
        labelled = label_file(source)
        write_labelled(folder, labelled)
        row |= _account(labelled)
    except HeldError as error:
        labelled_path(folder, source.id).unlink(missing_ok=True)
        row["reason"] = error.what
        row["message"] = str(error)
    except Exception as error:  # one document must not stop the others
        row["reason"] = "internal error"
        row["message"] = f"{source.path}: {error!r}"
    return row | {"seconds": round(time.monotonic() - start, 2)}


def _account(labelled: LabelledDocument) -> Row:
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


def _still_good(rows: dict[str, Row], sources: Sequence[SourceFile], folder: Path) -> dict[str, Row]:
    """The rows of the sources that were built before from the same files."""
    known = [source for source in sources if source.id in rows]
    return {
        source.id: rows[source.id] for source in known if _still_holds(rows[source.id], source.path, folder)
    }


def _still_holds(row: Row, path: Path, folder: Path) -> bool:
    return (
        row.get("outcome") in ("kept", "dropped")
        and labelled_path(folder, row["id"]).is_file()
        and path.is_file()
        and row.get("source_hash") == hash_of(path)
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
    paths = [package / f"{name}.py" for name in ("document", "numerals", "serial")]
    for room in ("numbering", "pdf", "matching", "corpus"):
        paths += sorted((package / room).rglob("*.py"))
    return [path for path in paths if path.name not in _NO_PART_IN_LABELS]
