"""What each variant of training is worth on documents of kinds that it has never seen, and on those it has.

A trial leaves some domains out of training, one after another or together, and judges the documents of
these; or it goes through grouped folds. Heading step, tree step with the true headings, and both: paths,
parents and TEDS. What a results file has already, for the same data and settings, is not run again, so that
a trial can be stopped at any time.
"""

from __future__ import annotations

import json
import random
import shutil
import time
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from research.result_file import write_result
from research.trees import measure
from research.trees.data import Case
from research.trees.stages import Place, Task, train_heading_step, train_tree_step

from held.headings import Floats
from held.headings.classifier import headings_at
from held.headings.object_features import FEATURES_VERSION
from held.hierarchy.pipeline import HeadingStep, TreeStep, heading_step, tree_step
from held.metrics import TreeCounts
from held.training.boosted_data import assign_folds
from held.training.boosted_trainer import BoostedHeadings, BoostedPutOrSkip

THRESHOLDS = (0.25, 0.35, 0.5, 0.65)
ALL_DOMAINS = "all"
BY_HAND = "by hand"
"""In place of a domain: the documents whose outline was made by hand and lists every heading."""


class Variant(NamedTuple):
    """A variant of training: the settings of either step that it changes."""

    name: str
    headings: Mapping[str, Any] = MappingProxyType({})
    placing: Mapping[str, Any] = MappingProxyType({})


_SECTIONS = (
    r"(^|_)(text_above|page_text|text_after|pages_to_next|span|inner|restarts|form_empty"
    r"|class_(opens|page_text|empty|span|inner|restarts)|resets(_back)?|touches(_back)?)$"
    r"|span_over$|(?<!wording_)inner_over$"
)
_COUNTERS = r"^(continues|counter_|restarts_counter|opens_counter)|goes_on$|its_next$"
VARIANTS = {
    way.name: way
    for way in (
        Variant("as shipped"),
        Variant("another seed of the tree step", placing={"seed": 10}),
        Variant("one stage", headings={"second": False}),
        Variant("complete outlines as others", headings={"complete": 1.0}, placing={"complete": 1.0}),
        Variant("without pages and sections", placing={"hidden": _SECTIONS}),
        Variant("without open counters", placing={"hidden": _COUNTERS}),
        Variant("without printed contents", placing={"hidden": r"contents|entry|must_stay_open"}),
        Variant("without running heads", placing={"hidden": r"run(s|ning)?(_|$)"}),
        Variant("without wording", placing={"hidden": "wording"}),
    )
}
"""What a trial compares; a new idea is a new entry, deleted again when it is settled."""


class Part(NamedTuple):
    """The cases to learn from and those to judge, under a name."""

    name: str
    seen: list[Case]
    judged: list[Case]


def leave_out_domains(cases: Sequence[Case], domains: Sequence[str], *, most: int) -> Part:
    """All cases of the domains to judge, and some of the others to learn from."""
    seen = [case for case in cases if case.domain not in domains and case.known.headings]
    judged = [case for case in cases if case.domain in domains and not case.silver]
    return Part("+".join(domains), balance_domains(seen, most), judged)


def split_into_folds(cases: Sequence[Case], domain: str, *, folds: int, most: int) -> list[Part]:
    """Grouped folds of a domain, of all, or of those by hand; of the others some are always learnt from."""
    own = [case for case in cases if _is_of(case, domain)]
    rest = [case for case in cases if not _is_of(case, domain)]
    others = balance_domains([case for case in rest if case.known.headings], most)
    fold = assign_folds([case.known for case in own], folds, seed=1)
    parts = []
    for k in range(folds):
        learnt = [case for case, f in zip(own, fold, strict=True) if f != k and case.known.headings]
        judged = [case for case, f in zip(own, fold, strict=True) if f == k and not case.silver]
        judged_groups = {case.known.group for case in judged}
        unrelated = [case for case in others if case.known.group not in judged_groups]
        parts.append(Part(f"{domain} fold {k + 1} of {folds}", [*unrelated, *learnt], judged))
    return parts


def _is_of(case: Case, domain: str) -> bool:
    return case.by_hand if domain == BY_HAND else domain in (case.domain, ALL_DOMAINS)


def keep_one_domain(part: Part, domain: str) -> Part:
    """What a part has of one domain: the same documents are judged, and only their like learnt from."""
    seen, judged = ([case for case in cases if case.domain == domain] for cases in (part.seen, part.judged))
    return Part(f"{part.name}, {domain} alone", seen, judged)


def balance_domains(cases: Sequence[Case], most: int) -> list[Case]:
    """At most so many cases, as many of each domain as there are, or as all can have alike."""
    by_domain: dict[str, list[Case]] = {}
    for case in cases:
        by_domain.setdefault(case.domain, []).append(case)
    room, chosen = most, []
    waiting = sorted(by_domain.values(), key=len)
    for place, own in enumerate(waiting):
        share = room // (len(waiting) - place)
        kept = own if len(own) <= share else random.Random(0).sample(own, share)
        room -= len(kept)
        chosen += kept
    return sorted(chosen, key=lambda case: case.known.id)


def run(
    part: Part,
    way: Variant,
    headings: BoostedHeadings,
    placing: BoostedPutOrSkip,
    place: Place,
    *,
    brief: bool = False,
) -> dict[str, Any]:
    """The figures of a variant of training on a part, from the results file where it has them.

    In brief they are those of the usual threshold, without TEDS.
    """
    finding = replace(headings, **way.headings)
    putting = replace(placing, **way.placing)
    origin = {
        "data": place.hash,
        "features": FEATURES_VERSION,
        "settings": [asdict(finding), asdict(putting)],
        "seen": len(part.seen),
    }
    path = place.work / f"{part.name} - {way.name}.json".replace(" ", "_")
    if path.exists():
        stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if stored["origin"] == origin:
            return stored
    started = time.process_time()
    figures = _figures(part, way, finding, putting, place, brief=brief)
    result = {"origin": origin, "seconds": round(time.process_time() - started), **figures}
    place.work.mkdir(parents=True, exist_ok=True)
    write_result(path, result)
    return result


def trained_steps(part: Part, way: Variant, place: Place) -> tuple[HeadingStep, TreeStep]:
    """The steps that a trial of a variant has kept."""
    folder = _folder(part, way, place)
    return heading_step(folder), tree_step(folder)


def kept_trials(work: Path) -> Iterator[tuple[Path, list[str]]]:
    """The models of each trial as shipped, and the ids of those documents that no trial before has judged.

    Folds come first, so that a document is judged by models that know its domain where there are such.
    """
    done: set[str] = set()
    found = work.glob("*_-_as_shipped.json")
    for path in sorted(found, key=lambda path: ("_fold_" not in path.name, path.name)):
        judged = json.loads(path.read_text(encoding="utf-8"))["both by document"].keys()
        yield work / "models" / path.stem, sorted(judged - done)
        done |= judged


def _folder(part: Part, way: Variant, place: Place) -> Path:
    """Where the models of a way are kept."""
    return place.work / "models" / f"{part.name} - {way.name}".replace(" ", "_")


def _figures(
    part: Part,
    way: Variant,
    finding: BoostedHeadings,
    putting: BoostedPutOrSkip,
    place: Place,
    *,
    brief: bool,
) -> dict[str, Any]:
    """The figures of a variant of training; its models are kept, and taken from where they are kept."""
    models = _folder(part, way, place)
    task = Task(part.seen, finding, putting, models, place)
    _share_heading_step(task, part)
    train_tree_step(task)
    finder, step = trained_steps(part, way, place)
    probabilities = measure.probabilities(part.judged, finder)
    found = [finder.headings(own) for own in probabilities]
    figures = _judge_trees(part.judged, found, step, alike=not brief)
    if brief:
        return figures
    return {**figures, "thresholds": {str(t): _at(part.judged, probabilities, t, step) for t in THRESHOLDS}}


def _share_heading_step(task: Task, part: Part) -> None:
    """Puts a heading step, and what it finds unseen, into the task's folder: one for all ways that agree."""
    settings = json.dumps([asdict(task.finding), [case.known.id for case in task.learnt]])
    name = f"{part.name} {zlib.crc32(settings.encode()):08x}".replace(" ", "_")
    shared = replace(task, folder=task.place.work / "models" / name)
    train_heading_step(shared)
    task.folder.mkdir(parents=True, exist_ok=True)
    for file in shared.folder.iterdir():
        if file.is_file():
            shutil.copy(file, task.folder)


def _at(
    cases: Sequence[Case], probabilities: Sequence[Floats], threshold: float, placer: TreeStep
) -> dict[str, Any]:
    """What both steps make of the cases if headings are found from another probability on."""
    found = [headings_at(threshold, own) for own in probabilities]
    trees = measure.tree_table(cases, measure.insertions(cases, found, placer))
    matches = measure.heading_table(cases, found)
    return {
        domain: {
            "F1": round(matches[domain].f1, 4),
            "paths": round(own.paths.value, 4),
            "parents": round(own.parents.value, 4),
        }
        for domain, own in trees.items()
    }


def _count_right(counts: TreeCounts) -> list[int]:
    """Right paths and all, right parents and all."""
    return [counts.paths.right, counts.paths.total, counts.parents.right, counts.parents.total]


def _judge_trees(
    cases: Sequence[Case], found: Sequence[Sequence[int]], placer: TreeStep, *, alike: bool = True
) -> dict[str, Any]:
    """Heading F1, and of both trees the paths, parents and TEDS, by domain; TEDS takes long."""
    given = measure.insertions(cases, measure.true_headings(cases), placer)
    both = measure.insertions(cases, found, placer)
    matches = measure.heading_table(cases, found)
    tables: dict[str, Any] = {
        "F1": {domain: round(m.f1, 4) for domain, m in matches.items()},
        "matches": {domain: asdict(m) for domain, m in matches.items()},
        "documents": Counter(case.domain for case in cases),
    }
    for name, trees in (("given", given), ("both", both)):
        tables[f"{name} by document"] = {
            case.known.id: _count_right(measure.counts(case, tree))
            for case, tree in zip(cases, trees, strict=True)
        }
        counts = measure.tree_table(cases, trees)
        similar = measure.similarities(cases, trees) if alike else {}
        tables[name] = {
            domain: {
                "paths": round(own.paths.value, 4),
                "of headings": round(own.heading_paths.value, 4),
                "parents": round(own.parents.value, 4),
                "TEDS": round(similar[domain], 4) if alike else None,
                "objects": own.paths.total,
                "headings": own.heading_paths.total,
                "found": own.parents.total,
            }
            for domain, own in counts.items()
        }
    reach = measure.reachable(cases, given)
    for domain, share in reach.items():
        tables["given"][domain]["reachable"] = round(share.value, 4)
    return tables
