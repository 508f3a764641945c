"""What a question asks for."""

from held.retrieval.query import OTHER_NAME, OWN_NAME, YEAR, in_document, length_of, understood


def test_words_that_hold_a_sentence_together_ask_for_nothing() -> None:
    words = understood("What was the net debt?").words
    assert words.keys() >= {"net", "debt"}
    assert not words.keys() & {"what", "was", "the"}


def test_another_name_is_asked_for_with_less_weight() -> None:
    found = understood("What is the capex of Acme?").words
    assert found["capex"] == found["acme"] == 1
    assert 0 < found["expenditure"] <= OTHER_NAME


def test_a_name_within_the_name_that_was_said_is_asked_for_in_full() -> None:
    phrases = understood("How much was paid in dividends?").phrases
    assert phrases["paid", "dividend"] == phrases["dividend",] == 1
    assert phrases["cash", "dividend", "paid"] == OTHER_NAME


def test_a_name_of_several_words_must_stand_together() -> None:
    assert "position" in understood("total assets on the balance sheet").words
    assert "position" not in understood("a sheet of paper in the balance").words


def test_a_metric_leads_to_the_statement_that_has_it() -> None:
    assert understood("How much is the capex?").pages == {"cash flow statement"}
    assert understood("2023年的净利润是多少？").pages == {"income statement"}
    assert understood("Who founded the firm?").pages == frozenset()


def test_every_statement_that_is_asked_for_counts_alike() -> None:
    question = understood("Divide revenue, cost of sales and net income by total assets.")
    assert question.pages == {"income statement", "balance sheet"}


def test_dividends_that_were_paid_stand_in_the_cash_flow_statement() -> None:
    assert understood("How much was paid in dividends?").pages == {"cash flow statement"}
    assert understood("What is the dividend policy?").pages == frozenset()


def test_a_sentence_that_says_how_to_answer_asks_for_nothing_but_its_statement() -> None:
    question = understood("What is the COGS of Acme? Answer in USD millions, using the income statement.")
    assert "usd" not in question.asked
    assert question.pages == {"income statement"}


def test_a_word_that_is_common_everywhere_weighs_less() -> None:
    words = understood("Which system do pilots use?").words
    assert words["system"] < words["pilot"] == 1


def test_a_year_weighs_little_and_is_known_as_one() -> None:
    question = understood("dividends in FY2022")
    assert (question.words["2022"], question.years) == (YEAR, ("2022",))


def test_the_documents_own_name_does_not_choose_passages() -> None:
    question = in_document(understood("What drove sales at Acme?"), {"acme", "sale", "report"})
    assert question.words["acme"] == OWN_NAME
    assert "acme" not in question.asked
    assert "sale" in question.asked


def test_a_question_of_filling_words_asks_for_all_of_them() -> None:
    assert understood("What is it").words.keys() == {"what", "is", "it"}
    assert understood("").words == {}


def test_chinese_is_asked_for_by_pairs_of_characters() -> None:
    words = understood("营业收入是多少").words
    assert words.keys() >= {"营业", "收入"}
    assert "多少" not in words


def test_a_pair_of_characters_over_the_end_of_a_word_asks_for_nothing() -> None:
    asked = understood("公司的客户丢了几家？").asked
    assert {"公司", "客户"} <= set(asked)
    assert not {"司的", "的客", "丢了", "了几", "几家"} & set(asked)


def test_what_asks_in_chinese_leaves_no_pair_over_the_end_of_a_word() -> None:
    assert understood("审计费是多少？").asked == ("审计", "计费")
    assert understood("为什么停航？").asked == ("停航",)
    assert understood("何时开始").asked == ("开始",)


def test_a_question_for_how_many_asks_for_a_number() -> None:
    assert understood("How many people work there?").number
    assert understood("公司有多少员工？").number
    assert not understood("Who works there?").number


def test_two_pairs_of_chinese_characters_count_as_one_word() -> None:
    assert length_of(("线程", "程池")) == 1
    assert length_of(("thread", "pool")) == 2
