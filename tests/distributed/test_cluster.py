"""A run on a real cluster of two nodes: what is killed loses nothing and doubles nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray", reason="`make test-ray` installs ray, which is large")

from held.dataset.parts import LocalFolder, open_storage
from held.dataset.rows import rows_from_parquet
from held.distributed import Totals, extract
from held.errors import UsageError
from tests.serve.small_pdf import write_report

PDFS = 6
NICENESS = "RAY_worker_niceness"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes of this machine, a worker on each, with small object stores."""
    from ray.cluster_utils import Cluster

    os.environ.setdefault(NICENESS, "0")  # else workers starve beside other tests
    node = {"num_cpus": 1, "object_store_memory": 80 << 20}
    found = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    found.add_node(**node)
    found.wait_for_nodes()
    yield found
    found.shutdown()


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sources")
    for number in range(PDFS):
        write_report(folder / f"{number}.pdf", pages=1 + number % 3)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    return folder


def sections_of(output: Path) -> list[tuple[str, int]]:
    place = LocalFolder(output)
    rows = (row for name in place.names("sections") for row in rows_from_parquet(place.read(name), file=name))
    return sorted((Path(row["source"]).name, row["section"]) for row in rows)


@pytest.fixture(scope="module")
def undisturbed(sources: Path, cluster: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("undisturbed")
    totals = extract([str(sources)], str(output), address=cluster.address)
    assert totals == Totals(PDFS + 1, 0, PDFS, 0, 1, totals.pages)
    return output


def test_the_trees_are_those_of_one_machine(undisturbed: Path, sources: Path) -> None:
    from held import extract as extract_one

    expected = [
        (f"{number}.pdf", section.index)
        for number in range(PDFS)
        for section in extract_one(sources / f"{number}.pdf").walk()
    ]
    assert sections_of(undisturbed) == sorted(expected)


def test_a_second_run_has_nothing_to_do_but_what_failed(
    undisturbed: Path, sources: Path, cluster: Any
) -> None:
    totals = extract([str(sources)], str(undisturbed), address=cluster.address, resume=True)
    assert (totals.skipped, totals.done, totals.failed) == (PDFS, 0, 1)


def test_a_killed_worker_is_replaced(undisturbed: Path, sources: Path, cluster: Any, tmp_path: Path) -> None:
    killed: list[bool] = []

    def kill(totals: Totals) -> None:
        # A worker bears its task's name only while it is at one: at this moment none may be.
        if not any(killed):
            killed.append(_kill_a_worker())

    totals = extract([str(sources)], str(tmp_path), address=cluster.address, workers=2, progress=kill)
    assert any(killed)
    assert totals.done == PDFS
    assert sections_of(tmp_path) == sections_of(undisturbed)


def _kill_a_worker() -> bool:
    """Whether a process that does parts could be killed."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if command.startswith(b"ray::held.part"):
            os.kill(int(folder.name), signal.SIGKILL)
            return True
    return False


def test_a_killed_driver_is_run_again(undisturbed: Path, sources: Path, cluster: Any, tmp_path: Path) -> None:
    program = (
        "import os, sys; from held.distributed import extract; "
        "extract([sys.argv[1]], sys.argv[2], address=sys.argv[3], "
        "progress=lambda totals: os.kill(os.getpid(), 9))"
    )
    command = [sys.executable, "-c", program, str(sources), str(tmp_path), cluster.address]
    assert subprocess.run(command, check=False, capture_output=True).returncode == -signal.SIGKILL
    totals = extract([str(sources)], str(tmp_path), address=cluster.address, resume=True)
    assert totals.failed == 1
    assert sections_of(tmp_path) == sections_of(undisturbed)


def test_a_killed_node_is_done_without(
    undisturbed: Path, sources: Path, cluster: Any, tmp_path: Path
) -> None:
    second = cluster.add_node(num_cpus=1, object_store_memory=80 << 20)
    cluster.wait_for_nodes()
    lost: list[bool] = []

    def lose(totals: Totals) -> None:
        if not lost:
            lost.append(True)
            cluster.remove_node(second, allow_graceful=False)

    totals = extract([str(sources)], str(tmp_path), address=cluster.address, workers=3, progress=lose)
    assert lost
    assert totals.done == PDFS
    assert sections_of(tmp_path) == sections_of(undisturbed)


def test_results_go_to_a_store_and_sources_come_from_one(sources: Path, tmp_path: Path) -> None:
    """The worker alone, in this process: the memory file system is none that two processes share."""
    import fsspec

    from held.batch.runner import task_to_json
    from held.dataset.parts import DataSet
    from held.distributed import PartWorker, WorkOrder
    from held.file_task import ROWS, FileTask, TaskOptions

    files = fsspec.filesystem("memory")
    files.pipe_file(f"/{tmp_path.name}/in/a.pdf", (sources / "0.pdf").read_bytes())
    output = f"memory://{tmp_path.name}/out"
    data_set = DataSet.start_run(open_storage(output))
    options = task_to_json(FileTask(Path("-"), "-", TaskOptions(ROWS.name)))
    counts = PartWorker(WorkOrder(options, output, data_set.run, "maker")).do_part(
        [f"memory://{tmp_path.name}/in/a.pdf", f"memory://{tmp_path.name}/in/none.pdf"]
    )
    assert (counts["done"], counts["failed"]) == (1, 1)
    (failed,) = (own for own in data_set.documents().values() if own.status == "failed")
    assert failed.source.endswith("none.pdf")


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nonsense", "ray://127.0.0.1:1"])
def test_an_address_without_a_cluster_is_told_at_once(sources: Path, tmp_path: Path, address: str) -> None:
    import ray

    ray.shutdown()
    with pytest.raises(UsageError, match=f"there is no Ray cluster at {address}"):
        extract([str(sources)], str(tmp_path), address=address)
