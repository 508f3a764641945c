"""Records the trained models of the tables: checksums of all, and copies of those that are small.

    python -m research.paper.checksums --data LABELLED --work WORK

Writes research/paper/checksums.json, which keeps what earlier runs recorded of a domain with the same labels.
The networks stay out of the repository for their size; the regressions of Pembe, a few kilobytes each, are
copied to research/paper/models, so that `research.paper.stored_row` measures a row from them.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from research.paper import results
from research.paper.join import name_again
from research.paper.train import trained_models

from held.system.bounded_json import file_sha256

HERE = Path(__file__).parent
CHECKSUMS = HERE / "checksums.json"
STORED = HERE / "models"
_MAX_STORED_BYTES = 100_000
_NOTE = (
    "The trained models of the tables. Those without a copy in research/paper/models are kept out of the "
    "repository for their size; python -m research.paper.queue --data LABELLED --work WORK trains them again."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the checksums and copy the small models."""
    known = results.read(CHECKSUMS) or {"labels": {}, "models": {}}
    labels, found = dict(known["labels"]), dict(known["models"])
    for plan, path, _, own_labels in trained_models(__doc__, arguments):
        if labels.get(plan.domain) != own_labels:
            labels[plan.domain] = own_labels
            found = {name: own for name, own in found.items() if f"@{plan.domain}" not in name}
        size = path.stat().st_size
        own = {"sha256": file_sha256(path), "bytes": size}
        is_small = path.suffix == ".held" and size <= _MAX_STORED_BYTES
        if own in found.values() or (is_small and plan.name in found):
            continue  # recorded before, or its copy is in the repository already
        found[name_again(plan.name, found) if plan.name in found else plan.name] = own
        if is_small:
            STORED.mkdir(exist_ok=True)
            shutil.copyfile(path, STORED / path.name)
    results.write(CHECKSUMS, {"note": _NOTE, "labels": labels, "models": found})
    return 0


if __name__ == "__main__":
    sys.exit(main())
