"""`held extract --format parquet`: what the tables say, and what a second run does."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("pyarrow", reason="data sets need pyarrow: pip install 'held[parquet]'")

from held import extract
from held.batch.report import FileReport
from held.cli import held as cli
from held.cli.batch import BatchProgress
from tests.serve.small_pdf import write_report


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["extract", *map(str, arguments)])


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sources")
    for name in ("harbour", "quay"):
        write_report(folder / f"{name}.pdf")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    return folder


@pytest.fixture(scope="module")
def made_once(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("made") / "set"
    assert run(sources, "--format", "parquet", "-o", output).exit_code == 1
    return output


@pytest.fixture
def output(made_once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made_once, tmp_path / "set"))


def read(output: Path, table: str) -> list[dict[str, Any]]:
    from pyarrow.parquet import read_table

    found: list[dict[str, Any]] = read_table(output / table).to_pylist()
    return found


def test_the_sections_are_those_of_the_tree(output: Path, sources: Path) -> None:
    document = extract(sources / "harbour.pdf")
    rows = [row for row in read(output, "sections") if row["source"].endswith("harbour.pdf")]
    assert [list(row["path"]) for row in rows] == [list(section.path) for section in document.walk()]


def test_a_file_that_fails_is_a_row_with_its_reason(output: Path) -> None:
    rows = {Path(row["source"]).name: row for row in read(output, "documents")}
    assert rows["broken.pdf"]["status"] == "failed"
    assert "damaged" in rows["broken.pdf"]["reason"]
    assert rows["harbour.pdf"]["pages"] == 3


def test_a_second_run_does_what_is_missing(output: Path, sources: Path) -> None:
    before = read(output, "documents")
    assert "2 done before" in run(sources, "--format", "parquet", "-o", output, "--resume").output
    after = read(output, "documents")
    assert sorted(row["source"] for row in after) == sorted(row["source"] for row in before)


def test_without_resume_all_is_done_again_and_nothing_doubled(output: Path, sources: Path) -> None:
    assert "2 files done" in run(sources, "--format", "parquet", "-o", output).output
    sections = read(output, "sections")
    assert len({(row["document"], row["section"]) for row in sections}) == len(sections) == 18


def test_an_interrupted_run_keeps_what_is_done_and_tells_the_rest(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report_file = BatchProgress.report_file

    def interrupt(self: BatchProgress, index: int, report: FileReport, trace: str | None = None) -> None:
        report_file(self, index, report, trace)
        raise KeyboardInterrupt

    monkeypatch.setattr(BatchProgress, "report_file", interrupt)
    output, summary = tmp_path / "set", tmp_path / "summary.json"
    told = run(sources, "--format", "parquet", "-o", output, "--summary", summary, "--jobs", "1").output
    assert "continues where this one stopped" in told
    assert json.loads(summary.read_text("utf-8"))["unfinished"] == 2
    assert len(read(output, "documents")) == 1


def test_pandas_reads_it_in_one_line(output: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="`pip install pandas` shows that it reads data sets")
    assert len(pandas.read_parquet(output / "sections")) == 18


def test_duckdb_reads_it_in_one_line(output: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="`make test-ray` installs it")
    assert duckdb.sql(f"SELECT count(*) FROM '{output}/sections/*.parquet'").fetchall() == [(18,)]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--format", "parquet"], "-o FOLDER"),
        (["--format", "parquet", "-o", "s3://bucket/x"], "--on ray"),
        (["--on", "ray", "--format", "json", "-o", "x"], "works only with --format parquet"),
        (["--format", "parquet", "-o", "x", "--page-markers"], "works only with --format markdown"),
        (["--format", "parquet", "-o", "x", "--tables", "y"], "works only with --format json and markdown"),
    ],
)
def test_calls_that_make_no_sense_are_told(arguments: list[str], told: str, sources: Path) -> None:
    result = run(sources, *arguments)
    assert result.exit_code == 2
    assert told in result.output


def test_a_store_is_for_a_cluster_alone() -> None:
    assert "--on ray" in str(run("s3://bucket/a.pdf", "-o", "x").exception)
