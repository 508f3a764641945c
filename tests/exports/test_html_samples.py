"""The samples as HTML pages, read back: every heading, table and line of text is there."""

import re
from functools import cache
from html import unescape
from pathlib import Path

import pytest

from held.document import Kind
from held.exports.html import to_html
from held.exports.outline import headings_of
from held.hierarchy import Hierarchy
from held.hierarchy.pipeline import build_tree
from held.reading.read_pdf import read_pdf

SAMPLES = Path(__file__).parents[2] / "samples"
HEADING = re.compile(r'<h([1-6]) id="([^"]+)"(?: aria-level="(\d+)")?[^>]*>(.*?)</h\1>')
both = pytest.mark.parametrize("name", ["report-en", "report-zh"])


@cache
def sample(name: str) -> tuple[Hierarchy, str, str]:
    """The hierarchy of a sample, and of its page the tree and the text."""
    hierarchy = build_tree(read_pdf(SAMPLES / f"{name}.pdf", jobs=1))
    tree, text = to_html(hierarchy).split('<nav id="_tree"')[1].split("<footer>")[0].split("<main")
    return hierarchy, tree, text


def words(markup: str) -> str:
    markup = re.sub(r"</?(?:b|i|sup|sub)>|<a [^>]*noteref[^>]*>|</a>", "", markup)  # stand inside words
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", markup)).split())


@both
def test_every_heading_stands_one_level_below_the_title(name: str) -> None:
    hierarchy, _, text = sample(name)
    assert f"<h1>{hierarchy.document.metadata.title}</h1>" in text
    found = [(int(deep or level), unescape(title)) for level, _, deep, title in HEADING.findall(text)]
    assert found == [(heading.level + 1, heading.title) for heading in headings_of(hierarchy)]


@both
def test_the_tree_links_to_every_heading_in_order(name: str) -> None:
    _, tree, text = sample(name)
    names = [name for _, name, _, _ in HEADING.findall(text)]
    assert re.findall(r'href="#([^"]+)"', tree) == names
    assert len(set(names)) == len(names)


@both
def test_every_cell_of_every_table_is_there(name: str) -> None:
    hierarchy, _, text = sample(name)
    tables = [item for item in hierarchy.document.objects if item.kind is Kind.TABLE]
    places = sum(len(row) for item in tables for row in item.rows)
    cells = [cell for item in tables if item.table for cell in item.table.cells]
    covered = sum(cell.row_span * cell.column_span - 1 for cell in cells)
    assert len(re.findall("<t[dh][ >]", text)) == places - covered


@both
def test_every_text_is_there(name: str) -> None:
    hierarchy, _, text = sample(name)
    whole = words(text)
    kinds = {Kind.PARAGRAPH, Kind.CAPTION, Kind.FOOTNOTE, Kind.FIGURE}
    texts = [item.text for item in hierarchy.document.objects if item.kind in kinds]
    texts += [" ".join(i.rows[0]) for i in hierarchy.document.objects if i.kind is Kind.CONTENTS_ENTRY]
    assert [text for text in texts if " ".join(text.split()) not in whole] == []


@both
def test_every_page_has_its_mark(name: str) -> None:
    hierarchy, _, text = sample(name)
    labels = [page.label for page in hierarchy.document.pages]
    assert re.findall(r'class="folio[^>]+>([^<]+)<', text) == labels


def test_the_names_of_the_samples_are_readable() -> None:
    assert 'href="#2-2-markets"' in sample("report-en")[1]
    assert 'href="#第三节-管理层讨论与分析"' in sample("report-zh")[1]
