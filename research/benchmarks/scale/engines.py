"""Two engines with the same documents: how alike they answer, how fast, how large they are, how long made.

    python -m research.benchmarks.scale.engines thousand.index --labelled LABELLED -o scale-engines.json

The documents of an index in SQLite are put into a fresh one and into a Lance data set; with `--times 10` each
under ten names. An index that is not there is made first, of labelled documents of train and valid, whose
objects are recognised already; one that was left half made is gone on with. Both are asked headings of the
documents, half of them inside a question of common words. Answers are alike if they are the same passages;
copies of one document under several names count as one. Sizes that the results have already are not measured
again.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from research.benchmarks.search import CORPUS, latency, questions

from held.corpus.store import read_labelled
from held.hierarchy.pipeline import build_tree
from held.retrieval.document_index import build_entry, entry_from_bytes, entry_to_bytes
from held.retrieval.engine import LANCE
from held.retrieval.index import Index, write_index
from held.retrieval.query import parse_question
from held.retrieval.search import MAX_DOCUMENTS
from held.system.bounded_json import write_json

QUESTIONS = 50
ASKED_ABOUT = 100  # documents whose headings are asked for, evenly out of all
BEST = 10
BETWEEN = "#"  # a document's name and the number of its copy


def fill(index: Path, labelled: Path, count: int) -> None:
    """Puts so many documents, evenly out of all, into an index; those that it has stay."""
    paths = [path for path in labelled_paths(labelled) if path.is_file()]
    chosen = paths[:: max(1, len(paths) // count)][:count]
    with write_index(index) as writer:
        known = {source.path for source in writer.sources()}
        for number, path in enumerate(chosen, 1):
            if str(path) not in known:
                writer.put(str(path), entry_to_bytes(build_entry(build_tree(read_labelled(path).document))))
            print(f"\r{number}/{len(chosen)} documents", end="", file=sys.stderr)
    print(file=sys.stderr)


def labelled_paths(labelled: Path) -> list[Path]:
    """The labelled documents of train and valid."""
    rows = map(json.loads, (CORPUS / "index.jsonl").read_text(encoding="utf-8").splitlines())
    return [labelled / f"{row['id']}.held.json.xz" for row in rows if row["split"] in ("train", "valid")]


def stored_documents(index: Path) -> Iterator[tuple[str, bytes]]:
    """The name and the content of each document of an index."""
    database = sqlite3.connect(f"file:{index}?mode=ro", uri=True)
    yield from database.execute("SELECT source, content FROM documents ORDER BY id")


def asked_of(index: Path) -> list[str]:
    """Questions about documents of an index."""
    contents = [content for _, content in stored_documents(index)]
    step = max(1, len(contents) // ASKED_ABOUT)
    return questions([entry_from_bytes(content) for content in contents[::step]], QUESTIONS)


def fill_engine(name: str, index: Path, times: int) -> dict[str, Any]:
    """What it takes to fill an engine."""
    clock, start = perf_counter(), process_time()
    with write_index(name) as writer:
        for copy in range(times):
            for source, content in stored_documents(index):
                writer.put(f"{source}{BETWEEN}{copy}", content)
    path = Path(name.removeprefix(LANCE))
    files = [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]
    return {
        "build_seconds": round(perf_counter() - clock, 1),
        "build_cpu_seconds": round(process_time() - start, 1),
        "megabytes": round(sum(file.stat().st_size for file in files) / 1e6, 1),
        "files": len(files),
    }


def candidates(index: Index, question: str) -> list[str]:
    """The documents that an engine hands to the ranker, copies as one."""
    names = {source.id: source.path.partition(BETWEEN)[0] for source in index.sources()}
    found = index._engine.candidates(parse_question(question).own_words)
    return list(dict.fromkeys(names[document] for document in found))[:MAX_DOCUMENTS]


def answers(index: Index, question: str) -> list[tuple[str, int]]:
    """The passages that answer best, copies as one."""
    hits = index.search(question, BEST)
    return list(dict.fromkeys((hit.source.partition(BETWEEN)[0], hit.object) for hit in hits))


def alike(first: Index, second: Index, asked: Sequence[str]) -> dict[str, Any]:
    """How many questions get the same answers, and whether that is for the candidates."""
    same = same_set = same_first = same_candidates = differ_with_same_candidates = 0
    shared = []
    for question in asked:
        one, other = answers(first, question), answers(second, question)
        equal = set(candidates(first, question)) == set(candidates(second, question))
        same += one == other
        same_set += set(one) == set(other)
        same_first += one[:1] == other[:1]
        same_candidates += equal
        differ_with_same_candidates += equal and set(one) != set(other)
        shared.append(len(set(one) & set(other)) / max(1, len(set(one) | set(other))))
    return {
        "questions": len(asked),
        "same ten in the same order": same,
        "same ten": same_set,
        "same first": same_first,
        "share of answers in common, mean": round(sum(shared) / len(shared), 3),
        "same ten documents for the ranker": same_candidates,
        "other answers from the same documents": differ_with_same_candidates,
    }


def measure_engines(index: Path, times: int) -> dict[str, Any]:
    """Both engines with all documents so many times."""
    asked = asked_of(index)
    result: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="held-bench-", dir=index.parent) as folder:
        names = {"SQLite": f"{folder}/all.index", "Lance": f"{LANCE}{folder}/all.lance"}
        for engine, name in names.items():
            result[engine] = fill_engine(name, index, times)
            with Index.open(name) as opened:
                result[engine] |= latency(partial(opened.search, k=BEST), asked)
            print(engine, json.dumps(result[engine]), file=sys.stderr)
        with Index.open(names["SQLite"]) as first, Index.open(names["Lance"]) as second:
            result["documents"] = len(first.sources())
            result["alike"] = alike(first, second, asked)
    return result


def main() -> None:
    """Measures what the results lack."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("index", type=Path, help="an index in SQLite whose documents are taken")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--labelled", type=Path, help="what `held corpus build` wrote, to make the index of")
    parser.add_argument("--documents", type=int, default=1_000, help="of the index that is made")
    parser.add_argument("--times", type=int, nargs="+", default=[1])
    asked = parser.parse_args()
    found = json.loads(asked.output.read_text(encoding="utf-8")) if asked.output.exists() else {}
    if asked.labelled:
        fill(asked.index, asked.labelled, asked.documents)
    for times in asked.times:
        if f"{times} times" not in found:
            found[f"{times} times"] = measure_engines(asked.index, times)
            write_json(asked.output, found)


if __name__ == "__main__":
    main()
