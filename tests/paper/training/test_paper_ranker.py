"""`held train ranker`: trees from one's own questions."""

import json
from pathlib import Path

import pytest

from held.errors import FormatError
from held.exports.tree_json import tree_to_json
from held.hierarchy import Hierarchy
from held.paper.ranker import PaperRanker
from held.paper.training.ranker import read_questions
from held.system.bounded_json import write_json
from held.tree import Tree, attach_body
from tests.paper.typeset import typeset
from tests.training.test_train_command import run

TOPICS = ("harbours", "tides", "pilots", "cranes", "ferries", "locks")


def manual() -> Hierarchy:
    """A section of each topic, whose text does not name it."""
    lines = []
    for topic in TOPICS:
        lines += [f"14b About {topic}", *(f"10 A sentence of some words, number {n}." for n in range(12))]
    document = typeset(*lines).document
    headings = [place for place, line in enumerate(lines) if line.startswith("14b")]
    tree = attach_body(Tree.from_parents(dict.fromkeys(headings, -1)), len(lines))
    return Hierarchy(document, tree, dict.fromkeys(headings, 1.0), dict.fromkeys(headings, 1.0), 0, 0.0)


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    write_json(tmp_path / "manual.json", tree_to_json(manual()))
    rows = [
        {"document": "manual.json", "question": f"What is said of {topic}?", "under": f"About {topic}"}
        for topic in TOPICS
    ]
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def test_what_stands_under_the_heading_of_a_question_comes_first(
    questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("train", "ranker", questions, "-o", tmp_path / "ranker.onnx") == 0
    bm25, ranker = (line.split("\t") for line in capsys.readouterr().out.splitlines())
    assert (bm25[0], ranker[0]) == ("BM25", "ranker")
    assert float(ranker[1].removeprefix("mAP ")) > float(bm25[1].removeprefix("mAP "))
    best = PaperRanker(tmp_path / "ranker.onnx").rank("Which ferries are there?", manual())[0]
    assert best.path == ("About ferries",)


def test_a_question_without_an_answer_is_told(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text('{"document": "a.pdf", "question": "Why?"}\n')
    with pytest.raises(FormatError, match="line 1 does not say what answers it"):
        read_questions(path)


def test_what_is_no_ranker_is_told(tmp_path: Path) -> None:
    (tmp_path / "r.onnx").write_bytes(b"none")
    with pytest.raises(FormatError, match="not a ranker"):
        PaperRanker(tmp_path / "r.onnx")
