"""What becomes of one broken file: read in the limited child, written in all forms, put through all commands.

There are three kinds of files: PDFs, trees as JSON, and scans, whose text is recognised if an engine is here.

An error of ours is as good an end as a result. Anything else is a finding: an exception that is not ours, a
message of several lines or with control characters, a traceback of a command, an input that was changed, more
time or memory than the limits allow. A process that dies is found by whoever started it.
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
from research.fuzz.calls import CALLS, SCAN_CALLS, TREE_CALLS, Calls, filled, prepared
from research.fuzz.commander import End, run
from research.fuzz.mutants import json_mutant, pdf_mutant
from research.fuzz.scans import scan_mutant
from research.fuzz.trees import tree_mutant

from held.errors import HeldError
from held.system.console import StageProgress
from held.system.worker_main import Connection
from held.system.worker_pool import Answer, serve_requests
from held.system.worker_process import idle_workers

SECONDS = 90.0  # computed; those of the clock depend on what else the machine does
SECONDS_OF_THE_CLOCK = 10 * SECONDS  # by then a command hangs, on any machine
MEMORY = 1.5 * (1 << 30)  # of all processes at a time; each is measured at its height
COMMAND_ENDS = frozenset({0, 1, 2, 3, 4, 5})  # a crash has another exit code
FAULTS = ("Traceback", "a fault in held", "fault in held")


@dataclass(frozen=True, slots=True)
class Findings:
    """What should not have happened with a seed's file, and whether the file could be read at all."""

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
        tried = trial(seed, kind, commands=commands)
        return Answer([tried.seed, tried.read, list(tried.found), tried.seconds, tried.megabytes])

    serve_requests(line, answer)


def trial(seed: int, kind: str = "pdf", *, commands: bool = False) -> Findings:
    """What becomes of a seed's file of this kind."""
    name, mutant, library, calls = KINDS[kind]
    content = mutant(seed)
    start = _computed()
    with TemporaryDirectory(prefix="held-fuzz-") as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        found: list[str] = []
        read = library(path, seed, found)
        seconds = _computed() - start
        if seconds > SECONDS:
            found.append(f"took {seconds:.0f} s")
        if commands:
            found += _commands(path, calls)
        if path.read_bytes() != content:
            found.append("the input was changed")
    megabytes = _most_memory()
    if megabytes << 20 > MEMORY:
        found.append(f"took {megabytes} MB")
    return Findings(seed, read, tuple(found), round(seconds, 2), megabytes)


def signature(error: BaseException) -> str:
    """What kind of fault an exception is: its type, and the place in our code that it comes from."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if f"{os.sep}held{os.sep}" in frame.filename]
    place = f"{Path(own[-1].filename).name}:{own[-1].name}" if own else "elsewhere"
    return f"{type(error).__name__} in {place}: {str(error)[:200]}"


def tried(what: str, call: Callable[[], Any], found: list[str]) -> Any:
    """What a call gives; None, with a finding, where it fails in a way that is not ours."""
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

    document = tried("extract", lambda: held.extract(path, jobs=1), found)
    if document is None:
        return False
    content = _write_all(document, path, found)
    if content is not None:
        _json_again(content, seed, found)
    return True


def _read_tree(path: Path, seed: int, found: list[str]) -> bool:
    """Loads the tree and writes it in all forms that need no PDF; whether it could be loaded."""
    import held

    document = tried("load", lambda: held.load(path), found)
    if document is None:
        return False
    _write_all(document, None, found)
    return True


def _read_scan(path: Path, seed: int, found: list[str]) -> bool:
    """Recognises the file's pages and writes them with their text; whether there was any."""
    import held
    from held.reading.ocr.engines import installed_engines

    ocr: Any = "always" if installed_engines() else "auto"
    document = tried("extract a scan", lambda: held.extract(path, jobs=1, ocr=ocr), found)
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
        result = tried(name, partial(form.write, document, ExportOptions(source=pdf, images=images)), found)
        written[name] = result and result.content
    written["xlsx"] = tried("xlsx", lambda: to_xlsx(tables_of(document)), found)
    for name, check in CHECKS.items():
        content = written.get(name)
        if content is not None:
            tried(f"opening the {name}", partial(check, content), found)
    return written["json"]


def _json_again(content: bytes, seed: int, found: list[str]) -> None:
    """Reads the JSON of the tree back, as it is and broken, and its document as objects from elsewhere."""
    import held
    from held.document_json import document_from_json

    value = json.loads(content)
    tried("load", lambda: held.load(value), found)
    broken = json_mutant(seed, value)
    again = tried("load a mutant", lambda: held.load(json.dumps(broken)), found)
    if again is not None:
        _write_all(again, None, found)
    objects = json_mutant(seed + 1, value["document"])
    tried("objects of a mutant", lambda: document_from_json(objects), found)


def _commands(path: Path, calls: Calls) -> Iterator[str]:
    """What is wrong with the ends of all commands on a file."""
    out = prepared(path.parent / "out")
    for call in filled(calls, path, out):
        name = " ".join(call[:2]) if call[0] == "corpus" else call[0]
        yield from (f"held {name}: {wrong}" for wrong in _wrong_with(run(call, SECONDS_OF_THE_CLOCK)))


def _wrong_with(end: End) -> Iterator[str]:
    if end.code is None or end.seconds > SECONDS:
        yield f"took longer than {SECONDS:g} s"
    elif end.code not in COMMAND_ENDS:
        yield f"exit code {end.code}: {end.said[-200:]}"
    if any(fault in end.said for fault in FAULTS):
        yield end.said.strip().splitlines()[-1][:300]
    if not end.said.replace("\n", "").isprintable():
        yield f"characters that command a terminal: {end.said[-200:]!r}"
    if end.megabytes << 20 > MEMORY:
        yield f"took {end.megabytes} MB"


def _computed() -> float:
    """Seconds that this process and its children, those too that wait for work, have computed."""
    used = os.times()
    waiting = sum(child.cpu_seconds for child in idle_workers())
    return used.user + used.system + used.children_user + used.children_system + waiting


def _most_memory() -> int:
    """Megabytes that this process and its largest child took at their heights."""
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
