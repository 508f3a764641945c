"""Documents in other clothes: what is drawn anew, and what stays true."""

import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from held.corpus.store import LabelledDocument, truth
from held.document import Kind
from held.hierarchy.matching.nodes import MissingHeading
from held.metrics import Label
from held.numbering import follows, parse_number, resolve_letters
from held.numbering.numerals import chinese_value, roman_value
from held.training.augmentation import (
    Chances,
    add_contents,
    add_false_headings,
    add_parts,
    augment,
    drop_level,
    excerpt,
    remove_contents,
)
from held.training.augmentation_numbers import (
    chinese,
    from_nodes,
    letter,
    remove_numbers,
    renumber_headings,
    roman,
    to_nodes,
)
from held.training.augmentation_styles import draw_styles
from held.training.boosted_trainer import TreeSettings, prepare_documents
from held.tree import ROOT
from tests.training.small_corpus import BODY, small_document

NEVER = Chances(*[0.0] * len(Chances.__dataclass_fields__))
seeds = st.integers(0, 500)


def titles(labelled: LabelledDocument) -> list[str]:
    return [labelled.document.objects[i].text for i in labelled.headings]


def long_document(seed: int = 0) -> LabelledDocument:
    """Six chapters with two sections each."""
    one, two = small_document(seed), small_document(seed + 1)
    count = len(one.labels)
    return replace(
        one,
        document=replace(one.document, objects=one.document.objects + two.document.objects),
        labels=one.labels + two.labels,
        parents=one.parents + tuple(p if p == ROOT else p + count for p in two.parents),
        entries=one.entries + two.entries,
    )


def test_a_document_comes_back_from_its_nodes_as_it_was() -> None:
    labelled = small_document(3)
    assert from_nodes(to_nodes(labelled), labelled) == labelled


def test_a_missing_heading_keeps_its_place() -> None:
    plain = small_document(3)
    lost = MissingHeading("Lost", 1, 4, ROOT, 7)
    labelled = replace(plain, missing=(lost,))
    assert from_nodes(to_nodes(labelled), labelled).missing == (lost,)


@given(seeds)
def test_the_same_seed_gives_the_same_document(seed: int) -> None:
    assert augment(small_document(1), seed=seed) == augment(small_document(1), seed=seed)


def test_without_chances_nothing_changes() -> None:
    assert augment(small_document(1), seed=0, chances=NEVER) == small_document(1)


@given(seeds)
def test_whatever_is_drawn_the_labels_are_a_tree_under_headings(seed: int) -> None:
    found = augment(long_document(seed % 7), seed=seed)
    parents = [p for p in found.parents if p != ROOT]
    assert all(found.labels[p] is Label.HEADING for p in parents)
    assert len(truth(found).tree.parents()) == len(found.labels)


@given(seeds)
def test_new_looks_change_no_parent(seed: int) -> None:
    labelled = long_document()
    found = augment(labelled, seed=seed, chances=replace(NEVER, restyled=1.0))
    assert (found.parents, found.labels) == (labelled.parents, labelled.labels)


@given(seeds)
def test_headings_of_one_level_share_a_look(seed: int) -> None:
    found = augment(long_document(), seed=seed, chances=replace(NEVER, restyled=1.0))
    levels = found.levels()
    styles = {(levels[i], found.document.objects[i].style) for i in found.headings}
    assert len(styles) == len({level for level, _ in styles})


@given(st.integers(1, 8), seeds)
def test_sizes_never_grow_downwards(levels: int, seed: int) -> None:
    sizes = [look.size for look in draw_styles(levels, random.Random(seed))]
    assert sizes == sorted(sizes, reverse=True)


@given(st.integers(1, 60))
def test_numerals_are_read_back(value: int) -> None:
    assert roman_value(roman(value)) == value
    assert chinese_value(chinese(value)) == value


def test_letters_go_on_after_z() -> None:
    assert [letter(n) for n in (1, 26, 27)] == ["A", "Z", "AA"]


@pytest.mark.parametrize("is_chinese", [False, True])
@given(seed=seeds)
def test_numbers_of_another_scheme_follow_each_other(is_chinese: bool, seed: int) -> None:
    labelled = long_document()
    found = from_nodes(
        renumber_headings(to_nodes(labelled), random.Random(seed), is_chinese=is_chinese), labelled
    )
    tops = [found.document.objects[i].text for i in found.headings if found.parents[i] == ROOT]
    numbers = [number for number in resolve_letters(map(parse_number, tops)) if number is not None]
    assert len(numbers) > 1
    assert all(follows(a, b) for a, b in pairwise(numbers))


@given(seeds)
def test_numbers_that_are_taken_leave_the_title(seed: int) -> None:
    labelled = long_document()
    found = from_nodes(remove_numbers(to_nodes(labelled), random.Random(seed)), labelled)
    assert {title.split()[-1] for title in titles(found)} == {"Chapter", "Section"}
    assert any(parse_number(title) is None for title in titles(found))


def test_a_level_that_is_dropped_hands_its_children_up() -> None:
    labelled = long_document()
    found = from_nodes(drop_level(to_nodes(labelled), random.Random(1)), labelled)
    assert set(found.levels()) <= {1, 2}
    assert len(found.headings) < len(labelled.headings)


@given(seeds)
def test_parts_stand_above_chapters_and_nothing_else_moves(seed: int) -> None:
    labelled = long_document()
    found = from_nodes(add_parts(to_nodes(labelled), BODY, random.Random(seed), is_chinese=False), labelled)
    depth = Counter(found.levels()[i] for i in found.headings)
    added = len(found.headings) - len(labelled.headings)
    assert added >= 1
    assert depth[3] > 0


@given(seeds)
def test_a_missing_chapter_among_parts_leaves_a_tree(seed: int) -> None:
    plain = long_document()
    fourth = [i for i in plain.headings if plain.parents[i] == ROOT][3]
    labelled = replace(plain, missing=(MissingHeading("Lost", 1, fourth, ROOT, 7),))
    nodes = add_parts(to_nodes(labelled), BODY, random.Random(seed), is_chinese=False)
    assert truth(from_nodes(nodes, labelled)).tree.size == len(nodes)


def test_an_excerpt_is_one_section_with_all_below_it() -> None:
    labelled = long_document()
    deep = from_nodes(add_parts(to_nodes(labelled), BODY, random.Random(0), is_chinese=False), labelled)
    found = from_nodes(excerpt(to_nodes(deep), random.Random(0)), deep)
    tops = [i for i in found.headings if found.parents[i] == ROOT]
    assert len(found.headings) >= 8
    assert set(titles(found)) <= set(titles(deep))
    assert len(tops) < len(found.headings)


def test_contents_can_be_invented_and_taken_away() -> None:
    labelled = long_document()
    listed = add_contents(to_nodes(labelled), BODY, random.Random(0))
    entries = [node for node in listed if node.item and node.item.kind is Kind.CONTENTS_ENTRY]
    assert len(entries) > 3
    assert from_nodes(remove_contents(listed), labelled) == labelled


def test_a_heading_that_was_taken_for_an_entry_of_the_contents_stays() -> None:
    plain = small_document(1)
    first, *rest = plain.document.objects
    assert plain.labels[0] is Label.HEADING
    entry = replace(first, kind=Kind.CONTENTS_ENTRY)
    labelled = replace(plain, document=replace(plain.document, objects=(entry, *rest)))
    assert from_nodes(remove_contents(to_nodes(labelled)), labelled) == labelled


def test_a_false_heading_looks_like_one_and_is_none() -> None:
    labelled = long_document()
    found = from_nodes(add_false_headings(to_nodes(labelled), random.Random(0)), labelled)
    assert found.labels == labelled.labels
    looks = {found.document.objects[i].style for i in found.headings}
    assert any(
        item.style in looks
        for item, label in zip(found.document.objects, found.labels, strict=True)
        if label is Label.BODY
    )


def test_boosted_trees_learn_from_a_document_and_from_it_in_other_clothes() -> None:
    documents = [small_document(seed) for seed in range(3)]
    found = prepare_documents(documents, TreeSettings(augmented=2))
    assert [known.id for known in found] == ["d0", "d0", "d0", "d1", "d1", "d1", "d2", "d2", "d2"]
    assert len({known.features.tobytes() for known in found}) > len(documents)
