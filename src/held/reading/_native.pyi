from collections.abc import Callable

INTERFACE_VERSION: int

def bind(addresses: tuple[int, ...], /) -> None: ...
def read_page(
    page: int,
    text_page: int,
    box: tuple[float, float, float, float],
    style_of: Callable[[int, int, bytes], int],
    /,
) -> tuple[bytes, bytes, bytes, bytes, bytes, int, bytes, int] | None: ...
