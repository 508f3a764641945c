"""The page of `held serve` in a real browser, in front of a real server."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pikepdf
import pytest

from tests.browser.devtools import Tab
from tests.serve.conftest import Served, serving

TITLES = (
    "[...document.querySelectorAll('#tree li:not([hidden])')]"
    ".map(li => li.ariaLevel + ' ' + li.querySelector('.title').textContent)"
)
SELECTED = "document.querySelector('#tree [aria-selected=true] .title')?.textContent"
TOAST = "document.querySelector('#toast').textContent"
ITEM = "#tree li:nth-child({})"
# Corrections wait until the test lets them go.
SLOW = """
const real = window.fetch;
const gate = new Promise((resolve) => { window.releaseFetch = () => { window.fetch = real; resolve(); }; });
window.fetch = (...asked) => (asked[1]?.method === "POST" ? gate.then(() => real(...asked)) : real(...asked));
"""
START = [
    "1 1 Harbours",
    "2 1.1 Depth",
    "2 1.2 Staff",
    "1 2 Trains",
    "2 2.1 Tracks",
    "2 2.2 Sheds",
    "1 3 Markets",
    "2 3.1 Fish",
    "2 3.2 Fruit",
]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("work")) as running:
        yield running


@pytest.fixture
def page(own: Served, tab: Tab, report: Path) -> Iterator[Tab]:
    """The page with a document of its own open; no test may leave an error in the console."""
    id = own.settled(own.post(report)["id"])["id"]
    tab.go("about:blank")
    tab.go(f"{own.address}#{id}")
    tab.until(f"{TITLES}.length === 9 && !!document.querySelector('.box.marked')")
    yield tab
    assert tab.seen("Runtime.exceptionThrown") == []
    assert tab.seen("Log.entryAdded") == []


def choose(tab: Tab, file: Path) -> None:
    """Gives a file to the page as a person does who chooses it."""
    node = tab.command("DOM.getDocument")["root"]["nodeId"]
    field = tab.command("DOM.querySelector", nodeId=node, selector="#files")["nodeId"]
    tab.command("DOM.setFileInputFiles", nodeId=field, files=[str(file)])


def titles(tab: Tab) -> list[str]:
    found: list[str] = tab.value(TITLES)
    return found


def test_an_uploaded_pdf_opens_by_itself(own: Served, tab: Tab, report: Path, tmp_path: Path) -> None:
    tab.go("about:blank")
    tab.go(own.address)
    choose(tab, Path(shutil.copy(report, tmp_path / "uploaded.pdf")))
    tab.until("document.querySelector('#name').textContent === 'uploaded.pdf'")
    tab.until(f"{TITLES}.length === 9")
    assert titles(tab) == START


def test_an_empty_server_invites_and_opens_the_sample(tab: Tab, tmp_path: Path) -> None:
    with serving(tmp_path / "work") as empty:
        tab.go("about:blank")
        tab.go(empty.address)
        tab.until("document.body.dataset.state === 'empty'")
        assert tab.value("document.querySelector('#sample').checkVisibility()")
        tab.click("#sample")
        tab.until("document.body.dataset.state === 'waiting'")
        tab.until(f"{TITLES}.length > 100")
        tab.value("document.querySelector('[aria-current] + .remove').click()")
        tab.until("document.body.dataset.state === 'empty'")


def test_selecting_in_one_pane_moves_the_others(page: Tab) -> None:
    page.click(ITEM.format(6))
    page.until("document.querySelector('#page-number').value === '2'")
    page.until("document.querySelector('.box.marked')?.ariaLabel === 'Heading: 2.2 Sheds'")
    assert page.value("document.querySelector('#details h3').textContent") == "2.2 Sheds"
    page.value("document.querySelector('[data-page=\"2\"] .box.heading').click()")
    page.until(f"{SELECTED} === '2 Trains'")


def test_a_heading_is_promoted_by_a_key_undone_and_there_after_a_reload(page: Tab) -> None:
    page.press("j", "j", "[")
    page.until(f"{TITLES}[2] === '1 1.2 Staff'")
    page.press("z")
    page.until(f"{TITLES}[2] === '2 1.2 Staff'")
    page.press("y")
    page.until(f"{TITLES}[2] === '1 1.2 Staff'")
    page.command("Page.reload")
    page.until(f"document.readyState === 'complete' && {SELECTED} === '1.2 Staff'")
    assert titles(page)[2] == "1 1.2 Staff"


def test_a_heading_is_moved_by_dragging_it_onto_another(page: Tab) -> None:
    page.drag(ITEM.format(6), ITEM.format(5))
    page.until(f"{TITLES}[5] === '3 2.2 Sheds'")
    page.until(f"{TOAST}.startsWith('Moved.')")


def test_a_heading_is_moved_by_typing_a_name(page: Tab) -> None:
    page.click(ITEM.format(9))
    page.press("m")
    page.write("3.1")
    page.press("Enter")
    page.until(f"{TITLES}[8] === '3 3.2 Fruit'")


def test_a_heading_is_deleted_and_marked_again_from_the_page(page: Tab) -> None:
    page.click(ITEM.format(2))
    page.press("d")
    page.until(f"{TITLES}.length === 8")
    page.until("document.querySelector('.box.marked.paragraph')?.ariaLabel === 'Paragraph: 1.1 Depth'")
    page.press("h")
    page.until(f"{TITLES}[1] === '2 1.1 Depth'")


def test_a_correction_is_offered_for_all_of_its_look(page: Tab) -> None:
    page.click(ITEM.format(2))
    page.press("[")
    page.until("!document.querySelector('#offer').hidden")
    page.press("a")
    affected = "[...document.querySelectorAll('.affected .title')].map(title => title.textContent)"
    assert page.value(affected) == ["1.2 Staff", "2.1 Tracks", "2.2 Sheds", "3.1 Fish", "3.2 Fruit"]
    assert page.value("document.querySelector('.affected .state').textContent") == "→ level 1"
    page.press("Enter")
    page.until(f"{TITLES}.every(title => title.startsWith('1 '))")
    page.press("z")
    page.until(f"{TITLES}[1] === '2 1.1 Depth'")


def test_a_title_is_renamed(page: Tab) -> None:
    page.click(ITEM.format(1))
    page.press("r")
    page.value("document.querySelector('#ask-text').value = '1 Ports'")
    page.press("Enter")
    page.until(f"{TITLES}[0] === '1 1 Ports'")


def test_two_tabs_do_not_overwrite_each_other_silently(page: Tab, own: Served) -> None:
    id = page.value("location.hash").split("/")[0][1:]
    # A page that gets the focus looks whether the document has changed; this one is not to notice by that.
    page.value("void addEventListener('focus', (event) => event.stopImmediatePropagation(), true)")
    page.click(ITEM.format(2))
    page.until("document.querySelector('.box.marked')?.ariaLabel === 'Heading: 1.1 Depth'")
    last = own.client.get(f"/v1/documents/{id}").json()["headings"][-1]["object"]
    own.client.post(f"/v1/documents/{id}/corrections?version=0", json={"op": "delete", "object": last})
    page.press("[")
    page.until(f"{TOAST}.startsWith('Another tab')")
    page.until(f"{TITLES}.length === 8")
    page.browser.events.clear()  # the browser logs that the server refused


def test_the_help_sheet_opens_and_closes(page: Tab) -> None:
    page.press("?")
    assert page.value("document.querySelector('#keys-dialog').open")
    page.press("Escape")
    page.until("!document.querySelector('#keys-dialog').open")


def test_the_tree_says_to_assistants_what_it_is(page: Tab) -> None:
    assert (
        page.value("document.querySelectorAll('#tree[role=tree] > [role=treeitem][aria-level]').length") == 9
    )
    assert page.value("document.querySelectorAll('#tree [tabindex=\"0\"]').length") == 1
    unnamed = (
        "[...document.querySelectorAll('button, input, select, textarea, [role]:not([role=status]),"
        " main > section, dialog')]"
        ".filter(e => e.checkVisibility() && !(e.ariaLabel || e.getAttribute('aria-labelledby')"
        " || e.textContent.trim() || e.labels?.length)).map(e => e.outerHTML)"
    )
    assert page.value(unnamed) == []


def test_the_page_speaks_chinese(page: Tab) -> None:
    page.click("#language")
    assert page.value("document.querySelector('#undo').ariaLabel") == "撤销"
    assert page.value("document.querySelector('[data-action=delete]').innerText.trim()") == "不是标题"
    assert page.value("document.documentElement.lang") == "zh"
    page.click("#language")


def test_on_a_phone_one_pane_is_shown_at_a_time(page: Tab) -> None:
    page.go(page.value("location.href"), width=390, height=844)
    page.until(f"{TITLES}.length === 9")
    sections = "[...document.querySelectorAll('main > section')]"
    shown = f"{sections}.filter(s => s.checkVisibility()).map(s => s.className)"
    page.until(f"{shown}.join() === 'tree'")  # the drawer closes once the window has told its width
    page.click(".views [data-view=page]")
    assert page.value(shown) == ["page"]
    page.until("document.querySelector('.box.marked')?.getBoundingClientRect().bottom < innerHeight")
    assert page.value("document.documentElement.scrollWidth") == 390


def test_a_locked_pdf_is_opened_with_its_password(tab: Tab, report: Path, tmp_path: Path) -> None:
    locked = tmp_path / "locked.pdf"
    with pikepdf.open(report) as pdf:
        pdf.save(locked, encryption=pikepdf.Encryption(user="harbour", owner="office"))
    with serving(tmp_path / "work") as own:
        tab.go("about:blank")
        tab.go(own.address)
        choose(tab, locked)
        tab.until("document.querySelector('#unlock').checkVisibility()")
        tab.click("#unlock")
        tab.until("document.activeElement.id === 'password'")
        tab.write("harbour")
        tab.press("Enter")
        name = "[...document.querySelectorAll('.job.done strong')].map(name => name.textContent)"
        tab.until(f"{name}.includes('locked.pdf') && {TITLES}.length === 9")


def test_what_is_no_pdf_gets_a_word(own: Served, tab: Tab, tmp_path: Path) -> None:
    letter = tmp_path / "letter.odt"
    letter.write_bytes(b"dear harbour")
    tab.go("about:blank")
    tab.go(own.address)
    choose(tab, letter)
    tab.until(f"{TOAST} === 'Only PDFs can be read.'")


def test_documents_of_others_are_shown_to_who_comes_back(page: Tab, own: Served, report: Path) -> None:
    before = page.value("document.querySelectorAll('.job').length")
    own.settled(own.post(report)["id"])
    page.value("dispatchEvent(new Event('focus'))")
    page.until(f"document.querySelectorAll('.job').length === {before + 1}")


def test_another_documents_arrival_leaves_the_row_alone_that_one_is_on(
    page: Tab, own: Served, report: Path
) -> None:
    page.value("document.querySelector('[aria-current]').focus(); scrollTo(0, 0)")
    page.value("window.row = document.activeElement")
    page.value(
        "new MutationObserver(() => { window.touched = true }).observe(row.parentNode, {childList: true})"
    )
    before = page.value("document.querySelectorAll('.job').length")
    own.settled(own.post(report)["id"])
    page.value("dispatchEvent(new Event('focus'))")
    page.until(f"document.querySelectorAll('.job').length === {before + 1}")
    assert page.value("row.isConnected && document.activeElement === row && !window.touched")


def test_pages_are_zoomed_and_fitted_to_the_width(page: Tab) -> None:
    width = "document.querySelector('.sheet').clientWidth"
    fitted = page.value(width)
    page.press("+")
    assert page.value(width) > fitted
    assert page.value("document.querySelector('#fit').ariaPressed") == "false"
    page.press("0")
    assert page.value(width) == fitted


def test_scrolling_tells_the_page_and_keeps_the_selection(page: Tab) -> None:
    page.value("document.querySelector('[data-page=\"3\"]').scrollIntoView()")
    page.until("document.querySelector('#page-number').value === '3'")
    page.until("document.querySelectorAll('[data-page=\"3\"] .box.heading').length > 0")
    assert page.value(SELECTED) == "1 Harbours"


def test_keys_pressed_meanwhile_wait_in_line(page: Tab) -> None:
    page.click(ITEM.format(2))
    page.value(SLOW)
    page.press("[", "j", "c", "j")
    pending = "[...document.querySelectorAll('.pending .title')].map(title => title.textContent)"
    assert page.value(pending) == ["1.1 Depth", "1.2 Staff"]
    assert page.value("document.querySelector('#saving').textContent") == "Applying 2 corrections …"
    assert page.value(SELECTED) == "2 Trains"
    page.value("releaseFetch()")
    page.until("document.querySelector('#saving').textContent === 'Saved'")
    assert titles(page)[1] == "1 1.1 Depth"
    assert page.value("document.querySelectorAll('.fixed').length") == 2
    assert page.value(f"{pending}.length") == 0
    assert page.value(SELECTED) == "2 Trains"


def test_after_not_a_heading_the_keys_go_on_with_the_next_one(page: Tab) -> None:
    page.click(ITEM.format(2))
    page.press("d")
    page.until(f"{TITLES}.length === 8")
    page.until("!document.querySelector('[data-action=mark]').hidden")
    page.press("j")
    assert page.value(SELECTED) == "1.2 Staff"


def test_a_heading_goes_to_the_top_level_by_its_button(page: Tab) -> None:
    page.click(ITEM.format(3))
    page.click("[data-action=top]")
    page.until(f"{TITLES}[2] === '1 1.2 Staff'")
    page.until("document.querySelector('[data-action=top]').disabled")


def test_objects_that_would_become_headings_are_previewed_in_the_tree(page: Tab) -> None:
    page.click(ITEM.format(2))
    page.press("d")
    page.until("!document.querySelector('#offer').hidden")
    page.press("a", "Enter")
    page.until(f"{TITLES}.length === 3")
    staff = "document.querySelector('.box.paragraph[aria-label$=\"1.2 Staff\"]')"
    page.until(f"!!{staff}")
    page.value(f"{staff}.click()")
    page.press("h")
    page.until("!document.querySelector('#offer').hidden")
    page.press("a")
    ghosts = "[...document.querySelectorAll('.ghost .title')].map(title => title.textContent)"
    assert "2.1 Tracks" in page.value(ghosts)
    page.press("Escape")
    assert page.value(f"{ghosts}.length") == 0


def test_only_doubtful_headings_are_shown_with_those_above_them(page: Tab) -> None:
    doubt = "headings => headings.map(h => ({...h, doubtful: h.title === '2.2 Sheds'}))"
    page.value(f"import('/static/tree.js').then(tree => tree.show(({doubt})(tree.all())))")
    page.press("f")
    assert titles(page) == ["1 1 Harbours", "1 2 Trains", "2 2.2 Sheds"]  # the selected one stays
    page.press("f")
    assert len(titles(page)) == 9


def test_every_export_says_what_it_is_good_for(page: Tab) -> None:
    page.click("#export")
    entries = page.value(
        "[...document.querySelectorAll('#export-menu [role=menuitem]')].map(e => e.innerText)"
    )
    assert "PDF with bookmarks\nthe same PDF, with this tree as its bookmarks" in entries
    unexplained = [entry for entry in entries if "\n" not in entry]
    assert unexplained == [], "static/words.js has format_… and format_…_why for each format"
    page.press("Escape")
    assert (
        page.value("document.querySelector('#export-menu').hidden && document.activeElement.id") == "export"
    )


def test_the_list_of_documents_folds_away_and_stays_so(page: Tab) -> None:
    page.press("b")
    assert not page.value("document.querySelector('#documents').checkVisibility()")
    page.command("Page.reload")
    page.until(f"document.readyState === 'complete' && {TITLES}.length === 9")
    assert not page.value("document.querySelector('#documents').checkVisibility()")
    page.press("b")
    assert page.value("document.querySelector('#documents').checkVisibility()")
