"""A small numbered report of our own, in which the model finds its way."""

from __future__ import annotations

from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject, Style

BODY, CHAPTER, SECTION = Style("Serif", 10.0), Style("Sans", 18.0, bold=True), Style("Sans", 13.0, bold=True)
LINES = (
    ("1 Harbours", CHAPTER),
    ("1.1 Depth", SECTION),
    ("The basin is eleven metres deep at low tide, and is dredged in spring before the ferries come.", BODY),
    ("1.2 Staff", SECTION),
    (
        "Forty pilots work in shifts of eight hours, and two of them are always on the water with a boat.",
        BODY,
    ),
    ("2 Trains", CHAPTER),
    ("2.1 Tracks", SECTION),
    (
        "The tracks were laid anew along the quay, so that each night six trains can leave for the south.",
        BODY,
    ),
    ("2.2 Sheds", SECTION),
    ("There are nine sheds beside the tracks, of which three are kept empty for the fruit of autumn.", BODY),
    ("Notes", BODY),
    ("All figures are those of the harbour office, and were not audited by anybody outside of it.", BODY),
)


def item(text: str, style: Style, place: int) -> PhysicalObject:
    top = 60.0 + 50 * place
    box = Box(72, top, 72 + min(450, 5 * len(text)), top + 12)
    lines = 1 if len(text) < 60 else 3
    return PhysicalObject(
        Kind.PARAGRAPH,
        text,
        (PageRegion(1, box),),
        style,
        lines=lines,
        gap_above=12,
        gap_below=6,
        relative_size=style.size / 10,
    )


def report() -> Document:
    objects = tuple(item(text, style, place) for place, (text, style) in enumerate(LINES))
    return Document("report.pdf", (PageSize(612, 792),), objects, body=BODY)
