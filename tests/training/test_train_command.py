from pathlib import Path

import pytest

from held.cli import main
from held.models.store import PRESETS, ModelKind, Preset, load_model
from held.system.optional_packages import install_command
from tests.training.small_corpus import PUT_OR_SKIP, write_small_corpus


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def changed(*changes: str) -> list[str]:
    return [word for change in changes for word in ("--set", change)]


def test_embeddings_a_model_and_a_finer_one(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = ["--preset", "paper", "--data", corpus]
    characters, first, second = (tmp_path / name for name in ("c.npz", "first.held", "second.held"))
    few = changed("pairs=2048", "size=4", "rare=1")
    assert run("train", "embeddings", *data, "-o", characters, *few) == 0
    small = changed(*PUT_OR_SKIP, "batches=2")
    assert run("train", "put-or-skip", *data, "-o", first, "--embeddings", characters, *small) == 0
    assert capsys.readouterr().out.startswith("paths\t")
    finer = changed("batches=1", "batch_size=16")
    assert run("train", "put-or-skip", *data, "-o", second, "--from", first, *finer) == 0
    assert load_model(second, ModelKind.PUT_OR_SKIP).settings["sequence_size"] == 12


def test_a_run_learns_its_own_embeddings_where_none_are_given(corpus: Path, tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text("[embeddings]\npairs = 2048\nrare = 1\n[put-or-skip]\nbatches = 1\n")
    arguments = ["--preset", "paper", "--data", corpus, "-o", tmp_path / "m.held", "--config", settings]
    assert run("train", "put-or-skip", *arguments, *changed(*PUT_OR_SKIP)) == 0
    assert (tmp_path / "m.held.run" / "embeddings.npz").exists()


def test_an_empty_corpus_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    code = run("train", "headings", "--preset", "paper", "--data", tmp_path / "empty", "-o", tmp_path / "m")
    error = capsys.readouterr().err
    assert (code, error.count("\n")) == (1, 1)
    assert "no labelled documents of split train" in error


def test_labels_of_another_version_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = write_small_corpus(tmp_path / "corpus", train=1, valid=0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("held.corpus.store.LABELLED_VERSION", 99)
        code = run("train", "headings", "--preset", "paper", "--data", corpus, "-o", tmp_path / "m")
    assert code == 1
    assert "build the corpus again" in capsys.readouterr().err


def test_a_missing_library_is_named(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PRESETS, "odd", Preset(None, None, "no_such_library"))
    assert run("train", "headings", "--preset", "odd", "--data", corpus, "-o", tmp_path / "m") == 2
    assert f"training needs no_such_library ({install_command('train')})" in capsys.readouterr().err


def test_a_device_that_is_not_there_is_one_line(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("this machine has a CUDA device")
    arguments = ["--preset", "paper", "--data", corpus, "-o", tmp_path / "m.held", "--device", "cuda"]
    assert run("train", "put-or-skip", *arguments) == 2
    assert "torch finds no CUDA device" in capsys.readouterr().err


def test_products_in_bfloat16_learn_too(corpus: Path, tmp_path: Path) -> None:
    arguments = ["--preset", "paper", "--data", corpus, "-o", tmp_path / "m.held", "--device", "cpu"]
    few = changed(*PUT_OR_SKIP, "batches=2", "bfloat16=true")
    assert run("train", "put-or-skip", *arguments, *few) == 0
    assert load_model(tmp_path / "m.held", ModelKind.PUT_OR_SKIP).settings["bfloat16"] is True
