"""Text in stretches that are set alike: what every form with emphasis is written from.

Spans may overlap (bold and italic) and come from other engines, so nothing is assumed of them but that they
lie within the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from held.document import Mark, Span


class Stretch(NamedTuple):
    """A piece of a text with the marks that hold for all of it, and the footnote that it refers to."""

    text: str
    marks: frozenset[Mark] = frozenset()
    note: str = ""


def stretches(text: str, spans: Sequence[Span]) -> Iterator[Stretch]:
    """The text cut wherever a span begins or ends."""
    edges = {0, len(text)}
    for span in spans:
        edges |= {min(span.start, len(text)), min(span.end, len(text))}
    cuts = sorted(edges)
    for start, end in pairwise(cuts):
        over = [span for span in spans if span.start <= start and end <= span.end]
        note = next((span.note for span in over if span.note), "")
        yield Stretch(text[start:end], frozenset(span.mark for span in over), note)


def shifted(spans: Sequence[Span], by: int) -> tuple[Span, ...]:
    """The spans of a text whose first characters are left out."""
    kept = [span for span in spans if span.end > by]
    return tuple(span._replace(start=max(0, span.start - by), end=span.end - by) for span in kept)
