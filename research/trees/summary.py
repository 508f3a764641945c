"""One table of what trials found: documents by models that have not seen their group, or their whole domain.

    python -m research.trees.run summary --work out/trials --results research/trees/results

Trials keep every document's counts, which is too much to store; this adds them up by variant and domain.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

FOLDS, LEFT_OUT = "grouped folds", "domain left out"

Scores = dict[str, float]
Table = dict[str, dict[str, dict[str, Scores]]]  # setting, variant, domain


def read_trials(work: Path) -> Iterator[dict[str, Any]]:
    """The trials that are kept in a folder, each with its part and its way of training."""
    for path in sorted(work.glob("*_-_*.json")):
        part, way = path.stem.replace("_", " ").split(" - ")
        yield {"part": part, "way": way, **json.loads(path.read_text(encoding="utf-8"))}


def summarise(trials: Iterable[Mapping[str, Any]]) -> Table:
    """Heading F1, paths and parents of all trials, added up by setting, variant and domain."""
    matches: dict[tuple[str, str, str], list[int]] = {}
    trees: dict[tuple[str, str, str], dict[str, list[int]]] = {}
    for trial in trials:
        setting = FOLDS if " fold " in trial["part"] else LEFT_OUT
        for domain, found in trial["matches"].items():
            counts = matches.setdefault((setting, trial["way"], domain), [0, 0, 0])
            for place, name in enumerate(("both", "found", "true")):
                counts[place] += found[name]
        for headings in ("given", "both"):
            for document, found in trial[f"{headings} by document"].items():
                key = (setting, trial["way"], document.rpartition("-")[0])
                counts = trees.setdefault(key, {}).setdefault(headings, [0, 0, 0, 0])
                for place, count in enumerate(found):
                    counts[place] += count
    table: Table = {}
    for key, (both, found, true) in sorted(matches.items()):
        setting, variant, domain = key
        figures = {"F1": 2 * both / (found + true)}
        for headings, (paths, objects, parents, of) in trees.get(key, {}).items():
            figures[f"{headings} paths"] = paths / objects if objects else 0.0
            figures[f"{headings} parents"] = parents / of if of else 0.0
        rounded = {name: round(value, 4) for name, value in figures.items()}
        table.setdefault(setting, {}).setdefault(variant, {})[domain] = rounded
    return table


def markdown(table: Table) -> Iterator[str]:
    """A table for each setting: paths and parents after both steps, by domain."""
    for setting, variants in table.items():
        domains = sorted({domain for figures in variants.values() for domain in figures})
        yield f"\n### By {setting}\n"
        yield f"| paths, parents | {' | '.join(domains)} |"
        yield f"| --- {'| --- ' * len(domains)}|"
        for variant, figures in variants.items():
            cells = [_cell(figures[domain]) if domain in figures else "" for domain in domains]
            yield f"| {variant} | {' | '.join(cells)} |"


def _cell(figures: Scores) -> str:
    return f"{figures['both paths']:.3f}, {figures['both parents']:.3f}"
