"""From how many corrected documents on does teaching help?

    python -m research.teaching.run --data LABELLED --domain zh_fin --work WORK -o zh_fin.json

A model is trained without one domain; it is what somebody with documents of another kind has. It is then
taught 1, 2, 5 and 10 corrected documents of that domain, as `held train corrections` does it, and measured on
documents of groups that none of these is of. Which documents are corrected is drawn several times: one draw
would tell more about the draw. What is trained is kept in WORK, so that a run that was ended goes on.
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

from held.corpus.store import SUFFIX, LabelledDocument, labelled_documents
from held.models.store import SUFFIX as MODEL_SUFFIX
from held.models.store import ModelKind, save_model
from held.system.json_values import read_json, write_json
from held.training.corrections import Scores, fine_tune, measure
from held.training.trainers import TrainingRequest, train_model

COUNTS = (1, 2, 5, 10)
STEPS = (ModelKind.HEADINGS, ModelKind.PUT_OR_SKIP)


def others_of(data: Path, domain: str, folder: Path, every: int) -> Path:
    """A folder with every nth labelled document of the other domains, as links."""
    folder.mkdir(parents=True, exist_ok=True)
    others = [path for path in sorted(data.glob(f"*{SUFFIX}")) if not path.name.startswith(f"{domain}-")]
    for path in others[::every]:
        link = folder / path.name
        if not link.is_symlink():
            link.symlink_to(path.resolve())
    return folder


def model_without(data: Path, domain: str, work: Path, every: int) -> Path:
    """The folder of a model of preset `boosted` that has learnt from the other domains."""
    folder = work / f"without-{domain}"
    documents = others_of(data, domain, work / f"others-than-{domain}", every)
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


def drawn(documents: Sequence[LabelledDocument], draw: int, most: int) -> list[LabelledDocument]:
    """The documents that are corrected, in order, each of another group; half of the groups stay unseen."""
    chance = random.Random(draw)
    shuffled = chance.sample(list(documents), len(documents))
    first_of_group: dict[str, LabelledDocument] = {}
    for labelled in shuffled:
        first_of_group.setdefault(labelled.group, labelled)
    return list(first_of_group.values())[: min(most, len(first_of_group) // 2)]


def unseen(
    documents: Sequence[LabelledDocument], taught: Sequence[LabelledDocument]
) -> list[LabelledDocument]:
    """The documents of groups that nothing was taught of."""
    known = {labelled.group for labelled in taught}
    return [labelled for labelled in documents if labelled.group not in known]


def measured(
    documents: Sequence[LabelledDocument], draws: int, model: Path, work: Path
) -> Iterator[dict[str, Any]]:
    """A row for each draw and number of corrected documents; all of a draw are measured on the same ones."""
    for draw in range(draws):
        corrected = drawn(documents, draw, COUNTS[-1])
        scored = unseen(documents, corrected)
        row = {"draw": draw, "scored": len(scored)}
        start = measure(scored, os.fspath(model))
        yield {**row, "corrected": 0, **asdict(start)}
        for count in (n for n in COUNTS if n <= len(corrected)):
            try:
                found = _taught(corrected[:count], scored, model, work / f"taught-{draw}-{count}")
            except LightGBMError:  # too little to learn from, as people are told: the model stays
                found = start
            yield {**row, "corrected": count, "refused": found is start, **asdict(found)}


def _taught(
    corrected: Sequence[LabelledDocument], scored: Sequence[LabelledDocument], model: Path, folder: Path
) -> Scores:
    """What a model finds that was taught these documents; kept, for teaching takes minutes."""
    kept = folder / "figures.json"
    if kept.exists():
        return Scores(**read_json(kept))
    folder.mkdir(parents=True, exist_ok=True)
    fine_tune(corrected, folder, os.fspath(model), log=_say)
    found = measure(scored, os.fspath(folder))
    write_json(kept, asdict(found))
    return found


def _say(message: str) -> None:
    print(message, file=sys.stderr)


def means(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The mean over the draws, and the range of paths, for each number of corrected documents."""
    found = []
    for count in (0, *COUNTS):
        own = [row for row in rows if row["corrected"] == count]
        if not own:
            continue
        paths = [row["paths"] for row in own]
        headings = round(mean(row["headings"] for row in own), 4)
        found.append(
            {
                "corrected": count,
                "headings": headings,
                "paths": round(mean(paths), 4),
                "least": min(paths),
                "most": max(paths),
            }
        )
    return found


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
    for row in measured(documents, arguments.draws, model, arguments.work / arguments.domain):
        print(row, file=sys.stderr)
        rows.append(row)
    settings = {"domain": arguments.domain, "documents": len(documents), "every": arguments.every}
    write_json(arguments.output, {"commit": exact_commit(), **settings, "means": means(rows), "rows": rows})


if __name__ == "__main__":
    main()
