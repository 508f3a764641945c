"""Counts the wrong steps of HELD by kind and domain, on documents that were not trained on.

    python -m research.errors.run --data LABELLED            # writes research/errors/result.json
    python -m research.errors.run --data LABELLED --page docs/research/errors.md

Results have ids and counts, no text. `--page` puts the table into the page, between its two marks.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from research.arguments import make_parser
from research.commit import short_commit
from research.result_file import write_result

from held.corpus.store import LabelledDocument, data_hash, labelled_documents, truth
from held.headings.object_features import ObjectFeatures, object_features
from held.hierarchy.pipeline import TreeOptions, build_trees
from held.metrics import Fault, FaultKind, Label, Prediction, faults

DOMAINS = ("zh_fin", "en_fin", "science", "manuals", "word")
BEGIN, END = "<!-- table -->", "<!-- end of table -->"
_DOCUMENTS_PER_BATCH = 16
_LARGER_THAN_BODY = 1.05  # font size over that of the body
_COUNTED = ("faults", "documents", "numbered", "set_off", "dragged_headings", "dragged_body")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    options = _parser().parse_args(arguments)
    started = time.time()
    documents = list(documents_with_faults(options.data, options.split, options.model))
    result = {
        "split": options.split,
        "model": options.model,
        "data": data_hash(options.data),
        "commit": short_commit(),
        "seconds": round(time.time() - started),
        "domains": {domain: counts for domain in DOMAINS if (counts := count_faults(documents, domain))},
    }
    options.result.parent.mkdir(parents=True, exist_ok=True)
    write_result(options.result, result)
    print(table(result["domains"]))
    if options.page:
        options.page.write_text(
            with_table(options.page.read_text("utf-8"), table(result["domains"])), "utf-8"
        )
    return 0


def documents_with_faults(folder: Path, split: str, model: str) -> Iterator[dict[str, Any]]:
    """Each document with its faults: kind, page, whether numbered or set off, what was dragged along."""
    documents = list(labelled_documents(folder, splits=[split]))
    for start in range(0, len(documents), _DOCUMENTS_PER_BATCH):
        batch = documents[start : start + _DOCUMENTS_PER_BATCH]
        trees = build_trees([labelled.document for labelled in batch], TreeOptions(model=model))
        for labelled, hierarchy in zip(batch, trees, strict=True):
            yield _document(labelled, Prediction(hierarchy.tree, frozenset(hierarchy.headings)))
        print(f"\r{start + len(batch)} of {len(documents)} documents", end="", file=sys.stderr, flush=True)


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
        "domain": labelled.domain,
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


def count_faults(documents: Sequence[dict[str, Any]], domain: str) -> dict[str, Any]:
    """The faults of a domain by kind, the commonest first."""
    in_domain = [document for document in documents if document["domain"] == domain]
    if not in_domain:
        return {}
    kinds: dict[str, dict[str, int]] = {}
    for document in in_domain:
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
        "documents": len(in_domain),
        "without_faults": sum(not document["faults"] for document in in_domain),
        "headings": sum(document["headings"] for document in in_domain),
        "kinds": dict(sorted(kinds.items(), key=lambda item: -item[1]["faults"])),
    }


def table(domains: dict[str, Any]) -> str:
    """All kinds of faults by domain, as Markdown."""
    lines = [
        "| domain | kind | faults | in documents | numbered | set off | headings dragged | body dragged |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for domain, summary in domains.items():
        without_faults = f"{summary['without_faults']} of {summary['documents']} documents without fault"
        lines.append(f"| **{domain}** | {without_faults}, {summary['headings']} headings | | | | | | |")
        for kind, counts in summary["kinds"].items():
            cells = " | ".join(str(counts[name]) for name in _COUNTED)
            lines.append(f"| | {FaultKind(kind)} | {cells} |")
    return "\n".join(lines)


def with_table(page: str, content: str) -> str:
    """The page with the table between its marks."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{content}\n{END}{after}"


def _parser() -> argparse.ArgumentParser:
    parser = make_parser(__doc__, prog="research.errors")
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled documents")
    parser.add_argument("--split", choices=("train", "valid", "test"), default="valid")
    parser.add_argument("--model", default="base", help="shipped name or folder")
    parser.add_argument("--result", type=Path, default=Path(__file__).with_name("result.json"))
    parser.add_argument("--page", type=Path, help="page to put the table into")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
