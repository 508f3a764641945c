"""Text that is not upright: margin marks and watermarks are furniture, the rest belongs to a figure.

Axis labels join the figure that they stand at. A page that is set sideways as a whole is turned and laid out
by `held.layout.page.sideways`; a few turned words on a page of upright text become a figure with its text.
"""

from __future__ import annotations

from collections.abc import Sequence

from held.document import Kind, PageRegion, Pages, PhysicalObject, Run, bounding_box
from held.layout.furniture import find_rotated_furniture
from held.layout.lines import rotated_runs
from held.layout.text.blocks import Block
from held.layout.tolerances import MAX_TURNED_LABEL_GAP_PT


def part_turned_text(pages: Pages) -> tuple[list[list[Run]], list[PhysicalObject]]:
    """For each page the turned runs of its content, and for the document those that are furniture."""
    content: list[list[Run]] = [[] for _ in pages.pages]
    furniture: list[PhysicalObject] = []
    if all(style.upright for style in pages.styles):
        return content, furniture
    for place, kinds in enumerate(find_rotated_furniture(pages)):
        for i, run in enumerate(rotated_runs(pages.pages[place], pages.styles)):
            if i in kinds:
                part = PageRegion(pages.first_page + place, bounding_box([run]))
                style = pages.styles[run.style]
                furniture.append(PhysicalObject(kinds[i], run.text, (part,), style=style))
            else:
                content[place].append(run)
    return content, furniture


def add_turned_text(blocks: list[Block], runs: Sequence[Run], page: int) -> None:
    """Gives turned runs to the figures or tables that they stand at, and the rest a figure of their own."""
    left = []
    for run in runs:
        at = next((block for block in blocks if _stands_at(run, block)), None)
        if at is None:
            left.append(run)
        elif at.kind is Kind.FIGURE:
            at.text = f"{at.text} {run.text}".strip()
    if left:
        box = bounding_box(left)
        text = " ".join(run.text.strip() for run in left)
        blocks.append(Block(Kind.FIGURE, page, box, 0, box.x0, box.x1, text=text))


def _stands_at(run: Run, block: Block) -> bool:
    if block.kind not in (Kind.FIGURE, Kind.TABLE):
        return False
    box = block.box
    x = (run.x0 + run.x1) / 2
    y = (run.y0 + run.y1) / 2
    return (
        box.x0 - MAX_TURNED_LABEL_GAP_PT <= x <= box.x1 + MAX_TURNED_LABEL_GAP_PT
        and box.y0 - MAX_TURNED_LABEL_GAP_PT <= y <= box.y1 + MAX_TURNED_LABEL_GAP_PT
    )
