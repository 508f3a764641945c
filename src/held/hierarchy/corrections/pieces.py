"""Objects made of objects: two pieces of a title as one, a run-in heading and its text as two."""

from __future__ import annotations

from dataclasses import replace

from held.document import PageRegion, PhysicalObject, bounding_box
from held.errors import UsageError

_CJK_FROM = "\u2e80"  # the scripts of East Asia, which set no space between words, stand from here on


def joined(first: PhysicalObject, second: PhysicalObject) -> PhysicalObject:
    """The object that both are pieces of; its style is the first one's."""
    return replace(
        first,
        text=joined_text(first.text, second.text),
        parts=_joined_parts(first.parts, second.parts),
        lines=first.lines + second.lines,
        gap_below=second.gap_below,
    )


def joined_text(first: str, second: str) -> str:
    """Both texts on one line, with a space between them where their script has one."""
    before, after = first.rstrip(), second.lstrip()
    is_cjk = before[-1:] >= _CJK_FROM and after[:1] >= _CJK_FROM
    between = "" if is_cjk or not before or not after else " "
    return f"{before}{between}{after}"


def _joined_parts(first: tuple[PageRegion, ...], second: tuple[PageRegion, ...]) -> tuple[PageRegion, ...]:
    """The parts of both; where one goes on on the page of the other, they are one part."""
    last, next_ = first[-1], second[0]
    if last.page != next_.page:
        return (*first, *second)
    together = PageRegion(last.page, bounding_box([last.box, next_.box]))
    return (*first[:-1], together, *second[1:])


def split_at(item: PhysicalObject, at: int) -> tuple[PhysicalObject, PhysicalObject]:
    """The two objects that a text makes from a character on; both keep the boxes, for lines are not known."""
    before, after = item.text[:at].rstrip(), item.text[at:].lstrip()
    if not before or not after:
        raise UsageError(f"splitting at character {at} leaves one piece empty")
    return (
        replace(item, text=before, gap_below=0.0),
        replace(item, text=after, gap_above=0.0, indent=0.0),
    )
