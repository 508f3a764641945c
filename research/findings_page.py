"""Parts of docs/research/results.md: verdicts, theory beside counts, and sources of rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from research.markdown import figure, head, line
from research.paper import results
from research.paper.cells import SPLITS
from research.paper.theory import ORDERS
from research.paper.verdicts import Verdict, commit_shown, findings, judged, read_result

Result = Mapping[str, Any]

CELLS, THEORY, DECODING = "cells.json", "inquiries.json", "trees/results/decoding-test.json"
NOT_RUN = "not run"
TITLE = """# Results of the paper's experiments

Which findings of the paper replicate here, on other documents; not edited by hand (`make experiments`, or
`python -m research.report` from the stored results).
"""
RULE = """
In each domain a comparison counts if the 95 % interval of the difference over the same documents (paired
bootstrap, seeds averaged) leaves out 0, and no seed of one row comes up to one of the other; where the paper
says *as good as* or *little*, if the interval leaves out what is worse, or more, by 0.02. That margin and the
rule about seeds were set after the first intervals had been seen. Fewer than five documents decide nothing. A
finding replicates if some domain is for it and none against it, and is opposite the other way round;
cross-validation over all documents of a domain counts like one more domain, and what is shown in italics does
not count: it says why.
Figures are path accuracy on test, for zh_fin, en_fin and science beside the paper's Chinese, English and
arXiv documents, unless they say otherwise. Intervals are over documents; the range over seeds stands beside
them in square brackets, and a row without it has one seed.
"""
_THEORY = """Inquiries a document, true headings given: what a perfect judge would ask by our closed forms and
by the paper's ([inquiries.md](inquiries.md)), and what was counted. A judge that errs builds other trees, and
r2l and l2r then stop too early, or nowhere.
"""
_FOLDS = """Cross-validation over all documents of a domain whose labels are no guess, {folds} folds by group,
true headings given, trained on the domain alone, one seed (`python -m research.rq1.folds`, {commit}).
`base` is its boosted trees alone, without the networks that ship beside them; 2step-HELD has its last
weights, for no documents are left to choose on. Groups are the makers of reports: some of them look like no
other, and a fold without them cannot know, which makes the intervals wide.
"""
_FOLDED = {"pembe": "Pembe", "network": "2step-HELD", "base": "base"}
_DECODING = """## Beyond greedy: beams, global decoding, repair

What ships, on test, with headings that it finds, and with the true ones; no part of the paper
(`python -m research.trees.run decoding --split test`, {commit}). Best first looks for the tree of the
highest probability; repair moves single headings afterwards, *delete* also takes out such as fit nowhere.
[base.md](base.md) says more.
"""
_TRAINED = """## What the rows were trained with

The learning rate of our network rows is ten times the paper's 5e-5, and their training is short. A batch is
128 tuples (put-or-skip) or 4 windows of 128 objects. An epoch is a pass over all documents of the domain, the
last one mostly unfinished; one-step, which inserts every object, gets through fewer in as many batches. Of
several evaluations on valid the best one's weights are taken. Seconds are of the last call: a run that goes
on where a shorter one ended (`long-alone`) leaves out what that one took.
"""


def verdicts(source: Path) -> Iterator[str]:
    """What the page begins with: every finding of the paper, what we found, and why."""
    known = [judged(finding, source) for finding in findings()]
    for verdict in Verdict:
        same = [one.finding.says for one in known if one.verdict is verdict]
        if same:
            yield f"- **{verdict}** ({len(same)}): {'; '.join(same)}"
    yield ""
    yield head(("", "the paper finds", "verdict", "ours", "why", "measured at"))
    for one in known:
        paper = f"{one.finding.says} ({one.finding.paper})" if one.finding.paper else one.finding.says
        cells = (one.finding.question, paper, f"**{one.verdict}**", "<br>".join(one.figures) or "-")
        yield line((*cells, one.finding.because, ", ".join(one.commits)))


def folds(source: Path) -> Iterator[str]:
    """Grouped cross-validation, where it was run."""
    found = read_result(source, "folds")
    if found is None:
        return
    yield _FOLDS.format(folds=found["folds"], commit=commit_shown(found["commit"]))
    gains = [f"{name} over Pembe" for key, name in _FOLDED.items() if key != "pembe"]
    yield head(("accuracy", "documents", "groups", *_FOLDED.values(), *gains))
    for domain, own in found["domains"].items():
        rows = [own["rows"].get(key) for key in _FOLDED]
        cells = (*map(_validated, rows), *map(_gain, rows[1:]))
        yield line((domain, own["documents"], own["groups"], *cells))
    yield ""


def decoding(source: Path) -> Iterator[str]:
    """What ships under other ways to search for the tree, where they were measured on test."""
    found = results.read(source / DECODING)
    if found is None:
        return
    yield _DECODING.format(commit=commit_shown(found["commit"]))
    domains = list(found["found"]["greedy"]["paths"])
    yield head(("paths", *domains, "inquiries"))
    for title, key in (("", "found"), (", true headings", "given")):
        for way, row in found[key].items():
            yield line((way + title, *(figure(row["paths"][domain]) for domain in domains), row["inquiries"]))
    yield ""


def _gain(row: Mapping[str, Any] | None) -> str:
    if row is None or "over_pembe" not in row:
        return NOT_RUN
    low, high = row["over_pembe"]
    return f"{low:+.3f} to {high:+.3f}"


def _validated(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return NOT_RUN
    low, high = row["interval"]
    return f"{figure(row['accuracy'])} ({figure(low, 3)} - {figure(high, 3)})"


def theory(source: Path, result: Result) -> Iterator[str]:
    """The inquiries of theory beside those that were counted, with the true headings of real documents."""
    known = results.read(source / THEORY)
    if known is None:
        return
    yield _THEORY
    yield head(("", "documents", "headings", *(f"{order}: ours, paper's, counted" for order in ORDERS)))
    for judge in ("Pembe", "2step-HELD"):
        rows = [result["rows"].get(f"{judge}, {order}, true headings", {}) for order in ORDERS]
        for domain, own in known["domains"].items():
            counted = [row.get("domains", {}).get(domain, {}).get("inquiries") for row in rows]
            if any(counted):
                pairs = zip(ORDERS, counted, strict=True)
                cells = (f"{own['ours'][o]:.0f}, {own['paper'][o]:.0f}, {figure(c)}" for o, c in pairs)
                yield line((f"{judge}, {domain}", own["documents"], f"{own['headings']:.0f}", *cells))
    yield ""


def disclosure(source: Path, found: Mapping[str, Result]) -> Iterator[str]:
    """What every row was trained with, and what every cell rests on."""
    yield _TRAINED
    yield head(("model", "questions", "batches", "epochs", "settings", "CPU-seconds"))
    for model, facts in {name: own for one in found.values() for name, own in one["models"].items()}.items():
        asked = " ".join(name for name, result in found.items() if model in result["models"])
        settings = ", ".join(facts["set"]).replace("|", "\\|") or "the preset's"
        cells = (facts["batches"] or "-", facts.get("epochs") or "-", settings)
        yield line((model, asked, *cells, facts.get("seconds") or "-"))
    counted = results.read(source / CELLS)
    if counted is not None:
        yield f"\nDocuments whose labels are trusted, and their groups, of data `{counted['data'][:12]}`:\n"
        yield head(("", *(f"{split}: documents, groups" for split in SPLITS)))
        for domain, own in counted["domains"].items():
            yield line((domain, *(_count(own.get(split)) for split in SPLITS)))
    yield ""


def _count(cell: Mapping[str, int] | None) -> str:
    return f"{cell['documents']}, {cell['groups']}" if cell else "-"
