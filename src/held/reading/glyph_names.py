"""What glyphs show that PDFium can't name: ligatures such as "f_f" in fonts without a Unicode map.

PDFium knows the names of the Adobe Glyph List, but not the names that are made of them: "f_f_i" stands for
three letters, "T_h.swash" for two. It then returns the glyph's code as if it were a character, so that
"offers" reads as "o¡ers". `text_runs` moves such codes to a private plane; this module looks up their names
in the fonts and puts the letters in their place. A sandboxed process reads the fonts of the few such files.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

from held.document import Pages, Run
from held.errors import HeldError
from held.reading.raw_page import FIRST_UNMAPPED, SUBSET_PREFIX, UNMAPPED
from held.reading.text_checks import MATH_EXTENSION
from held.system.limits import limits
from held.system.worker_main import Connection
from held.system.worker_pool import Answer, call_in_sandbox, serve_in_sandbox

SERVE = "held.reading.glyph_names:serve"
MAX_FONTS = 2000  # of a file; more come from damage
LAST_CODE = 0xFF  # fonts with longer codes have no names
BLANKS = " \x1c\x1d\x1e\x1f"  # codes that Python, too, takes for white space
LIGATURES = {"ff", "fi", "fl", "ffi", "ffl"}
IN_WORD = re.compile(rf"[^\W\d_]{UNMAPPED.pattern}|{UNMAPPED.pattern}[^\W\d_]")
HEXADECIMAL = re.compile(r"(?:uni((?:[0-9A-F]{4})+)|u([0-9A-F]{4,6}))")
# The encoding of a Type 1 font, in the part of its program that is not encrypted.
ENCODED_GLYPH = re.compile(rb"dup\s+(\d{1,3})\s*/([\w.]+)\s+put")

Encodings = Mapping[str, Mapping[int, str]]  # for each font the letters of its codes


def name_glyphs(pages: Pages, path: str | os.PathLike[str], password: str | None = None) -> Pages:
    """The pages with letters instead of unmapped codes; a code without a known name stays a character.

    The fonts are read only for codes inside words. Fonts of mathematical signs have unmapped codes of their
    own, in runs without letters, or beside codes of signs that look like letters.
    """
    may_have_words = [not MATH_EXTENSION.match(style.font) for style in pages.styles]
    runs = chain.from_iterable(page.runs for page in pages.pages)
    in_words = any(may_have_words[run.style] and IN_WORD.search(run.text) for run in runs)
    encodings = read_encodings(path, password=password) if in_words else {}
    fonts = [encodings.get(style.font, {}) for style in pages.styles]
    named = []
    for page in pages.pages:
        named_runs = [_name_in_run(run, fonts[run.style]) for run in page.runs]
        visible = [run for run in named_runs if run.text.strip(BLANKS)]
        named.append(replace(page, runs=tuple(visible)))
    return replace(pages, pages=tuple(named))


def _name_in_run(run: Run, letters: Mapping[int, str]) -> Run:
    if not UNMAPPED.search(run.text):
        return run

    # A code 0 without letters beside it is a bracket of TeX's mathematics; in a word something is missing.
    no_name = "\ufffd" if IN_WORD.search(run.text) else "\0"

    def name(unmapped: re.Match[str]) -> str:
        code = ord(unmapped[0]) - FIRST_UNMAPPED
        return letters.get(code) or (chr(code) if code else no_name)

    return run._replace(text=UNMAPPED.sub(name, run.text))


def read_encodings(path: str | os.PathLike[str], *, password: str | None = None) -> Encodings:
    """The letters of those codes, by font, whose glyphs have names made of others."""
    request = {"path": os.path.abspath(path), "password": password}
    seconds = limits().file_seconds
    try:
        answer = call_in_sandbox(SERVE, request, seconds=seconds, action="reading its fonts", file=path)
        return {
            str(font): {int(code): str(text) for code, text in codes.items()}
            for font, codes in answer.value.items()
        }
    except (HeldError, ValueError, TypeError, AttributeError):
        return {}  # the text can be read without


def glyph_letters(name: str) -> str:
    """The letters of a glyph by its name, "" if it says nothing: Adobe Glyph List specification, 2."""
    base = name.split(".", 1)[0]
    letters = [_component_letters(component) for component in base.split("_")]
    return "".join(letters) if all(letters) else ""


def _component_letters(name: str) -> str:
    if len(name) == 1 or name in LIGATURES:
        return name
    found = HEXADECIMAL.fullmatch(name)
    if found is None:
        return ""
    units, code = found.groups()
    if code is not None:
        value = int(code, 16)
        is_surrogate = 0xD800 <= value < 0xE000  # half a character
        return "" if is_surrogate or value > sys.maxunicode else chr(value)
    return bytes.fromhex(units).decode("utf-16-be", "ignore")


# --- in the sandboxed process ---


def serve(connection: Connection) -> None:
    """Read the encodings of the requested files."""
    serve_in_sandbox(connection, _answer)


def _answer(request: Any) -> Answer:
    return Answer(read_encodings_here(request["path"], password=request["password"]))


def read_encodings_here(path: str, *, password: str | None = None) -> dict[str, dict[int, str]]:
    """The letters of codes by font, read in this process."""
    import pikepdf

    found: dict[str, dict[int, str]] = {}
    # qpdf takes only file names in UTF-8, so it gets the open file.
    with open(path, "rb") as content, pikepdf.open(content, password=password or "") as pdf:
        for font in _fonts(pdf):
            name = SUBSET_PREFIX.sub("", str(font.get("/BaseFont", "")).lstrip("/"))
            codes = found.setdefault(name, {})
            for code, glyph in _encoded_glyphs(font):
                letters = glyph_letters(glyph)
                if not letters or not 0 <= code <= LAST_CODE:
                    continue
                if codes.setdefault(code, letters) != letters:
                    codes[code] = chr(code)  # two subsets of one font disagree
            if len(found) == MAX_FONTS:
                break
    return found


def _fonts(pdf: Any) -> Iterator[Any]:
    import pikepdf

    for item in pdf.objects:
        if isinstance(item, pikepdf.Dictionary) and item.get("/Type") == "/Font":
            yield item


def _encoded_glyphs(font: Any) -> Iterator[tuple[int, str]]:
    """Codes and names of glyphs: the font's own encoding, after what the file says instead."""
    import pikepdf

    encoding = font.get("/Encoding")
    differences = encoding.get("/Differences") if isinstance(encoding, pikepdf.Dictionary) else None
    if isinstance(differences, pikepdf.Array):
        code = 0
        for item in differences:
            if isinstance(item, pikepdf.Name):
                yield code, str(item).lstrip("/")
                code += 1
            elif isinstance(item, int):
                code = item
    program = font.get("/FontDescriptor", pikepdf.Dictionary()).get("/FontFile")
    if isinstance(program, pikepdf.Stream):
        for glyph in ENCODED_GLYPH.finditer(program.read_bytes()):
            yield int(glyph[1]), glyph[2].decode("ascii", "replace")
