"""A long report for measuring how cost grows with the number of pages.

Text, tables and fonts are those of `report-en`, with sentences drawn at random for each paragraph. The fonts
come out of the committed PDF, so that nothing need be installed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from samples.blocks import Block, Figure, Heading, Table, Text, parse
from samples.canvas import write_pdf
from samples.flow import Flow
from samples.fonts import faces_from_pdf
from samples.sheet import english
from samples.slices import Book

HERE = Path(__file__).parent


def make_long(path: str | os.PathLike[str], pages: int = 3000) -> None:
    """Write a PDF of so many pages; the same number of pages gives the same file."""
    faces = faces_from_pdf(HERE / "report-en.pdf")
    flow = Flow(Book(english(faces)))
    for block in _endless(parse((HERE / "report-en.txt").read_text(encoding="utf-8")), Random(0)):
        flow.add(block)
        if len(flow.canvases) > pages:
            break
    flow.finish()
    write_pdf(Path(path), flow.canvases[:pages], faces, title="A long report")


def _endless(blocks: tuple[Block, ...], random: Random) -> Iterator[Block]:
    """The report over and over, with new chapter numbers and newly mixed paragraphs."""
    bodies = [block.text for block in blocks if isinstance(block, Text) and block.role == "body"]
    sentences = [s for body in bodies for s in re.split(r"(?<=[a-z]\.) (?=[A-Z])", body) if "*" not in s]
    chapter = 0
    while True:
        for block in blocks:
            if isinstance(block, Heading) and block.level > 1:
                chapter += block.level == 2
                title = re.sub(r"^\d+", str(chapter), block.title)
                yield replace(block, title=title)
            elif isinstance(block, Text) and block.role == "body":
                yield Text("body", " ".join(random.sample(sentences, random.randint(2, 6))))
            elif isinstance(block, (Text, Table, Figure)):
                yield block
