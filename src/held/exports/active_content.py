"""Removes from a PDF what acts by itself or carries other files: scripts, actions, media and attachments.

Links within the document and to web pages stay; all other actions are removed. Every object of the file is
searched, so that it does not matter where a viewer would find an action.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from urllib.parse import urlsplit

import pikepdf

# Keys that hold an action (ISO 32000-1, 12.6). Structure elements use /A for attributes, which have no /S.
# /NA and /PA are those of a presentation's steps.
ACTION_KEYS = ("/A", "/NA", "/PA", "/OpenAction", "/Next")
# Actions that lead elsewhere in the document or only change what is shown: ISO 32000-1, table 198.
HARMLESS_ACTIONS = frozenset({"/GoTo", "/Named", "/URI", "/SetOCGState", "/Hide", "/Thread"})
HARMLESS_SCHEMES = frozenset({"", "http", "https", "mailto", "ftp", "tel"})
# Removed wherever they occur: actions upon events, scripts (by name, in a rendition, or as an XFA form).
SCRIPT_KEYS = ("/AA", "/JavaScript", "/JS", "/XFA")
# Files within the file: ISO 32000-2, 7.11.4 and 14.13. A portfolio (/Collection) shows nothing else.
ATTACHMENT_KEYS = ("/EmbeddedFiles", "/EF", "/RF", "/AF", "/Collection")
# Annotations that play media or open an attachment: ISO 32000-2, table 171.
ACTIVE_ANNOTATIONS = frozenset({"/FileAttachment", "/RichMedia", "/Movie", "/Sound", "/Screen", "/3D"})


def strip_active_content(file: pikepdf.Pdf) -> Counter[str]:
    """Remove active content from an open file, and return how many items of each kind were removed."""
    removed: Counter[str] = Counter()
    for item in _dictionaries(file):
        for key in SCRIPT_KEYS:
            if key in item:
                del item[key]
                removed["script"] += 1
        for key in ATTACHMENT_KEYS:
            if key in item:
                del item[key]
                removed["attachment"] += 1
        for key in ACTION_KEYS:
            if key in item and _is_active_action(item[key]):
                del item[key]
                removed["action"] += 1
        if "/Base" in item and not _is_harmless_link(item["/Base"]):  # of all relative links
            del item["/Base"]
            removed["action"] += 1
        removed["annotation"] += _strip_annotations(item)
    return +removed  # drops the kinds with a count of 0


def _dictionaries(file: pikepdf.Pdf) -> Iterator[pikepdf.Object]:
    """All dictionaries of a file, including those of streams and those within other objects."""
    waiting: list[object] = [file.trailer, *file.objects]
    while waiting:
        item = waiting.pop()
        if _has_keys(item):
            assert isinstance(item, pikepdf.Object)
            yield item
            # What was removed just now is not searched any more.
            waiting += [value for value in item.values() if _is_direct(value)]
        elif isinstance(item, pikepdf.Array):
            waiting += [value for value in item if _is_direct(value)]


def _is_direct(value: object) -> bool:
    """Whether a value is part of another object. Indirect objects are in the file's list of objects."""
    return isinstance(value, pikepdf.Dictionary | pikepdf.Array) and not value.is_indirect


def _is_active_action(value: pikepdf.Object) -> bool:
    """Whether a value is an action that does more than open a link, or a list with such an action."""
    if isinstance(value, pikepdf.Array):  # the actions after another one, or a destination
        return any(_is_active_action(item) for item in value if _has_keys(item))
    if not _has_keys(value):
        return False
    kind = value.get("/S")
    if kind is None:
        return False
    if str(kind) == "/URI":
        return not _is_harmless_link(value.get("/URI"))
    return str(kind) not in HARMLESS_ACTIONS


def _has_keys(value: object) -> bool:
    """Whether a value is a dictionary, or a stream, whose dictionary some viewers take for one."""
    return isinstance(value, pikepdf.Dictionary | pikepdf.Stream)


def _is_harmless_link(address: object) -> bool:
    """Whether an address opens a web page or an e-mail, not a file or a script."""
    text = str(address).strip()
    try:
        scheme = urlsplit(text).scheme.lower()
    except ValueError:
        return False
    # Paths such as //server/file have no scheme, and Windows logs in to that server.
    is_network_path = text.replace("\\", "/").startswith("//")
    return scheme in HARMLESS_SCHEMES and not is_network_path


def _strip_annotations(page: pikepdf.Object) -> int:
    """Remove the active annotations of a page, and return their number."""
    annotations = page.get("/Annots")
    if not isinstance(annotations, pikepdf.Array):
        return 0
    kept = []
    for annotation in annotations:
        kind = annotation.get("/Subtype") if _has_keys(annotation) else None
        if kind is None or str(kind) not in ACTIVE_ANNOTATIONS:
            kept.append(annotation)
    removed = len(annotations) - len(kept)
    if removed:
        page["/Annots"] = pikepdf.Array(kept)
    return removed
