"""Kills of a run on a cluster: a worker, a node, the driver, each at random moments; nothing may be lost.

    python -m research.benchmarks.scale.kills --kills 10 -o research/benchmarks/results/scale-kills.json

Small reports go into a data set on a cluster of two nodes of this machine. A run is disturbed when so many
files of the data set are written, by chance from a seed and never by the clock. What is there then is read by
DuckDB; after a second run all must be there once, as in an undisturbed run, for DuckDB and for pandas. Kinds
of kill that the results have already are not done again: a run that was ended goes on.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from research.benchmarks.reading import process_tree
from research.benchmarks.scale.cost import kind_of
from research.benchmarks.scale.many import write_documents

from held.dataset.rows import COLUMNS
from held.system.bounded_json import write_json

DOCUMENTS = 32
WORKERS = 2
SECONDS_BETWEEN_LOOKS = 0.005
NICENESS = "RAY_worker_niceness"  # of the workers of a node
NODE = {"num_cpus": 1, "object_store_memory": 80 << 20}
# What a row is called in its table, beside its document.
NUMBERS = {"documents": "source", "sections": "section", "chunks": "chunk", "tables": '"table"'}
Rows = dict[str, list[tuple[Any, ...]]]


def read(data_set: Path) -> Rows:
    """The names of all rows whose documents are there, by table; an error if a file cannot be read."""
    import duckdb

    found: Rows = {}
    documents = f"read_parquet('{data_set}/documents/*.parquet')"
    for table in COLUMNS:
        if not list((data_set / "documents").glob("*.parquet")):
            found[table] = []
            continue
        found[table] = duckdb.sql(
            f"SELECT document, {NUMBERS[table]} FROM read_parquet('{data_set}/{table}/*.parquet') "
            f"WHERE document IN (SELECT document FROM {documents}) ORDER BY ALL"
        ).fetchall()
    return found


def harm_so_far(rows: Rows, expected: Rows) -> str | None:
    """What is doubled, or is there in part, while the data set is not done."""
    there = {document for document, _ in rows["documents"]}
    for table, own in expected.items():
        if rows[table] != [row for row in own if row[0] in there]:
            return f"{table} of {len(there)} documents are not what they should be"
    return None


def harm_at_the_end(data_set: Path, expected: Rows) -> str | None:
    """What is lost or doubled when a second run has done the rest."""
    import pandas

    for table, rows in read(data_set).items():
        if rows != expected[table]:
            return f"{len(rows)} rows of {table}, not {len(expected[table])}, or others"
        if len(pandas.read_parquet(data_set / table)) != len(rows):
            return f"pandas reads other rows of {table}"
    return None


def command(source: Path, output: Path, address: str) -> list[str]:
    """A run on the cluster."""
    held = [sys.executable, "-m", "held", "extract", str(source), "--format", "parquet", "--quiet"]
    return [*held, "--on", "ray", "--address", address, "--jobs", str(WORKERS), "-o", str(output), "--resume"]


def files_in(output: Path) -> int:
    """How many files of the data set are written."""
    return sum(1 for _ in output.glob("*/*.parquet"))


def disturb_run(run: subprocess.Popen[bytes], output: Path, files: int, kill: Callable[[], bool]) -> bool:
    """Whether something was killed when so many files were there, before the run was done."""
    while run.poll() is None:
        if files_in(output) >= files and kill():
            return True
        time.sleep(SECONDS_BETWEEN_LOOKS)
    return False


def kill_a_worker(chance: random.Random) -> bool:
    """Whether there was a worker, which is no more."""
    workers = [pid for pid in process_tree(os.getpid()) if kind_of(pid) == "Ray: workers"]
    if workers:
        os.kill(chance.choice(workers), signal.SIGKILL)
    return bool(workers)


def second_node(cluster: Any) -> Any:
    """The node beside the head, a fresh one where it was killed."""
    if not cluster.worker_nodes:
        cluster.add_node(**NODE)
        cluster.wait_for_nodes()
    (node,) = cluster.worker_nodes
    return node


def rounds(
    kind: str, source: Path, folder: Path, *, begun: int, expected: Rows, cluster: Any
) -> Iterator[str | None]:
    """What was wrong after each kill and the run that followed it, None for nothing; without an end."""
    chance = random.Random(f"{kind} {begun}")
    files = files_in(folder / "undisturbed")
    while True:
        output = folder / f"{kind}-{len(list(folder.iterdir()))}"
        node = second_node(cluster)
        run = subprocess.Popen(command(source, output, cluster.address))

        def kill(run: subprocess.Popen[bytes] = run, node: Any = node) -> bool:
            if kind == "worker":
                return kill_a_worker(chance)
            if kind == "node":
                cluster.remove_node(node, allow_graceful=False)
            else:
                run.kill()
            return True

        moment = chance.randrange(files)
        happened = disturb_run(run, output, moment, kill)
        code = run.wait()
        if happened:
            yield wrong_after(kind, code, source, output, expected, cluster.address)


def wrong_after(kind: str, code: int, source: Path, output: Path, expected: Rows, address: str) -> str | None:
    """What is wrong after a kill, then after a second run."""
    wanted = -signal.SIGKILL if kind == "driver" else 0
    if code != wanted:
        return f"the disturbed run ended with {code}"
    wrong = harm_so_far(read(output), expected)
    if wrong:
        return wrong
    again = subprocess.run(command(source, output, address), capture_output=True, text=True)
    if again.returncode:
        return f"cannot be finished: {again.stderr.strip()}"
    return harm_at_the_end(output, expected)


def main() -> None:
    """Kills each kind so many times and writes what was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=10, help="of each kind")
    parser.add_argument("-o", "--output", type=Path, required=True)
    asked = parser.parse_args()
    found = json.loads(asked.output.read_text(encoding="utf-8")) if asked.output.exists() else {}

    os.environ[NICENESS] = "0"  # else they would starve beside whatever else is busy
    from ray.cluster_utils import Cluster

    with tempfile.TemporaryDirectory(prefix="held-bench-") as place:
        folder = Path(place)
        (folder / "in").mkdir()
        source = write_documents(folder / "in", DOCUMENTS)
        cluster = Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
        try:
            undisturbed = folder / "undisturbed"
            subprocess.run(command(source, undisturbed, cluster.address), check=True)
            expected = read(undisturbed)
            for kind in ("worker", "node", "driver"):
                own = found.setdefault(kind, {"kills": 0, "wrong": []})
                told = rounds(kind, source, folder, begun=own["kills"], expected=expected, cluster=cluster)
                for wrong in islice(told, asked.kills - own["kills"]):
                    own["kills"] += 1
                    own["wrong"] += [wrong] if wrong else []
                    write_json(asked.output, found)
                    print(f"{kind}: {own['kills']}{': ' + wrong if wrong else ''}", file=sys.stderr)
        finally:
            cluster.shutdown()
    sys.exit(any(kind["wrong"] for kind in found.values()))


if __name__ == "__main__":
    main()
