"""The way from a command to the PDF is short: few calls, few modules."""

import subprocess
import sys
from pathlib import Path

import pytest

import held.reading.read_pdf
from held.cli import main

SAMPLE = Path(__file__).parents[1] / "samples" / "report-en.pdf"
MAX_FRAMES = 7
MAX_MODULES = 91


class Reached(BaseException):
    """Carries the functions of held that were active when the PDF was to be read."""

    def __init__(self, functions: list[str]) -> None:
        self.functions = functions


def test_the_pdf_is_read_after_few_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        frame = sys._getframe(1)
        functions = []
        while frame is not None:
            if frame.f_globals["__name__"].split(".")[0] == "held":
                functions.append(frame.f_code.co_name)
            frame = frame.f_back  # type: ignore[assignment]
        raise Reached(functions)

    seen: list[str] = []
    monkeypatch.setattr(held.reading.read_pdf, "read_pdf", stop)

    def keep(error: Reached, _: object) -> int:
        seen.extend(error.functions)
        return 1

    monkeypatch.setattr("held.cli._report_error", keep)
    with pytest.raises(SystemExit):
        main(["extract", str(SAMPLE), "--format", "markdown"])
    assert seen[-1] == "main"
    assert "extract" in seen
    assert len(seen) <= MAX_FRAMES, seen


def test_an_extraction_to_markdown_imports_few_modules() -> None:
    script = (
        "import atexit, sys; from held.cli import main;"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr));"
        f"main(['extract', {str(SAMPLE)!r}, '--format', 'markdown'])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    modules = [name for name in done.stderr.split() if name.split(".")[0] == "held"]
    # Compiled modules repeat functions of the module beside them.
    modules = [name for name in modules if not name.rpartition(".")[2].startswith("_")]
    assert 0 < len(modules) <= MAX_MODULES
