"""The blocks of tagged PDFs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from held.errors import DamagedPdfError
from held.reading.tags import Tags, read_tags
from tests.layout.make_pdfs import MEDIA, pdf, text


def marked(number: int, words: str, y: float) -> str:
    return f"/P << /MCID {number} >> BDC {text(words, y=y)} EMC\n"


PAGES = (
    marked(0, "A title", 280)
    + marked(1, "Text that goes", 250)
    + marked(2, "one", 200)
    + text("head", y=295),
    marked(0, "on over the page", 280) + marked(1, "cell", 250) + marked(2, "item", 200),
)


def tags(folder: Path, *elements: str, roles: str = "") -> Tags:
    """The tags of two pages whose structure elements are objects 601, 602, …; 601 is the topmost."""
    objects = {600 + n: f"<< /Type /StructElem {element} >>" for n, element in enumerate(elements, 1)}
    root = f"<< /Type /StructTreeRoot /K 601 0 R /RoleMap << {roles} >> >>"
    source = pdf(*PAGES, page=MEDIA, catalog="/StructTreeRoot 600 0 R", objects={600: root, **objects})
    (folder / "tagged.pdf").write_bytes(source)
    return read_tags(folder / "tagged.pdf")


def listed(found: Tags) -> list[tuple[str, str, tuple[int, ...]]]:
    return [(block.type, block.text, block.pages) for block in found.blocks]


def test_blocks_come_in_the_order_of_the_tree(tmp_path: Path) -> None:
    found = tags(
        tmp_path,
        "/S /Document /Pg 10 0 R /K [603 0 R 602 0 R]",
        "/S /H1 /K 0",
        "/S /P /K [1]",
    )
    assert listed(found) == [("P", "Text that goes", (1,)), ("H1", "A title", (1,))]


def test_the_name_of_a_file_need_not_be_utf_8(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"harbour-\xe9\xff")
    folder.mkdir()
    assert listed(tags(folder, "/S /P /Pg 10 0 R /K 2")) == [("P", "one", (1,))]


def test_a_paragraph_over_two_pages_is_one_block(tmp_path: Path) -> None:
    rest = "<< /Type /MCR /Pg 20 0 R /MCID 0 >>"
    assert listed(tags(tmp_path, f"/S /P /Pg 10 0 R /K [1 {rest}]")) == [
        ("P", "Text that goes on over the page", (1, 2))
    ]


def test_a_paragraph_in_a_table_cell_is_no_block(tmp_path: Path) -> None:
    table = "/S /Table /Pg 10 0 R /K 602 0 R", "/S /TR /K 603 0 R", "/S /TD /K [604 0 R 605 0 R]"
    assert listed(tags(tmp_path, *table, "/S /P /K 1", "/S /P /K 2")) == [
        ("Table", "Text that goes one", (1,))
    ]


def test_list_items_are_blocks_and_their_paragraphs_are_not(tmp_path: Path) -> None:
    parts = "/S /L /Pg 20 0 R /K [602 0 R 604 0 R]", "/S /LI /K 603 0 R", "/S /P /K 1", "/S /LI /K 2"
    assert listed(tags(tmp_path, *parts)) == [("LI", "cell", (2,)), ("LI", "item", (2,))]


def test_a_list_in_a_list_item_has_items_of_its_own(tmp_path: Path) -> None:
    parts = "/S /L /Pg 20 0 R /K 602 0 R", "/S /LI /K [1 603 0 R]", "/S /L /K 604 0 R", "/S /LI /K 2"
    assert [block.text for block in tags(tmp_path, *parts).blocks] == ["cell", "item"]


def test_a_caption_is_told_from_its_table(tmp_path: Path) -> None:
    found = tags(tmp_path, "/S /Table /Pg 10 0 R /K [602 0 R 1]", "/S /Caption /K 0")
    assert [(block.type, block.text) for block in found.blocks] == [
        ("Table", "Text that goes"),
        ("Caption", "A title"),
    ]


def test_own_types_are_read_through_the_role_map(tmp_path: Path) -> None:
    found = tags(tmp_path, "/S /Headline /Pg 10 0 R /K 0", roles="/Headline /Title1 /Title1 /H1")
    assert listed(found) == [("H1", "A title", (1,))]


def test_a_role_map_in_circles_ends(tmp_path: Path) -> None:
    assert listed(tags(tmp_path, "/S /A /Pg 10 0 R /K 0", roles="/A /B /B /A")) == []


def test_an_element_that_contains_itself_ends(tmp_path: Path) -> None:
    assert listed(tags(tmp_path, "/S /P /Pg 10 0 R /K [0 601 0 R]")) == [("P", "A title", (1,))]


def test_a_figure_is_a_block_even_without_text(tmp_path: Path) -> None:
    assert listed(tags(tmp_path, "/S /Figure /Pg 10 0 R /K 9")) == [("Figure", "", (1,))]


def test_the_usable_share_counts_what_lies_in_blocks(tmp_path: Path) -> None:
    found = tags(tmp_path, "/S /Document /Pg 10 0 R /K [602 0 R 603 0 R]", "/S /P /K 0", "/S /Index /K 1")
    assert found.usable_characters == len("Atitle")
    assert found.unmarked_characters == len("head")
    assert found.characters == len("AtitleTextthatgoesoneheadonoverthepagecellitem")


def test_a_file_without_tags_has_no_blocks(tmp_path: Path) -> None:
    (tmp_path / "plain.pdf").write_bytes(pdf(text("Hello")))
    assert read_tags(tmp_path / "plain.pdf") == Tags((), 5, 0, 5)


def test_a_file_that_is_no_pdf_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "no.pdf").write_text("no")
    with pytest.raises(DamagedPdfError):
        read_tags(tmp_path / "no.pdf")


def test_a_block_knows_how_deep_in_sections_it_lies(tmp_path: Path) -> None:
    outer = "/S /Sect /Pg 10 0 R /K [602 0 R 603 0 R]"
    found = tags(tmp_path, outer, "/S /H /K 0", "/S /Sect /K 604 0 R", "/S /H /K 1")
    assert [(block.text, block.sections) for block in found.blocks] == [("A title", 1), ("Text that goes", 2)]
