"""A real server in a process of its own, on loopback, for the tests of the service and of its page."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.browser.conftest import tab as tab  # the browser of all tests of pages
from tests.serve.small_pdf import write_report
from tests.waiting import PATIENCE, eventually


@dataclass
class Served:
    """A running server."""

    process: subprocess.Popen[str]
    address: str
    client: httpx.Client

    def post(self, pdf: Path, **fields: str) -> dict[str, Any]:
        answer = self.client.post("/v1/jobs", files={"file": (pdf.name, pdf.read_bytes())}, data=fields)
        assert answer.status_code == 202, answer.text
        job: dict[str, Any] = answer.json()
        return job

    def settled(self, id: str) -> dict[str, Any]:
        """The job, once it has ended."""
        assert eventually(lambda: self.job(id)["status"] in ("done", "partial", "failed"))
        return self.job(id)

    def job(self, id: str) -> dict[str, Any]:
        job: dict[str, Any] = self.client.get(f"/v1/jobs/{id}").json()
        return job

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@contextmanager
def serving(work: Path, *options: str) -> Iterator[Served]:
    """A server with its work in a folder, ended by Ctrl+C."""
    command = [sys.executable, "-m", "held", "serve", "--work", str(work), "--port", "0", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | {"NO_COLOR": "1"})
    assert process.stderr is not None
    said = ""
    while not (found := re.search(r"(http://[^/\s]+)\S*", said)) and (line := process.stderr.readline()):
        said += line
    assert found, f"the server ended: {said}"
    address, base = found[0], found[1]
    token = re.search(r"token=([\w-]+)", address)
    headers = {"Authorization": f"Bearer {token[1]}"} if token else {}
    try:
        with httpx.Client(base_url=base, timeout=PATIENCE, headers=headers) as client:
            yield Served(process, address, client)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=PATIENCE)
        process.stderr.close()


Serving = Callable[..., Any]


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(tmp_path_factory.mktemp("report") / "harbour report.pdf")


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all tests that leave it as it was."""
    with serving(tmp_path_factory.mktemp("work"), "--max-size", "1", "--max-pages", "20") as running:
        yield running


@pytest.fixture(scope="session")
def harbour(served: Served, report: Path) -> str:
    """The id of a document that is done."""
    job = served.settled(served.post(report)["id"])
    assert job["status"] == "done", job
    return str(job["id"])
