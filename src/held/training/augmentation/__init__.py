"""Labelled documents in other clothes: the same text and an exactly known tree, another maker.

A model that has seen two thousand documents has seen a few dozen makers. Here looks, numbers, levels,
contents and distractors are drawn anew for each document and each seed; what a heading is and where it
hangs is known all the while. `augmented` is the door: a labelled document and a seed go in, another
labelled document comes out.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from held.corpus.labelled import LabelledDocument
from held.training.augmentation.contents import has_contents, with_contents, without_contents
from held.training.augmentation.looks import relooked
from held.training.augmentation.nodes import Node, headings, labelled_of, nodes_of
from held.training.augmentation.numbers import renumbered, unnumbered
from held.training.augmentation.structure import (
    excerpt,
    with_false_headings,
    with_parts,
    with_title,
    without_a_level,
)

__all__ = ["Chances", "augmented"]


@dataclass(frozen=True, slots=True)
class Chances:
    """How often each change is made."""

    excerpt: float = 0.15
    level_dropped: float = 0.12
    parts: float = 0.2
    renumbered: float = 0.4
    unnumbered: float = 0.2  # of those that are not renumbered
    relooked: float = 0.75
    contents_removed: float = 0.3
    contents_invented: float = 0.2  # where there are none
    title: float = 0.15
    false_headings: float = 0.3


USUAL = Chances()


def augmented(labelled: LabelledDocument, *, seed: int | str, chances: Chances = USUAL) -> LabelledDocument:
    """The document as another maker might have set it, its labels true to it; the same for the same seed."""
    rng = random.Random(f"{seed}/{labelled.id}")

    def happens(chance: float) -> bool:
        return rng.random() < chance

    body = labelled.document.body
    is_chinese = labelled.lang == "zh"
    nodes = nodes_of(labelled)
    if happens(chances.excerpt):
        nodes = excerpt(nodes, rng)
    if happens(chances.level_dropped):
        nodes = without_a_level(nodes, rng)
    titles = _titles(nodes)
    if happens(chances.parts):
        nodes = with_parts(nodes, body, rng, is_chinese=is_chinese)
    if happens(chances.renumbered):
        nodes = renumbered(nodes, rng, is_chinese=is_chinese)
    elif happens(chances.unnumbered):
        nodes = unnumbered(nodes, rng)
    listed = has_contents(nodes)
    wanted = not happens(chances.contents_removed) if listed else happens(chances.contents_invented)
    # A list that stays must name the headings as they are now.
    if listed and not (wanted and titles == _titles(nodes)):
        nodes = without_contents(nodes)
    if wanted and not has_contents(nodes):
        nodes = with_contents(nodes, body, rng)
    if happens(chances.relooked):
        nodes = relooked(nodes, body, rng)
    if happens(chances.title):
        nodes = with_title(nodes, body, rng, is_chinese=is_chinese)
    if happens(chances.false_headings):
        nodes = with_false_headings(nodes, rng)
    return labelled_of(nodes, labelled)


def _titles(nodes: list[Node]) -> list[str]:
    return [node.item.text for node in headings(nodes) if node.item is not None]
