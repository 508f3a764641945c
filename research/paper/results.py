"""Result files: one for each row, so that a killed run can continue, then one for the whole question.

`result.json` has the measures, the models and the data. The first full run writes `expected.json`, and later
runs are compared with it: each row is OK, off or missing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from research.result_file import write_result

from held.system.atomic_write import write_file
from held.system.bounded_json import file_sha256

TOLERANCE = 0.01

OK, OFF, MISSING = "OK", "off", "missing"


def read(path: Path) -> dict[str, Any] | None:
    """The value of a result file; None where there is none."""
    if not path.exists():
        return None
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def write(path: Path, value: Mapping[str, Any]) -> None:
    """Write a result, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_result(path, value)


def write_counts(path: Path, result: Mapping[str, Any]) -> dict[str, Any]:
    """The result without the counts of each document, which are written to a file of their own.

    They are what paired tests need and nobody reads: a line for each row.
    """
    rows = {name: row.get("documents", {}) for name, row in result["rows"].items()}
    lines = [f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items() if row]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, ("{\n" + ",\n".join(lines) + "\n}\n").encode())
    kept = {
        name: {key: value for key, value in row.items() if key != "documents"}
        for name, row in result["rows"].items()
    }
    return {**result, "rows": kept}


def key_of(parts: Mapping[str, Any]) -> str:
    """A short name for what a row was measured with: it is measured again only if that changed."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def file_hash(path: Path) -> str:
    """The hash of a model file; it is read once as long as it does not change."""
    return _file_hash(path, path.stat().st_mtime_ns)


@cache
def _file_hash(path: Path, _changed: int) -> str:
    return file_sha256(path)[:16]


def expectation(result: Mapping[str, Any]) -> dict[str, Any]:
    """The expectation for later runs: the accuracies of a result, and a tolerance."""
    scores = {
        name: {domain: found["accuracy"] for domain, found in row["domains"].items()}
        for name, row in result["rows"].items()
    }
    same = {name: result[name] for name in ("split", "data", "models")}
    return {"tolerance": TOLERANCE, **same, "accuracy": scores}


def is_expected_of(result: Mapping[str, Any], expected: Mapping[str, Any]) -> bool:
    """Whether an expectation was written after the same training on the same data."""
    return all(expected.get(name) == result[name] for name in ("split", "data", "models"))


def verdicts(result: Mapping[str, Any], expected: Mapping[str, Any] | None) -> dict[str, str]:
    """OK, off or missing for each row that is expected; a row that nobody expects yet is OK."""
    wanted: Mapping[str, Any] = {} if expected is None else expected["accuracy"]
    rows = result["rows"]
    found = dict.fromkeys(rows, OK)
    for name, scores in wanted.items():
        if name not in rows:
            found[name] = MISSING
        elif any(_is_off(rows[name], domain, score, expected) for domain, score in scores.items()):
            found[name] = OFF
    return found


def quick_verdicts(
    result: Mapping[str, Any], rows: Sequence[str], least: Mapping[str, float]
) -> dict[str, str]:
    """OK, off or missing for each row of a quick run: it is there, and no worse than `least` says."""
    found = {}
    for name in rows:
        row = result["rows"].get(name)
        if row is None:
            found[name] = MISSING
        else:
            found[name] = OK if _over_all(row) >= least.get(name, 0.0) else OFF
    return found


def _over_all(row: Mapping[str, Any]) -> float:
    """The accuracy of a row over all documents of all domains."""
    counts = [count for domain in row["documents"].values() for count in domain.values()]
    total = sum(count for _, count in counts)
    return sum(right for right, _ in counts) / total if total else 0.0


def _is_off(
    row: Mapping[str, Any], domain: str, score: float | None, expected: Mapping[str, Any] | None
) -> bool:
    measured = row["domains"].get(domain, {}).get("accuracy")
    if measured is None or score is None or expected is None:
        return measured is not score
    return bool(abs(measured - score) > expected["tolerance"])
