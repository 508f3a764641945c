"""A small typesetter: pages of runs as a PDF reader would give them, for tests of the layout."""

from collections.abc import Sequence

import pytest

from held.document import Box, Document, PageContent, Pages, PhysicalObject, Run, Style
from held.layout.recognise import recognise

LEFT, RIGHT, TOP, PITCH = 60.0, 540.0, 80.0, 13.0


class Typesetter:
    """Sets text onto pages, half an em a letter and an em a Chinese character."""

    def __init__(self) -> None:
        self.styles: list[Style] = []
        self.pages: list[list[Run]] = [[]]
        self.images: list[list[Box]] = [[]]
        self.rules: list[list[Box]] = [[]]
        self.y = TOP

    def new_page(self) -> None:
        self.pages.append([])
        self.images.append([])
        self.rules.append([])
        self.y = TOP

    def put(
        self, text: str, x: float = LEFT, y: float | None = None, *, size: float = 10.0, **style: object
    ) -> float:
        """Sets one run and gives back where it ends; without `y`, on the next line."""
        if y is None:
            y = self.y
            self.y += 1.3 * size
        face = Style(**({"font": "Body", "size": size} | style))  # type: ignore[arg-type]
        if face not in self.styles:
            self.styles.append(face)
        x1 = x + width(text, size)
        self.pages[-1].append(Run(x, y, x1, y + size, self.styles.index(face), text))
        return x1

    def paragraph(self, text: str, *, left: float = LEFT, right: float = RIGHT, indent: float = 0.0) -> None:
        """Sets a paragraph, broken into lines where they are full."""
        x, line = left + indent, ""
        for word in text.split():
            longer = f"{line} {word}".strip()
            if x + width(longer, 10) > right:
                self.put(line, x)
                x, line = left, word
            else:
                line = longer
        self.put(line, x)

    def image(self, x0: float, y0: float, x1: float, y1: float) -> None:
        self.images[-1].append(Box(x0, y0, x1, y1))

    def rule(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """Draws a line, or the edges of a box."""
        self.rules[-1].append(Box(x0, y0, x1, y1))

    def skip(self, points: float) -> None:
        self.y += points

    def document(self) -> Document:
        content = tuple(
            PageContent(600, 850, runs=tuple(runs), images=tuple(images), rules=tuple(rules))
            for runs, images, rules in zip(self.pages, self.images, self.rules, strict=True)
        )
        return recognise(Pages("test", tuple(self.styles), content))

    def objects(self) -> Sequence[PhysicalObject]:
        return self.document().objects

    def texts(self) -> list[str]:
        return [o.text for o in self.objects()]


def width(text: str, size: float) -> float:
    return sum(size if c >= "\u2e80" else size / 2 for c in text)


@pytest.fixture
def sheet() -> Typesetter:
    return Typesetter()
