"""One headless Chromium for all tests of pages; where there is none, they skip and say how to get it."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.devtools import BrowserError, Tab, running

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    """The one tab in which the tests show their pages: a tab for each test would cost more than the test."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip("there is no Chromium here: `make chromium` installs it on Debian, as root")
    with running(program, tmp_path_factory.mktemp("profile")) as browser:
        try:
            found = browser.tab()
        except (BrowserError, OSError) as error:
            pytest.skip(f"{program} is there, but does not run: {error}")
        yield found


@pytest.fixture
def shown(tab: Tab, tmp_path: Path) -> Callable[..., Tab]:
    """Shows a page: `shown(html, "#deep-link", width=390)`."""

    def show(page: str, fragment: str = "", **view: int | bool) -> Tab:
        path = tmp_path / "page.html"
        path.write_text(page, "utf-8")
        tab.go(path.as_uri() + fragment, **view)  # type: ignore[arg-type]
        return tab

    return show
