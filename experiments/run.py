"""Every experiment of the paper, from labelled documents to docs/results.md: `make experiments`.

    python -m experiments.run --data LABELLED --work WORK               # all: trains, measures, writes
    python -m experiments.run rq4 rq5 --data LABELLED --work WORK       # some
    python -m experiments.run --quick --data LABELLED --work WORK       # hardly any training, few documents

LABELLED is what `held corpus build` writes. WORK keeps models, checkpoints and measured rows: the same
command goes on where an earlier one was ended. Full runs measure the test split, write the result into
each question's folder, and compare it with what is expected there; quick runs and `--split valid` write
into WORK alone.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.commit import exact_commit
from experiments.paper import results
from experiments.paper.measure import row_scores
from experiments.paper.methods import outcome
from experiments.paper.plan import (
    QUESTIONS,
    ModelPlan,
    QuestionPlan,
    RowPlan,
    model_plans,
    needed,
    question_plan,
    quick_plans,
)
from experiments.paper.subjects import Headings, Subject, headings_for, subjects
from experiments.paper.train import batches_of, is_trained, path_of, train

from held.corpus.store import SUFFIX, data_hash
from held.models.store import ModelKind, model_path

HERE = Path(__file__).parent
QUICK_FILES = 120
QUICK_DOCUMENTS = 2  # of each domain, to measure on
_SECONDS_PER_ROW = 20.0
_QUICK_SECONDS_PER_ROW = 4.0


@dataclass(slots=True)
class Session:
    """What all questions of a run share; documents and found headings are read once."""

    data: Path
    work: Path
    split: str
    quick: bool
    plans: dict[str, ModelPlan]
    data_hash: str
    documents: list[Subject] | None = None
    headings: dict[str, Headings] | None = None

    @property
    def models(self) -> Path:
        return self.work / ("quick" if self.quick else "models")

    @property
    def rows(self) -> Path:
        return self.work / ("quick" if self.quick else "rows") / self.split

    @property
    def is_full(self) -> bool:
        return self.split == "test" and not self.quick

    def subjects(self) -> list[Subject]:
        if self.documents is None:
            self.documents = subjects(self.data, self.split, most=QUICK_DOCUMENTS if self.quick else 0)
        return self.documents

    def given(self, whose: str) -> Headings | None:
        if whose == "own":
            return None
        self.headings = self.headings or {}
        if whose not in self.headings:
            self.headings[whose] = headings_for(whose, self.subjects(), self.models)
        return self.headings[whose]


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code: 0 if everything is as expected."""
    options = _parser().parse_args(arguments)
    plans = quick_plans() if options.quick else model_plans()
    if options.budget < 1 or options.trained:
        share = 0.0 if options.trained else options.budget
        plans = {name: plan.with_budget(share) for name, plan in plans.items()}
    split = "valid" if options.quick else options.split
    data = sampled(options.data, options.work / "quick" / "data") if options.quick else options.data
    session = Session(data, options.work, split, options.quick, plans, data_hash(data))
    questions = [question_plan(name) for name in options.questions or QUESTIONS]
    _say_how_long(questions, session)
    verdicts: dict[str, dict[str, str]] = {}
    for question in questions:
        result = answer(question, session)
        verdicts[question.name] = _keep(question, result, session)
    _write_report(session)
    return _print_verdicts(verdicts)


def sampled(data: Path, folder: Path) -> Path:
    """A folder with some of the labelled documents, evenly from all: what a quick run reads."""
    folder.mkdir(parents=True, exist_ok=True)
    files = sorted(data.glob(f"*{SUFFIX}"))
    for file in files[:: max(1, len(files) // QUICK_FILES)]:
        link = folder / file.name
        if not link.exists():
            link.symlink_to(file.resolve())
    return folder


def answer(question: QuestionPlan, session: Session) -> dict[str, Any]:
    """The result of a question: what it needs is trained, then its rows are measured."""
    started = time.time()
    for plan in needed(question.models(), session.plans):
        if not is_trained(plan, session.models):
            _say(f"{question.name}: training {plan.name}, about {_duration(plan.seconds)}")
            train(plan, session.models, session.data)
    if question.name == "rq7":
        from experiments.rq7.layout_noise import measured_rows

        rows = measured_rows(session.split)
    else:
        rows = {row.name: _measured(row, session) for row in question.rows}
    return {
        "question": question.name,
        "title": question.title,
        "commit": exact_commit(),
        "data": session.data_hash,
        "split": session.split,
        "seed": 0,
        "models": _trained_with(question, session),
        "rows": rows,
        "seconds": round(time.time() - started),
    }


def _measured(row: RowPlan, session: Session) -> dict[str, Any]:
    """The scores of a row: as they were measured before with the same models and data, or anew."""
    path = _kept_in(row, session)
    kept = results.read(path)
    if kept is None:
        _say(f"  {row.name}")
        documents = session.subjects()
        kept = row_scores(documents, outcome(row, session.models, documents, session.given(row.headings)))
        results.write(path, kept)
    return kept


def _kept_in(row: RowPlan, session: Session) -> Path:
    """The file of a row's scores: another one for other models or data."""
    parts = [path for path in _files(row, session) if path.exists()]
    key = results.key_of(
        {
            "row": [row.method, row.headings, row.model, row.order, row.beam],
            "data": session.data_hash,
            "files": [results.file_hash(path) for path in parts],
            "quick": session.quick,
        }
    )
    return session.rows / f"{key}.json"


def _files(row: RowPlan, session: Session) -> list[Path]:
    """The models that a row depends on."""
    files = [model_path("base", ModelKind.HEADINGS), model_path("base", ModelKind.PUT_OR_SKIP)]
    own = {row.model, "headings" if row.headings == "paper" else None} - {None}
    return [*files, *(session.models / f"{name}.held" for name in sorted(map(str, own)))]


def _trained_with(question: QuestionPlan, session: Session) -> dict[str, dict[str, Any]]:
    """The settings that each of the question's models was trained with."""
    found = {}
    for name in question.models():
        plan = session.plans[name]
        if path_of(plan, session.models).exists():
            batches = batches_of(plan, session.models)
            found[name] = {"batches": batches, "set": list(plan.changes)}
    return found


def _keep(question: QuestionPlan, result: dict[str, Any], session: Session) -> dict[str, str]:
    """Write the result, and say of each row whether it is as expected."""
    if not session.is_full:
        results.write(session.rows / f"{question.name}.json", result)
        return results.verdicts(result, None)
    folder = HERE / question.name
    results.write(folder / "result.json", result)
    expected = results.read(folder / "expected.json")
    if expected is None or not results.is_expected_of(result, expected):
        results.write(folder / "expected.json", results.expectation(result))
        expected = None
    return results.verdicts(result, expected)


def _say_how_long(questions: Sequence[QuestionPlan], session: Session) -> None:
    wanted = {name for question in questions for name in question.models()}
    open_plans = [p for p in needed(wanted, session.plans) if not is_trained(p, session.models)]
    rows = _open_rows(questions, {plan.name for plan in open_plans}, session)
    per_row = _QUICK_SECONDS_PER_ROW if session.quick else _SECONDS_PER_ROW
    seconds = sum(plan.seconds for plan in open_plans) + rows * per_row
    names = ", ".join(plan.name for plan in open_plans) or "nothing"
    _say(f"to train: {names}; to measure: {rows} rows; about {_duration(seconds)} on one core")


def _open_rows(questions: Sequence[QuestionPlan], untrained: set[str], session: Session) -> int:
    """How many rows are to be measured: those of several questions are measured once."""
    kept = {_kept_in(row, session): row.model for question in questions for row in question.rows}
    return sum(model in untrained or not path.exists() for path, model in kept.items())


def _write_report(session: Session) -> None:
    from experiments.report import write_report

    if session.is_full:
        from experiments.cases import RESULT, write_cases

        _describe_corpus(session)
        write_cases(session.models, HERE / RESULT)
        write_report(HERE, HERE.parent / "docs")
    else:
        write_report(session.rows, session.work / ("quick" if session.quick else "report"))


def _describe_corpus(session: Session) -> None:
    """Write what the labelled documents are like, if that was not written of the same ones before."""
    from experiments.report import STATISTICS

    from held.corpus.statistics import statistics_of
    from held.corpus.store import labelled_documents

    known = results.read(HERE / STATISTICS)
    if known is None or known["data"] != session.data_hash:
        _say("describing the corpus")
        found = statistics_of(labelled_documents(session.data))
        results.write(HERE / STATISTICS, {**found, "data": session.data_hash})


def _print_verdicts(verdicts: dict[str, dict[str, str]]) -> int:
    for question, rows in verdicts.items():
        for name, verdict in rows.items():
            print(f"{verdict:8}{question}  {name}")
    wrong = sum(verdict != results.OK for rows in verdicts.values() for verdict in rows.values())
    print(f"{sum(map(len, verdicts.values())) - wrong} OK, {wrong} off or missing")
    return 1 if wrong else 0


def _duration(seconds: float) -> str:
    return f"{seconds / 3600:.1f} hours" if seconds > 5400 else f"{max(1, round(seconds / 60))} min"


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("questions", nargs="*", metavar="rqN", help="which ones; all by default")
    parser.add_argument("--data", type=Path, required=True, help="labelled documents")
    parser.add_argument("--work", type=Path, required=True, help="where models and measured rows are kept")
    parser.add_argument("--split", choices=("valid", "test"), default="test")
    parser.add_argument("--quick", action="store_true", help="hardly any training, few documents of valid")
    parser.add_argument("--budget", type=float, default=1.0, help="train with this share of the batches")
    parser.add_argument("--trained", action="store_true", help="train no further what WORK has already")
    return parser


if __name__ == "__main__":
    sys.exit(main())
