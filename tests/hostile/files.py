"""Hostile files, written by us: each is small, and asks for far more than it is."""

from __future__ import annotations

import json
import lzma
import zipfile
import zlib
from pathlib import Path
from typing import Any

from tests.layout.make_pdfs import MEDIA, assemble, pdf, stream, text

WORDS = text("1 Introduction", size=14) + text("Some text of a paragraph that is here to be read.", y=220)
FORM = "/Type /XObject /Subtype /Form /BBox [0 0 200 300] /Resources << /Font << /F1 {font} >> {inner} >>"
HELVETICA = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"


def form(content: str, inner: int | None) -> str:
    """A form that may draw another one by the name X."""
    drawn = "" if inner is None else f"/XObject << /X {inner} 0 R >>"
    return stream(content, FORM.format(font=HELVETICA, inner=drawn))


def form_that_draws_itself_twice() -> bytes:
    return pdf(
        WORDS + "/X Do", resources="/XObject << /X 500 0 R >>", objects={500: form("/X Do /X Do ", 500)}
    )


def forms_that_draw_ten_others(depth: int = 9) -> bytes:
    """Forms of which each draws the next one ten times: a billion times the text of the last."""
    drawing = {500 + level: form("/X Do " * 10, 501 + level) for level in range(depth)}
    objects = {**drawing, 500 + depth: form(WORDS, None)}
    return pdf(WORDS + "/X Do", resources="/XObject << /X 500 0 R >>", objects=objects)


def page_that_unpacks_to(size: int) -> bytes:
    """A page whose content is so many spaces."""
    packing = zlib.compressobj(9)
    piece = b" " * (1 << 20)
    packed = b"".join([packing.compress(piece) for _ in range(size // len(piece))]) + packing.flush()
    content = b"<< /Filter /FlateDecode /Length %d >>\nstream\n%b\nendstream" % (len(packed), packed)
    bodies = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: f"<< /Type /Page /Parent 2 0 R /Contents 4 0 R {MEDIA} >>".encode(),
        4: content,
    }
    return assemble(bodies)


def xz_of_spaces(size: int) -> bytes:
    """So many spaces, packed a thousandfold and more."""
    packing = lzma.LZMACompressor(preset=0)
    piece = b" " * (1 << 20)
    return b"".join([packing.compress(piece) for _ in range(size // len(piece))]) + packing.flush()


def docling(**changes: Any) -> dict[str, Any]:
    """An empty document of docling with some members changed."""
    empty: dict[str, Any] = {
        "schema_name": "DoclingDocument",
        "version": "1.0",
        "name": "x",
        "groups": [],
        "texts": [],
        "tables": [],
        "pictures": [],
        "pages": {},
        "body": {"children": []},
    }
    return empty | changes


def group(number: int, *held: int) -> dict[str, Any]:
    """A group of docling that holds other groups."""
    children = [{"$ref": f"#/groups/{other}"} for other in held]
    return {"self_ref": f"#/groups/{number}", "children": children, "label": "list"}


def first_group() -> dict[str, Any]:
    return {"children": [{"$ref": "#/groups/0"}]}


def model_of(path: Path, entries: dict[str, bytes]) -> Path:
    """A model file with these entries, whatever they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return path


def metadata(**changes: Any) -> bytes:
    """The metadata of a model with some members changed; None takes one away."""
    whole = {
        "format": "held.model",
        "version": 1,
        "kind": "headings",
        "preset": "base",
        "settings": {"features": 0},
        "data_hash": "",
        "commit": "",
        "scores": {},
        "sha256": {},
    }
    kept = {name: value for name, value in (whole | changes).items() if value is not None}
    return json.dumps(kept).encode()
