import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from io import BytesIO
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.document import Box, Document, Kind, Metadata, Note, PageRegion, PageSize, PhysicalObject
from held.exports.epub import to_epub
from held.exports.html import notebook_document, to_html
from held.exports.html_blocks import phrases_in
from held.hierarchy import Hierarchy
from held.tree import Tree


def item(text: str, kind: Kind = Kind.PARAGRAPH, *, page: int = 1, **more: object) -> PhysicalObject:
    return PhysicalObject(kind, text, (PageRegion(page, Box(0, 0, 1, 1)),), **more)  # type: ignore[arg-type]


def hierarchy(
    objects: list[PhysicalObject], parents: list[int], sure: dict[int, float], labels: tuple[str, ...] = ()
) -> Hierarchy:
    pages = tuple(PageSize(595, 842, label) for label in labels)
    document = Document("folder/a.pdf", pages, tuple(objects), notes=(Note(2, "a <broken> font"),))
    return Hierarchy(document, Tree.from_parents(parents), sure, dict.fromkeys(sure, 1.0), 3, -0.1)


@pytest.fixture
def harbour() -> Hierarchy:
    objects = [
        item("1 Harbour"),
        item("1.1 Boats", page=2),
        item("They lay side by side.", page=2),
        item("Boats . . . 3", Kind.CONTENTS_ENTRY, page=2),
        item("第二节 公司治理", page=3),
        item("chart words", Kind.FIGURE, page=3),
    ]
    return hierarchy(objects, [-1, 0, 1, 1, 0, 4], {0: 1.0, 1: 0.3, 4: 0.9}, ("i", "ii", "1"))


class Elements(HTMLParser):
    """Every element of a page with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def values(self, attribute: str) -> list[str]:
        return [value for _, attrs in self.found if (value := attrs.get(attribute)) is not None]


def body(page: str) -> str:
    """What stands between the page's own style and script."""
    return page.split("</style>", 1)[1].rsplit("<script>", 1)[0]


def test_headings_stand_at_their_level_with_a_name(harbour: Hierarchy) -> None:
    page = to_html(harbour)
    assert '<h1 id="1-harbour">1 Harbour</h1>' in page
    assert '<h2 id="第二节-公司治理">第二节 公司治理</h2>' in page


def test_a_heading_deeper_than_six_says_its_level() -> None:
    deep = hierarchy([item(f"H{n}") for n in range(8)], list(range(-1, 7)), dict.fromkeys(range(8), 1.0))
    assert '<h6 id="h5">H5</h6>' in to_html(deep)
    assert '<h6 id="h7" aria-level="8">H7</h6>' in to_html(deep)


def test_the_tree_nests_lists_of_links_with_page_labels(harbour: Hierarchy) -> None:
    tree = re.sub(r' class="doubtful"[^>]*', "", to_html(harbour).split("</div>\n<ul>")[1].split("\n<p")[0])
    assert tree.replace("\n", "") == (
        '<li><a href="#1-harbour"><span>1 Harbour</span><i>i</i></a><ul>'
        '<li><a href="#1-1-boats"><span>1.1 Boats</span><i>ii</i></a></li>'
        '<li><a href="#第二节-公司治理"><span>第二节 公司治理</span><i>1</i></a></li></ul></li></ul>'
    )


def test_every_link_within_the_page_has_its_target(harbour: Hierarchy) -> None:
    elements = Elements(to_html(harbour))
    names = elements.values("id")
    assert len(names) == len(set(names))
    assert {link.removeprefix("#") for link in elements.values("href")} <= set(names)


def test_a_page_is_named_as_printed_and_as_counted_where_they_differ(harbour: Hierarchy) -> None:
    assert ">ii<small>2</small></a>" in to_html(harbour)
    assert 'title="Page 1, the file&#x27;s page 3">1<small>3</small></a>' in to_html(harbour)


def test_a_page_without_a_label_is_named_by_its_number() -> None:
    assert 'title="Page 7">7</a>' in to_html(hierarchy([item("a", page=7)], [-1], {}))


def test_a_heading_named_like_a_page_gets_another_name() -> None:
    assert '<h1 id="page-1-2">Page 1</h1>' in to_html(hierarchy([item("Page 1")], [-1], {0: 1.0}))


def test_a_page_that_comes_again_is_named_once() -> None:
    back = hierarchy([item("a", page=1), item("b", page=2), item("c", page=1)], [-1, -1, -1], {})
    assert to_html(back).count('id="page-1"') == 1


def test_a_page_on_which_nothing_begins_is_still_there() -> None:
    objects = [item("a", page=2), item("b", page=4)]
    page = to_html(hierarchy(objects, [-1, -1], {}, ("1", "2", "3", "4", "5")))
    assert re.findall(r'id="(page-\d)"', page) == [f"page-{number}" for number in range(1, 6)]
    assert page.count("Nothing begins on this page.") == 3


def test_a_doubtful_heading_is_marked_in_tree_and_text(harbour: Hierarchy) -> None:
    assert to_html(harbour).count('class="doubtful" title="Perhaps no heading, or not of this level"') == 2


def test_a_doubtful_heading_says_how_sure_it_is_where_that_is_known(harbour: Hierarchy) -> None:
    assert 'not of this level: 30% sure"' in to_html(replace(harbour, calibrated=True))


def test_printed_contents_are_folded_away(harbour: Hierarchy) -> None:
    assert '<details class="contents ours"><summary>Printed contents</summary>' in to_html(harbour)
    assert "<li>Boats . . . 3</li>\n</ul></details>" in to_html(harbour)


def test_a_figure_is_an_image_where_one_is_given(harbour: Hierarchy) -> None:
    assert '<span class="ours">Figure</span><small>chart words</small>' in to_html(harbour)
    page = to_html(harbour, images={5: 'a"b.png'})
    assert '<img src="a&quot;b.png" alt="Figure: chart words" loading="lazy">' in page


def test_notes_of_the_reading_stand_at_the_end(harbour: Hierarchy) -> None:
    assert "<li>Page ii, the file&#x27;s page 2: a &lt;broken&gt; font</li>" in to_html(harbour)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("公司治理情况 2024 年", "zh"),
        ("the state of the art", "en"),
        ("Der Stand der Technik", "de"),
        ("Zzz", ""),
    ],
)
def test_the_text_says_its_language(text: str, language: str) -> None:
    assert f'<main id="_text" tabindex="-1" lang="{language}">' in to_html(hierarchy([item(text)], [-1], {}))


def test_a_chinese_document_is_read_with_chinese_controls() -> None:
    page = to_html(hierarchy([item("公司治理"), item("公司治理情况")], [-1, 0], {0: 0.3}, ("i",)))
    assert '<html lang="zh">' in page
    for said in ('placeholder="搜索"', "1 页 · 1 个标题", 'title="第 i 页，文件第 1 页"', "第 2 页：a &lt;"):
        assert said in page


def test_the_page_says_in_both_languages_the_same_things() -> None:
    english, chinese = phrases_in("en"), phrases_in("zh")
    assert chinese.keys() == english.keys()
    for name, phrase in english.items():
        assert re.findall("{.*?}|<.*?>", phrase) == re.findall("{.*?}|<.*?>", chinese[name])


def test_the_page_is_english_where_there_is_no_translation() -> None:
    assert phrases_in("de") == phrases_in("") == phrases_in("en")


def test_an_empty_document_gives_a_page() -> None:
    assert "<main" in to_html(hierarchy([], [], {}))


def test_the_page_asks_for_nothing_from_outside(harbour: Hierarchy) -> None:
    page = to_html(harbour)
    assert "http://" not in page
    assert "https://" not in page
    assert not re.search(r"@import|url\(", page)


def test_the_policy_allows_only_the_script_and_style_of_the_page(harbour: Hierarchy) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', to_html(harbour))
    assert policy is not None
    assert re.search(r"default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+';", policy[1])
    assert "unsafe" not in policy[1]


def test_the_same_hierarchy_gives_the_same_page(harbour: Hierarchy) -> None:
    assert to_html(harbour) == to_html(harbour)


def test_codes_that_turn_text_around_are_shown_as_what_they_are() -> None:
    turned = hierarchy([item("1 \u202egnp.exe\u2069")], [-1], {0: 1.0})
    for shown in (to_html(turned), notebook_document(turned), turned.document.objects[0]._repr_html_()):
        assert "1 \ufffdgnp.exe\ufffd" in shown
        assert not set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069") & set(shown)


@pytest.mark.parametrize("language", ['"><script>alert(1)</script>', "\ufffe", "de\n", "x" * 5000])
def test_only_a_language_code_is_declared(language: str) -> None:
    tree = hierarchy([item("The ships of the harbour are counted by the office.")], [-1], {})
    document = replace(tree.document, metadata=Metadata(language=language))
    hostile = replace(tree, document=document)
    assert '<html lang="en">' in to_html(hostile)
    with ZipFile(BytesIO(to_epub(hostile))) as book:
        assert b"<dc:language>en</dc:language>" in book.read("book.opf")


HOSTILE = st.one_of(
    st.text(),
    st.sampled_from(
        [
            "</script><script>alert(1)</script>",
            "<!--",
            "<img src=x onerror=alert(1)>",
            '" onmouseover="alert(1)',
            "'><svg onload=alert(1)>",
            "</title></style></main>",
            "$tree ${text} %s {0}",
            "&lt;script&gt;&#60;b&#62;",
            "\ud800\x00\x1b\u202e]]>",
            "javascript:alert(1)",
        ]
    ),
)


@given(
    texts=st.lists(st.tuples(HOSTILE, st.sampled_from(list(Kind))), min_size=1, max_size=6),
    headings=st.sets(st.integers(0, 5)),
    label=HOSTILE,
)
def test_no_text_becomes_markup(texts: list[tuple[str, Kind]], headings: set[int], label: str) -> None:
    def page_of(words: list[str], label: str) -> str:
        objects = [
            item(word, kind, rows=((word, "1"),) if kind is Kind.TABLE else ())
            for word, (_, kind) in zip(words, texts, strict=True)
        ]
        sure = {place: 1.0 for place in headings if place < len(objects)}
        return to_html(hierarchy(objects, [-1] * len(objects), sure, (label,)))

    hostile = page_of([text for text, _ in texts], label)
    hostile.encode()  # no half of a surrogate pair is left
    shape = Counter(tag for tag, _ in Elements(body(hostile)).found)
    tame = Counter(tag for tag, _ in Elements(body(page_of(["a"] * len(texts), "i"))).found)
    ours = {"small", "ul", "li"}  # a label may equal the number; a bullet may begin a list of its own
    assert {tag: n for tag, n in shape.items() if tag not in ours} == {
        tag: n for tag, n in tame.items() if tag not in ours
    }
    assert not any(name.startswith("on") for _, attrs in Elements(body(hostile)).found for name in attrs)
