"""Joins the results of another run to the stored ones: more seeds of a row, or rows that were not run.

    python -m research.paper.join research OTHER        # OTHER: `research` of the checkout that measured them

Both must have measured the same documents with the same labels, domain by domain: a run on the labels of one
domain joins that domain. A row gets the seeds that it lacks: its accuracy is that of the
counts of all seeds, every other measure the mean over them. Its costs stay those of the stored run, because
seconds of two processors cannot be compared. A heading network that the other run trained anew
(another processor gives other last digits) counts as another seed of every row that gets its headings. What
both runs have stays as it is stored.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from research.paper import results
from research.paper.plan import (
    DOMAINS,
    HEADING_NETWORK,
    NETWORK_HEADINGS,
    QUESTIONS,
    QuestionPlan,
    RowPlan,
    model_plans,
    question_plan,
    variant_name,
)

from held.errors import HeldError
from held.metrics import bootstrap

COUNTS = "documents.json"
_SAME = ("question", "split")
_WITHOUT_SEEDS = (None, "pembe-alone")  # rules, and a convex objective
AGAIN = " again"
"""What the name of a heading network ends with that a run trained anew for further seeds.

From the second time on, a number follows."""

Result = Mapping[str, Any]
Counts = Mapping[str, tuple[int, int]]
"""For each document how many paths are right, and of how many, over all seeds."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Join what OTHER has of each question, and write the result and what later runs expect."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("stored", type=Path, help="folder of the questions' folders, which is written")
    parser.add_argument("other", type=Path, help="the same folder of the run that is joined")
    options = parser.parse_args(arguments)
    for name in QUESTIONS:
        stored, other = (_read(folder / name) for folder in (options.stored, options.other))
        if stored is not None and other is not None and name != "rq7":
            result = join_results(stored, other, question_plan(name))
            result = results.write_counts(options.stored / name / COUNTS, result)
            results.write(options.stored / name / "result.json", result)
            results.write(options.stored / name / "expected.json", results.expectation(result))
    return 0


def _read(folder: Path) -> dict[str, Any] | None:
    """The result in a question's folder, with the counts of its documents in its rows again."""
    result = results.read(folder / "result.json")
    if result is None:
        return None
    counts = results.read(folder / COUNTS) or {}
    rows = {name: {**row, "documents": counts.get(name, {})} for name, row in result["rows"].items()}
    return {**result, "rows": rows}


def join_results(stored: Result, other: Result, question: QuestionPlan) -> dict[str, Any]:
    """The stored result with the models that only the other has, and their rows."""
    labels = stored["labels"]
    has_other_labels = any(labels.get(domain, own) != own for domain, own in other["labels"].items())
    if has_other_labels or any(stored[name] != other[name] for name in _SAME):
        raise HeldError(f"{question.name} was measured on other documents", advice="measure both on the same")
    new = {name: facts for name, facts in other["models"].items() if name not in stored["models"]}
    again = _trained_again(stored, other)
    if not new and not again:
        return dict(stored)
    rows = {}
    for plan in question.rows:
        parts = [result["rows"][plan.name] for result in (stored, other) if plan.name in result["rows"]]
        if len(parts) == 2:
            rows[plan.name] = _join_rows(*parts, domains=_domains_to_join(plan, other, new, again))
        elif parts:
            rows[plan.name] = parts[0]
    planned = question.models(model_plans())
    models = {**stored["models"], **new, **again}
    names = [each for name in planned for each in models if planned_name(each) == name]
    joined = {"commit": other["commit"], "models": [*new, *again]}
    return {
        **stored,
        "labels": {**other["labels"], **labels},
        "models": {name: models[name] for name in names},
        "rows": rows,
        "joined": [*stored.get("joined", ()), joined],
        "not_run": [name for name in planned if name not in models],
        "seconds": stored["seconds"] + other["seconds"],
    }


def _trained_again(stored: Result, other: Result) -> dict[str, Any]:
    """The heading networks that the other run trained anew, with other weights."""
    found = {}
    for name, facts in other["models"].items():
        known = [own for model, own in stored["models"].items() if planned_name(model) == name]
        is_known = any(own.get("curve") == facts.get("curve") for own in known)
        if name.startswith(HEADING_NETWORK) and known and not is_known:
            found[name_again(name, stored["models"])] = facts
    return found


def planned_name(model: str) -> str:
    """The name in the plan of a model that may have been trained again."""
    return model.partition(AGAIN)[0]


def name_again(name: str, models: Iterable[str]) -> str:
    """The name of a model that was trained anew: `again`, `again 2` and so on."""
    times = sum(planned_name(model) == name for model in models)
    return f"{name}{AGAIN}" if times == 1 else f"{name}{AGAIN} {times}"


def _domains_to_join(plan: RowPlan, other: Result, new: Iterable[str], again: Iterable[str]) -> set[str]:
    """The domains in which the other run measured a row with a network that the stored result lacks."""
    found = set()
    for domain in DOMAINS:
        own = [
            each.name
            for each in plan.variants(model_plans())
            if each.domain == domain and each.name in other["models"]
        ]
        known = [name for name in own if name not in new]
        if known and len(known) < len(own):
            raise HeldError(f"both runs have {', '.join(known)}", advice="join new models alone")
        is_rule = plan.headings == NETWORK_HEADINGS and plan.model in _WITHOUT_SEEDS
        finder = variant_name(HEADING_NETWORK, domain)
        has_other_headings = any(planned_name(name) == finder for name in again)
        if (own and not known) or (is_rule and has_other_headings):
            found.add(domain)
    return found


def _join_rows(stored: Result, other: Result, *, domains: set[str]) -> dict[str, Any]:
    """A row of two runs with different seeds, or of different domains."""
    domains = domains & set(other["domains"])
    if not domains:
        return dict(stored)
    joined = {**stored["domains"]}
    counts = {**stored["documents"]}
    for domain in domains:
        if domain in joined:
            counts[domain] = _add_counts(counts[domain], other["documents"][domain])
            joined[domain] = _join_scores(joined[domain], other["domains"][domain], counts[domain])
        else:
            counts[domain] = other["documents"][domain]
            joined[domain] = other["domains"][domain]
    return {**stored, "domains": joined, "documents": counts}


def _add_counts(one: Counts, other: Counts) -> dict[str, tuple[int, int]]:
    """The counts of the documents that both runs measured, which are the same ones."""
    if one.keys() != other.keys():
        raise HeldError("the rows are of other documents", advice="measure both on the same")
    return {name: (one[name][0] + other[name][0], one[name][1] + other[name][1]) for name in one}


def _join_scores(stored: Result, other: Result, counts: Counts) -> dict[str, Any]:
    """The scores of more seeds in one domain: accuracy from the counts, the rest as means over seeds."""
    seeds = [len(stored["seeds"]), len(other["seeds"])]
    right, total = ([pair[index] for pair in counts.values()] for index in (0, 1))
    joined = _join_measures(stored, other, seeds)
    joined["accuracy"] = round(sum(right) / sum(total), 4)
    joined["interval"] = [round(bound, 4) for bound in bootstrap(right, total)]
    joined["seeds"] = [*stored["seeds"], *other["seeds"]]
    return joined


def _join_measures(stored: Result, other: Result, seeds: Sequence[int]) -> dict[str, Any]:
    """The mean over seeds of every measure, and of the measures of every level."""
    joined: dict[str, Any] = {}
    for name in {**stored, **other}:
        pair = [stored.get(name), other.get(name)]
        if name in ("documents", "interval", "seeds"):
            joined[name] = pair[0]
        elif any(isinstance(value, dict) for value in pair):
            joined[name] = _join_measures(pair[0] or {}, pair[1] or {}, seeds)
        else:
            joined[name] = _weighted_mean(pair, seeds)
    return joined


def _weighted_mean(values: Sequence[float | None], weights: Sequence[int]) -> float | None:
    """The mean of those values that are there, to four digits; None if none is."""
    known = [(value, weight) for value, weight in zip(values, weights, strict=True) if value is not None]
    if not known:
        return None
    return round(sum(value * weight for value, weight in known) / sum(weight for _, weight in known), 4)


if __name__ == "__main__":
    sys.exit(main())
