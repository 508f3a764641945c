"""Questions made from documents."""

import numpy as np
from research.retrieval.made_questions import Asking, made_questions

from held.document import Box, Document, Kind, PageRegion, PageSize, PhysicalObject
from held.hierarchy.pipeline import Hierarchy
from held.tree import Tree

TOPICS = ["harbour dues", "fishing quota", "sea rescue", "coastal roads", "tidal power", "river ferries"]


def report(seed: int) -> Hierarchy:
    """A report with a chapter and a table for each topic, which the text below names, too."""
    objects: list[PhysicalObject] = []
    parents: list[int] = []
    for topic in np.random.default_rng(seed).permutation(TOPICS):
        heading = len(objects)
        texts = [f"Report on {topic}", f"In this year {topic} rose as the council had hoped for. " * 3]
        texts += [f"Income from {topic}\t{seed}00\nSpending on {topic}\t300\n2020\t2021"]
        for text, kind in zip(texts, (Kind.PARAGRAPH, Kind.PARAGRAPH, Kind.TABLE), strict=True):
            objects.append(PhysicalObject(kind, text, (PageRegion(1, Box(0, 0, 9, 9)),)))
        parents += [-1, heading, heading]
    headings = dict.fromkeys(range(0, len(objects), 3), 1.0)
    document = Document(f"report {seed}", (PageSize(600, 800),), tuple(objects))
    return Hierarchy(document, Tree.from_parents(parents), headings, headings, 0, 0.0)


def test_a_heading_that_is_asked_for_is_hidden() -> None:
    only_topics = Asking(topics=2, figures=0, statements=0, strange_words=0)
    document, questions = made_questions(report(1), only_topics)
    assert len(questions) == 2
    for query, relevant in questions:
        assert relevant.sum() == 2
        assert all(query not in passage.path for passage in document.passages)


def test_a_question_for_a_figure_has_the_words_of_its_table() -> None:
    only_figures = Asking(topics=0, figures=3, statements=0, strange_words=0)
    document, questions = made_questions(report(1), only_figures)
    for query, relevant in questions:
        (table,) = (p for p, flag in zip(document.passages, relevant, strict=True) if flag)
        assert table.kind is Kind.TABLE
        assert any(line.split("\t")[0] in query for line in table.text.splitlines())


def test_the_same_seed_makes_the_same_questions() -> None:
    first, again, other = (made_questions(report(1), Asking(), seed=seed)[1] for seed in (0, 0, 1))
    assert [q.query for q in first] == [q.query for q in again] != [q.query for q in other]
