"""One question to a child in the sandbox: its answer, or its error, which is raised here as it was there.

For what opens a file of strangers once, such as qpdf for bookmarks: whatever the file does to the library,
it does to a process that can neither write nor reach anybody, within the limits of `held.system.limits`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from held import errors
from held.errors import DamagedPdfError, HeldError
from held.system.limits import limits
from held.system.processes.child import Line
from held.system.processes.messages import Garbled
from held.system.processes.parent import Lost, MayHaveRunOut, Program, RanOutOfMemory, TookTooLong
from held.system.processes.pool import Answer, Tell, answering, ask, nobody

_ADVICE = "--limit or HELD_LIMITS sets the limits"


def ask_shut_in(
    serve: str, request: Any, *, seconds: float, doing: str, file: str | os.PathLike[str]
) -> Answer:
    """What a child that runs `serve` answers; it may work so many seconds. `doing` is for people."""
    in_force = limits()
    program = Program(serve, memory=in_force.memory, silence=seconds, by_work=True, shut_in=True)
    answer = ask(program, request, nobody, seconds=seconds, keep=True)
    if isinstance(answer, Lost):
        raise DamagedPdfError(f"{doing} {_reason(answer)}", file=file, advice=_ADVICE)
    if isinstance(answer.value, dict) and "error" in answer.value:
        raise error_from_json(answer.value | {"file": os.fspath(file)})
    return answer


def answer_shut_in(line: Line, answer: Callable[[Any], Answer]) -> None:
    """Answers question after question, errors of ours too: what the function that a child runs calls."""

    def told(request: Any, _: Tell) -> Answer:
        try:
            return answer(request)
        except HeldError as error:
            return Answer(error_to_json(error))

    answering(line, told)


def error_to_json(error: HeldError) -> dict[str, Any]:
    """An error of ours as plain data."""
    said = {"error": type(error).__name__, "what": error.what, "file": error.file}
    return said | {"page": error.page, "advice": error.advice}


def error_from_json(said: Any) -> HeldError:
    """The error that a child told of; `Garbled` where it is none of ours."""
    match said:
        case {
            "error": str(name),
            "what": str(what),
            "file": str() | None as file,
            "page": int() | None as page,
            "advice": str() | None as advice,
        }:
            kind = getattr(errors, name, None)
            if isinstance(kind, type) and issubclass(kind, HeldError):
                return kind(what, file=file, page=page, advice=advice)
    raise Garbled("no error of ours")


def _reason(loss: Lost) -> str:
    if isinstance(loss, MayHaveRunOut):
        return f"crashes the PDF library, or {loss}, the limit"
    if isinstance(loss, TookTooLong | RanOutOfMemory):
        return f"{loss}, the limit"
    return "crashes the PDF library"
