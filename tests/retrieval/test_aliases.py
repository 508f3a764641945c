"""Names of metrics and topics, those that ship and those of people."""

from pathlib import Path

import pytest

from held.errors import FormatError, InputError
from held.retrieval.page_types import page_types
from held.retrieval.query import find_aliases, load_concepts, shipped_concepts


def names_found(question: str) -> list[str]:
    return [found.alias.text for found in find_aliases(question, shipped_concepts())]


def test_the_longest_name_is_meant() -> None:
    assert names_found("What is the net profit margin?") == ["net profit margin"]


def test_a_name_written_as_one_word_is_the_same_name() -> None:
    assert names_found("Is free cashflow improving?") == ["free cash flow"]


def test_a_name_is_not_found_by_the_only_word_of_it_that_tells() -> None:
    assert names_found("Is it a profitable business?") == []
    assert names_found("Which business units are there?") == ["business units"]
    assert names_found("Vitamin D and A") == []
    assert names_found("What is D&A?") == ["d&a"]


def test_a_chinese_name_stands_anywhere_in_the_characters() -> None:
    assert names_found("公司眼下有没有正在打的官司？") == ["官司"]


def test_every_page_that_a_name_leads_to_is_known() -> None:
    known = {kind.name for kind in page_types()}
    assert {page for meaning in shipped_concepts() for page in meaning.page_types} <= known


def test_no_name_means_two_things() -> None:
    texts = [name.text for meaning in shipped_concepts() for name in meaning.aliases]
    assert sorted({text for text in texts if texts.count(text) > 1}) == []


def test_people_add_names_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "names.txt"
    file.write_text("# ours\nload factor / 客座率 = seats sold @ notes\n", encoding="utf-8")
    (found,) = find_aliases("What was the load factor?", load_concepts(file))
    assert [part.text for part in found.concept.components] == ["seats sold"]
    assert found.concept.page_types == ("notes",)


def test_a_line_without_a_name_is_told_with_its_number(tmp_path: Path) -> None:
    file = tmp_path / "names.txt"
    file.write_text("\n= parts\n", encoding="utf-8")
    with pytest.raises(FormatError, match="line 2 has no name"):
        load_concepts(file)
    with pytest.raises(InputError, match="is not a readable file of names"):
        load_concepts(tmp_path / "none.txt")
