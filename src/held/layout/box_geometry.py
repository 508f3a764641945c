"""Geometry of boxes on a page: rows, groups that overlap, and the stretches that they leave free."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from held.document import Box
from held.layout.tolerances import MIN_OVERLAPPED_HEIGHT_TIMES, MIN_ROW_OVERLAP_SHARE

Boxes = Sequence[Box]
Members = Sequence[int]  # indices of boxes
Interval = tuple[float, float]


class Band(NamedTuple):
    """A horizontal stretch of the page: its boxes, and the x intervals that they leave free.

    The first and the last free interval reach to infinity; those between them are gutters if wide enough.
    """

    members: list[int]
    free: list[Interval]


def overlapping_groups(boxes: Boxes) -> list[list[int]]:
    """The boxes in groups that overlap vertically, directly or through others, from top to bottom.

    Boxes count with two thirds of their height, since those of tightly set lines overlap.
    """
    order = sorted(range(len(boxes)), key=lambda i: (boxes[i].y0, boxes[i].x0))
    groups: list[list[int]] = []
    end = -math.inf
    for i in order:
        top, bottom = boxes[i].y0, boxes[i].y1
        margin = (bottom - top) / MIN_OVERLAPPED_HEIGHT_TIMES
        if top + margin < end:
            groups[-1].append(i)
            end = max(end, bottom - margin)
        else:
            groups.append([i])
            end = bottom - margin
    return groups


def free_intervals(boxes: Boxes, members: Members) -> list[Interval]:
    """The x intervals that no member covers, from -inf to inf."""
    free: list[Interval] = []
    edge = -math.inf
    for x0, x1 in sorted((boxes[i].x0, boxes[i].x1) for i in members):
        if x0 > edge:
            free.append((edge, x0))
        edge = max(edge, x1)
    free.append((edge, math.inf))
    return free


def intersect(a: list[Interval], b: list[Interval], min_width: float) -> list[Interval]:
    """The common intervals of two sorted lists that are at least `min_width` wide."""
    common = []
    i = j = 0
    while i < len(a) and j < len(b):
        low, high = max(a[i][0], b[j][0]), min(a[i][1], b[j][1])
        if high - low >= min_width:
            common.append((low, high))
        if a[i][1] < b[j][1]:
            i += 1
        else:
            j += 1
    return common


def gutters_in(free: list[Interval], min_gutter: float) -> list[Interval]:
    """The free intervals between boxes that are at least `min_gutter` wide."""
    return [(low, high) for low, high in free[1:-1] if high - low >= min_gutter]


def order_by_rows(boxes: Boxes, members: Members) -> list[int]:
    """The members from top to bottom, those of one row from left to right."""
    return [i for row in rows_of(boxes, members) for i in sorted(row, key=lambda i: boxes[i].x0)]


def rows_of(boxes: Boxes, members: Members) -> list[list[int]]:
    """The members in rows that share a baseline, from top to bottom."""
    order = sorted(members, key=lambda i: boxes[i].y0 + boxes[i].y1)
    rows: list[list[int]] = []
    for i in order:
        if rows and _share_row(boxes[rows[-1][0]], boxes[i]):
            rows[-1].append(i)
        else:
            rows.append([i])
    return rows


def _share_row(a: Box, b: Box) -> bool:
    overlap = min(a.y1, b.y1) - max(a.y0, b.y0)
    lower = min(a.y1 - a.y0, b.y1 - b.y0)
    return overlap > MIN_ROW_OVERLAP_SHARE * lower
