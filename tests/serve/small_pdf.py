"""A small report of our own as a PDF, in which the model finds its way."""

from __future__ import annotations

from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

SENTENCE = "The harbour office counts every ship that comes in, and tells the town how many of them stay. "
HEADINGS = (
    ("1 Harbours", 20),
    ("1.1 Depth", 14),
    ("1.2 Staff", 14),
    ("2 Trains", 20),
    ("2.1 Tracks", 14),
    ("2.2 Sheds", 14),
    ("3 Markets", 20),
    ("3.1 Fish", 14),
    ("3.2 Fruit", 14),
)


def write_report(path: Path, *, pages: int = 3) -> Path:
    """A PDF of so many pages, three headings and some text on each."""
    canvas = Canvas(str(path), pagesize=A4)
    for page in range(pages):
        y = 780.0
        for number in range(3):
            title, size = HEADINGS[(3 * page + number) % len(HEADINGS)]
            canvas.setFont("Helvetica-Bold", size)
            canvas.drawString(72, y, title)
            y -= 2 * size
            canvas.setFont("Times-Roman", 11)
            for _ in range(6):
                canvas.drawString(72, y, SENTENCE[:88])
                y -= 14
            y -= 30
        canvas.showPage()
    canvas.save()
    return path
