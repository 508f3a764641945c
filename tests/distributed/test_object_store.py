"""A real object store by its protocol: moto's server on this machine, reached as `s3://`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("moto.server", reason="`make test-ray` installs moto's server")
pytest.importorskip("s3fs", reason="`make test-ray` installs s3fs")

from held.batch.runner import task_to_json
from held.dataset.parts import DataSet, find_pdfs, open_storage
from held.dataset.rows import rows_from_parquet
from held.distributed import PartWorker, WorkOrder
from held.errors import InputError
from held.file_task import ROWS, FileTask, TaskOptions
from held.retrieval.index import Index, write_index
from tests.retrieval.harbours import HARBOUR, content
from tests.serve.small_pdf import write_report

BUCKET = "held"


@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    """The URL of an empty bucket, which the environment tells how to reach."""
    import fsspec
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        address = f"http://{host.replace('0.0.0.0', '127.0.0.1')}:{port}"
        for name in ("AWS_ENDPOINT_URL", "AWS_ENDPOINT"):
            patch.setenv(name, address)
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patch.setenv(name, "test")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        patch.setenv("AWS_REGION", "us-east-1")
        patch.setenv("AWS_ALLOW_HTTP", "true")
        fsspec.filesystem("s3").mkdir(BUCKET)
        yield f"s3://{BUCKET}"
    server.stop()


def test_documents_come_from_a_bucket_and_rows_go_there(store: str, tmp_path: Path) -> None:
    import fsspec

    report = write_report(tmp_path / "a.pdf", pages=2)
    fsspec.filesystem("s3").put_file(str(report), f"{BUCKET}/in/deep/a.pdf")
    sources = find_pdfs(f"{store}/in")
    assert sources == [f"{store}/in/deep/a.pdf"]
    data_set = DataSet.start_run(open_storage(f"{store}/out"))
    options = task_to_json(FileTask(Path("-"), "-", TaskOptions(ROWS.name)))
    counts = PartWorker(WorkOrder(options, f"{store}/out", data_set.run, "maker")).do_part(sources)
    assert (counts["done"], counts["pages"]) == (1, 2)
    place = open_storage(f"{store}/out")
    (part,) = place.names("sections")
    assert {row["source"] for row in rows_from_parquet(place.read(part), file=part)} == set(sources)


def test_a_bucket_that_is_not_there_is_named(store: str) -> None:
    with pytest.raises(InputError, match="s3://no-such-bucket/out: cannot be written"):
        DataSet.start_run(open_storage("s3://no-such-bucket/out"))


def test_an_index_in_a_bucket_answers(store: str) -> None:
    pytest.importorskip("lancedb", reason="`make test-ray` installs lancedb")
    name = f"lance:{store}/index"
    with write_index(name) as writer:
        writer.put("/harbour.pdf", content(HARBOUR))
    with Index.open(name) as index:
        assert index.search("How deep is the basin?")[0].text == HARBOUR[0][1]
