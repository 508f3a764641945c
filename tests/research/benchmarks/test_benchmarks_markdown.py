from research.benchmarks.tools.markdown import Heading, headings_of, plain_title


def test_hashes_are_levels() -> None:
    assert headings_of([(3, "# One\ntext\n### Two ###")]) == [Heading(1, "One", 3), Heading(3, "Two", 3)]


def test_a_hash_without_a_space_or_in_the_middle_is_no_heading() -> None:
    assert headings_of([(1, "#hash\nissue # 3\n####### seven")]) == []


def test_a_heading_without_text_is_none() -> None:
    assert headings_of([(1, "# \n#\n## **  **")]) == []


def test_lines_of_code_are_no_headings() -> None:
    assert headings_of([(1, "```sh\n# comment\n```\n# Real")]) == [Heading(1, "Real", 1)]


def test_other_fences_do_not_end_code() -> None:
    assert headings_of([(1, "```\n~~~\n# comment\n```")]) == []


def test_the_page_may_be_unknown() -> None:
    assert headings_of([(None, "## Costs")]) == [Heading(2, "Costs", None)]


def test_marks_of_emphasis_links_and_tags_are_no_part_of_a_title() -> None:
    assert plain_title("**1.2** _New_ [costs](#c)<br>of `x`") == "1.2 New costs of x"


def test_escaped_marks_and_underscores_in_words_stay() -> None:
    assert plain_title(r"1\. The \*star\* of snake_case") == "1. The *star* of snake_case"
