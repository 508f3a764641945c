"""Every experiment of the paper, from labelled documents to docs/research/results.md: `make experiments`.

    python -m research.run --data LABELLED --work WORK               # all: trains, measures, writes
    python -m research.run rq4 rq5 --data LABELLED --work WORK       # some
    python -m research.run rq1 --train pembe-alone …                # trains these; others are not run
    python -m research.run --quick --data LABELLED --work WORK       # hardly any training, few documents

LABELLED is what `held corpus build` writes. WORK keeps models, checkpoints and measured rows: the same
command goes on where an earlier one was ended. Full runs measure the test split, write the result into
each question's folder, and compare it with what is expected there; quick runs and `--split valid` write
into WORK alone. A row whose models are not trained is not run, and the page says so.
"""

from __future__ import annotations

import argparse
import pickle
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from research.arguments import make_parser
from research.commit import exact_commit
from research.paper import results
from research.paper.measure import Run, count_run, merge_rows, row_scores
from research.paper.methods import outcome
from research.paper.plan import (
    DOMAINS,
    HEADING_NETWORK,
    NETWORK_HEADINGS,
    QUESTIONS,
    ModelPlan,
    QuestionPlan,
    RowPlan,
    model_plans,
    plans_needed,
    question_plan,
    quick_plans,
    variant_name,
)
from research.paper.provenance import code_of_rows
from research.paper.subjects import OWN, GivenHeadings, Subject, headings_for, subjects
from research.paper.train import domain_data, facts_of, is_trained, path_of, train
from research.paper.verdicts import PAPER_DOMAINS

from held.corpus.store import LABELLED_SUFFIX, data_hash, labelled_documents
from held.models.store import ModelKind, model_path
from held.system.atomic_write import write_file

HERE = Path(__file__).parent
COUNTS = "documents.json"
QUICK_FILES = 120
QUICK_DOCUMENTS = 2  # of each domain, to measure on
_SECONDS_PER_CELL = 4.0
_QUICK_SECONDS_PER_CELL = 1.0


@dataclass(slots=True)
class Session:
    """The state that all questions of a run share; documents and found headings are read once."""

    data: Path
    work: Path
    split: str
    quick: bool
    plans: dict[str, ModelPlan]
    data_hash: str
    documents: list[Subject] | None = None
    headings: dict[str, GivenHeadings] = field(default_factory=dict)
    only: frozenset[str] | None = None  # the tables and models that are trained; None for all
    domains: tuple[str, ...] = ()  # those that are measured; all if empty
    older: bool = False  # whether models of other labels count, too
    commit: str = field(default_factory=exact_commit)  # when it began: results that it writes are no change
    hashes: dict[str, str] = field(default_factory=dict)  # of the documents of each domain

    @property
    def models(self) -> Path:
        return self.work / ("quick" if self.quick else "models")

    @property
    def rows(self) -> Path:
        return self.work / ("quick" if self.quick else "rows") / self.split

    @property
    def is_full(self) -> bool:
        return self.split == "test" and not self.quick

    def data_of(self, plan: ModelPlan) -> Path:
        """The labelled documents that a model is trained on."""
        return domain_data(self.data, plan.domain, self.models / "data") if plan.domain else self.data

    def hash_of(self, plan: ModelPlan) -> str:
        """The hash of the labelled documents that a model is trained on."""
        return self.hash_of_domain(plan.domain) if plan.domain else self.data_hash

    def hash_of_domain(self, domain: str) -> str:
        """The hash of the labelled documents of a domain."""
        if domain not in self.hashes:
            self.hashes[domain] = data_hash(domain_data(self.data, domain, self.models / "data"))
        return self.hashes[domain]

    def is_trained(self, plan: ModelPlan) -> bool:
        return is_trained(plan, self.models, None if self.older else self.hash_of(plan))

    def is_older(self, plan: ModelPlan) -> bool:
        """Whether it was trained on other labels than these."""
        return self.is_trained(plan) and not is_trained(plan, self.models, self.hash_of(plan))

    def is_to_train(self, plan: ModelPlan) -> bool:
        """Whether it is asked for, or others that are start from it, and it is not there yet."""
        names = {plan.table, variant_name(plan.table, plan.domain), plan.name}
        asked = self.only is None or plan.kind == "embeddings" or not names.isdisjoint(self.only)
        return asked and not self.is_trained(plan)

    def subjects(self) -> list[Subject]:
        if self.documents is None:
            most = QUICK_DOCUMENTS if self.quick else 0
            folders = [self.data]
            if self.domains:  # reading those of all domains takes minutes
                folders = [domain_data(self.data, domain, self.models / "data") for domain in self.domains]
            self.documents = [
                found for folder in folders for found in subjects(folder, self.split, most=most)
            ]
        return self.documents

    def given(self, source: str) -> GivenHeadings | None:
        """The headings that a row gets; None for a method that finds its own."""
        if source == OWN:
            return None
        if source not in self.headings:
            self.headings[source] = headings_for(source, self.subjects(), self.models)
        return self.headings[source]


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code: 0 if everything is as expected."""
    options = _parser().parse_args(arguments)
    plans = quick_plans() if options.quick else model_plans()
    if options.float32:
        plans = {name: plan.in_float32() for name, plan in plans.items()}
    if options.budget < 1 or options.trained:
        share = 0.0 if options.trained else options.budget
        plans = {name: plan.with_budget(share) for name, plan in plans.items()}
    split = "valid" if options.quick else options.split
    data = link_sample(options.data, options.work / "quick" / "data") if options.quick else options.data
    session = Session(data, options.work, split, options.quick, plans, data_hash(data))
    session.only = None if options.train is None else frozenset(options.train)
    session.older = options.older
    session.domains = tuple(options.domains or ())
    questions = [question_plan(name) for name in options.questions or QUESTIONS]
    _log_estimate(questions, session)
    verdicts: dict[str, dict[str, str]] = {}
    for question in questions:
        result = answer(question, session)
        verdicts[question.name] = _store_result(question, result, session)
    _write_report(session, whole=not options.questions)
    return _print_verdicts(verdicts)


def link_sample(data: Path, folder: Path) -> Path:
    """A folder with some of the labelled documents, evenly from all: what a quick run reads."""
    folder.mkdir(parents=True, exist_ok=True)
    files = sorted(data.glob(f"*{LABELLED_SUFFIX}"))
    for file in files[:: max(1, len(files) // QUICK_FILES)]:
        link = folder / file.name
        if not link.exists():
            link.symlink_to(file.resolve())
    return folder


def answer(question: QuestionPlan, session: Session) -> dict[str, Any]:
    """The result of a question: what it needs is trained, then its rows are measured."""
    started = time.process_time()
    for plan in _to_train(question, session):
        _log(f"{question.name}: training {plan.name}, about {_duration(plan.seconds)}")
        train(plan, session.models, session.data_of(plan), session.hash_of(plan))
    if question.name == "rq7":
        from research.rq7.layout_noise import measure_rows

        rows = measure_rows(session.split, session.work / "rq7")
    else:
        found = {row.name: _measure_row(row, question, session) for row in question.rows}
        rows = {name: row for name, row in found.items() if row is not None}
    return {
        "question": question.name,
        "title": question.title,
        "commit": session.commit,
        "data": session.data_hash,
        "labels": _label_hashes(rows, session),
        "split": session.split,
        "models": _training_facts(question, session),
        "rows": rows,
        "older": _older(question, session),
        "not_run": _not_run(question, session),
        "seconds": round(time.process_time() - started),
    }


def _label_hashes(rows: Mapping[str, Any], session: Session) -> dict[str, str]:
    """The hash of the labelled documents of each domain that was measured; our own files have no labels."""
    measured = {domain for row in rows.values() for domain in row["domains"]}
    return {domain: session.hash_of_domain(domain) for domain in DOMAINS if domain in measured}


def _to_train(question: QuestionPlan, session: Session) -> list[ModelPlan]:
    """The models that a question needs and that are asked for, after what they start from."""
    wanted = [name for name in question.models(session.plans) if session.is_to_train(session.plans[name])]
    return [plan for plan in plans_needed(wanted, session.plans) if session.is_to_train(plan)]


def _older(question: QuestionPlan, session: Session) -> list[str]:
    """The models of a question that were trained on other labels than those it is measured on."""
    names = question.models(session.plans)
    return [name for name in names if session.is_older(session.plans[name])]


def _not_run(question: QuestionPlan, session: Session) -> list[str]:
    """The models of a question that are not trained: their cells are empty."""
    return [name for name in question.models(session.plans) if not session.is_trained(session.plans[name])]


def _measure_row(row: RowPlan, question: QuestionPlan, session: Session) -> dict[str, Any] | None:
    """The scores of a row over the question's domains, each of which is measured and kept by itself."""
    wanted = [domain for domain in question.domains if not session.domains or domain in session.domains]
    parts = [_measure_cell(row, domain, session) for domain in wanted]
    known = [part for part in parts if part is not None]
    return merge_rows(known) if known else None


def _measure_cell(row: RowPlan, domain: str, session: Session) -> dict[str, Any] | None:
    """The scores of a row in a domain: as they were measured before with the same, or anew.

    None if its model, or the heading network that it needs, is not trained.
    """
    ready = _ready(row, domain, session)
    if ready is None:
        return None
    path = _result_path(row, domain, ready, session)
    kept = results.read(path)
    if kept is None:
        shown = [subject for subject in session.subjects() if subject.domain == domain]
        if not shown:
            return None
        kept = row_scores([_run_of(row, domain, plan, shown, session) for plan in ready or (None,)])
        results.write(path, kept)
    return kept


def _run_of(
    row: RowPlan, domain: str, plan: ModelPlan | None, shown: Sequence[Subject], session: Session
) -> Run:
    """The counts of one model of a row in a domain, kept in WORK: another seed does not measure it again."""
    path = _result_path(row, domain, [plan] if plan else [], session).with_suffix(".pickle")
    if path.exists():
        kept: Run = pickle.loads(path.read_bytes())
        return kept
    seed = plan.seed if plan else 0
    _log(f"  {row.name}, {domain}, seed {seed}")
    named = replace(row, model=plan.name) if plan else row
    run = count_run(shown, outcome(named, session.models, shown, session.given(row.headings)), seed)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, pickle.dumps(run))
    return run


def _ready(row: RowPlan, domain: str, session: Session) -> list[ModelPlan] | None:
    """The trained models of a row in a domain, none for a row without a model; None if it cannot be run."""
    if row.headings == NETWORK_HEADINGS:
        finder = session.plans[variant_name(HEADING_NETWORK, domain)]
        if not session.is_trained(finder):
            return None
    variants = [plan for plan in row.variants(session.plans) if plan.domain == domain]
    ready = [plan for plan in variants if session.is_trained(plan)]
    return None if row.model and not ready else ready


def _result_path(row: RowPlan, domain: str, ready: Sequence[ModelPlan], session: Session) -> Path:
    """The file of a row's scores: another one for other code, data, settings or models."""
    key = results.key_of(
        {
            "row": [row.method, row.headings, row.model, row.order, row.beam, row.search, row.one_by_one],
            "domain": domain,
            "code": code_of_rows(),
            "data": session.hash_of_domain(domain),
            "settings": [plan.identity() for plan in ready],
            "files": [results.file_hash(path) for path in _files(row, domain, ready, session)],
            "quick": session.quick,
        }
    )
    return session.rows / f"{key}.json"


def _files(row: RowPlan, domain: str, ready: Sequence[ModelPlan], session: Session) -> list[Path]:
    """The models that a row depends on: of those that ship only what finds its headings, or is itself."""
    shipped = [
        *([ModelKind.HEADINGS] if row.headings == "base" else []),
        *([ModelKind.PUT_OR_SKIP] if row.method == "base" and not row.model else []),
    ]
    files = [model_path("base", kind) for kind in shipped]
    if row.headings == NETWORK_HEADINGS:
        files.append(path_of(session.plans[variant_name(HEADING_NETWORK, domain)], session.models))
    return [*files, *(path_of(plan, session.models) for plan in ready)]


def _training_facts(question: QuestionPlan, session: Session) -> dict[str, dict[str, Any]]:
    """The settings that each of the question's models was trained with, and what that took."""
    found = {}
    for name in question.models(session.plans):
        plan = session.plans[name]
        if session.is_trained(plan):
            found[name] = {"set": list(plan.changes), **facts_of(plan, session.models)}
    return found


def _store_result(question: QuestionPlan, result: dict[str, Any], session: Session) -> dict[str, str]:
    """Write the result, and say of each row whether it is as expected."""
    if not session.is_full:
        results.write(session.rows / f"{question.name}.json", result)
        if session.quick:
            return results.quick_verdicts(result, [row.name for row in question.rows], question.quick)
        return results.verdicts(result, None)
    folder = HERE / question.name
    result = results.write_counts(folder / COUNTS, result)
    results.write(folder / "result.json", result)
    expected = results.read(folder / "expected.json")
    if expected is None or not results.is_expected_of(result, expected):
        results.write(folder / "expected.json", results.expectation(result))
        expected = None
    return results.verdicts(result, expected)


def _log_estimate(questions: Sequence[QuestionPlan], session: Session) -> None:
    plans = {plan.name: plan for question in questions for plan in _to_train(question, session)}
    rows = _open_rows(questions, set(plans), session)
    per_row = _QUICK_SECONDS_PER_CELL if session.quick else _SECONDS_PER_CELL
    seconds = sum(plan.seconds for plan in plans.values()) + rows * per_row
    names = ", ".join(plans) or "nothing"
    _log(f"to train: {names}; to measure: {rows} cells; about {_duration(seconds)} on one core")


def _open_rows(questions: Sequence[QuestionPlan], untrained: set[str], session: Session) -> int:
    """How many cells, rows in a domain, are to be measured; those of several questions are measured once."""
    kept: dict[str, bool] = {}
    for question in questions:
        for row in question.rows:
            for domain in question.domains:
                coming = [plan.name for plan in row.variants(session.plans) if plan.name in untrained]
                own = [name for name in coming if f"@{domain}" in name]
                ready = _ready(row, domain, session)
                if ready is not None:
                    path = _result_path(row, domain, ready, session)
                    kept[f"{path.name} {own}"] = bool(own) or not path.exists()
                elif own:
                    kept[f"{row} {domain}"] = True
    return sum(kept.values())


def _write_report(session: Session, *, whole: bool) -> None:
    """Write the page; after all questions also what it says of the corpus and of the sample reports."""
    from research.report import write_report

    if not session.is_full:
        write_report(session.rows, session.work / ("quick" if session.quick else "report"))
        return
    if whole:
        from research.cases import RESULT, write_cases

        _describe_corpus(session)
        write_cases(session.models, HERE / RESULT, session.commit)
    _describe_cells(session)
    write_report(HERE, HERE.parent / "docs" / "research")


def _describe_cells(session: Session) -> None:
    """Write what the cells rest on, and what theory says of the trees that were measured on."""
    from research.findings_page import CELLS, THEORY
    from research.paper.cells import cells_of
    from research.paper.theory import theory_of

    of = {"data": session.data_hash}
    results.write(HERE / CELLS, of | {"domains": cells_of(session.data)})
    known = results.read(HERE / THEORY)
    if known is None or known["data"] != session.data_hash:
        documents = labelled_documents(session.data, splits=[session.split], domains=PAPER_DOMAINS)
        results.write(HERE / THEORY, of | {"split": session.split, "domains": theory_of(documents)})


def _describe_corpus(session: Session) -> None:
    """Write what the labelled documents are like, if that was not written of the same ones before."""
    from research.report import STATISTICS

    from held.corpus.summary import statistics_of

    known = results.read(HERE / STATISTICS)
    if known is None or known["data"] != session.data_hash:
        _log("describing the corpus")
        found = statistics_of(labelled_documents(session.data, domains=PAPER_DOMAINS))
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


def _log(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = make_parser(__doc__)
    parser.add_argument("questions", nargs="*", metavar="rqN", help="which ones; all by default")
    parser.add_argument("--data", type=Path, required=True, help="labelled documents")
    parser.add_argument("--work", type=Path, required=True, help="where models and measured rows are kept")
    parser.add_argument("--domains", nargs="*", help="measure these alone; the others' cells stay empty")
    parser.add_argument("--split", choices=("valid", "test"), default="test")
    parser.add_argument("--quick", action="store_true", help="hardly any training, few documents of valid")
    parser.add_argument("--budget", type=float, default=1.0, help="train with this share of the batches")
    parser.add_argument(
        "--train", nargs="*", metavar="MODEL", help="train only these: table, table@domain or model"
    )
    parser.add_argument(
        "--older", action="store_true", help="models of other labels, too: the page names them"
    )
    parser.add_argument("--trained", action="store_true", help="train no further what WORK has already")
    parser.add_argument("--float32", action="store_true", help="models trained without bfloat16")
    return parser


if __name__ == "__main__":
    sys.exit(main())
