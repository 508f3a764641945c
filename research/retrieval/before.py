"""The ranking that was there before the fixed sum, on the questions of split train.

Its code is gone; its table over all questions and over those of split test is kept (`tree-ours.json` as of
`COMMIT`). A mean over all is one over both splits, so the mean over train follows from the two.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from research.retrieval.tables import SHIPPED, file_of

from held.errors import InputError

COMMIT = "8950860"
"""The code that measured the table: a later one has the fixed sum in the same row."""
MEASURES = ("recall@1", "recall@5", "recall@10")


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Page recall of the former ranking on the questions of split train."""
    path = options.results / file_of("ours")
    table = json.loads(path.read_text(encoding="utf-8"))
    if table["commit"] != COMMIT:
        advice = "keep before.json as it is"
        raise InputError("this table is not of the former ranking", file=path, advice=advice)
    groups = table["rows"][SHIPPED]["pages"]
    return {"of": COMMIT, **on_train(groups["all"], groups["test"])}


def on_train(everything: dict[str, Any], test: dict[str, Any]) -> dict[str, Any]:
    """The means over the questions that are not of split test."""
    count = everything["questions"] - test["questions"]
    found: dict[str, Any] = {"questions": count}
    for name in MEASURES:
        whole = everything["questions"] * everything[name]["mean"]
        tested = test["questions"] * test[name]["mean"]
        found[name] = round((whole - tested) / count, 3)
    return found
