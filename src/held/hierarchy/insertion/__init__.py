"""Put-or-skip insertion: one object after another is put at a position of the rightmost branch.

`scorer` has what a model provides and what the user chooses, `search` the search for one document's tree
and for those of many documents together, `oracle` makes training examples from true trees.
"""

from held.hierarchy.insertion.scorer import Order, Question, Scorer, Strategy
from held.hierarchy.insertion.search import (
    Alternative,
    Alternatives,
    Insertion,
    attach_body,
    build,
    build_many,
    insert_with_overrides,
)

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
]
