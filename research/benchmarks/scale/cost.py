"""What a command costs with all processes that it starts: seconds, CPU seconds, memory.

A cluster on this machine is a dozen processes, some of which nobody waits for: what each has used is read
while it lives. Memory is the proportional share (PSS), for what processes share would else count many times.
"""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from research.benchmarks.reading import process_tree

SECONDS_BETWEEN_LOOKS = 0.1
LOOKS_BETWEEN_WEIGHINGS = 5  # a look at memory walks all pages of a process
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Cost:
    """What a command took, as far as it was seen."""

    seconds: float = 0.0
    megabytes: float = 0.0
    megabytes_by_kind: Mapping[str, float] = field(default_factory=dict)
    ticks: dict[tuple[int, int], int] = field(default_factory=dict)  # of each process, by its id and start
    own_megabytes: list[float] = field(default_factory=list)  # of the command's first process, in time

    @property
    def cpu_seconds(self) -> float:
        """The CPU time of all processes."""
        return sum(self.ticks.values()) / _TICKS

    def to_json(self) -> dict[str, Any]:
        """What is worth keeping."""
        kinds = sorted(self.megabytes_by_kind.items(), key=lambda item: -item[1])
        return {
            "seconds": round(self.seconds, 1),
            "cpu_seconds": round(self.cpu_seconds, 1),
            "most_megabytes": round(self.megabytes),
            "of_these": {kind: round(megabytes) for kind, megabytes in kinds if megabytes >= 1},
        }

    def look(self, root: int, *, weigh: bool) -> None:
        """Sees what the processes of a command have used so far."""
        tree = process_tree(root)
        for pid in tree:
            self._see(pid)
        if weigh:
            self._weigh(tree)

    def _see(self, pid: int) -> None:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return
        user, system, started = int(fields[11]), int(fields[12]), int(fields[19])
        self.ticks[pid, started] = user + system

    def _weigh(self, tree: Sequence[int]) -> None:
        kinds: Counter[str] = Counter()
        for pid in tree:
            kinds[kind_of(pid)] += megabytes_of(pid)  # type: ignore[assignment]
        self.own_megabytes.append(megabytes_of(tree[0]))
        if kinds.total() > self.megabytes:
            self.megabytes, self.megabytes_by_kind = kinds.total(), kinds


def megabytes_of(pid: int) -> float:
    """The proportional share of memory of a process."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)


def kind_of(pid: int) -> str:
    """What a process is, by its command line."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace").split("\0")
    except OSError:
        return "ended"
    line = " ".join(words)
    for part, kind in _KINDS.items():
        if part in line:
            return kind
    return Path(words[0]).name or "ended"


_KINDS = {
    "raylet/raylet": "Ray: node manager",  # its line names the commands of all others
    "ray::IDLE": "Ray: workers without work",
    "ray::held.part": "Ray: workers",
    "Agent": "Ray: agents",
    "ray::": "Ray: other workers",
    "default_worker.py": "Ray: workers that start",
    "gcs_server": "Ray: control store",
    "agent": "Ray: agents",
    "log_monitor": "Ray: log monitor",
    "monitor.py": "Ray: autoscaler",
    "dashboard": "Ray: dashboard",
    "held extract": "the command",
    "held.batch.runner": "children that make trees",
    "held.layout": "children that read",
}
"""What is found in a command line, and what a process is then called; the first that fits counts."""


def cost_of(command: Sequence[str], *, environment: Mapping[str, str] | None = None) -> tuple[Cost, int]:
    """What a command costs, and its exit code; what it says goes to standard error."""
    cost = Cost()
    start = monotonic()
    run = subprocess.Popen(command, env={**os.environ, **(environment or {})})
    looks = 0
    while True:
        cost.look(run.pid, weigh=looks % LOOKS_BETWEEN_WEIGHINGS == 0)
        looks += 1
        try:
            code = run.wait(SECONDS_BETWEEN_LOOKS)
        except subprocess.TimeoutExpired:
            continue
        cost.seconds = monotonic() - start
        return cost, code
