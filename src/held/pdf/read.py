"""A PDF as `Pages`: runs, rules, images, fields, labels and outline, the way PDFium sees them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence

from held.document import Box, PageContent, Pages, Run, Style
from held.pdf.rawpages import RawPage, open_document, page_count, read_raw_page
from held.pdf.runs import RawRun, StyleTable

Progress = Callable[[int, int], None]


def read_pdf(
    source: str | os.PathLike[str] | bytes,
    *,
    password: str | None = None,
    pages: Sequence[int] | None = None,
    jobs: int | None = 1,
    progress: Progress | None = None,
) -> Pages:
    """The pages of a PDF file; `pages` (from 1) picks some of them."""
    assert not isinstance(source, bytes)
    styles: StyleTable = {}
    with open_document(os.fsencode(source), password.encode() if password else None) as document:
        numbers = pages or range(1, page_count(document) + 1)
        content = []
        for number in numbers:
            content.append(_page_content(read_raw_page(document, number - 1, styles)))
            if progress:
                progress(len(content), len(numbers))
    return Pages(
        source=os.path.basename(os.fspath(source)),
        styles=tuple(Style(*style) for style in styles),
        pages=tuple(content),
        first_page=numbers[0],
    )


def _page_content(raw: RawPage) -> PageContent:
    """A worker's page in points."""
    width, height, rotation, label, runs, rules, images, fields = raw
    return PageContent(
        width / 10,
        height / 10,
        _runs(runs),
        _boxes(rules),
        _boxes(images),
        _runs(fields),
        rotation,
        label or None,
    )


def _runs(runs: Iterable[RawRun]) -> tuple[Run, ...]:
    return tuple(Run(x0 / 10, y0 / 10, x1 / 10, y1 / 10, style, text) for x0, y0, x1, y1, style, text in runs)


def _boxes(boxes: Iterable[tuple[int, int, int, int]]) -> tuple[Box, ...]:
    return tuple(Box(x0 / 10, y0 / 10, x1 / 10, y1 / 10) for x0, y0, x1, y1 in boxes)
