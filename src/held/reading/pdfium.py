"""Bindings of PDFium's C functions, with integers as handles.

pypdfium2 ships the library. Its own bindings build a Python object for every handle, which takes longer than
PDFium's work. `PyDLL` keeps Python's global lock: releasing it would double the time of a call of some
100 ns, and PDFium is not thread-safe anyway.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from ctypes import byref, c_char, c_char_p, c_float, c_int, c_size_t, c_ulong, c_void_p

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing `typing` takes time, and a reader process must start fast
    from typing import Any

Handle = int
Pointer = object  # the result of `pointer_to`
Matrix = tuple[float, float, float, float, float, float]

# Types of page objects (FPDF_PAGEOBJ_*).
PATH = 2
IMAGE = 3
FORM = 5

# name: (result, arguments …)
_PROTOTYPES: dict[str, tuple[object, ...]] = {
    "FPDF_InitLibrary": (None,),
    "FPDF_LoadDocument": (c_void_p, c_char_p, c_char_p),
    "FPDF_CloseDocument": (None, c_void_p),
    "FPDF_GetLastError": (c_ulong,),
    "FPDF_GetPageCount": (c_int, c_void_p),
    "FPDF_GetPageLabel": (c_ulong, c_void_p, c_int, c_void_p, c_ulong),
    "FPDF_GetMetaText": (c_ulong, c_void_p, c_char_p, c_void_p, c_ulong),
    "FPDFCatalog_GetLanguage": (c_ulong, c_void_p, c_void_p, c_ulong),
    "FPDF_LoadPage": (c_void_p, c_void_p, c_int),
    "FPDF_ClosePage": (None, c_void_p),
    "FPDF_GetPageBoundingBox": (c_int, c_void_p, c_void_p),
    "FPDFPage_SetMediaBox": (None, c_void_p, c_float, c_float, c_float, c_float),
    "FPDFPage_SetCropBox": (None, c_void_p, c_float, c_float, c_float, c_float),
    "FPDFPage_GetRotation": (c_int, c_void_p),
    "FPDFPage_CountObjects": (c_int, c_void_p),
    "FPDFPageObj_GetMatrix": (c_int, c_void_p, c_void_p),
    "FPDFPageObj_GetMarkedContentID": (c_int, c_void_p),
    "FPDFFormObj_CountObjects": (c_int, c_void_p),
    "FPDFFont_GetBaseFontName": (c_size_t, c_void_p, c_void_p, c_size_t),
    "FPDFFont_GetFlags": (c_int, c_void_p),
    "FPDFText_LoadPage": (c_void_p, c_void_p),
    "FPDFText_ClosePage": (None, c_void_p),
    "FPDFText_CountChars": (c_int, c_void_p),
    "FPDFText_GetText": (c_int, c_void_p, c_int, c_int, c_void_p),
    "FPDFBookmark_GetFirstChild": (c_void_p, c_void_p, c_void_p),
    "FPDFBookmark_GetNextSibling": (c_void_p, c_void_p, c_void_p),
    "FPDFBookmark_GetTitle": (c_ulong, c_void_p, c_void_p, c_ulong),
    "FPDFBookmark_GetDest": (c_void_p, c_void_p, c_void_p),
    "FPDFBookmark_GetAction": (c_void_p, c_void_p),
    "FPDFAction_GetType": (c_ulong, c_void_p),
    "FPDFAction_GetDest": (c_void_p, c_void_p, c_void_p),
    "FPDFDest_GetDestPageIndex": (c_int, c_void_p, c_void_p),
    "FPDFDest_GetView": (c_ulong, c_void_p, c_void_p, c_void_p),
    "FPDFPage_GetAnnotCount": (c_int, c_void_p),
    "FPDFPage_GetAnnot": (c_void_p, c_void_p, c_int),
    "FPDFPage_CloseAnnot": (None, c_void_p),
    "FPDFAnnot_GetSubtype": (c_int, c_void_p),
    "FPDFAnnot_GetFlags": (c_int, c_void_p),
    "FPDFAnnot_GetRect": (c_int, c_void_p, c_void_p),
    "FPDFAnnot_GetStringValue": (c_ulong, c_void_p, c_char_p, c_void_p, c_ulong),
    "FPDFAnnot_GetFormFieldType": (c_int, c_void_p, c_void_p),
    "FPDFAnnot_GetFormFieldValue": (c_ulong, c_void_p, c_void_p, c_void_p, c_ulong),
    "FPDF_GetFormType": (c_int, c_void_p),
    "FPDFDOC_InitFormFillEnvironment": (c_void_p, c_void_p, c_void_p),
    "FPDFDOC_ExitFormFillEnvironment": (None, c_void_p),
}


def _load() -> ctypes.PyDLL:
    name = {"win32": "pdfium.dll", "darwin": "libpdfium.dylib"}.get(sys.platform, "libpdfium.so")
    # Only look for the file: importing pypdfium2 would build some 500 bindings that are not used here.
    candidates = (os.path.join(folder, "pypdfium2_raw", name) for folder in sys.path)
    path = next(filter(os.path.exists, candidates), name)
    loaded = ctypes.PyDLL(path)
    for function, (result, *arguments) in _PROTOTYPES.items():
        prototype = getattr(loaded, function)
        prototype.restype = result
        prototype.argtypes = arguments
    loaded.FPDF_InitLibrary()
    return loaded


library = _load()


def unchecked(name: str, result: object) -> Callable[..., Any]:
    """A function that converts no arguments, in half the time: pass `pointer_to` and `byref`."""
    function = library[name]
    function.restype = result  # type: ignore[assignment]
    return function


def pointer_to(handle: Handle) -> Pointer:
    """A handle as an argument that ctypes passes unchanged; nothing is read at the address."""
    return byref(c_char.from_address(handle))


Floats4 = c_float * 4
Floats6 = c_float * 6
Floats8 = c_float * 8


def float_reader(buffer: ctypes.Array[c_float], count: int) -> Callable[[], list[float]]:
    """A function that returns the buffer's first values; iterating would take ten times as long."""
    values = memoryview(buffer).cast("B").cast("f")[:count]
    return values.tolist  # type: ignore[return-value]


def utf16_text(fill: Callable[[object, int], int]) -> str:
    """The string that a PDFium call writes; `fill(buffer, size)` returns the number of bytes needed."""
    needed = fill(None, 0)
    if needed <= 2:
        return ""
    buffer = ctypes.create_string_buffer(needed)
    fill(buffer, needed)
    return buffer.raw[: needed - 2].decode("utf-16-le", "replace")
