"""A broken scan for every seed: a page that is an image, for what draws and recognises such pages."""

from __future__ import annotations

import random
import zlib
from functools import lru_cache
from io import BytesIO
from typing import Any, NamedTuple

import pikepdf
from research.fuzz.mutants import CHANGES, NUMBERS, Change, by_byte, by_structure, save

WIDTH, HEIGHT = 900, 1200  # pixels
PAGE = (300, 400)  # points
LINES = 14
FILTERS = ("/DCTDecode", "/FlateDecode", "/CCITTFaxDecode", "/JPXDecode", "/JBIG2Decode", "/LZWDecode")
COLOURS = ("/DeviceGray", "/DeviceRGB", "/DeviceCMYK", "/Indexed", "/Pattern")
DEPTHS = (0, 1, 2, 4, 8, 16, 32, -8)


class Encoding(NamedTuple):
    """The data of an image, its bits per pixel, and its filter; None for no filter."""

    data: bytes
    depth: int
    filter: str | None


def scan_mutant(seed: int) -> bytes:
    """The scan of a seed."""
    chance = random.Random(seed)
    content = by_structure(chance.choice(sample_scans()), chance, (*SCAN_CHANGES, *CHANGES))
    return by_byte(content, chance) if chance.random() < 0.3 else content


@lru_cache(maxsize=1)
def sample_scans() -> tuple[bytes, ...]:
    """The same page of text as a JPEG, as packed grey pixels, and as bare bits."""
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("L", (WIDTH, HEIGHT), 255)
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(size=28)
    for line in range(LINES):
        draw.text((60, 60 + 70 * line), f"{line} Ships of the harbour are counted", fill=0, font=font)
    jpeg = BytesIO()
    picture.save(jpeg, "JPEG")
    encodings = (
        Encoding(jpeg.getvalue(), 8, "/DCTDecode"),
        Encoding(zlib.compress(picture.tobytes()), 8, "/FlateDecode"),
        Encoding(picture.convert("1").tobytes(), 1, None),
    )
    return tuple(_scan(encoding) for encoding in encodings)


def _scan(encoding: Encoding) -> bytes:
    pdf = pikepdf.new()
    image = pdf.make_stream(
        encoding.data,
        Type=pikepdf.Name.XObject,
        Subtype=pikepdf.Name.Image,
        Width=WIDTH,
        Height=HEIGHT,
        BitsPerComponent=encoding.depth,
        ColorSpace=pikepdf.Name.DeviceGray,
    )
    if encoding.filter is not None:
        image.Filter = pikepdf.Name(encoding.filter)
    page = pikepdf.Dictionary(
        Type=pikepdf.Name.Page,
        MediaBox=[0, 0, *PAGE],
        Resources=pikepdf.Dictionary(XObject=pikepdf.Dictionary(I=image)),
        Contents=pdf.make_stream(b"q %d 0 0 %d 0 0 cm /I Do Q" % PAGE),
    )
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    return save(pdf)


def _image(pdf: pikepdf.Pdf) -> Any:
    streams = [item for item in pdf.objects if isinstance(item, pikepdf.Stream)]
    return next(stream for stream in streams if "/Width" in stream)


def _change_size(pdf: pikepdf.Pdf, chance: random.Random) -> None:
    """Claim other dimensions, up to more pixels than any memory holds."""
    _image(pdf)[chance.choice(("/Width", "/Height"))] = chance.choice((*NUMBERS, 20_000, 100_000))


def _change_encoding(pdf: pikepdf.Pdf, chance: random.Random) -> None:
    """Claim another filter, colour space, depth or decoding than the data has."""
    image = _image(pdf)
    kind = chance.randrange(4)
    if kind == 0:
        data = image.read_raw_bytes()
        image.write(data, filter=pikepdf.Name(chance.choice(FILTERS)))
    elif kind == 1:
        image.ColorSpace = pikepdf.Name(chance.choice(COLOURS))
    elif kind == 2:
        image.BitsPerComponent = chance.choice(DEPTHS)
    else:
        image.Decode = pikepdf.Array([chance.choice(NUMBERS) for _ in range(chance.choice((0, 1, 2, 8)))])


def _change_pixels(pdf: pikepdf.Pdf, chance: random.Random) -> None:
    """Change or cut the image's data, which keeps its filter."""
    image = _image(pdf)
    data = bytearray(image.read_raw_bytes())
    for _ in range(chance.randint(1, 20)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    if chance.random() < 0.3:
        del data[chance.randrange(len(data)) :]
    own_filter = image.get("/Filter")
    image.write(bytes(data), filter=own_filter)


def _change_page(pdf: pikepdf.Pdf, chance: random.Random) -> None:
    """Give the page another size, rotation or scale."""
    page = pdf.pages[0]
    kind = chance.randrange(3)
    if kind == 0:
        page.MediaBox = pikepdf.Array([0, 0, chance.choice(NUMBERS), chance.choice(NUMBERS)])
    elif kind == 1:
        page.Rotate = chance.choice((90, 180, 270, 45, *NUMBERS))
    else:
        scales = chance.choice(((0, 0), (1e-6, 1e-6), (1e6, 1e6), (-300, 400), (300, 1)))
        page.Contents = pdf.make_stream(b"q %g 0 0 %g 0 0 cm /I Do Q" % scales)


SCAN_CHANGES: tuple[Change, ...] = (
    _change_size,
    _change_encoding,
    _change_encoding,
    _change_pixels,
    _change_pixels,
    _change_page,
)
