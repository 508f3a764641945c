import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from torch import nn

from held.corpus.store import labelled_documents, write_labelled
from held.errors import FormatError, HeldError, InputError, UsageError
from held.models.store import Model, ModelKind, load_model, save_model
from held.paper.training import to_onnx
from held.training.trainers import train_model
from tests.training.small_corpus import HEADINGS, PUT_OR_SKIP, log_of, small_request, write_small_corpus

ROOT = Path(__file__).parents[3]
KINDS = list(ModelKind)
PUT = ModelKind.PUT_OR_SKIP
FEW_BATCHES = "batches=6"
AT_THE_END = "evaluate_every=1000"  # each evaluation exports the network, which takes a second
GRAPHS: dict[str, bytes] = {}
# The command, which kills itself when its log has five lines.
DYING = """
import os, signal
from held.cli import main
from held.paper.training import loop
append, lines = loop.append_log, []
def append_and_die(folder, line):
    append(folder, line)
    lines.append(line)
    if len(lines) == 5: os.kill(os.getpid(), signal.SIGKILL)
loop.append_log = append_and_die
main()
"""


@pytest.fixture
def exported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exports each graph once for all tests that do not care for what a model says."""
    export = to_onnx._export

    def kept(module: nn.Module, *arguments: Any, **options: Any) -> bytes:
        name = type(module).__name__
        if name not in GRAPHS:
            GRAPHS[name] = export(module, *arguments, **options)
        return GRAPHS[name]

    monkeypatch.setattr(to_onnx, "_export", kept)


def trained(kind: ModelKind, corpus: Path, run: Path, embeddings: Path, *changes: str) -> Model:
    model = train_model(small_request(kind, corpus, run, embeddings, *changes))
    assert model is not None
    return model


def training_command(kind: ModelKind, corpus: Path, out: Path, embeddings: Path, *changes: str) -> list[str]:
    small = HEADINGS if kind is ModelKind.HEADINGS else PUT_OR_SKIP
    sets = [word for change in (*small, *changes) for word in ("--set", change)]
    files = ["--data", str(corpus), "-o", str(out), "--embeddings", str(embeddings)]
    return ["train", kind.value, "--preset", "paper", *files, *sets]


@pytest.mark.usefixtures("exported_once")
@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_run_goes_on_to_the_same_bytes(
    kind: ModelKind, corpus: Path, embeddings: Path, tmp_path: Path
) -> None:
    killed = tmp_path / "killed.held"
    changes = ("epochs=4", AT_THE_END)
    uninterrupted = trained(kind, corpus, tmp_path / "whole", embeddings, *changes)
    command = [sys.executable, "-c", DYING, *training_command(kind, corpus, killed, embeddings, *changes)]
    assert subprocess.run(command, stderr=subprocess.DEVNULL).returncode == -signal.SIGKILL
    resumed = trained(kind, corpus, tmp_path / "killed.held.run", embeddings, *changes)
    assert (resumed.parts, resumed.scores) == (uninterrupted.parts, uninterrupted.scores)


def by_two_processes(corpus: Path, tmp_path: Path, embeddings: Path) -> Path:
    """The folder with the runs of both kinds by two processes.

    A port that torchrun found free can be taken before it is opened, so there is a second, fresh try.
    """
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m"]
    for attempt in ("first", "second"):
        out = tmp_path / attempt
        command = ["tests.training.crew", str(corpus), str(embeddings), str(out), FEW_BATCHES]
        done = subprocess.run([*torchrun, *command], cwd=ROOT, capture_output=True, text=True)
        if done.returncode == 0:
            return out
    raise AssertionError(done.stderr[-2000:])


@pytest.mark.usefixtures("exported_once")
def test_two_processes_reach_the_loss_of_one(embeddings: Path, tmp_path: Path) -> None:
    corpus = write_small_corpus(tmp_path / "corpus", valid=0)  # nothing to evaluate, which takes longest
    by_two = by_two_processes(corpus, tmp_path, embeddings)
    for kind in KINDS:
        trained(kind, corpus, tmp_path / "one" / kind, embeddings, FEW_BATCHES)
        one, two = (log_of(runs / kind) for runs in (tmp_path / "one", by_two))
        assert len(one) == len(two)
        assert losses(one) == pytest.approx(losses(two), abs=1e-4)


def losses(log: list[dict[str, Any]]) -> list[float]:
    found = [line["loss"] for line in log if line.get("loss")]
    assert found
    return found


def test_the_network_learns_what_numbers_and_styles_say(
    corpus: Path, embeddings: Path, tmp_path: Path
) -> None:
    model = trained(PUT, corpus, tmp_path, embeddings, "epochs=12", "learning_rate=0.02", AT_THE_END)
    assert model.scores["paths"] > 0.9
    assert log_of(tmp_path)[-1]["mean_loss"] < 0.3


def test_the_heading_network_learns_what_bold_says(corpus: Path, embeddings: Path, tmp_path: Path) -> None:
    model = trained(ModelKind.HEADINGS, corpus, tmp_path, embeddings, "epochs=15", "learning_rate=0.02")
    assert model.scores["F1 all"] > 0.95


@pytest.mark.parametrize(
    "change", ["two_step=false", "parent=false", "siblings=false", "text=false", "format=false"]
)
def test_every_ablation_is_trained_and_scored(
    change: str, corpus: Path, embeddings: Path, tmp_path: Path
) -> None:
    model = trained(PUT, corpus, tmp_path, embeddings, "batches=1", change)
    assert 0 <= model.scores["paths"] <= 1


@pytest.mark.usefixtures("exported_once")
def test_a_run_that_was_cut_short_writes_its_model_and_can_be_given_more(
    corpus: Path, embeddings: Path, tmp_path: Path
) -> None:
    trained(PUT, corpus, tmp_path, embeddings, "batches=5")
    trained(PUT, corpus, tmp_path, embeddings, "batches=3")
    assert log_of(tmp_path)[-1]["step"] == 5
    trained(PUT, corpus, tmp_path, embeddings, "batches=7")
    assert log_of(tmp_path)[-1]["step"] == 7


@pytest.mark.usefixtures("exported_once")
def test_training_stops_when_valid_gains_no_more(corpus: Path, embeddings: Path, tmp_path: Path) -> None:
    stop = ("learning_rate=0.0", "evaluate_every=1", "patience=2", "epochs=9")
    trained(PUT, corpus, tmp_path, embeddings, *stop)
    assert log_of(tmp_path)[-1]["step"] == 4  # the first is the best, three more do not gain


@pytest.mark.usefixtures("exported_once")
def test_without_valid_the_last_weights_are_kept(embeddings: Path, tmp_path: Path) -> None:
    corpus = write_small_corpus(tmp_path / "corpus", valid=0)
    first, last = (
        trained(PUT, corpus, tmp_path / f"{n}", embeddings, f"batches={n}").parts["weights.npz"]
        for n in (1, 9)
    )
    assert first != last


@pytest.mark.usefixtures("exported_once")
def test_fine_tuning_starts_from_the_weights_given(corpus: Path, embeddings: Path, tmp_path: Path) -> None:
    start = trained(PUT, corpus, tmp_path / "a", embeddings, "batches=3", "learning_rate=0.01")
    request = small_request(PUT, corpus, tmp_path / "b", embeddings)
    changes = ("batches=1", "learning_rate=0.0")
    tuned = train_model(replace(request, changes=changes, embeddings=None, start=start))
    assert tuned is not None
    before, after = start.arrays("weights.npz"), tuned.arrays("weights.npz")
    assert all(np.array_equal(before[name], after[name]) for name in before)


@pytest.mark.usefixtures("exported_once")
def test_fine_tuning_cannot_change_the_network(corpus: Path, embeddings: Path, tmp_path: Path) -> None:
    start = trained(PUT, corpus, tmp_path / "a", embeddings, "batches=1")
    with pytest.raises(UsageError, match="sequence_size cannot change"):
        train_model(
            replace(
                small_request(PUT, corpus, tmp_path / "b", embeddings),
                changes=("sequence_size=99",),
                start=start,
            )
        )


def test_a_loss_that_is_no_number_stops_and_says_where(
    corpus: Path, embeddings: Path, tmp_path: Path
) -> None:
    with pytest.raises(HeldError, match=r"not a number at batch 2 of epoch 1 \(step 2\), which has d"):
        trained(PUT, corpus, tmp_path, embeddings, "learning_rate=1e30")


def test_an_empty_corpus_is_refused(embeddings: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no labelled documents of split train"):
        trained(PUT, tmp_path, tmp_path / "run", embeddings)


def test_a_corpus_without_headings_is_refused(embeddings: Path, tmp_path: Path) -> None:
    corpus = write_small_corpus(tmp_path / "corpus", train=1, valid=0)
    labelled = next(iter(labelled_documents(corpus)))
    body = type(labelled.labels[0]).BODY
    count = len(labelled.labels)
    write_labelled(corpus, replace(labelled, labels=(body,) * count, parents=(-1,) * count))
    with pytest.raises(InputError, match="no headings to insert"):
        trained(PUT, corpus, tmp_path / "run", embeddings)


@pytest.mark.usefixtures("exported_once")
def test_a_checkpoint_of_another_run_is_refused(corpus: Path, embeddings: Path, tmp_path: Path) -> None:
    trained(PUT, corpus, tmp_path, embeddings, "batches=1")
    with pytest.raises(UsageError, match=r"of another run: learning_rate differ .*--checkpoints"):
        trained(PUT, corpus, tmp_path, embeddings, "learning_rate=0.1")


@pytest.mark.usefixtures("exported_once")
def test_a_truncated_checkpoint_is_refused(corpus: Path, embeddings: Path, tmp_path: Path) -> None:
    trained(PUT, corpus, tmp_path, embeddings, "batches=1")
    path = tmp_path / "checkpoint.pt"
    path.write_bytes(path.read_bytes()[:500])
    with pytest.raises(FormatError, match="delete it to start from the beginning"):
        trained(PUT, corpus, tmp_path, embeddings, "batches=1")


def test_an_unknown_preset_names_those_there_are(corpus: Path, embeddings: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no preset papr .*paper"):
        train_model(replace(small_request(PUT, corpus, tmp_path, embeddings), preset="papr"))


@pytest.mark.usefixtures("exported_once")
def test_a_model_file_says_what_it_was_made_of(corpus: Path, embeddings: Path, tmp_path: Path) -> None:
    save_model(tmp_path / "m.held", trained(PUT, corpus, tmp_path / "run", embeddings, "batches=1"))
    model = load_model(tmp_path / "m.held", PUT)
    assert (model.preset, model.settings["sequence_size"], len(model.data_hash)) == ("paper", 12, 64)
