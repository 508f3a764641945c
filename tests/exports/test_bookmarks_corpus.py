"""Real documents: the tree is read back from the bookmarks, and the pages are what they were."""

import os
from io import BytesIO
from pathlib import Path

import numpy
import numpy.typing as npt
import pikepdf
import pypdfium2
import pytest

from held.exports.bookmarks import bookmarks_of, write_bookmarks
from held.hierarchy.pipeline import build_tree
from held.reading.read_pdf import read_pdf

CORPUS = Path(os.environ.get("HELD_CORPUS", Path(__file__).parents[3] / "shared" / "corpus"))
NAMES = [
    "en_fin-f9ba1710",
    "manuals-69476cbf",
    "science-2c18ec63",
    "science-a2839501",
    "word-3d1982e0",
    "zh_fin-e8c10683",
]

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(
        not (CORPUS / "pdfs").is_dir(), reason="needs the originals of the corpus: set HELD_CORPUS"
    ),
]


@pytest.mark.parametrize("name", NAMES)
def test_the_tree_is_read_back_and_the_pages_stay(name: str, tmp_path: Path) -> None:
    stripped = without_outline(CORPUS / "pdfs" / f"{name}.pdf", tmp_path / "stripped.pdf")
    hierarchy = build_tree(read_pdf(stripped, jobs=0))
    entries = bookmarks_of(hierarchy)
    content, _ = write_bookmarks(stripped, entries)
    assert [
        (entry.level, entry.title, entry.page) for entry in read_pdf(content, jobs=0, pages=[1]).outline
    ] == [(entry.level, entry.title, entry.page) for entry in entries]
    assert streams(BytesIO(content)) == streams(stripped)
    assert numpy.array_equal(drawn(content, entries[-1].page), drawn(stripped, entries[-1].page))


def without_outline(source: Path, target: Path) -> Path:
    with pikepdf.open(source) as opened:
        del opened.Root.Outlines
        opened.save(target)
    return target


def streams(source: Path | BytesIO) -> list[bytes]:
    """What each page is drawn with."""
    with pikepdf.open(source) as opened:
        return [contents(page) for page in opened.pages]


def contents(page: pikepdf.Page) -> bytes:
    parts = page.Contents
    return b"\n".join(part.read_bytes() for part in (parts if isinstance(parts, pikepdf.Array) else [parts]))


def drawn(source: Path | bytes, page: int) -> npt.NDArray[numpy.uint8]:
    with pypdfium2.PdfDocument(source) as document:
        return numpy.array(document[page - 1].render(scale=0.5).to_numpy())
