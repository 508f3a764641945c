"""Statistics of a labelled corpus: the paper's dataset analysis (Figures 2, 6 and 7), and build summaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from itertools import zip_longest
from statistics import quantiles
from typing import Any

from held.corpus.store import LabelledDocument
from held.hierarchy.matching.nodes import LabelReport
from held.metrics import Label
from held.numbering import NO_PATTERN, PATTERNS, parse_number, pattern_id

ALL = "all"
# Bins of objects per document. They grow, because few documents are long.
_OBJECT_BOUNDS = (0, 50, 100, 200, 400, 700, 1000, 1500, 2000, 3000, 4000, 6000, 10_000)


@dataclass(slots=True)
class _Counts:
    """The counts of one domain, added up document by document."""

    objects: list[int] = field(default_factory=list)
    pages: int = 0
    unknown: int = 0
    depths: Counter[int] = field(default_factory=Counter)
    headings: list[Counter[int]] = field(default_factory=list)  # of each document: by level
    patterns: dict[int, Counter[int]] = field(default_factory=dict)

    def add(self, labelled: LabelledDocument) -> None:
        levels: Counter[int] = Counter()
        for level, title in _headings(labelled):
            levels[level] += 1
            number = parse_number(title)
            self.patterns.setdefault(level, Counter())[pattern_id(number)] += 1
        self.objects.append(len(labelled.labels))
        self.pages += len(labelled.document.pages)
        self.unknown += labelled.labels.count(Label.UNKNOWN)
        self.headings.append(levels)
        self.depths[max(levels, default=0)] += 1


def statistics_of(documents: Iterable[LabelledDocument]) -> dict[str, Any]:
    """The statistics of labelled documents, for all and for each domain, as JSON values."""
    counts_by_domain: dict[str, _Counts] = {ALL: _Counts()}
    for labelled in documents:
        counts_by_domain[ALL].add(labelled)
        counts_by_domain.setdefault(labelled.domain or "no domain", _Counts()).add(labelled)
    domains = sorted(name for name in counts_by_domain if name != ALL)
    # An example such as "1.2" for each pattern id, so that the file can be read without this code.
    examples = {str(NO_PATTERN): "none"}
    for pattern in PATTERNS:
        examples[str(pattern.id)] = pattern.example
    return {
        "format": "held.statistics",
        "version": 1,
        "patterns": examples,
        "corpora": {name: _statistics(counts_by_domain[name]) for name in [ALL, *domains]},
    }


def _headings(labelled: LabelledDocument) -> Iterator[tuple[int, str]]:
    """The level and title of each heading, including those that are no object."""
    levels = labelled.levels()
    for index in labelled.headings:
        yield levels[index], labelled.document.objects[index].text
    # The levels of missing headings come after those of the objects.
    for index, missing in enumerate(labelled.missing, start=len(labelled.labels)):
        yield levels[index], missing.title


def _statistics(counts: _Counts) -> dict[str, Any]:
    deepest = max(counts.depths, default=0)
    by_level: dict[str, int] = {}
    spread_by_level: dict[str, dict[str, float]] = {}
    patterns_by_level: dict[str, dict[str, int]] = {}
    for level in range(1, deepest + 1):
        # Only documents that are deep enough: the others would add zeros to the spread.
        deep_enough = [levels for levels in counts.headings if max(levels, default=0) >= level]
        headings_per_document = [levels[level] for levels in deep_enough]
        patterns = sorted(counts.patterns[level].items())
        name = str(level)
        by_level[name] = sum(headings_per_document)
        spread_by_level[name] = _spread(headings_per_document)
        patterns_by_level[name] = {str(pattern): count for pattern, count in patterns}
    return {
        "documents": len(counts.objects),
        "pages": counts.pages,
        "objects": sum(counts.objects),
        "unknown": counts.unknown,
        "headings": sum(levels.total() for levels in counts.headings),
        "objects_per_document": _spread(counts.objects) | {"histogram": _histogram(counts.objects)},
        "documents_by_depth": {str(depth): counts.depths[depth] for depth in sorted(counts.depths)},
        "headings_by_level": by_level,
        "headings_per_document_by_level": spread_by_level,
        "patterns_by_level": patterns_by_level,
    }


def _spread(values: Sequence[int]) -> dict[str, float]:
    """Minimum, quartiles, maximum and mean."""
    if not values:
        return {}
    at_least_two = values if len(values) > 1 else [*values, *values]  # `quantiles` refuses a single value
    lower, median, upper = quantiles(at_least_two, n=4, method="inclusive")
    return {
        "least": min(values),
        "lower_quartile": lower,
        "median": median,
        "upper_quartile": upper,
        "most": max(values),
        "mean": round(sum(values) / len(values), 2),
    }


def _histogram(values: Sequence[int]) -> list[dict[str, int | None]]:
    """The number of values from each bound to the next; the last bin has no upper bound."""
    bins: list[dict[str, int | None]] = []
    for low, high in zip_longest(_OBJECT_BOUNDS, _OBJECT_BOUNDS[1:]):
        above = sum(value >= low for value in values)
        above_bin = 0 if high is None else sum(value >= high for value in values)
        bins.append({"from": low, "to": high, "documents": above - above_bin})
    return bins


def statistics_lines(statistics: dict[str, Any]) -> Iterator[str]:
    """The statistics as a table with a line for all documents and for each domain."""
    columns = ("documents", "objects", "headings", "unknown")
    yield _line("", [*columns, "deepest", "median"])
    for name, values in statistics["corpora"].items():
        deepest = max(map(int, values["headings_by_level"]), default=0)
        median = values["objects_per_document"].get("median", 0)
        counts = [f"{values[column]:,}" for column in columns]
        yield _line(name, [*counts, str(deepest), f"{median:,.0f}"])


_SHOWN = ("documents", "kept", "dropped", "unusable", "entries", "junk", "aligned", "missing", "unknown")
_SHOWN_SHARES = ("aligned_share", "unknown_share", "pathless_share")
_COUNTS = ("pages", "objects", "pathless", *(field.name for field in fields(LabelReport)))


def summarise(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The summary of a build's rows, for all documents and for each domain."""
    usable = [row for row in rows if row["outcome"] != "unusable"]
    domains = {row.get("domain") or "" for row in usable}
    by_domain = {}
    for domain in sorted(domains):
        rows_of_domain = [row for row in rows if row.get("domain") == domain]
        by_domain[domain] = _summary(rows_of_domain)
    return {
        "all": _summary(rows),
        "domains": by_domain,
        "dropped": _reasons(rows, "dropped"),
        "unusable": _reasons(rows, "unusable"),
    }


def _reasons(rows: Sequence[dict[str, Any]], outcome: str) -> dict[str, str]:
    """The reasons why documents have this outcome, by id."""
    return {row["id"]: row["reason"] for row in rows if row["outcome"] == outcome}


def _summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    outcomes = Counter(row["outcome"] for row in rows)
    reasons = Counter(row["reason"] for row in rows if row["outcome"] != "kept")
    labelled = [row for row in rows if row["outcome"] != "unusable"]
    counts = {}
    for name in _COUNTS:
        counts[name] = sum(row[name] for row in labelled)
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
    """The summary as a table, followed by the reasons why documents are left out."""
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
    columns = "".join(f"{cell:>11}" for cell in cells)
    return f"{name:10}{columns}"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.2f}"
