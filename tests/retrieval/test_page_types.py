"""What a page is, by the labels of its rows."""

from held.retrieval.page_types import PageWords, page_types, score_page_types
from held.retrieval.tokens import tokens

SHEET = """Consolidated balance sheets (in thousands)
 2021 2020 Cash and cash equivalents 10 9 Inventories 3 2
 Total current assets 20 19 Goodwill 4 4 Total assets 90 80 Accounts payable 7 6
 Total current liabilities 11 10 Long-term debt 30 31 Total liabilities 50 49 Retained earnings 30 28
 Common stock 1 1 Total equity 40 31 Total liabilities and equity 90 80"""
MENTION = (
    "See the balance sheets, where total assets and total liabilities are shown, for more about goodwill."
)


def kind(page: str, *texts: str) -> list[float]:
    column = [kind.name for kind in page_types()].index(page)
    pages = [PageWords(tokens(text), titles=text.split("\n")) for text in texts]
    found: list[float] = score_page_types(pages)[:, column].tolist()
    return found


def test_a_statement_is_known_by_its_rows_and_a_mention_is_none() -> None:
    assert kind("balance sheet", MENTION, SHEET) == [0, 1]
    assert kind("cash flow statement", MENTION, SHEET) == [0, 0]


def test_a_chinese_statement_is_known_by_its_rows() -> None:
    sheet = "1、合并资产负债表\n货币资金 10 9 应收账款 3 2 存货 2 1 流动资产合计 20 19 固定资产 9 8"
    sheet += " 资产总计 90 80 负债合计 5 4"
    assert kind("balance sheet", sheet) == [1]


def test_statements_of_parts_come_after_those_of_the_whole() -> None:
    first, _, later = kind("balance sheet", SHEET, MENTION, SHEET)
    assert first == 1 > later > 0.5


def test_an_analysis_of_a_statement_does_not_come_before_the_statement() -> None:
    analysis, _, sheet = kind("balance sheet", f"Analysis of {SHEET}", MENTION, SHEET)
    assert analysis < sheet == 1


def test_the_statement_of_the_parent_company_comes_after_that_of_the_whole() -> None:
    rows = "货币资金 10 9 应收账款 3 2 存货 2 1 流动资产合计 20 19 固定资产 9 8 资产总计 90 80 负债合计 5 4"
    parent, whole = kind("balance sheet", f"母公司资产负债表\n{rows}", f"合并资产负债表\n{rows}")
    assert parent < whole == 1


def test_a_document_without_pages_has_no_kinds() -> None:
    assert score_page_types([]).shape == (0, len(page_types()))
