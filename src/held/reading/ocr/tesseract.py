"""Tesseract, through its command: an image on standard input, a table of words on standard output."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from shutil import which

from held.reading.ocr.engines import EngineError, EngineTimeout, EngineWord
from held.reading.ocr.images import Pixels
from held.system.limits import limits
from held.system.worker_process import TimeBudget

# Columns of Tesseract's table: level page block paragraph line word left top width height confidence text.
COLUMNS = 12
WORD_LEVEL = "5"
AUTOMATIC_PAGE = "3"  # page segmentation mode: columns and lines, without orientation
FALLBACK_LANGUAGE = "eng"
ORIENTATION_DATA = "osd"  # listed as a language, but only tells orientation and script
MAX_MESSAGE = 200  # characters of Tesseract's own message that are passed on


class Tesseract:
    """The engine of Debian's package tesseract-ocr."""

    def __init__(self) -> None:
        command = which("tesseract")
        if command is None:
            raise EngineError("tesseract is not installed")
        self._command = command

    def recognise(
        self, image: Pixels, languages: Sequence[str], *, dots_per_inch: float
    ) -> list[list[EngineWord]]:
        """The lines that Tesseract finds, in its order."""
        names = "+".join(languages) or FALLBACK_LANGUAGE
        table = self._run(image, dots_per_inch, "-l", names, "--psm", AUTOMATIC_PAGE, "tsv")
        return parse_table(table)

    def _run(self, image: Pixels, dots_per_inch: float, *arguments: str) -> str:
        height, width = image.shape
        header = b"P5\n%d %d\n255\n" % (width, height)  # a portable greymap, which needs no encoder
        process = self._start("stdin", "stdout", "--dpi", str(round(dots_per_inch)), *arguments)
        output, errors = _communicate(process, header + image.tobytes())
        if process.returncode < 0:
            raise EngineError("crashes Tesseract")
        if process.returncode != 0:
            message = " ".join(errors.decode("utf-8", "replace").split())[:MAX_MESSAGE]
            raise EngineError(f"Tesseract fails: {message}")
        return output.decode("utf-8", "replace")

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        # One thread: the pages are distributed over the cores, which wastes less than Tesseract's threads.
        environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
        # Pipes, and not the null device: the sandbox lets nobody open that for writing.
        return subprocess.Popen(
            [self._command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
        )


def installed_languages() -> list[str]:
    """The languages that Tesseract has data for."""
    command = which("tesseract")
    if command is None:
        return []
    listed = subprocess.run([command, "--list-langs"], capture_output=True, check=False)
    names = listed.stdout.decode("utf-8", "replace").splitlines()[1:]  # the first line is a heading
    return [name.strip() for name in names if name.strip() not in ("", ORIENTATION_DATA)]


def _communicate(process: subprocess.Popen[bytes], content: bytes) -> tuple[bytes, bytes]:
    """What a program writes to its two outputs when it gets this input; `EngineTimeout` if it takes too long.

    The sandbox allows nobody to end another process; there, the parent of this process ends both.
    """
    budget = TimeBudget(limits().ocr_seconds, process.pid)
    unsent: bytes | None = content
    while remaining := budget.remaining():
        with suppress(subprocess.TimeoutExpired):  # it may have computed less than the clock says
            return process.communicate(unsent, timeout=remaining)
        unsent = None  # the first call keeps it and goes on where it was
    with suppress(PermissionError):
        process.kill()
    raise EngineTimeout


def parse_table(table: str) -> list[list[EngineWord]]:
    """The lines of Tesseract's table; a line has its page, block, paragraph and line number."""
    lines: dict[tuple[str, ...], list[EngineWord]] = {}
    for row in table.splitlines():
        cells = row.split("\t")
        if len(cells) != COLUMNS or cells[0] != WORD_LEVEL or not cells[-1].strip():
            continue
        try:
            left, top, width, height, confidence = (float(cell) for cell in cells[6:11])
        except ValueError:
            continue
        text = cells[-1].strip()
        word = EngineWord(left, top, left + width, top + height, text, max(0.0, confidence / 100))
        lines.setdefault(tuple(cells[1:5]), []).append(word)
    return list(lines.values())
