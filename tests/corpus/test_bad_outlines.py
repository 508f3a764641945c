"""PDFs whose outlines are broken: labelled as far as they go, or left out with a reason."""

from collections.abc import Sequence
from pathlib import Path

import pikepdf
import pytest
from reportlab.pdfgen.canvas import Canvas

from held.corpus.build import label_file
from held.corpus.sources import sources_of
from held.corpus.store import LabelledDocument

TITLES = ("Harbours", "Ships", "Tides", "Winds", "Charts")


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """A PDF with a title and a line of text on each of five pages, without an outline."""
    canvas = Canvas(str(tmp_path / "plain.pdf"))
    for title in TITLES:
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(72, 700, title)
        canvas.setFont("Helvetica", 10)
        canvas.drawString(72, 650, "ships come and go with the tide, and nobody counts them.")
        canvas.showPage()
    canvas.save()
    return tmp_path / "plain.pdf"


def labelled(path: Path) -> LabelledDocument:
    return label_file(sources_of([path])[0])


def with_outline(path: Path, items: Sequence[tuple[str, object]]) -> tuple[Path, pikepdf.Pdf]:
    """The PDF with bookmarks of these titles and destinations, before it is saved as `bad.pdf`."""
    pdf = pikepdf.open(path)
    with pdf.open_outline() as outline:
        for title, page in items:
            outline.root.append(pikepdf.OutlineItem(title, page if isinstance(page, int) else 0))
    for item, (_, page) in zip(chain_of(pdf), items, strict=True):
        if not isinstance(page, int):
            item.Dest = page
    return path.with_name("bad.pdf"), pdf


def chain_of(pdf: pikepdf.Pdf) -> list[pikepdf.Object]:
    items = [pdf.Root.Outlines.First]
    while "/Next" in items[-1]:
        items.append(items[-1].Next)
    return items


def test_an_outline_in_reverse_order_is_left_out(plain: Path) -> None:
    path, pdf = with_outline(plain, [(title, page) for page, title in enumerate(TITLES)][::-1])
    pdf.save(path)
    assert labelled(path).dropped == "outline not in reading order"


def test_destinations_outside_the_document_do_no_harm(plain: Path) -> None:
    nowhere = pikepdf.Array([999, pikepdf.Name.XYZ, 0, 700, 0])
    path, pdf = with_outline(plain, [(title, nowhere) for title in TITLES])
    pdf.save(path)
    found = labelled(path)
    assert (found.dropped, found.report.aligned) == (None, 5)


def test_a_loop_in_the_outline_ends(plain: Path) -> None:
    path, pdf = with_outline(plain, [(title, page) for page, title in enumerate(TITLES)])
    items = chain_of(pdf)
    items[-1].Next = items[0]
    items[2].First = items[1]
    pdf.save(path)
    assert {labelled(path).document.objects[i].text for i in labelled(path).headings} >= {"Harbours", "Ships"}


def test_titles_that_are_nowhere_are_missing_and_the_document_is_left_out(plain: Path) -> None:
    path, pdf = with_outline(plain, [(f"Quite another title {n}", n) for n in range(5)])
    pdf.save(path)
    found = labelled(path)
    assert (found.report.missing, found.dropped) == (5, "too few entries aligned")
