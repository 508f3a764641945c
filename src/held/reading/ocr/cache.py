"""A cache of recognised pages on disk, so that an interrupted run goes on where it stopped.

Each page is a small JSON file below `<cache>/<hash of the PDF>/<engine and settings>/`. The environment
variable HELD_OCR_CACHE names another folder, or is `off`. Without a folder that can be written to, nothing
is cached.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from time import time
from typing import Any

from held.errors import HeldError
from held.reading.ocr.page_text import RecognisedPage, page_from_json, page_to_json
from held.system.atomic_write import make_folder, write_file
from held.system.bounded_json import file_sha256
from held.system.worker_main import InvalidMessage

VARIABLE = "HELD_OCR_CACHE"
OFF = "off"
VERSION = 8  # of what is stored: change it when pages are measured or stored in another way
MAX_AGE_SECONDS = 30 * 24 * 3600.0  # files that nobody has used for so long are removed
MAX_FILE_BYTES = 1 << 26
CHOICE = "choice.json"


@dataclass(frozen=True, slots=True)
class PageCache:
    """The cached pages of one PDF; `folder` is None if nothing can be cached."""

    folder: Path | None

    def load_page(self, settings: str, index: int) -> RecognisedPage | None:
        """The page that was stored, None if there is none."""
        with suppress(InvalidMessage):
            value = self._load(self._page_file(settings, index))
            return None if value is None else page_from_json(value)
        return None

    def store_page(self, settings: str, index: int, page: RecognisedPage) -> None:
        """Store a page."""
        self._store(self._page_file(settings, index), page_to_json(page))

    def load_choice(self, key: str) -> tuple[str, list[str]] | None:
        """The engine and languages that were chosen under this key, None if none were."""
        choices = self._load(CHOICE)
        match choices.get(key) if isinstance(choices, dict) else None:
            case [str(engine), [*languages]] if all(isinstance(name, str) for name in languages):
                return engine, languages
        return None

    def store_choice(self, key: str, engine: str, languages: list[str]) -> None:
        """Store the choice of engine and languages for the whole file."""
        choices = self._load(CHOICE)
        kept = choices if isinstance(choices, dict) else {}
        self._store(CHOICE, kept | {key: [engine, languages]})

    def _page_file(self, settings: str, index: int) -> str:
        return f"{settings}/{index + 1:06}.json"

    def _load(self, name: str) -> Any:
        if self.folder is None:
            return None
        file = self.folder / name
        with suppress(OSError, ValueError, RecursionError):
            if file.stat().st_size <= MAX_FILE_BYTES:
                return json.loads(file.read_bytes())
        return None

    def _store(self, name: str, value: Any) -> None:
        if self.folder is None:
            return
        file = self.folder / name
        with suppress(OSError, HeldError):  # a full disk only costs the cache
            make_folder(file.parent)
            write_file(file, json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def open_cache(pdf: Path) -> PageCache:
    """The cache of a PDF. Files that have not been used for a month are removed."""
    root = _root()
    if root is None:
        return PageCache(None)
    folder = root / f"v{VERSION}" / file_sha256(pdf)
    with suppress(OSError, HeldError):
        make_folder(folder)
        os.utime(folder)
        _remove_old(folder.parent)
        return PageCache(folder)
    return PageCache(None)


def _root() -> Path | None:
    setting = os.environ.get(VARIABLE, "")
    if setting == OFF:
        return None
    if setting:
        return Path(setting)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    # Without a home folder, `expanduser` returns what it got.
    return Path(base, "held", "ocr") if os.path.isabs(base) else None


def _remove_old(folder: Path) -> None:
    oldest = time() - MAX_AGE_SECONDS
    for entry in folder.iterdir():
        with suppress(OSError):
            if entry.stat().st_mtime < oldest:
                rmtree(entry, ignore_errors=True)
