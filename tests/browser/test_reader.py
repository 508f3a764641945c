"""The HTML export as a person meets it, in headless Chromium."""

from base64 import b64decode
from collections.abc import Callable
from pathlib import Path

import pytest

from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject
from held.exports.html import to_html
from held.hierarchy import Hierarchy
from held.tree import Tree
from tests.browser.devtools import Tab

Show = Callable[..., Tab]
DOT = "R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs="
LINES = "The boats lay side by side in the harbour while the tide went out. " * 6
CURRENT = "document.querySelector('#_tree .current span')?.textContent"
SHOWN = (
    "[...document.querySelectorAll('#_tree a')].filter(a => a.checkVisibility())"
    ".map(a => a.querySelector('span').textContent)"
)
FOCUSED = "document.activeElement.querySelector('span')?.textContent"
TOP = "Math.round(document.getElementById({}).getBoundingClientRect().top)"


def item(text: str, page: int, kind: Kind = Kind.PARAGRAPH) -> PhysicalObject:
    return PhysicalObject(kind, text, (PageRegion(page, Box(0, 0, 1, 1)),))


@pytest.fixture(scope="module")
def report() -> str:
    """Twelve chapters of three sections, two front pages with roman numbers, a page for each section."""
    objects, parents, headings = [item("前言", 1), item(LINES, 2)], [-1, 0], {0: 1.0}
    for chapter in range(1, 13):
        place = len(objects)
        headings[place] = 1.0
        objects.append(item(f"第{chapter}章 Boats", place))
        parents.append(-1)
        for section in range(1, 4):
            headings[len(objects)] = 1.0
            parents += [place, len(objects)]
            page = chapter * 3 + section - 1
            objects += [
                item(f"{chapter}.{section} Berth", page),
                item(f"{LINES} Anchor {chapter}-{section}.", page),
            ]
        objects[place] = item(f"第{chapter}章 Boats", chapter * 3)
    labels = ("i", "ii", *(str(number) for number in range(1, 37)))
    pages = tuple(PageSize(595, 842, label) for label in labels)
    document = Document("report.pdf", pages, tuple(objects))
    return to_html(Hierarchy(document, Tree.from_parents(parents), headings, headings, 0, 0.0))


def names(tab: Tab) -> list[str]:
    found: list[str] = tab.value(SHOWN)
    return found


def search(tab: Tab, words: str) -> None:
    tab.press("/")
    tab.write(words)
    tab.until("document.querySelector('.search output').textContent !== ''")


def test_the_page_opens_without_a_request_or_an_error(report: str, shown: Show) -> None:
    tab = shown(report)
    assert [event["request"]["url"] for event in tab.seen("Network.requestWillBeSent")] == [
        tab.value("location.href")
    ]
    assert tab.seen("Runtime.exceptionThrown") == []
    assert tab.seen("Log.entryAdded") == []


def test_a_deep_link_opens_at_its_section(report: str, shown: Show) -> None:
    tab = shown(report, "#9-2-berth")
    tab.until(f"{CURRENT} === '9.2 Berth'")
    assert 40 < tab.value(TOP.format("'9-2-berth'")) < 100
    assert tab.value("document.querySelector('.path').innerText") == "第9章 Boats\n9.2 Berth"


def test_a_deep_link_may_be_chinese(report: str, shown: Show) -> None:
    tab = shown(report, "#第7章-boats")
    tab.until(f"{CURRENT} === '第7章 Boats'")
    assert 40 < tab.value(TOP.format("'第7章-boats'")) < 100


def test_the_last_section_can_be_reached_too(report: str, shown: Show) -> None:
    shown(report, "#12-3-berth").until(f"{CURRENT} === '12.3 Berth'")


def test_scrolling_moves_the_current_section_and_page(report: str, shown: Show) -> None:
    tab = shown(report)
    tab.value("document.getElementById('5-1-berth').scrollIntoView(), scrollBy(0, 5)")
    tab.until(f"{CURRENT} === '5.1 Berth'")
    assert tab.value("document.querySelector('.goto input').value") == "13"


def test_a_click_on_the_arrow_folds_and_unfolds(report: str, shown: Show) -> None:
    tab = shown(report)
    assert "1.1 Berth" in names(tab)
    tab.click("#_tree li:nth-child(2) > a > b")
    assert "1.1 Berth" not in names(tab)
    assert tab.value("document.querySelector('#_tree li:nth-child(2) > a').ariaExpanded") == "false"
    tab.click("#_tree li:nth-child(2) > a > b")
    assert "1.1 Berth" in names(tab)


def test_a_click_in_the_tree_goes_to_the_section(report: str, shown: Show) -> None:
    tab = shown(report)
    tab.click("a[href='#1-3-berth']")
    tab.until(f"{CURRENT} === '1.3 Berth'")
    assert tab.value("decodeURIComponent(location.hash)") == "#1-3-berth"


def test_search_counts_marks_and_filters_the_tree(report: str, shown: Show) -> None:
    tab = shown(report)
    search(tab, "anchor 4-")
    assert names(tab) == ["第4章 Boats", "4.1 Berth", "4.2 Berth", "4.3 Berth"]
    assert tab.value("document.querySelector('.search output').textContent") == "1 / 3"
    assert tab.value("CSS.highlights.get('match').size") == 3
    assert tab.value(CURRENT) == "4.1 Berth"


def test_words_are_found_in_any_order_where_nothing_has_them_as_typed(report: str, shown: Show) -> None:
    tab = shown(report)
    search(tab, "boats 第11章")
    assert names(tab) == ["第11章 Boats"]
    assert tab.value("CSS.highlights.get('match').size") == 2


def test_search_finds_headings_in_any_case(report: str, shown: Show) -> None:
    tab = shown(report)
    search(tab, "第11章 BOATS")
    assert names(tab) == ["第11章 Boats"]


def test_enter_goes_from_match_to_match_and_round(report: str, shown: Show) -> None:
    tab = shown(report)
    search(tab, "anchor 4-")
    tab.press("Enter")
    tab.until(f"{CURRENT} === '4.2 Berth'")
    tab.press("shift+Enter", "shift+Enter")
    tab.until(f"{CURRENT} === '4.3 Berth'")
    assert tab.value("document.querySelector('.search output').textContent") == "3 / 3"


def test_the_search_goes_on_in_the_section_that_was_chosen(report: str, shown: Show) -> None:
    tab = shown(report)
    search(tab, "anchor")
    tab.click("a[href='#2-2-berth']")
    tab.until(f"{CURRENT} === '2.2 Berth'")
    tab.press("n")
    assert tab.value("document.querySelector('.search output').textContent") == "5 / 36"


def test_the_way_back_leads_to_the_section_before(report: str, shown: Show) -> None:
    tab = shown(report, "#1-1-berth")
    tab.click("a[href='#2-2-berth']")
    tab.until(f"{CURRENT} === '2.2 Berth'")
    tab.value("history.back()")
    tab.until(f"{CURRENT} === '1.1 Berth'")


def test_search_says_when_there_is_nothing(report: str, shown: Show) -> None:
    tab = shown(report)
    search(tab, "lighthouse")
    assert names(tab) == []
    assert tab.value("document.querySelector('.nothing').checkVisibility()")
    tab.press("Escape")
    assert "第11章 Boats" in names(tab)
    assert tab.value("CSS.highlights.get('match').size") == 0


def test_our_own_words_are_not_found(shown: Show) -> None:
    document = Document("a.pdf", (), (item("", 1, Kind.FIGURE), item("Figure of speech", 1)))
    tab = shown(to_html(Hierarchy(document, Tree.from_parents([-1, -1]), {}, {}, 0, 0.0)))
    search(tab, "figure")
    assert tab.value("document.querySelector('.search output').textContent") == "1 / 1"


def test_j_and_k_go_through_the_headings_and_u_goes_up(report: str, shown: Show) -> None:
    tab = shown(report)
    tab.press("j", "j", "j")
    assert tab.value(CURRENT) == "1.2 Berth"
    tab.press("k")
    assert tab.value(CURRENT) == "1.1 Berth"
    tab.press("u")
    assert tab.value(CURRENT) == "第1章 Boats"


def test_arrows_move_fold_and_enter_in_the_tree(report: str, shown: Show) -> None:
    tab = shown(report)
    tab.press("t", "ArrowDown", "ArrowDown")
    assert tab.value(FOCUSED) == "1.1 Berth"
    tab.press("ArrowLeft", "ArrowLeft")
    assert tab.value(FOCUSED) == "第1章 Boats"
    assert "1.1 Berth" not in names(tab)
    tab.press("ArrowRight", "ArrowRight", "Enter")
    tab.until(f"{CURRENT} === '1.1 Berth'")


def test_everything_can_be_folded_and_unfolded(report: str, shown: Show) -> None:
    tab = shown(report)
    tab.press("E")
    assert len(names(tab)) == 13
    tab.press("e")
    assert len(names(tab)) == 49


def test_a_page_is_reached_by_its_printed_number(report: str, shown: Show) -> None:
    tab = shown(report)
    tab.press("g")
    tab.write("20")
    tab.press("Enter")
    tab.until("location.hash === '#page-22'")
    assert 40 < tab.value(TOP.format("'page-22'")) < 100


def test_the_question_mark_opens_the_panel_and_escape_closes_it(report: str, shown: Show) -> None:
    tab = shown(report)
    tab.press("?")
    assert tab.value("document.querySelector('dialog').open")
    tab.press("Escape")
    tab.until("!document.querySelector('dialog').open")


def test_the_link_to_the_section_is_copied(report: str, shown: Show) -> None:
    tab = shown(report, "#2-1-berth")
    tab.until(f"{CURRENT} === '2.1 Berth'")
    tab.value("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    tab.press("c")
    tab.until("document.querySelector('.toast').textContent === 'Link copied'")
    assert tab.value("copied").endswith("page.html#2-1-berth")


def test_the_tree_says_to_assistants_what_it_is(report: str, shown: Show) -> None:
    tab = shown(report)
    assert tab.value("document.querySelectorAll('#_tree [role=tree] [role=treeitem]').length") == 49
    assert tab.value("document.querySelectorAll('#_tree [tabindex=\"0\"]').length") == 1
    levels = "[...new Set([...document.querySelectorAll('[role=treeitem]')].map(a => a.ariaLevel))]"
    assert tab.value(levels) == ["1", "2"]


def test_on_a_phone_the_tree_is_a_drawer(report: str, shown: Show) -> None:
    tab = shown(report, width=390, height=844)
    left = "document.querySelector('#_tree').getBoundingClientRect().left"
    assert tab.value(left) < 0
    tab.click(".menu")
    tab.until(f"{left} === 0")
    tab.click("a[href='#1-2-berth']")
    tab.until(f"{left} < 0 && {CURRENT} === '1.2 Berth'")


def test_on_a_phone_nothing_is_wider_than_the_screen(report: str, shown: Show) -> None:
    tab = shown(report, width=360, height=740)
    assert tab.value("document.documentElement.scrollWidth") == 360
    tab.click(".find")
    tab.write("anchor 3-")
    tab.until("document.querySelector('.search output').textContent === '1 / 3'")


@pytest.mark.parametrize("dark", [False, True])
def test_the_page_follows_the_readers_scheme(dark: bool, report: str, shown: Show) -> None:
    tab = shown(report, dark=dark)
    red = tab.value("Number(getComputedStyle(document.body).backgroundColor.match(/[0-9]+/)[0])")
    assert (red < 60) == dark


def test_only_the_pages_that_are_looked_at_are_set(shown: Show) -> None:
    objects = tuple(item(LINES, page) for page in range(1, 301) for _ in range(10))
    tree = Tree.from_parents([-1] * len(objects))
    tab = shown(to_html(Hierarchy(Document("long.pdf", (), objects), tree, {}, {}, 0, 0.0)), "#page-250")
    tab.until("Math.abs(document.getElementById('page-250').getBoundingClientRect().top) < 100")
    paragraphs = "[...document.querySelectorAll('.page p:last-child')]"
    assert (
        tab.value(f"{paragraphs}.filter(p => p.checkVisibility({{contentVisibilityAuto: true}})).length") < 30
    )


def test_hostile_text_does_not_run(shown: Show) -> None:
    evil = "</script><script>window.ran = 1</script><img src=x onerror='window.ran = 1'>"
    document = Document("a.pdf", (), tuple(item(evil, 1, kind) for kind in (Kind.PARAGRAPH, *Kind)))
    tree = Tree.from_parents([-1] * len(document.objects))
    tab = shown(to_html(Hierarchy(document, tree, {0: 1.0}, {0: 1.0}, 0, 0.0)))
    assert tab.value("[window.ran ?? null, document.images.length, document.scripts.length]") == [None, 0, 1]
    assert tab.value("document.querySelector('h1').textContent") == evil


def test_a_script_that_slipped_in_would_be_refused(report: str, shown: Show) -> None:
    tab = shown(report.replace("</main>", "<script>window.ran = 1</script><p onclick='0'></main>"))
    assert tab.value("window.ran ?? null") is None


@pytest.mark.parametrize("embedded", [True, False])
def test_an_image_is_shown(embedded: bool, shown: Show, tmp_path: Path) -> None:
    (tmp_path / "dot.gif").write_bytes(b64decode(DOT))
    image = f"data:image/gif;base64,{DOT}" if embedded else "dot.gif"
    document = Document("a.pdf", (), (item("", 1, Kind.FIGURE),))
    tab = shown(to_html(Hierarchy(document, Tree.from_parents([-1]), {}, {}, 0, 0.0), images={0: image}))
    tab.until("document.images[0].naturalWidth === 1")
