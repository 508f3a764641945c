"""The corpus beside the paper's: how many documents, pages and headings, how deep, and how numbered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from research.markdown import head, line
from research.plots import boxes, heat

PAPERS = {
    "zh_fin": "1,030 prospectuses and annual reports",
    "en_fin": "1,110 annual reports of Hong Kong",
    "science": "1,732 papers from arXiv",
}
"""What the paper has in place of a domain; it prints no pages and headings but for the average below."""
_LEVELS = range(1, 9)


def corpus_section(statistics: Mapping[str, Any] | None, images: Path) -> Iterator[str]:
    """The table and the pictures, where the statistics of the labelled documents are kept."""
    if statistics is None:
        return
    corpora: Mapping[str, Any] = statistics["corpora"]
    yield "## The corpus\n"
    yield "All splits together. The paper's average document has 590 headings and 2,300 objects; its deepest"
    yield "level is 11 (Chinese), 9 (English) and 4 (arXiv).\n"
    levels = [f"level {level}" for level in _LEVELS]
    yield head(("", "the paper's", "documents", "pages", "objects", "headings", "deepest", *levels))
    for name, own in corpora.items():
        if name == "all":
            continue
        by_level = own["headings_by_level"]
        counts = (own["documents"], own.get("pages", "-"), own["objects"], own["headings"])
        deepest = max(map(int, by_level), default=0)
        cells = (by_level.get(str(level), 0) for level in _LEVELS)
        yield line((name, PAPERS.get(name, "-"), *counts, deepest, *cells))
    yield ""
    for name in PAPERS:
        if name in corpora:
            yield from _pictures(name, corpora[name], images)


def _pictures(name: str, corpus: Mapping[str, Any], images: Path) -> Iterator[str]:
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
