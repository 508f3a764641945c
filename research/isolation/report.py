"""The results of the isolation measure, as tables and as counts for a results file."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from research.isolation.measure import Miss
    from research.isolation.run import Outcome

_COUNTS = ("entries", "on_page", "found", "isolated", "number_apart")
_TEXT_WIDTH = 100
_SEED = 7


@dataclass(frozen=True, slots=True)
class Sums:
    """The counts of several documents together."""

    documents: int
    counts: dict[str, int]

    @property
    def share(self) -> float | None:
        """The measure itself; None where no title was found."""
        found = self.counts["found"]
        return round(self.counts["isolated"] / found, 4) if found else None


def sums(outcomes: Sequence[Outcome]) -> Sums:
    """The sum over documents."""
    return Sums(len(outcomes), {name: sum(getattr(o.isolation, name) for o in outcomes) for name in _COUNTS})


def by_domain(outcomes: Sequence[Outcome]) -> dict[str, Sums]:
    """A row for each domain and one for all of them; suspect documents only have a row of their own."""
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        name = "suspect" if outcome.job.suspect else outcome.job.domain
        groups.setdefault(name, []).append(outcome)
    rows = {name: sums(groups[name]) for name in sorted(groups, key=lambda name: (name == "suspect", name))}
    return rows | {"all": sums([o for o in outcomes if not o.job.suspect])}


def categories(outcomes: Iterable[Outcome]) -> Counter[tuple[str, str]]:
    """The number of errors of each category, by domain."""
    return Counter((o.job.domain, miss.category) for o in outcomes for miss in o.isolation.misses)


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The counts as JSON: by domain and by category of miss; no text of the documents."""
    return {
        "domains": {
            name: {"documents": r.documents, **r.counts, "share": r.share}
            for name, r in by_domain(outcomes).items()
        },
        "misses": {f"{domain}: {name}": n for (domain, name), n in sorted(categories(outcomes).items())},
        "errors": {o.job.id: o.error for o in outcomes if o.error},
    }


def print_report(outcomes: Sequence[Outcome], *, worst: int, examples: int) -> None:
    """Print the table, the worst documents, and examples of what went wrong."""
    _print_table(by_domain(outcomes))
    for outcome in outcomes:
        if outcome.error:
            print(f"FAILED {outcome.job.id}: {outcome.error}")
    _print_worst(outcomes, worst)
    _print_examples(outcomes, examples)


def _print_table(rows: dict[str, Sums]) -> None:
    print(f"{'domain':10}{'docs':>6}" + "".join(f"{name:>14}" for name in _COUNTS) + f"{'share':>9}")
    for name, r in rows.items():
        counts = "".join(f"{r.counts[count]:>14}" for count in _COUNTS)
        print(f"{name:10}{r.documents:>6}{counts}" + ("" if r.share is None else f"{r.share:>9.4f}"))


def _print_worst(outcomes: Sequence[Outcome], count: int) -> None:
    missing = sorted(outcomes, key=lambda o: len(o.isolation.misses), reverse=True)
    print("\nworst documents (most misses first)")
    for outcome in missing[:count]:
        result = outcome.isolation
        if result.misses:
            share = result.isolated / result.found
            mark = "  suspect" if outcome.job.suspect else ""
            print(f"  {outcome.job.id:24}{result.isolated:>6}/{result.found:<6}{share:>7.3f}{mark}")


def _print_examples(outcomes: Sequence[Outcome], count: int) -> None:
    missed: dict[tuple[str, str], list[tuple[str, Miss]]] = {}
    for outcome in outcomes:
        for miss in outcome.isolation.misses:
            missed.setdefault((outcome.job.domain, miss.category), []).append((outcome.job.id, miss))
    for (domain, category), found in sorted(missed.items(), key=lambda item: (item[0][0], -len(item[1]))):
        print(f"\n{domain}: {category}: {len(found)}")
        for document, miss in random.Random(_SEED).sample(found, min(count, len(found))):
            print(f"  {document} p. {miss.page}  {miss.title!r}")
            for kind, text in miss.objects:
                print(f"      {kind}: {_cut(text)}")


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _TEXT_WIDTH else text[: _TEXT_WIDTH - 1] + "…"
