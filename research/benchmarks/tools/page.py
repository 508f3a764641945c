"""The pages about other tools in docs/research, made of the stored results and nothing else.

python -m research.benchmarks.tools.page      # writes all pages again
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from research.benchmarks.tools.catalogue import FLOOR, LICENCES, OURS, REPOSITORY

Figures = dict[str, Any]
"""What was measured, by name, as the results file has it."""

RESULTS = REPOSITORY / "research" / "benchmarks" / "results"
DOCS = REPOSITORY / "docs" / "research"
PAGES = {
    RESULTS / "extract.json": DOCS / "benchmark.md",
    RESULTS / "by-hand.json": DOCS / "benchmark-by-hand.md",
    RESULTS / "debian.json": DOCS / "benchmark-debian.md",
}

_HEAD = """# Other tools

How well do tools find the headings of a PDF, and the levels of the headings? This page compares `held` with
the tools that install from PyPI and run without downloading a model, on PDFs that `held` has never seen.
The same comparison was made on [PDFs of Debian packages](benchmark-debian.md), which anyone can fetch, and
on [complete outlines made by hand](benchmark-by-hand.md).

To run it again:

    make bench-tools WORK=work ARGS="--split test"

This installs each tool into an environment of its own below `work`. A run that was interrupted continues.
You need Linux, Java (for OpenDataLoader) and the corpus (`HELD_CORPUS`) with its original PDFs.

"""
_SEEN = """The settings of `held` were chosen with these documents in sight, so its scores here are
flattered; those of the other tools are not.

"""
_SCORES_OF = """The shipped weights learned from these documents. The scores of `held` on this page are
therefore those of version {version}.
Its speed is that of the shipped version.

"""
_BY_HAND_HEAD = """# Other tools: complete outlines

Bookmarks often list only some of the headings. The outlines of these documents were made by hand and list
all of them: annual reports (en_fin), reports of agencies (reports), Chinese prospectuses (zh_fin) and law
books (books). The rest is as in [Other tools](benchmark.md).

The original PDFs can't be distributed. They were printed again from the stored text and positions (`python
-m research.benchmarks.reprint`), with the same sizes, colours, weights and lines, but other typefaces and
no pictures.

    make bench-tools WORK=work ARGS="--by-hand"

"""
_FOLDER_HEAD = """# Other tools: PDFs of Debian packages

Anyone can run this comparison: its PDFs come from Debian packages that were drawn by lot. No document of
these packages was used to build `held`. The PDFs' own bookmarks are taken for the truth. The rest is as in
[Other tools](benchmark.md).

On Debian or Ubuntu, with Java for OpenDataLoader:

    python -m research.unseen.fetch --lot research/unseen/third-lot.jsonl -o lot
    make bench-tools WORK=work ARGS="--folder lot --files 24 --pages 20"

"""
_SCORES = """## Headings and paths

- **headings**: F1 of the headings found. Levels do not count.
- **paths**: F1 of the headings that are found *and* stand under the right chain of headings. Levels count.
- **strict**: every heading that the bookmarks do not list counts as false. Bookmarks often leave out the
  lowest levels, so in the other columns headings that may be such ones are ignored, for all tools alike.

"""
_FLAT = """## Why heading scores without levels do not measure hierarchy

Many benchmarks score headings as a list: a heading counts as found whatever its level. Such a score can't
tell a tree from a flat list. In the table every heading of every tool was set to level 1. The score of
headings stays exactly the same. Only the score of paths notices.{remark}

{table}
`python -m research.benchmarks.levels` shows the same for the sample report, with nothing but the repository.

"""
_RULES = """## How it is measured

- **Input**: the first pages of each file, without its bookmarks, and without its tags if the truth was made
  of them.
- **Calls**: one process per file, default settings, output as Markdown with pages (`held`: JSON). The
  levels are `#` to `######`. A heading belongs to the nearest heading before it that has fewer `#`. For
  each file, all tools take their turn.
- **Docling's levels**: docling finds headings with a model that it downloads, which is not allowed here. It
  then infers levels from numbers and styles, without a model. This second part is given the headings of
  `held`, all at level 1. What it gains or loses in paths against `held` is due to levels alone. It is no
  competitor, as it can't find headings here.
- **CPU-seconds**: user and system time of all processes of a call, with `OMP_NUM_THREADS=1`. Start-up is
  the cheapest of three calls on a single page.
- **Memory**: the largest total of all processes, sampled at least twice a second.
- **Truth**: the headings that the outline lists, after [the rules for labels](labels.md). Files whose
  outline these rules reject count for speed only.
- **Found**: a heading whose text is at least 0.75 similar to the title as listed or printed (ignoring case,
  spaces, hyphens and number), at most one page away. Each title counts once. Tools that give no pages may
  match on any page.
- **Ignored**: a heading that matches no listed title, but the text of an object that may be an unlisted
  heading, or a part of a listed one.
- **Right path**: all headings above it are those of the outline.
"""


def page_of(result: Figures) -> str:
    """The page as Markdown."""
    tools = result["tools"]
    pages = f"the first {result['first_pages']} pages of each" if result["first_pages"] else "all pages"
    is_folder = result.get("folder", False)
    split = "" if is_folder else f"Split {' and '.join(result['split'])}: "
    scores_of = tools.get(OURS, {}).get("scores_of")
    is_seen = not is_folder and set(result["split"]) - {"test"}
    parts = [
        _head(result),
        f"{split}{result['files']} files, {pages}, {result['pages']:,} pages in all.\n\n",
        _SEEN if is_seen else "",
        _SCORES_OF.format(version=scores_of) if scores_of else "",
        _SCORES,
        *(f"### {domain}\n\n{_domain(tools, domain)}\n" for domain in _domains(tools)),
        _ahead(tools),
        _flat(tools),
        "## Speed, memory and licence\n\n",
        _speed(tools),
        f"\n{result['speed_note']}\n\n" if "speed_note" in result else "\n",
        _whole(result.get("whole_files", {})),
        _RULES,
        _left_out(result),
    ]
    return "".join(parts)


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def _head(result: Figures) -> str:
    if result.get("folder"):
        return _FOLDER_HEAD
    return _BY_HAND_HEAD if result.get("by_hand") else _HEAD


def _domains(tools: Figures) -> list[str]:
    return sorted({domain for tool in tools.values() for domain in tool["domains"]})


def _domain(tools: Figures, domain: str) -> str:
    rows = []
    for tool in tools.values():
        row = tool["domains"][domain]
        names = ("heading_f1", "path_f1", "heading_f1_unmasked", "path_f1_unmasked")
        rows.append([tool["title"], *(f"{row[name]:.3f}" for name in names)])
    sizes = next(iter(tools.values()))["domains"][domain]
    head = f"{domain}: {sizes['files']} files, {sizes['true']:,} headings"
    return table([head, "headings", "paths", "headings, strict", "paths, strict"], rows)


def _ahead(tools: Figures) -> str:
    """Where others are better, file by file."""
    rows = [
        [file, tool["title"], f"{its:.3f}", f"{ours:.3f}"]
        for tool in tools.values()
        for file, (its, ours) in tool.get("ahead", {}).items()
    ]
    if OURS not in tools or not rows:
        return ""
    scored = sum(domain["files"] for domain in tools[OURS]["domains"].values())
    files = len({row[0] for row in rows})
    said = f"In {files} of {scored} files another tool has the better score of paths:\n\n"
    return f"### Where others are ahead\n\n{said}{table(['file', 'tool', 'its paths', 'ours'], rows)}\n"


def _flat(tools: Figures) -> str:
    """The scores of all tools with every heading at one level, of those that have them in the results."""
    rows = []
    better = 0
    for tool in tools.values():
        domains = list(tool["domains"].values())
        has_flat = all("path_f1_flat" in domain for domain in domains)
        if has_flat and any(domain["heading_f1"] for domain in domains):
            names = ("heading_f1", "heading_f1_flat", "path_f1", "path_f1_flat")
            means = [sum(domain[name] for domain in domains) / len(domains) for name in names]
            *_, with_levels, without_levels = means
            better += without_levels > with_levels
            rows.append([tool["title"], *(f"{mean:.3f}" for mean in means)])
    if not rows:
        return ""
    head = ["mean of the kinds of documents", "headings", "headings, all at level 1"]
    scores = table([*head, "paths", "paths, all at level 1"], rows)
    remark = (
        f" Without the levels that they found, {better} of the {len(rows)} tools would have a better one."
    )
    return _FLAT.format(table=scores, remark=remark if better else "")


def _speed(tools: Figures) -> str:
    floor = tools.get(FLOOR)
    rows = []
    for name, tool in tools.items():
        rate, later = tool["pages_per_cpu_second"], tool["pages_per_cpu_second_without_start"]
        share = [f"{rate / floor['pages_per_cpu_second']:.3f}"] if floor else [""]
        rows.append(
            [
                tool["title"],
                tool["version"],
                LICENCES.get(name, ""),
                rate,
                *share,
                tool["start_cpu_seconds"],
                later,
                round(tool["peak_mb"]),
            ]
        )
    head = ["tool", "version", "licence", "pages per CPU-second", "of plain text", "start-up, CPU-seconds"]
    return table([*head, "pages per CPU-second without start-up", "peak memory, MB"], rows)


def _whole(tools: Figures) -> str:
    """What long files change: start-up weighs less."""
    if not {OURS, FLOOR} <= tools.keys():
        return ""
    ratio = _ratio(tools, "pages_per_cpu_second")
    later = _ratio(tools, "pages_per_cpu_second_without_start")
    return (
        f"On all {tools[OURS]['pages']:,} pages of these files `held` reads "
        f"{tools[OURS]['pages_per_cpu_second']} pages per CPU-second and uses at most "
        f"{round(tools[OURS]['peak_mb'])} MB: {ratio:.3f} of the speed of plain text, {later:.3f} without "
        "start-up.\n\n"
    )


def _ratio(tools: Figures, name: str) -> float:
    return float(tools[OURS][name] / tools[FLOOR][name])


def _left_out(result: Figures) -> str:
    failed = [
        [tool["title"], f"{len(tool['failed'])} files: {next(iter(tool['failed'].values()))}"]
        for tool in result["tools"].values()
        if tool["failed"]
    ]
    rows = [*failed, *result["left_out"].items()]
    return f"\n## What failed or was left out\n\n{table(['tool', 'why'], rows)}"


def main() -> None:
    for results, page in PAGES.items():
        if results.is_file():
            page.write_text(page_of(json.loads(results.read_text(encoding="utf-8"))), encoding="utf-8")


if __name__ == "__main__":
    main()
