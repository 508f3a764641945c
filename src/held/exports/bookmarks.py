"""The same PDF with the tree as its bookmarks: what a viewer shows beside the pages.

Only the outline and the page mode change; no stream is decoded, only what was not compressed is. Places
come as the reader gives them, from the top of the page as a viewer turns it, and are written in the page's
own space. A bookmark hangs under the nearest one before it that has a lower level, so a level that is jumped
over costs nothing.
"""

from __future__ import annotations

import codecs
import logging
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pikepdf

from held.document import Box, Note
from held.errors import (
    DamagedPdfError,
    EncryptedPdfError,
    InputError,
    NoPagesError,
    NotAPdfError,
    UsageError,
)
from held.exports.markdown_text import one_line

if TYPE_CHECKING:
    from held.hierarchy.pipeline import Hierarchy

KEPT_TITLE = "Original bookmarks"
MOST_SHOWN = 40  # bookmarks that a viewer shows unfolded when the file is opened
LETTER = Box(0, 0, 612, 792)
DEEPEST_PAGE_TREE = 50
ITALIC = 1
SIGNATURES_EXIST = 1

# What was wrong with a file before is not our subject, and would go to stderr.
logging.getLogger("pikepdf").addHandler(logging.NullHandler())


class Bookmark(NamedTuple):
    """A bookmark: level and page from 1, `y` in points from the top of the page as a viewer shows it."""

    level: int
    page: int
    title: str
    y: float | None = None
    doubtful: bool = False


def bookmarks_of(hierarchy: Hierarchy) -> list[Bookmark]:
    """The headings as bookmarks, each leading to the top of its heading."""
    from held.exports.outline import headings_of  # what only writes bookmarks does without models

    doubtful = hierarchy.doubtful
    objects = hierarchy.document.objects
    return [
        Bookmark(level, page, title, objects[place].box.y0, place in doubtful)
        for place, level, page, title in headings_of(hierarchy)
    ]


def bookmarked(
    pdf: Path, entries: Iterable[Bookmark], *, password: str | None = None, keep: bool = False
) -> bytes:
    """The PDF with these bookmarks, which a viewer shows when it opens the file.

    The file's own bookmarks go, or with `keep` come last, folded under one of their own. What was encrypted
    stays so. The same input gives the same bytes, unless it is encrypted.
    """
    with _opened(pdf, password) as file:
        _require_assembly(file, pdf)
        kept = _top_items(file) if keep else []
        bookmarks = _checked(entries, file, pdf)
        if kept:
            bookmarks.append(Bookmark(1, 1, KEPT_TITLE))
        elif not bookmarks:
            if "/Outlines" in file.Root:
                del file.Root.Outlines
            return _saved(file)
        _write_outline(file, bookmarks, kept)
        file.Root.PageMode = pikepdf.Name.UseOutlines
        return _saved(file)


def cautions(pdf: Path, *, password: str | None = None) -> tuple[Note, ...]:
    """What else than the outline changes when bookmarks are written into this file."""
    with _opened(pdf, password) as file:
        form = file.Root.get("/AcroForm")
        signed = isinstance(form, pikepdf.Dictionary) and _whole(form.get("/SigFlags")) & SIGNATURES_EXIST
    return (Note(None, "is signed; with bookmarks its signature is no longer valid"),) if signed else ()


@contextmanager
def _opened(path: Path, password: str | None) -> Iterator[pikepdf.Pdf]:
    """The open PDF; whatever is wrong with it, then or later, is an `InputError`."""
    try:
        # The open file and not its name, of which qpdf wants that it is UTF-8.
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
        # Some of qpdf's errors are only one of the latter, as that of a cross-reference beyond all files.
        raise _refusal(path) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error


def _refusal(path: Path) -> InputError:
    from held.reading.read_pdf import has_header

    if not has_header(path):
        return NotAPdfError("is not a PDF", file=path)
    advice = "the other formats need only be able to read it"
    return DamagedPdfError("is too damaged to be written anew", file=path, advice=advice)


def _require_assembly(file: pikepdf.Pdf, path: Path) -> None:
    """Refuses a file whose owner does not allow others to write bookmarks."""
    if file.is_encrypted and not file.owner_password_matched and not file.allow.modify_assembly:
        advice = "give the owner's password, or take the format outline"
        raise EncryptedPdfError("its owner does not allow bookmarks to be written", file=path, advice=advice)


def _checked(entries: Iterable[Bookmark], file: pikepdf.Pdf, path: Path) -> list[Bookmark]:
    """The entries, all of them on pages that there are."""
    bookmarks = [Bookmark(*entry) for entry in entries]
    for bookmark in bookmarks:
        if not 1 <= bookmark.page <= len(file.pages):
            exist = f"pages 1-{len(file.pages)} exist"
            raise UsageError(f"there is no page {bookmark.page}", file=path, advice=exist)
    return bookmarks


def _write_outline(file: pikepdf.Pdf, bookmarks: Sequence[Bookmark], kept: Sequence[pikepdf.Object]) -> None:
    """Replaces the outline; `kept` items hang under the last bookmark."""
    depths, parents = _nested([bookmark.level for bookmark in bookmarks])
    root = file.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.Outlines))
    items = [_item(file, bookmark) for bookmark in bookmarks]
    children: list[list[pikepdf.Object]] = [[] for _ in items]
    top: list[pikepdf.Object] = []
    for item, parent in zip(items, parents, strict=True):
        (top if parent is None else children[parent]).append(item)
    if kept:
        children[-1] += kept
    unfolded = _unfolded_depth(depths)
    for item, depth, below in zip(items[::-1], depths[::-1], children[::-1], strict=True):
        _link(item, below, unfolded=depth < unfolded and not (kept and item is items[-1]))
    _link(root, top, unfolded=True)
    file.Root.Outlines = root


def _nested(levels: Sequence[int]) -> tuple[list[int], list[int | None]]:
    """How deep each entry comes to hang, from 1, and under which other; None for the top."""
    depths: list[int] = []
    parents: list[int | None] = []
    branch: list[int] = []
    for place, level in enumerate(levels):
        while branch and levels[branch[-1]] >= level:
            branch.pop()
        parents.append(branch[-1] if branch else None)
        branch.append(place)
        depths.append(len(branch))
    return depths, parents


def _unfolded_depth(depths: Sequence[int]) -> int:
    """The deepest level down to which the outline can be shown without being long."""
    deepest = 1
    while deepest < max(depths) and sum(depth <= deepest + 1 for depth in depths) <= MOST_SHOWN:
        deepest += 1
    return deepest


def _link(parent: pikepdf.Object, children: Sequence[pikepdf.Object], *, unfolded: bool) -> None:
    """Chains the children under their parent; a negative count folds them."""
    if not children:
        return
    for child in children:
        child.Parent = parent
        for link in ("/Prev", "/Next"):
            if link in child:
                del child[link]
    for before, after in pairwise(children):
        before.Next, after.Prev = after, before
    parent.First, parent.Last = children[0], children[-1]
    shown = sum(1 + max(0, _whole(child.get("/Count"))) for child in children)
    parent.Count = shown if unfolded else -shown


def _item(file: pikepdf.Pdf, bookmark: Bookmark) -> pikepdf.Object:
    page = file.pages[bookmark.page - 1]
    x, y = _in_page_space(page, bookmark.y or 0.0)
    destination = [page.obj, pikepdf.Name.XYZ, round(x, 2), round(y, 2), None]
    item = file.make_indirect(pikepdf.Dictionary(Title=_text(bookmark.title), Dest=destination))
    if bookmark.doubtful:
        item.F = ITALIC
    return item


def _text(title: str) -> pikepdf.Object:
    """The title on one line; always in UTF-16, since no other form can hold every title."""
    return pikepdf.String(codecs.BOM_UTF16_BE + one_line(title).encode("utf-16-be", "replace"))


def _in_page_space(page: pikepdf.Page, y: float) -> tuple[float, float]:
    """The point at the left edge of the page as it is viewed, `y` below its top, in PDF space."""
    left, bottom, right, top = _visible_box(page)
    match _whole(_inherited(page, "/Rotate")) % 360:
        case 90:
            return min(left + y, right), bottom
        case 180:
            return right, min(bottom + y, top)
        case 270:
            return max(right - y, left), top
        case _:
            return left, max(top - y, bottom)


def _visible_box(page: pikepdf.Page) -> Box:
    """The crop box within the media box, in PDF space: what our reader calls the page."""
    media = _rectangle(_inherited(page, "/MediaBox")) or LETTER
    crop = _rectangle(_inherited(page, "/CropBox")) or media
    both = Box(max(media.x0, crop.x0), max(media.y0, crop.y0), min(media.x1, crop.x1), min(media.y1, crop.y1))
    return both if both.width > 0 and both.height > 0 else media


def _rectangle(value: pikepdf.Object | None) -> Box | None:
    try:
        x0, y0, x1, y1 = (float(number) for number in value)  # type: ignore[union-attr]
    except (TypeError, ValueError):
        return None
    box = Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
    return box if box.width > 0 and box.height > 0 else None


def _whole(value: object) -> int:
    """A number of a file as an integer; 0 where it is none."""
    return int(value) if isinstance(value, int | Decimal) else 0


def _inherited(page: pikepdf.Page, name: str) -> pikepdf.Object | None:
    """A page's attribute, from the page or from the page tree above it."""
    node: pikepdf.Object | None = page.obj
    for _ in range(DEEPEST_PAGE_TREE):
        if not isinstance(node, pikepdf.Dictionary):
            break
        if name in node:
            return node[name]
        node = node.get("/Parent")
    return None


def _top_items(file: pikepdf.Pdf) -> list[pikepdf.Object]:
    """The file's own top-level bookmarks; an outline that runs in circles is followed once round."""
    items: list[pikepdf.Object] = []
    seen: set[tuple[int, int]] = set()
    outlines = file.Root.get("/Outlines")
    item = outlines.get("/First") if isinstance(outlines, pikepdf.Dictionary) else None
    while isinstance(item, pikepdf.Dictionary) and item.is_indirect and item.objgen not in seen:
        seen.add(item.objgen)
        items.append(item)
        item = item.get("/Next")
    return items


def _saved(file: pikepdf.Pdf) -> bytes:
    out = BytesIO()
    # The key of an encrypted file hangs on its old id, and pikepdf has to decode what it encrypts.
    encrypted = file.is_encrypted
    with warnings.catch_warnings(action="ignore"):  # as above
        file.save(
            out,
            encryption=encrypted,
            deterministic_id=not encrypted,
            linearize=file.is_linearized,
            fix_metadata_version=False,
            stream_decode_level=None if encrypted else pikepdf.StreamDecodeLevel.none,
        )
    return out.getvalue()
