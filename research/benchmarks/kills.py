"""Kills long work again and again, and looks whether anything was lost, doubled or torn.

    python -m research.benchmarks.kills --kills 200 -o kills.json

A batch, an index and a corpus are made of small reports, and a small network is trained on them; each run
is killed after so many changes of what it has written, seen in its folder and never by the clock, then looked
at, and started again. Work that gets done must be what an undisturbed run makes. Every number of changes
comes from a seed. Kinds of work that the results have already are not done again.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from research.arguments import make_parser
from research.result_file import result_text, write_result

from tests.bookmarked import Heading, write_bookmarked

REPORTS = 6
MOST_CHANGES = 9  # seen in a folder before a run is killed
SECONDS_BETWEEN_LOOKS = 0.002
TITLES = ("Harbours", "Ships", "Trains", "Markets")


@dataclass(frozen=True, slots=True)
class Work:
    """Something that can be killed: its command, what it has made so far, and what its last run may leave."""

    name: str
    arguments: Callable[[Path, Path], list[str]]
    made: Callable[[Path], Mapping[str, Any]]


def write_reports(folder: Path, count: int = REPORTS) -> Path:
    """A folder of small bookmarked PDFs, no two alike."""
    for number in range(count):
        headings = [
            Heading(0, f"{place} {title} of {number}", about=f"of {number}")
            for place, title in enumerate(TITLES, start=1)
        ]
        write_bookmarked(folder / f"report-{number}.pdf", headings)
    return folder


def _files(out: Path, pattern: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(out.glob(pattern))}


def _documents(out: Path) -> dict[str, Any]:
    """The documents of an index: what is in it of each, which is read as a search reads it."""
    from held.errors import InputError
    from held.retrieval.sqlite_engine import SQLiteEngine

    if not (out / "index").exists():
        return {}
    try:
        store = SQLiteEngine.open(out / "index")
    except InputError as refusal:
        if "is empty" in str(refusal):  # killed before or in its first commit
            return {}
        raise
    with store:
        sources = store.sources()
        assert len({source.path for source in sources}) == len(sources), "a document is in the index twice"
        for source in sources:
            store.entry(source.id)  # what is torn cannot be unpacked
        rows = store.query("SELECT source, digest, content FROM documents")
        return {Path(path).name: (digest, content) for path, digest, content in rows}


BATCH = Work(
    "batch",
    lambda source, out: ["extract", str(source), "-o", str(out), "--resume", "--jobs", "2"],
    lambda out: _files(out, "*.json"),
)
INDEX = Work(
    "index",
    lambda source, out: ["index", str(source), "-o", str(out / "index"), "--jobs", "2"],
    _documents,
)
CORPUS = Work(
    "corpus build",
    lambda source, out: ["corpus", "build", str(source), "-o", str(out), "--jobs", "2"],
    lambda out: _files(out, "*.held.json.xz"),
)
# As small as networks get: what matters is that a checkpoint is written after every third batch.
_SMALL = (
    "text_size=8",
    "batch_size=8",
    "epochs=3",
    "evaluate_every=9",
    "checkpoint_every=3",
    "log_every=1",
    "embedding_size=4",
    "characters=50",
    "text_length=12",
    "sequence_size=12",
    "format_size=4",
    "hidden_size=8",
    "chunk=4",
)
TRAINING = Work(
    "training",
    lambda source, out: [
        "train",
        "put-or-skip",
        "--preset",
        "paper",
        "--data",
        str(labelled_reports(source)),
        "-o",
        str(out / "model.held"),
        "--checkpoints",
        str(out),
        *(word for setting in _SMALL for word in ("--set", setting)),
    ],
    lambda out: _files(out, "*.held"),
)
ALL = (BATCH, INDEX, CORPUS, TRAINING)


def labelled_reports(source: Path) -> Path:
    """The labelled documents of the reports, made where they are not there yet."""
    folder = source.with_name(f"{source.name}-labelled")
    if not folder.exists():
        build = ["corpus", "build", str(source), "-o", str(folder)]
        subprocess.run(_command(build), check=True, capture_output=True)
    return folder


def killed_rounds(
    work: Work, source: Path, folder: Path, *, kills: int, seed: int, most_changes: int = MOST_CHANGES
) -> Iterator[str | None]:
    """What was wrong after each kill, None for nothing; work that gets done is compared and begun anew."""
    chance = random.Random(f"{work.name} {seed}")
    expected = _run_undisturbed(work, source, folder / "undisturbed")
    rounds = count = 0
    while count < kills:
        out = folder / f"round-{rounds}"
        out.mkdir()
        rounds += 1
        while count < kills:
            changes = chance.randint(1, most_changes)
            if not _kill_run(work.arguments(source, out), out, changes):
                break
            count += 1
            yield _harm(work.made(out), expected)
        wrong = _finish_work(work, source, out, expected)
        if wrong:
            yield wrong


def _run_undisturbed(work: Work, source: Path, out: Path) -> Mapping[str, Any]:
    out.mkdir()
    subprocess.run(_command(work.arguments(source, out)), check=True, capture_output=True)
    return work.made(out)


def _command(arguments: list[str]) -> list[str]:
    return [sys.executable, "-m", "held", *arguments]


def _kill_run(arguments: list[str], out: Path, changes: int) -> bool:
    """Whether a run was killed after so many changes in its folder; else it was done before."""
    run = subprocess.Popen(_command(arguments), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seen = _state(out)
    while run.poll() is None:
        now = _state(out)
        changes -= now != seen
        seen = now
        if changes <= 0:
            run.send_signal(signal.SIGKILL)
            run.wait()
            return True
        time.sleep(SECONDS_BETWEEN_LOOKS)
    return False


def _state(out: Path) -> list[tuple[str, int]]:
    """What stands in a folder: the names and sizes of its files, drafts too."""
    with os.scandir(out) as entries:
        return sorted((entry.name, _size(entry)) for entry in entries)


def _size(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat().st_size
    except FileNotFoundError:  # a draft that has just become a result
        return -1


def _harm(made: Mapping[str, Any], expected: Mapping[str, Any]) -> str | None:
    """What is torn among that which was made so far."""
    torn = [name for name, content in made.items() if expected.get(name) != content]
    return f"torn: {', '.join(torn)}" if torn else None


def _finish_work(work: Work, source: Path, out: Path, expected: Mapping[str, Any]) -> str | None:
    """What is wrong with the work when one more run has done the rest."""
    last = subprocess.run(_command(work.arguments(source, out)), capture_output=True, text=True)
    if last.returncode:
        return f"cannot be finished: {last.stderr.strip()}"
    made = work.made(out)
    if made.keys() != expected.keys():
        return f"lost or doubled: {sorted(made.keys() ^ expected.keys())}"
    drafts = [path.name for path in out.glob(".held-*.part")]
    return f"drafts stay: {drafts}" if drafts else _harm(made, expected)


def main() -> None:
    """Kills each kind of work its share of times and writes what was wrong."""
    parser = make_parser(__doc__)
    parser.add_argument("--kills", type=int, default=200, help="in all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="+", choices=[work.name for work in ALL], help="these kinds of work")
    parser.add_argument("-o", "--output", type=Path, help="where the counts go as JSON")
    asked = parser.parse_args()
    wanted = [work for work in ALL if not asked.only or work.name in asked.only]
    share = -(-asked.kills // len(wanted))
    found: dict[str, Any] = {}
    if asked.output and asked.output.exists():
        found = json.loads(asked.output.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="held-kills-") as folder:
        source = write_reports(Path(folder, "reports"))
        for work in wanted:
            if found.get(work.name, {}).get("kills", 0) >= share:
                continue
            place = Path(folder, work.name)
            place.mkdir()
            told = list(
                _count_rounds(killed_rounds(work, source, place, kills=share, seed=asked.seed), work.name)
            )
            found[work.name] = {"kills": share, "wrong": [wrong for wrong in told if wrong]}
            if asked.output:
                write_result(asked.output, found)
    print(result_text(found))
    sys.exit(any(kind["wrong"] for kind in found.values()))


def _count_rounds(told: Iterator[str | None], name: str) -> Iterator[str | None]:
    for count, wrong in enumerate(told, 1):
        print(f"{name}: {count}{': ' + wrong if wrong else ''}", file=sys.stderr)
        yield wrong


if __name__ == "__main__":
    main()
