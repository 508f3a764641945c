"""How a long operation tells how far it is: one kind of callback for all of them."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]  # what is done, and what there is to do in all
