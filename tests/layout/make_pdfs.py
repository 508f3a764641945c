"""Tiny PDFs for tests, written byte by byte so that each shows exactly what its test is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO

import pikepdf

HELVETICA = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
MEDIA = "/MediaBox [0 0 200 300]"


def font(name: str, extra: str = "") -> str:
    """A font that is not embedded."""
    return f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding {extra} >>"


def text(content: str, *, x: float = 20, y: float = 250, size: float = 10, name: str = "F1") -> str:
    """The operators that show `content`."""
    return f"BT /{name} {size} Tf {x} {y} Td ({content}) Tj ET\n"


def pdf(
    *contents: str | bytes,
    page: str | Sequence[str] = MEDIA,
    fonts: Mapping[str, str] | None = None,
    catalog: str = "",
    pages: str = "",
    objects: Mapping[int, str] | None = None,
    resources: str = "",
) -> bytes:
    """A PDF with one page for each content stream.

    Page number n (from 1) is object 10 * n, its content 10 * n + 1; 1 is the catalog, 2 the page tree,
    3 the resources. `objects` adds further ones by number. `page` is what stands in each page's
    dictionary, or one text per page.
    """
    extras = [page] * len(contents) if isinstance(page, str) else page
    named = " ".join(f"/{key} {value}" for key, value in (fonts or {"F1": HELVETICA}).items())
    kids = " ".join(f"{10 * n} 0 R" for n in range(1, len(contents) + 1))
    bodies: dict[int, bytes] = {
        1: f"<< /Type /Catalog /Pages 2 0 R {catalog} >>".encode(),
        2: f"<< /Type /Pages /Kids [{kids}] /Count {len(contents)} {pages} >>".encode(),
        3: f"<< /Font << {named} >> {resources} >>".encode(),
    }
    for n, content in enumerate(contents, 1):
        data = content.encode("latin-1") if isinstance(content, str) else content
        bodies[10 * n] = (
            f"<< /Type /Page /Parent 2 0 R /Resources 3 0 R /Contents {10 * n + 1} 0 R {extras[n - 1]} >>"
        ).encode()
        bodies[10 * n + 1] = b"<< /Length %d >>\nstream\n%b\nendstream" % (len(data), data)
    for number, body in (objects or {}).items():
        bodies[number] = body.encode("latin-1")
    return assemble(bodies)


def stream(content: str, dictionary: str = "") -> str:
    """The body of a stream object."""
    return f"<< {dictionary} /Length {len(content)} >>\nstream\n{content}\nendstream"


def assemble(bodies: Mapping[int, bytes], trailer: str = "/Root 1 0 R") -> bytes:
    """A file of these objects, with its cross-reference table."""
    out = bytearray(b"%PDF-1.7\n")
    places = {}
    for number, body in sorted(bodies.items()):
        places[number] = len(out)
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (max(bodies) + 1)
    for number in range(1, max(bodies) + 1):
        out += b"%010d %05d %c \n" % (places.get(number, 0), 0, b"n" if number in places else b"f")
    out += f"trailer\n<< /Size {max(bodies) + 1} {trailer} >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)


def encrypted(source: bytes, *, user: str, owner: str = "owner") -> bytes:
    """The same PDF, encrypted."""
    out = BytesIO()
    with pikepdf.open(BytesIO(source)) as opened:
        opened.save(out, encryption=pikepdf.Encryption(user=user, owner=owner))
    return out.getvalue()
