"""The native reader, where it was built: `_native.c` asks PDFium about characters and objects without ctypes.

`pip install` builds it if a C compiler is at hand. Without it, or with HELD_NATIVE=off, the Python reader
gives the same pages in twice the time.
"""

from __future__ import annotations

import ctypes

from held.system import compiled_module

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing `typing` takes time
    from typing import Any

INTERFACE_VERSION = 2  # of `_native.c`
# In the order of the C structure.
FUNCTIONS = (
    "FPDFText_CountChars",
    "FPDFText_GetText",
    "FPDFText_GetUnicode",
    "FPDFText_HasUnicodeMapError",
    "FPDFText_GetTextObject",
    "FPDFText_GetLooseCharBox",
    "FPDFText_GetMatrix",
    "FPDFPageObj_GetFillColor",
    "FPDFTextObj_GetFont",
    "FPDFTextObj_GetFontSize",
    "FPDFTextObj_GetTextRenderMode",
    "FPDFPage_CountObjects",
    "FPDFPage_GetObject",
    "FPDFFormObj_CountObjects",
    "FPDFFormObj_GetObject",
    "FPDFPageObj_GetType",
    "FPDFPageObj_GetBounds",
    "FPDFPageObj_GetMatrix",
)


def is_native() -> bool:
    """Whether pages are read by the native reader."""
    return _load() is not None


def load_reader(library: ctypes.CDLL) -> Any:
    """The native reader for this PDFium library, or None where it was not built or is switched off."""
    native = _load()
    if native is None:
        return None
    functions = [getattr(library, name) for name in FUNCTIONS]
    native.bind(tuple(ctypes.cast(function, ctypes.c_void_p).value or 0 for function in functions))
    return native


def _load() -> Any:
    return compiled_module("held.reading._native", INTERFACE_VERSION)
