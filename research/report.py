"""docs/research/results.md and its plots, from the result files alone: our tables beside the paper's.

    python -m research.report            # from the results in the questions' folders

Nothing in the page is written by hand, so a figure that stands there was measured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from research.case_page import case_studies
from research.findings_page import RULE, TITLE, decoding, disclosure, folds, theory, verdicts
from research.markdown import figure as _figure
from research.markdown import line as _line
from research.paper import results
from research.paper.plan import DOMAINS, QUESTIONS, QuestionPlan, model_plans, question_plan
from research.paper.verdicts import commit_shown, read_result
from research.plots import Point, bars, points

Result = Mapping[str, Any]

HERE = Path(__file__).parent
STATISTICS = "statistics.json"
LEVELS = range(1, 8)
_EFFICIENCY = ("rq2", "rq3", "rq6")
VARIANTS = (
    ("ta", "rq6", "beam 1", "base, beam 1"),
    ("r2l", "rq2", "2step-HELD, r2l", None),
    ("l2r", "rq2", "2step-HELD, l2r", None),
    ("beam 3", "rq6", "beam 3", "base, beam 3"),
    ("beam 8", "rq6", "beam 8", "base, beam 8"),
    ("one-step", "rq3", "1step-HELD", None),
    ("without errors in training", "rq4", "5e-4, errors 0", None),
    ("without parent", "rq5", "- Parent", None),
    ("without siblings", "rq5", "- Siblings", None),
)
"""The variants: the question that measured each, and its rows of the network and of `base`."""
_SHOWN_METHODS = (
    "HEPS",
    "font-size rank",
    "TOC, each domain alone",
    "Pembe, each domain alone",
    "2step-HELD, each domain alone",
    "base, as it ships",
)

_HEAD = """## How to read the tables

Accuracy is the paper's: the share of objects whose whole chain of ancestors is right, micro-averaged over
documents. Where an outline is incomplete, objects that may be unlisted headings, and body whose heading
is not known, are left out ([labels.md](labels.md)); `unmasked` takes the outline for complete. The
paper's figures (in brackets) are on its own data, which is not public. `base` is what
ships, on labels of older objects: those that the networks were trained on ([base.md](base.md) has it on
the labels of now); "2step-HELD" and "1step-HELD" are the paper's networks. Seconds are CPU time for a
document on one core, documents advanced together, without the heading step; the paper's are on two GPUs. As
in the paper every model learns from one domain alone, but for what ships and *one for all*, and all methods
from the same headings. In square brackets is the range over seeds. Tables of one data hash belong together.
"""


def write_report(source: Path, out: Path) -> Path:
    """Write the page and its images from the results in a folder; the path of the page."""
    found = {name: result for name in QUESTIONS if (result := read_result(source, name)) is not None}
    images = out / "images"
    images.mkdir(parents=True, exist_ok=True)
    parts = [TITLE, *verdicts(source), RULE, _HEAD, *_provenance(found)]
    for name, result in found.items():
        parts += _section(question_plan(name), result, images)
        if name == "rq1":
            parts += folds(source)
        if name == "rq2":
            parts += theory(source, result)
    parts += _variants(found)
    parts += decoding(source)
    if "rq1" in found:
        parts += _metric_comparison(found["rq1"], images)
    parts += disclosure(source, found)
    parts += case_studies(source / "cases.json", images)
    parts += _distributions(source, images)
    parts += _retrieval(source)
    page = out / "results.md"
    page.write_text("\n".join(parts), encoding="utf-8")
    return page


def _provenance(found: Mapping[str, Result]) -> Iterator[str]:
    yield "| question | split | data | commit | models, and seeds where there are several |"
    yield "| --- | --- | --- | --- | --- |"
    for name, result in found.items():
        older, open_models = result.get("older", ()), result.get("not_run", ())
        trained = _gathered(result["models"])
        trained += f"; on labels before these: {_gathered(older)}" if older else ""
        trained += f"; not run: {_gathered(open_models)}" if open_models else ""
        commit = commit_shown(result["commit"])
        yield f"| {name} | {result['split']} | `{result['data'][:12]}` | {commit} | {trained} |"
    yield ""
    yield from _short_of_plan(found)


def _gathered(models: Iterable[str]) -> str:
    """The names of models, those of a table together: their domains, and how many seeds each has."""
    counted: dict[str, Counter[str]] = {}
    for name in models:
        table, _, rest = name.partition("@")
        counted.setdefault(table, Counter())[rest.partition("+")[0]] += 1
    return "; ".join(" ".join((table, _each(domains))).strip() for table, domains in counted.items())


def _each(domains: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({count})" if count > 1 else name for name, count in domains.items())


def _short_of_plan(found: Mapping[str, Result]) -> Iterator[str]:
    """Which models have had fewer batches than planned: their rows may still gain."""
    plans = model_plans()
    done = {name: facts["batches"] for result in found.values() for name, facts in result["models"].items()}
    short = [
        f"{name} {batches:,} of {plans[name].batches:,}"
        for name, batches in done.items()
        if name in plans and batches < plans[name].batches
    ]
    if short:
        yield f"**Trained less than planned** (batches): {', '.join(short)}. Their rows may still gain.\n"


def _section(plan: QuestionPlan, result: Result, images: Path) -> Iterator[str]:
    yield f"## {plan.name.upper()}: {plan.title}\n\n{plan.asks}\n"
    efficiency = plan.name in _EFFICIENCY
    if plan.name == "rq7":
        yield from _counted_table(plan, result)
    else:
        yield from _accuracy_table(plan, result, efficiency=efficiency)
    if plan.name == "rq1":
        yield from _bar_chart(result, images)
        yield from _more_measures(result)
        yield from _level_tables(result, images)
    if efficiency:
        yield from _efficiency_chart(plan, result, images)


def _accuracy_table(plan: QuestionPlan, result: Result, *, efficiency: bool) -> Iterator[str]:
    domains = _domains(result)
    extra = ("inquiries", "seconds") if efficiency else ()
    yield _line(("accuracy", *domains, *extra))
    yield _line("---" for _ in (0, *domains, *extra))
    for name in [row.name for row in plan.rows] or list(result["rows"]):
        row = result["rows"].get(name)
        paper = plan.paper.get(name, {})
        cells = [_cell(row, domain, paper.get(domain)) for domain in domains]
        cells += [_beside(row[column] if row else None, paper.get(column)) for column in extra]
        yield _line((name, *cells))
    yield ""


def _counted_table(plan: QuestionPlan, result: Result) -> Iterator[str]:
    """The rows with the number of files that each cell rests on, and their intervals."""
    domains = _domains(result)
    rows = result["rows"]
    files = next(iter(rows.values()))["domains"] if rows else {}
    yield _line(("", *(f"{domain}, {files[domain]['documents']} files" for domain in domains)))
    yield _line("---" for _ in (0, *domains))
    for name, row in rows.items():
        yield _line((name, *(_between(row["domains"].get(domain, {})) for domain in domains)))
    yield ""
    for name, figures in plan.paper.items():
        yield f"- the paper's {name}: {', '.join(f'{domain} {value:g}' for domain, value in figures.items())}"
    yield ""


def _between(own: Mapping[str, Any]) -> str:
    """An accuracy with its interval over documents."""
    low, high = own.get("interval") or (None, None)
    bounds = "" if low is None else f" ({_figure(low, 3)} - {_figure(high, 3)})"
    return _figure(own.get("accuracy")) + bounds


def _cell(row: Mapping[str, Any] | None, domain: str, paper: float | None) -> str:
    """An accuracy with its range over seeds and the paper's figure; a row that is not there says so."""
    if row is None:
        return "not run" + ("" if paper is None else f" ({paper:g})")
    seeds = row["domains"].get(domain, {}).get("seeds") or ()
    spread = f" [{min(seeds):.3f}-{max(seeds):.3f}]" if len(seeds) > 1 else ""
    return _figure(_accuracy(row, domain)) + spread + ("" if paper is None else f" ({paper:g})")


def _more_measures(result: Result) -> Iterator[str]:
    """Intervals and the other measures, by domain."""
    names = ("accuracy", "95 %", "unmasked", "of headings", "level only", "heading F1", "TEDS", "all right")
    for domain in _domains(result):
        yield f"### All measures, {domain}\n"
        yield _line(("", *names))
        yield _line("---" for _ in (0, *names))
        for name, row in result["rows"].items():
            own = row["domains"].get(domain)
            if own:
                low, high = own["interval"]
                keys = ("unmasked", "of_headings", "level_only", "heading_f1", "teds", "entirely_right")
                rest = (_figure(own[key]) for key in keys)
                interval = f"{_figure(low)} - {_figure(high)}"
                yield _line((name, _figure(own["accuracy"]), interval, *rest))
        yield ""


def _level_tables(result: Result, images: Path) -> Iterator[str]:
    for domain in _domains(result):
        rows = {name: result["rows"][name]["domains"] for name in _SHOWN_METHODS if name in result["rows"]}
        by_level = {name: own[domain]["f1_by_level"] for name, own in rows.items() if domain in own}
        levels = [level for level in LEVELS if any(str(level) in own for own in by_level.values())]
        yield f"### F1 by level, {domain}\n"
        yield _line(("", *(f"level {level}" for level in levels)))
        yield _line("---" for _ in (0, *levels))
        for name, own in by_level.items():
            yield _line((name, *(_figure(own.get(str(level))) for level in levels)))
        values = {f"level {n}": {name: own.get(str(n)) for name, own in by_level.items()} for n in levels}
        yield _image(
            images, f"levels-{domain}.svg", f"F1 by level, {domain}", bars(f"F1 by level, {domain}", values)
        )


def _bar_chart(result: Result, images: Path) -> Iterator[str]:
    shown = [name for name in _SHOWN_METHODS if name in result["rows"]]
    values = {
        domain: {name: _accuracy(result["rows"][name], domain) for name in shown}
        for domain in _domains(result)
    }
    title = "Accuracy by domain"
    yield _image(images, "methods.svg", title, bars(title, values))


def _efficiency_chart(plan: QuestionPlan, result: Result, images: Path) -> Iterator[str]:
    found = [
        Point(name, row["inquiries"], row["seconds"])
        for name, row in result["rows"].items()
        if row["inquiries"] and row["seconds"]
    ]
    if found:
        title = f"{plan.title}: inquiries and seconds for a document"
        drawn = points(title, found, x_name="inquiries", y_name="seconds")
        yield _image(images, f"{plan.name}-cost.svg", title, drawn)


def _variants(found: Mapping[str, Result]) -> Iterator[str]:
    """Every variant in one table: what it is worth, and what it costs."""
    yield "## Every variant in one table\n"
    yield (
        "Greedy traversal-all (ta) with everything, and each change of it. All but one-step get headings\n"
        "found by `base`; one-step inserts every object. Inquiries and seconds are for a document.\n"
    )
    domains = [domain for domain in DOMAINS if any(domain in _domains(result) for result in found.values())]
    yield _line(("variant", *domains, "inquiries", "seconds"))
    yield _line("---" for _ in range(3 + len(domains)))
    for preset, of in (("the network", 2), ("base", 3)):
        for variant in VARIANTS:
            row = found.get(variant[1], {}).get("rows", {}).get(variant[of])
            if row is not None:
                figures = (
                    *(_accuracy(row, domain) for domain in domains),
                    row["inquiries"],
                    row["seconds"],
                )
                yield _line((f"{preset}, {variant[0]}", *map(_figure, figures)))
    yield ""


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
            yield _image(images, f"measures-{domain}.svg", title, bars(title, values))


def _distributions(source: Path, images: Path) -> Iterator[str]:
    """What the corpus is like, where its statistics are kept beside the results."""
    statistics = results.read(source / STATISTICS)
    if statistics is None:
        return
    yield "## The corpus\n"
    corpora = {name: own for name, own in statistics["corpora"].items() if name in DOMAINS}
    yield _line(("", "documents", "objects", "headings", *(f"level {n}" for n in LEVELS)))
    yield _line("---" for _ in range(4 + len(LEVELS)))
    for name, own in corpora.items():
        levels = (own["headings_by_level"].get(str(n), 0) for n in LEVELS)
        yield _line((name, own["documents"], own["objects"], own["headings"], *levels))
    medians = {
        f"level {n}": {
            name: own["headings_per_document_by_level"].get(str(n), {}).get("median")
            for name, own in corpora.items()
        }
        for n in LEVELS
    }
    title = "Headings of a document by level, median of the documents that have the level"
    top = max((v for group in medians.values() for v in group.values() if v), default=1.0)
    yield _image(images, "headings-by-level.svg", title, bars(title, medians, top=top, digits=0))
    numbered = {f"level {n}": {name: _numbered(own, n) for name, own in corpora.items()} for n in LEVELS}
    title = "Share of headings with an item number, by level"
    yield _image(images, "numbered-by-level.svg", title, bars(title, numbered))


def _retrieval(source: Path) -> Iterator[str]:
    """The tables of section 6, where `research.retrieval` has left its results."""
    folder = source / "retrieval" / "results"
    if (folder / "tree-ours.json").exists():
        from research.retrieval import paper_features
        from research.retrieval.tables import markdown

        yield "\n## Passage retrieval (section 6 of the paper)\n"
        yield "Written by `python -m research.retrieval.run`; [retrieval.md](retrieval.md) explains it.\n"
        yield markdown(folder)
        features = results.read(folder / paper_features.FILE)
        if features is not None:
            yield paper_features.markdown(features) + "\n"


def _numbered(corpus: Mapping[str, Any], level: int) -> float | None:
    """The share of a level's headings that match one of the 45 patterns; 0 stands for none."""
    patterns = corpus["patterns_by_level"].get(str(level), {})
    total = sum(patterns.values())
    return 1 - patterns.get("0", 0) / total if total else None


def _accuracy(row: Mapping[str, Any] | None, domain: str) -> float | None:
    """The accuracy of a row in a domain; None where it was not measured."""
    return None if row is None else row["domains"].get(domain, {}).get("accuracy")


def _domains(result: Result) -> list[str]:
    present = {domain for row in result["rows"].values() for domain in row["domains"]}
    return [domain for domain in ("own", *DOMAINS) if domain in present]


def _beside(ours: float | None, paper: float | None, *, digits: int = 4) -> str:
    """Our figure, and the paper's in brackets where it has one."""
    return _figure(ours, digits) + ("" if paper is None else f" ({paper:g})")


def _image(images: Path, name: str, title: str, svg: str) -> str:
    (images / name).write_text(svg, encoding="utf-8")
    return f"\n![{title}](images/{name})\n"


if __name__ == "__main__":
    print(write_report(HERE, HERE.parent / "docs" / "research"))
