"""Commands whose standard streams are closed, as daemons and some schedulers start them."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.serve.small_pdf import write_report

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="closes file descriptors before the start")


def run_with_closed(streams: tuple[int, ...], *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """A command that was started with these file descriptors closed."""
    redirections = " ".join(f"{number}>&-" for number in streams)
    script = f'exec "$@" {redirections}'
    command = ["sh", "-c", script, "sh", sys.executable, "-m", "held", *arguments]
    return subprocess.run(command, capture_output=True, check=False)


@pytest.mark.parametrize("streams", [(0,), (1,), (2,), (0, 1, 2)])
def test_a_good_pdf_is_extracted_whatever_is_closed(streams: tuple[int, ...], tmp_path: Path) -> None:
    pdf = write_report(tmp_path / "report.pdf")
    output = tmp_path / "report.md"
    done = run_with_closed(streams, "extract", str(pdf), "-o", str(output))
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Harbours" in output.read_text()


def test_a_result_for_a_closed_output_is_an_error(tmp_path: Path) -> None:
    pdf = write_report(tmp_path / "report.pdf")
    done = run_with_closed((1,), "extract", str(pdf), "--format", "markdown")
    assert done.returncode == 1
    assert b"standard output: cannot be written" in done.stderr
