from collections.abc import Callable, Sequence
from typing import Any

from held.document import Run
from held.layout.lines import Line

INTERFACE_VERSION: int

def drop_reprints(
    runs: list[Run], is_shadow: Callable[[Run, Sequence[Run]], bool], tolerances: tuple[float, ...], /
) -> list[Run]: ...
def build(
    runs: list[Run],
    sizes: list[float],
    new_line: Callable[[tuple[Any, ...]], Line],
    make_line: Callable[..., Line],
    tolerances: tuple[float, ...],
    /,
) -> list[Line]: ...
