"""Tagged PDFs of our own: chapters of the sample reports in several themes, printed by Chromium.

    python -m research.rq7.render FOLDER       # writes own-THEME-N.pdf, own_zh-THEME-N.pdf

Every file has tags, from which the true layout is read, and bookmarks, the true tree. The words are those of
the sample reports, English and Chinese, which are ours; what is printed is drawn by a seed, so that the same
files come out again. Files that are there already are kept.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from research.tables.made.run import CHROMIUM
from research.tables.made.stand_in_font import font_face
from samples.blocks import Beside, Block, Columns, Heading, Table, Text, parse

SAMPLES = Path(__file__).parents[2] / "samples"
CHINESE = "zh-CN"
STAND_IN = "StandIn"
FILES_PER_THEME = 5  # files of a theme, for each report
CHAPTERS_PER_FILE = 4  # of a file
_FOOTNOTE = re.compile(r"\^\[[^\]]*\]")


@dataclass(frozen=True, slots=True)
class Report:
    """A sample report: the domain that its files count for, and the level of the headings of its chapters."""

    domain: str
    language: str
    file: str
    chapter_level: int

    def chapters(self) -> list[list[Block]]:
        """The blocks of each chapter; what stands before the first chapter is left out."""
        blocks = parse((SAMPLES / self.file).read_text(encoding="utf-8"))
        return split_chapters(blocks, self.chapter_level)


REPORTS = (
    Report("own", "en", "report-en.txt", 2),  # level 1: "Part One"
    Report("own_zh", CHINESE, "report-zh.txt", 1),  # level 1: "第一节"
)

# Cells have room around their text, as those of all printed tables: else a row's numbers touch.
EVERYWHERE = """
    @page { size: A4; margin: 22mm }
    table { border-collapse: collapse } td, th { padding: 2pt 5pt }"""
THEMES = {
    "plain": """
        body { font: 11pt/1.4 serif }
        h1 { font-size: 20pt } h2 { font-size: 15pt } h3 { font-size: 12pt }""",
    "sans": """
        body { font: 10pt/1.5 sans-serif }
        h1, h2, h3, h4 { color: #1b4f72 } td, th { border: 1px solid #999 }""",
    "report": """
        body { font: 10.5pt/1.35 serif; text-align: justify }
        h1 { text-align: center; break-before: page } h2 { text-transform: uppercase; font-size: 12pt }
        h3 { font-style: italic; font-size: 11pt } h4 { font-size: 10.5pt }
        tr:nth-child(even) { background: #e8eef2 }""",
    "columns": """
        body { font: 9.5pt/1.3 serif } main { columns: 2; column-gap: 8mm } h1 { column-span: all }
        h2 { font-size: 12pt } h3 { font-size: 10pt } table, figure { break-inside: avoid }
        table { column-span: all }""",
    "large": """
        body { font: 14pt/1.6 sans-serif }
        h1 { font-size: 28pt } h2 { font-size: 22pt } p { margin: 0 0 1em }""",
    "dense": """
        body { font: 8.5pt/1.2 sans-serif } p { text-indent: 1.5em; margin: 0 }
        h1, h2, h3, h4 { font-size: 8.5pt; margin: .6em 0 .2em }
        h1 { font-size: 11pt } h3 { font-weight: normal; text-decoration: underline }""",
}
"""Styles that printed pages really have: levels by size, by colour, by capitals, by hardly anything.

A table is as wide as the page: one that is wider than its column would be printed over the next column.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    render_files(parser.parse_args(arguments).folder)
    return 0


def render_files(folder: Path) -> list[Path]:
    """The files, printed where they are missing."""
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for report in REPORTS:
        chapters = report.chapters()
        for theme in THEMES:
            for number in range(FILES_PER_THEME):
                path = folder / f"{report.domain}-{theme}-{number}.pdf"
                if not path.exists():
                    chosen = draw_chapters(chapters, f"{theme}/{number}")
                    print_page(page(theme, chosen, report), path)
                    print(path.name, file=sys.stderr)
                found.append(path)
    return found


def split_chapters(blocks: Sequence[Block], level: int) -> list[list[Block]]:
    """The chapters of a report: each begins with a heading of this level, outside of the front matter."""
    found: list[list[Block]] = []
    for block in blocks:
        if isinstance(block, Heading) and block.level == level and not block.front:
            found.append([])
        is_above = isinstance(block, Heading) and block.level < level
        if found and not is_above:
            found[-1].append(block)
    return found


def draw_chapters(report: Sequence[Sequence[Block]], seed: str) -> list[Sequence[Block]]:
    """Some chapters in the order of the report."""
    places = random.Random(seed).sample(range(len(report)), min(CHAPTERS_PER_FILE, len(report)))
    return [report[place] for place in sorted(places)]


def page(theme: str, chosen: Sequence[Sequence[Block]], report: Report) -> str:
    """The chapters as HTML in a theme; a chapter's heading is of level 1."""
    raised = report.chapter_level - 1
    body = "\n".join(line for blocks in chosen for block in blocks for line in _html(block, raised))
    body = re.sub(r"</ul>\n<ul>", "\n", body)
    style = f"{EVERYWHERE} {THEMES[theme]}"
    if report.language == CHINESE:
        style = f"{_stand_in_faces(body)} {style} body {{ font-family: '{STAND_IN}' }}"
    head = f'<meta charset="utf-8"><title>Report</title><style>{style}</style>'
    content = f"<head>{head}</head><body><main>{body}</main></body>"
    return f'<!doctype html><html lang="{report.language}">{content}</html>'


def _stand_in_faces(text: str) -> str:
    """A font with the characters of the text: without one, Chromium prints boxes that have no codes."""
    return " ".join(font_face(STAND_IN, text, weight=weight) for weight in ("normal", "bold"))


def _html(block: Block, raised: int) -> Iterator[str]:
    """The lines of HTML of a block; headings are set so many levels higher than in the report."""
    if isinstance(block, Heading):
        level = block.level - raised
        yield f"<h{level}>{_inline(block.text)}</h{level}>"
        if block.run_in:
            yield f"<p>{_inline(block.run_in)}</p>"
    elif isinstance(block, Text):
        is_item = block.role == "item"
        text = _inline(f"{block.marker} {block.text}".strip())
        yield f"<ul><li>{text}</li></ul>" if is_item else f"<p>{text}</p>"
    elif isinstance(block, Table):
        yield _table(block)
    elif isinstance(block, Columns):
        yield from (line for each in block.blocks for line in _html(each, raised))
    elif isinstance(block, Beside):
        yield from (line for each in (*block.main, *block.side) for line in _html(each, raised))
    # A drawing has text that no tag declares, so figures are left out, as are the cover and the contents.


def _table(table: Table) -> str:
    rows = "".join(
        f"<tr>{''.join(f'<{tag}>{_inline(cell)}</{tag}>' for cell in row)}</tr>"
        for place, row in enumerate(table.rows)
        for tag in ("td" if place else "th",)
    )
    return f"<p>{_inline(table.caption)}</p><table>{rows}</table>"


def _inline(text: str) -> str:
    """Text as HTML: footnotes are left out, emphasis is set."""
    bare = escape(_FOOTNOTE.sub("", text))
    strong = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", bare)
    return re.sub(r"\*(.+?)\*", r"<i>\1</i>", strong)


def print_page(html: str, path: Path) -> None:
    """Print a page of HTML as a tagged PDF with bookmarks."""
    with TemporaryDirectory() as folder:
        source = Path(folder, "page.html")
        source.write_text(html, encoding="utf-8")
        flags = (f"--user-data-dir={folder}/profile", "--generate-pdf-document-outline")
        part = Path(folder, "page.pdf")
        command = [*CHROMIUM, *flags, f"--print-to-pdf={part}", source.as_uri()]
        subprocess.run(command, check=True, capture_output=True)
        path.write_bytes(part.read_bytes())


if __name__ == "__main__":
    sys.exit(main())
