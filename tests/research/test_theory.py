"""Theory beside counts: a perfect judge asks what the closed forms say of the true tree of headings."""

from research.paper.theory import ORDERS, heading_tree, theory_of

from tests.training.small_corpus import small_document


def test_the_tree_of_headings_holds_the_headings_alone() -> None:
    labelled = small_document(1)
    assert len(heading_tree(labelled).parents()) == len(labelled.headings)


def test_the_forms_are_means_over_the_documents_of_a_domain() -> None:
    one, both = (theory_of([small_document(seed) for seed in seeds])["manuals"] for seeds in ((1,), (1, 1)))
    assert (one["documents"], both["documents"]) == (1, 2)
    assert one["ours"] == both["ours"]
    assert one["ours"]["ta"] == one["paper"]["ta"]


def test_ta_asks_at_least_as_much_as_the_others() -> None:
    own = theory_of([small_document(2)])["manuals"]["ours"]
    assert set(own) == set(ORDERS)
    assert own["ta"] >= max(own["r2l"], own["l2r"])
