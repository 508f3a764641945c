"""docs/research/calibration.md, written from the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_FIGURES = ("model", "documents", "headings", "right", "misplaced", "reachable", "named")
_TEXT = """# Confidence that means something

Every heading of a tree carries two probabilities: that it is a heading (`probability`), and, if it is, that
it stands in its place (`confidence`): right under its true parent. Their product is its `certainty`. Both
go through a curve that was fitted on valid. Over all documents of valid together the curves bring certainty
nearer to the share that is right; in several domains, each by itself, they move it away (table below), so
take a certainty as a rank within a document rather than as a probability. A heading below
`--min-confidence` (0.5 where none is given) is marked as doubtful, and the JSON names the other parents
that were close (`alternatives`).

A wrong place counts where it happens: a section that hangs under the right chapter is right even if the
chapter itself is not.

## How

The scores of both steps go through one logistic curve each, p = 1 / (1 + exp(-(a + b · log-odds of the
score))). The four numbers stand in `calibration.json` beside the weights, with the hashes of the weights
they belong to; for other weights they are not used, and the JSON says `"calibrated": false`. An alternative
gets its part of what the place's probability leaves.

| | a | b |
| --- | --- | --- |
| heading | {heading[0]:.3f} | {heading[1]:.3f} |
| place | {place[0]:.3f} | {place[1]:.3f} |

`python -m research.calibration.run --data LABELLED --model TRAIN_ONLY --beside {model}` fits them, and writes
this page, the plot and `research/calibration/results/{model}.json`. It must be run again whenever the weights
change. The weights that ship were trained on valid, too, so the curves are fitted to weights of the same
settings that were not.

## How good

On {documents} documents of valid ({headings} headings found, {right:.1%} of them right), by weights that were
not trained on them. For these figures the documents are parted into two halves by their groups, and each
half is judged by curves that were fitted on the other; the shipped curves are fitted on both. Headings
whose truth is unknown are left out.

![Certainty against the share that is right](images/calibration.svg)

| | headings | right | mean certainty | calibration error | before | Brier score | before |
| --- | --- | --- | --- | --- | --- | --- | --- |
{domains}

The calibration error is the mean distance between certainty and share over fifteen bins of as many headings
each; before is the bare product of the scores. A domain with few documents has a large error by chance
alone, and a new kind of document may well be further off: the figures hold for documents like those of
valid.

## What a least confidence finds

| least confidence | headings marked | of these wrong | wrong ones marked |
| --- | --- | --- | --- |
{thresholds}

Wrong headings drag along {dragged[paths]:.0f} paths of objects below them. With the least certain
{dragged[marked]:.1%} of the headings marked (certainty below {dragged[least]:.3f}), those that drag
{dragged[caught]:.1%} of these paths are among the marked.

Of the {misplaced} true headings that were put in a wrong place, {reachable} could have been put in the
right one, and {named} of these have it among their alternatives. The others hang where they do because of an
error before them: their parent was not found, or was itself put elsewhere.
"""
_TEST = """
## On documents that it was not fitted on

The curves that ship on the {documents} documents of test (`--judge test`, `results/{model}-test.json`):

| | headings | right | mean certainty | calibration error | before | Brier score | before |
| --- | --- | --- | --- | --- | --- | --- | --- |
{domains}

With the least certain {dragged[marked]:.1%} marked, those that drag {dragged[caught]:.1%} of
{dragged[paths]:.0f} paths are among them.
"""
_COLUMNS = ("headings", "right", "certainty", "ece", "ece before", "brier", "brier before")


def page(results: Mapping[str, Any], on_test: Mapping[str, Any] | None = None) -> str:
    """The whole page; with what was measured on test, where that was."""
    text = _TEXT.format(
        **{name: results[name] for name in _FIGURES},
        heading=results["curves"]["heading"],
        place=results["curves"]["place"],
        domains=_rows(results["domains"], _COLUMNS),
        dragged=results["dragged"],
        thresholds=_rows(results["thresholds"], ("marked", "precision", "recall")),
    )
    if on_test is None:
        return text
    domains = _rows(on_test["domains"], _COLUMNS)
    shown = {"model": results["model"], "documents": on_test["documents"], "dragged": on_test["dragged"]}
    return text + _TEST.format(domains=domains, **shown)


def _rows(table: Mapping[str, Mapping[str, Any]], columns: Sequence[str]) -> str:
    return "\n".join(
        f"| {name} | {' | '.join(_cell(row[column]) for column in columns)} |" for name, row in table.items()
    )


def _cell(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else f"{value:.4f}"
