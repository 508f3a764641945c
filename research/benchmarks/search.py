"""Searching: how fast documents are indexed, how large the index is, how long a question takes.

Documents of the corpus (train and valid) are taken the whole way from stored pages to the index. Indexes of
several sizes show whether the cost grows with the number of documents alone; where fewer documents are read
than the largest index holds, each is stored several times under other names. A long document is asked alone.
Full-text engines are compared on the same sections; those that are not installed are left out. Speeds count
CPU time, so that a busy machine changes them little; for questions the time on the clock stands beside it.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from research.arguments import make_parser

from held.document import Pages
from held.extraction import read_file
from held.hierarchy import Hierarchy
from held.hierarchy.pipeline import build_tree
from held.layout.recognise import recognise
from held.retrieval.document_index import IndexEntry, build_entry, entry_from_bytes, entry_to_bytes
from held.retrieval.engine import IndexedSection, SingleDocument, build_sections
from held.retrieval.index import Index
from held.retrieval.sqlite_engine import write_sqlite_index
from held.retrieval.tokens import tokens

CORPUS = Path(os.environ.get("HELD_CORPUS", Path(__file__).parents[3] / "shared" / "corpus"))
SIZES = (100, 300, 1000)
LONG = 300  # pages of the long document
QUESTIONS = 200


def sample(count: int) -> list[Path]:
    """Documents of train and valid, evenly out of all."""
    rows = map(json.loads, (CORPUS / "index.jsonl").read_text(encoding="utf-8").splitlines())
    chosen = [row["id"] for row in rows if row["split"] in ("train", "valid")]
    step = max(1, len(chosen) // count)
    return [CORPUS / "docs" / f"{id_}.json.xz" for id_ in chosen[::step][:count]]


def pack(files: Sequence[Path]) -> tuple[list[bytes], dict[str, float]]:
    """The packed documents, and the CPU seconds that each stage took in all."""
    seconds = {"reading and recognising": 0.0, "tree": 0.0, "passages": 0.0}
    contents = []
    for file in files:
        moments = [process_time()]
        value = read_file(file)
        if isinstance(value, Hierarchy):
            raise SystemExit(f"{file} already contains a tree")
        document = recognise(value) if isinstance(value, Pages) else value
        moments.append(process_time())
        hierarchy = build_tree(document)
        moments.append(process_time())
        contents.append(entry_to_bytes(build_entry(hierarchy)))
        moments.append(process_time())
        for stage, start, end in zip(seconds, moments, moments[1:], strict=False):
            seconds[stage] += end - start
        print(f"\r{len(contents)}/{len(files)} documents", end="", file=sys.stderr)
    return contents, seconds


def text_bytes(entry: IndexEntry) -> int:
    """How long the text of a document is, with its headings."""
    document = entry.document
    headings = {obj: text for p in document.passages for obj, text in zip(p.ancestors, p.path, strict=True)}
    return sum(len(text.encode("utf-8", "replace")) for text in headings.values()) + sum(
        len(passage.text.encode("utf-8", "replace")) for passage in document.passages
    )


def questions(entries: Sequence[IndexEntry], count: int) -> list[str]:
    """Headings of the documents, half of them inside a question of common words."""
    chance = random.Random(7)
    titles = sorted({p.path[-1] for entry in entries for p in entry.document.passages if p.path})
    titles = [title for title in titles if 3 <= len(set(tokens(title))) <= 12]
    chosen = chance.sample(titles, min(count, len(titles)))
    return [t if n % 2 else f"What is the amount of {t} in the year 2018?" for n, t in enumerate(chosen)]


def latency(ask: Callable[[str], object], asked: Sequence[str]) -> dict[str, float]:
    """Milliseconds for a question: CPU time of the first, then of the others, and on the clock."""
    times = []
    for question in asked:
        start, clock = process_time(), perf_counter()
        ask(question)
        times.append((1000 * (process_time() - start), 1000 * (perf_counter() - clock)))
    cpu, clocks = (sorted(column) for column in zip(*times[1:], strict=True))
    last = min(len(cpu) - 1, int(0.99 * len(cpu)))
    return {
        "first_cpu_ms": round(times[0][0], 1),
        "median_cpu_ms": round(statistics.median(cpu), 1),
        "p99_cpu_ms": round(cpu[last], 1),
        "median_ms": round(statistics.median(clocks), 1),
        "p99_ms": round(clocks[last], 1),
    }


def measure_index(contents: Sequence[bytes], size: int, asked: Sequence[str]) -> dict[str, Any]:
    """How long it takes to store so many documents, how large that is, and how long a question takes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "all.index"
        start = process_time()
        with write_sqlite_index(path) as writer:
            for n in range(size):
                writer.put(f"/{n}.pdf", contents[n % len(contents)])
        seconds = process_time() - start
        with Index.open(path) as index:
            pages = sum(source.pages for source in index.sources())
            found = latency(index.search, asked)
        return {
            "documents": size,
            "pages": pages,
            "storing_cpu_s": round(seconds, 2),
            "storing_cpu_ms_per_document": round(1000 * seconds / size, 2),
            "index_mb": round(path.stat().st_size / 1e6, 2),
            **found,
        }


def measure_indexes(documents: int, sizes: Sequence[int]) -> dict[str, Any]:
    """How fast documents are indexed, how large that is, and how long a question takes, by size."""
    contents, seconds = pack(sample(documents))
    entries = [entry_from_bytes(content) for content in contents]
    pages = sum(entry.pages for entry in entries)
    asked = questions(entries, QUESTIONS)
    indexes = [measure_index(contents, size, asked) for size in sizes]
    text = sum(text_bytes(entries[n % len(entries)]) for n in range(sizes[-1]))
    return {
        "documents_read": len(entries),
        "pages_read": pages,
        "pages_per_cpu_second": {stage: round(pages / took, 1) for stage, took in seconds.items()}
        | {
            "all": round(
                pages / (sum(seconds.values()) + indexes[-1]["storing_cpu_s"] * pages / indexes[-1]["pages"]),
                1,
            )
        },
        "questions": len(asked),
        "indexes": indexes,
        "text_mb": round(text / 1e6, 2),
        "index_over_text": round(1e6 * indexes[-1]["index_mb"] / text, 3),
        "cpu_per_document_largest_over_smallest": round(
            indexes[-1]["storing_cpu_ms_per_document"] / indexes[0]["storing_cpu_ms_per_document"], 3
        ),
    }


def measure_long() -> dict[str, Any]:
    """How long a question takes in a single long document."""
    rows = map(json.loads, (CORPUS / "index.jsonl").read_text(encoding="utf-8").splitlines())
    chosen = min((row for row in rows if row["split"] == "train"), key=lambda row: abs(row["n_pages"] - LONG))
    contents, _ = pack([CORPUS / "docs" / f"{chosen['id']}.json.xz"])
    entry = entry_from_bytes(contents[0])
    one = Index(SingleDocument("long.pdf", entry))
    start = process_time()
    entry_from_bytes(contents[0])
    return {
        "pages": entry.pages,
        "passages": len(entry.document.passages),
        "loading_cpu_ms": round(1000 * (process_time() - start), 1),
        **latency(one.search, questions([entry], QUESTIONS)),
    }


def engines() -> Iterator[tuple[str, Callable[[Path, Sequence[IndexedSection]], Callable[[str], object]]]]:
    """Each engine that is installed, as what stores sections below a folder and gives back how to ask."""
    yield "sqlite fts5", _sqlite
    try:
        import tantivy  # noqa: F401

        yield "tantivy", _tantivy
    except ModuleNotFoundError:
        print("tantivy is not installed", file=sys.stderr)
    try:
        import duckdb  # noqa: F401

        yield "duckdb fts", _duckdb
    except ModuleNotFoundError:
        print("duckdb is not installed", file=sys.stderr)


def _sqlite(folder: Path, rows: Sequence[IndexedSection]) -> Callable[[str], object]:
    import sqlite3

    database = sqlite3.connect(folder / "words.db")
    database.execute(
        "CREATE VIRTUAL TABLE w USING fts5(path, body, content='', tokenize=\"ascii tokenchars '.'\")"
    )
    database.executemany(
        "INSERT INTO w (rowid, path, body) VALUES (?, ?, ?)", ((n, *row) for n, row in enumerate(rows))
    )
    database.commit()
    statement = "SELECT rowid, bm25(w) FROM w WHERE w MATCH ? ORDER BY 2 LIMIT 200"
    return lambda question: database.execute(
        statement, (" OR ".join(f'"{word}"' for word in set(tokens(question))),)
    ).fetchall()


def _tantivy(folder: Path, rows: Sequence[IndexedSection]) -> Callable[[str], object]:
    import tantivy

    builder = tantivy.SchemaBuilder()
    for name in ("path", "body"):
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    index = tantivy.Index(builder.build(), path=str(folder))
    writer = index.writer(heap_size=100_000_000, num_threads=1)
    for row in rows:
        writer.add_document(tantivy.Document(path=row.path, body=row.body))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def ask(question: str) -> object:
        words = " ".join(f'"{word}"' for word in set(tokens(question)))
        return searcher.search(index.parse_query(words, ["path", "body"]), 200)

    return ask


def _duckdb(folder: Path, rows: Sequence[IndexedSection]) -> Callable[[str], object]:
    import duckdb
    import numpy as np

    database = duckdb.connect(
        str(folder / "words.db"), config={"threads": 1, "allow_unsigned_extensions": True}
    )
    extension = os.environ.get("DUCKDB_FTS")  # the extension's file, where it cannot be downloaded
    database.execute(f"LOAD '{extension}'" if extension else "INSTALL fts; LOAD fts")
    table = {name: np.array([getattr(row, name) for row in rows], object) for name in IndexedSection._fields}
    table |= {"id": np.arange(len(rows))}
    database.register("given", table)
    database.execute("CREATE TABLE p AS SELECT * FROM given")
    settings = r"stemmer='none', stopwords='none', ignore='(\s)+', lower=0, strip_accents=0"
    database.execute(f"PRAGMA create_fts_index('p', 'id', 'path', 'body', {settings})")
    database.execute("CHECKPOINT")
    statement = (
        "SELECT id, s FROM (SELECT id, fts_main_p.match_bm25(id, ?) AS s FROM p) "
        "WHERE s IS NOT NULL ORDER BY s DESC LIMIT 200"
    )
    return lambda question: database.execute(statement, [" ".join(tokens(question))]).fetchall()


def compare_engines(documents: int) -> dict[str, Any]:
    """For each engine how fast it stores sections, how large that is, and how long a question takes."""
    contents, _ = pack(sample(documents))
    entries = [entry_from_bytes(content) for content in contents]
    rows = [row for entry in entries for row in build_sections(entry.document)]
    asked = questions(entries, QUESTIONS // 2)
    text = sum(map(text_bytes, entries))
    found: dict[str, Any] = {
        "documents": len(entries),
        "sections": len(rows),
        "text_mb": round(text / 1e6, 2),
    }
    for name, store in engines():
        with tempfile.TemporaryDirectory() as folder:
            start = process_time()
            ask = store(Path(folder), rows)
            seconds = process_time() - start
            size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
            found[name] = {"storing_cpu_s": round(seconds, 2), "size_over_text": round(size / text, 3)}
            found[name] |= latency(ask, asked)
    return found


PARTS = ("indexes", "long", "engines")


def main() -> None:
    """Measures the parts that are asked for; a file of results keeps those of the other parts."""
    parser = make_parser(__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what is measured: {', '.join(PARTS)}")
    parser.add_argument("--documents", type=int, default=1000, help="documents that are read")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="documents of the indexes")
    parser.add_argument("-o", "--output", type=Path, help="write the results here")
    asked = parser.parse_args()
    measures: dict[str, Callable[[], dict[str, Any]]] = {
        "indexes": lambda: measure_indexes(asked.documents, asked.sizes),
        "long": measure_long,
        "engines": lambda: compare_engines(asked.documents),
    }
    results = {part: measures[part]() for part in asked.parts or PARTS}
    print(json.dumps(results, indent=2))
    if asked.output:
        before = json.loads(asked.output.read_text(encoding="utf-8")) if asked.output.exists() else {}
        asked.output.write_text(json.dumps(before | results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
