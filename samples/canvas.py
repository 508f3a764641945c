"""Pages to draw on, and the PDF file that they end up in.

Lengths are points with the origin at the page's top left and y pointing down, as in `held.document`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream
from samples.fonts import Face

PAGE_WIDTH, PAGE_HEIGHT = 595.28, 841.89

# Fixed, so that the same script gives the same bytes on any day.
CREATED = "D:20260331090000Z"


@dataclass(frozen=True, slots=True)
class Bitmap:
    """An RGB image."""

    width: int
    height: int
    data: bytes


@dataclass
class Canvas:
    """One page: its drawing operators, and the faces and bitmaps that they name."""

    faces: set[str] = field(default_factory=set)
    bitmaps: list[Bitmap] = field(default_factory=list)
    operators: list[str] = field(default_factory=list)

    def text(self, x: float, baseline: float, body: str) -> None:
        """Set a line whose operators (`Line.body`) do not depend on its place."""
        self.operators.append(f"BT 1 0 0 1 {x:.2f} {PAGE_HEIGHT - baseline:.2f} Tm {body} ET")

    def rectangle(self, x: float, y: float, width: float, height: float, *, fill: str) -> None:
        """A filled rectangle; thin ones serve as rules."""
        box = f"{x:.2f} {PAGE_HEIGHT - y - height:.2f} {width:.2f} {height:.2f}"
        self.operators.append(f"{rgb(fill)} rg {box} re f")

    def frame(self, x: float, y: float, width: float, height: float, *, colour: str, weight: float) -> None:
        """The outline of a rectangle."""
        box = f"{x:.2f} {PAGE_HEIGHT - y - height:.2f} {width:.2f} {height:.2f}"
        self.operators.append(f"{rgb(colour)} RG {weight} w {box} re S")

    def path(self, points: Sequence[tuple[float, float]], *, colour: str, weight: float) -> None:
        """A stroked line through `points`."""
        steps = [f"{x:.2f} {PAGE_HEIGHT - y:.2f} {'l' if i else 'm'}" for i, (x, y) in enumerate(points)]
        self.operators.append(f"{rgb(colour)} RG {weight} w {' '.join(steps)} S")

    def polygon(self, points: Sequence[tuple[float, float]], *, fill: str) -> None:
        """A filled shape with its corners at `points`."""
        steps = [f"{x:.2f} {PAGE_HEIGHT - y:.2f} {'l' if i else 'm'}" for i, (x, y) in enumerate(points)]
        self.operators.append(f"{rgb(fill)} rg {' '.join(steps)} h f")

    def image(self, bitmap: Bitmap, x: float, y: float, width: float, height: float) -> None:
        """A bitmap stretched over a rectangle."""
        self.bitmaps.append(bitmap)
        place = f"{width:.2f} 0 0 {height:.2f} {x:.2f} {PAGE_HEIGHT - y - height:.2f}"
        self.operators.append(f"q {place} cm /I{len(self.bitmaps)} Do Q")


def rgb(colour: str) -> str:
    """The operands of a colour operator for rrggbb."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return " ".join(f"{part:.3f}".rstrip("0").rstrip(".") for part in parts)


def write_pdf(
    path: Path,
    canvases: Sequence[Canvas],
    faces: dict[str, Face],
    *,
    title: str,
    front_pages: int = 0,
    language: str = "en-GB",
) -> None:
    """Write the pages to a file without bookmarks; the first `front_pages` are labelled i, ii, iii …"""
    pdf = pikepdf.new()
    fonts = {name: face.embed(pdf, face.used) for name, face in faces.items() if face.used}
    images: dict[bytes, pikepdf.Object] = {}
    for canvas in canvases:
        _add_page(pdf, canvas, fonts, images)
    pdf.Root.Lang = language.encode()
    labels = (
        [0, Dictionary(S=Name.r), front_pages, Dictionary(S=Name.D)]
        if front_pages
        else [0, Dictionary(S=Name.D)]
    )
    pdf.Root.PageLabels = Dictionary(Nums=Array(labels))
    pdf.docinfo = pdf.make_indirect(
        Dictionary(Title=title, Creator="samples/make.py", CreationDate=CREATED, ModDate=CREATED)
    )
    pdf.save(
        path,
        deterministic_id=True,
        object_stream_mode=pikepdf.ObjectStreamMode.generate,
        recompress_flate=False,
    )


def _add_page(
    pdf: pikepdf.Pdf,
    canvas: Canvas,
    fonts: dict[str, pikepdf.Object],
    images: dict[bytes, pikepdf.Object],
) -> None:
    resources = Dictionary(
        Font=Dictionary({f"/{font_key(name)}": fonts[name] for name in sorted(canvas.faces)})
    )
    if canvas.bitmaps:
        resources.XObject = Dictionary()
        for number, bitmap in enumerate(canvas.bitmaps, start=1):
            if bitmap.data not in images:
                images[bitmap.data] = pdf.make_indirect(_image_stream(pdf, bitmap))
            resources.XObject[f"/I{number}"] = images[bitmap.data]
    page = Dictionary(
        Type=Name.Page,
        MediaBox=Array([0, 0, PAGE_WIDTH, PAGE_HEIGHT]),
        Resources=resources,
        Contents=Stream(pdf, "\n".join(canvas.operators).encode("ascii")),
    )
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))


def _image_stream(pdf: pikepdf.Pdf, bitmap: Bitmap) -> Stream:
    return Stream(
        pdf,
        bitmap.data,
        Type=Name.XObject,
        Subtype=Name.Image,
        Width=bitmap.width,
        Height=bitmap.height,
        ColorSpace=Name.DeviceRGB,
        BitsPerComponent=8,
    )


def font_key(name: str) -> str:
    """The resource name of a face."""
    return name.replace("-", "")
