"""The table of export formats: every entry works through the library, the command line and its help."""

from pathlib import Path

import pytest

import held
from held.cli.extract import command
from held.exports.formats import (
    FORMATS,
    ExportFormat,
    ExportOptions,
    format_of_path,
    formats_with_option,
)

SAMPLE = Path(__file__).parents[2] / "samples" / "report-en.pdf"
EACH = pytest.mark.parametrize("entry", FORMATS.values(), ids=list(FORMATS))


@pytest.fixture(scope="module")
def report() -> held.StructuredDocument:
    return held.extract(SAMPLE, pages="1-4")


@EACH
def test_a_format_is_found_by_its_suffix(entry: ExportFormat) -> None:
    assert format_of_path(Path(f"report{entry.suffix.upper()}")) is entry


def test_the_suffix_of_compressed_files_is_ignored() -> None:
    assert format_of_path(Path("report.json.xz")) is FORMATS["json"]


@EACH
def test_the_help_describes_a_format(entry: ExportFormat) -> None:
    assert f"{entry.name:<9} {entry.description}" in (command.help or "")


@EACH
def test_saving_writes_what_the_format_writes(
    entry: ExportFormat, report: held.StructuredDocument, tmp_path: Path
) -> None:
    report.save(tmp_path / f"report{entry.suffix}", pdf=SAMPLE)
    written = entry.write(report, ExportOptions(source=SAMPLE, target=tmp_path))
    saved = (tmp_path / f"report{entry.suffix}").read_bytes()
    assert saved == written.content or entry.name == "pdf"  # which has a new id each time
    assert saved


@EACH
def test_what_a_format_supports_is_a_field_of_the_options(entry: ExportFormat) -> None:
    assert entry.options <= set(ExportOptions.__dataclass_fields__)
    assert all(entry.name in formats_with_option(option) for option in entry.options)
