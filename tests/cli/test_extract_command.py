import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema

Held = Callable[..., Any]
SAMPLES = Path(__file__).parents[2] / "samples"


def levels(held: Held, file: Path) -> dict[str, int]:
    lines = held("extract", file, "--format", "outline").out.splitlines()
    return {title: int(level) for level, _, title in (line.split("\t") for line in lines)}


def test_sections_of_the_english_sample_hang_under_their_chapters(held: Held) -> None:
    found = levels(held, SAMPLES / "report-en.pdf")
    chapter = found["2 Business review"]
    assert [found["2.2 Markets"], found["2.2.1 Municipal water supply"]] == [chapter + 1, chapter + 2]


def test_sections_of_the_chinese_sample_hang_under_their_chapters(held: Held) -> None:
    found = levels(held, SAMPLES / "report-zh.pdf")
    assert found["第三节 管理层讨论与分析"] + 1 == found["三、核心竞争力分析"]


def test_the_json_keeps_to_the_schema_that_is_printed(held: Held) -> None:
    value = json.loads(held("extract", SAMPLES / "report-en.pdf").out)
    jsonschema.Draft202012Validator(json.loads(held("schema", "tree").out)).validate(value)


def test_the_printed_schema_of_a_tree_checks_its_document_too(held: Held) -> None:
    value = json.loads(held("extract", SAMPLES / "report-en.pdf").out)
    value["document"]["objects"][0]["page"] = "one"
    checking = jsonschema.Draft202012Validator(json.loads(held("schema", "tree").out))
    assert [list(error.path) for error in checking.iter_errors(value)] == [["document", "objects", 0, "page"]]


def test_the_same_file_gives_the_same_bytes(held: Held) -> None:
    first, second = (held("extract", SAMPLES / "report-zh.pdf").out for _ in range(2))
    assert first == second


def test_objects_of_another_engine_get_their_tree(held: Held, document_file: Path) -> None:
    assert json.loads(held("extract", document_file).out)["format"] == "held.tree"
