"""Our own tagged PDFs: chapters of the sample report as pages of HTML, drawn by a seed."""

import re

import pytest
from research.rq7.render import (
    CHAPTERS_PER_FILE,
    FILES_PER_THEME,
    TEXT,
    THEMES,
    chapters,
    draw_chapters,
    page,
)
from samples.blocks import Heading, parse

REPORT = chapters(parse(TEXT.read_text(encoding="utf-8")))


def test_there_are_enough_files_with_those_of_the_corpus() -> None:
    assert len(THEMES) * FILES_PER_THEME + 25 >= 50


def test_every_chapter_begins_with_its_heading() -> None:
    assert len(REPORT) > CHAPTERS_PER_FILE
    assert all(isinstance(blocks[0], Heading) for blocks in REPORT)


def test_the_same_seed_draws_the_same_chapters_and_another_one_others() -> None:
    assert draw_chapters(REPORT, "a") == draw_chapters(REPORT, "a")
    assert any(draw_chapters(REPORT, "a") != draw_chapters(REPORT, seed) for seed in "bcd")


@pytest.mark.parametrize("theme", THEMES)
def test_a_page_has_headings_paragraphs_lists_and_no_marks_of_the_markup(theme: str) -> None:
    html = page(theme, REPORT)
    assert {"<h1>", "<h2>", "<p>", "<li>", "<table>"} <= set(re.findall(r"<\w+>", html))
    assert "**" not in html
    assert "^[" not in html


def test_items_of_a_list_share_it() -> None:
    assert "</ul>\n<ul>" not in page("plain", REPORT)
