"""Teaching as a job: a model from the documents that were called right, made in a process of its own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from held.document import Note
from held.errors import HeldError
from held.serve.jobs import Work
from held.serve.store import Job, Status, Store, notes_json
from held.serve.work import WorkError
from held.system.json_values import JsonValue
from held.system.processes.child import Line
from held.system.processes.parent import Lost, Program
from held.system.processes.pool import Answer, Tell, answering, ask

KIND = "teach"
_STEPS = 3  # of which the child tells: reading, the heading step, the tree step


def teaching(store: Store, *, model: str) -> Work:
    """The work of teaching; the model gets the job's id as its name."""

    def work(job: Job, tell: Tell) -> None:
        output = store.folder / "models" / job.id
        request = {
            "folder": os.fspath(store.folder / "labelled"),
            "output": os.fspath(output),
            "model": model,
        }
        answer = ask(Program("held.serve.teaching:serve", group=True), request, tell)
        if isinstance(answer, Lost):
            raise WorkError(str(answer), code=500)
        said = JsonValue(answer.value)
        if "error" in said:
            raise WorkError(said["error"].text(), code=422)
        notes = (Note(None, said["report"].text()),)
        store.settle(job.id, Status.DONE, notes=notes_json(notes), pages=said["learnt"].whole())

    return work


def serve(line: Line) -> None:
    """Teaches what the parent asks for: what the child runs."""
    answering(line, _answer)


def _answer(request: Any, tell: Tell) -> Answer:
    done = 0

    def told(what: str) -> None:
        nonlocal done
        done = min(done + 1, _STEPS)
        tell("learning", done, _STEPS)

    try:
        from held.training.corrections import teach

        report = teach(Path(request["folder"]), Path(request["output"]), start=request["model"], tell=told)
    except HeldError as error:
        return Answer({"error": str(error)})
    except ModuleNotFoundError as error:
        return Answer({"error": f"training needs {error.name}: pip install 'held[train]'"})
    return Answer({"learnt": report.learnt, "report": report.told()})
