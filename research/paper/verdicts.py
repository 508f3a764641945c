"""Which findings of the paper replicate: a verdict for each, from the result files and a rule.

A finding is one or more comparisons of two rows (research/findings.toml). In a domain a comparison is for
or against it if the 95 % interval of the difference over the same documents, a paired bootstrap, leaves out
0, and the seeds of the two rows do not overlap. A finding *replicates* if some domain is for it and none
against it, and is *opposite* the other way round; else it is *undecided*.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from research.paper import results

from held.metrics import Share, paired_bootstrap

HERE = Path(__file__).parents[1]
FINDINGS = HERE / "findings.toml"
COUNTS = "documents.json"
FEWEST = 5  # documents: an interval over fewer says nothing of others
PAPER_DOMAINS = ("zh_fin", "en_fin", "science")
ELSEWHERE = {"retrieval": "retrieval/results/paper-features.json", "folds": "rq1/folds.json"}
"""What a finding can look at beside the questions, and where that is kept."""

Result = Mapping[str, Any]


class Verdict(StrEnum):
    """What our experiments say of a finding."""

    REPLICATES = "replicates"
    OPPOSITE = "opposite"
    UNDECIDED = "undecided"
    NOT_RUN = "undecided: not run"


class Side(StrEnum):
    """What one comparison says of a finding."""

    FOR = "for"
    AGAINST = "against"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two rows in one domain: what they say, and the figures to show for it."""

    side: Side
    figures: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of the paper: what it says, what is compared, and why it came out as it did."""

    says: str
    paper: str
    compare: Sequence[Mapping[str, Any]]
    because: str
    question: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """A finding with its verdict, the figures, and the commits that they were measured at."""

    finding: Finding
    verdict: Verdict
    figures: Sequence[str]
    commits: Sequence[str] = field(default_factory=tuple)


def findings(path: Path = FINDINGS) -> list[Finding]:
    """The findings, in the order of the page."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))["findings"]
    return [Finding(**{**table, "because": table["because"].strip()}) for table in tables]


def judged(finding: Finding, source: Path) -> Judged:
    """A finding with its verdict, from the results in a folder."""
    found: list[Comparison] = []
    commits: list[str] = []
    for wanted in finding.compare:
        result = read_result(source, wanted["in"])
        compared = list(_compared(wanted, result, source)) if result else []
        if "aside" in wanted:
            compared = [_aside(wanted["aside"], one) for one in compared]
        found += compared
        if compared and result:
            commits.append(commit_shown(str(result.get("commit", ""))))
    shown = [one.figures for one in found]
    return Judged(finding, verdict_of([one.side for one in found]), shown, tuple(dict.fromkeys(commits)))


def verdict_of(sides: Sequence[Side]) -> Verdict:
    """The verdict that follows from what single comparisons say."""
    if not sides:
        return Verdict.NOT_RUN
    if Side.FOR in sides and Side.AGAINST not in sides:
        return Verdict.REPLICATES
    if Side.AGAINST in sides and Side.FOR not in sides:
        return Verdict.OPPOSITE
    return Verdict.UNDECIDED


def read_result(source: Path, name: str) -> Result | None:
    """A question's result: in its folder after a full run, by its name in a folder of rows otherwise."""
    if name in ELSEWHERE:
        return results.read(source / ELSEWHERE[name])
    return results.read(source / name / "result.json") or results.read(source / f"{name}.json")


def commit_shown(commit: str) -> str:
    """The short name of a commit; one with changed files is shown as such."""
    return f"`{commit[:9]}`{', dirty' if commit.endswith('+') else ''}" if commit else ""


def _compared(wanted: Mapping[str, Any], result: Result, source: Path) -> Iterator[Comparison]:
    if wanted["in"] == "folds":
        yield from _cross_validated(wanted["better"], result)
        return
    rows = result.get(wanted.get("of", "rows"), {})
    if wanted["in"] == "retrieval":
        if wanted["row"] in rows:
            yield _ranked(wanted["row"], rows[wanted["row"]])
        return
    better, worse = rows.get(wanted["better"]), rows.get(wanted["worse"])
    if better is None or worse is None:
        return
    if "cost" in wanted:
        yield _cheaper(wanted, better, worse)
        return
    counts = results.read(source / wanted["in"] / COUNTS) or {}
    for domain in wanted.get("domains", PAPER_DOMAINS):
        pair = [row["domains"].get(domain) for row in (better, worse)]
        own = [counts.get(wanted[side], {}).get(domain) for side in ("better", "worse")]
        if None not in (*pair, *own):
            limits = {name: wanted[name] for name in ("at_most", "at_least") if name in wanted}
            yield compared_rows(domain, *pair, *own, **limits)


def _cross_validated(method: str, result: Result) -> Iterator[Comparison]:
    """A method against Pembe over all documents of a domain, each judged by models without its group."""
    for domain, own in result["domains"].items():
        ours, pembe = own["rows"].get(method), own["rows"].get("pembe")
        if ours and "over_pembe" in ours:
            low, high = ours["over_pembe"]
            difference = ours["accuracy"] - pembe["accuracy"]
            shown = f"{domain} {ours['accuracy']:.3f} against {pembe['accuracy']:.3f}: {difference:+.3f}"
            counted = f"({low:+.3f} to {high:+.3f}), folds over {own['documents']} documents"
            yield Comparison(_side(low, high), f"{shown} {counted}")


def compared_rows(
    domain: str,
    better: Result,
    worse: Result,
    counts: Result,
    other_counts: Result,
    *,
    at_most: float | None = None,
    at_least: float = 0.0,
) -> Comparison:
    """What two rows say in one domain, paired over its documents.

    A finding that a difference is small names what it is `at_most`; one that says "as good as" what it is
    `at_least`, a little below 0. Few documents decide nothing.
    """
    shown = f"{domain} {_with_seeds(better)} against {_with_seeds(worse)}"
    ours, others = _shares(counts, other_counts)
    low, high = paired_bootstrap(ours, others)
    difference = better["accuracy"] - worse["accuracy"]
    shown = f"{shown}: {difference:+.3f} ({low:+.3f} to {high:+.3f})"
    if len(ours) < FEWEST:
        return Comparison(Side.OPEN, f"{shown}, {len(ours)} documents")
    if at_most is not None:
        return Comparison(_side(at_most - high, at_most - low), shown)
    if at_least == 0.0 and _seeds_overlap(better, worse):
        return Comparison(Side.OPEN, f"{shown}, seeds overlap")
    return Comparison(_side(low - at_least, high - at_least), shown)


def _seeds_overlap(better: Result, worse: Result) -> bool:
    """Whether some seed of the worse row comes up to one of the better: another draw could turn them."""
    (one, most), (least, other) = _range(better), _range(worse)
    return one <= other and least <= most


def _range(row: Result) -> tuple[float, float]:
    seeds = row.get("seeds") or (row["accuracy"],)
    return min(seeds), max(seeds)


def _aside(what: str, comparison: Comparison) -> Comparison:
    """A comparison that is shown and does not count: it says why others came out as they did."""
    return Comparison(Side.OPEN, f"*{what}: {comparison.figures}*")


def _side(low: float, high: float) -> Side:
    """What an interval says: for if it lies above 0, against if below."""
    return Side.FOR if low > 0 else Side.AGAINST if high < 0 else Side.OPEN


def _shares(counts: Result, others: Result) -> tuple[list[Share], list[Share]]:
    """The counts of the documents that both rows have."""
    same = [name for name in counts if name in others]
    return [Share(*counts[name]) for name in same], [Share(*others[name]) for name in same]


def _with_seeds(row: Result) -> str:
    """The accuracy of a row, with its range where it has several seeds."""
    seeds = row.get("seeds") or ()
    spread = f" [{min(seeds):.3f}-{max(seeds):.3f}, {len(seeds)} seeds]" if len(seeds) > 1 else ""
    return f"{row['accuracy']:.3f}{spread}"


def _cheaper(wanted: Mapping[str, Any], better: Result, worse: Result) -> Comparison:
    """Whether one row costs less than another."""
    cost = wanted["cost"]
    less, more = better[cost], worse[cost]
    shown = f"{wanted['better']} {less:.4g}, {wanted['worse']} {more:.4g} {cost} a document"
    return Comparison(Side.FOR if less < more else Side.AGAINST, shown)


def _ranked(name: str, row: Result) -> Comparison:
    """Whether a feature raises the mean average precision over BM25."""
    own = row["passages"]["all"]["mAP"]
    low, high = own["difference"]["interval"]
    shown = f"mAP {own['mean']:.3f}, {own['difference']['mean']:+.3f} ({low:+.3f} to {high:+.3f}) over BM25"
    return Comparison(_side(low, high), shown)
