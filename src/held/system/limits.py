"""Limits for untrusted files: memory, seconds and bytes; and the memory of this process.

The defaults are generous for honest files and small compared with what a hostile one demands. The environment
variable HELD_LIMITS changes them for this process and its workers. So does the option --limit of every
command, which sets that variable:

    HELD_LIMITS="memory=4G page_seconds=120" held extract map.pdf
    held extract map.pdf --limit memory=4G --limit page_seconds=120
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, replace

from held.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from resource import struct_rusage

VARIABLE = "HELD_LIMITS"
MAX_PAGES = 200_000  # of one document: a file that claims more is damaged
MAX_BEAM = 100  # trees in a beam search: each costs as much as the whole greedy search
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits for reading a file.

    memory            bytes that a process may use which reads or draws pages
    page_seconds      for one page, an outline or one figure
    file_seconds      for all pages, or all figures, of a file
    seconds_per_page  added to that for each page, because long files are not hostile
    json_bytes        of a JSON file, unpacked
    model_bytes       of a model file, unpacked
    ocr_memory        bytes that a process may use which recognises text
    ocr_seconds       for recognising the text of one page
    ocr_pixels        of the image of a page whose text is recognised; a larger page is drawn coarser
    """

    memory: int = 1 << 30
    page_seconds: float = 30.0
    file_seconds: float = 60.0
    seconds_per_page: float = 0.1  # about ten times what a page takes
    json_bytes: int = 1 << 28
    model_bytes: int = 1 << 28
    ocr_memory: int = 2 << 30
    ocr_seconds: float = 120.0  # about twenty times what a page takes
    ocr_pixels: float = 40e6  # an A3 page at 300 dots per inch has 17 million

    def seconds_for(self, pages: int) -> float:
        """The time limit for a file with so many pages."""
        return self.file_seconds + pages * self.seconds_per_page


def limits() -> Limits:
    """The limits in force: the defaults, changed by the environment."""
    try:
        return parse_limits(os.environ.get(VARIABLE, ""))
    except UsageError as error:
        raise UsageError(f"{VARIABLE}: {error.what}", advice=error.advice) from None


@contextmanager
def override_limits(settings: Sequence[str]) -> Iterator[None]:
    """Apply settings such as `memory=4G` for a while, also in processes that are started meanwhile."""
    parse_limits(" ".join(settings))  # raises an error for a wrong setting
    before = os.environ.get(VARIABLE, "")
    os.environ[VARIABLE] = " ".join([before, *settings]).strip()  # the last setting of a limit counts
    try:
        yield
    finally:
        os.environ[VARIABLE] = before


def parse_limits(text: str) -> Limits:
    """The limits that a text such as `memory=4G page_seconds=120` sets; the others have their defaults."""
    types = {field.name: field.type for field in fields(Limits)}
    values: dict[str, float] = {}
    for setting in text.replace(",", " ").split():
        name, _, value = setting.partition("=")
        if name not in types:
            raise UsageError(f"no limit is called {name!r}", advice=f"there are {', '.join(types)}")
        number = _parse_number(value, name)
        values[name] = int(number) if types[name] == "int" else number
    return replace(Limits(), **values)  # type: ignore[arg-type]


def _parse_number(text: str, name: str) -> float:
    """The number that a text such as `30`, `2G` or `2GB` means."""
    size = text.upper().removesuffix("B")
    unit = _UNITS.get(size[-1:], 1)
    digits = size[:-1] if unit > 1 else size
    try:
        number = float(digits) * unit
    except ValueError:
        number = -1.0
    if not 0 < number < 1e15:
        raise UsageError(f"the limit {name} cannot be {text!r}", advice="give a number such as 30 or 2GB")
    return number


def format_bytes(number: float) -> str:
    """A number of bytes in the largest fitting unit, such as `1.5 GB`."""
    for unit, size in reversed(_UNITS.items()):
        if number >= size:
            return f"{number / size:.3g} {unit}B"
    return f"{number:g} bytes"


# --- memory of this process ---
#
# How much it may use, how much it has used, and when garbage is collected.

MIN_SHARE_BYTES = 1 << 30  # however many jobs share the memory
MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1 << 10  # bytes; see getrusage(2)


def memory_share(jobs: int) -> int | None:
    """The bytes that each of so many processes may use, None if the system's memory is unknown."""
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None
    # A container may have less than the machine. Without a limit the file says "max", a ValueError here.
    with suppress(OSError, ValueError), open("/sys/fs/cgroup/memory.max") as limit:
        memory = min(memory, int(limit.read()))
    with suppress(OSError, StopIteration), open("/proc/meminfo") as lines:
        available = next(line for line in lines if line.startswith("MemAvailable:"))
        kilobytes = int(available.split()[1])
        memory = min(memory, kilobytes << 10)
    return max(memory // jobs, MIN_SHARE_BYTES)


@contextmanager
def limit_memory(limit: int | None) -> Iterator[None]:
    """Raise `MemoryError` in this process beyond so many bytes, where the system supports that."""
    try:
        import resource

        before = resource.getrlimit(resource.RLIMIT_DATA)
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_DATA, (limit, before[1]))
    except (ImportError, ValueError, OSError):
        yield
        return
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def peak_memory(usage: struct_rusage | None = None) -> int:
    """The peak memory, in bytes, of this process or of one with this usage; 0 if unknown."""
    if usage is None:
        try:
            import resource
        except ImportError:
            return 0
        usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_maxrss * MAXRSS_UNIT


@contextmanager
def pause_gc() -> Iterator[None]:
    """Disable the cyclic garbage collector while many small values without cycles are created.

    Otherwise it traverses all runs and lines of a document again and again.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            # The next allocation would traverse all new values at once. Freezing and unfreezing moves them to
            # the oldest generation instead, which is traversed seldom; not where a caller has frozen its own.
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()
