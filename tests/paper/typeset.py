"""Documents written down as lines: "size flags text", the body being 10 points."""

from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject, Style
from held.headings.object_features import DocumentFeatures

BODY = Style("Times", 10.0)


def typeset(*lines: str) -> DocumentFeatures:
    """The document of such lines: "14b Title" is bold at 14 points; c is for capitals, i for italic."""
    objects = []
    for number, line in enumerate(lines):
        setting, _, text = line.partition(" ")
        size = float(setting.rstrip("bci"))
        style = Style("Times", size, bold="b" in setting, italic="i" in setting)
        box = Box(50, 20 + number, 500, 21 + number)
        objects.append(
            PhysicalObject(
                Kind.PARAGRAPH,
                text,
                (PageRegion(1, box),),
                style,
                caps="c" in setting,
                relative_size=size / 10,
            )
        )
    return DocumentFeatures(Document("made", (PageSize(600, 800),), tuple(objects), body=BODY))


def all_of(document: DocumentFeatures) -> tuple[int, ...]:
    return tuple(range(len(document.objects)))
