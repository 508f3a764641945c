"""A broken PDF, or broken JSON, for every seed: good files of ours with a few things changed.

Changes by structure know what a PDF is made of (dictionaries, references, streams, numbers), so that what
comes out is still opened and its nonsense met deep inside; changes by byte break the file itself.
"""

from __future__ import annotations

import json
import random
import warnings
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf

Change = Callable[[pikepdf.Pdf, random.Random], None]

SAMPLES = Path(__file__).parents[2] / "samples"
SAMPLE_PAGES = 2  # of each sample: the changes matter, not the length

NUMBERS = (0, 1, -1, 2, 3, 7, 255, 256, 65536, -32768, 2**31 - 1, -(2**31), 2**32, 10**15)
FRACTIONS = ("0.0", "-0.5", "1e9", "-99999999.9", "0.0000001", "3.4e38")
WORDS = ("", "\0", "\ud800", "x" * 5000, "\x1b]0;x\x07", "1.1.1.1 a", "第一章", "\u202e", "../../x")
NAMES = (
    "/Page",
    "/Pages",
    "/Font",
    "/XObject",
    "/Form",
    "/Image",
    "/FlateDecode",
    "/Identity-H",
    "/XYZ",
    "/Nothing",
)
OPERATORS = (
    b"/X Do ",
    b"q ",
    b"Q ",
    b"BT ",
    b"ET ",
    b"(x) Tj ",
    b"1 0 0 1 1e9 0 cm ",
    b"0 0 9 9 re f ",
    b"[(a) 9e9 (b)] TJ ",
)
JSON_VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    2**63,
    1e308,
    "",
    "x" * 5000,
    "\ud800",
    [],
    {},
    [[]],
    {"a": {}},
)


def pdf_mutant(seed: int) -> bytes:
    """The PDF of a seed."""
    chance = random.Random(seed)
    name = chance.choice(sorted(bases()))
    content = by_structure(bases()[name], chance)
    # Half of the files keep a whole cross-reference table, so that readers come to what lies behind it.
    return by_byte(content, chance) if chance.random() < 0.5 else content


def json_mutant(seed: int, value: Any) -> Any:
    """A JSON value with a few of its members changed, taken out or doubled."""
    chance = random.Random(seed)
    changed = json.loads(json.dumps(value))
    for _ in range(chance.randint(1, 3)):
        holder = chance.choice(holders(changed))
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        key = chance.choice(keys)
        action = chance.randrange(4)
        if action == 0:
            del holder[key]
        elif action == 1:
            holder[key] = chance.choice(holders(changed))  # what stands elsewhere; it may hold this place
            changed = json.loads(_json_text(changed) or json.dumps(value))
        else:
            holder[key] = deepcopy(chance.choice(JSON_VALUES))
        if not holders(changed):
            return changed
    return changed


def _json_text(value: Any) -> str | None:
    """The value as JSON, None where it holds itself."""
    try:
        return json.dumps(value)
    except (ValueError, RecursionError):
        return None


def holders(value: Any) -> list[Any]:
    """All objects and arrays in a JSON value that hold anything."""
    found: list[Any] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict | list) and one:
            found.append(one)
            waiting += one.values() if isinstance(one, dict) else one
    return found


@lru_cache(maxsize=1)
def bases() -> dict[str, bytes]:
    """The good files that mutants are made from, by name."""
    samples = {path.stem: _first_pages(path) for path in sorted(SAMPLES.glob("*.pdf"))}
    return {"made": _make(), **samples}


def _first_pages(path: Path) -> bytes:
    with pikepdf.open(path) as pdf:
        del pdf.pages[SAMPLE_PAGES:]
        return save(pdf)


def _make() -> bytes:
    """A small file with a bit of everything: a form, an image, a field, labels, an outline, two fonts."""
    pdf = pikepdf.new()
    resources = _resources(pdf)
    for number in (1, 2):
        pdf.pages.append(_page(pdf, number, resources))
    field = pdf.make_indirect(
        pikepdf.Dictionary(
            Subtype=pikepdf.Name.Widget,
            FT=pikepdf.Name.Tx,
            T="t",
            V="value",
            Rect=[9, 9, 99, 99],
            DA="/F1 9 Tf",
        )
    )
    pdf.pages[0].obj.Annots = pikepdf.Array([field])
    pdf.Root.AcroForm = pikepdf.Dictionary(Fields=[field])
    with pdf.open_outline() as outline:
        first = pikepdf.OutlineItem("One", 0)
        first.children.append(pikepdf.OutlineItem("Two", 1))
        outline.root.append(first)
    return save(pdf)


def _resources(pdf: pikepdf.Pdf) -> pikepdf.Dictionary:
    """What the pages use: a font, a form with text in it, an image."""
    fonts = pikepdf.Dictionary(
        F1=pikepdf.Dictionary(
            Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica
        )
    )
    form = pdf.make_stream(
        b"0 0 50 1 re f BT /F1 8 Tf 5 5 Td (in a form) Tj ET",
        Type=pikepdf.Name.XObject,
        Subtype=pikepdf.Name.Form,
        BBox=[0, 0, 99, 99],
        Resources=pikepdf.Dictionary(Font=fonts),
    )
    image = pdf.make_stream(
        b"\0\xff\xff\0",
        Type=pikepdf.Name.XObject,
        Subtype=pikepdf.Name.Image,
        Width=2,
        Height=2,
        BitsPerComponent=8,
        ColorSpace=pikepdf.Name.DeviceGray,
    )
    return pikepdf.Dictionary(Font=fonts, XObject=pikepdf.Dictionary(X=form, I=image))


def _page(pdf: pikepdf.Pdf, number: int, resources: pikepdf.Dictionary) -> pikepdf.Page:
    """A page of twelve lines, with the form, the image and two rules."""
    text = "".join(
        f"BT /F1 {_size(line)} Tf 60 {700 - 22 * line} Td ({number}.{line} Some words of a line) Tj ET "
        for line in range(12)
    )
    drawn = "q 1 0 0 1 50 60 cm /X Do Q q 80 0 0 80 300 100 cm /I Do Q 60 300 400 1 re f 60 250 400 1 re f "
    page = pikepdf.Dictionary(
        Type=pikepdf.Name.Page,
        MediaBox=[0, 0, 612, 792],
        Resources=resources,
        Contents=pdf.make_stream((text + drawn).encode()),
    )
    return pikepdf.Page(pdf.make_indirect(page))


def _size(line: int) -> int:
    """The size of a line's text: every fifth is a heading."""
    return 18 if line % 5 == 0 else 10


def save(pdf: pikepdf.Pdf) -> bytes:
    content = BytesIO()
    # Without object streams: a changed byte then breaks one object, not all of them.
    with warnings.catch_warnings(action="ignore"):  # of faults that are meant: fields that no form lists, say
        pdf.save(content, object_stream_mode=pikepdf.ObjectStreamMode.disable, deterministic_id=True)
    return content.getvalue()


def by_structure(source: bytes, chance: random.Random, changes: Sequence[Change] = ()) -> bytes:
    """The file with a few values of its objects changed; as it was where it cannot be saved any more.

    `changes` are those to choose from, by default all of this module.
    """
    try:
        with pikepdf.open(BytesIO(source)) as pdf:
            for _ in range(chance.randint(1, 4)):
                chance.choice(changes or CHANGES)(pdf, chance)
            return save(pdf)
    except (pikepdf.PdfError, RuntimeError, ValueError, TypeError, LookupError, AttributeError):
        return source


def _some_object(pdf: pikepdf.Pdf, chance: random.Random) -> Any:
    """A dictionary or stream of the file."""
    found = [one for one in pdf.objects if isinstance(one, pikepdf.Dictionary | pikepdf.Stream)]
    return chance.choice(found)


def _keys(holder: Any) -> list[str]:
    return sorted(holder.keys())


def _change_value(pdf: pikepdf.Pdf, chance: random.Random) -> None:
    """Gives a key of some dictionary, or one of its inner ones, another value."""
    holder = _some_object(pdf, chance)
    keys = _keys(holder)
    if not keys:
        return
    key = chance.choice(keys)
    inner = holder[key]
    if isinstance(inner, pikepdf.Dictionary) and len(inner) and chance.random() < 0.7:
        holder, key = inner, chance.choice(_keys(inner))
    if isinstance(inner, pikepdf.Array) and len(inner) and chance.random() < 0.7:
        inner[chance.randrange(len(inner))] = _value(pdf, chance)
        return
    if key != "/Length":
        holder[key] = _value(pdf, chance)


def _remove_key(pdf: pikepdf.Pdf, chance: random.Random) -> None:
    holder = _some_object(pdf, chance)
    keys = sorted(key for key in _keys(holder) if key != "/Length")
    if keys:
        del holder[chance.choice(keys)]


def _refer_elsewhere(pdf: pikepdf.Pdf, chance: random.Random) -> None:
    """Has a reference lead to some other object, perhaps one that holds it."""
    holder = _some_object(pdf, chance)
    keys = sorted(key for key in _keys(holder) if getattr(holder[key], "is_indirect", False))
    if keys:
        holder[chance.choice(keys)] = _some_object(pdf, chance)


def _hold_itself(pdf: pikepdf.Pdf, chance: random.Random) -> None:
    holder = _some_object(pdf, chance)
    keys = sorted(key for key in _keys(holder) if key not in ("/Length", "/Type", "/Filter"))
    if keys:
        holder[chance.choice(keys)] = holder


def _repeat_kids(pdf: pikepdf.Pdf, chance: random.Random) -> None:
    """Has the page tree name a page, or itself, again and again."""
    kids = pdf.Root.Pages.Kids
    again = chance.choice([kids[0], pdf.Root.Pages])
    for _ in range(chance.choice([1, 3, 40])):
        kids.append(again)
    pdf.Root.Pages.Count = chance.choice([len(kids), 0, -1, 2**31 - 1])


def _change_content(pdf: pikepdf.Pdf, chance: random.Random) -> None:
    """Puts operators into a stream, doubles pieces of it, or changes its numbers."""
    streams = [one for one in pdf.objects if isinstance(one, pikepdf.Stream)]
    if not streams:
        return
    stream = chance.choice(streams)
    data = bytearray(stream.read_bytes() if chance.random() < 0.9 else stream.read_raw_bytes())
    for _ in range(chance.randint(1, 8)):
        place = chance.randrange(len(data) + 1)
        action = chance.randrange(4)
        if action == 0:
            data[place:place] = chance.choice(OPERATORS) * chance.choice([1, 1, 30])
        elif action == 1:
            data[place:place] = data[place : place + 60] * chance.choice([1, 5])
        elif action == 2:
            data[place : place + 3] = str(chance.choice(NUMBERS)).encode()
        else:
            del data[place : place + chance.randint(1, 40)]
    stream.write(bytes(data))


def _value(pdf: pikepdf.Pdf, chance: random.Random) -> Any:
    """Some value: an odd number, a name, a text, a list, a dictionary, or an object of the file."""
    from decimal import Decimal

    makers: tuple[Callable[[], Any], ...] = (
        lambda: chance.choice(NUMBERS),
        lambda: Decimal(chance.choice(FRACTIONS)),
        lambda: pikepdf.Name(chance.choice(NAMES)),
        lambda: pikepdf.String(chance.choice(WORDS).encode("utf-16-be", "surrogatepass")),
        lambda: pikepdf.Array([chance.choice(NUMBERS) for _ in range(chance.choice([0, 1, 4, 100]))]),
        lambda: pikepdf.Dictionary(),
        lambda: True,
        lambda: _some_object(pdf, chance),
    )
    return chance.choice(makers)()


CHANGES: tuple[Change, ...] = (
    _change_value,
    _change_value,
    _change_content,
    _change_content,
    _remove_key,
    _refer_elsewhere,
    _hold_itself,
    _repeat_kids,
)


def by_byte(source: bytes, chance: random.Random) -> bytes:
    """The file with a few bytes flipped, cut out, doubled, or with its numbers changed."""
    data = bytearray(source)
    for _ in range(chance.randint(1, 6)):
        start = chance.randrange(len(data))
        piece = slice(start, start + chance.randint(1, 40))
        kind = chance.randrange(6)
        if kind == 0:
            data[start] = chance.randrange(256)
        elif kind == 1:
            del data[piece]
        elif kind == 2:
            data[start:start] = data[piece]
        elif kind == 3:
            data[start] = ord(chance.choice("0123456789-.<>[]()/ "))
        elif kind == 4:
            other = chance.randrange(len(data))
            data[piece] = data[other : other + 20]
        else:
            del data[chance.randrange(len(data) // 2, len(data)) :]
        data = data or bytearray(b"%PDF")
    return bytes(data)
