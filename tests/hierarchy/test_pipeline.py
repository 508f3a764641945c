"""From a document to its tree, with the weights that ship."""

import subprocess
import sys
from dataclasses import replace

import pytest

from held.document import (
    Box,
    Document,
    Kind,
    PageContent,
    PageRegion,
    Pages,
    PageSize,
    PhysicalObject,
    Run,
    Style,
)
from held.hierarchy.insertion import Alternative, Strategy
from held.hierarchy.pipeline import HeadingSource, TreeOptions, build_tree, build_trees, likely_alternatives
from held.tree import ROOT
from tests.operations import operations

BODY, BOLD = Style("Serif", 10.0), Style("Serif", 14.0, bold=True)
TEXT = "Running text goes on and on, as it does in documents, until it comes to its end here."


def document(*texts: tuple[str, Style]) -> Document:
    """Objects from top to bottom, twenty to a page."""
    objects = []
    for place, (text, style) in enumerate(texts):
        y0 = 80.0 + 32 * (place % 20)
        part = PageRegion(1 + place // 20, Box(72, y0, 72 + 5.0 * min(len(text), 90), y0 + style.size * 1.2))
        objects.append(
            PhysicalObject(
                Kind.PARAGRAPH,
                text,
                (part,),
                style,
                gap_above=14,
                gap_below=14,
                relative_size=style.size / 10,
            )
        )
    pages = (PageSize(612, 792),) * (1 + len(texts) // 20)
    return Document("test", pages, tuple(objects), body=BODY)


def report(chapters: int) -> Document:
    parts = []
    for chapter in range(1, chapters + 1):
        parts += [(f"{chapter} Chapter of things", BOLD), (TEXT, BODY)]
        for section in (1, 2):
            parts += [
                (f"{chapter}.{section} Section of things", Style("Serif", 12.0, bold=True)),
                (TEXT, BODY),
            ]
    return document(*parts)


def test_sections_hang_under_chapters_and_text_under_its_heading() -> None:
    parents = build_tree(report(4)).tree.parents()
    assert [parents[i] for i in range(6)] == [ROOT, 0, 0, 2, 0, 4]
    assert parents[6] == ROOT


def test_a_title_that_is_continued_heads_nothing() -> None:
    texts = [(item.text, item.style or BODY) for item in report(3).objects]
    found = build_tree(document(*texts, ("3 Chapter of things (continued)", BOLD), (TEXT, BODY)))
    assert len(texts) not in found.headings


def test_every_heading_has_two_probabilities() -> None:
    found = build_tree(report(4))
    assert found.headings.keys() == found.confidence.keys() == set(range(0, 24, 2))
    assert all(0 < p <= 1 for p in (*found.headings.values(), *found.confidence.values()))


def test_the_pre_order_of_the_tree_is_the_reading_order() -> None:
    found = build_tree(report(7))
    assert found.tree.pre_order() == tuple(range(len(found.document.objects)))


def test_a_document_without_a_heading_hangs_under_the_root() -> None:
    found = build_tree(document(*[(TEXT, BODY)] * 30))
    assert set(found.tree.parents().values()) == {ROOT}
    assert found.headings == {}


def test_a_document_without_objects_has_an_empty_tree() -> None:
    assert build_tree(replace(report(1), objects=())).tree.size == 0


def test_a_document_of_headings_alone_has_a_tree_of_all_of_them() -> None:
    titles = [
        (f"{a}.{b} Things of note" if b else f"{a} Things", BOLD) for a in range(1, 9) for b in range(3)
    ]
    found = build_tree(document(*titles))
    assert found.tree.size == len(titles)
    assert found.tree.pre_order() == tuple(range(len(titles)))


def test_documents_advanced_together_get_the_trees_they_get_alone() -> None:
    documents = [report(2), report(9), document((TEXT, BODY))]
    assert [h.tree for h in build_trees(documents)] == [build_tree(d).tree for d in documents]


def test_a_beam_gives_a_tree_that_is_no_less_likely() -> None:
    greedy = build_tree(report(6))
    beam = build_tree(report(6), TreeOptions(strategy=Strategy(width=4, normalise=True)))
    assert beam.log_probability >= greedy.log_probability - 1e-6


def test_pages_are_recognised_first() -> None:
    runs = (Run(72, 80, 200, 94, 1, "1 Start"), Run(72, 110, 500, 120, 0, TEXT))
    pages = Pages("test", (BODY, BOLD), (PageContent(612, 792, runs),))
    assert build_tree(pages).tree.size == 2


def test_four_times_the_objects_are_some_four_times_the_work() -> None:
    build_tree(report(2))  # loads the weights
    small, large = report(25), report(100)
    assert operations(lambda: build_tree(large)) < 5 * operations(lambda: build_tree(small))


def test_the_pipeline_needs_nothing_of_training() -> None:
    script = "import sys; from held.hierarchy import pipeline; pipeline._steps('base'); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    imported = set(done.stdout.split())
    assert "held.hierarchy.pipeline" in imported
    assert not imported & {"torch", "lightgbm", "onnx", "sklearn", "held.metrics"}


def called_headings(document: Document, *places: int) -> Document:
    objects = [
        replace(item, kind=Kind.HEADING) if place in places else item
        for place, item in enumerate(document.objects)
    ]
    return replace(document, objects=tuple(objects))


def test_headings_that_the_document_names_are_taken_for_headings() -> None:
    found = build_tree(called_headings(report(4), 0, 1, 6))
    assert found.headings == {0: 1.0, 1: 1.0, 6: 1.0}


def test_the_models_own_headings_are_taken_on_request() -> None:
    found = build_tree(called_headings(report(4), 0, 1, 6), TreeOptions(headings=HeadingSource.FOUND))
    assert set(found.headings) == set(range(0, 24, 2))


def test_without_headings_in_the_document_none_are_given() -> None:
    assert build_tree(report(2), TreeOptions(headings=HeadingSource.GIVEN)).headings == {}


def test_what_the_place_leaves_goes_to_the_alternatives() -> None:
    found = build_tree(document(*[(text, BOLD) for text in ("Annex", "Maps", "Tables", "1 a", "Notes") * 4]))
    for heading, others in found.alternatives.items():
        assert found.confidence[heading] + sum(p for _, p in others) <= 1.001


def test_only_alternatives_of_some_probability_are_close() -> None:
    others = (Alternative(3, 0.08), Alternative(ROOT, 0.02))
    assert likely_alternatives(others, 0.9, 0.8) == ((3, pytest.approx(0.16)),)
    assert likely_alternatives((), 1.0, 1.0) == ()


def test_progress_counts_the_headings_of_all_documents() -> None:
    told: list[tuple[int, int]] = []
    found = build_trees([report(2), report(3)], progress=lambda done, total: told.append((done, total)))
    total = sum(len(hierarchy.headings) for hierarchy in found)
    assert (told[0], told[-1]) == ((0, total), (total, total))
