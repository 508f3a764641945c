"""How the section of each heading lies on the pages, and how classes of headings hold each other.

A part stands alone on its page, holds no text of its own, spans many pages, and chapters may count from 1
again inside it: where it stands and what follows make it a part, not the word that it begins with. Each fact
is computed for the heading and averaged over its class, because one heading may be an exception.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from held.document import Kind
from held.headings import Bools, Columns, Floats, Ints
from held.headings.object_features import KINDS, MISSING, ObjectFeatures

SECTION = Columns(
    (
        "text_above",
        "page_text",
        "text_after",
        "pages_to_next",
        "span",
        "inner",
        "restarts",
        "class_opens",
        "class_page_text",
        "class_empty",
        "class_span",
        "class_inner",
        "class_restarts",
        "form_empty",
        "run",
        "class_runs",
    )
)
"""Features of a heading's section.

text_above      characters of body text before it on its page, as a logarithm; 0 for a page opener
page_text       the same of the whole page; 0 for a heading that is alone on its page
text_after      the same until the next heading; 0 where that follows directly
pages_to_next   pages until the next heading
span, inner     pages and headings until the next heading of its class, as logarithms
restarts        whether the first number inside the section starts a list
class_…         means over the class: the share of page openers, the share without text of their own …
form_empty      the share without text of their own among the headings with numbers of the same form
run             pages from the heading on whose running heads name it, as a logarithm; class_runs: the share
                of the class that running heads name
"""

ENTRY = Columns(("entry_inset", "entry_size", "entry_bold", "entry_caps"))
"""How the entry of the printed contents that names a heading is set; MISSING where there is none."""

_CONTENTS_ENTRY = KINDS.index(Kind.CONTENTS_ENTRY)
MIN_TEXT = 4  # characters: less is a stray mark, not text
_MAX_PAGES = 20  # to the next heading; more says no more
_MIN_HEAD_LENGTH = 8  # characters: a shorter running head names a title only if it is the whole title
_MAX_HEADLESS_PAGES = 1  # between two pages with a running head: left and right pages may have other ones
NEVER_RUNS = -1  # instead of a page


class ClassRelations(NamedTuple):
    """For two classes a and b of a document, at [a, b].

    resets    of the neighbours of class b with a heading of class a between them, the share in which the
              second one starts a list; MISSING where there are none
    touches   the share of class b that stand right below a heading of class a, without text between them
    """

    resets: Floats
    touches: Floats


class HeadingRows(NamedTuple):
    """What section features are computed from: columns of the headings, a row each."""

    chosen: Ints  # the objects
    style_class: Ints
    form: Ints  # of the number, 0 for none
    starts_list: Bools
    runs_until: Ints  # the last page whose running head names the heading, or NEVER_RUNS


def runs_until(objects: ObjectFeatures, chosen: Ints) -> Ints:
    """The last page, from each heading on, that has a running head with its title; else NEVER_RUNS.

    The running head may be the beginning of a long title, or the title that of a long running head.
    """
    found = np.full(len(chosen), NEVER_RUNS, np.int64)
    if not objects.heads:
        return found
    long_heads = [name for name in objects.heads if len(name) >= _MIN_HEAD_LENGTH]
    pages = objects["page"][chosen].astype(np.int64).tolist()
    for row, (obj, page) in enumerate(zip(chosen.tolist(), pages, strict=True)):
        names = {objects.keys[obj], objects.bare_keys[obj]}
        heads = {name for name in names if name in objects.heads}
        for title in names:
            if len(title) >= _MIN_HEAD_LENGTH:
                heads.update(head for head in long_heads if _begins_with_other(title, head))
        if heads:
            found[row] = max(_end_of_run(objects.heads[name], page) for name in heads)
    return found


def _begins_with_other(title: str, head: str) -> bool:
    return title.startswith(head) or head.startswith(title)


def _end_of_run(pages: Sequence[int], start: int) -> int:
    """The last of the pages that follow each other closely from a page on; NEVER_RUNS if none does."""
    last = start
    for page in pages:
        if page > last + 1 + _MAX_HEADLESS_PAGES:
            break
        last = max(last, page)
    return last if last > start else NEVER_RUNS


def section_features(objects: ObjectFeatures, rows: HeadingRows) -> Floats:
    """SECTION for each heading."""
    matrix = SECTION.empty(len(rows.chosen))
    if not len(rows.chosen):
        return matrix
    section = SECTION.records(matrix)
    above, on_page, after = _body_text(objects, rows.chosen)
    page = objects["page"][rows.chosen]
    last_page = objects["page"].max()
    next_page = np.append(page[1:], last_page)
    next_row = next_of_class(rows.style_class)
    count = len(page)
    pages_until = np.append(page, last_page)[next_row] - page
    section["text_above"] = np.log1p(above)
    section["page_text"] = np.log1p(on_page)
    section["text_after"] = np.log1p(after)
    section["pages_to_next"] = np.clip(next_page - page, 0, _MAX_PAGES)
    section["span"] = np.log1p(np.maximum(pages_until, 0))
    section["inner"] = np.log(next_row - np.arange(count))
    section["restarts"] = _restarts(next_row, rows)
    is_empty = after < MIN_TEXT
    section["class_opens"] = _class_mean(rows.style_class, above < MIN_TEXT)
    section["class_page_text"] = _class_mean(rows.style_class, section["page_text"])
    section["class_empty"] = _class_mean(rows.style_class, is_empty)
    section["class_span"] = _class_mean(rows.style_class, section["span"])
    section["class_inner"] = _class_mean(rows.style_class, section["inner"])
    known = section["restarts"] > MISSING
    section["class_restarts"] = _class_mean(rows.style_class, section["restarts"], known)
    form_empty = _class_mean(rows.form, is_empty)
    section["form_empty"] = np.where(rows.form > 0, form_empty, MISSING)
    runs = rows.runs_until != NEVER_RUNS
    pages_run = np.maximum(rows.runs_until - page, 0)
    section["run"] = np.where(runs, np.log1p(pages_run), 0)
    section["class_runs"] = _class_mean(rows.style_class, runs)
    return matrix


def _body_text(objects: ObjectFeatures, chosen: Ints) -> tuple[Floats, Floats, Floats]:
    """Characters that are in no heading: above each heading on its page, on the page, until the next one."""
    length = np.where(_is_body(objects, chosen), objects["length"], 0)
    before = np.concatenate([[0], np.cumsum(length)])  # of each object, and at the end of all
    page_of_object = np.cumsum(objects["first_on_page"]).astype(np.int64) - 1
    page = page_of_object[chosen]
    page_starts = np.append(np.flatnonzero(objects["first_on_page"] > 0), len(objects))
    first, end = page_starts[page], page_starts[page + 1]
    following = np.append(chosen[1:], len(objects))
    return (
        before[chosen] - before[first],
        before[end] - before[first],
        before[following] - before[chosen],
    )


def _is_body(objects: ObjectFeatures, chosen: Ints) -> Bools:
    is_body = np.ones(len(objects), bool)
    is_body[chosen] = False
    return is_body


def next_of_class(style_class: Ints) -> Ints:
    """For each row the next one of its class, or the number of rows."""
    next_row = np.full(len(style_class), len(style_class), np.int64)
    # Sorted by class, and within a class in order, each row stands before the next of its class.
    order = np.argsort(style_class, kind="stable")
    here, following = order[:-1], order[1:]
    is_same_class = style_class[following] == style_class[here]
    next_row[here[is_same_class]] = following[is_same_class]
    return next_row


def _restarts(next_row: Ints, rows: HeadingRows) -> Floats:
    """Whether the first number before the next heading of the class starts a list; MISSING without one."""
    count = len(rows.style_class)
    indices = np.where(rows.form > 0, np.arange(count), count)
    # The first numbered row from each row on, then from the one after it.
    from_here = np.minimum.accumulate(indices[::-1])[::-1]
    first = np.append(from_here[1:], count)
    starts = np.append(rows.starts_list, False)[first]
    return np.where(first < next_row, starts, MISSING).astype(np.float32)


def _class_mean(style_class: Ints, values: Floats | Bools, known: Bools | None = None) -> Floats:
    """The mean of the values over the rows of a class that are known; MISSING where none is."""
    weight = np.ones(len(style_class)) if known is None else known.astype(float)
    total = np.bincount(style_class, weight * np.asarray(values, float))
    count = np.bincount(style_class, weight)
    mean = total / np.maximum(count, 1)
    mean_or_missing = np.where(count > 0, mean, MISSING)
    return np.asarray(mean_or_missing[style_class], np.float32)


def class_relations(objects: ObjectFeatures, rows: HeadingRows, classes: int) -> ClassRelations:
    """How the classes of a document hold each other; classes from the last index on share it."""
    resets = np.full((classes, classes), MISSING, np.float32)
    touches = np.zeros((classes, classes), np.float32)
    if not len(rows.style_class):
        return ClassRelations(resets, touches)
    style_class = np.minimum(rows.style_class, classes - 1)
    count = class_counts(style_class)
    used = len(count)
    _, _, text_after = _body_text(objects, rows.chosen)
    is_touching = text_after[:-1] < MIN_TEXT
    upper = style_class[:-1][is_touching]
    lower = style_class[1:][is_touching]
    np.add.at(touches, (upper, lower), 1)
    touches[:, :used] /= np.bincount(style_class)
    for own in range(used):
        members = np.flatnonzero((style_class == own) & (rows.form > 0))
        if len(members) > 1:
            is_between = occurs_between(count, members)
            starts = is_between & rows.starts_list[members[1:]]
            often = is_between.sum(axis=1)
            share = starts.sum(axis=1) / np.maximum(often, 1)
            resets[:used, own] = np.where(often > 0, share, MISSING)
    return ClassRelations(resets, touches)


def class_counts(style_class: Ints) -> Ints:
    """At [c, row] the number of headings of class c before a row, and in the last column that of all.

    The classes 0 1 0 give the counts 0 1 1 2 for class 0 and 0 0 1 1 for class 1.
    """
    used = int(style_class.max(initial=-1)) + 1
    occurs = np.zeros((used, len(style_class) + 1), np.int32)
    occurs[style_class, np.arange(1, len(style_class) + 1)] = 1
    return occurs.cumsum(axis=1, dtype=np.int32)


def occurs_between(count: Ints, rows: Ints) -> Bools:
    """At [c, i] whether a heading of class c stands between the rows i and i + 1 of some rows."""
    after_first = count[:, rows[:-1] + 1]
    before_second = count[:, rows[1:]]
    return np.asarray(before_second > after_first, bool)


def entry_features(objects: ObjectFeatures, chosen: Ints) -> tuple[Floats, Ints]:
    """ENTRY for each heading, and the id of its entry's style, MISSING without an entry."""
    matrix = ENTRY.empty(len(chosen))
    matrix[:] = MISSING
    style = np.full(len(chosen), int(MISSING), np.int64)
    entries = np.flatnonzero(objects["kind"] == _CONTENTS_ENTRY)
    place = objects["contents_entry"][chosen].astype(np.int64)
    listed = np.flatnonzero(place > 0)
    if not len(listed):
        return matrix, style
    named = entries[place[listed] - 1]
    inset = _insets(objects.columns, entries)
    matrix[listed, ENTRY.index("entry_inset")] = inset[place[listed] - 1]
    for name in ("size", "bold", "caps"):
        matrix[listed, ENTRY.index(f"entry_{name}")] = objects[name][named]
    style[listed] = objects.style[named]
    return matrix, style


def _insets(columns: Mapping[str, Floats], entries: Ints) -> Floats:
    """How far each entry is from the leftmost one of its column, as a share of the page's width.

    Left and right pages may have other margins, so each side has an edge of its own.
    """
    left = columns["left"][entries]
    is_odd_page = columns["page"] % 2
    sides = 2 * columns["column"] + is_odd_page  # a number for each column of left and of right pages
    side = sides[entries].astype(np.int64)
    leftmost = np.full(int(side.max()) + 1, np.inf)
    np.minimum.at(leftmost, side, left)
    return np.asarray(left - leftmost[side], np.float32)
