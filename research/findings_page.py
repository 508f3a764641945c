"""Parts of docs/research/results.md: verdicts, theory beside counts, and sources of rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from research.markdown import figure, head, line
from research.paper import results
from research.paper.cells import SPLITS
from research.paper.join import planned_name
from research.paper.plan import ModelPlan, model_plans
from research.paper.theory import ORDERS
from research.paper.verdicts import Comparison, JudgedFinding, Side, Verdict, format_commit
from research.plots import lines

Result = Mapping[str, Any]

CELLS, THEORY = "cells.json", "inquiries.json"
TITLE = """# Results of the paper's experiments

Does each finding of the paper hold on our documents? The first table answers that. Each finding links to
what was compared for it and why it came out so; the tables beside print our figures next to the paper's.
`python -m research.report` writes this page from the stored results, and
`make experiments LABELLED=… WORK=…` trains and measures everything again.
"""
RULE = """
### How a verdict is reached

The rules are code (`research/paper/verdicts.py`), set on {date} in commit `{commit}`, before the runs that
they judge.

- A comparison in a domain counts if the 95 % interval of the difference over the same documents (a paired
  bootstrap, seeds averaged) leaves out 0, and if the difference is larger than the one between two seeds.
  Fewer than five documents decide nothing.
- A comparison is **confounded** if it does not isolate the claim: the network that loses was still improving
  on valid when its training ended, or the finding presupposes something that does not hold here.
- A finding **replicates** if at least one domain is for it and none is against it; it is **opposite** the
  other way round. It is **confounded** if only confounded comparisons decide, and **undecided** otherwise.
- The first table has every comparison that counts; *before* is the verdict before these rules.
- Comparisons in italics, in the sections of the questions, are shown and do not count.
- Figures are path accuracy on test unless they say otherwise: zh_fin, en_fin and science stand beside the
  paper's Chinese, English and arXiv documents. Square brackets hold the range over seeds; a row without them
  has one seed.

Four rules were added on the same day, after the first results had been seen. One lets comparisons count: more
training is no confound between rows of the same network. Three let fewer count: "all four raise it most" is
confounded, because the comparison is with BM25 alone; costs count only where both rows were measured on the
same domains; and a method without seeds takes its range over the heading networks that it was given.
"""
_THEORY = """Inquiries a document, true headings given: what a perfect judge would ask by our closed forms and
by the paper's ([inquiries.md](inquiries.md)), and what was counted. A judge that errs builds other trees, and
r2l and l2r then stop too early, or nowhere.
"""
_TRAINED = """## What the rows were trained with

A batch is 128 tuples (put-or-skip) or 4 windows of 128 objects (headings, TOC). Training ends when valid has
not improved for as many evaluations as the plan allows (`research/paper/models.toml`), or at the plan's
batches; the best evaluation's weights are taken. A row that ended by its batches may still gain. The loss on
train is the mean between two evaluations, the first two and the last two. Where a training went on from a
checkpoint, CPU seconds leave out what came before it.

Networks named *again* are heading networks that were trained anew for the third seeds, on another processor.
Their last digits differ, so they count as another seed of the rows that get their headings. One point in the
curve of `heading-alone@en_fin` was put back by hand from its log; *again* has a curve as it was written.
For later Chinese rows the heading network was trained once more, on the first kind of processor: it got the
same curve to the last digit, so it is no other seed, and its 0.1 CPU-hours are not in the sum below.

Products are computed in bfloat16 or, on a processor without it, in 32 bits; compare CPU seconds only between
rows of the same setting. The learning rate is ten times the paper's 5e-5 but for `slow-alone`, which has the
paper's, and `fast-alone`. All were trained on the labels that they are measured on; where labels have been
built again since, the row measured again below tells how much that matters.
"""
FIT, STORED_ROW = "paper/fit.json", "paper/stored_row.json"
_FIT = """A network that fails on the documents it was trained on wants more training; one that knows these
and fails on valid wants more documents. `half-alone` has half of the training documents. At most 40 documents
of a split were measured (`python -m research.paper.fit`).
"""
_CURVES = {
    "put-or-skip": ("curves", "true headings: share of right paths"),
    "headings": ("curves-headings", "F1 of headings"),
    "toc": ("curves-toc", "share of right paths"),
}
"""The kinds of networks: the name of their pictures, and what valid scores."""
_TRAINING = ("batches", "epochs", "evaluations", "loss on train", "best on valid", "ended", "CPU seconds")
_CURVE_DOMAINS = ("zh_fin", "en_fin", "science")


def verdicts(judged: Sequence[JudgedFinding]) -> Iterator[str]:
    """The beginning of the page: every finding of the paper with our verdict, and what decided it."""
    counts = ", ".join(
        f"**{verdict}** {number}"
        for verdict in Verdict
        if (number := sum(one.verdict is verdict for one in judged))
    )
    yield f"Of {len(judged)} findings: {counts}.\n"
    yield head(("", "the paper finds", "before", "verdict", "for", "against", "decides nothing"))
    for one in judged:
        sides = {side: [_short(each) for each in one.comparisons if _column(each) is side] for side in Side}
        cells = ("; ".join(sides[side]) or "-" for side in (Side.FOR, Side.AGAINST, Side.OPEN))
        finding = one.finding
        link = f"[{finding.says}](#{_anchor(finding.says)})"
        yield line((finding.question, link, finding.before, f"**{one.verdict}**", *cells))
    yield ""


def _column(comparison: Comparison) -> Side | None:
    """The column of the first table that a comparison stands in; None for what stands aside."""
    if comparison.aside:
        return None
    return Side.OPEN if comparison.confound else comparison.side


def _short(comparison: Comparison) -> str:
    """A comparison in a few words: `zh_fin +0.571`."""
    place = f"{comparison.place}, {comparison.called}" if comparison.called else comparison.place
    confounded = " (confounded)" if comparison.confound and comparison.side is not Side.OPEN else ""
    return f"{place} {comparison.difference}{confounded}"


def _anchor(heading: str) -> str:
    """The name that a heading has in links, on GitHub and in our pages."""
    kept = "".join(letter for letter in heading.lower() if letter.isalnum() or letter in " -_")
    return kept.replace(" ", "-")


def finding_details(judged: Sequence[JudgedFinding], *questions: str) -> Iterator[str]:
    """What was compared for each finding of some questions, and why it came out as it did."""
    for one in judged:
        finding = one.finding
        if finding.question not in questions:
            continue
        yield f"### {finding.says}\n"
        paper = f"The paper: {finding.paper}. " if finding.paper else ""
        changed = "as before" if finding.before == str(one.verdict) else f"before: {finding.before}"
        yield f"{paper}Here: **{one.verdict}** ({changed}). {finding.because}\n"
        if one.comparisons:
            yield head(("compared", "in", "the first", "the second", "difference", "95 %", "says"))
            for comparison in one.comparisons:
                yield line(_comparison_cells(comparison))
            yield f"\nMeasured at {', '.join(one.commits)}.\n"


def _comparison_cells(comparison: Comparison) -> list[str]:
    """The cells of a comparison; in italics if it stands aside."""
    cells = [" / ".join(comparison.rows), comparison.place, comparison.ours, comparison.others]
    cells += [comparison.difference, comparison.interval or "-"]
    says = {Side.FOR: "for", Side.AGAINST: "against", Side.OPEN: "nothing"}[comparison.side]
    if comparison.note:
        says += f": {comparison.note}"
    if comparison.confound and comparison.side is not Side.OPEN:
        says += f", confounded: {comparison.confound}"
    if not comparison.aside:
        return [*cells, says]
    is_known = any(comparison.aside in cell for cell in cells)
    aside = "aside" if is_known else f"aside ({comparison.aside})"
    return [f"*{cell}*" for cell in (*cells, f"{aside}: {says}")]


def theory(source: Path, result: Result) -> Iterator[str]:
    """The inquiries of theory beside those that were counted, with the true headings of real documents."""
    known = results.read(source / THEORY)
    if known is None:
        return
    yield _THEORY
    yield head(("", "documents", "headings", *(f"{order}: ours, paper's, counted" for order in ORDERS)))
    for judge in ("Pembe", "2step-HELD"):
        rows = [result["rows"].get(f"{judge} ({order}), true headings", {}) for order in ORDERS]
        for domain, own in known["domains"].items():
            counted = [row.get("domains", {}).get(domain, {}).get("inquiries") for row in rows]
            if any(counted):
                pairs = zip(ORDERS, counted, strict=True)
                cells = (f"{own['ours'][o]:.0f}, {own['paper'][o]:.0f}, {figure(c)}" for o, c in pairs)
                yield line((f"{judge}, {domain}", own["documents"], f"{own['headings']:.0f}", *cells))
    yield ""


def disclosure(source: Path, found: Mapping[str, Result], images: Path) -> Iterator[str]:
    """The training of every row, the curves, and the number of documents behind every cell."""
    models = {name: own for one in found.values() for name, own in one["models"].items()}
    yield _TRAINED
    yield head(("model", "rate", *_TRAINING, "settings"))
    for model, facts in models.items():
        settings = dict(change.split("=", 1) for change in facts["set"])
        rate = settings.pop("learning_rate", "-")
        shown = ", ".join(f"{name}={value}" for name, value in settings.items())
        yield line((model, rate, *_training(facts), shown.replace("|", "\\|")))
    seconds = sum(facts.get("seconds") or 0 for facts in models.values())
    yield f"\nAll trainings together: {seconds / 3600:.2f} CPU-hours, {len(models)} models.\n"
    yield from _not_run(models)
    yield from stored_row(source)
    yield from _curves(models, images)
    counted = results.read(source / CELLS)
    if counted is not None:
        yield f"\nDocuments whose labels are trusted, and their groups, of data `{counted['data'][:12]}`:\n"
        yield head(("", *(f"{split}: documents, groups" for split in SPLITS)))
        for domain, cell in counted["domains"].items():
            if cell:
                yield line((domain, *(_count(cell.get(split)) for split in SPLITS)))
    yield ""


def _curves(models: Mapping[str, Any], images: Path) -> Iterator[str]:
    """A picture of the scores on valid while training, for each kind of network and each domain."""
    plans = model_plans()
    for kind, (file, score) in _CURVES.items():
        for domain in _CURVE_DOMAINS:
            own = {}
            for model, facts in models.items():
                plan = plans.get(planned_name(model))
                if plan and (plan.kind, plan.domain) == (kind, domain) and facts.get("curve"):
                    seed = f", seed {plan.seed}" if plan.seed else ""
                    curve = [(step, score) for step, _, score in facts["curve"]]
                    again = model.removeprefix(plan.name)
                    own[f"{plan.table.removesuffix('-alone')}{seed}{again}"] = curve
            if own:
                title = f"Valid while training, {kind}, {domain}"
                drawn = lines(title, own, x_name="batches", y_name=score)
                (images / f"{file}-{domain}.svg").write_text(drawn, encoding="utf-8")
                yield f"\n![{title}](images/{file}-{domain}.svg)\n"


def fit_section(source: Path) -> Iterator[str]:
    """How well the networks know the documents that they were trained on, beside those they were not."""
    known = results.read(source / FIT)
    if known is None:
        return
    yield "### More training, or more documents?\n"
    yield _FIT
    yield head(("headings with the right path, true headings", *(f"{split} (documents)" for split in SPLITS)))
    for own in known["models"].values():
        measured = (own["splits"][split] for split in SPLITS)
        yield line((own["model"], *(f"{one['paths']:.4f} ({one['documents']})" for one in measured)))
    commits = dict.fromkeys(format_commit(own["commit"]) for own in known["models"].values())
    yield f"\nMeasured at {', '.join(commits)}.\n"


def stored_row(source: Path) -> Iterator[str]:
    """A row that was measured again from the models in the repository, beside the page's."""
    known = results.read(source / STORED_ROW)
    if known is None:
        return
    yield f"**Measured again** from the models in `research/paper/models`, on labels `{known['data'][:12]}`"
    yield f"(`python -m research.paper.stored_row`, at {format_commit(known['commit'])}):\n"
    yield head((known["row"], "measured again", "in the tables above"))
    for domain, own in known["domains"].items():
        yield line((domain, figure(own["measured"]), figure(own["stored"])))
    yield ""


def _not_run(models: Mapping[str, Any]) -> Iterator[str]:
    """The planned models that are not trained, what they would take at most, and the command for it."""
    missing: dict[str, list[ModelPlan]] = {}
    for plan in model_plans().values():
        if plan.name not in models and plan.kind != "embeddings":
            missing.setdefault(plan.table, []).append(plan)
    if not missing:
        return
    total = sum(plan.seconds for plans in missing.values() for plan in plans) / 3600
    yield f"**Not run**: models of the plan that are not trained, at most {total:.1f} CPU-hours in all. This"
    yield "trains them, the most telling first, and goes on where it was ended:"
    yield "`python -m research.paper.queue --data LABELLED --work WORK`; then `make experiments`. They wait"
    yield "for processor time, and for nothing else.\n"
    yield head(("models", "variants", "CPU-hours at most"))
    for table, plans in missing.items():
        variants = ", ".join(plan.name.partition("@")[2] for plan in plans)
        yield line((table, variants, f"{sum(plan.seconds for plan in plans) / 3600:.2f}"))
    yield ""


def _training(facts: Mapping[str, Any]) -> tuple[object, ...]:
    """The length of a model's training and how it ended; dashes for a model without batches."""
    curve = facts.get("curve") or ()
    if not curve:
        return ("-", "-", "-", "-", "-", "-", facts.get("seconds") or "-")
    best = max(curve, key=lambda point: point[2])
    return (
        f"{curve[-1][0]:,}",
        facts["epochs"],
        len(curve),
        f"{curve[0][1]:.3f} to {curve[-1][1]:.3f}",
        f"{best[2]:.4f} at {best[0]:,}",
        "valid stopped improving" if facts.get("converged") else "its batches were done",
        facts.get("seconds") or "-",
    )


def _count(cell: Mapping[str, int] | None) -> str:
    return f"{cell['documents']}, {cell['groups']}" if cell else "-"
