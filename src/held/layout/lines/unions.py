"""Things that hang together by pairs that touch (union-find)."""

from __future__ import annotations

from collections.abc import Iterable


def united(count: int, touching: Iterable[tuple[int, int]]) -> list[int]:
    """For each of so many things, one that stands for its whole group."""
    leader = list(range(count))
    for one, other in touching:
        leader[_leader_of(other, leader)] = _leader_of(one, leader)
    return [_leader_of(thing, leader) for thing in range(count)]


def _leader_of(thing: int, leader: list[int]) -> int:
    while leader[thing] != thing:
        leader[thing] = leader[leader[thing]]  # halves the way for who comes next
        thing = leader[thing]
    return thing
