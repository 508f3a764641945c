"""The HTML page of a corpus's statistics."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from research.corpus_page import Bar, bar_chart, statistics_page

from held.corpus.store import LabelledDocument
from held.corpus.summary import statistics_of
from tests.corpus.test_statistics import labelled


@pytest.mark.parametrize("documents", [[], [labelled()], [replace(labelled(), domain="<b>&")]])
def test_the_page_is_whole_and_needs_nothing_else(documents: list[LabelledDocument]) -> None:
    page = statistics_page(statistics_of(documents))
    ElementTree.fromstring(page.replace("<!doctype html>", "").replace('<meta charset="utf-8">', ""))
    assert not re.search(r"(?:src|href)=", page)


def test_the_longest_bar_reaches_the_top() -> None:
    chart = bar_chart([Bar("a", 5), Bar("b", 10)], x_title="x", y_title="y")
    heights = [float(height) for height in re.findall(r'height="([\d.]+)" fill', chart)]
    assert heights[1] == pytest.approx(2 * heights[0], abs=0.1)
