"""`held search`: what is printed for a question."""

import json
from pathlib import Path

import pytest

from held.cli.search import render
from held.retrieval.search import Hit
from tests.cli.conftest import Held


@pytest.fixture
def index_file(held: Held, document_file: Path, tmp_path: Path) -> Path:
    path = tmp_path / "all.index"
    assert held("index", document_file, "-o", path).code == 0
    return path


@pytest.fixture
def tree_file(held: Held, document_file: Path, tmp_path: Path) -> Path:
    path = tmp_path / "tree.json"
    assert held("extract", document_file, "-o", path).code == 0
    return path


@pytest.mark.parametrize("where", ["index_file", "document_file", "pages_file", "tree_file"])
def test_an_index_and_any_file_can_be_asked(held: Held, where: str, request: pytest.FixtureRequest) -> None:
    result = held("search", request.getfixturevalue(where), "ships")
    assert result.code == 0
    assert "*Ships* come" in result.out
    assert ", page " in result.out


def test_a_tree_that_was_extracted_is_asked_as_it_is(held: Held, tree_file: Path) -> None:
    value = json.loads(tree_file.read_text())
    value["headings"], value["parents"] = [], [-1] * len(value["parents"])
    tree_file.write_text(json.dumps(value))
    (hit,) = json.loads(held("search", tree_file, "ships", "--format", "json").out)["hits"]
    assert hit["path"] == []


def test_a_model_for_a_tree_that_was_extracted_is_refused(held: Held, tree_file: Path) -> None:
    result = held("search", tree_file, "ships", "--model", "other")
    problem = "already contains a tree, which model would not change"
    advice = "give the PDF, or the `document` in the file"
    assert (result.code, result.out) == (2, "")
    assert result.err == f"held: {tree_file}: {problem} ({advice})\n"


def test_a_tree_of_another_version_is_one_line(held: Held, tree_file: Path) -> None:
    tree_file.write_text(tree_file.read_text().replace('"version": 2', '"version": 1', 1))
    result = held("search", tree_file, "ships")
    said = "held.tree version 1 is not known, only 2 (extract the document again with this version)"
    assert (result.code, result.err) == (1, f"held: {tree_file}: {said}\n")


def test_a_question_before_the_index_is_a_wrong_call(held: Held, index_file: Path) -> None:
    result = held("search", "ships", index_file)
    assert (result.code, result.err) == (
        2,
        f"held: {index_file}: is a file; give the file first, then the question\n",
    )


def test_json_has_all_of_a_hit(held: Held, index_file: Path, document_file: Path) -> None:
    (first,) = json.loads(held("search", index_file, "ships", "--format", "json").out)["hits"]
    assert first["text"].startswith("Ships come.")
    assert (first["page"], first["label"], first["score"] > 0) == (1, None, True)
    assert first["path"] == ["1 港口 Harbours"]
    assert (first["source"], first["missing"], first["matches"][0]) == (str(document_file), False, [0, 5])


def test_a_file_that_is_gone_is_told(held: Held, index_file: Path, document_file: Path) -> None:
    document_file.unlink()
    assert "file is gone" in held("search", index_file, "ships").out


def test_words_are_coloured_where_that_is_wanted(
    held: Held, index_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\033[1;33mShips\033[0m come" in held("search", index_file, "ships").out


def test_no_hit_is_said_and_is_no_error(held: Held, index_file: Path) -> None:
    result = held("search", index_file, "飞机", "--format", "json")
    assert (result.code, json.loads(result.out)) == (0, {"hits": []})
    assert "nothing found" in result.err


def test_an_empty_question_is_a_wrong_call(held: Held, document_file: Path) -> None:
    result = held("search", document_file, " ")
    assert (result.code, result.out) == (2, "")
    assert "no words" in result.err


def test_a_source_that_is_not_there_is_a_wrong_call(held: Held, index_file: Path) -> None:
    result = held("search", index_file, "ships", "--in", "railway.pdf")
    assert result.code == 2
    assert "harbour.json" in result.err


def test_a_damaged_index_is_one_line(held: Held, index_file: Path) -> None:
    index_file.write_bytes(index_file.read_bytes()[:5000])
    result = held("search", index_file, "ships")
    assert result.code == 1
    assert (
        result.err
        == f"held: {index_file}: the index is damaged (delete it and make it anew with `held index`)\n"
    )


def test_a_long_passage_is_shown_in_part_and_in_lines(held: Held, index_file: Path) -> None:
    lines = held("search", index_file, "ships", "-k", "1").out.splitlines()
    assert max(map(len, lines)) <= 110
    assert sum(map(len, lines)) < 1200


def test_a_row_that_answers_is_shown_with_its_numbers() -> None:
    rows = [f"{'Nets of hemp ' * 4}\t{number}\t9" for number in range(9)]
    text = "\n".join([*rows, f"Dividends{' and their equivalents' * 3}\t14,841\t14,467"])
    found = text.index("Dividends")
    hit = Hit(text, (), 1, 0.5, "a.pdf", kind="table", matches=((found, found + len("Dividends")),))
    assert "\t14,841\t14,467\n" in render([hit], "text").decode()


def test_a_folder_is_to_be_indexed_first(held: Held, tmp_path: Path) -> None:
    result = held("search", tmp_path, "ships")
    assert result.code == 1
    assert f"is a folder (index it first: `held index {tmp_path} -o {tmp_path}.index`" in result.err


def test_the_readmes_question_is_answered_by_a_row() -> None:
    from held.retrieval.index import search

    report = Path(__file__).parents[2] / "samples" / "report-en.pdf"
    hit = search(report, "How much was paid in dividends?")[0]
    assert hit.row is not None
    assert hit.row.label == "Dividends to owners"
    assert dict(zip(hit.row.headers, hit.row.values, strict=True))["2025"] == "(184.8)"


def test_a_name_of_ones_own_leads_to_what_it_means(held: Held, index_file: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("armada = ships\n", encoding="utf-8")
    assert "nothing found" in held("search", index_file, "armada").err
    assert "Ships" in held("search", index_file, "armada", "--names", names).out


def test_json_has_the_boxes_of_a_hit(held: Held, index_file: Path) -> None:
    first = json.loads(held("search", index_file, "ships", "--format", "json").out)["hits"][0]
    assert first["boxes"][0]["page"] == 1
    assert len(first["boxes"][0]["box"]) == 4
    assert first["row"] is None


def test_it_explains_why_a_passage_ranks_there(held: Held, index_file: Path) -> None:
    result = held("search", index_file, "ships", "--explain")
    assert " words in the passage and in the headings above it" in result.out
    found = json.loads(held("search", index_file, "ships", "--explain", "--format", "json").out)["hits"]
    assert {"name", "points", "text"} == set(found[0]["reasons"][0])


def test_words_in_quotation_marks_must_stand_there_as_they_are(held: Held, index_file: Path) -> None:
    assert "*Ships* come" in held("search", index_file, '"ships come"').out
    result = held("search", index_file, '"come ships"')
    assert (result.code, result.out) == (0, "")
    assert 'nothing found: no passage has "come ships" word for word' in result.err


def test_a_function_of_the_working_folder_embeds_texts(
    held: Held, index_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "naval_vectors.py").write_text(
        "def embed(texts):\n    return [['ship' in text.lower() or 'armada' in text, 1] for text in texts]\n"
    )
    monkeypatch.chdir(tmp_path)
    result = held("search", index_file, "armada", "--embed", "naval_vectors:embed")
    assert "Ships come" in result.out


@pytest.mark.parametrize(
    "name", ["no_colon", "no_such_module:embed", "json:no_such_function", "json:__name__"]
)
def test_a_function_that_is_none_is_named(held: Held, index_file: Path, name: str) -> None:
    result = held("search", index_file, "ships", "--embed", name)
    assert result.code == 2
    assert result.err.startswith(f"held: {name} ")
