"""`held tables`, and `held extract --tables`."""

import csv
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.exports.made_tables import CATCH, CATCH_ROWS, below_heading, table_object

Held = Callable[..., Any]
SAMPLE = Path(__file__).parents[2] / "samples" / "report-en.pdf"


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """A tree as `held extract` wrote it, with two tables."""
    from held.exports.tree_json import tree_to_json
    from held.system.bounded_json import write_json

    hierarchy = below_heading(
        table_object(CATCH_ROWS, CATCH), table_object((("=1+1", "-3"), ("b", "4")), page=9)
    )
    path = tmp_path / "a.json"
    write_json(path, tree_to_json(hierarchy))
    return path


def test_the_list_has_a_line_for_each_table(held: Held, stored: Path) -> None:
    result = held("tables", stored)
    assert result.code == 0
    assert result.out.splitlines() == [
        "   1  p. 3        4 × 3   Table 1: The catch (in tons)",
        "   2  p. 9        2 × 2   Harbour",
    ]


def test_one_table_as_csv_with_numbers(held: Held, stored: Path) -> None:
    result = held("tables", stored, "--table", 1, "--format", "csv", "--numbers")
    assert result.out.splitlines()[2:] == ["Anna,1234,-7", "Berta,,12.5"]


def test_formulas_are_guarded_and_negative_numbers_are_not(held: Held, stored: Path) -> None:
    guarded = held("tables", stored, "--table", 2, "--format", "csv")
    raw = held("tables", stored, "--table", 2, "--format", "csv", "--raw")
    assert guarded.out.splitlines()[0] == "'=1+1,-3"
    assert raw.out.splitlines()[0] == "=1+1,-3"


def test_the_suffix_says_the_form(held: Held, stored: Path, tmp_path: Path) -> None:
    for suffix in ("csv", "json", "html", "md"):
        assert held("tables", stored, "-o", tmp_path / f"out.{suffix}").code == 0
    value = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert [table["number"] for table in value["tables"]] == [1, 2]
    assert "<caption>Table 1: The catch" in (tmp_path / "out.html").read_text(encoding="utf-8")
    assert (tmp_path / "out.md").read_text(encoding="utf-8").startswith("| Boat | Nine months ended 2025")


def test_a_spreadsheet_has_a_sheet_for_each_table(held: Held, stored: Path, tmp_path: Path) -> None:
    pytest.importorskip("xlsxwriter")
    assert held("tables", stored, "-o", tmp_path / "out.xlsx").code == 0
    with zipfile.ZipFile(tmp_path / "out.xlsx") as file:
        assert (
            len([name for name in file.namelist() if "worksheets/sheet" in name and "_rels" not in name]) == 3
        )


def test_a_folder_gets_a_file_for_each_table_and_an_index(held: Held, stored: Path, tmp_path: Path) -> None:
    assert held("tables", stored, "-o", f"{tmp_path / 'out'}/").code == 0
    index = json.loads((tmp_path / "out" / "index.json").read_text(encoding="utf-8"))
    first = index["tables"][0]
    assert (first["file"], first["pages"], first["path"]) == ("table-001-p003.csv", [3], ["Harbour"])
    assert (first["caption"], first["unit"]) == ("Table 1: The catch", "in tons")
    assert (first["row_count"], first["column_count"]) == (4, 3)
    with (tmp_path / "out" / first["file"]).open(newline="", encoding="utf-8") as file:
        assert list(csv.reader(file)) == [list(row) for row in CATCH_ROWS]


def test_files_in_a_folder_are_written_as_one_file_would_be(held: Held, stored: Path, tmp_path: Path) -> None:
    wish = ("--repeat-spans", "--numbers", "--decimal", ",")
    held("tables", stored, "-o", f"{tmp_path / 'out'}/", *wish)
    alone = held("tables", stored, "--table", 1, "--format", "csv", *wish).out
    assert (tmp_path / "out" / "table-001-p003.csv").read_text(encoding="utf-8") == alone
    assert alone.startswith(",Nine months ended,Nine months ended\n")


def test_extract_writes_the_tables_beside_any_form(held: Held, stored: Path, tmp_path: Path) -> None:
    result = held("extract", stored, "--format", "tree", "--tables", tmp_path / "out")
    assert result.code == 0, result.err
    assert "Harbour" in result.out
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["index.json", "table-001-p003.csv", "table-002-p009.csv"]


def test_each_of_many_files_has_a_folder_of_tables(held: Held, stored: Path, tmp_path: Path) -> None:
    other = stored.with_name("b.json")
    other.write_bytes(stored.read_bytes())
    held("extract", stored, other, "-o", tmp_path / "out", "--tables", tmp_path / "tables")
    assert (tmp_path / "tables" / "b" / "index.json").exists()


@pytest.mark.parametrize(
    ("option", "form"), [("--numbers", "list"), ("--repeat-spans", "markdown"), ("--raw", "json")]
)
def test_an_option_that_the_form_would_pass_over_is_refused(
    held: Held, stored: Path, option: str, form: str
) -> None:
    result = held("tables", stored, "--format", form, option)
    assert (result.code, f"held: {option} works only with --format csv" in result.err) == (2, True)


def test_a_table_that_is_not_there_is_named(held: Held, stored: Path) -> None:
    result = held("tables", stored, "--table", 3)
    assert (result.code, result.err.strip()) == (2, f"held: {stored}: there is no table 3 (it has 2)")


def test_a_spreadsheet_goes_into_no_folder(held: Held, stored: Path, tmp_path: Path) -> None:
    assert held("tables", stored, "--format", "xlsx", "-o", f"{tmp_path}/").code == 2


REASONS = "[text continues beside it; sums do not add up]"
DOUBTFUL = replace(CATCH, doubtful=True, doubts=("text continues beside it", "sums do not add up"))


@pytest.fixture
def doubted(tmp_path: Path) -> Path:
    """A tree with a doubtful table."""
    from held.exports.tree_json import tree_to_json
    from held.system.bounded_json import write_json

    path = tmp_path / "doubted.json"
    write_json(path, tree_to_json(below_heading(table_object(CATCH_ROWS, DOUBTFUL))))
    return path


def test_the_list_gives_the_reasons_of_doubt(held: Held, doubted: Path) -> None:
    assert held("tables", doubted).out.splitlines() == [
        "   1  p. 3        4 × 3 ? Table 1: The catch (in tons) " + REASONS
    ]


def test_json_html_and_markdown_give_the_reasons_of_doubt(held: Held, doubted: Path) -> None:
    assert json.loads(held("tables", doubted, "--format", "json").out)["tables"][0]["doubts"] == [
        "text continues beside it",
        "sums do not add up",
    ]
    reasons = "text continues beside it; sums do not add up"
    assert f"(doubtful: {reasons})" in held("tables", doubted, "--format", "html").out
    comment = f"<!-- doubtful table: {reasons} -->"
    assert held("tables", doubted, "--format", "markdown").out.startswith(comment)


def test_an_export_marks_doubtful_tables_only_on_request(held: Held, doubted: Path) -> None:
    for name in ("markdown", "html"):
        asked = held("extract", doubted, "--format", name, "--min-confidence", "0.5").out
        unasked = held("extract", doubted, "--format", name).out
        assert "sums do not add up" in asked
        assert "sums do not add up" not in unasked


def test_tidy_csv_has_one_line_for_each_number(held: Held, stored: Path) -> None:
    rows = list(
        csv.DictReader(held("tables", stored, "--table", 1, "--format", "csv", "--tidy").out.splitlines())
    )
    assert [(row["label"], row["name"], row["value"], row["percent"]) for row in rows] == [
        ("Anna", "Nine months ended 2025", "1234", "False"),
        ("Anna", "Nine months ended 2024", "-7", "False"),
        ("Berta", "Nine months ended 2024", "12.5", "True"),
    ]


def test_tidy_json_adds_the_amounts_to_each_table(held: Held, stored: Path) -> None:
    tables = json.loads(held("tables", stored, "--format", "json", "--tidy").out)["tables"]
    assert [len(table["amounts"]) for table in tables] == [3, 2]


def test_images_need_a_folder_and_a_pdf(held: Held, stored: Path, tmp_path: Path) -> None:
    assert "use -o FOLDER/" in held("tables", stored, "--format", "csv", "--images").err
    assert "is no PDF to take images from" in held("tables", stored, "--images", "-o", f"{tmp_path}/out/").err


def test_images_stand_beside_the_csv_files(held: Held, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert held("tables", SAMPLE, "--pages", "5", "--images", "-o", f"{out}/").code == 0
    (entry,) = json.loads((out / "index.json").read_text("utf-8"))["tables"]
    assert (out / entry["image"]).read_bytes().startswith(b"\x89PNG")
    assert Path(entry["image"]).stem == Path(entry["file"]).stem
