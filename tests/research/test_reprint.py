"""Documents of the corpus printed as PDFs again."""

from pathlib import Path

import pypdfium2 as pdfium
import pytest
from research.benchmarks.reprint import FONTS, reprint

pytestmark = pytest.mark.skipif(not FONTS.is_dir(), reason=f"needs Debian's fonts-liberation in {FONTS}")

STYLES = [["Times-Roman", 10.0, "000000", 0, 0, 0, 1], ["SimHei", 14.0, "aa0000", 1, 0, 0, 1]]
RUNS = [[720, 700, 1500, 800, 0, "A line of text"], [720, 1000, 1500, 1140, 1, "第一章 总则"]]


@pytest.fixture
def page(tmp_path: Path) -> pdfium.PdfPage:
    pages = [{"w": 400.0, "h": 600.0, "runs": RUNS, "rules": [[720, 900, 1500, 905]], "images": []}]
    reprint({"styles": STYLES, "pages": pages}, tmp_path / "again.pdf")
    return pdfium.PdfDocument(tmp_path / "again.pdf")[0]


def test_the_text_is_kept(page: pdfium.PdfPage) -> None:
    assert page.get_textpage().get_text_bounded().split("\r\n") == ["A line of text", "第一章 总则"]


def test_a_run_stands_where_it_stood(page: pdfium.PdfPage) -> None:
    text = page.get_textpage()
    left, _, _, _ = text.get_charbox(0)
    _, _, right, _ = text.get_charbox(len("A line of text") - 1)
    assert left == pytest.approx(72, abs=1)
    assert right == pytest.approx(150, abs=1)
