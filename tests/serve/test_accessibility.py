"""The page of `held serve` for people with disabilities, as axe-core judges it (`make axe` installs it)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.devtools import Tab
from tests.serve.conftest import Served

AXE = Path(__file__).parents[2] / "out" / "node_modules" / "axe-core" / "axe.min.js"
SERIOUS = """axe.run(document, {resultTypes: ["violations"]}).then(({violations}) => violations
    .filter(found => ["serious", "critical"].includes(found.impact))
    .map(found => `${found.id}: ${found.nodes.map(node => node.target).join(" ")}`))"""
SELECTED = "!!document.querySelector('#tree [aria-selected=true]')"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1400, 390])
def test_the_page_has_no_serious_barrier(
    width: int, dark: bool, served: Served, harbour: str, tab: Tab
) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not here: `make axe` installs it from npm")
    tab.go("about:blank")
    tab.go(f"{served.address}#{harbour}", width=width, height=844, dark=dark)
    tab.until(SELECTED)
    tab.value(f"{AXE.read_text(encoding='utf-8')};0")
    assert tab.value(SERIOUS) == []
    for opened, closed in (("f", "f"), ("?", "Escape"), ("m", "Escape"), ("o", "o")):
        tab.press(opened)
        assert tab.value(SERIOUS) == [], opened
        tab.press(closed)
    tab.click("#export")
    assert tab.value(SERIOUS) == []
