"""The document as a web page: a tree of headings beside the text, with search and links.

Without its script the page is a list of links beside the text; `assets/reader.js` turns the list into a tree
that folds, searches and follows the reader. Objects are grouped by the page that they begin on, so that a
browser can skip the layout of pages out of view, and a long report opens at once.

`notebook_document` and `notebook_section` are the short HTML that notebooks show.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import PurePath
from string import Template
from types import MappingProxyType
from typing import NamedTuple

from held.document import Document, PhysicalObject
from held.exports.html_blocks import (
    IndexedObjects,
    Phrases,
    build_page,
    escape_html,
    html_blocks,
    note_id,
    page_style,
    phrases_in,
    raised_title,
    read_asset,
)
from held.exports.object_text import TitledLevels, detect_language, emphasised_objects, titled_levels
from held.exports.outline import Heading, headings_of
from held.hierarchy import Hierarchy
from held.tree import ROOT

Images = Mapping[int, str]

_MAX_HEADING_LEVEL = 6  # HTML has h1 to h6
_MAX_SLUG_LENGTH = 60  # characters of a title in a link
_UNFOLDED_LEVELS = 1  # in notebooks
_BETWEEN_WORDS = re.compile(r"[\W_]+")
_NO_IMAGES: Images = MappingProxyType({})


class _PageSection(NamedTuple):
    """A heading with the id of its element, and the attributes that mark it if it is doubtful."""

    heading: Heading
    id: str
    doubt: str


def to_html(hierarchy: Hierarchy, *, images: Images = _NO_IMAGES, no_title: bool = False) -> str:
    """The whole page. `images` has data URIs or paths of figures, by the index of their object.

    The document's title is the first heading; with `no_title` the headings keep their levels in the tree.
    """
    document = hierarchy.document
    language = detect_language(document)
    phrases = phrases_in(language)
    sections = _sections(hierarchy, phrases)
    titled = titled_levels(hierarchy, no_title=no_title)
    title = document.metadata.title or PurePath(document.source).name or "Document"
    top = f"<h1>{escape_html(titled.title)}</h1>\n" if titled.title else ""
    body = Template(read_asset("reader.html")).substitute(
        phrases,
        title=escape_html(title),
        page_count=len(document.pages),
        extent=_extent(len(document.pages), len(sections), phrases),
        lang=language,
        tree="".join(_tree(hierarchy, sections)),
        text=top + "".join(_pages(hierarchy, titled, sections, images, phrases)),
        notes=_notes(hierarchy, phrases),
    )
    style = page_style("reader.css")
    return build_page(title, body, style=style, script=read_asset("reader.js"), lang=language or "en")


def _sections(hierarchy: Hierarchy, phrases: Phrases) -> list[_PageSection]:
    headings = list(headings_of(hierarchy))
    # Ids of pages and footnotes, which a title such as "Page 3" must not get.
    taken = {_page_id(number) for number, _ in _objects_by_page(hierarchy.document)}
    taken |= {note_id(item.note) for item in hierarchy.document.objects if item.note}
    ids = unique_slugs([heading.title for heading in headings], taken)
    doubtful = hierarchy.doubtful
    sections = []
    for heading, section_id in zip(headings, ids, strict=True):
        is_doubtful = heading.object_index in doubtful
        doubt = _doubt_attributes(hierarchy, heading.object_index, phrases) if is_doubtful else ""
        sections.append(_PageSection(heading, section_id, doubt))
    return sections


def unique_slugs(titles: Iterable[str], taken: Collection[str] = ()) -> list[str]:
    """An id for each title, none of them `taken`: a number is added where a slug repeats."""
    used = set(taken)
    counts: dict[str, int] = {}
    ids: list[str] = []
    for title in titles:
        base = slug(title) or "section"
        unique = base
        while unique in used:
            counts[base] = counts.get(base, 1) + 1
            unique = f"{base}-{counts[base]}"
        used.add(unique)
        ids.append(unique)
    return ids


def slug(title: str) -> str:
    """The title's words in lower case, joined by hyphens; "" if it has no letter or digit."""
    normal = unicodedata.normalize("NFKC", title).lower()
    words = _BETWEEN_WORDS.sub("-", normal).strip("-")
    if len(words) <= _MAX_SLUG_LENGTH:
        return words
    # Cut between words, unless a word is so long that less than half would remain.
    cut = words[: _MAX_SLUG_LENGTH + 1]
    end = max(cut.rfind("-"), _MAX_SLUG_LENGTH // 2)
    return cut[:end].rstrip("-")


def _doubt_attributes(hierarchy: Hierarchy, heading: int, phrases: Phrases) -> str:
    """The attributes of a doubtful heading; a calibrated model's certainty is named."""
    certainty = ""
    if hierarchy.calibrated:
        certainty = phrases["colon"] + phrases["sure"].format(hierarchy.certainty(heading))
    return f' class="doubtful" title="{phrases["doubt"]}{certainty}"'


def _tree(hierarchy: Hierarchy, sections: Sequence[_PageSection]) -> Iterator[str]:
    """The headings as nested lists of links."""
    depth = 0
    for heading, section_id, doubt in sections:
        if heading.level > depth:
            yield "<ul>" * (heading.level - depth)
        else:
            yield "</li></ul>" * (depth - heading.level) + "</li>"
        depth = heading.level
        title = escape_html(heading.title)
        page = escape_html(hierarchy.page_name(heading.page))
        yield f'\n<li><a href="#{section_id}"{doubt}><span>{title}</span><i>{page}</i></a>'
    yield "</li></ul>" * depth


def _pages(
    hierarchy: Hierarchy,
    titled: TitledLevels,
    sections: Sequence[_PageSection],
    images: Images,
    phrases: Phrases,
) -> Iterator[str]:
    """The objects, page by page."""
    objects = hierarchy.document.objects
    shown = emphasised_objects(hierarchy)
    moved = [index for index, item in enumerate(shown) if objects[index].text and not item.text]
    # Not shown again: objects that print the title, which is at the top, and those moved into a paragraph.
    headings = dict.fromkeys([*titled.printed, *moved], "")
    for section in sections:
        index = section.heading.object_index
        if index in titled.printed:
            headings[index] = f'<span class="title" id="{section.id}"></span>'  # the tree links to it
        else:
            headings[index] = _heading(section, titled.levels[index], objects[index])
    placeholder = f'<p class="left-out ours">{phrases["bare_page"]}</p>'
    begun: set[int] = set()
    with_doubt = hierarchy.min_confidence is not None
    document = replace(hierarchy.document, objects=shown)
    for number, on_page in _objects_by_page(document):
        # Objects of other engines may return to a page: only its first block has the page's id.
        page_tag = ">" if number in begun else _page_tag(hierarchy, number, phrases)
        begun.add(number)
        blocks = _page_content(on_page, headings, images, phrases, with_doubt=with_doubt)
        content = "\n".join(blocks) or placeholder
        yield f'<div class="page"{page_tag}\n{content}\n</div>\n'


def _objects_by_page(document: Document) -> Iterator[tuple[int, IndexedObjects]]:
    """The page numbers with the objects that begin there; pages on which none begins are included."""
    numbers = range(document.first_page, document.first_page + len(document.pages))
    used = {item.page for item in document.objects}
    empty = sorted(set(numbers) - used, reverse=True)  # the next one is the last of the list
    for number, objects in groupby(enumerate(document.objects), key=lambda pair: pair[1].page):
        while empty and empty[-1] < number:
            yield empty.pop(), []
        yield number, list(objects)
    for number in reversed(empty):
        yield number, []


def _page_content(
    objects: IndexedObjects,
    headings: Mapping[int, str],
    images: Images,
    phrases: Phrases,
    *,
    with_doubt: bool,
) -> Iterator[str]:
    for is_heading, group in groupby(objects, key=lambda pair: pair[0] in headings):
        if is_heading:
            yield from (headings[index] for index, _ in group)
        else:
            yield from html_blocks(list(group), images, phrases, with_doubt=with_doubt)


def _heading(section: _PageSection, level: int, item: PhysicalObject) -> str:
    tag = f"h{min(level, _MAX_HEADING_LEVEL)}"
    attributes = f'id="{section.id}"'
    if level > _MAX_HEADING_LEVEL:  # screen readers announce the true level
        attributes += f' aria-level="{level}"'
    title = raised_title(item) or escape_html(section.heading.title)
    return f"<{tag} {attributes}{section.doubt}>{title}</{tag}>"


def _page_tag(hierarchy: Hierarchy, number: int, phrases: Phrases) -> str:
    """The rest of a page's opening tag, and its number: as printed, and as counted if that differs."""
    label = hierarchy.page_name(number)
    page_id = _page_id(number)
    text = escape_html(label)
    if label != str(number):
        text += f"<small>{number}</small>"
    name = escape_html(_full_page_name(hierarchy, number, phrases))
    attributes = f'class="folio ours" role="doc-pagebreak" href="#{page_id}" title="{name}"'
    return f' id="{page_id}"><a {attributes}>{text}</a>'


def _full_page_name(hierarchy: Hierarchy, number: int, phrases: Phrases) -> str:
    """A page by its printed label, and by its number in the file if that differs."""
    label = hierarchy.page_name(number)
    name = phrases["page_named"].format(label)
    return name if label == str(number) else name + phrases["counted"].format(number)


def _page_id(number: int) -> str:
    return f"page-{number}"


def _notes(hierarchy: Hierarchy, phrases: Phrases) -> str:
    """The reader's warnings as a list; "" if there are none."""
    items = ""
    for number, message in hierarchy.document.notes:
        if number:
            page = _full_page_name(hierarchy, number, phrases)
            message = page + phrases["colon"] + message
        items += f"<li>{escape_html(message)}</li>"
    return f"<p>{phrases['while_reading']}</p><ul>{items}</ul>" if items else ""


def _extent(pages: int, headings: int, phrases: Phrases) -> str:
    """The numbers of pages and headings: `12 pages · 1 heading`."""
    page_count = phrases["one_page"] if pages == 1 else phrases["pages"].format(pages)
    several = phrases["several_headings"].format(headings)
    heading_count = phrases["one_heading"] if headings == 1 else several
    return f"{page_count} · {heading_count}"


def notebook_document(hierarchy: Hierarchy) -> str:
    """The tree of headings as lists that can be folded."""
    document = hierarchy.document
    extent = f"{len(document.pages)} pages, {len(hierarchy.headings)} headings"
    tree = _notebook_list(hierarchy, hierarchy.tree.children(), ROOT)
    return f"<p><b>{escape_html(document.source)}</b> ({extent})</p>{tree}"


def _notebook_list(
    hierarchy: Hierarchy, children: Mapping[int, Sequence[int]], parent: int, level: int = 1
) -> str:
    html = ""
    for heading in children[parent]:
        if heading not in hierarchy.headings:
            continue
        item = hierarchy.document.objects[heading]
        title = escape_html(item.title)
        page = escape_html(hierarchy.page_name(item.page))
        doubt = " ?" if heading in hierarchy.doubtful else ""
        line = f"{title} <small>{page}{doubt}</small>"
        below = _notebook_list(hierarchy, children, heading, level + 1)
        if below:
            is_open = " open" if level <= _UNFOLDED_LEVELS else ""
            html += f'<details style="margin-left:1em"{is_open}><summary>{line}</summary>{below}</details>'
        else:
            html += f'<div style="margin-left:1em">{line}</div>'
    return html


def notebook_section(hierarchy: Hierarchy, heading: int) -> str:
    """A section: its path, its title and its own objects."""
    objects = hierarchy.document.objects
    path = hierarchy.tree.paths()[heading]
    *above, title = [objects[index].title for index in path]
    breadcrumbs = escape_html(" › ".join(above))
    html = f"<p><small>{breadcrumbs}</small></p><h3>{escape_html(title)}</h3>"
    for child in hierarchy.tree.children()[heading]:
        if child not in hierarchy.headings:
            html += objects[child]._repr_html_()
    return html
