"""The paper's last table on our questions: BM25, each feature, all four, and ours, under three trees."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from research.retrieval.data import TREES, Case, cases_of, questions_in
from research.retrieval.figures import Values, page_values, passage_values, summary, values_of_pages
from research.retrieval.learn import Learning, ties_by, unseen_scores

from held.paper.ranker import PAPER_FEATURES, paper_features
from held.retrieval.bm25 import Floats, bm25, build_inverted_index
from held.retrieval.query import parse_question
from held.retrieval.ranker import FEATURES, match_features, score_passages
from held.retrieval.tokens import tokens

POINTWISE = Learning()
WITHIN = Learning(objective="lambdarank")  # the same trees, for comparing the passages of one question
LISTWISE = Learning(objective="lambdarank", leaves=7, smallest_leaf=60, rising=FEATURES)
BASE = "BM25"
PAGES = "BM25, pages as units"
SHIPPED = "ours, as shipped"
GROUPS = ("all", "40 pages and more", "under 40 pages", "test")
SHOWN = ("recall@1", "recall@5", "recall@10", "hit@10")
PAPERS_OWN = {
    "BM25": (0.149, 0.083, 0.296, 0.412),
    "+ BM25AncMax": (0.269, 0.184, 0.376, 0.465),
    "+ SameWordAnc": (0.223, 0.126, 0.336, 0.487),
    "+ Pos": (0.254, 0.165, 0.403, 0.519),
    "+ PosRatio": (0.219, 0.127, 0.335, 0.478),
    "+ all four": (0.338, 0.218, 0.471, 0.576),
}


def measure(tree: str, options: argparse.Namespace) -> dict[str, Any]:
    """Every row under one tree, over all questions, each judged by trees that do not know its company."""
    questions = questions_in(options.data)
    return {
        "settings": {"pointwise": asdict(POINTWISE), "listwise": asdict(LISTWISE), "features": FEATURES},
        "questions": len(questions),
        "companies": len({question.company for question in questions}),
        "rows": table_of(cases_of(questions, options.data, options.cache, tree=tree)),
    }


def table_of(cases: Sequence[Case]) -> dict[str, Any]:
    """For each row, level and group of questions its figures, paired against BM25."""
    which = groups_of(cases)
    rows: dict[str, Any] = {}
    base: dict[str, Values] = {}
    for name, scores in table_scores(cases):
        levels = {"passages": passage_values(cases, scores), "pages": page_values(cases, scores)}
        base = base or levels
        rows[name] = {
            level: {group: summary(values, base[level], which=which[group]) for group in GROUPS}
            for level, values in levels.items()
        }
    values = values_of_pages(cases, list(map(page_bm25, cases)))
    rows[PAGES] = {"pages": {group: summary(values, base["pages"], which=which[group]) for group in GROUPS}}
    return rows


def table_scores(cases: Sequence[Case]) -> Iterator[tuple[str, list[Floats]]]:
    """Each row of the table with its scores; BM25 comes first."""
    first: list[Floats] = []
    for name, scores in scored_by_the_paper(cases):
        first = first or scores
        yield name, scores
    ours = [match_features(parse_question(case.question.text), case.document) for case in cases]
    learnt = unseen_scores(cases, ours, FEATURES, LISTWISE)
    yield "ours, learnt here", [ties_by(s, f) for s, f in zip(learnt, first, strict=True)]
    yield SHIPPED, [score_passages(case.question.text, case.document) for case in cases]


def scored_by_the_paper(
    cases: Sequence[Case], learning: Learning = POINTWISE
) -> Iterator[tuple[str, list[Floats]]]:
    """BM25, each feature of the paper beside it, and all of them: each row with its scores."""
    paper = [paper_features(case.question.text, case.document) for case in cases]
    first = [columns_of(features, [BASE])[:, 0] for features in paper]
    yield BASE, first
    with_another = {f"+ {name}": (BASE, name) for name in PAPER_FEATURES if name != BASE}
    for name, columns in (with_another | {"+ all four": PAPER_FEATURES}).items():
        chosen = [columns_of(features, columns) for features in paper]
        learnt = unseen_scores(cases, chosen, columns, learning)
        yield name, [ties_by(s, f) for s, f in zip(learnt, first, strict=True)]


def columns_of(features: Floats, names: Sequence[str]) -> Floats:
    """Some of the columns `PAPER`."""
    return features[:, [PAPER_FEATURES.index(name) for name in names]]


def page_bm25(case: Case) -> Floats:
    """The score of each page, its whole text as one unit."""
    return bm25(build_inverted_index([tokens(text) for text in case.page_texts]), tokens(case.question.text))


def groups_of(cases: Sequence[Case]) -> dict[str, list[bool]]:
    """Which questions are in each of `GROUPS`."""
    short = [case.short for case in cases]
    test = [case.question.split == "test" for case in cases]
    members = ([True] * len(cases), np.logical_not(short).tolist(), short, test)
    return dict(zip(GROUPS, members, strict=True))


def file_of(tree: str) -> str:
    """The name of the file that holds the results under a tree."""
    return f"tree-{tree.replace(' ', '-')}.json"


def markdown(folder: Path) -> str:
    """The tables of a folder of results in Markdown, the paper's figures beside ours."""
    trees = {
        tree: json.loads((folder / file_of(tree)).read_text(encoding="utf-8"))["rows"]
        for tree in TREES
        if (folder / file_of(tree)).is_file()
    }
    parts = [_section(trees["ours"], level, group) for level in ("passages", "pages") for group in GROUPS]
    return "\n\n".join([*parts, _by_tree(trees)]) + "\n"


def _section(rows: dict[str, Any], level: str, group: str) -> str:
    shown = {name: row[level][group] for name, row in rows.items() if level in row}
    count = next(iter(shown.values()))["questions"]
    lines = [f"**{level.capitalize()}, {group}** ({count} questions, our tree)", ""]
    lines += [
        "| | mAP | against BM25 | recall@1 | recall@5 | recall@10 | hit@10 | paper: mAP, recall@1/5/10 |"
    ]
    lines += ["| --- " * 8 + "|"]
    for name, figures in shown.items():
        own = PAPERS_OWN.get(name) if level == "passages" and group == "all" else None
        cells = [
            name,
            _with_interval(figures["mAP"]),
            _gain(figures["mAP"]),
            *(
                f"{figures[measure]['mean']:.3f}"
                for measure in ("recall@1", "recall@5", "recall@10", "hit@10")
            ),
            " / ".join(f"{value:.3f}" for value in own) if own else "",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _by_tree(trees: dict[str, Any]) -> str:
    lines = ["**The tree's worth** (all questions)", ""]
    lines += ["| | " + " | ".join(f"{tree}: mAP, page recall@10" for tree in trees) + " |"]
    lines += ["| --- " * (len(trees) + 1) + "|"]
    for name in next(iter(trees.values())):
        if name == PAGES:
            continue
        cells = [
            f"{rows[name]['passages']['all']['mAP']['mean']:.3f}, "
            f"{rows[name]['pages']['all']['recall@10']['mean']:.3f}"
            for rows in trees.values()
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _with_interval(figure: dict[str, Any]) -> str:
    low, high = figure["interval"]
    return f"{figure['mean']:.3f} ({low:.3f}–{high:.3f})"


def _gain(figure: dict[str, Any]) -> str:
    difference = figure["difference"]
    low, high = difference["interval"]
    return f"{difference['mean']:+.3f} ({low:+.3f} to {high:+.3f})"
