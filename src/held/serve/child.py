"""What the child process of the server does with a stranger's PDF: extract it, draw a page, set bookmarks.

It runs alone, under the limits of `held.system.processes`: what it cannot do, it cannot do to the server.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from held.errors import HeldError
from held.system.processes.child import Line
from held.system.processes.pool import Answer, Tell, answering

Told = Mapping[str, Any]


def serve(line: Line) -> None:
    """Does what the parent asks for: what a child runs."""
    answering(line, _answer)


def _answer(request: Any, tell: Tell) -> Answer:
    try:
        return _TASKS[request["do"]](request, tell)
    except HeldError as error:
        return Answer({"error": type(error).__name__, "what": error.what, "page": error.page})
    except MemoryError:
        return Answer({"error": "MemoryError", "what": "needs more memory than it may take"}, sound=False)
    except Exception as error:
        return Answer({"error": "fault", "what": repr(error)}, sound=False)


def _extract(request: Told, tell: Tell) -> Answer:
    """The tree as JSON, with its counts and notes."""
    from held.exports.tree_json import tree_to_json
    from held.extraction import ExtractOptions, StageTimer, extract
    from held.serial import dumps, hash_of

    limit = request["pages"]

    def tell_within(stage: str, done: int, total: int) -> None:
        if stage == "reading" and total > limit:
            raise _TooManyPages(f"has {total} pages, more than {limit}")
        tell(stage, done, total)

    source = Path(request["source"])
    options = ExtractOptions(model=request["model"], outline=request["outline"])
    timer = StageTimer(tell_within)
    found = extract(source, options, password=request["password"], timer=timer)
    document = found.document
    return Answer(
        {
            "pages": len(document.pages),
            "objects": len(document.objects),
            "headings": len(found.headings),
            "notes": [note._asdict() for note in document.notes],
            "lost": list(document.lost),
            "source_hash": hash_of(source),
        },
        (dumps(tree_to_json(found)),),
    )


class _TooManyPages(HeldError):
    """A document has more pages than a server takes."""


def _page(request: Told, tell: Tell) -> Answer:
    """A page as PNG."""
    from held.exports.draw.backgrounds import rendered

    picture = rendered(
        Path(request["source"]), request["page"], request["scale"], password=request["password"]
    )
    written = BytesIO()
    picture.save(written, "PNG", compress_level=3)  # pages are looked at once or twice: speed before size
    return Answer({}, (written.getvalue(),))


def _form(request: Told, tell: Tell) -> Answer:
    """The tree in a form that needs the PDF itself."""
    from held.exports.formats import FORMATS, ExportOptions
    from held.exports.tree_json import tree_from_json
    from held.serial import read_json

    tree = tree_from_json(read_json(Path(request["tree"])))
    writing = ExportOptions(source=Path(request["source"]), password=request["password"])
    return Answer({}, (FORMATS[request["form"]].write(tree, writing).content,))


_TASKS: Mapping[str, Callable[[Told, Tell], Answer]] = {"extract": _extract, "page": _page, "form": _form}
