"""Grouped cross-validation where test splits are small: every document judged by a model without its group.

    python -m research.rq1.folds --data LABELLED --work WORK zh_fin en_fin

The true headings are given, so that the tree steps alone are compared: Pembe's regression, the paper's
network, and the boosted trees of `base`, each trained on the domain alone, with the same choice of what is
learnt from. All splits take part: what is trained here ships nowhere. The network has as many batches as in
the tables, and its last weights, for no documents are left to choose on. WORK keeps each fold, so that a run
that was ended goes on.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from research.commit import exact_commit
from research.paper import results
from research.paper.plan import model_plans
from research.paper.provenance import code_hash

from held.corpus.store import LabelledDocument, data_hash, labelled_documents, truth, write_labelled
from held.hierarchy.insertion import Strategy
from held.hierarchy.steps import TreeStep, tree_step
from held.metrics import Share, bootstrap, compare_trees, paired_bootstrap
from held.models.store import ModelKind
from held.paper.pembe import PembeStep
from held.training.settings import PembeSettings, settings_for
from held.training.trainers import TrainingRequest, train_model
from held.training.validation import tree_predictions

RESULT = Path(__file__).with_name("folds.json")
FOLDS = 5
NETWORK = "network-alone@zh_fin"  # whose settings the network has: those of all domains are the same
_CHOICE = ("power=0.5", "balance=0.5", "astray=false")
_CHARACTERS = "[embeddings]\npairs = 2_000_000\n"  # as in the tables

Counts = dict[str, tuple[int, int]]
Fit = Callable[[Sequence[LabelledDocument]], TreeStep]


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("domains", nargs="+")
    parser.add_argument("--data", type=Path, required=True, help="labelled documents")
    parser.add_argument("--work", type=Path, required=True, help="where each fold is kept")
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=list(METHODS))
    options = parser.parse_args(arguments)
    commit = exact_commit()  # when it began: what it writes is no change
    known = results.read(RESULT) or {"domains": {}}
    for domain in options.domains:
        documents = trusted(labelled_documents(options.data, domains=[domain]))
        counts = {
            name: cross_validated(documents, METHODS[name], options.work / "folds" / f"{domain}-{name}")
            for name in options.methods
        }
        known["domains"][domain] = {"groups": len({d.group for d in documents}), **summary(counts)}
        results.write(RESULT, {**known, "commit": commit, "data": data_hash(options.data), "folds": FOLDS})
    return 0


def trusted(documents: Iterator[LabelledDocument]) -> list[LabelledDocument]:
    """The documents that can be scored: no part of their outline is a guess."""
    return [labelled for labelled in documents if not labelled.silver]


def cross_validated(documents: Sequence[LabelledDocument], fit: Fit, kept: Path) -> Counts:
    """For each document how many paths are right, of how many, by a model that knows none of its group."""
    counts: Counts = {}
    for fold in range(FOLDS):
        unseen = [labelled for labelled in documents if fold_of(labelled.group) == fold]
        seen = [labelled for labelled in documents if fold_of(labelled.group) != fold]
        if unseen:
            counts |= _fold(seen, unseen, fit, kept)
    return counts


def fold_of(group: str) -> int:
    """The fold of a group, the same for every method."""
    return zlib.crc32(f"folds/{group}".encode()) % FOLDS


def _fold(
    seen: Sequence[LabelledDocument], unseen: Sequence[LabelledDocument], fit: Fit, kept: Path
) -> Counts:
    code = code_hash(
        ("research.rq1.folds", "held.hierarchy.boosted_steps", "held.paper.training.network_trainer")
    )
    ids = [[labelled.id, labelled.source_hash] for labelled in (*seen, *unseen)]
    path = kept / f"{results.key_of({'documents': ids, 'code': code, 'unseen': len(unseen)})}.json"
    found = results.read(path)
    if found is None:
        print(f"{kept.name}: {len(seen)} documents to learn from, {len(unseen)} to judge", file=sys.stderr)
        predictions = tree_predictions(fit(seen), unseen, Strategy(normalise=True))
        pairs = zip(unseen, predictions, strict=True)
        shares = {labelled.id: compare_trees(truth(labelled), made).paths for labelled, made in pairs}
        found = {name: (share.right, share.total) for name, share in shares.items()}
        results.write(path, found)
    return {name: (right, total) for name, (right, total) in found.items()}


def summary(counts: Mapping[str, Counts]) -> dict[str, Any]:
    """The accuracy of each method with its interval, and the paired difference to Pembe."""
    rows = {name: _row(own) for name, own in counts.items()}
    for name, own in counts.items():
        if name != "pembe" and "pembe" in counts:
            rows[name]["over_pembe"] = _difference(own, counts["pembe"])
    return {"documents": max(map(len, counts.values())), "rows": rows}


def _difference(ours: Counts, others: Counts) -> list[float]:
    """The interval of the difference over the same documents."""
    low, high = paired_bootstrap(*([Share(*counts[key]) for key in others] for counts in (ours, others)))
    return [round(low, 4), round(high, 4)]


def _row(counts: Counts) -> dict[str, Any]:
    right, total = [right for right, _ in counts.values()], [total for _, total in counts.values()]
    low, high = bootstrap(right, total)
    accuracy = round(sum(right) / max(1, sum(total)), 4)
    return {"accuracy": accuracy, "interval": [round(low, 4), round(high, 4)]}


def _pembe(documents: Sequence[LabelledDocument]) -> TreeStep:
    from held.paper.training.pembe import fitted, tuples_of

    settings = settings_for(PembeSettings, "pembe", preset="paper", changes=_CHOICE)
    return PembeStep(fitted(tuples_of(documents, settings), settings))


def _base(documents: Sequence[LabelledDocument]) -> TreeStep:
    from held.training.boosted_data import training_document
    from held.training.boosted_trainer import BoostedPutOrSkip, discard_log, train_put_or_skip

    settings = settings_for(BoostedPutOrSkip, "put-or-skip", preset="base", changes=("found=false",))
    known = [training_document(labelled) for labelled in documents]
    return tree_step(train_put_or_skip(known, settings, log=discard_log))


def _network(documents: Sequence[LabelledDocument]) -> TreeStep:
    """The paper's network, trained as for the tables; its last weights, for nothing is of split valid."""
    plan = model_plans()[NETWORK]
    ends = (f"batches={plan.batches}", "epochs=1000")
    with TemporaryDirectory() as folder:
        data, characters = Path(folder, "data"), Path(folder, "characters.toml")
        data.mkdir()
        characters.write_text(_CHARACTERS, encoding="utf-8")
        for labelled in documents:
            write_labelled(data, replace(labelled, split="train"))
        kind, run = ModelKind.PUT_OR_SKIP, Path(folder, "run")
        request = TrainingRequest(kind, plan.preset, data, run, characters, (*plan.changes, *ends))
        model = train_model(request)
    assert model is not None, "one process trains it"
    return tree_step(model)


METHODS: dict[str, Fit] = {"pembe": _pembe, "network": _network, "base": _base}


if __name__ == "__main__":
    sys.exit(main())
