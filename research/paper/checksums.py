"""Records the trained models of the tables: checksums of all, and copies of those that are small.

    python -m research.paper.checksums --data LABELLED --work WORK

Writes research/paper/checksums.json. The networks stay out of the repository for their size; the regressions
of Pembe, a few kilobytes each, are copied to research/paper/models, so that `research.paper.stored_row`
measures a row from them.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from research.paper import results
from research.paper.plan import model_plans
from research.paper.train import path_of, trained_models

from held.corpus.store import data_hash
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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled documents")
    parser.add_argument("--work", type=Path, required=True, help="folder of the trained models")
    options = parser.parse_args(arguments)
    models = options.work / "models"
    found = {}
    for plan, _ in trained_models(model_plans().values(), options.data, models):
        path = path_of(plan, models)
        size = path.stat().st_size
        found[plan.name] = {"sha256": file_sha256(path), "bytes": size}
        if path.suffix == ".held" and size <= _MAX_STORED_BYTES:
            STORED.mkdir(exist_ok=True)
            shutil.copyfile(path, STORED / path.name)
    results.write(CHECKSUMS, {"note": _NOTE, "data": data_hash(options.data), "models": found})
    return 0


if __name__ == "__main__":
    sys.exit(main())
