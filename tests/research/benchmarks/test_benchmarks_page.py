import json
from pathlib import Path
from typing import Any

import pytest
from research.benchmarks.tools.page import PAGES, page_of, table


def tool(title: str, path_f1: float, rate: float) -> dict[str, Any]:
    row = {"files": 1, "true": 9, "heading_f1": 0.9, "path_f1": path_f1}
    row |= {"heading_f1_unmasked": 0.5, "path_f1_unmasked": 0.4}
    return {
        "title": title,
        "version": "1",
        "pages_per_cpu_second": rate,
        "pages_per_cpu_second_without_start": 2 * rate,
        "start_cpu_seconds": 0.1,
        "peak_mb": 50.4,
        "failed": {},
        "domains": {"zh_fin": row},
    }


def result(**tools: dict[str, Any]) -> dict[str, Any]:
    return {"split": ["valid"], "files": 1, "first_pages": 40, "pages": 40, "tools": tools, "left_out": {}}


def test_a_table_has_a_line_below_its_head() -> None:
    assert table(["a", "b"], [[1, 2]]) == "| a | b |\n| --- | --- |\n| 1 | 2 |\n"


def test_speed_is_given_as_a_share_of_plain_text() -> None:
    page = page_of(result(held=tool("held", 0.6, 50), pypdfium2=tool("PDFium", 0.0, 200)))
    assert "| held | 1 | Apache-2.0 | 50 | 0.250 | 0.1 | 100 | 50 |" in page


def test_a_tool_that_failed_on_a_file_is_named_with_the_reason() -> None:
    broken = tool("A", 0.1, 9) | {"failed": {"x": "exit code 1: no"}}
    assert "| A | 1 files: exit code 1: no |" in page_of(result(held=tool("held", 0.6, 50), a=broken))


def test_files_where_another_tool_is_ahead_are_named() -> None:
    better = tool("A", 0.1, 9) | {"ahead": {"x": [0.9, 0.5]}}
    assert "| x | A | 0.900 | 0.500 |" in page_of(result(held=tool("held", 0.6, 50), a=better))


def test_whole_files_are_told_where_they_were_measured() -> None:
    found = result(held=tool("held", 0.6, 50), a=tool("A", 0.1, 9))
    found["whole_files"] = {
        "held": tool("held", 0, 60) | {"pages": 1234},
        "pypdfium2": tool("PDFium", 0, 200),
    }
    assert "On all 1,234 pages of these files `held` reads 60 pages per CPU-second" in page_of(found)
    assert "0.300 of the speed of plain text" in page_of(found)


def test_only_test_files_are_fair_to_others() -> None:
    found = result(held=tool("held", 0.6, 50))
    assert "flattered" in page_of(found)
    assert "flattered" not in page_of(found | {"split": ["test"]})


def test_a_score_without_levels_is_shown_to_stay_the_same() -> None:
    leveled = tool("A", 0.6, 9)
    leveled["domains"]["zh_fin"] |= {"heading_f1_flat": 0.9, "path_f1_flat": 0.1}
    assert "| A | 0.900 | 0.900 | 0.600 | 0.100 |" in page_of(result(a=leveled))
    assert "do not measure hierarchy" not in page_of(result(a=tool("A", 0.6, 9)))


def test_pdfs_of_a_folder_are_of_no_split() -> None:
    page = page_of(result(held=tool("held", 0.6, 50)) | {"folder": True})
    assert "Debian" in page
    assert "Split" not in page
    assert "flattered" not in page


@pytest.mark.parametrize(("results", "page"), PAGES.items(), ids=lambda path: path.name)
def test_the_pages_are_those_of_the_stored_results(results: Path, page: Path) -> None:
    stored = json.loads(results.read_text(encoding="utf-8"))
    assert page_of(stored) == page.read_text(encoding="utf-8")
