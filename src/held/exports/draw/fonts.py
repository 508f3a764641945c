"""Fonts for pictures: one of the system's for each script, and Pillow's own where there is none."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

_FOLDERS = {
    "linux": ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts"),
    "darwin": ("/System/Library/Fonts", "/Library/Fonts", "~/Library/Fonts"),
    "win32": ("C:/Windows/Fonts",),
}
_PLAIN = ("DejaVuSans.ttf", "LiberationSans-Regular.ttf", "Arial.ttf", "arial.ttf", "Helvetica.ttc")
_BOLD = ("DejaVuSans-Bold.ttf", "LiberationSans-Bold.ttf", "Arial Bold.ttf", "arialbd.ttf")
_CHINESE = (
    "NotoSansCJK-Regular.ttc",
    "NotoSansCJKsc-Regular.otf",
    "SourceHanSansSC-Regular.otf",
    "wqy-zenhei.ttc",
    "wqy-microhei.ttc",
    "DroidSansFallbackFull.ttf",
    "uming.ttc",
    "PingFang.ttc",
    "STHeiti Light.ttc",
    "msyh.ttc",
    "simsun.ttc",
)
_FIRST_CHINESE = "⺀"  # from here on, a Latin font has no glyphs


def text_font(text: str, size: int, *, bold: bool = False) -> FreeTypeFont:
    """A font that can draw the text, if the system has one."""
    if any(character >= _FIRST_CHINESE for character in text):
        return _font(_CHINESE + _PLAIN, size)
    return _font(_BOLD + _PLAIN if bold else _PLAIN, size)


def label_font(size: int) -> FreeTypeFont:
    """A font for numbers and words of our own."""
    return _font(_BOLD + _PLAIN, size)


@cache
def _font(names: tuple[str, ...], size: int) -> FreeTypeFont:
    from PIL import ImageFont

    path = _find(names)
    if path is not None:
        return ImageFont.truetype(path, size)
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


def _find(names: Sequence[str]) -> Path | None:
    installed = _installed()
    return next((installed[name] for name in names if name in installed), None)


@cache
def _installed() -> dict[str, Path]:
    folders = [Path(folder).expanduser() for folder in _FOLDERS.get(sys.platform, ())]
    return {path.name: path for folder in folders for path in folder.rglob("*.[to]t[fc]")}
