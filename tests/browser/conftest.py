"""One headless Chromium for all tests of pages; where there is none, they skip and say how to get it."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from devtools import Browser, BrowserError, Tab, running

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip("there is no Chromium here: `make chromium` installs it on Debian, as root")
    with running(program, tmp_path_factory.mktemp("profile")) as found:
        try:
            found.command("Browser.getVersion")
        except (BrowserError, OSError) as error:
            pytest.skip(f"{program} is there, but does not run: {error}")
        yield found


@pytest.fixture
def shown(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Tab]]:
    """Shows a page: `shown(html, "#deep-link", width=390)`; its tabs are closed afterwards."""
    tabs: list[Tab] = []

    def show(page: str, fragment: str = "", **view: int | bool) -> Tab:
        path = tmp_path / "page.html"
        path.write_text(page, "utf-8")
        tabs.append(browser.open(path.as_uri() + fragment, **view))  # type: ignore[arg-type]
        return tabs[-1]

    yield show
    for tab in tabs:
        tab.close()
