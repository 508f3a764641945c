from held.models.inference import Floats, Places

INTERFACE_VERSION: int

def prepare(
    width: int,
    roots: Places,
    feature: Places,
    threshold: Floats,
    below: Places,
    above: Places,
    value: Floats,
    /,
) -> object: ...
def score(trees: object, rows: Floats, /) -> bytes: ...
