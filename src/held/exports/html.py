"""The document as one page for a browser: a tree of headings beside the text, with search and links.

The page works without its script as a list of links beside a text; `page/reader.js` makes the list a tree
that folds, searches and follows the reader. Objects stand under the page that they begin on, so that a
browser can leave the pages that nobody looks at unset, and a long report opens at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import PurePath
from string import Template
from types import MappingProxyType
from typing import NamedTuple

from held.document import Document, PhysicalObject
from held.exports.outline import Heading, headings_of
from held.exports.page import asset, escaped, page
from held.exports.page.blocks import blocks, note_id, title_with_marks
from held.exports.page.slugs import slugs
from held.exports.page.words import words
from held.hierarchy.hierarchy import Hierarchy

Words = Mapping[str, str]

_DEEPEST = 6
_NO_IMAGES: Mapping[int, str] = MappingProxyType({})
_CHINESE = re.compile("[\u4e00-\u9fff]")
_ENGLISH = re.compile(r"\b(?:the|of|and|to|in|for)\b", re.IGNORECASE)


class _Section(NamedTuple):
    """A heading with its name in links, and the attributes that mark it where it is doubtful."""

    heading: Heading
    name: str
    doubt: str


def to_html(hierarchy: Hierarchy, *, images: Mapping[int, str] = _NO_IMAGES) -> str:
    """The whole page. `images` has data URIs or paths for figures, by the index of their object."""
    document, language = hierarchy.document, language_of(hierarchy.document)
    said = words(language)
    sections = _sections(hierarchy, said)
    title = PurePath(document.source).name or "Document"
    body = Template(asset("reader.html")).substitute(
        said,
        title=escaped(title),
        page_count=len(document.pages),
        extent=_extent(len(document.pages), len(sections), said),
        lang=language,
        tree="".join(_tree(hierarchy, sections)),
        text="".join(_pages(hierarchy, sections, images, said)),
        notes=_notes(hierarchy, said),
    )
    style = asset("page.css") + asset("reader.css")
    return page(title, body, style=style, script=asset("reader.js"), lang=language or "en")


def _sections(hierarchy: Hierarchy, said: Words) -> list[_Section]:
    headings = list(headings_of(hierarchy))
    taken = {_page_id(number) for number, _ in _by_page(hierarchy.document)}
    taken |= {note_id(item.note) for item in hierarchy.document.objects if item.note}
    names = slugs([heading.title for heading in headings], taken)
    doubtful = hierarchy.doubtful
    return [
        _Section(heading, name, _doubt(hierarchy, heading.place, said) if heading.place in doubtful else "")
        for heading, name in zip(headings, names, strict=True)
    ]


def _doubt(hierarchy: Hierarchy, place: int, said: Words) -> str:
    """The attributes that mark a doubtful heading; how sure it is stands there where that can be said."""
    sure = said["colon"] + said["sure"].format(hierarchy.certainty(place)) if hierarchy.calibrated else ""
    return f' class="doubtful" title="{said["doubt"]}{sure}"'


def _tree(hierarchy: Hierarchy, sections: Sequence[_Section]) -> Iterator[str]:
    """The headings as nested lists of links."""
    depth = 0
    for heading, name, doubt in sections:
        if heading.level > depth:
            yield "<ul>" * (heading.level - depth)
        else:
            yield "</li></ul>" * (depth - heading.level) + "</li>"
        depth = heading.level
        title, number = escaped(heading.title), escaped(hierarchy.page_name(heading.page))
        yield f'\n<li><a href="#{name}"{doubt}><span>{title}</span><i>{number}</i></a>'
    yield "</li></ul>" * depth


def _pages(
    hierarchy: Hierarchy, sections: Sequence[_Section], images: Mapping[int, str], said: Words
) -> Iterator[str]:
    """The objects, page by page."""
    objects = hierarchy.document.objects
    titles = {
        section.heading.place: _heading(section, objects[section.heading.place]) for section in sections
    }
    bare = f'<p class="left-out ours">{said["bare_page"]}</p>'
    begun: set[int] = set()
    for number, on_page in _by_page(hierarchy.document):
        # Objects from elsewhere may come back to a page: only its first block carries its name.
        folio = ">" if number in begun else _folio(hierarchy, number, said)
        begun.add(number)
        inside = "\n".join(_contents(on_page, titles, images, said)) or bare
        yield f'<div class="page"{folio}\n{inside}\n</div>\n'


def _by_page(document: Document) -> Iterator[tuple[int, list[tuple[int, PhysicalObject]]]]:
    """The objects with their places, page by page, among them the pages on which none begins."""
    known = range(document.first_page, document.first_page + len(document.pages))
    bare = sorted(set(known) - {item.page for item in document.objects}, reverse=True)
    for number, objects in groupby(enumerate(document.objects), key=lambda pair: pair[1].page):
        while bare and bare[-1] < number:
            yield bare.pop(), []
        yield number, list(objects)
    yield from ((number, []) for number in reversed(bare))


def _contents(
    objects: Sequence[tuple[int, PhysicalObject]],
    titles: Mapping[int, str],
    images: Mapping[int, str],
    said: Words,
) -> Iterator[str]:
    for is_heading, run in groupby(objects, key=lambda pair: pair[0] in titles):
        if is_heading:
            yield from (titles[index] for index, _ in run)
        else:
            yield from blocks(list(run), images, said)


def _heading(section: _Section, item: PhysicalObject) -> str:
    level = section.heading.level
    tag = f"h{min(level, _DEEPEST)}"
    deeper = f' aria-level="{level}"' if level > _DEEPEST else ""
    title = title_with_marks(item) or escaped(section.heading.title)
    return f'<{tag} id="{section.name}"{deeper}{section.doubt}>{title}</{tag}>'


def _folio(hierarchy: Hierarchy, number: int, said: Words) -> str:
    """The rest of a page's opening tag, and its number: as printed, and as counted where they differ."""
    label, name = hierarchy.page_name(number), _page_id(number)
    counted = f"<small>{number}</small>" if label != str(number) else ""
    says = _page_named(hierarchy, number, said)
    return (
        f' id="{name}"><a class="folio ours" role="doc-pagebreak" href="#{name}" title="{escaped(says)}">'
        f"{escaped(label)}{counted}</a>"
    )


def _page_named(hierarchy: Hierarchy, number: int, said: Words) -> str:
    """What a page is called: by its label, and by its number in the file where they differ."""
    label = hierarchy.page_name(number)
    return said["page_named"].format(label) + (said["counted"].format(number) if label != str(number) else "")


def _page_id(number: int) -> str:
    return f"page-{number}"


def language_of(document: Document) -> str:
    """The language that a reader should set the text in: zh, en, or empty for one that is not known."""
    letters = words = chinese = english = 0
    for item in document.objects:
        letters += len(item.text)
        words += item.text.count(" ") + 1
        chinese += len(_CHINESE.findall(item.text))
        english += len(_ENGLISH.findall(item.text))
    if chinese * 5 > letters:
        return "zh"
    return "en" if english * 20 > words else ""


def _notes(hierarchy: Hierarchy, said: Words) -> str:
    """What went wrong while the document was read, as a list; empty where nothing did."""
    lines = ""
    for number, message in hierarchy.document.notes:
        place = _page_named(hierarchy, number, said) + said["colon"] if number else ""
        lines += f"<li>{escaped(place + message)}</li>"
    return f"<p>{said['while_reading']}</p><ul>{lines}</ul>" if lines else ""


def _extent(pages: int, headings: int, said: Words) -> str:
    """How many pages and headings there are."""
    return " · ".join(
        said[one] if number == 1 else said[several].format(number)
        for number, one, several in (
            (pages, "one_page", "pages"),
            (headings, "one_heading", "several_headings"),
        )
    )
