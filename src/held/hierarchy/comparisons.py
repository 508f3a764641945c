"""Comparisons of two headings, for any number of pairs at once.

The headings of several documents are stacked; a pair is two rows of one document. The root and a missing
sibling are row -1, and their comparisons are MISSING.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from held.headings import Bools, Columns, Floats, Ints
from held.headings.object_features import MISSING
from held.hierarchy.heading_features import (
    IDS,
    NUMBER_IDS,
    OPEN_ENTRIES,
    OWN,
    PREDECESSOR_IDS,
    PREFIXES,
    VALUES,
    HeadingFeatures,
)
from held.hierarchy.section_features import ENTRY, NEVER_RUNS, SECTION

_DIFFERENCES = Columns(f"{name}_over" for name in VALUES)
PAIR = Columns(
    (
        "same_style",  # font, size, weight, colour …
        "same_form",  # numbers of one form: (a) and (b)
        "same_class",  # also the number pattern and capitals
        "same_side",  # also the side of the page: centred or at the left
        "follows",  # its number is the next after the other's: 3 after 2
        "number_right_under",  # 1.2 under 1
        "number_under",  # 1.2.3 under 1, too
        "number_step",  # 1.4 is two steps after 1.2; MISSING for other lists
        *_DIFFERENCES,
        "between",  # see `HeadingFeatures.between`, from its class to the other's ...
        "between_back",  # ... and the other way round
        "its_pattern",  # the number pattern's id, 0 for none
        "its_next",  # headings until the other's list goes on
        "its_word",  # a title that heads sections in most documents
        "its_kind",  # collection, opinion, statement or closing
        "its_entry",  # how the printed contents name it
        "its_contents",  # it is the title of printed contents
        "contents_step",  # levels apart in the printed contents
        "rank_step",  # ranks of the number patterns apart: part, chapter, section
        "must_stay_open",  # by the contents, an entry below it comes later
        "must_stay_open_first",  # and it is the nearest such entry
    )
)
"""A heading compared with another: `its_…` is of the other, `…_over` is the heading's minus its."""
_OVER = PAIR.span(_DIFFERENCES[0], _DIFFERENCES[-1])
SHORT = Columns(PAIR[PAIR.span("same_style", "contents_level_over")])
"""The part of PAIR that is kept of siblings other than the last: relations and style."""
SECTION_PAIR = Columns(
    (
        *SECTION,
        "span_over",
        "inner_over",
        "resets",
        "resets_back",
        "touches",
        "touches_back",
        *(f"{name}_over" for name in ENTRY),
        "same_entry_style",
        "runs_past",
    )
)
"""The section of another heading, compared with that of a heading; the first columns are the other's.

`runs_past`: by how many pages the running heads with the other's title go on beyond the heading's page.
"""
_MAX_RUN_PAGES = 5  # more says no more
_ITS_SECTION = slice(0, len(SECTION))
_ENTRY_OVER = SECTION_PAIR.span(f"{ENTRY[0]}_over", f"{ENTRY[-1]}_over")
SOON = 50  # headings; what comes later is as good as never


@dataclass(frozen=True, slots=True)
class StackedHeadings:
    """The headings of some documents: `document` has the document of each row, `starts` the first rows."""

    ids: Ints
    values: Floats
    own: Floats
    after: Ints  # the row with the next number, far beyond all where there is none
    document: Ints
    style_class: Ints  # the place of its class in `between`
    between: Floats  # (documents, classes, classes)
    resets: Floats  # (documents, classes, classes)
    touches: Floats  # (documents, classes, classes)
    section: Floats
    entry: Floats
    entry_style: Ints
    runs_until: Ints
    echoes: Bools
    starts: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.document)

    def next_of(self, rows: Ints) -> tuple[Ints, NDArray[np.bool_]]:
        """The row after each, and whether it is of the same document; the last row is its own next."""
        after = np.minimum(rows + 1, len(self) - 1)
        return after, np.asarray(self.document[after] == self.document[rows], bool)


def stack_headings(documents: Sequence[HeadingFeatures]) -> StackedHeadings:
    """The headings of all documents, one after another."""
    counts = [len(own.headings) for own in documents]
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(int)
    ids = np.concatenate([own.ids for own in documents])
    between = np.stack([own.between for own in documents])
    last_class = between.shape[-1] - 1
    after = np.concatenate([own.after for own in documents])
    return StackedHeadings(
        ids=ids,
        values=np.concatenate([own.values for own in documents]),
        own=np.concatenate([own.own for own in documents]),
        after=after + np.repeat(starts[:-1], counts),
        document=np.repeat(np.arange(len(documents)), counts),
        style_class=np.minimum(IDS.records(ids)["style_class"], last_class),
        between=between,
        resets=np.stack([own.resets for own in documents]),
        touches=np.stack([own.touches for own in documents]),
        section=np.concatenate([own.section for own in documents]),
        entry=np.concatenate([own.entry for own in documents]),
        entry_style=np.concatenate([own.entry_style for own in documents]),
        runs_until=np.concatenate([own.runs_until for own in documents]),
        echoes=np.concatenate([own.echoes for own in documents]),
        starts=tuple(starts.tolist()),
    )


def compare(rows: StackedHeadings, objects: Ints, others: Ints) -> Floats:
    """PAIR for each object and the heading that it is compared with, both as rows; -1 is no heading."""
    matrix = PAIR.empty(len(objects))
    pair = PAIR.records(matrix)
    # `take` copies whole rows, and is faster than an index here.
    difference = rows.values.take(objects, axis=0) - rows.values.take(others, axis=0)
    over = VALUES.records(difference)
    matrix[:, _OVER] = difference
    _fill_relations(pair, rows.ids.take(objects, axis=0), rows.ids.take(others, axis=0), over)
    _fill_styles(pair, rows, objects, others)
    mine, its = rows.own.take(objects, axis=0), rows.own.take(others, axis=0)
    _fill_its_own(pair, OWN.records(mine), OWN.records(its), over)
    pair["its_next"] = np.minimum(rows.after[others] - objects, SOON)
    matrix[others < 0] = MISSING
    return matrix


def compare_sections(rows: StackedHeadings, objects: Ints, others: Ints) -> Floats:
    """SECTION_PAIR for each object and the heading that it is compared with, as rows; -1 is no heading."""
    matrix = SECTION_PAIR.empty(len(objects))
    pair = SECTION_PAIR.records(matrix)
    its_section = rows.section.take(others, axis=0)
    over = SECTION.records(rows.section.take(objects, axis=0) - its_section)
    matrix[:, _ITS_SECTION] = its_section
    pair["span_over"] = over["class_span"]
    pair["inner_over"] = over["class_inner"]
    document, style_class, its_class = (
        rows.document[objects],
        rows.style_class[objects],
        rows.style_class[others],
    )
    pair["resets"] = rows.resets[document, its_class, style_class]
    pair["resets_back"] = rows.resets[document, style_class, its_class]
    pair["touches"] = rows.touches[document, its_class, style_class]
    pair["touches_back"] = rows.touches[document, style_class, its_class]
    style, its_style = rows.entry_style[objects], rows.entry_style[others]
    both_listed = (style >= 0) & (its_style >= 0)
    entry_over = rows.entry.take(objects, axis=0) - rows.entry.take(others, axis=0)
    matrix[:, _ENTRY_OVER] = np.where(both_listed[:, None], entry_over, MISSING)
    pair["same_entry_style"] = np.where(both_listed, style == its_style, MISSING)
    page = VALUES.records(rows.values)["page"][objects]
    until = rows.runs_until[others]
    past = np.clip(until - page, -_MAX_RUN_PAGES, _MAX_RUN_PAGES)
    pair["runs_past"] = np.where(until != NEVER_RUNS, past, MISSING)
    matrix[others < 0] = MISSING
    return matrix


def follows(ids: Ints, others: Ints) -> Bools:
    """Whether the number of each row of ids is the next one after the other's."""
    return np.asarray((others[:, NUMBER_IDS] == ids[:, PREDECESSOR_IDS]).any(axis=1), bool)


def lies_under(ids: Ints, others: Ints) -> Bools:
    """Whether the number of each row of ids is dotted and lies under the other's."""
    value = IDS.records(others)["value"]
    return np.asarray((ids[:, PREFIXES] == value[:, None]).any(axis=1), bool)


def must_stay_open(ids: Ints, others: Ints) -> Bools:
    """Whether by the printed contents the other must stay open at each row of ids."""
    entry = IDS.records(others)["entry"]
    return np.asarray((ids[:, OPEN_ENTRIES] == entry[:, None]).any(axis=1), bool)


def _fill_relations(pair: NDArray[np.void], ids: Ints, others: Ints, over: NDArray[np.void]) -> None:
    """What is equal, and how the numbers stand to each other."""
    mine, its = IDS.records(ids), IDS.records(others)
    is_numbered = mine["form"] > 0
    same_form = (mine["form"] == its["form"]) & is_numbered
    pair["same_style"] = mine["style"] == its["style"]
    pair["same_form"] = same_form
    pair["same_class"] = mine["style_class"] == its["style_class"]
    pair["same_side"] = mine["class_by_side"] == its["class_by_side"]
    pair["follows"] = follows(ids, others)
    pair["number_right_under"] = its["value"] == mine["right_above"]
    pair["number_under"] = lies_under(ids, others)
    pair["must_stay_open"] = must_stay_open(ids, others)
    pair["must_stay_open_first"] = its["entry"] == mine["open_entry_1"]
    # How far apart two numbers of one list are: 1.4 is two steps after 1.2, but none after 1.2.1.
    is_one_list = same_form & (over["number_depth"] == 0)
    pair["number_step"] = np.where(is_one_list, over["number_last"], MISSING)


def _fill_styles(pair: NDArray[np.void], rows: StackedHeadings, objects: Ints, others: Ints) -> None:
    """What the style table of the document says of the two classes."""
    document, style_class, its_class = (
        rows.document[objects],
        rows.style_class[objects],
        rows.style_class[others],
    )
    pair["between"] = rows.between[document, style_class, its_class]
    pair["between_back"] = rows.between[document, its_class, style_class]


def _fill_its_own(
    pair: NDArray[np.void], mine: NDArray[np.void], its: NDArray[np.void], over: NDArray[np.void]
) -> None:
    """What the other heading is, and how its rank and its level in the contents differ."""
    pair["its_pattern"] = its["pattern"]
    pair["its_word"] = its["heading_word"]
    pair["its_kind"] = its["title_kind"]
    pair["its_entry"] = its["in_contents"]
    pair["its_contents"] = its["contents_title"]
    both_listed = (its["in_contents"] > 0) & (mine["in_contents"] > 0)
    pair["contents_step"] = np.where(both_listed, over["contents_level"], MISSING)
    both_ranked = (its["rank"] >= 0) & (mine["rank"] >= 0)
    pair["rank_step"] = np.where(both_ranked, mine["rank"] - its["rank"], MISSING)
