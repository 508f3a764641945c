"""Verdicts on the findings of the paper, by rules that were fixed before the runs.

A finding is one or more comparisons of two rows (research/findings.toml).

1. In a domain a comparison is for or against a finding if the 95 % interval of the difference over the same
   documents, a paired bootstrap, leaves out 0. Fewer than FEWEST documents decide nothing.
2. Where the rows were trained, the difference must also be larger than what another seed changes: the mean of
   both rows' ranges over seeds. A row of one seed takes the widest range of its table in that domain; without
   any it decides nothing. Rows of the same networks (orders, beams) are paired by seed and need no range.
3. A finding that a difference is small names its margin: for it if the interval lies within, against it if
   outside. Costs within COST_MARGIN of each other decide nothing; those of rows that were measured on
   different domains are confounded.
4. A comparison is confounded if the row that loses was still gaining on valid when its training ended, or if
   what the finding presupposes does not hold here (`needs`, `confounded` in findings.toml).
5. A finding *replicates* if some domain is for it and none against it, and is *opposite* the other way round.
   If only confounded comparisons decide, it is *confounded*; else it is *undecided*.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from research.paper import results
from research.paper.plan import RowPlan, question_plan

from held.metrics import Share, paired_bootstrap

HERE = Path(__file__).parents[1]
FINDINGS = HERE / "findings.toml"
COUNTS = "documents.json"
RULES_SET = "2026-11-18"
RULES_COMMIT = "185cf6e08"
"""The date of these rules and the commit that brought them, before the runs that they apply to."""
FEWEST = 5  # documents: an interval over fewer says nothing of others
COST_MARGIN = 0.1  # share: CPU seconds differ by as much from run to run
PAPER_DOMAINS = ("zh_fin", "en_fin", "science")
RETRIEVAL = {
    "retrieval": "retrieval/results/paper-features.json",
    "shared-queries": "retrieval/results/shared-queries.json",
}
"""The other results that a finding can refer to, and their files."""

Result = Mapping[str, Any]


class Verdict(StrEnum):
    """The verdict on a finding."""

    REPLICATES = "replicates"
    OPPOSITE = "opposite"
    CONFOUNDED = "confounded"
    UNDECIDED = "undecided"
    NOT_RUN = "not run"


class Side(StrEnum):
    """Whether a comparison is for or against a finding."""

    FOR = "for"
    AGAINST = "against"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of two rows in one domain: its side, its figures, and another possible explanation."""

    side: Side
    place: str = ""  # the domain, the cost, or the questions of a ranking
    ours: str = ""  # the figure of the row that the finding says is better
    others: str = ""
    difference: str = ""
    interval: str = ""
    note: str = ""  # why a difference decides nothing
    confound: str = ""
    rows: tuple[str, str] = ("", "")
    called: str = ""  # where a finding compares several pairs of rows
    aside: str = ""  # what is shown besides and does not count

    @property
    def counts(self) -> bool:
        """Whether the verdict rests on it."""
        return not self.aside


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of the paper: what it says, what is compared, and why it came out as it did.

    `before` is the verdict that stood here before these rules.
    """

    says: str
    paper: str
    compare: Sequence[Mapping[str, Any]]
    because: str
    question: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True)
class JudgedFinding:
    """A finding with its verdict, the figures, and the commits that they were measured at."""

    finding: Finding
    verdict: Verdict
    comparisons: Sequence[Comparison]
    commits: Sequence[str] = field(default_factory=tuple)


def findings(path: Path = FINDINGS) -> list[Finding]:
    """The findings, in the order of the page."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))["findings"]
    return [Finding(**{**table, "because": table["because"].strip()}) for table in tables]


def judge_finding(finding: Finding, source: Path) -> JudgedFinding:
    """A finding with its verdict, from the results in a folder."""
    found: list[Comparison] = []
    commits: list[str] = []
    for wanted in finding.compare:
        result = read_result(source, wanted["in"])
        compared = list(_comparisons(wanted, result, source)) if result else []
        found += [_complete(wanted, one) for one in compared]
        if compared and result:
            commits.append(format_commit(str(result.get("commit", ""))))
    return JudgedFinding(finding, verdict_of(found), tuple(found), tuple(dict.fromkeys(commits)))


def _complete(wanted: Mapping[str, Any], comparison: Comparison) -> Comparison:
    """The comparison with its rows and its confound, and what findings.toml calls it."""
    rows = (wanted["row"], "BM25") if "row" in wanted else (wanted["better"], wanted["worse"])
    confound = wanted.get("confounded") or comparison.confound
    names = {name: wanted.get(name, "") for name in ("called", "aside")}
    return replace(comparison, rows=rows, confound=confound, **names)


def verdict_of(comparisons: Sequence[Comparison]) -> Verdict:
    """The verdict that follows from single comparisons."""
    if not comparisons:
        return Verdict.NOT_RUN
    counted = [one for one in comparisons if one.counts]
    sides = {one.side for one in counted if not one.confound}
    if Side.FOR in sides and Side.AGAINST not in sides:
        return Verdict.REPLICATES
    if Side.AGAINST in sides and Side.FOR not in sides:
        return Verdict.OPPOSITE
    confounded = {one.side for one in counted if one.confound}
    if sides <= {Side.OPEN} and not confounded <= {Side.OPEN}:
        return Verdict.CONFOUNDED
    return Verdict.UNDECIDED


def read_result(source: Path, name: str) -> Result | None:
    """A question's result: in its folder after a full run, by its name in a folder of rows otherwise."""
    if name in RETRIEVAL:
        return results.read(source / RETRIEVAL[name])
    return results.read(source / name / "result.json") or results.read(source / f"{name}.json")


def format_commit(commit: str) -> str:
    """The short name of a commit; one with changed files is shown as such."""
    return f"`{commit[:9]}`{', dirty' if commit.endswith('+') else ''}" if commit else ""


def _comparisons(wanted: Mapping[str, Any], result: Result, source: Path) -> Iterator[Comparison]:
    rows = result.get(wanted.get("of", "rows"), {})
    if wanted["in"] in RETRIEVAL:
        if wanted["row"] in rows:
            yield _compare_ranking(rows, wanted["row"], wanted.get("group", "all"))
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
        if None in (*pair, *own):
            continue
        if "within" in wanted:
            found = compare_within_margin(domain, *pair, *own, margin=wanted["within"])
        else:
            found = compare_rows(domain, *pair, *own, seed_range=_seed_range(wanted, result, domain))
        yield replace(found, confound=_confound(wanted, result, domain, found.side))


def _seed_range(wanted: Mapping[str, Any], result: Result, domain: str) -> float | None:
    """The effect of another seed: the mean of both rows' ranges; None if no row has several seeds."""
    plans = {row.name: row for row in question_plan(wanted["in"]).rows}
    models = [plans[wanted[side]].model if wanted[side] in plans else None for side in ("better", "worse")]
    if models[0] == models[1]:
        return 0.0  # the same networks, or none
    ranges = [_range(row["domains"].get(domain, {})) for row in result["rows"].values()]
    widest = max((own for own in ranges if own is not None), default=None)
    found = []
    for side, model in zip(("better", "worse"), models, strict=True):
        own = _range(result["rows"][wanted[side]]["domains"][domain])
        without = 0.0 if model is None or model in _WITHOUT_SEEDS else widest
        found.append(without if own is None else own)  # rules get a range by a heading network's seeds
    return None if None in found else sum(value or 0.0 for value in found) / 2


_WITHOUT_SEEDS = frozenset({"pembe-alone"})  # a convex objective


def _range(own: Result) -> float | None:
    seeds = own.get("seeds") or ()
    return max(seeds) - min(seeds) if len(seeds) > 1 else None


def _confound(wanted: Mapping[str, Any], result: Result, domain: str, side: Side) -> str:
    """Another possible explanation of a difference; empty if none is known."""
    needs = wanted.get("needs")
    if needs:
        value = result["rows"].get(needs["row"], {}).get("domains", {}).get(domain, {}).get("accuracy")
        if value is None or value < needs["at_least"]:
            return f"{needs['row']} {value} here, below {needs['at_least']}"
    loser = {Side.FOR: "worse", Side.AGAINST: "better"}.get(side)
    plans = {row.name: row for row in question_plan(wanted["in"]).rows}
    if loser is None or wanted[loser] not in plans:
        return ""
    if plans[wanted["better"]].model == plans[wanted["worse"]].model:
        return ""  # the same networks: more training would reach both rows
    return _unfinished_training(plans[wanted[loser]], result, domain)


def _unfinished_training(row: RowPlan, result: Result, domain: str) -> str:
    """Whether a row's network was still gaining on valid when its training ended."""
    for name, facts in result.get("models", {}).items():
        table, _, variant = name.partition("@")
        is_own = table == row.model and variant.partition("+")[0] == domain
        if is_own and facts.get("curve") and not facts.get("converged"):
            return f"{row.name} was still gaining on valid"
    return ""


def compare_rows(
    domain: str,
    better: Result,
    worse: Result,
    counts: Result,
    other_counts: Result,
    *,
    seed_range: float | None = 0.0,
) -> Comparison:
    """Compare two rows in one domain, paired by document; `seed_range` is the effect of another seed."""
    shown, (low, high), documents = _difference(domain, better, worse, counts, other_counts)
    if documents < FEWEST:
        return replace(shown, note=f"{documents} documents")
    side = _side(low, high)
    if side is not Side.OPEN and seed_range is None:
        return replace(shown, note="one seed")
    if side is not Side.OPEN and abs(better["accuracy"] - worse["accuracy"]) <= (seed_range or 0.0):
        return replace(shown, note=f"within the range of seeds ({seed_range:.3f})")
    return replace(shown, side=side)


def compare_within_margin(
    domain: str, one: Result, other: Result, counts: Result, other_counts: Result, *, margin: float
) -> Comparison:
    """Compare two rows for a finding that they differ by no more than a margin."""
    shown, (low, high), documents = _difference(domain, one, other, counts, other_counts)
    if documents < FEWEST:
        return replace(shown, note=f"{documents} documents")
    if -margin < low and high < margin:
        return replace(shown, side=Side.FOR)
    return replace(shown, side=Side.AGAINST if low > margin or high < -margin else Side.OPEN)


def _difference(
    domain: str, better: Result, worse: Result, counts: Result, other_counts: Result
) -> tuple[Comparison, tuple[float, float], int]:
    """Both accuracies and their difference, still open, its interval, and the number of documents."""
    ours, others = _shares(counts, other_counts)
    low, high = paired_bootstrap(ours, others)
    shown = Comparison(
        Side.OPEN,
        domain,
        _with_seeds(better),
        _with_seeds(worse),
        f"{better['accuracy'] - worse['accuracy']:+.3f}",
        f"{low:+.3f} to {high:+.3f}",
    )
    return shown, (low, high), len(ours)


def _side(low: float, high: float) -> Side:
    """For a finding if the interval is above 0, against it if below."""
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


_COSTS = {
    "inquiries": "inquiries",
    "tree_seconds": "CPU seconds for the tree",
    "seconds": "CPU seconds",
}
"""The costs of a document that rows are compared by."""


def _cheaper(wanted: Mapping[str, Any], better: Result, worse: Result) -> Comparison:
    """Whether one row costs less than another."""
    cost = wanted["cost"]
    less, more = better[cost], worse[cost]
    shown = Comparison(Side.OPEN, _COSTS[cost], f"{less:.4g}", f"{more:.4g}", f"{less / more:.2f} times")
    if abs(less - more) <= COST_MARGIN * max(less, more):
        return replace(shown, note=f"alike within {COST_MARGIN:.0%}")
    same_domains = set(better["domains"]) == set(worse["domains"])
    confound = "" if same_domains else "the rows are of different domains"
    return replace(shown, side=Side.FOR if less < more else Side.AGAINST, confound=confound)


def _compare_ranking(ranked: Result, feature: str, group: str) -> Comparison:
    """Whether a feature raises the mean average precision over BM25, over one group of questions."""
    own, plain = (ranked[row]["passages"][group]["mAP"] for row in (feature, "BM25"))
    low, high = own["difference"]["interval"]
    return Comparison(
        _side(low, high),
        _QUESTIONS[group],
        f"{own['mean']:.3f}",
        f"{plain['mean']:.3f}",
        f"{own['difference']['mean']:+.3f}",
        f"{low:+.3f} to {high:+.3f}",
    )


_QUESTIONS = {"all": "mAP", "filings": "mAP, questions about filings", "own": "mAP, our own questions"}
"""What rankings are compared by: of all shared queries, or of one kind of question."""
