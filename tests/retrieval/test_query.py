"""What a question asks for."""

from held.retrieval.query import (
    ALIAS_WEIGHT,
    DOCUMENT_NAME_WEIGHT,
    YEAR_WEIGHT,
    parse_question,
    without_document_name,
    word_count,
)


def test_words_that_hold_a_sentence_together_ask_for_nothing() -> None:
    words = parse_question("What was the net debt?").words
    assert words.keys() >= {"net", "debt"}
    assert not words.keys() & {"what", "was", "the"}


def test_another_name_is_asked_for_with_less_weight() -> None:
    found = parse_question("What is the capex of Acme?").words
    assert found["capex"] == found["acme"] == 1
    assert 0 < found["expenditure"] <= ALIAS_WEIGHT


def test_a_name_within_the_name_that_was_said_is_asked_for_in_full() -> None:
    phrases = parse_question("How much was paid in dividends?").phrases
    assert phrases["paid", "dividend"] == phrases["dividend",] == 1
    assert phrases["cash", "dividend", "paid"] == ALIAS_WEIGHT


def test_a_name_of_several_words_must_stand_together() -> None:
    assert "position" in parse_question("total assets on the balance sheet").words
    assert "position" not in parse_question("a sheet of paper in the balance").words


def test_a_metric_leads_to_the_statement_that_has_it() -> None:
    assert parse_question("How much is the capex?").page_types == {"cash flow statement"}
    assert parse_question("2023年的净利润是多少？").page_types == {"income statement"}
    assert parse_question("Who founded the firm?").page_types == frozenset()


def test_every_statement_that_is_asked_for_counts_alike() -> None:
    question = parse_question("Divide revenue, cost of sales and net income by total assets.")
    assert question.page_types == {"income statement", "balance sheet"}


def test_dividends_that_were_paid_stand_in_the_cash_flow_statement() -> None:
    assert parse_question("How much was paid in dividends?").page_types == {"cash flow statement"}
    assert parse_question("What is the dividend policy?").page_types == frozenset()


def test_a_sentence_that_says_how_to_answer_asks_for_nothing_but_its_statement() -> None:
    question = parse_question("What is the COGS of Acme? Answer in USD millions, using the income statement.")
    assert "usd" not in question.own_words
    assert question.page_types == {"income statement"}


def test_a_word_that_is_common_everywhere_weighs_less() -> None:
    words = parse_question("Which system do pilots use?").words
    assert words["system"] < words["pilot"] == 1


def test_a_year_weighs_little() -> None:
    assert parse_question("dividends in FY2022").words["2022"] == YEAR_WEIGHT


def test_the_documents_own_name_does_not_choose_passages() -> None:
    question = without_document_name(parse_question("What drove sales at Acme?"), {"acme", "sale", "report"})
    assert question.words["acme"] == DOCUMENT_NAME_WEIGHT
    assert "acme" not in question.own_words
    assert "sale" in question.own_words


def test_a_question_of_filling_words_asks_for_all_of_them() -> None:
    assert parse_question("What is it").words.keys() == {"what", "is", "it"}
    assert parse_question("").words == {}


def test_chinese_is_asked_for_by_pairs_of_characters() -> None:
    words = parse_question("营业收入是多少").words
    assert words.keys() >= {"营业", "收入"}
    assert "多少" not in words


def test_a_pair_of_characters_over_the_end_of_a_word_asks_for_nothing() -> None:
    asked = parse_question("公司的客户丢了几家？").own_words
    assert {"公司", "客户"} <= set(asked)
    assert not {"司的", "的客", "丢了", "了几", "几家"} & set(asked)


def test_what_asks_in_chinese_leaves_no_pair_over_the_end_of_a_word() -> None:
    assert parse_question("审计费是多少？").own_words == ("审计", "计费")
    assert parse_question("为什么停航？").own_words == ("停航",)
    assert parse_question("何时开始").own_words == ("开始",)


def test_a_question_for_how_many_asks_for_a_number() -> None:
    assert parse_question("How many people work there?").asks_number
    assert parse_question("公司有多少员工？").asks_number
    assert not parse_question("Who works there?").asks_number


def test_two_pairs_of_chinese_characters_count_as_one_word() -> None:
    assert word_count(("线程", "程池")) == 1
    assert word_count(("thread", "pool")) == 2
