"""Building the tree: one object after another is put at a position of the rightmost branch.

A `Scorer` says how well an object fits a position, a `Strategy` which positions are asked about and how
many candidates live, `build` and `build_many` insert, the oracle teaches, `inquiries` is the theory.
"""

from held.insertion.build import Insertion, build, build_many, hang_rest, two_step_many
from held.insertion.scorer import Question, Scorer
from held.insertion.search import Alternative, Alternatives
from held.insertion.strategy import Order, Strategy
from held.insertion.taught import taught_insertions

__all__ = [
    "Alternative",
    "Alternatives",
    "Insertion",
    "Order",
    "Question",
    "Scorer",
    "Strategy",
    "build",
    "build_many",
    "hang_rest",
    "taught_insertions",
    "two_step_many",
]
