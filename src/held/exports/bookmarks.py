"""The PDF with the tree as its bookmarks, which a viewer shows beside the pages.

`add_bookmarks` runs qpdf in a sandboxed child process, because the file may be hostile. Only the outline
and the page mode change, recognised pages get their text (`text_layer`), and on request active content is
removed (`active_content`); streams are not decoded.
Positions are given as the reader gives them, from the top of the page as a viewer shows it, and are
converted to the page's own space. A bookmark becomes a child of the nearest bookmark before it with a lower
level, so skipped levels do no harm.
"""

from __future__ import annotations

import codecs
import logging
import os
import warnings
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from io import BytesIO
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pikepdf

from held.document import Box, Note, Pages, Run, Style
from held.errors import (
    DamagedPdfError,
    EncryptedPdfError,
    HeldError,
    InputError,
    NoPagesError,
    NotAPdfError,
    UsageError,
)
from held.exports.active_content import strip_active_content
from held.exports.object_text import one_line
from held.exports.outline import nest_levels
from held.exports.text_layer import LayerWord, PageLayer, add_layers, top_after_turn
from held.hierarchy.matching.titles import bare_key, close_key, key
from held.numbering import is_loose_number
from held.system.limits import limits
from held.system.worker_main import Connection
from held.system.worker_pool import Answer, call_in_sandbox, serve_in_sandbox

if TYPE_CHECKING:
    from held.hierarchy import Hierarchy

CHILD = "held.exports.bookmarks:serve"
KEPT_TITLE = "Original bookmarks"
NO_TURNS: Mapping[int, int] = {}
MAX_UNFOLDED = 40  # bookmarks that a viewer shows when the file is opened
LETTER = Box(0, 0, 612, 792)
MAX_PAGE_TREE_DEPTH = 50  # a damaged file may contain a loop
MAX_LABEL_CHARACTERS = 10  # before a title on its line
SHORT_KEY = 3  # characters: so short a title occurs anywhere, so it must be a whole line
ITALIC = 1  # flag /F of an outline item: PDF 32000-1, table 153
SIGNATURES_EXIST = 1  # flag /SigFlags: PDF 32000-1, table 219

# pikepdf logs defects that the file had before; they would go to stderr.
logging.getLogger("pikepdf").addHandler(logging.NullHandler())


class Bookmark(NamedTuple):
    """A bookmark: level and page from 1, `y` in points from the top of the page as a viewer shows it."""

    level: int
    page: int
    title: str
    y: float | None = None
    doubtful: bool = False


def bookmarks_of(hierarchy: Hierarchy, turns: Mapping[int, int] = NO_TURNS) -> list[Bookmark]:
    """The headings as bookmarks, each leading to the top of its heading; `turns` are those of `PageLayer`."""
    from held.exports.outline import headings_of  # loads models, which the child process does not need

    doubtful = hierarchy.doubtful
    bookmarks = []
    for index, level, page, title in headings_of(hierarchy):
        size = hierarchy.document.pages[page - hierarchy.document.first_page]
        y = top_after_turn(hierarchy.document.objects[index].box, size, turns.get(page, 0))
        bookmarks.append(Bookmark(level, page, title, y, index in doubtful))
    return bookmarks


def title_top(pages: Pages, page: int, title: str) -> float | None:
    """The distance of a title from the top of its page as viewed; None if the page does not have it.

    Running headers repeat titles: a match that begins a line, or is larger, wins.
    """
    runs = pages.pages[page - pages.first_page].runs
    for title_key in dict.fromkeys((key(title), bare_key(title))):
        best = max(_title_matches(runs, title_key, pages.styles), default=None)
        if best is not None:
            return runs[-best.negated_run].y0
    return None


class _TitleMatch(NamedTuple):
    """A match of a title on its page. Matches compare field by field, and the greatest is the title."""

    begins_line: bool
    font_size: int
    bold: bool
    ends_run: bool
    negated_run: int  # the index of its run, negated: of equal matches the first is the greatest


def _title_matches(runs: Sequence[Run], title_key: str, styles: Sequence[Style]) -> Iterator[_TitleMatch]:
    # Keys have no spaces, so a title matches even where its spaces are a gap between two runs.
    keys = [close_key(run.text) for run in runs]
    text = "".join(keys)
    starts = list(accumulate(map(len, keys), initial=0))
    start = text.find(title_key) if title_key else -1
    while start >= 0:
        index = bisect_right(starts, start) - 1
        style = styles[runs[index].style]
        label = text[starts[index] : start]  # "1.2" of the run "1.2 Boats", if the title is "Boats"
        begins_line = not label or is_loose_number(label)
        ends_run = start + len(title_key) in starts
        is_long = len(title_key) > SHORT_KEY and len(label) <= MAX_LABEL_CHARACTERS
        if (begins_line and ends_run) or is_long:
            yield _TitleMatch(begins_line, round(style.size), style.bold, ends_run, -index)
        start = text.find(title_key, start + 1)


def add_bookmarks(
    pdf: Path,
    entries: Iterable[Bookmark],
    *,
    password: str | None = None,
    keep: bool = False,
    strip_active: bool = False,
    layers: Mapping[int, PageLayer] | None = None,
) -> tuple[bytes, tuple[Note, ...]]:
    """The PDF with these bookmarks, and warnings: see `write_bookmarks`, which a child process runs.

    `layers` has the recognised text of pages, by their numbers.
    """
    request = {
        "pdf": os.path.abspath(pdf),
        "entries": list(entries),
        "password": password,
        "keep": keep,
        "strip_active": strip_active,
        "layers": [(number, *layer) for number, layer in (layers or {}).items()],
    }
    seconds = limits().seconds_for(len(layers or ()))
    answer = call_in_sandbox(CHILD, request, seconds=seconds, action="writing its bookmarks", file=pdf)
    match answer:
        case Answer([*messages], (content,)):
            return content, tuple(Note(None, str(message)) for message in messages)
    raise HeldError("the answer of the process that writes bookmarks makes no sense", file=pdf)


def serve(line: Connection) -> None:
    """Answer requests of `add_bookmarks`; the child process runs this."""
    serve_in_sandbox(line, _answer)


def _answer(request: Any) -> Answer:
    entries = [Bookmark(*entry) for entry in request["entries"]]
    pdf, password = Path(request["pdf"]), request["password"]
    layers = {}
    for number, slope, words, turn in request["layers"]:
        layers[number] = PageLayer(slope, [LayerWord(*word) for word in words], turn)
    content, notes = write_bookmarks(
        pdf,
        entries,
        password=password,
        keep=request["keep"],
        strip_active=request["strip_active"],
        layers=layers,
    )
    return Answer([note.message for note in notes], (content,))


def write_bookmarks(
    pdf: Path,
    entries: Sequence[Bookmark],
    *,
    password: str | None = None,
    keep: bool = False,
    strip_active: bool = False,
    layers: Mapping[int, PageLayer] | None = None,
) -> tuple[bytes, tuple[Note, ...]]:
    """The PDF with these bookmarks, which a viewer shows when it opens the file, and warnings.

    The file's own bookmarks are removed, or with `keep` come last, folded under one bookmark. `strip_active`
    removes scripts, actions, media and attachments. An encrypted file stays encrypted. The same input gives
    the same bytes, unless it is encrypted.
    """
    with _open_pdf(pdf, password) as file:
        _require_assembly(file, pdf)
        _require_pages(entries, file, pdf)
        bookmarks = list(entries)
        if layers and _may_change_pages(file):
            _turn_pages(file, layers)
        kept = _top_items(file) if keep else []
        if kept:
            bookmarks.append(Bookmark(1, 1, KEPT_TITLE))
        if bookmarks:
            _write_outline(file, bookmarks, kept)
            file.Root.PageMode = pikepdf.Name.UseOutlines
        elif "/Outlines" in file.Root:
            del file.Root.Outlines
        notes: list[Note] = []
        if strip_active:
            notes += _strip_active(file, pdf)
        if layers and not _may_change_pages(file):
            notes.append(Note(None, "its owner does not allow text to be added; only bookmarks were written"))
        elif layers:
            add_layers(file, layers, {number: _page_view(file.pages[number - 1]) for number in layers})
        if _is_signed(file):
            notes.append(Note(None, "is signed; with bookmarks its signature is no longer valid"))
        return _save(file), tuple(notes)


@contextmanager
def _open_pdf(path: Path, password: str | None) -> Iterator[pikepdf.Pdf]:
    """The open PDF. Every error of the PDF, now or in the `with` block, is raised as an `InputError`."""
    try:
        # qpdf requires names in UTF-8, so it gets the open file.
        with (
            path.open("rb") as content,
            pikepdf.open(content, password=password or "", inherit_page_attributes=False) as file,
        ):
            if not file.pages:
                raise NoPagesError("has no pages", file=path)
            yield file
    except pikepdf.PasswordError:
        if password:
            raise EncryptedPdfError("the password is wrong", file=path) from None
        raise EncryptedPdfError("is encrypted", file=path, advice="give its password") from None
    except (pikepdf.PdfError, RuntimeError, ValueError, OverflowError) as error:
        # qpdf raises plain RuntimeErrors too, for a cross-reference beyond the file's end for example.
        raise _damage_error(path) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error


def _damage_error(path: Path) -> InputError:
    from held.system.bounded_json import has_pdf_header

    if not has_pdf_header(path):
        return NotAPdfError("is not a PDF", file=path)
    advice = "the other formats need only be able to read it"
    return DamagedPdfError("is too damaged to be written again", file=path, advice=advice)


def _require_assembly(file: pikepdf.Pdf, path: Path) -> None:
    # Bit 11 of the permissions lets others write bookmarks: PDF 32000-1, table 22.
    if file.is_encrypted and not file.owner_password_matched and not file.allow.modify_assembly:
        advice = "give the owner's password, or take the format outline"
        raise EncryptedPdfError("its owner does not allow bookmarks to be written", file=path, advice=advice)


def _may_change_pages(file: pikepdf.Pdf) -> bool:
    return not file.is_encrypted or file.owner_password_matched or file.allow.modify_other


def _strip_active(file: pikepdf.Pdf, path: Path) -> list[Note]:
    """Remove active content, and return a note on what was removed."""
    if not _may_change_pages(file):
        # Half of what was asked for would be worse than nothing.
        what = "its owner does not allow active content to be removed"
        raise EncryptedPdfError(what, file=path, advice="give the owner's password")
    removed = strip_active_content(file)
    if not removed:
        return []
    counts = [f"{count} {kind}{'s' if count > 1 else ''}" for kind, count in sorted(removed.items())]
    return [Note(None, f"removed active content: {', '.join(counts)}")]


def _turn_pages(file: pikepdf.Pdf, layers: Mapping[int, PageLayer]) -> None:
    """Have viewers show the scans upright that lie on their side or upside down."""
    for number, layer in layers.items():
        if layer.turn:
            page = file.pages[number - 1]
            page.Rotate = (_page_view(page)[1] + layer.turn) % 360


def _page_view(page: pikepdf.Page) -> tuple[Box, int]:
    """The visible box of a page in PDF space, and its rotation in degrees."""
    return _visible_box(page), _integer(_page_attribute(page, "/Rotate"))


def _require_pages(entries: Iterable[Bookmark], file: pikepdf.Pdf, path: Path) -> None:
    count = len(file.pages)
    for bookmark in entries:
        if not 1 <= bookmark.page <= count:
            advice = f"pages 1-{count} exist"
            raise UsageError(f"there is no page {bookmark.page}", file=path, advice=advice)


def _is_signed(file: pikepdf.Pdf) -> bool:
    form = file.Root.get("/AcroForm")
    if not isinstance(form, pikepdf.Dictionary):
        return False
    return bool(_integer(form.get("/SigFlags")) & SIGNATURES_EXIST)


def _write_outline(file: pikepdf.Pdf, bookmarks: Sequence[Bookmark], kept: Sequence[pikepdf.Object]) -> None:
    """Replace the outline; `kept` items become children of the last bookmark."""
    depths, parents = nest_levels([bookmark.level for bookmark in bookmarks])
    root = file.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.Outlines))
    items = [_outline_item(file, bookmark) for bookmark in bookmarks]
    children: list[list[pikepdf.Object]] = [[] for _ in items]
    top: list[pikepdf.Object] = []
    for item, parent in zip(items, parents, strict=True):
        siblings = top if parent is None else children[parent]
        siblings.append(item)
    last = len(items) - 1
    children[last] += kept
    unfolded_depth = _unfolded_depth(depths)
    # From the last to the first: a count includes the counts of the items below it.
    for index in range(last, -1, -1):
        holds_kept = bool(kept) and index == last
        unfolded = depths[index] < unfolded_depth and not holds_kept
        _link_children(items[index], children[index], unfolded=unfolded)
    _link_children(root, top, unfolded=True)
    file.Root.Outlines = root


def _unfolded_depth(depths: Sequence[int]) -> int:
    """The deepest level down to which the outline stays short when it is shown."""
    unfolded = 1
    while unfolded < max(depths):
        shown = sum(depth <= unfolded + 1 for depth in depths)
        if shown > MAX_UNFOLDED:
            break
        unfolded += 1
    return unfolded


def _link_children(parent: pikepdf.Object, children: Sequence[pikepdf.Object], *, unfolded: bool) -> None:
    """Chain the children below their parent: PDF 32000-1, 12.3.3."""
    if not children:
        return
    for child in children:
        child.Parent = parent
        for link in ("/Prev", "/Next"):  # bookmarks that are kept have neighbours of their own
            if link in child:
                del child[link]
    for before, after in pairwise(children):
        before.Next = after
        after.Prev = before
    parent.First = children[0]
    parent.Last = children[-1]
    # A count says how many items are shown below; it is negative if they are folded.
    shown = len(children)
    for child in children:
        below = _integer(child.get("/Count"))
        shown += max(0, below)
    parent.Count = shown if unfolded else -shown


def _outline_item(file: pikepdf.Pdf, bookmark: Bookmark) -> pikepdf.Object:
    page = file.pages[bookmark.page - 1]
    x, y = _to_page_space(page, bookmark.y or 0.0)
    # The last value is the zoom, which the viewer keeps: PDF 32000-1, table 151.
    destination = [page.obj, pikepdf.Name.XYZ, round(x, 2), round(y, 2), None]
    # UTF-16 is the only encoding of PDF strings that every reader knows and that holds every title.
    title = codecs.BOM_UTF16_BE + one_line(bookmark.title).encode("utf-16-be", "replace")
    fields = pikepdf.Dictionary(Title=pikepdf.String(title), Dest=destination)
    item = file.make_indirect(fields)
    if bookmark.doubtful:
        item.F = ITALIC
    return item


def _to_page_space(page: pikepdf.Page, y: float) -> tuple[float, float]:
    """The point at the left edge of the page as viewed, `y` below its top, in PDF space."""
    left, bottom, right, top = _visible_box(page)
    # The page is turned clockwise to be viewed, and y grows upwards: PDF 32000-1, table 30 and 8.3.2.3.
    match _integer(_page_attribute(page, "/Rotate")) % 360:
        case 90:
            return min(left + y, right), bottom
        case 180:
            return right, min(bottom + y, top)
        case 270:
            return max(right - y, left), top
        case _:
            return left, max(top - y, bottom)


def _visible_box(page: pikepdf.Page) -> Box:
    """The crop box within the media box, in PDF space; our reader uses the same area."""
    media = _rectangle(_page_attribute(page, "/MediaBox")) or LETTER
    crop = _rectangle(_page_attribute(page, "/CropBox")) or media
    left, bottom = max(media.x0, crop.x0), max(media.y0, crop.y0)
    right, top = min(media.x1, crop.x1), min(media.y1, crop.y1)
    return Box(left, bottom, right, top) if left < right and bottom < top else media


def _rectangle(value: pikepdf.Object | None) -> Box | None:
    try:
        x0, y0, x1, y1 = (float(number) for number in value)  # type: ignore[union-attr]
    except (TypeError, ValueError):
        return None
    # A file may give any two opposite corners: PDF 32000-1, 7.9.5.
    left, right = sorted((x0, x1))
    bottom, top = sorted((y0, y1))
    return Box(left, bottom, right, top) if left < right and bottom < top else None


def _integer(value: object) -> int:
    """A PDF value as an integer; 0 if it is no number."""
    return int(value) if isinstance(value, int | Decimal) else 0


def _page_attribute(page: pikepdf.Page, name: str) -> pikepdf.Object | None:
    """An attribute of a page, or of the nearest node above it that has it (PDF 32000-1, 7.7.3.4)."""
    node: pikepdf.Object | None = page.obj
    for _ in range(MAX_PAGE_TREE_DEPTH):
        if not isinstance(node, pikepdf.Dictionary):
            break
        if name in node:
            return node[name]
        node = node.get("/Parent")
    return None


def _top_items(file: pikepdf.Pdf) -> list[pikepdf.Object]:
    """The file's own top-level bookmarks; a circular outline is followed once."""
    items: list[pikepdf.Object] = []
    visited: set[tuple[int, int]] = set()
    outlines = file.Root.get("/Outlines")
    item = outlines.get("/First") if isinstance(outlines, pikepdf.Dictionary) else None
    while isinstance(item, pikepdf.Dictionary) and item.is_indirect and item.objgen not in visited:
        visited.add(item.objgen)
        items.append(item)
        item = item.get("/Next")
    return items


def _save(file: pikepdf.Pdf) -> bytes:
    out = BytesIO()
    # The key of an encrypted file depends on its old id, and pikepdf has to decode what it encrypts.
    encrypted = file.is_encrypted
    with warnings.catch_warnings(action="ignore"):  # about defects that the file had before
        file.save(
            out,
            encryption=encrypted,
            deterministic_id=not encrypted,
            linearize=file.is_linearized,
            fix_metadata_version=False,
            stream_decode_level=None if encrypted else pikepdf.StreamDecodeLevel.none,
        )
    return out.getvalue()
