"""Writes README's table from stored results: `python -m docs.readme_table`. A test keeps it current.

Right paths are judged on whole documents. `held` and other tools are compared by headings that stand under
the right chain of headings, on the first pages of the same documents; only the best other tool is shown. The
speeds of all tools are those of one run, over the documents with outlines by hand.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
VALID = ROOT / "research" / "trees" / "results" / "valid.json"
TEST = ROOT / "research" / "trees" / "results" / "test.json"
BENCHMARK = ROOT / "research" / "benchmarks" / "results" / "extract.json"
BY_HAND = ROOT / "research" / "benchmarks" / "results" / "by-hand.json"
BEGIN, END = "<!-- results -->\n", "<!-- end of results -->\n"
NO_COMPETITORS = ("held", "docling_levels")  # docling's levels were given our headings

# Kind of document, where its paths stand, and the domain of the comparison with other tools.
BY_HAND_ROWS = (
    ("Chinese prospectuses", "prospectuses", "zh_fin"),
    ("law books", "law books", "books"),
    ("English annual reports", "annual reports", "en_fin"),
)
BY_BOOKMARK_ROWS = (("papers and theses", "science"), ("manuals", "manuals"))


def results_table() -> str:
    """The table of README as Markdown."""
    valid = _load(VALID)["by hand"]
    test = _load(TEST)["trusted documents"]["not by hand"]
    by_hand, by_bookmark = _load(BY_HAND)["tools"], _load(BENCHMARK)["tools"]
    rows = [
        (kind, valid[name]["paths"], *_path_scores(by_hand, domain)) for kind, name, domain in BY_HAND_ROWS
    ]
    rows += [
        (kind, test[domain]["paths"], *_path_scores(by_bookmark, domain)) for kind, domain in BY_BOOKMARK_ROWS
    ]
    rows.sort(key=lambda row: -row[1])
    speeds = {tool["title"]: tool["pages_per_cpu_second"] for tool in by_hand.values()}
    lines = [
        "| kind of document | right paths | headings in place | best other tool | its pages per second |",
        "| --- | --- | --- | --- | --- |",
    ]
    lines += [
        f"| {kind} | {paths:.0%} | {ours:.0%} | {best:.0%} ({title}) | {speeds[title]:.0f} |"
        for kind, paths, ours, best, title in rows
    ]
    lines += ["", f"`held` reads {speeds['held']:.0f} pages per second of one core, start-up included."]
    return "".join(f"{line}\n" for line in lines)


def readme() -> str:
    """README with the table of today's results."""
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{results_table()}{END}{after}"


def _path_scores(tools: dict[str, Any], domain: str) -> tuple[float, float, str]:
    """Our path F1 in a comparison, and that of the best other tool with its name."""
    ours = tools["held"]["domains"][domain]["path_f1"]
    others = [tool for name, tool in tools.items() if name not in NO_COMPETITORS]
    best = max(others, key=lambda tool: tool["domains"][domain]["path_f1"])
    return ours, best["domains"][domain]["path_f1"], best["title"]


def _load(path: Path) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return result


if __name__ == "__main__":
    README.write_text(readme(), encoding="utf-8")
