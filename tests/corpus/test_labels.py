"""Labels and parents from outlines."""

from hypothesis import given
from hypothesis import strategies as st

from held.corpus.store import LabelledDocument, Origin, label_document, truth
from held.document import Document, OutlineEntry
from held.metrics import Label
from tests.corpus.made_up import document, entry, head, item

H, B, U = Label.HEADING, Label.BODY, Label.UNKNOWN
ORIGIN = Origin("made-up")


def labelled(found: Document, *entries: OutlineEntry) -> LabelledDocument:
    return label_document(found, entries, ORIGIN)


def test_objects_hang_under_the_heading_before_them() -> None:
    found = labelled(
        document("Title page text.", "1 A", "some text.", "1.1 B", "more text.", "2 C", "the text."),
        entry("1 A"),
        entry("1.1 B", 2),
        entry("2 C"),
    )
    assert found.labels == (B, H, B, H, B, H, B)
    assert found.parents == (-1, -1, 1, 1, 3, -1, 5)
    assert found.entries == (-1, 0, -1, 1, -1, 2, -1)
    assert found.levels() == (1, 1, 2, 2, 3, 1, 2)


def test_a_heading_without_an_object_stays_where_it_points() -> None:
    objects = [item("1 A", y=100), item("some text.", y=120), item("more text.", y=300), item("2 C", y=500)]
    found = labelled(document(*objects), entry("1 A"), entry("Gone astray", 2, 1, 250.0), entry("2 C"))
    assert [(lost.title, lost.before, lost.parent, lost.entry) for lost in found.missing] == [
        ("Gone astray", 2, 0, 1)
    ]
    assert str(truth(found).tree) == "(0 1 (2 3)) 4"
    assert found.report.missing == 1


def test_the_children_of_a_missing_heading_hang_under_it() -> None:
    found = labelled(
        document("text.", "1.1 B", "more text.", "2 C"), entry("Gone astray"), entry("1.1 B", 2), entry("2 C")
    )
    assert found.parents == (4, 4, 1, -1)


def test_the_pieces_of_a_heading_beside_its_object_are_unknown() -> None:
    entries = (entry("Chapter 3 Harbours"), entry("Tides"))
    found = labelled(document("CHAPTER 3", "Harbours", "Ships come.", "Tides"), *entries)
    assert found.labels == (U, H, B, H)
    assert (found.report.in_pieces, found.report.aligned) == (1, 2)


def test_of_pieces_that_are_set_alike_the_first_is_the_heading() -> None:
    entries = (entry("Notes Years ended in January 2026 and 2025"), entry("Tides"))
    found = labelled(document("Notes", "Years ended in January 2026 and 2025", "Text.", "Tides"), *entries)
    assert found.labels == (H, U, B, H)


def test_the_title_above_all_entries_is_unknown() -> None:
    found = labelled(document("our report", "Alpha", "text."), entry("Our Report"), entry("Alpha", 2))
    assert (found.labels, found.report.lone_roots) == ((U, H, B), 1)


def test_an_unlisted_heading_is_unknown() -> None:
    objects = (head("Alpha"), item("text."), head("Beta"), item("text."), head("Gamma"), item("text."))
    found = labelled(document(*objects), entry("Alpha"), entry("Gamma"))
    assert found.labels == (H, B, U, B, H, B)
    assert found.report.unknown == 1


def test_in_a_document_labelled_by_hand_an_unlisted_line_is_no_heading() -> None:
    objects = (head("Alpha"), item("text."), head("Beta"), item("text."), head("Gamma"), item("text."))
    by_hand = Origin("made-up", labels_from="manual")
    found = label_document(document(*objects), [entry("Alpha"), entry("Gamma")], by_hand)
    assert found.labels == (H, B, B, B, H, B)
    assert found.complete


def test_the_pieces_of_its_headings_are_unknown_all_the_same() -> None:
    entries = (entry("Chapter 3 Harbours"), entry("Tides"))
    by_hand = Origin("made-up", labels_from="manual")
    found = label_document(document("CHAPTER 3", "Harbours", "Ships come.", "Tides"), entries, by_hand)
    assert found.labels == (U, H, B, H)


def test_a_suspect_document_is_dropped_with_the_reason() -> None:
    origin = Origin("made-up", suspect="suspect: levels wrong")
    found = label_document(document("A1", "B2", "C3"), [entry("A1"), entry("B2"), entry("C3")], origin)
    assert found.dropped == "suspect: levels wrong"


def test_every_entry_but_junk_stays_in_the_denominator() -> None:
    found = labelled(document("Alpha", "text."), entry("Alpha"), entry("Cover"), entry("Nowhere", page=None))
    assert (found.report.entries, found.report.junk, found.report.headings) == (3, 1, 2)


titles = st.sampled_from(["Alpha", "Beta", "1 Alpha", "Gamma", "Cover", "", "Nowhere to be seen"])
outlines = st.lists(
    st.builds(
        entry,
        titles,
        st.integers(1, 5),
        st.none() | st.integers(-2, 9),
        st.none() | st.floats(-50, 900),
    ),
    max_size=12,
)


@given(outlines, st.lists(titles | st.just("text."), max_size=12))
def test_any_outline_gives_a_tree_of_all_objects_and_headings(
    outline: list[OutlineEntry], texts: list[str]
) -> None:
    found = labelled(document(*texts), *outline)
    tree = truth(found).tree
    assert tree.size == len(texts) + len(found.missing)
    assert found.report.aligned == len(found.headings)
    listed = found.report.entries - found.report.junk - found.report.lone_roots
    assert listed == found.report.headings
