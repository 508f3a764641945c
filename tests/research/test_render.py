"""Our own tagged PDFs: chapters of the sample reports as pages of HTML, drawn by a seed."""

import re

import pytest
from research.rq7.render import (
    CHAPTERS_PER_FILE,
    FILES_PER_THEME,
    REPORTS,
    THEMES,
    Report,
    draw_chapters,
    page,
    split_chapters,
)
from samples.blocks import Heading, parse

ENGLISH = REPORTS[0]
CHAPTERS = ENGLISH.chapters()
every_report = pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.domain)


def test_there_are_enough_files_of_each_report() -> None:
    assert len(THEMES) * FILES_PER_THEME >= 30


@every_report
def test_every_chapter_begins_with_its_heading(report: Report) -> None:
    chapters = report.chapters()
    assert len(chapters) > CHAPTERS_PER_FILE
    firsts = [blocks[0] for blocks in chapters]
    assert {block.level for block in firsts if isinstance(block, Heading)} == {report.chapter_level}
    assert all(isinstance(block, Heading) for block in firsts)


def test_a_chapter_has_neither_front_matter_nor_the_headings_of_parts() -> None:
    blocks = parse("#! Contents\n\nBefore.\n\n# Part\n\n## One\n\nText.\n\n# Part\n\n## Two\n")
    chapters = split_chapters(blocks, 2)
    titles = [[block.title for block in own if isinstance(block, Heading)] for own in chapters]
    assert titles == [["One"], ["Two"]]


def test_the_same_seed_draws_the_same_chapters_and_another_one_others() -> None:
    assert draw_chapters(CHAPTERS, "a") == draw_chapters(CHAPTERS, "a")
    assert any(draw_chapters(CHAPTERS, "a") != draw_chapters(CHAPTERS, seed) for seed in "bcd")


def test_the_headings_of_chapters_are_of_level_1_in_both_languages() -> None:
    chinese = page("plain", REPORTS[1].chapters(), REPORTS[1])
    assert "<h1>第一节 公司简介和主要财务指标</h1>" in chinese
    assert '<html lang="zh-CN">' in chinese
    assert "<h1>1 Chairman&#x27;s letter</h1>" in page("plain", CHAPTERS, ENGLISH)


@pytest.mark.parametrize("theme", THEMES)
def test_a_page_has_headings_paragraphs_lists_and_no_marks_of_the_markup(theme: str) -> None:
    html = page(theme, CHAPTERS, ENGLISH)
    assert {"<h1>", "<h2>", "<p>", "<li>", "<table>"} <= set(re.findall(r"<\w+>", html))
    assert "**" not in html
    assert "^[" not in html


def test_items_of_a_list_share_it() -> None:
    assert "</ul>\n<ul>" not in page("plain", CHAPTERS, ENGLISH)
