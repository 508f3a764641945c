from pathlib import Path

import pytest

from held.batch.sinks import plan_files
from held.errors import InputError, UsageError


def touched(folder: Path, *names: str) -> list[Path]:
    paths = [folder / name for name in names]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return paths


def targets(inputs: list[Path], output: Path) -> list[str]:
    return [file.target.relative_to(output).as_posix() for file in plan_files(inputs, output, ".md")]


def test_a_folder_is_mirrored(tmp_path: Path) -> None:
    touched(tmp_path / "in", "b.pdf", "2024/a.pdf", "2024/deep/c.PDF", "note.txt")
    assert targets([tmp_path / "in"], tmp_path / "out") == ["2024/a.md", "2024/deep/c.md", "b.md"]


def test_files_from_several_folders_keep_what_tells_them_apart(tmp_path: Path) -> None:
    files = touched(tmp_path, "2023/report.pdf", "2024/report.pdf")
    assert targets(files, tmp_path / "out") == ["2023/report.md", "2024/report.md"]


def test_files_of_one_folder_need_no_folder(tmp_path: Path) -> None:
    files = touched(tmp_path / "in", "a.pdf", "b.pdf")
    assert targets(files, tmp_path / "out") == ["a.md", "b.md"]


def test_files_that_differ_in_their_suffix_alone_keep_it(tmp_path: Path) -> None:
    files = touched(tmp_path, "a.pdf", "a.json", "b.json.xz")
    assert targets(files, tmp_path / "out") == ["a.pdf.md", "a.json.md", "b.md"]


def test_files_that_differ_in_case_alone_do_not_meet(tmp_path: Path) -> None:
    files = touched(tmp_path, "a.pdf", "A.pdf", "A.PDF")
    found = [target.casefold() for target in targets(files, tmp_path / "out")]
    assert len(set(found)) == 3


def test_a_file_given_twice_is_extracted_once(tmp_path: Path) -> None:
    files = touched(tmp_path, "a.pdf", "b.pdf")
    assert targets([*files, tmp_path], tmp_path / "out") == ["a.md", "b.md"]


def test_results_and_hidden_files_in_a_folder_are_no_sources(tmp_path: Path) -> None:
    touched(tmp_path, "a.pdf", ".hidden.pdf", ".cache/b.pdf", "out/a.pdf")
    assert [file.source.name for file in plan_files([tmp_path], tmp_path / "out", ".pdf")] == ["a.pdf"]


def test_a_source_is_never_overwritten(tmp_path: Path) -> None:
    files = touched(tmp_path, "a.pdf", "b.pdf")
    with pytest.raises(UsageError, match="would be overwritten"):
        plan_files(files, tmp_path, ".pdf")


def test_a_folder_without_pdfs_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="contains no PDF"):
        plan_files([tmp_path], tmp_path / "out", ".md")


def test_paths_from_here_and_from_the_root_can_be_mixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    touched(tmp_path, "a.pdf", "in/b.pdf")
    monkeypatch.chdir(tmp_path)
    assert targets([Path("a.pdf"), tmp_path / "in" / "b.pdf"], Path("out")) == ["a.md", "in/b.md"]
