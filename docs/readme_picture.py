"""Takes README's picture in a real browser: `python -m docs.readme_picture`.

On the left a page of the sample report, on the right the HTML that `held` makes of the report, at the same
section. Both come from the sample and today's code, so the picture is as current as its last run.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pypdfium2

import held
from tests.browser.conftest import PROGRAMS
from tests.browser.devtools import running

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "samples" / "report-en.pdf"
PICTURE = ROOT / "docs" / "images" / "extract.png"
PAGE = 9  # of the sample, from 1
SECTION = "2-2-markets"  # on that page
WIDTH, HEIGHT = 1500, 694
PAGE_WIDTH = 491
PIXELS_PER_POINT = 2.0

_FRAME = """<!doctype html><style>
body {{ margin: 0; display: flex; background: #d5d9de; }}
img {{ width: {page}px; height: {height}px; object-fit: cover; object-position: top; background: white; }}
iframe {{ margin-left: 22px; width: {text}px; height: {height}px; border: 0; }}
</style><img src="page.png"><iframe src="report.html#{section}"></iframe>"""


def main() -> None:
    """Writes the picture anew."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        raise SystemExit("there is no Chromium here: `make chromium` installs it on Debian, as root")
    with TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        page = pypdfium2.PdfDocument(SAMPLE)[PAGE - 1]
        page.render(scale=PIXELS_PER_POINT).to_pil().save(folder / "page.png")
        held.extract(SAMPLE).save(folder / "report.html")
        text_width = WIDTH - PAGE_WIDTH - 22
        frame = _FRAME.format(page=PAGE_WIDTH, text=text_width, height=HEIGHT, section=SECTION)
        (folder / "frame.html").write_text(frame, encoding="utf-8")
        with running(program, folder / "profile") as browser:
            tab = browser.tab()
            tab.go((folder / "frame.html").as_uri(), width=WIDTH, height=HEIGHT)
            tab.value("new Promise(done => setTimeout(done, 2000))")  # the report scrolls to its section
            tab.screenshot(PICTURE)


if __name__ == "__main__":
    main()
