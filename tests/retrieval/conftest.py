"""An index of three small documents."""

import shutil
from pathlib import Path

import pytest

from held.retrieval.sqlite_engine import write_sqlite_index
from tests.retrieval.harbours import CHINESE, HARBOUR, RAILWAY, content


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the documents of the index came from; only the first is still there."""
    folder = tmp_path_factory.mktemp("sources")
    (folder / "harbour.pdf").touch()
    return folder


@pytest.fixture(scope="session")
def made_once(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("index") / "all.index"
    with write_sqlite_index(path) as writer:
        for name, rows in (("harbour", HARBOUR), ("railway", RAILWAY), ("gangkou", CHINESE)):
            writer.put(str(folder / f"{name}.pdf"), content(rows), digest=name)
    return path


@pytest.fixture
def index_file(made_once: Path, tmp_path: Path) -> Path:
    """An index of three documents, for one test alone."""
    return Path(shutil.copy(made_once, tmp_path))
