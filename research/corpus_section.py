"""The corpus beside the paper's: how many documents, pages and headings, how deep, and how numbered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from research.markdown import head, line
from research.paper.cells import SPLITS
from research.plots import bars, boxes, heat

Values = Mapping[str, Any]


class PapersCorpus(NamedTuple):
    """What the paper has in place of a domain: its kind, its documents by split, and its deepest level."""

    kind: str
    splits: tuple[int, int, int]
    deepest: int


PAPERS = {
    "zh_fin": PapersCorpus("prospectuses and annual reports, China", (830, 100, 100), 11),
    "en_fin": PapersCorpus("annual reports, Hong Kong", (910, 100, 100), 9),
    "science": PapersCorpus("papers from arXiv", (1432, 150, 150), 4),
}
_LEVELS = range(1, 9)
_INTRODUCTION = """## The corpus

Documents whose labels are trusted, in the splits that the rows use; the paper's figures in round brackets. Of
pages, objects and headings the paper prints one figure for all: 2,300 objects and 590 headings in an average
document. Means are over the documents of all splits.
"""


def corpus_section(statistics: Values | None, cells: Values | None, images: Path) -> Iterator[str]:
    """The tables and the pictures, where the statistics of the labelled documents are kept."""
    if statistics is None:
        return
    corpora = {name: own for name, own in statistics["corpora"].items() if name in PAPERS}
    yield _INTRODUCTION
    splits = (f"{split} (paper's)" for split in SPLITS)
    yield head(("", "the paper's", *splits, "pages", "objects", "headings", "deepest (paper's)"))
    for name, own in corpora.items():
        papers = PAPERS[name]
        counted = (cells or {}).get("domains", {}).get(name, {})
        documents = [counted.get(split, {}).get("documents", "-") for split in SPLITS]
        of_paper = [f"{ours} ({theirs})" for ours, theirs in zip(documents, papers.splits, strict=True)]
        means = [f"{own[key] / own['documents']:,.0f}" for key in ("pages", "objects", "headings")]
        deepest = max(map(int, own["headings_by_level"]), default=0)
        yield line((name, papers.kind, *of_paper, *means, f"{deepest} ({papers.deepest})"))
    yield f"\nIn all, and headings by level (data `{str(statistics.get('data', ''))[:12]}`):\n"
    levels = [f"level {level}" for level in _LEVELS]
    yield head(("", "documents", "pages", "objects", "headings", *levels))
    for name, own in corpora.items():
        by_level = own["headings_by_level"]
        counts = (f"{own[key]:,}" for key in ("documents", "pages", "objects", "headings"))
        yield line((name, *counts, *(f"{by_level.get(str(level), 0):,}" for level in _LEVELS)))
    yield ""
    yield from _distributions(corpora, images)
    for name in PAPERS:
        if name in corpora:
            yield from _pictures(name, corpora[name], images)


def _distributions(corpora: Values, images: Path) -> Iterator[str]:
    """The paper's figure 2: documents by their number of objects, headings by their level."""
    sizes: dict[str, dict[str, float]] = {}
    depths: dict[str, dict[str, float]] = {}
    for name, own in corpora.items():
        for part in own["objects_per_document"]["histogram"]:
            label = f"{part['from']:,}" if part["to"] else f"{part['from']:,} on"
            sizes.setdefault(label, {})[name] = part["documents"] / own["documents"]
        for level in _LEVELS:
            share = own["headings_by_level"].get(str(level), 0) / max(1, own["headings"])
            depths.setdefault(f"level {level}", {})[name] = share
    title = "Documents by their number of objects, from so many on: share of the domain's documents"
    yield _image(images, "objects.svg", title, bars(title, sizes, top=_highest(sizes)))
    title = "Headings by level: share of the domain's headings"
    yield _image(images, "levels.svg", title, bars(title, depths, top=_highest(depths)))


def _highest(values: Mapping[str, Mapping[str, float]]) -> float:
    return max((share for own in values.values() for share in own.values()), default=1.0)


def _pictures(name: str, corpus: Values, images: Path) -> Iterator[str]:
    """The paper's figures 6 and 7 for one domain."""
    spread = {
        f"level {level}": (
            own["least"],
            own["lower_quartile"],
            own["median"],
            own["upper_quartile"],
            own["most"],
        )
        for level, own in corpus["headings_per_document_by_level"].items()
    }
    title = f"Headings of a document by level, {name}: quartiles, least and most"
    yield _image(images, f"depth-{name}.svg", title, boxes(title, spread))
    patterns = corpus["patterns_by_level"]
    used = sorted({int(pattern) for own in patterns.values() for pattern in own})
    shares = {
        f"level {level}": [own.get(str(pattern), 0) / max(1, sum(own.values())) for pattern in used]
        for level, own in patterns.items()
    }
    title = f"Item-number patterns by level, {name}: share of the level's headings; 0 is no pattern"
    yield _image(
        images, f"patterns-{name}.svg", title, heat(title, shares, [str(pattern) for pattern in used])
    )


def _image(images: Path, name: str, title: str, svg: str) -> str:
    (images / name).write_text(svg, encoding="utf-8")
    return f"\n![{title}](images/{name})\n"
