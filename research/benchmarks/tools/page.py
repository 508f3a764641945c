"""docs/research/benchmark.md, made of the results and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from research.benchmarks.tools.catalogue import DOCLING, FLOOR, OURS, WITH_LAYOUT

Figures = dict[str, Any]
"""What was measured, by name, as the results file has it."""

_HEAD = """# Against the tools people use

From PDF to headings with their levels: `held` beside what else installs from PyPI and needs no download
when it runs. This page is written by the script that measures:

    make bench-tools WORK=work ARGS="--split test"

It installs each tool into an environment of its own below `work`, and goes on where it was ended. It needs
the corpus (`HELD_CORPUS`) with its originals, Linux, and Java for OpenDataLoader.

"""
_SEEN = """`held` was trained on train, and its settings were chosen on valid: on these files its F1 is
flattered, that of the others is not. Only a run on test compares them fairly.

"""
_BY_HAND_HEAD = """# Against the tools people use: complete outlines

The same comparison as in [benchmark.md](benchmark.md), on documents whose outlines were made by hand and list
every heading: annual reports, agency reports, prospectuses and law books. Their originals are not kept, so
the pages were printed again from what the corpus stores (`python -m research.benchmarks.reprint`): same text,
places, sizes, colours, weights and rules; other typefaces, no pictures. The script that measures writes this
page:

    make bench-tools WORK=work ARGS="--by-hand"

"""
_RULES = """## How it is measured

The rules are the same for all tools. Those for what is true, found and right were set before anything was
measured. How many pages are given was chosen by how long a run may take. What `held` costs is taken from an
installed copy: read from a source folder without compiled modules it had started more slowly.

- **Input**: the first pages of each file, its outline taken out (and its tags, where the outline in the
  corpus was made of them).
- **Calls**: one process per document, on default settings, for Markdown with pages (`held`: its JSON). `#` to
  `######` are the levels of Markdown; a heading hangs under the nearest one before it with fewer `#`. All
  tools take their turn on a file before the next file.
- **Docling's levels**: docling finds headings by a model that it downloads, and then infers their levels (an
  option) by numbers and by how they look, which needs none. That second half is given the headings of `held`,
  all at level 1, and the pages as docling reads them: what it loses or gains in paths against `held` is a
  matter of levels alone, and its cost is that of both. For the goals, which are about tools that find their
  own headings, it does not count.
- **CPU-seconds**: user and system time of all processes that a call starts, with `OMP_NUM_THREADS=1`.
  Start-up is the cheapest of three calls on a single page.
- **Memory**: the most that all these processes held at once, looked at every half second at least.
- **Truth**: the headings that the outline in the corpus lists, after [the rules for labels](labels.md): no
  junk, no lone root. Documents that those rules leave out count for speed only. Headings on later pages than
  were given count nowhere.
- **Found**: a tool's heading reads like the title as listed or as printed (case, spaces, hyphens and number
  aside; at least 0.75 alike) and stands at most one page off. Each counts once. A tool that tells no pages
  may match on any.
- **Unlisted headings count against nobody**: a tool's heading that matches no listed one is left out if it
  has the text of an object that may be a heading the outline leaves out (`unknown` in the labels), a part of
  that text, or twice it at most; or is a piece of a listed heading on its page. All else that a tool calls a
  heading is false. The second pair of columns is without this mercy: all that is not listed is false.
- **Path**: a heading that is found counts if the chain of its ancestors is that of the outline, headings left
  out above not among them.
"""


def page_of(result: Figures) -> str:
    """The page as Markdown."""
    tools = result["tools"]
    pages = f"the first {result['first_pages']} pages of each" if result["first_pages"] else "all pages"
    parts = [
        _BY_HAND_HEAD if result.get("by_hand") else _HEAD,
        f"Split {' and '.join(result['split'])}: {result['files']} files, {pages}, "
        f"{result['pages']:,} pages in all.\n\n",
        _SEEN if set(result["split"]) - {"test"} else "",
        "## Headings and paths\n\nF1, the outline taken for the truth.\n\n",
        *(f"### {domain}\n\n{_domain(tools, domain)}\n" for domain in _domains(tools)),
        _ahead(tools),
        "## Speed and memory\n\n",
        _speed(tools),
        "\n",
        _whole(result.get("whole_files", {})),
        "" if result.get("by_hand") else _goals(tools),
        _RULES,
        _left_out(result),
    ]
    return "".join(parts)


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


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
    return table([head, "headings", "paths", "headings, all others false", "paths, all others false"], rows)


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
    said = (
        f"Of {scored} files with outlines to be trusted, those where another tool has the better path F1:\n\n"
    )
    return f"### Where others are ahead\n\n{said}{table(['file', 'tool', 'its paths', 'ours'], rows)}\n"


def _speed(tools: Figures) -> str:
    floor = tools.get(FLOOR)
    rows = []
    for tool in tools.values():
        rate, later = tool["pages_per_cpu_second"], tool["pages_per_cpu_second_without_start"]
        share = [f"{rate / floor['pages_per_cpu_second']:.3f}"] if floor else [""]
        rows.append(
            [
                tool["title"],
                tool["version"],
                rate,
                *share,
                tool["start_cpu_seconds"],
                later,
                round(tool["peak_mb"]),
            ]
        )
    head = ["tool", "version", "pages per CPU-second", "of plain text", "start-up, CPU-seconds"]
    return table([*head, "pages per CPU-second without start-up", "peak memory, MB"], rows)


def _whole(tools: Figures) -> str:
    """What long files change: start-up weighs less."""
    if not {OURS, FLOOR} <= tools.keys():
        return ""
    ratio = _ratio(tools, FLOOR, "pages_per_cpu_second")
    later = _ratio(tools, FLOOR, "pages_per_cpu_second_without_start")
    return (
        f"On the same files with all of their {tools[OURS]['pages']:,} pages `held` does "
        f"{tools[OURS]['pages_per_cpu_second']} pages per CPU-second and takes at most "
        f"{round(tools[OURS]['peak_mb'])} MB: {ratio:.3f} of the speed of plain text, {later:.3f} without "
        "start-up.\n\n"
    )


def _goals(tools: Figures) -> str:
    """What was aimed at, and what was reached."""
    rows = list(_goal_rows(tools)) if OURS in tools else []
    return f"## Goals\n\n{table(['goal', 'reached', ''], rows)}\n" if rows else ""


def _goal_rows(tools: Figures) -> Iterator[tuple[str, str, str]]:
    compared = tools[OURS]["domains"] if tools.keys() - {OURS, FLOOR, DOCLING} else {}
    for domain in ("science", "manuals"):
        if domain in compared:
            ours, best, title = _paths(tools, domain)
            said = f"{ours:.3f} against {best:.3f} ({title})"
            yield f"path F1 on {domain} 0.15 above the best other", said, _verdict(ours >= best + 0.15)
    if "zh_fin" in compared:
        ours, best, title = _paths(tools, "zh_fin")
        yield (
            "path F1 on zh_fin three times the best other",
            f"{ours:.3f} against {best:.3f} ({title})",
            _verdict(ours >= 3 * best),
        )
    for other, least, said in (
        (WITH_LAYOUT, 20.0, "20 times the speed of PyMuPDF4LLM with layout"),
        (FLOOR, 0.2, "0.2 of the speed of plain text"),
    ):
        if other in tools and tools[other]["pages_per_cpu_second"]:
            ratio = _ratio(tools, other, "pages_per_cpu_second")
            later = _ratio(tools, other, "pages_per_cpu_second_without_start")
            yield said, f"{ratio:.3g}; without start-up {later:.3g}", _verdict(ratio >= least)


def _paths(tools: Figures, domain: str) -> tuple[float, float, str]:
    """Our path F1, and the best of the tools that find their own headings, with its name."""
    ours = tools[OURS]["domains"][domain]["path_f1"]
    others = [tool for name, tool in tools.items() if name not in (OURS, DOCLING)]
    return (ours, *max((tool["domains"][domain]["path_f1"], tool["title"]) for tool in others))


def _ratio(tools: Figures, other: str, name: str) -> float:
    return float(tools[OURS][name] / tools[other][name])


def _verdict(reached: bool) -> str:
    return "reached" if reached else "missed"


def _left_out(result: Figures) -> str:
    failed = [
        [tool["title"], f"{len(tool['failed'])} files: {next(iter(tool['failed'].values()))}"]
        for tool in result["tools"].values()
        if tool["failed"]
    ]
    rows = [*failed, *result["left_out"].items()]
    return f"\n## What failed or was left out\n\n{table(['tool', 'why'], rows)}"
