"""The page of the architecture: drawn from the source, and current."""

from docs.architecture_page import PAGE, architecture_page, plain_uses


def test_the_page_of_the_architecture_is_drawn_from_the_source() -> None:
    assert architecture_page() == PAGE.read_text("utf-8"), "run: python -m docs.architecture_page"


def test_a_use_that_follows_from_others_is_not_drawn() -> None:
    uses = {"a": frozenset[str](), "b": frozenset({"a"}), "c": frozenset({"a", "b"})}
    assert plain_uses(uses) == {**uses, "c": frozenset({"b"})}
