import json
import re
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from samples.make import HERE, REPORTS, ingredients, make_report, missing_fonts

from held.document import FURNITURE, Kind

both = pytest.mark.parametrize("name", list(REPORTS))


@cache
def truth_of(name: str) -> dict[str, Any]:
    truth: dict[str, Any] = json.loads((HERE / f"{name}.truth.json").read_text(encoding="utf-8"))
    return truth


@cache
def page_texts(name: str) -> list[str]:
    with pypdfium2.PdfDocument(HERE / f"{name}.pdf") as pdf:
        return [squeezed(page.get_textpage().get_text_range()) for page in pdf]


def squeezed(text: str) -> str:
    """The text without spaces and hyphens; PDFium gives U+FFFE for a hyphen at a line's end."""
    return re.sub(r"[\s\-\u00ad\ufffe\u0002]", "", text)


def test_the_two_reports_are_the_committed_ones() -> None:
    assert {path.stem for path in HERE.glob("*.pdf")} == set(REPORTS) == {"report-en", "report-zh"}


@both
def test_a_report_has_about_forty_pages(name: str) -> None:
    assert 35 <= len(page_texts(name)) == truth_of(name)["pages"] <= 45


@both
def test_a_report_is_smaller_than_a_megabyte(name: str) -> None:
    assert (HERE / f"{name}.pdf").stat().st_size < 1_000_000


@both
def test_a_report_has_no_bookmarks(name: str) -> None:
    with pikepdf.open(HERE / f"{name}.pdf") as pdf:
        assert "/Outlines" not in pdf.Root


@both
def test_every_font_is_embedded_with_a_unicode_map(name: str) -> None:
    with pikepdf.open(HERE / f"{name}.pdf") as pdf:
        fonts = [font for page in pdf.pages for font in page.Resources.Font.values()]
        descriptors = [font.DescendantFonts[0].FontDescriptor for font in fonts]
        assert all("/FontFile2" in descriptor or "/FontFile3" in descriptor for descriptor in descriptors)
        assert all("/ToUnicode" in font for font in fonts)


@both
def test_page_labels_are_roman_in_the_front_matter(name: str) -> None:
    with pypdfium2.PdfDocument(HERE / f"{name}.pdf") as pdf:
        labels = [pdf.get_page_label(index) for index in range(len(pdf))]
    assert labels == truth_of(name)["labels"]
    assert labels[:2] == ["i", "ii"]
    assert labels[-1].isdigit()


@both
def test_every_heading_stands_on_its_page(name: str) -> None:
    lost = [
        h for h in truth_of(name)["headings"] if squeezed(h["text"]) not in page_texts(name)[h["page"] - 1]
    ]
    assert lost == []


@both
def test_every_object_of_one_page_stands_on_it(name: str) -> None:
    kinds = {"paragraph", "list_item", "caption", "footnote", "contents_entry"}
    objects = [o for o in truth_of(name)["objects"] if o["kind"] in kinds and len(o["pages"]) == 1]
    pages = [page.replace(".", "") for page in page_texts(name)]
    lost = [o for o in objects if squeezed(o["text"]).replace(".", "") not in pages[o["pages"][0] - 1]]
    assert lost == []


@both
def test_every_table_cell_stands_on_a_page_of_its_table(name: str) -> None:
    for table in (o for o in truth_of(name)["objects"] if o["kind"] == "table"):
        text = "".join(page_texts(name)[page - 1] for page in table["pages"])
        assert [cell for row in table["rows"] for cell in row if squeezed(cell) not in text] == []


@both
def test_headings_go_six_levels_deep_and_skip_none(name: str) -> None:
    levels = [heading["level"] for heading in truth_of(name)["headings"]]
    assert set(levels) == {1, 2, 3, 4, 5, 6}
    assert all(after <= before + 1 for before, after in pairwise(levels))


@both
def test_a_parent_is_the_nearest_heading_of_a_higher_rank(name: str) -> None:
    headings, objects = truth_of(name)["headings"], truth_of(name)["objects"]
    for number, entry in enumerate(o for o in objects if o["kind"] == "heading"):
        higher = [i for i in range(number) if headings[i]["level"] < headings[number]["level"]]
        assert entry["heading"] == number
        assert entry["parent"] == (higher[-1] if higher else None)


@both
def test_all_kinds_that_a_report_can_show_occur(name: str) -> None:
    kinds = Counter(entry["kind"] for entry in truth_of(name)["objects"])
    # No report prints a program, and neither of ours sets a line of its own below a title.
    assert set(kinds) == set(Kind) - FURNITURE - {Kind.CODE, Kind.SUBTITLE}
    assert min(kinds["table"], kinds["figure"]) >= 4
    assert {entry["kind"] for entry in truth_of(name)["furniture"]} <= FURNITURE


@both
def test_paragraphs_and_tables_run_over_page_breaks(name: str) -> None:
    broken = Counter(entry["kind"] for entry in truth_of(name)["objects"] if len(entry["pages"]) > 1)
    assert broken["paragraph"] >= 3
    assert broken["table"] >= 1


@both
def test_the_printed_contents_name_the_right_pages(name: str) -> None:
    truth = truth_of(name)
    printed = {o["text"] for o in truth["objects"] if o["kind"] == "contents_entry"}
    entries = {f"{h['text']} {truth['labels'][h['page'] - 1]}" for h in truth["headings"]}
    assert len(printed) > 20
    assert printed <= entries


@both
def test_making_a_report_again_gives_the_same_bytes(name: str, tmp_path: Path) -> None:
    pytest.importorskip("weasyprint", reason="WeasyPrint is not installed (make samples)")
    if missing_fonts():
        pytest.skip("the fonts of the samples are not installed (samples/make.py names the packages)")
    if ingredients() != json.loads((HERE / "made-with.json").read_text(encoding="utf-8")):
        pytest.skip("other versions of fonts or libraries than those in samples/made-with.json")
    make_report(name, tmp_path)
    for suffix in (".pdf", ".truth.json"):
        assert (tmp_path / f"{name}{suffix}").read_bytes() == (HERE / f"{name}{suffix}").read_bytes()
