"""A small document of our own, as the JSON forms that the commands read."""

import json
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from held.cli import main
from held.document import PageContent, Pages, Run, Style
from held.document_json import pages_to_json
from held.system.bounded_json import write_json
from tests.bookmarked import Heading, write_bookmarked


class Result(NamedTuple):
    code: int
    out: str
    err: str


Held = Callable[..., Result]


@pytest.fixture(autouse=True, scope="session")
def _interruptible() -> Iterator[None]:
    """Lets commands be interrupted though a shell that runs tests in the background makes them ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def held(capfdbinary: pytest.CaptureFixture[bytes]) -> Held:
    """Runs the command line and gives back exit code, stdout and stderr."""

    def run(*arguments: object) -> Result:
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        captured = capfdbinary.readouterr()
        assert isinstance(ended.value.code, int)
        return Result(ended.value.code, captured.out.decode(), captured.err.decode())

    return run


@pytest.fixture
def document_file(tmp_path: Path) -> Path:
    """Objects on two pages, with a table, furniture and a note."""
    path = tmp_path / "harbour.json"
    heading = {"text": "1 港口 Harbours", "kind": "heading", "page": 1, "box": [72, 72, 300, 90]}
    table = {"text": "", "kind": "table", "page": 2, "box": [72, 72, 500, 120]}
    value = {
        "objects": [
            heading | {"style": {"font": "Serif", "size": 14, "bold": True}},
            {"text": "Ships come. " * 30, "page": 1, "box": [72, 100, 500, 200]},
            table | {"rows": [["Year", "Ships"], ["1", "7"]]},
        ],
        "furniture": [{"text": "2", "kind": "page_number", "page": 2, "box": [290, 800, 300, 810]}],
        "pages": [{"width": 595, "height": 842}] * 2,
        "notes": [{"page": 2, "message": "a font has no Unicode map"}],
    }
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


@pytest.fixture
def pages_file(tmp_path: Path) -> Path:
    """Three pages of runs."""
    styles = (Style("Serif", 10.0), Style("Serif", 14.0, bold=True))
    page = PageContent(
        595.0,
        842.0,
        runs=(Run(72, 72, 200, 86, 1, "1 Harbours 港口"), Run(72, 100, 400, 110, 0, "Ships come and go.")),
    )
    path = tmp_path / "pages.json.xz"
    write_json(path, pages_to_json(Pages("harbour.pdf", styles, (page,) * 3)))
    return path


def write_report(path: Path, title: str = "Harbours", *, password: str | None = None) -> Path:
    """A small PDF with a chapter and its section, bookmarked, each on a page of its own."""
    chapter = Heading(0, f"1 {title}", about=f"on {title.lower()}")
    section = Heading(1, "1.1 Ships", about="on ships")
    return write_bookmarked(path, [chapter, section], password=password)


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """A PDF of two pages."""
    return write_report(tmp_path / "report.pdf")


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A folder of twelve PDFs in folders of their own: one is broken, one encrypted, one scanned."""
    folder = tmp_path / "library"
    for number in range(9):
        write_report(folder / f"year {number % 3}" / f"report-{number}.pdf", f"Harbours of {number}")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\n" + b"\x00" * 500)
    write_report(folder / "locked.pdf", password="harbour")
    scan = Canvas(str(folder / "scan.PDF"))
    scan.drawImage(ImageReader(Image.new("L", (60, 80), 128)), 0, 0, 600, 800)
    scan.save()
    return folder
