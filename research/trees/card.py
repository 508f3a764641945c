"""The model card of preset `base`: its origin and its scores, from files that commands wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from held.models.store import ModelKind, load_model, model_card, save_model

_MASKED = ("heading step", "tree step", "tree step, objects", "both steps")
_SIMILAR = ("tree step, TEDS", "both steps, TEDS")
_TRAIN_ONLY = (
    "By weights of the same settings that learnt from train alone; those that ship learnt from valid, too.\n"
)
_TABLES = (*_MASKED, *_SIMILAR, "heading step, unmasked", "tree step, unmasked", "both steps, unmasked")


def write_card(weights: Path, results: Path, card: Path) -> None:
    """Stores the scores on valid in both models, and writes the card."""
    scores = json.loads((results / "valid.json").read_text(encoding="utf-8"))
    parts = []
    for kind, table in ((ModelKind.HEADINGS, "heading step"), (ModelKind.PUT_OR_SKIP, "tree step, objects")):
        model = replace(load_model(weights, kind), scores=scores[table])
        save_model(weights / f"{kind}.held", model)
        parts.append(model_card(model))
    sections = [*parts, f"# Both steps on valid\n\n{_TRAIN_ONLY}"]
    sections += _sections(scores)
    folds = results / "folds.json"
    if folds.exists():
        crossed = json.loads(folds.read_text(encoding="utf-8"))
        sections.append("# By grouped cross-validation over train and valid\n")
        sections += _sections(crossed)
    test = results / "test.json"
    if test.exists():
        for documents in ("trusted documents", "all documents"):
            found = json.loads(test.read_text(encoding="utf-8"))[documents]
            sections.append(f"# On test: {documents} ({found['documents']})\n")
            sections += _sections(found)
    card.write_text("\n".join(sections), encoding="utf-8")


def _sections(tables: Mapping[str, Any]) -> list[str]:
    """A section for each table that a results file has."""
    return [f"## {name}\n\n{_markdown(tables[name])}" for name in _TABLES if name in tables]


def _markdown(table: Mapping[str, Mapping[str, Any]]) -> str:
    """A table of figures by domain."""
    columns = list(next(iter(table.values())))
    lines = [f"| | {' | '.join(columns)} |", f"| --- {'| --- ' * len(columns)}|"]
    lines += [f"| {domain} | {' | '.join(_cell(row[c]) for c in columns)} |" for domain, row in table.items()]
    return "\n".join([*lines, ""])


def _cell(value: Any) -> str:
    if isinstance(value, float) and value == value:
        return f"{value:.0f}" if value > 1 else f"{value:.4f}"
    return "-" if isinstance(value, float) else str(value)
