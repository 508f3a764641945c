"""Tries one broken file: reads it, writes it in all formats, and runs all commands on it.

There are three kinds of files: PDFs, trees as JSON, and scans, whose text is recognised if an OCR engine is
installed. A `HeldError` is as good as a result. Everything else is a finding: another exception, a message
with several lines or control characters, a traceback of a command, a changed input, more time or memory than
the limits allow. The parent process reports a process that dies.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from research.fuzz.archives import CHECKS
from research.fuzz.calls import CALLS, SCAN_CALLS, TREE_CALLS, Calls, fill_calls, prepare_folder
from research.fuzz.commander import End, run
from research.fuzz.mutants import json_mutant, pdf_mutant
from research.fuzz.scans import scan_mutant
from research.fuzz.trees import tree_mutant

from held.errors import HeldError
from held.system.console import StageProgress
from held.system.worker_main import Connection
from held.system.worker_pool import Answer, serve_requests
from held.system.worker_process import idle_workers

SECONDS = 90.0  # of CPU time, which does not depend on other work of the machine
SECONDS_OF_THE_CLOCK = 10 * SECONDS  # a command that takes longer hangs
MEMORY = 1.5 * (1 << 30)  # bytes of all processes, each at its peak
COMMAND_ENDS = frozenset({0, 1, 2, 3, 4, 5})  # a crash has another exit code
FAULTS = ("Traceback", "a fault in held", "fault in held")


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings of a seed's file, and whether the file could be read at all."""

    seed: int
    read: bool
    found: tuple[str, ...]
    seconds: float
    megabytes: int


class Kind(NamedTuple):
    """A kind of broken file: its name, how it is made, and what the library and the commands do with it."""

    file: str
    mutant: Callable[[int], bytes]
    library: Callable[[Path, int, list[str]], bool]
    calls: Calls


def serve(line: Connection) -> None:
    """Answers each request, a kind, a seed and whether to run all commands, with its findings."""

    def answer(request: Any, _: StageProgress) -> Answer:
        kind, seed, commands = request
        result = trial(seed, kind, commands=commands)
        return Answer(
            [
                result.seed,
                result.read,
                list(result.found),
                result.seconds,
                result.megabytes,
            ]
        )

    serve_requests(line, answer)


def trial(seed: int, kind: str = "pdf", *, commands: bool = False) -> Findings:
    """Try the file of a seed and of this kind."""
    name, mutant, library, calls = KINDS[kind]
    content = mutant(seed)
    start = _cpu_seconds()
    with TemporaryDirectory(prefix="held-fuzz-") as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        found: list[str] = []
        read = library(path, seed, found)
        seconds = _cpu_seconds() - start
        if seconds > SECONDS:
            found.append(f"took {seconds:.0f} s")
        if commands:
            found += _commands(path, calls)
        if path.read_bytes() != content:
            found.append("the input was changed")
    megabytes = _peak_megabytes()
    if megabytes << 20 > MEMORY:
        found.append(f"took {megabytes} MB")
    return Findings(seed, read, tuple(found), round(seconds, 2), megabytes)


def signature(error: BaseException) -> str:
    """A short description of an exception: its type, and the function of held that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if f"{os.sep}held{os.sep}" in frame.filename]
    place = f"{Path(own[-1].filename).name}:{own[-1].name}" if own else "elsewhere"
    return f"{type(error).__name__} in {place}: {str(error)[:200]}"


def check_call(what: str, call: Callable[[], Any], found: list[str]) -> Any:
    """The result of a call; None after an error, with a finding unless it is a plain `HeldError`."""
    try:
        return call()
    except HeldError as error:
        message = str(error)
        if not message.isprintable():
            found.append(f"{what}: an error that is not one plain line: {message!r}"[:300])
    except Exception as error:
        found.append(f"{what}: {signature(error)}")
    return None


def _read_pdf(path: Path, seed: int, found: list[str]) -> bool:
    """Reads the file and writes it in all forms; whether it could be read."""
    import held

    document = check_call("extract", lambda: held.extract(path, jobs=1), found)
    if document is None:
        return False
    content = _write_all(document, path, found)
    if content is not None:
        _json_again(content, seed, found)
    return True


def _read_tree(path: Path, seed: int, found: list[str]) -> bool:
    """Loads the tree and writes it in all forms that need no PDF; whether it could be loaded."""
    import held

    document = check_call("load", lambda: held.load(path), found)
    if document is None:
        return False
    _write_all(document, None, found)
    return True


def _read_scan(path: Path, seed: int, found: list[str]) -> bool:
    """Recognises the file's pages and writes them with their text; whether there was any."""
    import held
    from held.reading.ocr.engines import installed_engines

    ocr: Any = "always" if installed_engines() else "auto"
    document = check_call("extract a scan", lambda: held.extract(path, jobs=1, ocr=ocr), found)
    if document is None:
        return False
    _write_all(document, path, found)
    return True


def _write_all(document: Any, pdf: Path | None, found: list[str]) -> bytes | None:
    """Writes a hierarchy in all forms that can be had, checks that they are whole, and returns its JSON."""
    from held.exports.formats import FORMATS, ExportOptions
    from held.exports.tables import tables_of
    from held.exports.xlsx import to_xlsx

    written: dict[str, bytes | None] = {}
    for name, form in FORMATS.items():
        if form.needs_pdf and pdf is None:
            continue
        images = pdf.parent / "images" if pdf and "images" in form.options else None
        result = check_call(
            name, partial(form.write, document, ExportOptions(source=pdf, images=images)), found
        )
        written[name] = result and result.content
    written["xlsx"] = check_call("xlsx", lambda: to_xlsx(tables_of(document)), found)
    for name, check in CHECKS.items():
        content = written.get(name)
        if content is not None:
            check_call(f"opening the {name}", partial(check, content), found)
    return written["json"]


def _json_again(content: bytes, seed: int, found: list[str]) -> None:
    """Reads the JSON of the tree back, as it is and broken, and its document as objects from elsewhere."""
    import held
    from held.document_json import document_from_json

    value = json.loads(content)
    check_call("load", lambda: held.load(value), found)
    broken = json_mutant(seed, value)
    again = check_call("load a mutant", lambda: held.load(json.dumps(broken)), found)
    if again is not None:
        _write_all(again, None, found)
    objects = json_mutant(seed + 1, value["document"])
    check_call("objects of a mutant", lambda: document_from_json(objects), found)


def _commands(path: Path, calls: Calls) -> Iterator[str]:
    """The findings of all commands on a file."""
    out = prepare_folder(path.parent / "out")
    for call in fill_calls(calls, path, out):
        name = " ".join(call[:2]) if call[0] == "corpus" else call[0]
        yield from (f"held {name}: {wrong}" for wrong in _problems(run(call, SECONDS_OF_THE_CLOCK)))


def _problems(end: End) -> Iterator[str]:
    if end.code is None or end.seconds > SECONDS:
        yield f"took longer than {SECONDS:g} s"
    elif end.code not in COMMAND_ENDS:
        yield f"exit code {end.code}: {end.stderr[-200:]}"
    if any(fault in end.stderr for fault in FAULTS):
        yield end.stderr.strip().splitlines()[-1][:300]
    if not end.stderr.replace("\n", "").isprintable():
        yield f"characters that command a terminal: {end.stderr[-200:]!r}"
    if end.megabytes << 20 > MEMORY:
        yield f"took {end.megabytes} MB"


def _cpu_seconds() -> float:
    """CPU seconds of this process and its children, idle workers included."""
    used = os.times()
    waiting = sum(child.cpu_seconds for child in idle_workers())
    return used.user + used.system + used.children_user + used.children_system + waiting


def _peak_megabytes() -> int:
    """Peak memory of this process and of its largest child, in megabytes."""
    try:
        import resource
    except ImportError:
        return 0
    unit = 20 if sys.platform == "darwin" else 10
    own, children = (
        resource.getrusage(who).ru_maxrss >> unit for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own + children


KINDS = {
    "pdf": Kind("mutant.pdf", pdf_mutant, _read_pdf, CALLS),
    "tree": Kind("mutant.json", tree_mutant, _read_tree, TREE_CALLS),
    "scan": Kind("mutant.pdf", scan_mutant, _read_scan, SCAN_CALLS),
}
