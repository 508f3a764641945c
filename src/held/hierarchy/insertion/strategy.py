"""How positions are gone through and how many candidate trees are kept."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from held.errors import UsageError


class Order(StrEnum):
    """In which order the positions of the branch are asked about, and when asking ends.

    TA asks about all and takes the highest. R2L goes from the root, L2R from the leaf, and takes the first
    above 0.5; where none is, the highest.
    """

    TA = "ta"
    R2L = "r2l"
    L2R = "l2r"


@dataclass(frozen=True, slots=True)
class Strategy:
    """How to insert. `width` 1 is greedy.

    `normalise` divides the probabilities of an object's positions by their sum before their logarithms are
    added, so that candidates of a beam can be compared; without it they are added as the paper prints it. It
    needs all positions, so r2l and l2r add them as they are.
    """

    order: Order = Order.TA
    width: int = 1
    normalise: bool = False

    def __post_init__(self) -> None:
        if self.width < 1:
            raise UsageError(
                f"a beam of width {self.width} holds no tree", advice="give a width of 1 or more"
            )
        if self.width > 1 and self.order is not Order.TA:
            raise UsageError(
                f"a beam cannot go with order {self.order}", advice="use order ta, or a width of 1 for greedy"
            )
