"""What becomes of one broken file: read in the limited child, written in all forms, put through all commands.

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
from typing import Any

from research.fuzz.calls import CALLS, filled, prepared
from research.fuzz.commander import End, run
from research.fuzz.mutants import json_mutant, pdf_mutant

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


def serve(line: Connection) -> None:
    """Answers each request, a seed and whether to run all commands, with its findings."""

    def answer(request: Any, _: StageProgress) -> Answer:
        seed, commands = request
        tried = trial(seed, commands=commands)
        return Answer([tried.seed, tried.read, list(tried.found), tried.seconds, tried.megabytes])

    serve_requests(line, answer)


def trial(seed: int, *, commands: bool = False) -> Findings:
    """What becomes of a seed's file."""
    start = _computed()
    with TemporaryDirectory(prefix="held-fuzz-") as folder:
        path = Path(folder) / "mutant.pdf"
        content = pdf_mutant(seed)
        path.write_bytes(content)
        found: list[str] = []
        read = _library(path, seed, found)
        seconds = _computed() - start
        if seconds > SECONDS:
            found.append(f"took {seconds:.0f} s")
        if commands:
            found += _commands(path)
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


def _library(path: Path, seed: int, found: list[str]) -> bool:
    """Reads the file and writes it in all forms; whether it could be read."""
    import held
    from held.exports.formats import FORMATS, ExportOptions

    document = tried("extract", lambda: held.extract(path, jobs=1), found)
    if document is None:
        return False
    images = path.parent / "images"
    for name, form in FORMATS.items():
        writing = ExportOptions(source=path, images=images if "images" in form.options else None)
        written = tried(name, partial(form.write, document, writing), found)
        if name == "json" and written is not None:
            _json_again(written.content, seed, found)
    return True


def _json_again(content: bytes, seed: int, found: list[str]) -> None:
    """Reads the JSON of the tree back, as it is and broken, and its document as objects from elsewhere."""
    import held
    from held.document_json import document_from_json

    value = json.loads(content)
    tried("load", lambda: held.load(value), found)
    broken = json_mutant(seed, value)
    again = tried("load a mutant", lambda: held.load(json.dumps(broken)), found)
    if again is not None:
        _forms_of(again, found)
    objects = json_mutant(seed + 1, value["document"])
    tried("objects of a mutant", lambda: document_from_json(objects), found)


def _forms_of(document: Any, found: list[str]) -> None:
    """Writes a hierarchy, which came from broken JSON, in all forms that need no PDF."""
    from held.exports.formats import FORMATS, ExportOptions

    for name, form in FORMATS.items():
        if not form.needs_pdf:
            tried(f"{name} of a mutant", partial(form.write, document, ExportOptions()), found)


def _commands(path: Path) -> Iterator[str]:
    """What is wrong with the ends of all commands on a file."""
    out = prepared(path.parent / "out")
    for call in filled(CALLS, path, out):
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
