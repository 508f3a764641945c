"""The blocks that a tagged PDF declares: paragraphs, headings, list items, tables, figures, in reading order.

The structure tree is walked with pikepdf, because PDFium shows it page by page, and a paragraph that goes
on over the page must stay one block. What text stands in each marked piece of a page comes from PDFium's
text page, the same that the reader uses, so that blocks and recognised objects have the same characters.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from held.errors import DamagedPdfError, EncryptedPdfError
from held.reading.pdfium import Handle, library, pointer_to
from held.reading.raw import CannotLoadPage, CannotOpen
from held.reading.raw_pages import open_document, open_page, open_text, page_count
from held.reading.runs import HYPHENS, LINE, page_text, split_by_object

HEADINGS = frozenset({"H", "H1", "H2", "H3", "H4", "H5", "H6"})
BLOCKS = HEADINGS | {"P", "LI", "Table", "Figure", "Caption", "TOCI", "Formula", "Note", "Code"}
# What stands in these is one block, whatever other blocks they are made of.
WHOLE = frozenset({"Table", "Figure", "Formula", "TOCI"})
USABLE = HEADINGS | {"P", "L", "Table", "Figure"}
DEEPEST = 60
MOST_ROLES = 20  # a role map can run in circles

MarkedText = dict[tuple[int, int], str]  # page from 0 and marked-content id: the text there


@dataclass(frozen=True, slots=True)
class TaggedBlock:
    """A block: its standard type, its text, the pages (from 1) it stands on, and how deep in sections."""

    type: str
    text: str
    pages: tuple[int, ...]
    sections: int = 0


@dataclass(frozen=True, slots=True)
class Tags:
    """A file's blocks in reading order, and how much of its text they hold, in characters that show.

    `unmarked_characters` belong to no element: running heads, page numbers and watermarks, if the file
    is tagged well.
    """

    blocks: tuple[TaggedBlock, ...]
    characters: int
    usable_characters: int
    unmarked_characters: int

    @property
    def usable_share(self) -> float:
        """The share of the file's text that lies in paragraphs, headings, lists, tables or figures."""
        return self.usable_characters / self.characters if self.characters else 0.0


@dataclass(slots=True)
class _Draft:
    """A block that is being gathered."""

    type: str
    sections: int = 0
    texts: list[str] = field(default_factory=list)
    pages: dict[int, None] = field(default_factory=dict)


@dataclass(slots=True)
class _Walk:
    """What a walk over the structure tree carries: where to find things, and what it has found."""

    roles: dict[str, str]
    page_numbers: dict[tuple[int, int], int]
    marked: MarkedText
    drafts: list[_Draft] = field(default_factory=list)
    usable: set[tuple[int, int]] = field(default_factory=set)
    seen: set[tuple[int, int]] = field(default_factory=set)


def read_tags_here(path: str | os.PathLike[str], *, password: str | None = None) -> Tags:
    """The tagged blocks of a PDF, read in this process; none if it has no structure tree."""
    import pikepdf

    marked, characters = _marked_text(path, password)
    try:
        # The open file and not its name, of which qpdf wants that it is UTF-8.
        with open(path, "rb") as content, pikepdf.open(content, password=password or "") as pdf:
            root = pdf.Root.get("/StructTreeRoot")
            pages = {page.obj.objgen: index for index, page in enumerate(pdf.pages)}
            walk = _Walk(_roles(root), pages, marked)
            if isinstance(root, pikepdf.Dictionary):
                _visit(root, walk, _Place())
    except pikepdf.PasswordError as error:
        raise EncryptedPdfError("is encrypted", file=path, advice="give its password") from error
    except pikepdf.PdfError as error:
        raise DamagedPdfError("its structure tree cannot be read", file=path) from error
    usable = sum(_visible_characters(marked.get(place, "")) for place in walk.usable)
    unmarked = sum(_visible_characters(text) for (_, mark), text in marked.items() if mark < 0)
    return Tags(tuple(_finished(walk.drafts)), characters, usable, unmarked)


def _finished(drafts: list[_Draft]) -> Iterator[TaggedBlock]:
    """The drafts that have text, and figures with or without."""
    for draft in drafts:
        text = " ".join("".join(draft.texts).split())
        if text or (draft.type == "Figure" and draft.pages):
            yield TaggedBlock(
                draft.type, text, tuple(page + 1 for page in sorted(draft.pages)), draft.sections
            )


class _Place(NamedTuple):
    """Where an element stands in the tree: what the elements around it say of it.

    page      its page, from 0, where one is known
    draft     the block that it is part of, if any
    usable    whether it lies in an element that says what it is
    depth     how many elements lie around it
    sections  how many of them are sections
    """

    page: int | None = None
    draft: _Draft | None = None
    usable: bool = False
    depth: int = 0
    sections: int = 0


def _visit(element: Any, walk: _Walk, place: _Place) -> None:
    """Gathers an element and all below it."""
    if place.depth > DEEPEST or (element.is_indirect and element.objgen in walk.seen):
        return
    if element.is_indirect:
        walk.seen.add(element.objgen)
    kind = _standard_type(element, walk.roles)
    if kind == "Artifact":
        return
    page = _page_of(element, walk, place.page)
    sections = place.sections + (kind == "Sect")
    draft = place.draft
    if kind in BLOCKS and _begins_block(kind, draft):
        draft = _Draft(kind, sections)
        walk.drafts.append(draft)
        if kind == "Figure" and page is not None:
            draft.pages[page] = None
    inside = _Place(page, draft, place.usable or kind in USABLE, place.depth + 1, sections)
    for child in _children(element):
        if isinstance(child, int):
            _take(child, walk, inside)
        elif child.get("/MCID") is not None and child.get("/S") is None:
            _take(int(child.MCID), walk, inside._replace(page=_page_of(child, walk, page)))
        elif child.get("/Type") != "/OBJR":
            _visit(child, walk, inside)


def _begins_block(kind: str, draft: _Draft | None) -> bool:
    """Whether an element of a block's type is a block of its own where it stands."""
    if draft is None or kind in ("Caption", "LI", "Table", "Figure"):
        return draft is None or draft.type not in WHOLE or kind == "Caption"
    return draft.type not in WHOLE | {"LI", "Caption"}


def _take(mark: int, walk: _Walk, place: _Place) -> None:
    """Adds the text of a marked piece to the block around it."""
    page, draft = place.page, place.draft
    if page is None:
        return
    if place.usable:
        walk.usable.add((page, mark))
    if draft is not None:
        draft.texts.append(walk.marked.get((page, mark), ""))
        draft.pages[page] = None


def _children(element: Any) -> list[Any]:
    """What an element is made of: elements, marked-content references and numbers."""
    import pikepdf

    kids = element.get("/K")
    listed = list(kids) if isinstance(kids, pikepdf.Array) else [] if kids is None else [kids]
    return [kid for kid in listed if isinstance(kid, (int, pikepdf.Dictionary)) and not isinstance(kid, bool)]


def _page_of(element: Any, walk: _Walk, inherited: int | None) -> int | None:
    page = element.get("/Pg")
    return inherited if page is None else walk.page_numbers.get(page.objgen, inherited)


def _roles(root: Any) -> dict[str, str]:
    """The role map: the file's own types and what they stand for."""
    import pikepdf

    roles = root.get("/RoleMap") if isinstance(root, pikepdf.Dictionary) else None
    if not isinstance(roles, pikepdf.Dictionary):
        return {}
    return {str(key)[1:]: str(value)[1:] for key, value in roles.items() if isinstance(value, pikepdf.Name)}


def _standard_type(element: Any, roles: dict[str, str]) -> str:
    """The type that an element's own type stands for."""
    kind = str(element.get("/S", "/"))[1:]
    for _ in range(MOST_ROLES):
        if kind not in roles or roles[kind] == kind:
            break
        kind = roles[kind]
    return kind


def _marked_text(path: str | os.PathLike[str], password: str | None) -> tuple[MarkedText, int]:
    """The text of each marked piece of a file, and how many visible characters the file has in all."""
    marked: MarkedText = {}
    characters = 0
    try:
        with open_document(os.fsencode(path), password.encode() if password else None) as document:
            for index in range(page_count(document)):
                try:
                    with open_page(document, index) as page, open_text(page) as text:
                        characters += _add_marked_text(text, index, marked)
                except CannotLoadPage:
                    continue
    except CannotOpen as refusal:
        raise DamagedPdfError("cannot be opened", file=path) from refusal
    return marked, characters


def _add_marked_text(text_page: Handle, index: int, marked: MarkedText) -> int:
    """Adds a page's text by marked-content id, and answers how many visible characters the page has."""
    text, _ = page_text(text_page)
    pointer = pointer_to(text_page)
    marks: dict[Handle, int] = {}
    for line in LINE.finditer(text):
        spans = split_by_object(pointer, *line.span())
        # Inserted spaces stand between spans; each goes to the span before it.
        ends = [start for start, _, _ in spans[1:]] + [line.end()]
        for (start, _, text_object), end in zip(spans, ends, strict=True):
            if text_object not in marks:
                marks[text_object] = library.FPDFPageObj_GetMarkedContentID(text_object)
            piece = text[start:end]
            piece = piece[:-1] if piece[-1] in HYPHENS else piece + " " * (end == line.end())
            place = (index, marks[text_object])
            marked[place] = marked.get(place, "") + piece
    return _visible_characters(text)


def _visible_characters(text: str) -> int:
    return sum(map(len, text.split()))
