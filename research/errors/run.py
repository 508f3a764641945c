"""Counts the wrong steps of HELD by kind, on the documents labelled by hand, by models of trials.

    python -m research.errors.run --data LABELLED --trials TRIALS --page docs/research/errors.md

TRIALS is where `research.trees.run trials --cross "by hand"` keeps its models: each judges the documents
that it has not learnt from. It also counts the insertions that contradict what is printed (`evidence.py`).
Results have ids and counts, no text. `--page` puts both tables into the page, between their marks.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from research.arguments import make_parser
from research.commit import short_commit
from research.errors.evidence import count_insertions, evidence_table
from research.result_file import write_result
from research.trees.measure import KINDS_BY_HAND
from research.trees.page import with_tables
from research.trees.trials import kept_trials

from held.corpus.store import LabelledDocument, data_hash, labelled_path, read_labelled, truth
from held.headings.object_features import ObjectFeatures, object_features
from held.hierarchy.boosted_step import BoostedTreeStep
from held.hierarchy.pipeline import TreeOptions, build_trees, tree_step
from held.metrics import Fault, FaultKind, Label, Prediction, faults
from held.training.boosted_data import training_document

_DOCUMENTS_PER_BATCH = 16
_LARGER_THAN_BODY = 1.05  # font size over that of the body
_COUNTED = ("faults", "documents", "numbered", "set_off", "dragged_headings", "dragged_body")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    options = _parser().parse_args(arguments)
    started = time.time()
    documents = list(documents_with_faults(options.data, options.trials))
    insertions = {kind: _sum_of_kind(documents, kind) for kind in KINDS_BY_HAND.values()}
    result: dict[str, Any] = {
        "data": data_hash(options.data),
        "commit": short_commit(),
        "seconds": round(time.time() - started),
        "kinds": {
            kind: counts for kind in KINDS_BY_HAND.values() if (counts := count_faults(documents, kind))
        },
        "insertions": {kind: counts for kind, counts in insertions.items() if counts},
    }
    options.result.parent.mkdir(parents=True, exist_ok=True)
    write_result(options.result, result)
    tables = {"faults": table(result["kinds"]), "evidence": evidence_table(result["insertions"])}
    for shown in tables.values():
        print(shown)
    if options.page:
        options.page.write_text(with_tables(options.page.read_text("utf-8"), tables), "utf-8")
    return 0


def documents_with_faults(folder: Path, trials: Path) -> Iterator[dict[str, Any]]:
    """Each document labelled by hand, by the models of the trial that judged it, with its faults.

    A fault has its kind and page, whether it is numbered or set off, and what was dragged along.
    """
    for models, judged in kept_trials(trials):
        documents = [read_labelled(labelled_path(folder, id)) for id in judged]
        by_hand = [labelled for labelled in documents if labelled.by_hand]
        step = tree_step(models)
        assert isinstance(step, BoostedTreeStep)
        for start in range(0, len(by_hand), _DOCUMENTS_PER_BATCH):
            batch = by_hand[start : start + _DOCUMENTS_PER_BATCH]
            trees = build_trees([labelled.document for labelled in batch], TreeOptions(model=str(models)))
            for labelled, hierarchy in zip(batch, trees, strict=True):
                insertions = count_insertions(training_document(labelled), step)
                prediction = Prediction(hierarchy.tree, frozenset(hierarchy.headings))
                yield _document(labelled, prediction) | {"insertions": insertions}


def _document(labelled: LabelledDocument, prediction: Prediction) -> dict[str, Any]:
    true = truth(labelled)
    features = object_features(labelled.document)
    rows = []
    for fault in faults(true, prediction):
        headings = sum(true.labels[node] is Label.HEADING for node in fault.dragged)
        row = _fault(labelled, features, fault)
        row["dragged_headings"] = headings
        row["dragged_body"] = len(fault.dragged) - headings
        rows.append(row)
    return {
        "id": labelled.id,
        "kind": KINDS_BY_HAND[labelled.domain],
        "headings": len(true.headings),
        "faults": rows,
    }


def _fault(labelled: LabelledDocument, features: ObjectFeatures, fault: Fault) -> dict[str, Any]:
    value: dict[str, Any] = {"kind": fault.kind.value}
    if fault.obj is not None:
        is_larger = features["size"][fault.obj] > _LARGER_THAN_BODY
        is_heavier = features["heavier"][fault.obj] > 0
        value["page"] = labelled.document.objects[fault.obj].page
        value["numbered"] = features.numbers[fault.obj] is not None
        value["set_off"] = bool(is_larger or is_heavier)
    return value


def count_faults(documents: Sequence[dict[str, Any]], kind_of_document: str) -> dict[str, Any]:
    """The faults in documents of a kind, by kind of fault, those that drag most first."""
    alike = [document for document in documents if document["kind"] == kind_of_document]
    if not alike:
        return {}
    kinds: dict[str, dict[str, int]] = {}
    for document in alike:
        for fault in document["faults"]:
            kind = kinds.setdefault(fault["kind"], dict.fromkeys(_COUNTED, 0))
            kind["faults"] += 1
            kind["numbered"] += fault.get("numbered", False)
            kind["set_off"] += fault.get("set_off", False)
            kind["dragged_headings"] += fault["dragged_headings"]
            kind["dragged_body"] += fault["dragged_body"]
        for name in {fault["kind"] for fault in document["faults"]}:
            kinds[name]["documents"] += 1
    return {
        "documents": len(alike),
        "without_faults": sum(not document["faults"] for document in alike),
        "headings": sum(document["headings"] for document in alike),
        "kinds": dict(sorted(kinds.items(), key=lambda item: -_cost(item[1]))),
    }


def _sum_of_kind(documents: Sequence[dict[str, Any]], kind: str) -> Counter[str]:
    """The counts of insertions of all documents of a kind."""
    total: Counter[str] = Counter()
    for document in documents:
        if document["kind"] == kind:
            total.update(document["insertions"])
    return total


def _cost(counts: Mapping[str, int]) -> int:
    return counts["faults"] + counts["dragged_headings"] + counts["dragged_body"]


def table(kinds_of_documents: Mapping[str, Any]) -> str:
    """All kinds of faults by kind of document, as Markdown."""
    lines = [
        "| documents | kind | faults | in documents | numbered | set off | headings dragged | body dragged |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, summary in kinds_of_documents.items():
        without_faults = f"{summary['without_faults']} of {summary['documents']} documents without fault"
        lines.append(f"| **{name}** | {without_faults}, {summary['headings']} headings | | | | | | |")
        for kind, counts in summary["kinds"].items():
            cells = " | ".join(str(counts[name]) for name in _COUNTED)
            lines.append(f"| | {FaultKind(kind)} | {cells} |")
    return "\n".join(lines)


def _parser() -> argparse.ArgumentParser:
    parser = make_parser(__doc__, prog="research.errors")
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled documents")
    parser.add_argument("--trials", type=Path, required=True, help="where trials keep their models")
    parser.add_argument("--result", type=Path, default=Path(__file__).with_name("result.json"))
    parser.add_argument("--page", type=Path, help="page to put the table into")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
