"""What a question asks for."""

from held.retrieval.query import SYNONYM_WEIGHT, asked


def test_words_that_hold_a_sentence_together_ask_for_nothing() -> None:
    assert asked("What was the net debt?").keys() >= {"net", "debt"}
    assert not asked("What was the net debt?").keys() & {"what", "was", "the"}


def test_another_name_is_asked_for_with_less_weight() -> None:
    found = asked("What is the capex of Acme?")
    assert found["capex"] == found["acme"] == 1
    assert found["property"] == found["expenditure"] == SYNONYM_WEIGHT


def test_a_name_of_several_words_must_stand_together() -> None:
    assert "position" in asked("total assets on the balance sheet")
    assert "position" not in asked("a sheet of paper in the balance")


def test_a_question_of_filling_words_asks_for_all_of_them() -> None:
    assert asked("What is it") == {"what": 1, "is": 1, "it": 1}
    assert asked("") == {}


def test_chinese_is_asked_for_by_pairs_of_characters() -> None:
    assert asked("营业收入是多少").keys() >= {"营业", "收入"}
    assert "多少" not in asked("营业收入是多少")
