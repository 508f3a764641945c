"""What became of a corpus as it was built, by domain: counts, shares and reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

from held.corpus.labelled import LabelReport

_SHOWN = ("documents", "kept", "dropped", "unusable", "entries", "junk", "aligned", "missing", "unknown")
_SHOWN_SHARES = ("aligned_share", "unknown_share", "pathless_share")
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
    reasons = Counter(row["reason"] for row in rows if row["outcome"] != "kept")
    labelled = [row for row in rows if row["outcome"] != "unusable"]
    counts = {name: sum(row[name] for row in labelled) for name in _COUNTS}
    headings = counts["aligned"] + counts["missing"]
    body = counts["objects"] - counts["unknown"] - counts["aligned"]
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
    shares = [name.replace("_share", " %") for name in _SHOWN_SHARES]
    yield _line("", [*_SHOWN, *shares])
    rows = {**summary["domains"], "all": summary["all"]}
    for domain, row in rows.items():
        counts = [str(row[name]) for name in _SHOWN]
        percents = [_percent(row[name]) for name in _SHOWN_SHARES]
        yield _line(domain, [*counts, *percents])
    for reason, count in summary["all"]["reasons"].items():
        yield f"left out: {count} ({reason})"


def _line(name: str, cells: Sequence[str]) -> str:
    return f"{name:10}" + "".join(f"{cell:>11}" for cell in cells)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.2f}"
