"""Results under load: clients that download the result of a long document again and again.

    python -m research.benchmarks.load -o research/benchmarks/results/load.json [--before WORKTREE]

Several clients, in processes apart from the server, ask for results for some seconds. Counted are results a
second, the time that each took, the server's memory at its height, and its CPU time. On a machine that others
keep busy the first two say little, so the results a CPU second are told, too. With `--before`, the code of
another working tree is measured by turns with this one.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from research.benchmarks.serve import memory_of, write_report

from held.system.bounded_json import write_json
from tests.serve.conftest import Served, serving

PAGES = 96
CLIENTS = 20
FORMATS = ("json", "markdown", "outline")
TICKS = os.sysconf("SC_CLK_TCK")  # of a second, in /proc/PID/stat
# What a client does: a process of its own, so that the clients' Python does not slow the server's.
CLIENT = """
import http.client, json, sys, time
host, port, path, token, seconds, connections = json.loads(sys.argv[1])
import threading
times, codes, lock = [], {}, threading.Lock()
def ask():
    connection = http.client.HTTPConnection(host, port)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        start = time.monotonic()
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        answer.read()
        with lock:
            times.append(time.monotonic() - start)
            codes[answer.status] = codes.get(answer.status, 0) + 1
threads = [threading.Thread(target=ask) for _ in range(connections)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(json.dumps([times, codes]))
"""


def cpu_seconds(process: int) -> float:
    """What a process has computed, without its children."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    user, system = int(fields[11]), int(fields[12])
    return (user + system) / TICKS


@contextmanager
def code_of(tree: Path | None) -> Iterator[None]:
    """Servers that are started meanwhile run the code of another working tree."""
    before = os.environ.get("PYTHONPATH")
    if tree is not None:
        os.environ["PYTHONPATH"] = str(tree / "src")
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("PYTHONPATH", None)
        else:
            os.environ["PYTHONPATH"] = before


def measure(folder: Path, report: Path, *, seconds: float, tree: Path | None) -> dict[str, Any]:
    """What a fresh server does for the clients, format by format."""
    with code_of(tree), serving(folder) as served:
        id = served.settled(served.post(report)["id"])["id"]
        found: dict[str, Any] = {}
        most = 0.0
        for name in FORMATS:
            path = f"/v1/jobs/{id}/result?format={name}"
            size = len(served.client.get(path).content)  # made once, as by the first client
            found[name] = {"bytes": size, **_download(served, path, seconds)}
            most = max(most, found[name].pop("megabytes"))
    return {**found, "most megabytes of the server": round(most, 1)}


def _download(served: Served, path: str, seconds: float) -> dict[str, Any]:
    address = served.client.base_url
    token = served.client.headers.get("Authorization", "").removeprefix("Bearer ")
    each = CLIENTS // 2
    words = json.dumps([address.host, address.port, path, token, seconds, each])
    start = cpu_seconds(served.process.pid)
    begun = time.monotonic()
    command = [sys.executable, "-c", CLIENT, words]
    most = 0.0
    times: list[float] = []
    codes: Counter[str] = Counter()
    with ExitStack() as files:
        # Answers go to files: a full pipe, of some 3,000 results, would keep its client waiting.
        answers = [files.enter_context(tempfile.TemporaryFile("w+")) for _ in range(2)]
        clients = [subprocess.Popen(command, stdout=answer) for answer in answers]
        while any(client.poll() is None for client in clients):
            most = max(most, memory_of(served.process.pid))
            time.sleep(0.2)
        took = time.monotonic() - begun
        computed = cpu_seconds(served.process.pid) - start
        for answer in answers:
            answer.seek(0)
            own_times, own_codes = json.load(answer)
            times += own_times
            codes.update(own_codes)
    return {
        "results": len(times),
        "codes": dict(codes),
        "results a second": round(len(times) / took, 1),
        "results a CPU second of the server": round(len(times) / computed, 1),
        "milliseconds": _spread(times),
        "megabytes": most,
    }


def _spread(times: list[float]) -> Mapping[str, float]:
    cuts = statistics.quantiles([1000 * value for value in times], n=100)
    return {"median": round(cuts[49], 1), "p99": round(cuts[98], 1)}


def main() -> None:
    """Measures by turns, and writes the figures of every round."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--before", type=Path, help="a working tree with the code to compare with")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each format")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("-o", "--output", type=Path, required=True)
    asked = parser.parse_args()
    trees = {"now": None} if asked.before is None else {"before": asked.before.resolve(), "now": None}
    rounds: dict[str, list[dict[str, Any]]] = {name: [] for name in trees}
    with tempfile.TemporaryDirectory() as folder:
        report = write_report(Path(folder, "report.pdf"), PAGES)
        for number in range(asked.rounds):
            for name, tree in trees.items():
                work = Path(folder, f"{name}-{number}")
                rounds[name].append(measure(work, report, seconds=asked.seconds, tree=tree))
                print(name, json.dumps(rounds[name][-1]), file=sys.stderr, flush=True)
    setting = {"pages": PAGES, "clients": CLIENTS, "load of the machine": round(os.getloadavg()[0], 1)}
    write_json(asked.output, {**setting, **rounds})


if __name__ == "__main__":
    main()
