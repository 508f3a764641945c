"""A tagged PDF as the truth of its layout, and what was recognised held against it (the paper's RQ7).

A tag says what its author's program meant, so the kinds are the paper's own three: paragraphs (headings,
list items, captions, notes and contents entries among them), tables and figures. An object is right if one
block has the same text, begins on the same page and is of the same kind.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from held.document import Box, Document, Kind, PageRegion, PhysicalObject
from held.metrics import Matches, layout_matches, match_objects
from held.reading.tags import TaggedBlock, Tags

USABLE_SHARE = 0.95  # of the text must lie in P, H, L, Table or Figure blocks
_KINDS = {"Table": Kind.TABLE, "Figure": Kind.FIGURE}


@dataclass(frozen=True, slots=True)
class Miss:
    """A true block without its like, and what was recognised on its page that shares most with it."""

    page: int
    type: str
    text: str
    nearest: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LayoutScore:
    """Matches by kind, and the true paragraphs that were missed."""

    matches: dict[Kind, Matches]
    misses: list[Miss] = field(default_factory=list)


def paper_kind(obj: PhysicalObject) -> Kind:
    """Table, figure, or paragraph for everything else."""
    return obj.kind if obj.kind in (Kind.TABLE, Kind.FIGURE) else Kind.PARAGRAPH


def true_objects(tags: Tags) -> list[PhysicalObject]:
    """The blocks of a tagged PDF as objects; blocks without text, other than figures, are spacing."""
    return [_object(block) for block in tags.blocks if block.text.strip() or block.type == "Figure"]


def _object(block: TaggedBlock) -> PhysicalObject:
    parts = tuple(PageRegion(page, Box(0, 0, 0, 0)) for page in block.pages)
    return PhysicalObject(
        _KINDS.get(block.type, Kind.PARAGRAPH), block.text, parts or (PageRegion(1, Box(0, 0, 0, 0)),)
    )


def score(tags: Tags, document: Document) -> LayoutScore:
    """The agreement of the recognised objects of a document with its tags."""
    true = true_objects(tags)
    found = list(document.objects)
    matched = match_objects(true, found, kind_of=paper_kind)
    missed = [obj for i, obj in enumerate(true) if i not in matched and paper_kind(obj) is Kind.PARAGRAPH]
    misses = [_miss(obj, found) for obj in missed]
    return LayoutScore(layout_matches(true, found, kind_of=paper_kind), misses)


def _miss(obj: PhysicalObject, found: list[PhysicalObject]) -> Miss:
    """The recognised objects of a block: those of its page that share its beginning or end."""
    text = "".join(obj.text.split())
    near = []
    for other in found:
        if any(part.page == obj.page for part in other.parts):
            flat = "".join(other.text.split())
            if flat and (text[:12] in flat or text[-12:] in flat or (len(flat) > 5 and flat in text)):
                near.append(f"{other.kind}: {other.text[:160]}")
    return Miss(obj.page, obj.kind, obj.text[:160], tuple(near[:3]))


def usable_files(paths: list[Path]) -> dict[str, float]:
    """The share of text in usable blocks, for each file that has tags."""
    from held.reading.tags import read_tags

    shares = {}
    for path in paths:
        tags = read_tags(path)
        if tags.blocks:
            shares[path.stem] = round(tags.usable_share, 4)
    return shares
