"""What notebooks show of a document and of a section: the tree, folded, and the text below a heading."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from held.hierarchy.hierarchy import Hierarchy
from held.tree import ROOT

_UNFOLDED = 1  # levels


def document_html(hierarchy: Hierarchy) -> str:
    """The tree of headings as lists that can be folded."""
    document = hierarchy.document
    extent = f"{len(document.pages)} pages, {len(hierarchy.headings)} headings"
    return f"<p><b>{escape(document.source)}</b> ({extent})</p>{_list(hierarchy, ROOT, 1)}"


def _list(hierarchy: Hierarchy, node: int, level: int) -> str:
    below = [child for child in hierarchy.tree.children()[node] if child in hierarchy.headings]
    return "".join(_item(hierarchy, child, level) for child in below)


def _item(hierarchy: Hierarchy, heading: int, level: int) -> str:
    item = hierarchy.document.objects[heading]
    doubt = " ?" if heading in hierarchy.doubtful else ""
    title = escape(" ".join(item.text.split()))
    named = f"{title} <small>{escape(hierarchy.page_name(item.page))}{doubt}</small>"
    below = _list(hierarchy, heading, level + 1)
    if not below:
        return f'<div style="margin-left:1em">{named}</div>'
    is_open = " open" if level <= _UNFOLDED else ""
    return f'<details style="margin-left:1em"{is_open}><summary>{named}</summary>{below}</details>'


def section_html(hierarchy: Hierarchy, heading: int) -> str:
    """A section: its path, its title and its own objects."""
    path = hierarchy.tree.paths()[heading][:-1]
    titles = (" ".join(hierarchy.document.objects[above].text.split()) for above in path)
    where = escape(" › ".join(titles))
    title = escape(" ".join(hierarchy.document.objects[heading].text.split()))
    return f"<p><small>{where}</small></p><h3>{title}</h3>" + "".join(_texts(hierarchy, heading))


def _texts(hierarchy: Hierarchy, heading: int) -> Iterator[str]:
    for child in hierarchy.tree.children()[heading]:
        if child not in hierarchy.headings:
            yield hierarchy.document.objects[child]._repr_html_()
