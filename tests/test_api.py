"""The library as its users call it, and what its page says of it."""

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import held
from held.errors import FormatError, InputError, UsageError, VersionError
from held.exports.formats import FORMATS
from held.extraction import read_file

ROOT = Path(__file__).parents[1]
REPORT = ROOT / "samples" / "report-en.pdf"
HARBOUR = ROOT / "tests" / "integrations" / "harbour.docling.json"
PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def report() -> held.StructuredDocument:
    return held.extract(REPORT, jobs=0)


def run(script: str) -> str:
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_dir_shows_what_is_exported_and_nothing_else() -> None:
    assert sorted(held.__all__) == dir(held)
    assert all(getattr(held, name) is not None for name in held.__all__)


def test_a_name_that_is_not_exported_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'held' has no attribute 'nothing'"):
        held.nothing  # noqa: B018


def test_importing_held_loads_nothing_else() -> None:
    heavy = "numpy onnxruntime pikepdf pypdfium2 click torch held.api held.hierarchy.pipeline"
    assert run(f"import sys, held; print([m for m in {heavy!r}.split() if m in sys.modules])") == "[]"


def test_the_function_chunks_is_not_hidden_by_a_module() -> None:
    assert run("import held, held.api, held.exports.chunking; print(callable(held.chunks))") == "True"


def test_sections_are_walked_in_reading_order(report: held.StructuredDocument) -> None:
    walked = list(report.walk())
    assert [section.index for section in walked] == sorted(report.headings)
    assert walked[0].level == 1


def test_a_section_knows_what_is_above_and_below(report: held.StructuredDocument) -> None:
    markets = report.find("2.2 markets")
    assert markets is not None
    assert markets.parent is not None
    assert markets.parent.title == "2 Business review"
    assert markets.path[-2:] == ("2 Business review", "2.2 Markets")
    assert [section.level for section in markets.sections] == [markets.level + 1] * 3
    assert (markets.page, repr(markets)) == (9, f"<Section '2.2 Markets', level {markets.level}, page 9>")


def test_the_sections_of_sections_are_all_of_them(report: held.StructuredDocument) -> None:
    def below(sections: tuple[held.Section, ...]) -> list[int]:
        return [i for section in sections for i in (section.index, *below(section.sections))]

    assert below(report.sections) == [section.index for section in report.walk()]


def test_a_title_is_found_exactly_first_and_else_in_part(report: held.StructuredDocument) -> None:
    assert report.find("business  REVIEW") is not None
    assert report.find("no such title") is None


def test_an_object_has_the_path_of_its_section(report: held.StructuredDocument) -> None:
    for section in report.walk():
        for index, item in enumerate(report.objects):
            if item in section.objects and index not in report.headings:
                assert report.path(index) == section.path
                break


def test_only_headings_have_a_certainty(report: held.StructuredDocument) -> None:
    with pytest.raises(UsageError, match="object 0 is no heading"):
        report.certainty(0)


def test_reading_back_gives_the_same_document(report: held.StructuredDocument, tmp_path: Path) -> None:
    report.save(tmp_path / "report.json")
    assert held.load(tmp_path / "report.json") == report
    text = report.to_json()
    assert held.load(text) == held.load(text.encode()) == held.load(json.loads(text)) == report


@pytest.mark.parametrize("suffix", [form.suffix for form in FORMATS.values() if form.is_text])
def test_a_suffix_names_the_form(report: held.StructuredDocument, tmp_path: Path, suffix: str) -> None:
    report.save(tmp_path / f"report{suffix}")
    assert "Business review" in (tmp_path / f"report{suffix}").read_text(encoding="utf-8")


def test_an_unknown_suffix_is_refused(report: held.StructuredDocument, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no known suffix"):
        report.save(tmp_path / "report.odt")


def test_the_pdf_gets_the_tree_as_bookmarks(report: held.StructuredDocument, tmp_path: Path) -> None:
    (tmp_path / "out.pdf").write_bytes(report.to_pdf(REPORT))
    pages = read_file(tmp_path / "out.pdf", jobs=0)
    assert len(pages.outline) == len(report.headings)  # type: ignore[union-attr]


def test_a_pdf_is_saved_where_the_original_is_given(report: held.StructuredDocument, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs the original"):
        report.save(tmp_path / "out.pdf")
    report.save(tmp_path / "out.pdf", pdf=REPORT)
    assert len(read_file(tmp_path / "out.pdf", jobs=0).outline) == len(report.headings)  # type: ignore[union-attr]


def test_a_tree_that_was_saved_is_taken_as_it_is(report: held.StructuredDocument, tmp_path: Path) -> None:
    report.save(tmp_path / "report.json")
    assert held.extract(tmp_path / "report.json").tree == report.tree


@pytest.mark.parametrize(
    "option", [{"fixed": {0: "text"}}, {"model": "mine"}, {"beam": 3}, {"outline": "trust"}]
)
def test_an_option_that_cannot_change_a_saved_tree_is_refused(
    report: held.StructuredDocument, tmp_path: Path, option: dict[str, Any]
) -> None:
    report.save(tmp_path / "report.json")
    (name,) = option
    with pytest.raises(UsageError, match=f"already contains a tree, which {name} would not change"):
        held.extract(tmp_path / "report.json", **option)


def test_bytes_and_values_are_taken_as_files_are(report: held.StructuredDocument) -> None:
    assert held.extract(REPORT.read_bytes(), jobs=0).tree == report.tree
    assert held.extract(report.document).tree == report.tree


def test_open_files_are_taken_as_their_bytes_are(report: held.StructuredDocument, tmp_path: Path) -> None:
    with REPORT.open("rb") as pdf:
        assert (
            held.extract(pdf, pages="1-5", jobs=0).objects
            == held.extract(REPORT, pages="1-5", jobs=0).objects
        )
    saved = tmp_path / "report.json"
    report.save(saved)
    with saved.open("rb") as binary, saved.open(encoding="utf-8") as text:
        assert held.load(binary).headings == held.load(text).headings == report.headings


@pytest.mark.parametrize("source", [io.StringIO("%PDF-1.7"), 3, None, ["report.pdf"]])
def test_what_is_no_source_is_refused(source: Any) -> None:
    with pytest.raises(held.HeldError, match="binary mode"):
        held.extract(source)


def test_sections_become_a_data_frame(report: held.StructuredDocument) -> None:
    pytest.importorskip("pandas")
    frame = report.to_dataframe()
    assert list(frame.columns) == ["level", "title", "page", "path", "text", "certainty"]
    assert list(frame.title) == [section.title for section in report.walk()]


def test_a_data_frame_without_pandas_says_what_to_install(
    report: held.StructuredDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(held.HeldError, match="pip install pandas") as refused:
        report.to_dataframe()
    assert isinstance(refused.value, ImportError)


def test_pages_and_depth_can_be_limited(report: held.StructuredDocument) -> None:
    part = held.extract(report.document, pages="9-12", max_depth=2, min_confidence=0.9)
    before = {index for index, item in enumerate(part.objects) if item.page not in range(9, 13)}
    assert before <= part.headings.keys()
    assert max(section.level for section in part.walk()) <= 2
    assert part.doubtful == {section.index for section in part.walk() if section.certainty < 0.9}


def test_doubtful_headings_can_be_dropped(report: held.StructuredDocument) -> None:
    sure = held.extract(report.document, min_confidence=0.9, drop_doubtful=True)
    dropped = report.headings.keys() - sure.headings.keys()
    assert dropped == {section.index for section in report.walk() if section.certainty < 0.9} != set()
    for index in sure.headings:
        assert sure.path(index) == tuple(
            report.objects[above].text for above in report.tree.paths()[index][:-1] if above not in dropped
        )
    parents = sure.tree.parents()
    for index in dropped:
        assert parents[index] == max((other for other in sure.headings if other < index), default=-1)


def test_bookmarks_are_trusted_on_request(report: held.StructuredDocument) -> None:
    trusted = held.extract(report.to_pdf(REPORT), outline="trust", jobs=0)
    assert len(trusted.headings) > 0.9 * len(report.headings)
    assert all(section.certainty == 1 for section in trusted.walk())


def test_documents_of_other_parsers_are_extracted() -> None:
    from_file, from_value = held.extract(HARBOUR), held.extract(held.from_docling(HARBOUR))
    assert from_file.tree == from_value.tree
    assert [section.title for section in from_file.walk()][1:] == ["1 Boats", "1.1 Nets", "2 Ice"]


def test_headings_can_be_found_although_some_are_given() -> None:
    assert held.extract(HARBOUR, headings="found").headings


@pytest.mark.parametrize("options", [{"order": "x"}, {"outline": "x"}, {"headings": "x"}, {"pages": "x"}])
def test_a_wrong_choice_is_refused(report: held.StructuredDocument, options: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="'x'"):
        held.extract(report.document, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("ask", ["path", "section_of"])
@pytest.mark.parametrize("index", [-1, 100_000])
def test_an_object_that_is_not_there_is_said(report: held.StructuredDocument, ask: str, index: int) -> None:
    with pytest.raises(UsageError, match=f"report-en.pdf: there is no object {index} .the document has"):
        getattr(report, ask)(index)


@pytest.mark.parametrize("wrong", [{"max_depth": 0}, {"min_confidence": 80}, {"min_confidence": -1}])
def test_an_option_that_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(UsageError, match=f"{name} cannot be"):
        held.extract(HARBOUR, **wrong)


def test_a_pdf_is_not_loaded_but_extracted() -> None:
    with pytest.raises(FormatError, match="is a PDF, not JSON"):
        held.load(REPORT)


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder"):
        held.extract(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        held.extract(tmp_path / "none.pdf")
    with pytest.raises(FormatError, match="not JSON"):
        held.load("{")
    with pytest.raises(VersionError, match=r"held\.tree version 1"):
        held.load({"format": "held.tree", "version": 1})


@pytest.mark.parametrize("snippet", SNIPPETS, ids=range(len(SNIPPETS)))
def test_the_pages_python_runs(
    snippet: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, report: held.StructuredDocument
) -> None:
    (tmp_path / "report.pdf").write_bytes(REPORT.read_bytes())
    (tmp_path / "docling.json").write_bytes(HARBOUR.read_bytes())
    monkeypatch.chdir(tmp_path)
    exec(snippet, {"held": held, "doc": report})


def test_a_fixed_place_is_kept_and_certain(report: held.StructuredDocument) -> None:
    moved = next(section for section in report.walk() if section.level > 1)
    again = held.extract(report.document, fixed={moved.index: None})
    assert again.tree.parents()[moved.index] == -1
    assert again.certainty(moved.index) == 1.0


def test_an_object_can_be_fixed_as_text_or_as_a_heading(report: held.StructuredDocument) -> None:
    heading = max(report.headings)
    text = next(index for index in range(len(report.objects)) if index not in report.headings)
    again = held.extract(report.document, fixed={heading: "text", text: "heading"})
    assert set(again.headings) == (set(report.headings) - {heading}) | {text}


def test_fixing_nothing_or_all_own_places_changes_nothing(report: held.StructuredDocument) -> None:
    parents = report.tree.parents()
    own = {heading: None if parents[heading] == -1 else parents[heading] for heading in report.headings}
    for fixed in ({}, own):
        assert held.extract(report.document, fixed=fixed).tree == report.tree


@pytest.mark.parametrize(
    ("fixed", "message"),
    [
        ({0: "chapter"}, "cannot be fixed at 'chapter'"),
        ({99_999: None}, "no object 99999"),
        ({0: "text", 1: 0}, "fixed as text, but has a heading below"),
    ],
)
def test_a_wrong_place_is_told(fixed: dict[int, int | str | None], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        held.extract(HARBOUR, fixed=fixed)


def test_a_file_is_not_cut_into_chunks_nor_a_document_asked(report: held.StructuredDocument) -> None:
    with pytest.raises(UsageError, match=r"held\.extract\(file\)"):
        held.chunks(REPORT)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="not a StructuredDocument"):
        held.search(report, "Who owns it?")  # type: ignore[arg-type]
