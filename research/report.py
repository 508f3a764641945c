"""docs/research/results.md and its pictures, from the result files alone: our tables beside the paper's.

    python -m research.report            # from the results in the questions' folders

Nothing in the page is written by hand, so a figure that stands there was measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from research.case_page import case_studies
from research.corpus_section import corpus_section
from research.findings_page import (
    CELLS,
    RULE,
    TITLE,
    disclosure,
    finding_details,
    fit_section,
    theory,
    verdicts,
)
from research.markdown import figure, head, line
from research.paper import results
from research.paper.plan import DOMAINS, QUESTIONS, QuestionPlan, RowPlan, model_plans, question_plan
from research.paper.verdicts import (
    RULES_COMMIT,
    RULES_SET,
    JudgedFinding,
    findings,
    format_commit,
    judge_finding,
    read_result,
)
from research.plots import Point, bars, points
from research.printed import coverage_table

Result = Mapping[str, Any]

HERE = Path(__file__).parent
STATISTICS = "statistics.json"
OWN_DOMAINS = ("own_zh", "own")
"""The files of RQ7 that we print ourselves, Chinese and English."""
_EFFICIENCY = ("rq2", "rq3", "rq6")
_ALSO_JUDGED = {"rq6": ("5.3",)}
"""Sections of the paper whose findings are judged with a question's."""
_SHOWN_METHODS = ("HEPS", "TOC", "Pembe", "1step-HELD", "2step-HELD (ta)", "base, as it ships")

_HEAD = """## How to read the tables

Accuracy is the paper's: the share of objects whose whole chain of ancestors is right, micro-averaged over
documents. Where an outline is incomplete, objects that may be unlisted headings, and body whose heading
is not known, are left out ([labels.md](labels.md)); the figure after the slash, *unmasked*, takes the outline
for complete. The paper's figures, in round brackets, are on its own data, which is not public, and unmasked.
"2step-HELD" and "1step-HELD" are the paper's networks, each trained on one domain alone; the headings are
those of the paper's heading network of the same domain unless a row says otherwise. `base` is the shipped
model, trained on all domains. Seconds are CPU time for a document on one core, documents advanced together,
the heading step included; the paper's are on two GPUs. Costs are means over the documents of those domains
that the row was measured on. In square brackets is the range over seeds.
"""


def write_report(source: Path, out: Path) -> Path:
    """Write the page and its images from the results in a folder; the path of the page."""
    found = {name: result for name in QUESTIONS if (result := read_result(source, name)) is not None}
    images = out / "images"
    images.mkdir(parents=True, exist_ok=True)
    judged = [judge_finding(finding, source) for finding in findings()]
    parts = [
        TITLE,
        *verdicts(judged),
        RULE.format(date=RULES_SET, commit=RULES_COMMIT),
        *(_paper_model_whole(found["rq1"]) if "rq1" in found else ()),
        *coverage_table(source, found),
    ]
    parts += [_HEAD, *_provenance(found)]
    for name, result in found.items():
        parts += _section(question_plan(name), result, images)
        if name == "rq2":
            parts += theory(source, result)
        if name == "rq4":
            parts += fit_section(source)
        parts += finding_details(judged, name.upper(), *_ALSO_JUDGED.get(name, ()))
    if "rq1" in found:
        parts += _metric_comparison(found["rq1"], images)
    parts += disclosure(source, found, images)
    parts += case_studies(source / "cases.json", images)
    parts += corpus_section(results.read(source / STATISTICS), results.read(source / CELLS), images)
    parts += _retrieval(source, judged)
    page = out / "results.md"
    page.write_text("\n".join(parts), encoding="utf-8")
    return page


def _provenance(found: Mapping[str, Result]) -> Iterator[str]:
    yield "Models that were not trained leave cells empty; the end of *What the rows were trained with* has"
    yield "their names. Models *joined later* add seeds or rows to a stored result of the same documents"
    yield "(`python -m research.paper.join`): accuracies and intervals are then those of the counts of all"
    yield "seeds, other measures the mean over seeds; costs stay those of the first run, on one processor."
    yield "A *dirty* run had further seeds in its plan (`research/paper/models.toml`); the code that trains"
    yield "and measures was the commit's.\n"
    yield head(("question", "split", "data", "commit", "models", "joined later, at", "not trained"))
    for name, result in found.items():
        models, missing = len(result["models"]), len(result.get("not_run", ()))
        commit = format_commit(result["commit"])
        joined = [f"{len(one['models'])}, {format_commit(one['commit'])}" for one in result.get("joined", ())]
        cells = (f"`{result['data'][:12]}`", commit, models, "; ".join(joined) or "-", missing)
        yield line((name, result["split"], *cells))
    yield ""


def _paper_model_whole(result: Result) -> Iterator[str]:
    """The paper's model from objects to tree, and what better headings would bring it."""
    yield "## The paper's model, whole\n"
    yield "2step-HELD (ta) with the headings that the paper's own network finds, then with those of the"
    yield "shipped model and of the labels. Square brackets have the range over seeds.\n"
    tree = "tree accuracy / unmasked"
    yield head(("", "documents", "headings by", "precision", "recall", "F1", tree, "the paper's"))
    paper = question_plan("rq1").paper["2step-HELD (ta)"]
    rows = result["rows"]
    sources = {
        "the paper's network": "2step-HELD (ta)",
        "base": "2step-HELD (ta), headings of base",
        "the labels": "2step-HELD (ta), true headings",
    }
    for domain in _domains(result):
        for finder, name in sources.items():
            own = rows.get(name, {}).get("domains", {}).get(domain)
            if own:
                keys = ("heading_precision", "heading_recall", "heading_f1")
                measures = (figure(own[key]) for key in keys)
                beside = paper.get(domain, "-") if name == "2step-HELD (ta)" else "-"
                accuracy = _cell(rows[name], domain, None)
                yield line((domain, own["documents"], finder, *measures, accuracy, beside))
    yield ""
    whole = rows.get("2step-HELD (ta)", {})
    if whole.get("seconds"):
        seconds = whole["heading_seconds"], whole["tree_seconds"]
        yield f"The mean document takes {whole['inquiries']:.0f} inquiries and {sum(seconds):.3f} CPU"
        yield f"seconds, {seconds[0]:.3f} of them for its headings.\n"


def _section(plan: QuestionPlan, result: Result, images: Path) -> Iterator[str]:
    yield f"## {plan.name.upper()}: {plan.title}\n\n{plan.asks}\n"
    yield f"Measured by `python -m research.run {plan.name} --data LABELLED --work WORK`.\n"
    efficiency = plan.name in _EFFICIENCY
    if plan.name == "rq7":
        yield from _counted_table(plan, result)
    else:
        yield from _accuracy_table(plan, result, efficiency=efficiency)
    if plan.name == "rq1":
        yield from _bar_chart(result, images)
        yield from _more_measures(result)
    yield from _level_tables(plan, result)
    if efficiency:
        yield from _efficiency_chart(plan, result, images)


def _accuracy_table(plan: QuestionPlan, result: Result, *, efficiency: bool) -> Iterator[str]:
    domains = _domains(result)
    extra = ("inquiries", "heading_seconds", "tree_seconds", "seconds") if efficiency else ()
    yield head(("accuracy / unmasked", *domains, *(name.replace("_", " ") for name in extra)))
    for row_plan in plan.rows:
        row = result["rows"].get(row_plan.name)
        paper = plan.paper.get(row_plan.name, {})
        planned = _planned_domains(row_plan, domains)
        cells = []
        for domain in domains:
            is_planned = domain in planned
            cells.append(_cell(row, domain, paper.get(domain)) if is_planned else "-")
        for column in extra:
            beside = paper.get(column)
            cells.append(figure(row[column] if row else None) + ("" if beside is None else f" ({beside:g})"))
        yield line((row_plan.name, *cells))
    yield ""


def _planned_domains(row: RowPlan, domains: Sequence[str]) -> set[str]:
    """The domains that a row is planned for: all, unless its model is of some domains alone."""
    own = {plan.domain for plan in row.variants(model_plans())}
    return own if row.model else set(domains)


def _counted_table(plan: QuestionPlan, result: Result) -> Iterator[str]:
    """The rows with the number of files that each cell rests on, their intervals, and the paper's figures."""
    domains = _domains(result)
    rows = result["rows"]
    files = next(iter(rows.values()))["domains"] if rows else {}
    yield head(("", *(f"{domain}, {files[domain]['documents']} files" for domain in domains)))
    for name, row in rows.items():
        paper = plan.paper.get(name, {})
        cells = []
        for domain in domains:
            beside = f" ({paper[domain]:g})" if domain in paper else ""
            cells.append(_between(row["domains"].get(domain, {})) + beside)
        yield line((name, *cells))
    yield ""


def _between(own: Mapping[str, Any]) -> str:
    """An accuracy with its interval over documents."""
    low, high = own.get("interval") or (None, None)
    bounds = "" if low is None else f" [{figure(low, 3)} - {figure(high, 3)}]"
    return figure(own.get("accuracy")) + bounds


def _cell(row: Mapping[str, Any] | None, domain: str, paper: float | None) -> str:
    """An accuracy with its range over seeds and the paper's figure; a row that is not there says so."""
    beside = "" if paper is None else f" ({paper:g})"
    own = {} if row is None else row["domains"].get(domain, {})
    if not own:
        return "not run" + beside
    seeds = own.get("seeds") or ()
    spread = f" [{min(seeds):.3f}-{max(seeds):.3f}]" if len(seeds) > 1 else ""
    return f"{figure(own['accuracy'])} / {figure(own.get('unmasked'))}{spread}{beside}"


def _more_measures(result: Result) -> Iterator[str]:
    """Intervals and the other measures, by domain."""
    names = ("accuracy", "95 %", "unmasked", "of headings", "parents", "level only", "heading F1", "TEDS")
    keys = ("unmasked", "of_headings", "parents", "level_only", "heading_f1", "teds")
    for domain in _domains(result):
        yield f"### All measures, {domain}\n"
        yield head(("", *names))
        for name, row in result["rows"].items():
            own = row["domains"].get(domain)
            if own:
                low, high = own["interval"]
                rest = (figure(own[key]) for key in keys)
                yield line((name, figure(own["accuracy"]), f"{figure(low)} - {figure(high)}", *rest))
        yield ""


def _level_tables(plan: QuestionPlan, result: Result) -> Iterator[str]:
    """F1 by level for the rows that the paper prints it for: ours, and the paper's in brackets."""
    for domain, papers in plan.levels.items():
        rows = {name: result["rows"].get(name, {}).get("domains", {}).get(domain, {}) for name in papers}
        ours = {name: own.get("by_level", {}) for name, own in rows.items()}
        deepest = max([len(own) for own in papers.values()] + [int(n) for own in ours.values() for n in own])
        yield f"### F1 by level, {domain}\n"
        yield head(("", "accuracy", *range(1, deepest + 1)))
        for name, paper in papers.items():
            cells = []
            for level in range(1, deepest + 1):
                beside = f" ({paper[level - 1]:.3f})" if level <= len(paper) else ""
                cells.append(figure(ours[name].get(str(level), {}).get("f1"), 3) + beside)
            accuracy = rows[name].get("accuracy")
            yield line((name, "not run" if accuracy is None else figure(accuracy), *cells))
        yield ""


def _bar_chart(result: Result, images: Path) -> Iterator[str]:
    shown = [name for name in _SHOWN_METHODS if name in result["rows"]]
    values = {
        domain: {name: result["rows"][name]["domains"].get(domain, {}).get("accuracy") for name in shown}
        for domain in _domains(result)
    }
    title = "Accuracy by domain"
    yield image(images, "methods.svg", title, bars(title, values))


def _efficiency_chart(plan: QuestionPlan, result: Result, images: Path) -> Iterator[str]:
    found = [
        Point(name, row["inquiries"], row["tree_seconds"])
        for name, row in result["rows"].items()
        if row["inquiries"] and row.get("tree_seconds") and "true headings" not in name
    ]
    if found:
        title = f"{plan.name.upper()}: inquiries and seconds of the tree step for a document"
        drawn = points(title, found, x_name="inquiries", y_name="seconds")
        yield image(images, f"{plan.name}-cost.svg", title, drawn)


def _metric_comparison(result: Result, images: Path) -> Iterator[str]:
    """The paper's figure 8 in numbers: how much kinder the older measure is."""
    yield "## The paper's measure against the older one\n"
    yield "The older measure counts an object as right at the right level, whatever stands above it.\n"
    names = [name for name in _SHOWN_METHODS if name in result["rows"]]
    for domain in ("zh_fin", "en_fin"):
        values = {
            name: {"path": own["accuracy"], "level only": own["level_only"]}
            for name in names
            if (own := result["rows"][name]["domains"].get(domain))
        }
        if values:
            title = f"Path accuracy and level-only accuracy, {domain}"
            yield image(images, f"measures-{domain}.svg", title, bars(title, values))


def _retrieval(source: Path, judged: Sequence[JudgedFinding]) -> Iterator[str]:
    """The tables of section 6, where `research.retrieval` has left its results."""
    from research.retrieval import paper_features, shared_queries

    folder = source / "retrieval" / "results"
    shared = results.read(folder / shared_queries.FILE)
    features = results.read(folder / paper_features.FILE)
    if shared is None and features is None:
        return
    yield "\n## Passage retrieval (section 6, Table 11)\n"
    yield "Measured by `python -m research.retrieval.run shared-queries` and `… paper-features`.\n"
    if shared is not None:
        yield shared_queries.markdown(shared) + "\n"
    if features is not None:
        yield "The same features on questions about filings and on our own; [retrieval.md](retrieval.md) has"
        yield "these questions, our own ranker, and what the tree is worth to both.\n"
        yield paper_features.markdown(features) + "\n"
    yield from finding_details(judged, "retrieval")


def _domains(result: Result) -> list[str]:
    present = {domain for row in result["rows"].values() for domain in row["domains"]}
    return [domain for domain in (*OWN_DOMAINS, *DOMAINS) if domain in present]


def image(images: Path, name: str, title: str, svg: str) -> str:
    """A picture of the page, which is written beside it."""
    (images / name).write_text(svg, encoding="utf-8")
    return f"\n![{title}](images/{name})\n"


if __name__ == "__main__":
    print(write_report(HERE, HERE.parent / "docs" / "research"))
