"""Writes the tables of docs/research/generalisation.md and languages.md from the stored results.

    python -m research.trees.page

`valid.json` and `test.json` are of the weights of today, `valid-earlier.json` and `test-earlier.json` of
those before, `unshipped.json` of a later training that did not ship, `folds.json` of grouped folds, and
`summary.json` of trials. A table stands between marks:
<!-- by hand --> and <!-- end of by hand -->.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from research.markdown import figure, line
from research.trees.measure import KINDS_BY_HAND
from research.trees.summary import FOLDS, LEFT_OUT

ROOT = Path(__file__).parents[2]
RESULTS = Path(__file__).with_name("results")
PAGES = ("generalisation.md", "languages.md")
_DIGITS = 3
MEASURES = {"F1": "heading F1", "paths": "paths", "parents": "parents"}

Results = Mapping[str, Any]


def main() -> None:
    """Write both pages."""
    results = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in RESULTS.glob("*.json")}
    tables = {
        "by hand": before_and_now(results["valid-earlier"], results["valid"], ("by hand",)),
        "not by hand": before_and_now(results["valid-earlier"], results["valid"], ("not by hand",)),
        "valid by language": before_and_now(results["valid-earlier"], results["valid"], ("by language",)),
        "test by language": before_and_now(
            _trusted(results["test-earlier"]), _trusted(results["test"]), ("by language",)
        ),
    }
    if "unshipped" in results:  # a later training that did not ship; "before" are the weights that ship
        unshipped, groups = results["unshipped"], ("by hand", "not by hand")
        tables["unshipped, valid"] = before_and_now(results["valid"], unshipped["valid"], groups)
        tables["unshipped, test"] = before_and_now(_trusted(results["test"]), unshipped["test"], groups)
    if "folds" in results:  # they take half an hour, and are not measured with every training
        tables["folds"] = now(results["folds"], ("by hand", "not by hand"))
        tables["folds by language"] = now(results["folds"], ("by language",))
    if "summary" in results:
        tables["trials by folds"] = ways(results["summary"][FOLDS], KINDS_BY_HAND)
        tables["trials of domains left out"] = domains(results["summary"][LEFT_OUT]["as shipped"])
    for name in PAGES:
        page = ROOT / "docs" / "research" / name
        page.write_text(with_tables(page.read_text(encoding="utf-8"), tables), encoding="utf-8")


def with_tables(page: str, tables: Mapping[str, str]) -> str:
    """The page with each table between its marks, where it has such marks."""
    for name, table in tables.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        if begin in page:
            before, rest = page.split(begin, 1)
            after = rest.split(end, 1)[1]
            page = f"{before}{begin}{table}\n{end}{after}"
    return page


def before_and_now(earlier: Results, today: Results, groups: Sequence[str]) -> str:
    """A table with two columns for each measure; `-` where the earlier results have no such row."""
    head = [f"{title} {when}" for title in MEASURES.values() for when in ("before", "now")]
    rows = []
    for group in groups:
        for name, figures in today[group].items():
            old = earlier[group].get(name)
            cells = [
                figure(value, _DIGITS)
                for measure in MEASURES
                for value in (old[measure] if old else None, figures[measure])
            ]
            rows.append([name, str(figures["documents"]), *cells])
    return _table(["", "documents", *head], rows)


def now(today: Results, groups: Sequence[str]) -> str:
    """A table with a column for each measure."""
    rows = [
        [name, str(figures["documents"]), *(figure(figures[measure], _DIGITS) for measure in MEASURES)]
        for group in groups
        for name, figures in today[group].items()
    ]
    return _table(["", "documents", *MEASURES.values()], rows)


def ways(found: Results, names: Mapping[str, str]) -> str:
    """A row for each way of training, with paths and parents of each kind of documents."""
    kinds = [domain for domain in names if any(domain in figures for figures in found.values())]
    rows = [
        [way, *(_pair(figures.get(domain, {}), "both paths", "both parents") for domain in kinds)]
        for way, figures in found.items()
    ]
    return _table(["paths, parents", *(names[domain] for domain in kinds)], rows)


def domains(found: Results) -> str:
    """A row for each domain that was left out."""
    measures = ("F1", "both paths", "both parents", "given paths", "given parents")
    rows = [
        [domain, *(figure(figures[name], _DIGITS) for name in measures)] for domain, figures in found.items()
    ]
    given = ("paths, true headings", "parents, true headings")
    return _table(["left out", *MEASURES.values(), *given], rows)


def _pair(figures: Mapping[str, float], *names: str) -> str:
    return ", ".join(figure(figures.get(name), _DIGITS) for name in names)


def _trusted(test: Results) -> Results:
    trusted: Results = test["trusted documents"]
    return trusted


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join(map(line, [head, rule, *rows]))


if __name__ == "__main__":
    main()
