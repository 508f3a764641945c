"""The tables of the trials in docs/generalisation.md, from the results that they wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

MARKS = ("<!-- trials -->", "<!-- end of trials -->")
_COLUMNS = ("paths", "of headings", "parents", "TEDS")
_WEIGHTS = {"paths": "objects", "of headings": "headings", "parents": "found", "TEDS": "documents"}
_VARIANTS = ("trees alone", "network alone", "mixed by half")

Figures = Mapping[str, Any]


def write_trials(results: Mapping[str, Figures], page: Path) -> None:
    """Puts the tables between the marks of the page, where there is such a page."""
    if not page.exists():
        return
    text = page.read_text(encoding="utf-8")
    start, end = text.index(MARKS[0]) + len(MARKS[0]), text.index(MARKS[1])
    page.write_text(f"{text[:start]}\n\n{markdown(results)}\n{text[end:]}", encoding="utf-8")


def markdown(results: Mapping[str, Figures]) -> str:
    """A table for each part; the folds of a domain are one part."""
    parts: dict[str, dict[str, list[Figures]]] = {}
    for found in results.values():
        name = found["part"].partition(" fold ")[0]
        title = f"{name}, by grouped folds" if " fold " in found["part"] else f"{name} left out"
        parts.setdefault(title, {}).setdefault(found["way"], []).append(found)
    return "\n".join(line for title, ways in parts.items() for line in _part(title, ways))


def _part(title: str, ways: Mapping[str, Sequence[Figures]]) -> Iterator[str]:
    learnt = {each["origin"]["seen"] for found in ways.values() for each in found}
    amount = " to ".join(str(count) for count in sorted({min(learnt), max(learnt)}))
    yield f"### {title.replace('+', ', ')}; {amount} documents learnt from\n"
    yield "| | domain | heading F1 | tree step, headings given | | | | both steps | | | |"
    yield f"| {'--- | ' * 11}".rstrip()
    yield f"| | | | {' | '.join(_COLUMNS)} | {' | '.join(_COLUMNS)} |"
    for way, found in ways.items():
        yield from _rows(way, found)
        for variant in _VARIANTS:
            if all(variant in each for each in found):
                yield from _rows(f"{way}: {variant}", [each[variant] for each in found])
    yield ""


def _rows(name: str, found: Sequence[Figures]) -> Iterator[str]:
    domains = dict.fromkeys(domain for each in found for domain in each["F1"])
    for domain in domains:
        own = [each for each in found if domain in each["F1"]]
        cells = [_cell(_f1(own, domain))]
        for step in ("given", "both"):
            cells += [_cell(_mean(own, step, domain, column)) for column in _COLUMNS]
        yield f"| {name} | {domain} | {' | '.join(cells)} |"


def _f1(found: Sequence[Figures], domain: str) -> float | None:
    """The F1 of all folds together."""
    if len(found) == 1:
        value: float = found[0]["F1"][domain]
        return value
    matches = [each["matches"][domain] for each in found]
    total = sum(m["true"] + m["found"] for m in matches)
    return float(2 * sum(m["both"] for m in matches) / total)


def _mean(found: Sequence[Figures], step: str, domain: str, column: str) -> float | None:
    """A figure of all folds together, each weighed by what it was counted over."""
    values = [each[step][domain].get(column) for each in found]
    if None in values:
        return None
    if len(found) == 1:
        only: float = values[0]
        return only
    by = _WEIGHTS[column]
    weights = [each[by][domain] if by == "documents" else each[step][domain][by] for each in found]
    return float(sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights))


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}".replace("0.", ".", 1)
