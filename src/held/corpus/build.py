"""Many documents labelled, in parallel, and taken up again where it was stopped.

A line in the folder's journal follows each labelled file, never the other way round: whatever kills the
build, what the journal has is done, and what it has not is done again. A line counts only for the same
source and the same code.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path
from typing import Any

from held.corpus.labelled import LabelledDocument, truth
from held.corpus.labels import label_document
from held.corpus.sources import CORPUS_SUFFIX, SourceFile, origin_of
from held.corpus.store import labelled_path, write_labelled
from held.document import OutlineEntry
from held.errors import HeldError, InputError
from held.progress import Progress
from held.serial import hash_of

JOURNAL = "build.jsonl"
SUMMARY = "summary.json"
_WATCH_SECONDS = 2.0
_NO_PART_IN_LABELS = frozenset(
    {"build.py", "sources.py", "summary.py", "statistics.py", "statistics_page.py"}
)

Row = dict[str, Any]


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
        from held.pdf.reader.tags import read_tags

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
    folder.mkdir(parents=True, exist_ok=True)
    code = code_hash()
    done = {id: row for id, row in _done(sources, folder).items() if row.get("code") == code}
    waiting = [source for source in sources if source.id not in done]
    with (folder / JOURNAL).open("a", encoding="utf-8") as journal:
        for row in _rows(waiting, folder, jobs):
            row["code"] = code
            done[row["id"]] = row
            journal.write(json.dumps(row, ensure_ascii=False) + "\n")
            journal.flush()
            if progress:
                progress(len(done), len(sources))
    return [done[source.id] for source in sources]


def _rows(sources: Sequence[SourceFile], folder: Path, jobs: int) -> Iterator[Row]:
    """What becomes of each source, as they get done."""
    if jobs == 1 or len(sources) < 2:
        yield from (label_into(source, folder) for source in sources)
        return
    with ProcessPoolExecutor(jobs, initializer=_end_with, initargs=(os.getpid(),)) as pool:
        pending = [pool.submit(label_into, source, folder) for source in sources]
        try:
            yield from (future.result() for future in as_completed(pending))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _end_with(parent: int) -> None:
    """Let a worker end when the build is killed: it would wait for work for ever."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_WATCH_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


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


def _done(sources: Sequence[SourceFile], folder: Path) -> dict[str, Row]:
    """The latest rows of the sources that were built before from the same files."""
    path_of = {source.id: source.path for source in sources}
    done: dict[str, Row] = {}
    for row in _journal(folder / JOURNAL):
        if row.get("id") in path_of:
            done[row["id"]] = row
    return {id: row for id, row in done.items() if _still_holds(row, path_of[id], folder)}


def _still_holds(row: Row, path: Path, folder: Path) -> bool:
    return (
        row.get("outcome") in ("kept", "dropped")
        and labelled_path(folder, row["id"]).is_file()
        and path.is_file()
        and row.get("source_hash") == hash_of(path)
    )


def _journal(path: Path) -> Iterator[Row]:
    """The rows of a journal; a line that was torn when the build was killed is passed over."""
    if not path.is_file():
        return
    text = path.read_text(encoding="utf-8", errors="replace")
    if text and not text.endswith("\n"):
        with path.open("a", encoding="utf-8") as journal:
            journal.write("\n")
    for line in text.splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            yield row


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
