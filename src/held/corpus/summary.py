"""Statistics of a labelled corpus: the paper's dataset analysis (Figures 2, 6 and 7) and exclusions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from statistics import quantiles
from typing import Any

from held.corpus.labelled import LabelledDocument, LabelReport
from held.metrics import Label
from held.numbering import NO_PATTERN, PATTERNS, parse_number, pattern_id

ALL = "all"
_OBJECT_BOUNDS = (0, 50, 100, 200, 400, 700, 1000, 1500, 2000, 3000, 4000, 6000, 10_000)


@dataclass(slots=True)
class _Tally:
    """The counts of one domain, while documents come in."""

    objects: list[int] = field(default_factory=list)
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
        self.unknown += labelled.labels.count(Label.UNKNOWN)
        self.headings.append(levels)
        self.depths[max(levels, default=0)] += 1


def statistics_of(documents: Iterable[LabelledDocument]) -> dict[str, Any]:
    """The statistics of labelled documents, for all and for each domain, as JSON values."""
    tallies: dict[str, _Tally] = {ALL: _Tally()}
    for labelled in documents:
        tallies[ALL].add(labelled)
        tallies.setdefault(labelled.domain or "no domain", _Tally()).add(labelled)
    order = [ALL, *sorted(name for name in tallies if name != ALL)]
    return {
        "format": "held.statistics",
        "version": 1,
        "patterns": _examples(),
        "corpora": {name: _values(tallies[name]) for name in order},
    }


def _examples() -> dict[str, str]:
    """What each pattern of item numbers looks like, by its id."""
    examples = {str(NO_PATTERN): "none"}
    for pattern in PATTERNS:
        examples[str(pattern.id)] = pattern.example
    return examples


def _headings(labelled: LabelledDocument) -> Iterator[tuple[int, str]]:
    """The level and title of each heading, those without an object among them."""
    levels = labelled.levels()
    for i in labelled.headings:
        yield levels[i], labelled.document.objects[i].text
    for k, lost in enumerate(labelled.missing):
        yield levels[len(labelled.labels) + k], lost.title


def _values(tally: _Tally) -> dict[str, Any]:
    levels = range(1, max(tally.depths, default=0) + 1)
    return {
        "documents": len(tally.objects),
        "objects": sum(tally.objects),
        "unknown": tally.unknown,
        "headings": sum(sum(counts.values()) for counts in tally.headings),
        "objects_per_document": _spread(tally.objects) | {"histogram": _histogram(tally.objects)},
        "documents_by_depth": _by_name(tally.depths),
        "headings_by_level": {str(n): sum(counts[n] for counts in tally.headings) for n in levels},
        "headings_per_document_by_level": {
            str(n): _spread([counts[n] for counts in tally.headings if max(counts, default=0) >= n])
            for n in levels
        },
        "patterns_by_level": {
            str(n): {str(pattern): count for pattern, count in sorted(tally.patterns[n].items())}
            for n in levels
        },
    }


def _by_name(counts: Counter[int]) -> dict[str, int]:
    return {str(number): counts[number] for number in sorted(counts)}


def _spread(values: Sequence[int]) -> dict[str, float]:
    """Least, quartiles, most and mean of some counts."""
    if not values:
        return {}
    at_least_two = values if len(values) > 1 else [*values, *values]
    quarter, middle, three = quantiles(at_least_two, n=4, method="inclusive")
    return {
        "least": min(values),
        "lower_quartile": quarter,
        "median": middle,
        "upper_quartile": three,
        "most": max(values),
        "mean": round(sum(values) / len(values), 2),
    }


def _histogram(values: Sequence[int]) -> list[dict[str, int | None]]:
    """How many values lie from each bound to the next; the last bin has no end."""
    bounds = [*_OBJECT_BOUNDS, None]
    return [
        {"from": low, "to": high, "documents": sum(low <= v and (high is None or v < high) for v in values)}
        for low, high in zip(_OBJECT_BOUNDS, bounds[1:], strict=True)
    ]


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
