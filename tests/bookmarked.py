"""Small bookmarked PDFs, as tests and benchmarks need them by the dozen."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

_LINES = 12


class Heading(NamedTuple):
    """A heading: how deep it stands, from 0, and what the text below it is about."""

    level: int
    title: str
    about: str


def write_bookmarked(path: Path, headings: Iterable[Heading], *, password: str | None = None) -> Path:
    """A PDF with each heading on a page of its own, bookmarked, over some lines of text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    canvas = Canvas(str(path), invariant=1, encrypt=password and StandardEncryption(password))
    for level, title, about in headings:
        canvas.bookmarkPage(title)
        canvas.addOutlineEntry(title, title, level=level)
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(72, 720, title)
        canvas.setFont("Helvetica", 10)
        for line in range(_LINES):
            canvas.drawString(72, 690 - 14 * line, f"Line {line} {about} says that ships come and go.")
        canvas.showPage()
    canvas.save()
    return path
