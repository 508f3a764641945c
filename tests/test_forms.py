"""The table of forms: every entry can be asked for in every way that there is."""

from pathlib import Path

import pytest

import held
from held.cli.extract import command
from held.exports.formats import FORMS, Form, Writing, form_of, forms_that_take

SAMPLE = Path(__file__).parents[1] / "samples" / "report-en.pdf"
EACH = pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))


@pytest.fixture(scope="module")
def report() -> held.StructuredDocument:
    return held.extract(SAMPLE, pages="1-4")


@EACH
def test_a_form_is_found_by_its_suffix(form: Form) -> None:
    assert form_of(Path(f"report{form.suffix.upper()}")) is form


@EACH
def test_a_form_is_told_of_in_the_help(form: Form) -> None:
    assert f"{form.name:<9} {form.about}" in (command.help or "")


@EACH
def test_saving_writes_what_the_form_writes(
    form: Form, report: held.StructuredDocument, tmp_path: Path
) -> None:
    report.save(tmp_path / f"report{form.suffix}", pdf=SAMPLE)
    written = form.write(report, Writing(source=SAMPLE, target=tmp_path))
    saved = (tmp_path / f"report{form.suffix}").read_bytes()
    assert saved == written.content or form.name == "pdf"  # which has a new id each time
    assert saved


@EACH
def test_what_a_form_takes_is_an_option_of_writing(form: Form) -> None:
    assert form.takes <= set(Writing.__dataclass_fields__)
    assert all(form.name in forms_that_take(option) for option in form.takes)
