"""What a caller can choose about text recognition."""

from __future__ import annotations

from dataclasses import dataclass

from held.errors import UsageError
from held.reading.ocr.engines import ENGINES

AUTO, ALWAYS, NEVER = "auto", "always", "never"
MODES = (AUTO, ALWAYS, NEVER)


@dataclass(frozen=True, slots=True)
class OcrOptions:
    """Which pages are recognised, and how.

    mode       "auto" recognises pages without readable text, if an engine is installed; "always" all pages,
               "never" none
    engine     the name of an engine, or "auto": the one that suits the language
    languages  as Tesseract names them, such as "deu" or "deu+eng"; empty: found from a sample of the text
    """

    mode: str = AUTO
    engine: str = AUTO
    languages: str = ""


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
