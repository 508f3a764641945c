"""Passages are the leaves of the tree, with their place in it."""

from held.document import Kind
from held.retrieval.passages import MAX_JOINED_WORDS, split_into_passages
from tests.retrieval.made_hierarchies import hierarchy, thing

SENTENCE = "This is a sentence of its own."


def test_a_passage_knows_the_headings_above_it() -> None:
    made = hierarchy("0 (1 (2 3))", thing(SENTENCE), thing("Part"), thing("Chapter"), thing(SENTENCE))
    assert [(p.path, p.ancestors) for p in split_into_passages(made)] == [
        ((), ()),
        (("Part", "Chapter"), (1, 2)),
    ]


def test_position_counts_headings_among_the_siblings() -> None:
    made = hierarchy("(0 1 (2 3) 4)", *(thing(SENTENCE) for _ in range(5)))
    assert [(p.object, p.position, p.siblings) for p in split_into_passages(made)] == [
        (1, 1, 3),
        (3, 1, 1),
        (4, 3, 3),
    ]


def test_a_heading_without_children_is_a_passage() -> None:
    made = hierarchy("0 (1 2)", thing("Summary."), thing("Chapter"), thing(SENTENCE))
    assert [p.text for p in split_into_passages(made)] == ["Summary.", SENTENCE]


def test_scraps_of_one_page_are_one_passage() -> None:
    made = hierarchy("(0 1 2 3)", thing("Sales"), thing("Net sales"), thing("1,200 900"), thing(SENTENCE))
    assert [p.text for p in split_into_passages(made)] == ["Net sales\n1,200 900", SENTENCE]


def test_a_few_words_lead_into_the_paragraph_below_them() -> None:
    made = hierarchy("0 1 2", thing("What we sell"), thing(SENTENCE), thing(SENTENCE))
    assert [p.text for p in split_into_passages(made)] == [f"What we sell\n{SENTENCE}", SENTENCE]


def test_scraps_of_two_pages_stay_apart() -> None:
    made = hierarchy("0 1", thing("Net sales"), thing("Cost of sales", page=2))
    assert [p.pages for p in split_into_passages(made)] == [(1,), (2,)]


def test_scraps_with_a_section_between_them_stay_apart() -> None:
    made = hierarchy("0 (1 2) 3", thing("Net sales"), thing("Chapter"), thing(SENTENCE), thing("Costs"))
    assert len(split_into_passages(made)) == 3


def test_a_passage_of_scraps_does_not_grow_without_end() -> None:
    made = hierarchy(" ".join(map(str, range(1000))), *(thing("net sales of goods") for _ in range(1000)))
    assert max(len(p.text.split()) for p in split_into_passages(made)) <= MAX_JOINED_WORDS + 4


def test_a_table_takes_in_what_leads_into_it() -> None:
    table = thing("Cash\t5", Kind.TABLE)
    made = hierarchy("0 1 2 3", thing(SENTENCE), thing("In millions"), table, thing("Notes follow"))
    assert [(p.kind, p.object) for p in split_into_passages(made)] == [
        (Kind.PARAGRAPH, 0),
        (Kind.TABLE, 1),
        (Kind.PARAGRAPH, 3),
    ]


def test_a_figure_takes_in_its_caption() -> None:
    made = hierarchy("0 1", thing("Axis", Kind.FIGURE), thing("Figure 1. Growth by year.", Kind.CAPTION))
    assert [(p.kind, p.text) for p in split_into_passages(made)] == [
        (Kind.FIGURE, "Axis\nFigure 1. Growth by year.")
    ]


def test_neither_the_printed_contents_nor_a_lone_number_is_a_passage() -> None:
    made = hierarchy("0 1 2", thing("Chapter 1 5", Kind.CONTENTS_ENTRY), thing(SENTENCE), thing("48"))
    assert [p.text for p in split_into_passages(made)] == [SENTENCE]
