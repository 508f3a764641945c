import numpy as np
from numpy.typing import NDArray

from held.models.inference import Floats

Indices = NDArray[np.int32]

INTERFACE_VERSION: int

def prepare(
    width: int,
    roots: Indices,
    feature: Indices,
    threshold: Floats,
    below: Indices,
    above: Indices,
    value: Floats,
    /,
) -> object | None: ...
def decode(width: int, /, *attributes: memoryview) -> object | None: ...
def pack(trees: object, /) -> bytes: ...
def unpack(packed: bytes, /) -> tuple[int, object] | None: ...
def score(trees: object, rows: Floats, /) -> bytes: ...
