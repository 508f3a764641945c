"""Measures the worth of each heading rule and each placement constraint.

    python -m research.ablation --data LABELLED --trials TRIALS
    python -m research.ablation --data LABELLED --model TRAIN_ONLY [--docs N]

For each entry of both tables the trees are built without it, and the paths that turn right and wrong are
counted. It writes result.json and table.md beside this file. They have ids and counts, no text.

TRIALS is where `research.trees.run trials` keeps its models: each judges the documents that its trial had
left out. A single model must have been trained on split train alone: the shipped weights have seen split
valid as well. Entries are not at work in training. They were written after reading documents of both splits.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from research.arguments import make_parser
from research.commit import short_commit
from research.result_file import write_result
from research.trees.trials import kept_trials

from held.corpus.store import (
    LabelledDocument,
    data_hash,
    labelled_documents,
    labelled_path,
    read_labelled,
    truth,
)
from held.headings.object_features import DocumentFeatures
from held.headings.rules import RULES, apply_rules
from held.hierarchy.boosted_step import BoostedTreeStep
from held.hierarchy.constraints import CONSTRAINTS, Candidates, Constraint
from held.hierarchy.pipeline import (
    DEFAULT_STRATEGY,
    HeadingStep,
    heading_step,
    insert_objects,
    tree_step,
)
from held.metrics import Truth
from held.metrics.trees import right_nodes
from held.tree import attach_body

HERE = Path(__file__).parent
MODEL = "base"
SPLITS = ("train", "valid")
RESAMPLES = 2000
_SEED = 0

Paths = set[int]
"""The true nodes whose path in the predicted tree is right."""


class Change(NamedTuple):
    """The paths that turn right, and those that turn wrong, without an entry."""

    right: int
    wrong: int


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    options = _parser().parse_args(arguments)
    started = time.time()
    if options.trials:
        documents = list(measure_trials(options.data, options.trials))
        trained_on = "for each document others than its group, or than its domain"
    else:
        chosen = sample(list(labelled_ids(options.data)), options.docs)
        documents = list(measure(options.data, chosen, options.model))
        trained_on = "documents of split train; those of split valid are new to the weights"
    result = {
        "model": "those of trials" if options.trials else options.model,
        "trained_on": trained_on,
        "data": data_hash(options.data),
        "commit": short_commit(),
        "seconds": round(time.time() - started),
        "entries": summary(documents),
        "documents": documents,
    }
    options.output.mkdir(parents=True, exist_ok=True)
    write_result(options.output / "result.json", result)
    (options.output / "table.md").write_text(markdown(result), encoding="utf-8")
    print(markdown(result))
    return 0


def labelled_ids(folder: Path) -> Iterator[tuple[str, str]]:
    """The id and the domain of each labelled file; its name starts with its domain."""
    for path in sorted(folder.glob("*.held.json.xz")):
        id = path.name.removesuffix(".held.json.xz")
        yield id, id.rpartition("-")[0]


def sample(documents: Sequence[tuple[str, str]], count: int | None) -> set[str]:
    """So many documents, the same number of each domain as far as there are; all of them for None."""
    by_domain: dict[str, list[str]] = {}
    for id, domain in documents:
        by_domain.setdefault(domain, []).append(id)
    for ids in by_domain.values():
        random.Random(_SEED).shuffle(ids)
    in_turn = [ids[turn] for turn in range(len(documents)) for ids in by_domain.values() if turn < len(ids)]
    return set(in_turn[:count])


def measure(folder: Path, chosen: set[str], model: str = MODEL) -> Iterator[dict[str, Any]]:
    """A row for each document: its paths, and the change that leaving out each entry makes."""
    finder, placer = heading_step(model), tree_step(model)
    assert isinstance(placer, BoostedTreeStep)
    for labelled in labelled_documents(folder, splits=SPLITS):
        # Part of a silver outline is a guess, so it is never scored.
        if labelled.id not in chosen or labelled.silver:
            continue
        yield document_row(labelled, finder, placer)
        print(f"\r{labelled.id:24}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def measure_trials(folder: Path, trials: Path) -> Iterator[dict[str, Any]]:
    """A row for each document that trials have judged, by the steps of the first trial that did."""
    for models, judged in kept_trials(trials):
        finder, placer = heading_step(models), tree_step(models)
        assert isinstance(placer, BoostedTreeStep)
        for id in judged:
            labelled = read_labelled(labelled_path(folder, id))
            yield document_row(labelled, finder, placer) | {"trained_on": False}
            print(f"\r{id:24}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def document_row(labelled: LabelledDocument, finder: HeadingStep, placer: BoostedTreeStep) -> dict[str, Any]:
    """The paths of a document with all entries, and the change without each of them."""
    document, true = DocumentFeatures(labelled.document), truth(labelled)
    headings = find(document, finder)
    fired: set[str] = set()
    usual = right_paths(document, headings, with_constraints(placer, recording(fired)), true)
    changes: dict[str, Change] = {}
    for rule in RULES:
        others = find(document, finder, without=rule.name)
        if others != headings:
            changes[rule.name] = change(usual, right_paths(document, others, placer, true))
    # A constraint that marked nothing cannot have changed anything.
    for constraint in CONSTRAINTS:
        if constraint.name in fired:
            rest = [other for other in CONSTRAINTS if other is not constraint]
            paths = right_paths(document, headings, with_constraints(placer, rest), true)
            changes[constraint.name] = change(usual, paths)
    return {
        "id": labelled.id,
        "domain": labelled.domain,
        "group": labelled.group,
        "trained_on": labelled.split == "train",
        "paths": len(scored_nodes(true)),
        "right": len(usual),
        "changes": {name: list(own) for name, own in changes.items() if any(own)},
    }


def find(document: DocumentFeatures, finder: HeadingStep, without: str = "") -> tuple[int, ...]:
    """The headings of a document, without one of the rules."""
    (probabilities,) = finder.probabilities([document])
    rules = [rule for rule in finder.rules if rule.name != without]
    return finder.headings(apply_rules(rules, probabilities, document.objects, finder.threshold))


def with_constraints(placer: BoostedTreeStep, constraints: Sequence[Constraint]) -> BoostedTreeStep:
    """The tree step with other constraints."""
    return replace(placer, constraints=tuple(constraints))


def recording(fired: set[str]) -> list[Constraint]:
    """The constraints; the names of those that mark anything are added to `fired`."""

    def record(constraint: Constraint) -> Constraint:
        def predicate(candidates: Candidates) -> Any:
            marked = constraint.predicate(candidates)
            if marked is not None and marked.any():
                fired.add(constraint.name)
            return marked

        return constraint._replace(predicate=predicate)

    return [record(constraint) for constraint in CONSTRAINTS]


def right_paths(
    document: DocumentFeatures, headings: Sequence[int], placer: BoostedTreeStep, true: Truth
) -> Paths:
    """The paths that are right in the tree of these headings."""
    (insertion,) = insert_objects(placer, [document], [headings], DEFAULT_STRATEGY)
    tree = attach_body(insertion.tree, len(document))
    object_of = true.predicted_objects(None)
    predicted = tree.without({object_of[node] for node in true.unknown if node in object_of})
    right = right_nodes(true.tree.without(true.unknown), predicted, object_of)
    return right & scored_nodes(true)


def scored_nodes(true: Truth) -> Paths:
    """The true nodes whose path is known."""
    return set(true.tree.without(true.unknown).objects()) - set(true.pathless)


def change(usual: Paths, without: Paths) -> Change:
    """The change from the usual paths to those without an entry."""
    return Change(len(without - usual), len(usual - without))


def summary(documents: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The worth of each entry, with its noise, for each set of documents."""
    names = [*(rule.name for rule in RULES), *(constraint.name for constraint in CONSTRAINTS)]
    domains = sorted({document["domain"] for document in documents})
    new = [document for document in documents if not document["trained_on"]]
    sets: dict[str, Sequence[Mapping[str, Any]]] = {
        "all": documents,
        **({"new": new} if len(new) < len(documents) else {}),
        **{domain: [own for own in documents if own["domain"] == domain] for domain in domains},
    }
    return {
        name: {
            which: worth(name, own) for which, own in sets.items() if any(name in d["changes"] for d in own)
        }
        for name in names
    }


def worth(name: str, documents: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The paths that turn right and wrong without an entry, and the share of all paths that the entry wins.

    The interval is that of 95 % of the resamples: groups of documents are drawn with replacement.
    """
    groups: dict[str, list[tuple[int, int, int]]] = {}
    for document in documents:
        right, wrong = document["changes"].get(name, (0, 0))
        groups.setdefault(document["group"], []).append((right, wrong, document["paths"]))
    sums = np.array([np.sum(own, axis=0) for own in groups.values()], float)  # (groups, 3)
    rng = np.random.default_rng(_SEED)
    drawn = rng.integers(0, len(sums), (RESAMPLES, len(sums)))
    totals = sums[drawn].sum(axis=1)
    gains = (totals[:, 1] - totals[:, 0]) / totals[:, 2]
    low, high = np.quantile(gains, (0.025, 0.975))
    right, wrong, paths = sums.sum(axis=0)
    return {
        "right_without": int(right),
        "wrong_without": int(wrong),
        "documents": sum(name in document["changes"] for document in documents),
        "gain": round(float((wrong - right) / paths), 6),
        "low": round(float(low), 6),
        "high": round(float(high), 6),
        "within_noise": bool(low <= 0 <= high),
    }


def markdown(result: Mapping[str, Any]) -> str:
    """The table of all entries, as Markdown."""
    documents = result["documents"]
    new = sum(not document["trained_on"] for document in documents)
    lines = [
        "# What each rule and constraint is worth",
        "",
        f"`python -m research.ablation` on {len(documents)} documents of train and valid;"
        f" {new} of them are new to the weights.",
        "Paths are those of all objects. Gain: the share of paths that the entry wins, and 95 % of the"
        " resamples of groups of documents.",
        "",
        "| entry | documents | right without it | wrong without it | gain | interval | within noise |",
        "| --- | --- | ---: | ---: | ---: | --- | --- |",
    ]
    for name, sets in result["entries"].items():
        if not sets:
            lines.append(f"| **{name}** | no change in any document | | | | | yes |")
        for which, own in sets.items():
            interval = f"{own['low']:+.5f} to {own['high']:+.5f}"
            noise = "yes" if own["within_noise"] else "no"
            label = f"**{name}**" if which == "all" else ""
            counts = f"{own['right_without']} | {own['wrong_without']} | {own['gain']:+.5f}"
            lines.append(f"| {label} | {which}: {own['documents']} | {counts} | {interval} | {noise} |")
    return "\n".join([*lines, ""])


def _parser() -> argparse.ArgumentParser:
    parser = make_parser(__doc__, prog="research.ablation")
    parser.add_argument("--data", type=Path, required=True, help="what `held corpus build` wrote")
    parser.add_argument("--model", default=MODEL, help="a model trained on split train alone")
    parser.add_argument("--trials", type=Path, help="where trials keep their models, instead of one model")
    parser.add_argument("--docs", type=int, help="at most so many documents, alike for all domains")
    parser.add_argument("-o", "--output", type=Path, default=HERE, help="where the results go")
    return parser


if __name__ == "__main__":
    sys.exit(main())
