"""Counts the wrong steps of HELD by kind and domain, on documents that were not trained on.

    python -m research.errors.run --data LABELLED            # writes research/errors/result.json
    python -m research.errors.run --data LABELLED --page docs/research/errors.md

Results have ids and counts, no text. `--page` puts the table into the page, between its two marks.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from research.commit import short_commit

from held.corpus.store import LabelledDocument, data_hash, labelled_documents, truth
from held.headings.object_features import ObjectFeatures, object_features
from held.hierarchy.pipeline import TreeOptions, build_trees
from held.metrics import Fault, FaultKind, Label, Prediction, faults

DOMAINS = ("zh_fin", "en_fin", "science", "manuals", "word")
BEGIN, END = "<!-- table -->", "<!-- end of table -->"
_TOGETHER = 16
_COUNTED = ("faults", "documents", "numbered", "set_off", "dragged_headings", "dragged_body")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    options = _parser().parse_args(arguments)
    started = time.time()
    documents = list(judged(options.data, options.split, options.model))
    result = {
        "split": options.split,
        "model": options.model,
        "data": data_hash(options.data),
        "commit": short_commit(),
        "seconds": round(time.time() - started),
        "domains": {domain: found for domain in DOMAINS if (found := summed(documents, domain))},
    }
    options.result.parent.mkdir(parents=True, exist_ok=True)
    options.result.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(table(result["domains"]))
    if options.page:
        options.page.write_text(
            with_table(options.page.read_text("utf-8"), table(result["domains"])), "utf-8"
        )
    return 0


def judged(folder: Path, split: str, model: str) -> Iterator[dict[str, Any]]:
    """Each document with its faults: kind, page, whether numbered or set off, what was dragged along."""
    waiting = list(labelled_documents(folder, splits=[split]))
    for start in range(0, len(waiting), _TOGETHER):
        some = waiting[start : start + _TOGETHER]
        trees = build_trees([labelled.document for labelled in some], TreeOptions(model=model))
        for labelled, found in zip(some, trees, strict=True):
            yield _document(labelled, Prediction(found.tree, frozenset(found.headings)))
        print(f"\r{start + len(some)} of {len(waiting)} documents", end="", file=sys.stderr, flush=True)


def _document(labelled: LabelledDocument, prediction: Prediction) -> dict[str, Any]:
    known = truth(labelled)
    columns = object_features(labelled.document)
    found = faults(known, prediction)
    headings = [sum(known.labels[node] is Label.HEADING for node in fault.dragged) for fault in found]
    return {
        "id": labelled.id,
        "domain": labelled.domain,
        "headings": len(known.headings),
        "faults": [
            _fault(labelled, columns, fault) | {"dragged_headings": h, "dragged_body": len(fault.dragged) - h}
            for fault, h in zip(found, headings, strict=True)
        ],
    }


def _fault(labelled: LabelledDocument, columns: ObjectFeatures, fault: Fault) -> dict[str, Any]:
    value: dict[str, Any] = {"kind": fault.kind.value}
    if fault.obj is not None:
        value["page"] = labelled.document.objects[fault.obj].page
        value["numbered"] = columns.numbers[fault.obj] is not None
        value["set_off"] = bool(columns["size"][fault.obj] > 1.05 or columns["heavier"][fault.obj] > 0)
    return value


def summed(documents: Sequence[dict[str, Any]], domain: str) -> dict[str, Any]:
    """The faults of a domain by kind, the commonest first."""
    own = [document for document in documents if document["domain"] == domain]
    if not own:
        return {}
    kinds: dict[str, dict[str, int]] = {}
    for document in own:
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
        "documents": len(own),
        "without_faults": sum(not document["faults"] for document in own),
        "headings": sum(document["headings"] for document in own),
        "kinds": dict(sorted(kinds.items(), key=lambda item: -item[1]["faults"])),
    }


def table(domains: dict[str, Any]) -> str:
    """All kinds of faults by domain, as Markdown."""
    lines = [
        "| domain | kind | faults | in documents | numbered | set off | headings dragged | body dragged |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for domain, found in domains.items():
        entire = f"{found['without_faults']} of {found['documents']} documents without fault"
        lines.append(f"| **{domain}** | {entire}, {found['headings']} headings | | | | | | |")
        for kind, counts in found["kinds"].items():
            lines.append(
                f"| | {FaultKind(kind)} | " + " | ".join(str(counts[name]) for name in _COUNTED) + " |"
            )
    return "\n".join(lines)


def with_table(page: str, content: str) -> str:
    """The page with the table between its marks."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{content}\n{END}{after}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="research.errors", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled documents")
    parser.add_argument("--split", choices=("train", "valid", "test"), default="valid")
    parser.add_argument("--model", default="base", help="shipped name or folder")
    parser.add_argument("--result", type=Path, default=Path(__file__).with_name("result.json"))
    parser.add_argument("--page", type=Path, help="page to put the table into")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
