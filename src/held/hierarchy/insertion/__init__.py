"""Building the tree: one object after another is put at a position of the rightmost branch.

A `Scorer` says how well an object fits a position, a `Strategy` which positions are asked about and how
many candidates live, `build` and `build_many` insert, the oracle teaches, `inquiries` is the theory.
"""

from held.hierarchy.insertion.build import Insertion, attach_body, build, build_many, two_step_many
from held.hierarchy.insertion.overridden import insert_with_overrides
from held.hierarchy.insertion.scorer import Question, Scorer
from held.hierarchy.insertion.search import Alternative, Alternatives
from held.hierarchy.insertion.strategy import Order, Strategy

__all__ = [
    "Alternative",
    "Alternatives",
    "Insertion",
    "Order",
    "Question",
    "Scorer",
    "Strategy",
    "attach_body",
    "build",
    "build_many",
    "insert_with_overrides",
    "two_step_many",
]
