"""The table of heading rules as a whole; each rule with examples has a test module of its own."""

from __future__ import annotations

import numpy as np
import pytest

from held.document import Box, Kind, PageRegion, PhysicalObject
from held.headings.object_features import object_features
from held.headings.rules import EXCLUSIONS, RULES, AtLeast, AtMost, Rule, apply_rules
from held.hierarchy.pipeline import TreeOptions, build_tree
from tests.headings.test_toc_features import BODY, document


def paragraph(text: str, kind: Kind = Kind.PARAGRAPH) -> PhysicalObject:
    return PhysicalObject(kind, text, (PageRegion(1, Box(72, 100, 400, 112)),), BODY)


def test_rules_have_names_reasons_and_evidence() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert all(rule.reason.endswith(".") and rule.evidence for rule in RULES)


@pytest.mark.parametrize("rules", [RULES, EXCLUSIONS])
def test_tables_and_empty_texts_are_no_headings_whatever_a_model_says(rules: tuple[Rule, ...]) -> None:
    objects = object_features(document(paragraph("1 Aim"), paragraph("1 Aim", Kind.TABLE), paragraph("")))
    found = apply_rules(rules, np.full(3, 0.9, np.float32), objects, 0.35)
    assert found.tolist() == pytest.approx([0.9, 0, 0])


def test_a_continued_title_is_no_heading() -> None:
    objects = object_features(document(paragraph("Ships"), paragraph("Ships (continued)")))
    found = apply_rules(RULES, np.full(2, 0.9, np.float32), objects, 0.35)
    assert found.tolist() == pytest.approx([0.9, 0])


def test_effects_bound_probabilities() -> None:
    given = np.array([0.1, 0.9], np.float32)
    assert AtMost(0.5).apply(given).tolist() == pytest.approx([0.1, 0.5])
    assert AtLeast(0.5).apply(given).tolist() == pytest.approx([0.5, 0.9])


def test_a_rule_is_switched_off_by_its_name_for_one_call() -> None:
    titles = [item for _ in range(3) for item in (paragraph("1 Ships"), paragraph("What is said of them."))]
    given = document(*titles, paragraph("1 Ships (continued)"))
    before = build_tree(given)
    build_tree(given, TreeOptions(disabled=frozenset({"continued title"})))
    assert build_tree(given) == before
