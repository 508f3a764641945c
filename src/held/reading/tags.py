"""The blocks that a tagged PDF declares: paragraphs, headings, list items, tables, figures, in reading order.

pikepdf reads the structure tree, because PDFium shows it page by page, and a paragraph that continues on the
next page must stay one block. The text of each marked-content sequence comes from PDFium, as in `text_runs`,
so that blocks and recognised objects have the same characters. Both libraries run in a sandboxed process.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from held.errors import DamagedPdfError, EncryptedPdfError, HeldError
from held.reading.pdfium import Handle, library, pointer_to
from held.reading.pdfium_reader import open_document, open_page, open_text, page_count
from held.reading.raw_page import CannotLoadPage, CannotOpen
from held.reading.text_runs import HYPHENS, LINE, read_text, split_by_object
from held.system.limits import limits
from held.system.worker_main import Connection
from held.system.worker_pool import Answer, call_in_sandbox, serve_in_sandbox

# Standard structure types (ISO 32000-1, 14.8.4).
HEADINGS = frozenset({"H", "H1", "H2", "H3", "H4", "H5", "H6"})
BLOCKS = HEADINGS | {"P", "LI", "Table", "Figure", "Caption", "TOCI", "Formula", "Note", "Code"}
# Each of these is one block, whatever blocks it contains.
UNDIVIDED = frozenset({"Table", "Figure", "Formula", "TOCI"})
USABLE = HEADINGS | {"P", "L", "Table", "Figure"}
MAX_DEPTH = 60
MAX_ROLE_STEPS = 20  # a role map can contain a cycle

SERVE = "held.reading.tags:serve"

MarkedContent = tuple[int, int]  # page from 0, marked-content id


@dataclass(frozen=True, slots=True)
class TaggedBlock:
    """A block: its standard type, its text, its pages (from 1), and the number of sections around it."""

    type: str
    text: str
    pages: tuple[int, ...]
    sections: int = 0


@dataclass(frozen=True, slots=True)
class Tags:
    """A file's blocks in reading order, and how much of its text they contain, in visible characters.

    `unmarked_characters` belong to no element: running heads, page numbers and watermarks, if the file is
    tagged well.
    """

    blocks: tuple[TaggedBlock, ...]
    characters: int
    usable_characters: int
    unmarked_characters: int

    @property
    def usable_share(self) -> float:
        """The share of the file's text in paragraphs, headings, lists, tables or figures."""
        return self.usable_characters / self.characters if self.characters else 0.0


# --- in the calling process ---


def read_tags(path: str | os.PathLike[str], *, password: str | None = None) -> Tags:
    """The tagged blocks of a PDF; none if it has no structure tree."""
    request = {"path": os.path.abspath(path), "password": password}
    seconds = limits().file_seconds
    answer = call_in_sandbox(SERVE, request, seconds=seconds, action="reading its tags", file=path)
    try:
        blocks, (characters, usable, unmarked) = answer.value
        return Tags(
            blocks=tuple(_check_block(*block) for block in blocks),
            characters=_check_count(characters),
            usable_characters=_check_count(usable),
            unmarked_characters=_check_count(unmarked),
        )
    except (ValueError, TypeError) as error:
        reason = "the answer of the process that reads tags makes no sense"
        raise HeldError(reason, file=path) from error


def _check_block(type_: Any, text: Any, pages: Any, sections: Any) -> TaggedBlock:
    if not isinstance(type_, str) or not isinstance(text, str):
        raise TypeError("no texts")
    page_numbers = tuple(_check_count(page) for page in pages)
    return TaggedBlock(type_, text, page_numbers, _check_count(sections))


def _check_count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError("no whole number")
    return value


# --- in the sandboxed process ---


def serve(connection: Connection) -> None:
    """Read the tags of the requested files."""
    serve_in_sandbox(connection, _answer)


def _answer(request: Any) -> Answer:
    tags = read_tags_here(request["path"], password=request["password"])
    blocks = [(block.type, block.text, block.pages, block.sections) for block in tags.blocks]
    counts = (tags.characters, tags.usable_characters, tags.unmarked_characters)
    return Answer((blocks, counts))


@dataclass(slots=True)
class _Draft:
    """A block that is being collected."""

    type: str
    sections: int = 0
    texts: list[str] = field(default_factory=list)
    pages: dict[int, None] = field(default_factory=dict)


@dataclass(slots=True)
class _Walk:
    """The state of a walk over the structure tree: lookup tables, and what it has found."""

    roles: dict[str, str]
    page_numbers: dict[tuple[int, int], int]
    marked_text: dict[MarkedContent, str]
    drafts: list[_Draft] = field(default_factory=list)
    usable: set[MarkedContent] = field(default_factory=set)
    visited: set[tuple[int, int]] = field(default_factory=set)


class _Context(NamedTuple):
    """What the ancestors of an element say about it.

    page      its page, from 0, if known
    draft     the block that it is part of, if any
    usable    whether an ancestor has a usable type
    depth     the number of ancestors
    sections  the number of sections among them
    """

    page: int | None = None
    draft: _Draft | None = None
    usable: bool = False
    depth: int = 0
    sections: int = 0


def read_tags_here(path: str | os.PathLike[str], *, password: str | None = None) -> Tags:
    """The tagged blocks of a PDF, read in this process; none if it has no structure tree."""
    import pikepdf

    marked_text, characters = _read_marked_text(path, password)
    try:
        # qpdf takes only file names in UTF-8, so it gets the open file.
        with open(path, "rb") as content, pikepdf.open(content, password=password or "") as pdf:
            root = pdf.Root.get("/StructTreeRoot")
            page_numbers = {page.obj.objgen: index for index, page in enumerate(pdf.pages)}
            walk = _Walk(_read_roles(root), page_numbers, marked_text)
            if isinstance(root, pikepdf.Dictionary):
                _visit(root, walk, _Context())
    except pikepdf.PasswordError as error:
        raise EncryptedPdfError("is encrypted", file=path, advice="give its password") from error
    except pikepdf.PdfError as error:
        raise DamagedPdfError("its structure tree cannot be read", file=path) from error
    usable = unmarked = 0
    for (page, mark), text in marked_text.items():
        if (page, mark) in walk.usable:
            usable += _count_visible(text)
        if mark < 0:  # PDFium's id of content without a mark
            unmarked += _count_visible(text)
    return Tags(tuple(_finish(walk.drafts)), characters, usable, unmarked)


def _finish(drafts: list[_Draft]) -> Iterator[TaggedBlock]:
    """The drafts with text, and all figures."""
    for draft in drafts:
        text = " ".join("".join(draft.texts).split())
        if text or (draft.type == "Figure" and draft.pages):
            pages = tuple(page + 1 for page in sorted(draft.pages))
            yield TaggedBlock(draft.type, text, pages, draft.sections)


def _visit(element: Any, walk: _Walk, context: _Context) -> None:
    """Collect the blocks of an element and its descendants."""
    if context.depth > MAX_DEPTH:
        return
    if element.is_indirect:
        if element.objgen in walk.visited:  # a damaged tree can contain a cycle
            return
        walk.visited.add(element.objgen)
    type_ = _standard_type(element, walk.roles)
    if type_ == "Artifact":  # running heads and the like: ISO 32000-1, 14.8.2.2
        return
    page = _page_of(element, walk, context.page)
    sections = context.sections + (type_ == "Sect")
    draft = context.draft
    if type_ in BLOCKS and _begins_block(type_, draft):
        draft = _Draft(type_, sections)
        walk.drafts.append(draft)
        if type_ == "Figure" and page is not None:
            draft.pages[page] = None
    usable = context.usable or type_ in USABLE
    inside = _Context(page, draft, usable, context.depth + 1, sections)
    # A child is a marked-content id, a reference to one (which may be on another page), a reference to an
    # object such as a link, or an element: ISO 32000-1, 14.7.4.
    for child in _children(element):
        if isinstance(child, int):
            _add_marked_content(child, walk, inside)
        elif child.get("/MCID") is not None and child.get("/S") is None:
            child_page = _page_of(child, walk, page)
            _add_marked_content(int(child.MCID), walk, inside._replace(page=child_page))
        elif child.get("/Type") != "/OBJR":
            _visit(child, walk, inside)


def _begins_block(type_: str, draft: _Draft | None) -> bool:
    """Whether an element within a draft starts a block of its own."""
    if draft is None or type_ == "Caption":
        return True
    if type_ in ("LI", "Table", "Figure"):
        return draft.type not in UNDIVIDED
    return draft.type not in UNDIVIDED | {"LI", "Caption"}


def _add_marked_content(mark: int, walk: _Walk, context: _Context) -> None:
    page, draft = context.page, context.draft
    if page is None:
        return
    if context.usable:
        walk.usable.add((page, mark))
    if draft is not None:
        draft.texts.append(walk.marked_text.get((page, mark), ""))
        draft.pages[page] = None


def _children(element: Any) -> list[Any]:
    import pikepdf

    kids = element.get("/K")
    if not isinstance(kids, pikepdf.Array):
        kids = [kids]  # an only child needs no array
    children = []
    for kid in kids:
        is_mark = isinstance(kid, int) and not isinstance(kid, bool)
        if is_mark or isinstance(kid, pikepdf.Dictionary):
            children.append(kid)
    return children


def _page_of(element: Any, walk: _Walk, inherited: int | None) -> int | None:
    page = element.get("/Pg")
    return inherited if page is None else walk.page_numbers.get(page.objgen, inherited)


def _read_roles(root: Any) -> dict[str, str]:
    """The file's own types, and the types that they stand for (ISO 32000-1, 14.7.3)."""
    import pikepdf

    role_map = root.get("/RoleMap") if isinstance(root, pikepdf.Dictionary) else None
    if not isinstance(role_map, pikepdf.Dictionary):
        return {}
    roles = {}
    for name, standard in role_map.items():
        if isinstance(standard, pikepdf.Name):
            roles[_without_slash(name)] = _without_slash(standard)
    return roles


def _standard_type(element: Any, roles: dict[str, str]) -> str:
    type_ = _without_slash(element.get("/S", "/"))
    for _ in range(MAX_ROLE_STEPS):
        if type_ not in roles or roles[type_] == type_:
            break
        type_ = roles[type_]
    return type_


def _without_slash(name: object) -> str:
    return str(name)[1:]


def _read_marked_text(
    path: str | os.PathLike[str], password: str | None
) -> tuple[dict[MarkedContent, str], int]:
    """The text of each marked-content sequence, and the number of visible characters in the file."""
    marked_text: dict[MarkedContent, str] = {}
    characters = 0
    try:
        with open_document(os.fsencode(path), password.encode() if password else None) as document:
            for index in range(page_count(document)):
                try:
                    with open_page(document, index) as page, open_text(page) as text:
                        characters += _add_page_text(text, index, marked_text)
                except CannotLoadPage:
                    continue
    except CannotOpen as error:
        raise DamagedPdfError("cannot be opened", file=path) from error
    return marked_text, characters


def _add_page_text(text_page: Handle, index: int, marked_text: dict[MarkedContent, str]) -> int:
    """Add a page's text by marked-content id; the result is the page's number of visible characters."""
    text, _ = read_text(text_page)
    pointer = pointer_to(text_page)
    marks: dict[Handle, int] = {}
    for line in LINE.finditer(text):
        spans = split_by_object(pointer, *line.span())
        # A space that PDFium inserts between two spans goes to the first of them.
        ends = [start for start, _, _ in spans[1:]] + [line.end()]
        for (start, _, text_object), end in zip(spans, ends, strict=True):
            if text_object not in marks:
                marks[text_object] = library.FPDFPageObj_GetMarkedContentID(text_object)
            piece = text[start:end]
            if piece[-1] in HYPHENS:
                piece = piece[:-1]  # the word goes on in the next line
            elif end == line.end():
                piece += " "
            key = (index, marks[text_object])
            marked_text[key] = marked_text.get(key, "") + piece
    return _count_visible(text)


def _count_visible(text: str) -> int:
    return sum(map(len, text.split()))
