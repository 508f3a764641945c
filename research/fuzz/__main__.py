"""`python -m research.fuzz --seeds 10000`: broken files through all that `held` does, resumable by seed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from research.arguments import make_parser
from research.fuzz.smaller import smaller
from research.fuzz.trial import KINDS, SECONDS, check_call
from research.result_file import report_result

from held.system.worker_pool import Answer, run_requests
from held.system.worker_process import WorkerLost, WorkerSpec

SERVE = "research.fuzz.trial:serve"
SECONDS_WITH_COMMANDS = 200 * SECONDS  # of the clock, for a machine that others keep busy


def main() -> None:
    """Try all seeds that the results do not have yet; the exit code is 1 if there is a finding."""
    parser = make_parser(__doc__)
    parser.add_argument("--kind", choices=KINDS, default="pdf", help="what is broken")
    parser.add_argument("--seeds", type=int, default=100, help="how many files")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--commands-every", type=int, default=20, help="which seeds go through all commands")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--results", type=Path, help="a line for each seed; those that are there are not run again"
    )
    parser.add_argument("-o", "--output", type=Path, help="where the numbers of all rows go, as JSON")
    parser.add_argument("--findings", type=Path, help="a folder for the files that something is wrong with")
    arguments = parser.parse_args()
    done = _done(arguments.results)
    seeds = [seed for seed in range(arguments.first, arguments.first + arguments.seeds) if seed not in done]
    rows = list(done.values())
    for row in _run_seeds(arguments.kind, seeds, arguments.commands_every, arguments.jobs):
        rows.append(row)
        if arguments.results:
            with arguments.results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
        for finding in row["found"]:
            print(f"seed {row['seed']}: {finding}", flush=True)
        if row["found"] and arguments.findings:
            _keep(arguments.kind, row["seed"], row["found"][0], arguments.findings)
    report_result({"kind": arguments.kind, **summary(rows)}, arguments.output)
    sys.exit(any(row["found"] for row in rows))


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The rows in numbers."""
    return {
        "files": len(rows),
        "read": sum(row["read"] for row in rows),
        "through all commands": sum(row["commands"] for row in rows),
        "findings": sum(bool(row["found"]) for row in rows),
        "most seconds": max((row["seconds"] for row in rows), default=0),
        "most megabytes": max((row["megabytes"] for row in rows), default=0),
    }


def _done(results: Path | None) -> dict[int, dict[str, Any]]:
    """The rows of an earlier run, by seed."""
    if results is None or not results.exists():
        return {}
    rows = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    return {row["seed"]: row for row in rows}


def _run_seeds(kind: str, seeds: list[int], commands_every: int, jobs: int) -> Iterator[dict[str, Any]]:
    """A row for each seed, in the order in which they are done."""
    requests = [(kind, seed, bool(commands_every) and seed % commands_every == 0) for seed in seeds]
    program = WorkerSpec(SERVE, group=True)
    for index, event in run_requests(program, requests, jobs=jobs, seconds=SECONDS_WITH_COMMANDS):
        _, seed, commands = requests[index]
        row: dict[str, Any] = {"seed": seed, "commands": commands}
        if isinstance(event, Answer):
            _, read, found, seconds, megabytes = event.value
            yield row | {"read": read, "found": found, "seconds": seconds, "megabytes": megabytes}
        elif isinstance(event, WorkerLost):
            found = [f"{type(event).__name__}: {event}"]
            yield row | {"read": False, "found": found, "seconds": 0.0, "megabytes": 0}


def _keep(kind: str, seed: int, finding: str, folder: Path) -> None:
    """Writes a seed's file, cut down where the library alone shows what is wrong with it."""
    import held

    def fails(content: bytes) -> bool:
        found: list[str] = []
        check_call("extract", lambda: held.extract(content, jobs=1), found)
        return found[:1] == [finding]

    content = KINDS[kind].mutant(seed)
    folder.mkdir(parents=True, exist_ok=True)
    cut = smaller(content, fails) if kind == "pdf" and fails(content) else content
    suffix = Path(KINDS[kind].file).suffix
    (folder / f"{kind}-{seed}{suffix}").write_bytes(cut)


if __name__ == "__main__":
    main()
