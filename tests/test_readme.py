"""What README and docs say can be done, and where they point, must be there."""

import re
from pathlib import Path
from pkgutil import resolve_name

import pytest

from docs.readme_chart import CHART, chart
from docs.readme_table import README, readme
from held.document_json import VERSIONS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
SNIPPETS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("snippet", SNIPPETS, ids=range(len(SNIPPETS)))
def test_the_readmes_python_runs(snippet: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(snippet.replace("report.pdf", str(ROOT / "samples" / "report-en.pdf")), {})
    assert "Business review" in capsys.readouterr().out


def test_the_readmes_table_is_that_of_the_stored_results() -> None:
    assert readme() == README.read_text(encoding="utf-8")


def test_the_readmes_chart_is_that_of_the_stored_results() -> None:
    assert chart() == CHART.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_that_exist(page: Path) -> None:
    assert [link for link, _ in links(page) if link and not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_into_a_page_lead_to_a_heading_that_exists(page: Path) -> None:
    inner = [(page.parent / link if link else page, anchor) for link, anchor in links(page) if anchor]
    assert [(other.name, anchor) for other, anchor in inner if anchor not in anchors(other)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_names_of_the_library_are_there(page: Path) -> None:
    named = set(re.findall(r"`(held(?:\.\w+)+)", page.read_text(encoding="utf-8"))) - set(VERSIONS)
    assert [name for name in sorted(named) if not is_there(name)] == []


def is_there(name: str) -> bool:
    try:
        resolve_name(name)
    except (AttributeError, ImportError):
        return False
    return True


def links(page: Path) -> list[tuple[str, str]]:
    """The links to files of ours: path and anchor, either of which may be empty."""
    return re.findall(r"\]\(([^)#:]*)#?([^):]*)\)", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """The names that headings have in links."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}
