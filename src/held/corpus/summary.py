"""What became of a corpus as it was built, by domain: counts, shares and reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

from held.corpus.labelled import LabelReport

_COUNTS = ("pages", "objects", "pathless", *(field.name for field in fields(LabelReport)))


def summarise(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The summary of a build's rows: for each domain and for all."""
    domains = sorted({row.get("domain") or "" for row in rows if row["outcome"] != "unusable"})
    by_domain = {}
    for domain in domains:
        by_domain[domain] = _summary([row for row in rows if row.get("domain") == domain])
    return {
        "all": _summary(rows),
        "domains": by_domain,
        "dropped": _reasons(rows, "dropped"),
        "unusable": _reasons(rows, "unusable"),
    }


def _reasons(rows: Sequence[dict[str, Any]], outcome: str) -> dict[str, str]:
    """Why each document came to an outcome."""
    return {row["id"]: row["reason"] for row in rows if row["outcome"] == outcome}


def _summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    outcomes = Counter(row["outcome"] for row in rows)
    labelled = [row for row in rows if row["outcome"] != "unusable"]
    counts = {name: sum(row[name] for row in labelled) for name in _COUNTS}
    headings = counts["aligned"] + counts["missing"]
    body = counts["objects"] - counts["unknown"] - counts["aligned"]
    reasons = Counter(row["reason"] for row in rows if row["outcome"] != "kept")
    return {
        "documents": len(rows),
        "kept": outcomes["kept"],
        "dropped": outcomes["dropped"],
        "unusable": outcomes["unusable"],
        **counts,
        "aligned_share": _share(counts["aligned"], headings),
        "unknown_share": _share(counts["unknown"], counts["objects"]),
        "pathless_share": _share(counts["pathless"], body),
        "reasons": dict(reasons.most_common()),
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def summary_lines(summary: dict[str, Any]) -> Iterator[str]:
    """The summary as lines to read."""
    names = ("documents", "kept", "dropped", "unusable", "entries", "junk", "aligned", "missing", "unknown")
    shares = ("aligned_share", "unknown_share", "pathless_share")
    columns = (*names, *(name.replace("_share", " %") for name in shares))
    yield f"{'':10}" + "".join(f"{name:>11}" for name in columns)
    for domain, row in [*summary["domains"].items(), ("all", summary["all"])]:
        values = "".join(f"{row[name]:>11}" for name in names)
        yield f"{domain:10}" + values + "".join(f"{_percent(row[name]):>11}" for name in shares)
    for reason, count in summary["all"]["reasons"].items():
        yield f"left out: {count} ({reason})"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.2f}"
