"""How many corrected documents does fine-tuning need?

    python -m research.teaching.run --data LABELLED --domain zh_fin --work WORK -o zh_fin.json

A model is trained without one domain, like the model of a user whose documents are of another kind. It is
fine-tuned on 1, 2, 5 and 10 corrected documents of that domain, as by `held train corrections`, and scored on
documents of other groups. The corrected documents are drawn several times, because the results of one draw
vary. Trained models are stored in WORK, so that an interrupted run can continue.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import mean
from typing import Any

from lightgbm.basic import LightGBMError
from research.commit import exact_commit

from held.corpus.store import LABELLED_SUFFIX, LabelledDocument, labelled_documents
from held.models.store import MODEL_SUFFIX, ModelKind, save_model
from held.system.bounded_json import read_json, write_json
from held.training.corrections import Scores, fine_tune, measure
from held.training.trainers import TrainingRequest, train_model

COUNTS = (1, 2, 5, 10)
STEPS = (ModelKind.HEADINGS, ModelKind.PUT_OR_SKIP)


def link_other_domains(data: Path, domain: str, folder: Path, every: int) -> Path:
    """A folder with every nth labelled document of the other domains, as links."""
    folder.mkdir(parents=True, exist_ok=True)
    labelled = sorted(data.glob(f"*{LABELLED_SUFFIX}"))
    others = [path for path in labelled if not path.name.startswith(f"{domain}-")]
    for path in others[::every]:
        link = folder / path.name
        if not link.is_symlink():
            link.symlink_to(path.resolve())
    return folder


def model_without(data: Path, domain: str, work: Path, every: int) -> Path:
    """The folder of a model of preset `boosted` that is trained on the other domains."""
    folder = work / f"without-{domain}"
    documents = link_other_domains(data, domain, work / f"others-than-{domain}", every)
    for kind in STEPS:
        path = folder / f"{kind}{MODEL_SUFFIX}"
        if path.exists():
            continue
        print(f"training {kind} without {domain}", file=sys.stderr)
        folder.mkdir(exist_ok=True)
        request = TrainingRequest(
            kind=kind, preset="boosted", data=documents, checkpoints=work / "checkpoints"
        )
        model = train_model(request)
        assert model is not None
        save_model(path, model)
    return folder


def draw_documents(documents: Sequence[LabelledDocument], draw: int, most: int) -> list[LabelledDocument]:
    """The documents that are corrected, in order, each of another group; half of the groups are left out."""
    rng = random.Random(draw)
    shuffled = rng.sample(list(documents), len(documents))
    first_of_group: dict[str, LabelledDocument] = {}
    for labelled in shuffled:
        first_of_group.setdefault(labelled.group, labelled)
    return list(first_of_group.values())[: min(most, len(first_of_group) // 2)]


def documents_of_other_groups(
    documents: Sequence[LabelledDocument], corrected: Sequence[LabelledDocument]
) -> list[LabelledDocument]:
    """The documents of groups that are not trained on."""
    groups = {labelled.group for labelled in corrected}
    return [labelled for labelled in documents if labelled.group not in groups]


def measure_draws(
    documents: Sequence[LabelledDocument], draws: int, model: Path, work: Path
) -> Iterator[dict[str, Any]]:
    """A row for each draw and number of corrected documents; those of a draw are scored on the same ones."""
    for draw in range(draws):
        corrected = draw_documents(documents, draw, COUNTS[-1])
        scored = documents_of_other_groups(documents, corrected)
        row = {"draw": draw, "scored": len(scored)}
        start = measure(scored, os.fspath(model))
        yield {**row, "corrected": 0, **asdict(start)}
        for count in (n for n in COUNTS if n <= len(corrected)):
            folder = work / f"taught-{draw}-{count}"
            try:
                scores = _scores_after_training(corrected[:count], scored, model, folder)
            except LightGBMError:  # too few documents to train on: the user keeps the old model
                scores = start
            yield {**row, "corrected": count, "refused": scores is start, **asdict(scores)}


def _scores_after_training(
    corrected: Sequence[LabelledDocument], scored: Sequence[LabelledDocument], model: Path, folder: Path
) -> Scores:
    """The scores of a model that is fine-tuned on these documents; stored, as training takes minutes."""
    stored = folder / "figures.json"
    if stored.exists():
        return Scores(**read_json(stored))
    folder.mkdir(parents=True, exist_ok=True)
    fine_tune(corrected, folder, os.fspath(model), log=_log)
    scores = measure(scored, os.fspath(folder))
    write_json(stored, asdict(scores))
    return scores


def _log(message: str) -> None:
    print(message, file=sys.stderr)


def means(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The mean over the draws, and the range of paths, for each number of corrected documents."""
    means_by_count = []
    for count in (0, *COUNTS):
        same_count = [row for row in rows if row["corrected"] == count]
        if not same_count:
            continue
        paths = [row["paths"] for row in same_count]
        means_by_count.append(
            {
                "corrected": count,
                "headings": round(mean(row["headings"] for row in same_count), 4),
                "paths": round(mean(paths), 4),
                "least": min(paths),
                "most": max(paths),
            }
        )
    return means_by_count


def main() -> None:
    """Measures, and writes the result."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="labelled documents")
    parser.add_argument("--domain", required=True, help="the domain that the model has not seen")
    parser.add_argument("--work", type=Path, required=True, help="where models are kept")
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--every", type=int, default=1, help="learn from every nth other document")
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    documents = list(
        labelled_documents(arguments.data, splits=["train", "valid"], domains=[arguments.domain])
    )
    model = model_without(arguments.data, arguments.domain, arguments.work, arguments.every)
    rows = []
    for row in measure_draws(documents, arguments.draws, model, arguments.work / arguments.domain):
        print(row, file=sys.stderr)
        rows.append(row)
    settings = {"domain": arguments.domain, "documents": len(documents), "every": arguments.every}
    write_json(arguments.output, {"commit": exact_commit(), **settings, "means": means(rows), "rows": rows})


if __name__ == "__main__":
    main()
