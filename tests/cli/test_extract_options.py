import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pikepdf
import pytest

from held.cli import use_colour
from held.exports.outline import to_outline as as_outline
from held.exports.tree_json import tree_to_json
from held.hierarchy import Hierarchy
from held.hierarchy.pipeline import build_tree
from held.reading.read_pdf import read_pdf

Held = Callable[..., Any]
SAMPLE = Path(__file__).parents[2] / "samples" / "report-en.pdf"


Rows = list[tuple[int, int, str]]


def outline(held: Held, file: object, *options: object) -> Rows:
    result = held("extract", file, "--format", "outline", *options)
    assert result.code == 0, result.err
    return rows_of(result.out)


def rows_of(text: str) -> Rows:
    rows = (line.split("\t") for line in text.splitlines())
    return [(int(level), int(page), title) for level, page, title in rows]


@pytest.fixture(scope="module")
def sample() -> Hierarchy:
    """The sample report as the functions below the command give it."""
    return build_tree(read_pdf(SAMPLE))


@pytest.fixture(scope="module")
def sample_rows(sample: Hierarchy) -> Rows:
    return rows_of(as_outline(sample))


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """Gives the command something to read."""

    def give(content: bytes) -> None:
        fed = SimpleNamespace(buffer=io.BytesIO(content), isatty=lambda: False)
        monkeypatch.setattr("sys.stdin", fed)

    return give


def test_standard_input_is_read_and_standard_output_written(
    held: Held, report: Path, stdin: Callable[[bytes], None]
) -> None:
    stdin(report.read_bytes())
    from_stdin = held("extract", "-", "-o", "-")
    from_file = held("extract", report)
    assert from_stdin.code == 0
    assert from_stdin.out == from_file.out.replace('"report.pdf"', '"stdin"')


def test_what_is_wrong_with_standard_input_is_told_of_it(held: Held, stdin: Callable[[bytes], None]) -> None:
    stdin(b"hello")
    result = held("extract", "-")
    assert (result.code, result.err) == (1, "held: -: is not a PDF\n")


def test_pages_keep_the_headings_that_the_whole_has_there(held: Held, sample_rows: Rows) -> None:
    whole = [row for row in sample_rows if 12 <= row[1] <= 15]
    part = [row for row in outline(held, SAMPLE, "--pages", "12-15") if row[1] >= 12]
    assert part == whole != []


def test_pages_keep_the_headings_above_them(held: Held, sample: Hierarchy) -> None:
    def paths(value: dict[str, Any]) -> dict[str, list[str]]:
        objects = value["document"]["objects"]
        return {
            item["text"]: [objects[above]["text"] for above in path]
            for item, path in zip(objects, value["paths"], strict=True)
            if item["page"] in range(12, 16)
        }

    part = json.loads(held("extract", SAMPLE, "--pages", "12-15").out)
    assert paths(part) == paths(tree_to_json(sample))
    before = [place for place, item in enumerate(part["document"]["objects"]) if item["page"] < 12]
    assert before == [heading["object"] for heading in part["headings"] if heading["page"] < 12] != []


def test_pages_that_were_cut_out_can_be_read_again(held: Held, tmp_path: Path) -> None:
    part = tmp_path / "part.json"
    held("extract", SAMPLE, "--pages", "12-15", "-o", part)
    value = json.loads(part.read_text())
    assert (value["document"]["first_page"], len(value["document"]["pages"])) == (12, 4)
    assert held("extract", part).out == part.read_text()
    as_tree = held("extract", part, "--format", "tree").out
    assert set(as_tree.splitlines()) < set(held("extract", SAMPLE, "--format", "tree").out.splitlines())


def test_a_heading_above_cut_out_pages_that_is_too_deep_is_gone(held: Held, tmp_path: Path) -> None:
    part = tmp_path / "part.json"
    held("extract", SAMPLE, "--pages", "12-15", "-o", part)
    options = ("--max-depth", "2", "--format", "markdown")
    assert held("extract", part, *options).out == held("extract", SAMPLE, "--pages", "12-15", *options).out


def test_a_page_that_is_not_there_is_a_usage_error(held: Held, report: Path) -> None:
    result = held("extract", report, "--pages", "3")
    assert (result.code, result.err) == (2, f"held: {report}: there is no page 3 (pages 1-2 exist)\n")


def test_headings_below_the_greatest_depth_are_text_of_their_ancestor(held: Held, sample: Hierarchy) -> None:
    whole = tree_to_json(sample)
    cut = json.loads(held("extract", SAMPLE, "--max-depth", "2").out)
    kept = [heading for heading in whole["headings"] if heading["level"] <= 2]
    assert [heading["object"] for heading in cut["headings"]] == [heading["object"] for heading in kept]
    for place, path in enumerate(whole["paths"]):
        assert cut["paths"][place] == path[:2]


@pytest.mark.parametrize("order", ["r2l", "l2r"])
def test_a_beam_with_another_order_is_a_usage_error(held: Held, report: Path, order: str) -> None:
    result = held("extract", report, "--beam", 3, "--order", order)
    assert (result.code, result.out) == (2, "")
    assert held("extract", report, "--order", order).code == 0


def test_a_beam_of_the_default_order_is_taken(held: Held, report: Path) -> None:
    assert outline(held, report, "--beam", 3) == outline(held, report)


def test_bookmarks_are_no_part_of_the_result(held: Held, report: Path, tmp_path: Path) -> None:
    with pikepdf.open(report) as pdf:
        del pdf.Root.Outlines
        pdf.save(tmp_path / "bare.pdf")
    assert outline(held, tmp_path / "bare.pdf") == outline(held, report)


@pytest.mark.parametrize(
    ("name", "start"), [("a.md", "# "), ("a.TSV", "1\t1\t"), ("a.pdf", "%PDF"), ("a", "{")]
)
def test_the_name_of_the_output_says_the_form(
    held: Held, report: Path, tmp_path: Path, name: str, start: str
) -> None:
    assert held("extract", report, "-o", tmp_path / name).code == 0
    assert (tmp_path / name).read_bytes().startswith(start.encode())


def test_a_form_that_is_asked_for_goes_before_the_name(held: Held, report: Path, tmp_path: Path) -> None:
    assert held("extract", report, "--format", "outline", "-o", tmp_path / "a.md").code == 0
    assert (tmp_path / "a.md").read_text().startswith("1\t1\t")


def test_a_tree_that_was_extracted_is_written_in_another_form(
    held: Held, report: Path, tmp_path: Path
) -> None:
    held("extract", report, "-o", tmp_path / "tree.json")
    assert held("extract", tmp_path / "tree.json").out == (tmp_path / "tree.json").read_text()
    assert outline(held, tmp_path / "tree.json") == outline(held, report)
    assert outline(held, tmp_path / "tree.json", "--pages", "2") == outline(held, report, "--pages", "2")


def test_trusted_bookmarks_give_headings_and_levels(held: Held, report: Path) -> None:
    assert outline(held, report, "--outline", "trust") == [(1, 1, "1 Harbours"), (2, 2, "1.1 Ships")]


def test_trusted_bookmarks_keep_a_level_that_the_numbers_contradict(
    held: Held, report: Path, tmp_path: Path
) -> None:
    rows = "1\t1\t1 Harbours\n1\t2\t1.1 Ships\n"
    (tmp_path / "mine.tsv").write_text(rows)
    assert held("bookmark", report, tmp_path / "mine.tsv", "-o", tmp_path / "mine.pdf").code == 0
    assert outline(held, tmp_path / "mine.pdf", "--outline", "trust") == rows_of(rows)


def test_a_pdf_comes_out_with_its_tree_as_bookmarks_that_can_be_trusted(
    held: Held, sample_rows: Rows, tmp_path: Path
) -> None:
    held("extract", SAMPLE, "--format", "pdf", "-o", tmp_path / "marked.pdf")
    found = outline(held, tmp_path / "marked.pdf", "--outline", "trust")
    wanted = [row for row in sample_rows if row in found]
    assert len(wanted) >= 0.9 * len(found) > 50


def test_where_there_are_no_bookmarks_to_trust_the_model_is(held: Held, sample_rows: Rows) -> None:
    result = held("extract", SAMPLE, "--format", "outline", "--outline", "trust")
    assert "held: warning: there are no bookmarks to trust" in result.err
    assert rows_of(result.out) == sample_rows


def test_a_file_is_never_its_own_output(held: Held, report: Path) -> None:
    before = report.read_bytes()
    result = held("extract", report, "--format", "pdf", "-o", report)
    assert (result.code, report.read_bytes()) == (2, before)


def test_only_a_pdf_can_be_given_bookmarks(held: Held, document_file: Path, tmp_path: Path) -> None:
    result = held("extract", document_file, "--format", "pdf", "-o", tmp_path / "marked.pdf")
    said = "is no PDF to write bookmarks into (give the PDF that it was made from)"
    assert (result.code, result.err) == (2, f"held: {document_file}: {said}\n")


def test_figures_are_saved_and_linked(held: Held, tmp_path: Path) -> None:
    text = tmp_path / "text" / "report.md"
    text.parent.mkdir()
    held("extract", SAMPLE, "--format", "markdown", "--images", tmp_path / "figures", "-o", text)
    images = sorted(path.name for path in (tmp_path / "figures").iterdir())
    assert images
    assert all(f"(../figures/{name})" in text.read_text("utf-8") for name in images)


@pytest.mark.parametrize("options", [("--images", "figures"), ("--keep-bookmarks",), ("--strip-active",)])
def test_options_of_another_format_are_usage_errors(
    held: Held, report: Path, options: tuple[str, ...]
) -> None:
    result = held("extract", report, "--format", "outline", *options)
    assert (result.code, result.out) == (2, "")


@pytest.mark.parametrize("option", ["--resume", "--summary=x.json"])
def test_options_of_many_files_are_usage_errors_with_one(held: Held, report: Path, option: str) -> None:
    assert held("extract", report, option).code == 2


def test_headings_below_the_least_confidence_are_marked(held: Held, report: Path) -> None:
    lines = held("extract", report, "--format", "outline", "--min-confidence", "1").out.splitlines()
    assert lines
    assert all(line.endswith("\t?") for line in lines)


def test_headings_below_the_least_confidence_are_dropped_on_request(held: Held, report: Path) -> None:
    result = held("extract", report, "--min-confidence", "1", "--drop-doubtful")
    value = json.loads(result.out)
    assert (value["headings"], set(value["parents"])) == ([], {-1})


def test_a_file_that_takes_too_long_is_given_up(held: Held, report: Path) -> None:
    result = held("extract", report, "--timeout", "0.001")  # no file is read in so short a time
    assert result.code == 1
    assert result.err == f"held: {report}: took longer than 0.001 s (give more with --timeout)\n"


def test_a_file_that_fails_leaves_no_output(held: Held, tmp_path: Path) -> None:
    (tmp_path / "note.pdf").write_text("hello")
    assert held("extract", tmp_path / "note.pdf", "-o", tmp_path / "out.json").code == 1
    assert [path.name for path in tmp_path.iterdir()] == ["note.pdf"]


def test_verbose_tells_the_time_of_each_stage(held: Held, report: Path) -> None:
    told = held("extract", report, "-v").err
    assert told.startswith("held: 2 pages, ")
    assert all(
        f"{stage} " in told for stage in ("reading", "recognising", "headings", "inserting", "writing")
    )


def test_quiet_keeps_warnings_back(held: Held, document_file: Path) -> None:
    assert "warning" in held("extract", document_file).err
    assert held("extract", document_file, "-q").err == ""


def test_the_tree_has_colours_where_they_are_forced(
    held: Held, report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = held("extract", report, "--format", "tree").out
    assert out.startswith("\033[96m\033[1m1 Harbours\033[0m\033[90m  (1)")


@pytest.mark.parametrize(
    ("terminal", "variable", "wanted"),
    [(True, None, True), (False, None, False), (False, "FORCE_COLOR", True), (True, "NO_COLOR", False)],
)
def test_colours_are_for_terminals_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, variable: str | None, wanted: bool
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    if variable:
        monkeypatch.setenv(variable, "1")
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: terminal, raising=False)
    assert use_colour(stream) is wanted


def test_a_device_is_written_to_and_not_replaced(held: Held, document_file: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert held("extract", document_file, "--format", "outline", "-o", pipe).code == 0
    assert os.read(reader, 100) == "1\t1\t1 港口 Harbours\n".encode()
    assert pipe.is_fifo()


def test_chunks_are_json_lines_that_carry_their_path(held: Held) -> None:
    result = held("extract", SAMPLE, "--format", "chunks", "--max-tokens", "100")
    lines = [json.loads(line) for line in result.out.splitlines()]
    assert any(line["path"][-1:] == ["2.2 Markets"] and "public budgets" in line["text"] for line in lines)
    assert all(line["tokens"] <= 100 for line in lines)


def test_a_limit_of_tokens_is_for_chunks_alone(held: Held) -> None:
    assert held("extract", SAMPLE, "--max-tokens", "100").code == 2
