"""Takes the pictures of docs/serve.md, of the samples in a real browser: `python -m docs.serve_pictures`.

The driver and the server are those of the tests. The pages of a PDF are drawn by PDFium from the fonts in it;
the words of the page itself, Chinese ones too, need fonts of the machine (`make fonts`).
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.browser.conftest import PROGRAMS
from tests.browser.devtools import Tab, running
from tests.serve.conftest import Served, serving

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
ENGLISH, CHINESE = (ROOT / "samples" / name for name in ("report-en.pdf", "report-zh.pdf"))
DESKTOP = (1400, 900)
PHONE = (390, 844)
HEADING = 14  # the one that is selected: deep enough in the tree to show a path, with text around it


def main() -> None:
    """Writes all pictures anew."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        raise SystemExit("there is no Chromium here: `make chromium` installs it on Debian, as root")
    with (
        TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        serving(Path(folder, "work")) as server,
        running(program, Path(folder, "profile")) as browser,
    ):
        tab = browser.tab()
        english, chinese = (_read(server, sample) for sample in (ENGLISH, CHINESE))
        _desktop(tab, f"{server.address}#{english}", "serve.png")
        _preview(tab, f"{server.address}#{english}", "serve-alike.png")
        _moving(tab, f"{server.address}#{english}", "serve-dark.png")
        _phone(tab, f"{server.address}#{english}", "serve-phone.png")
        _chinese(tab, f"{server.address}#{chinese}", "serve-zh.png")


def _read(server: Served, sample: Path) -> str:
    return str(server.settled(server.post(sample)["id"])["id"])


def _opened(tab: Tab, address: str, width: int, height: int, *, dark: bool = False) -> None:
    """Shows a document, with a heading selected and its page drawn."""
    tab.go("about:blank")  # an address that differs in its fragment alone would not be loaded anew
    tab.go(address, width=width, height=height, dark=dark)
    tab.until("document.querySelectorAll('#tree li').length > 20")
    tab.value(f"document.querySelectorAll('#tree li')[{HEADING}].click()")
    tab.until("!!document.querySelector('.sheet.drawn .box.marked')")


def _desktop(tab: Tab, address: str, name: str) -> None:
    _opened(tab, address, *DESKTOP)
    tab.screenshot(IMAGES / name)


def _preview(tab: Tab, address: str, name: str) -> None:
    """What a correction would change if it were applied to all headings of the same look."""
    _opened(tab, address, *DESKTOP)
    tab.press("[")
    tab.until("!document.querySelector('#offer').hidden")
    tab.press("a")
    tab.until("!!document.querySelector('.affected')")
    tab.until("!!document.querySelector('.box.marked')")
    tab.value("document.querySelector('#toast').textContent = ''")
    tab.screenshot(IMAGES / name)
    tab.press("Escape", "z")
    tab.until("document.querySelector('#undo').disabled")


def _moving(tab: Tab, address: str, name: str) -> None:
    """A heading being moved under another one by typing a part of its title."""
    _opened(tab, address, *DESKTOP, dark=True)
    tab.press("m")
    tab.write("r")
    tab.screenshot(IMAGES / name)
    tab.press("Escape")


def _phone(tab: Tab, address: str, name: str) -> None:
    _opened(tab, address, *PHONE)
    tab.screenshot(IMAGES / name)


def _chinese(tab: Tab, address: str, name: str) -> None:
    """The page in Chinese, with the Chinese sample."""
    _opened(tab, address, *DESKTOP)
    tab.click("#language")
    tab.until("document.documentElement.lang === 'zh' && !!document.querySelector('.box.marked')")
    tab.screenshot(IMAGES / name)


if __name__ == "__main__":
    main()
