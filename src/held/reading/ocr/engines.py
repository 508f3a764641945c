"""The protocol of an OCR engine, the engines that `held` knows, and what a caller can choose.

An engine runs in the process of `worker`. It gets the image of a straightened page and returns lines of
words. To add one: write a class with `recognise`, and add an entry to `ENGINES`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from shutil import which
from typing import TYPE_CHECKING, NamedTuple, Protocol
from unicodedata import east_asian_width

from held.errors import UsageError
from held.reading.text_checks import AUTO, MODES, OcrOptions

if TYPE_CHECKING:
    from held.reading.ocr.images import Pixels

TESSERACT, RAPIDOCR = "tesseract", "rapidocr"


class EngineWord(NamedTuple):
    """A word with its box in pixels; `confidence` is from 0 to 1."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str
    confidence: float


class EngineError(Exception):
    """An engine could not read a page; the message gives the reason."""


class EngineTimeout(Exception):
    """An engine takes longer with a page than `ocr_seconds` allows."""


class Engine(Protocol):
    """Reads the text of an image."""

    def recognise(
        self, image: Pixels, languages: Sequence[str], *, dots_per_inch: float
    ) -> list[list[EngineWord]]:
        """The lines of the page, each a list of words from left to right."""
        ...


@dataclass(frozen=True, slots=True)
class EngineEntry:
    """An engine that `held` knows.

    factory       the class, as `module:name`; only the process that runs the engine imports it
    is_installed  whether it can be used on this machine
    install       returns the command that installs it
    is_program    whether it is a program that the process has to start
    """

    name: str
    factory: str
    is_installed: Callable[[], bool]
    install: Callable[[], str]
    is_program: bool = False


def _rapidocr_command() -> str:
    from held.system.optional_packages import install_command  # only needed for an error message

    return install_command("ocr")


ENGINES = {
    TESSERACT: EngineEntry(
        TESSERACT,
        "held.reading.ocr.tesseract:Tesseract",
        lambda: which("tesseract") is not None,
        lambda: "apt install tesseract-ocr tesseract-ocr-deu (and so on for each language)",
        is_program=True,
    ),
    RAPIDOCR: EngineEntry(
        RAPIDOCR,
        "held.reading.ocr.rapidocr:RapidOcr",
        lambda: find_spec("rapidocr") is not None,
        _rapidocr_command,
    ),
}


def installed_engines() -> list[str]:
    """The names of the engines that can be used on this machine."""
    return [name for name, entry in ENGINES.items() if entry.is_installed()]


def install_advice() -> str:
    """How to install an engine."""
    return "install an OCR engine: " + ", or ".join(entry.install() for entry in ENGINES.values())


def split_words(x0: float, y0: float, x1: float, y1: float, text: str, confidence: float) -> list[EngineWord]:
    """The words of a line with one box: each gets the share of the box that its characters have."""
    columns = [_columns(character) for character in text]
    total = sum(columns)
    words = []
    start = 0
    for piece in text.split(" "):
        end = start + len(piece)
        if piece.strip():
            left = x0 + (x1 - x0) * sum(columns[:start]) / total
            right = x0 + (x1 - x0) * sum(columns[:end]) / total
            words.append(EngineWord(left, y0, right, y1, piece.strip(), confidence))
        start = end + 1
    return words


def _columns(character: str) -> int:
    """How wide a character is: a Chinese one takes two columns."""
    return 2 if east_asian_width(character) in "WF" else 1


def load_engine(factory: str) -> Engine:
    """The engine that `module:name` makes."""
    module, _, name = factory.partition(":")
    engine: Engine = getattr(import_module(module), name)()
    return engine


# --- options ---


def check_options(options: OcrOptions) -> None:
    """Refuse impossible options."""
    if options.mode not in MODES:
        raise UsageError(f"ocr cannot be {options.mode!r}", advice=f"it is one of {', '.join(MODES)}")
    names = (AUTO, *ENGINES)
    if options.engine not in names:
        advice = f"it is one of {', '.join(names)}"
        raise UsageError(f"ocr_engine cannot be {options.engine!r}", advice=advice)
    wrong = [name for name in options.languages.split("+") if not name.replace("_", "a").isalnum()]
    if options.languages and wrong:
        advice = "give names of Tesseract such as deu, or several as deu+eng"
        raise UsageError(f"ocr_languages cannot be {options.languages!r}", advice=advice)
