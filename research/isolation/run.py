"""Measures heading isolation on the train and valid documents of the corpus, by domain.

    python -m research.isolation.run --corpus $HELD_CORPUS --sample 10

`--pdfs` reads the originals in the corpus' `pdfs` folder anew, where they are, with their own bookmarks.
The table goes to stdout, progress to stderr. `-o` writes the counts alone, without a word of the
documents; `--misses` writes every miss with its text, for working through them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from research.isolation.measure import Isolation, isolation
from research.isolation.report import print_report, summary
from research.result_file import write_result

DOMAINS = ("zh_fin", "en_fin", "science", "manuals", "word", "reports", "books", "made")
_SEED = 7


@dataclass(frozen=True, slots=True)
class Job:
    """A document to measure."""

    id: str
    domain: str
    suspect: bool
    path: Path


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a job: counts, or the error that stopped it."""

    job: Job
    isolation: Isolation
    error: str | None = None


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    options = _parser().parse_args(arguments)
    jobs = list(choose(options.corpus, options.domain or DOMAINS, options.sample, options.doc or ()))
    if options.pdfs:
        jobs = originals(jobs, options.corpus)
    if not jobs:
        print("isolation: no train or valid document matches", file=sys.stderr)
        return 1
    outcomes = sorted(run(jobs, options.jobs), key=lambda outcome: outcome.job.id)
    print_report(outcomes, worst=options.worst, examples=options.examples)
    if options.output:
        write_result(options.output, summary(outcomes))
    if options.misses:
        _write_misses(options.misses, outcomes)
    return 0


def choose(corpus: Path, domains: Sequence[str], sample: int | None, ids: Sequence[str]) -> Iterator[Job]:
    """The train and valid documents to measure: all, a seeded sample of each domain, or the ones named."""
    with (corpus / "index.jsonl").open(encoding="utf-8") as lines:
        rows = sorted((json.loads(line) for line in lines), key=lambda row: str(row["id"]))
    rows = [row for row in rows if row["split"] in ("train", "valid")]
    for domain in domains:
        chosen = [row for row in rows if row["domain"] == domain and (not ids or row["id"] in ids)]
        if sample is not None and sample < len(chosen):
            chosen = random.Random(_SEED).sample(chosen, sample)
        for row in chosen:
            path = corpus / "docs" / f"{row['id']}.json.xz"
            yield Job(row["id"], domain, bool(row.get("suspect")), path)


def originals(jobs: Sequence[Job], corpus: Path) -> list[Job]:
    """The jobs whose original is at hand, to be read from the PDF itself."""
    found = [replace(job, path=corpus / "pdfs" / f"{job.id}.pdf") for job in jobs]
    return [job for job in found if job.path.exists()]


def run(jobs: Sequence[Job], processes: int) -> Iterator[Outcome]:
    """The outcome of each job, as they get done."""
    with ProcessPoolExecutor(processes) as pool:
        pending = [pool.submit(measure, job) for job in jobs]
        for done, future in enumerate(as_completed(pending), start=1):
            outcome = future.result()
            _tell(done, len(jobs), outcome.job.id)
            yield outcome


def _tell(done: int, total: int, document: str) -> None:
    if sys.stderr.isatty():
        print(
            f"\r{done}/{total} {document:24}", end="\n" if done == total else "", file=sys.stderr, flush=True
        )
    elif done == total or done % 50 == 0:
        print(f"{done}/{total} documents", file=sys.stderr, flush=True)


def measure(job: Job) -> Outcome:
    """The outcome of one job; a document that fails is told, and does not stop the others."""
    from held.corpus.sources import read_corpus_document
    from held.layout.recognise import recognise
    from held.layout.rotated_text import apply_rotation
    from held.reading.read_pdf import read_pdf

    read = read_pdf if job.path.suffix == ".pdf" else read_corpus_document
    try:
        pages = apply_rotation(read(job.path))
        return Outcome(job, isolation(pages, recognise(pages)))
    except Exception as error:
        return Outcome(job, Isolation(), f"{type(error).__name__}: {error}")


def _write_misses(path: Path, outcomes: Sequence[Outcome]) -> None:
    with path.open("w", encoding="utf-8") as lines:
        for outcome in outcomes:
            for miss in outcome.isolation.misses:
                row = {"id": outcome.job.id, "domain": outcome.job.domain} | asdict(miss)
                lines.write(json.dumps(row, ensure_ascii=False) + "\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="research.isolation.run", description=__doc__.splitlines()[0])
    corpus = os.environ.get("HELD_CORPUS")
    parser.add_argument("--corpus", type=Path, default=corpus, required=corpus is None)
    parser.add_argument("--domain", action="append", choices=DOMAINS, help="only this one; repeatable")
    parser.add_argument("--sample", type=int, metavar="N", help="N documents of each domain, always the same")
    parser.add_argument("--doc", action="append", metavar="ID", help="only this document; repeatable")
    parser.add_argument("--pdfs", action="store_true", help="read the originals that the corpus has")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="worker processes (2)")
    parser.add_argument("--worst", type=int, default=10, metavar="N", help="worst documents to show (10)")
    parser.add_argument("--examples", type=int, default=5, metavar="N", help="examples of each category (5)")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the counts as JSON")
    parser.add_argument("--misses", type=Path, metavar="FILE", help="write every miss as a line of JSON")
    return parser


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # whoever reads may stop early, as `head` does
    sys.exit(main())
