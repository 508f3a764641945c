"""Case studies after the paper's figure 10: one wrong insertion, and what it drags along.

    python -m research.cases                   # the rules and `base`: writes research/cases.json
    python -m research.cases --models DIR      # also what was trained: WORK/models of the experiments

The documents are the sample reports, whose text is ours to show. Every method gets the same recognised
objects, once with the true headings, so that insertions alone differ, and once with found ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from research.arguments import make_parser
from research.commit import exact_commit
from research.paper import results
from research.paper.methods import outcome
from research.paper.plan import RowPlan, model_plans, question_plan
from research.paper.subjects import GivenHeadings, Subject, headings_for

from held.headings.object_features import DocumentFeatures
from held.hierarchy.matching.titles import close_key
from held.layout.recognise import recognise
from held.metrics import Fault, Prediction, Truth
from held.metrics.compare import Comparison, Side, compare
from held.metrics.trees import labels_of
from held.reading.read_pdf import read_pdf
from held.tree import ROOT, Tree, attach_body

RESULT = "cases.json"
SAMPLES = Path(__file__).parents[1] / "samples"
DOMAINS = {"report-en": "en_fin", "report-zh": "zh_fin"}  # what each sample is like: whose models it gets
SHOWN = 14  # headings in a figure
FAULT, DRAGGED, RIGHT, WRONG_BEFORE = "fault", "dragged", "right", "wrong before"
_SUFFIX = ", true headings"


class MethodTree(NamedTuple):
    """The tree of a method beside the true one."""

    method: str
    comparison: Comparison


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the result file."""
    parser = make_parser(__doc__)
    parser.add_argument("--models", type=Path, help="folder of trained models; without it rules and `base`")
    parser.add_argument("--result", type=Path, default=Path(__file__).parent / RESULT)
    options = parser.parse_args(arguments)
    write_cases(options.models, options.result, exact_commit())


def write_cases(models: Path | None, result: Path, commit: str) -> None:
    """Judge every method there is on every sample, and write what came out at this commit."""
    documents = [sample(name) for name in DOMAINS]
    with_true = compare_methods(models, documents, headings_for("true", documents))
    with_found = compare_methods(models, documents, headings_for("base", documents), toc_finds_its_own=True)
    used = [plan.model for subject in documents for plan in plans_for(subject, models) if plan.model]
    hashes = {name: results.file_hash(_model(name, models)) for name in dict.fromkeys(used)}
    cases = {
        subject.id: {
            "objects": len(subject.document.objects),
            "headings": len(subject.true_headings),
            "true headings": [_row(one) for one in with_true[subject.id]],
            "found headings": [_row(one) for one in with_found[subject.id]],
            "case": _case(with_true[subject.id]),
        }
        for subject in documents
    }
    results.write(result, {"commit": commit, "models": hashes, "documents": cases})


def sample(name: str) -> Subject:
    """A sample report as it is recognised; its headings are those of its maker."""
    document = recognise(read_pdf(SAMPLES / f"{name}.pdf"))
    known = json.loads((SAMPLES / f"{name}.truth.json").read_text("utf-8"))
    place = {(close_key(item.text), item.page): i for i, item in enumerate(document.objects)}
    headings = tuple(place[close_key(heading["text"]), heading["page"]] for heading in known["headings"])
    above = [entry["parent"] for entry in known["objects"] if entry["kind"] == "heading"]
    parents = [ROOT if parent is None else headings[parent] for parent in above]
    tree = attach_body(Tree.from_parents(dict(zip(headings, parents, strict=True))), len(document.objects))
    truth = Truth(tree, labels_of(headings, len(document.objects)))
    return Subject(name, DOMAINS[name], DocumentFeatures(document), truth, headings)


def compare_methods(
    models: Path | None,
    documents: Sequence[Subject],
    headings: GivenHeadings,
    *,
    toc_finds_its_own: bool = False,
) -> dict[str, list[MethodTree]]:
    """The trees of every method by document."""
    found: dict[str, list[MethodTree]] = {subject.id: [] for subject in documents}
    for subject in documents:
        for plan in plans_for(subject, models):
            given = None if toc_finds_its_own and plan.method == "toc" else headings
            (prediction,) = outcome(plan, models or Path(), [subject], given).predictions
            compared = compare(_side(subject, subject.truth), _side(subject, _as_truth(prediction)))
            found[subject.id].append(MethodTree(plan.name.removesuffix(_SUFFIX), compared))
    return found


def plans_for(subject: Subject, models: Path | None) -> Iterator[RowPlan]:
    """The methods of RQ1 that can be given headings: of the models the first seed's, if it is there."""
    for row in question_plan("rq1").rows:
        if row.headings != "true":
            continue
        if row.model is None:
            yield row
        for plan in row.variants(model_plans()):
            fits = plan.domain in ("", subject.domain) and not plan.seed
            if fits and models and _model(plan.name, models).exists():
                yield replace(row, model=plan.name)


def _model(name: str, models: Path | None) -> Path:
    return (models or Path()) / f"{name}.held"


def _side(subject: Subject, tree: Truth) -> Side:
    return Side(subject.id, tree, subject.document.objects, {}, whole=True)


def _as_truth(prediction: Prediction) -> Truth:
    return Truth(prediction.tree, labels_of(prediction.headings, prediction.tree.size))


def _row(one: MethodTree) -> dict[str, Any]:
    """The row of a method: its accuracy, its first fault, and the one that drags most."""
    found = one.comparison.faults
    return {
        "method": one.method,
        "accuracy": round(one.comparison.counts.paths.value, 4),
        "faults": len(found),
        "first": _fault(one.comparison, found[0]) if found else None,
        "worst": _fault(one.comparison, _worst(found)) if found else None,
    }


def _fault(comparison: Comparison, fault: Fault) -> dict[str, Any]:
    """A fault in words; `belongs_under` and `put_under` are empty for the root."""
    heading, page = comparison.heading_of(fault)
    belongs, put = comparison.parents(fault)
    headings = len(comparison.dragged_headings(fault))
    return {
        "kind": str(fault.kind),
        "heading": heading,
        "page": page,
        "belongs_under": belongs,
        "put_under": put,
        "dragged_headings": headings,
        "dragged_others": len(fault.dragged) - headings,
    }


def _worst(faults: Sequence[Fault]) -> Fault:
    """The fault that drags most; of equal ones the first."""
    return max(faults, key=lambda fault: len(fault.dragged))


def _case(rows: Sequence[MethodTree]) -> dict[str, Any] | None:
    """The wrong insertion that drags most of all methods', with the headings that show it."""
    wrong = [(one, _worst(one.comparison.faults)) for one in rows if one.comparison.faults]
    if not wrong:
        return None
    one, fault = max(wrong, key=lambda pair: len(pair[1].dragged))
    branch = list(_branch(one.comparison, fault))
    return {"method": one.method, **_fault(one.comparison, fault), "branch": branch}


def _branch(comparison: Comparison, fault: Fault) -> Iterator[dict[str, Any]]:
    """The headings that show a fault, in reading order: those above it in either tree, itself, the dragged.

    Where these are too many the deepest of the dragged are left out; `left_out` counts the headings between
    one that is shown and the next.
    """
    node = fault.node
    assert node is not None, "with true headings none is false"
    true_paths, found_paths = comparison.gold.truth.tree.paths(), comparison.found.truth.tree.paths()
    dragged = comparison.dragged_headings(fault)
    above = {*true_paths[node], *found_paths[node]}
    highest = sorted(dragged, key=lambda heading: (len(true_paths[heading]), heading))
    shown = sorted({*above, *highest[: max(0, SHOWN - len(above))]})
    headings = [h for h in sorted(comparison.gold.truth.headings) if h <= max([node, *dragged])]
    for heading, following in zip(shown, [*shown[1:], len(true_paths)], strict=True):
        placed = RIGHT if true_paths[heading] == found_paths[heading] else WRONG_BEFORE
        yield {
            "heading": comparison.gold.title(heading),
            "true_level": len(true_paths[heading]),
            "found_level": len(found_paths[heading]),
            "state": FAULT if heading == node else DRAGGED if heading in dragged else placed,
            "left_out": sum(heading < other < following for other in headings),
        }


if __name__ == "__main__":
    main()
